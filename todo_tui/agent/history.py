"""Message history as sent to a provider.

Context window, complete tool-call pairs, provider-only parts.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count

from todo_tui.domain.foreign_json import parse_json
from todo_tui.domain.messages import (
    Message,
    MessagePart,
    Role,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from todo_tui.domain.text import plain_line, repair_surrogates
from todo_tui.store.conversations.records import ModelHistory
from todo_tui.tools.base import ToolErrorType, ToolResponse, without_fields

LONGEST_NAME = 64
"""Characters that servers take for the name of a tool."""
LONGEST_ARGUMENTS = 100_000
"""Characters of the arguments of one call: more than any model writes on purpose."""
_LONGEST_QUOTE = 200
_NO_NAME = "(no name)"
CALL_ID = re.compile(r"[a-zA-Z0-9_-]{1,40}")
INTERRUPTED = ToolResponse.failed(
    ToolErrorType.INTERNAL_ERROR, "Interrupted: the turn ended before this ran."
).text()
MISSING_ANSWER = "(The turn ended before an answer.)"
SUMMARY_HEADER = "Summary of the earlier part of this conversation, which is not repeated here:\n\n"
SUMMARY_REPLY = "Noted; I go on from there."
_CHARACTERS_PER_TOKEN = 4
_STEPS = 4
"""The window loses a quarter at a time, so that its beginning stays the same for a while."""


def within_limits(message: Message) -> tuple[Message, tuple[str, ...]]:
    """Return the message with such calls cut, and why each of its calls may not run.

    The reason is empty for a call that may. A name that was cut is none that a tool has.
    """
    reasons: list[str] = []
    parts: list[MessagePart] = []
    for part in message.parts:
        if isinstance(part, ToolCall):
            reasons.append(_reason(part))
            part = _cut(part) if reasons[-1] else part
        parts.append(part)
    return replace(message, parts=tuple(parts)) if any(reasons) else message, tuple(reasons)


def quoted_arguments(arguments: str) -> str:
    """Return a JSON object that quotes the beginning of arguments which are none."""
    quote = arguments[:_LONGEST_QUOTE]
    cut = "…" if len(arguments) > _LONGEST_QUOTE else ""
    return json.dumps({"unreadable": repair_surrogates(quote) + cut}, ensure_ascii=False)


def _reason(call: ToolCall) -> str:
    if not call.name.strip():
        return "The call names no tool, so nothing was done. Call again with a tool's name."
    if len(call.name) > LONGEST_NAME or not call.name.isprintable():
        return (
            f"No tool has a name of more than {LONGEST_NAME} characters or with control "
            "characters, so nothing was done. Call again with a tool's name."
        )
    if len(call.arguments) > LONGEST_ARGUMENTS:
        return (
            f"The arguments are {len(call.arguments):,} characters long, and at most "
            f"{LONGEST_ARGUMENTS:,} are read; nothing was done. Call again with less."
        )
    return ""


def _cut(call: ToolCall) -> ToolCall:
    name, arguments = call.name, call.arguments
    if not name.strip():
        name = _NO_NAME
    elif len(name) > LONGEST_NAME or not name.isprintable():
        name = f"{plain_line(name[:LONGEST_NAME])[: LONGEST_NAME - 1]}…"
    if len(arguments) > LONGEST_ARGUMENTS:
        arguments = quoted_arguments(arguments)
    return replace(call, name=name, arguments=arguments)


@dataclass(frozen=True, slots=True)
class ContextWindow:
    """How much of the past a request carries; the current turn is never cut."""

    messages: int = 50
    tokens: int = 24_000


def prepare_history(
    history: Sequence[Message],
    *,
    origin: str,
    window: ContextWindow,
    before: int = 0,
    earlier: str = "",
) -> tuple[Message, ...]:
    """Make any history fit for any provider; pure, and the same for the same history.

    `history` is oldest first and ends with the message of the current turn; `before`
    older messages were left out of it already, and `earlier` sums up what came before
    all of them. `origin` is who will be asked, as `provider:model`. The answer opens
    with a user message, each call has its one result right after it, ids are valid and
    unique, and nothing in it is empty.
    """
    opening = _summary_turn(earlier)
    room = replace(window, tokens=window.tokens - sum(map(_size, opening)))
    kept = _apply_window(history, room, before)
    return (*opening, *_fill_missing_answers(_pair_tool_calls(_visible(kept, origin))))


def visible_to(origin: str, messages: Sequence[Message]) -> tuple[Message, ...]:
    """Messages within a turn as `origin` may see them: calls and results are kept as they are."""
    parts = (_parts(message, own=message.origin == origin) for message in messages)
    shown = zip(messages, parts, strict=True)
    return tuple(_with_parts(message, kept) for message, kept in shown if kept)


def strip_origin(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Messages as if nobody known had said them, so that nothing is replayed in his name."""
    return visible_to("", [replace(message, origin=None) for message in messages])


def without_foreign_text(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Messages of earlier turns without what others may have written in tool results.

    Orders in such text then reach a model only in the turn that has read it, in which
    changes need approval.
    """
    return tuple(_with_parts(each, tuple(map(_own_text, each.parts))) for each in messages)


def _own_text(part: MessagePart) -> MessagePart:
    if not isinstance(part, ToolResult) or not part.foreign:
        return part
    content = without_fields(part.content, part.foreign)
    return part if content == part.content else replace(part, content=content)


def current_turn(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Only what began with the newest user message."""
    return tuple(messages[_turn_starts(messages)[-1] :])


def with_unique_call_ids(message: Message, taken: set[str], mint: Iterator[str]) -> Message:
    """The message with a fresh id for each call whose own is missing, odd or in `taken`.

    The ids that it ends up with are added to `taken`.
    """
    parts: list[MessagePart] = []
    for part in message.parts:
        if isinstance(part, ToolCall):
            if part.id in taken or not CALL_ID.fullmatch(part.id):
                part = replace(part, id=next(mint))
            taken.add(part.id)
        parts.append(part)
    return _with_parts(message, tuple(parts))


def _apply_window(
    history: Sequence[Message], window: ContextWindow, before: int
) -> Sequence[Message]:
    starts = _turn_starts(history)
    most = before + len(history) - window.messages
    first = _round_up_to_steps(most, window.messages // _STEPS) - before
    start = _first_from(starts, first)
    sizes = [_size(message) for message in history]
    surplus = _round_up_to_steps(sum(sizes[start:]) - window.tokens, window.tokens // _STEPS)
    while surplus > 0 and start < starts[-1]:
        following = _first_from(starts, start + 1)
        surplus -= sum(sizes[start:following])
        start = following
    return history[start:]


def _turn_starts(history: Sequence[Message]) -> list[int]:
    return [index for index, message in enumerate(history) if message.role is Role.USER]


def _first_from(starts: Sequence[int], least: int) -> int:
    return next((start for start in starts if start >= least), starts[-1])


def _round_up_to_steps(amount: int, step: int) -> int:
    """The amount rounded up to whole steps; nothing for nothing."""
    step = max(step, 1)
    return -(-amount // step) * step if amount > 0 else 0


def _size(message: Message) -> int:
    """About how many tokens it is."""
    characters = 0
    for part in message.parts:
        match part:
            case Text() | Thinking():
                characters += len(part.text)
            case ToolCall():
                characters += len(part.name) + len(part.arguments)
            case ToolResult():
                characters += len(part.content)
    return characters // _CHARACTERS_PER_TOKEN + 1


def _visible(history: Sequence[Message], origin: str) -> list[Message]:
    """Messages without what `origin` may not see, and without what is empty."""
    visible: list[Message] = []
    for message in history:
        parts = _parts(message, own=message.origin == origin)
        # What opens a request is a user's message, even where the first ones were empty.
        if parts and (visible or message.role is Role.USER):
            visible.append(_with_parts(message, parts))
    return visible


def _with_parts(message: Message, parts: tuple[MessagePart, ...]) -> Message:
    """The same message where the parts are the same: most of a history needs no change."""
    return message if parts == message.parts else replace(message, parts=parts)


def _parts(message: Message, *, own: bool) -> tuple[MessagePart, ...]:
    return tuple(shown for part in message.parts if (shown := _part(part, own=own)))


def _part(part: MessagePart, *, own: bool) -> MessagePart | None:
    match part:
        case Text():
            if not part.text.strip():
                return None
            text = repair_surrogates(part.text)
            return part if own and text is part.text else Text(text, part.meta if own else {})
        case Thinking():
            return part if own and (part.text or part.meta) else None
        case ToolCall():
            arguments = _replayable(part.arguments)
            if own and arguments is part.arguments:
                return part
            return ToolCall(part.id, part.name, arguments, part.meta if own else {})
        case ToolResult():
            return part


def _replayable(arguments: str) -> str:
    """Arguments that are a JSON object: some servers fail for good on any other."""
    try:
        fits = len(arguments) <= LONGEST_ARGUMENTS and isinstance(
            parse_json(arguments or "{}"), dict
        )
    except ValueError:
        fits = False
    if fits:
        return repair_surrogates(arguments) if arguments else "{}"
    return quoted_arguments(arguments)


def _pair_tool_calls(history: Sequence[Message]) -> list[Message]:
    """Each call with its one result in the very next message; no result without a call."""
    taken: set[str] = set()
    paired: list[Message] = []
    for index, message in enumerate(history):
        if message.role is Role.TOOL:
            continue
        if message.role is Role.USER or not (calls := message.tool_calls):
            paired.append(message)
            continue
        asked = with_unique_call_ids(message, taken, _derived_ids(calls, len(taken)))
        results = _results_after(history, index)
        answers = tuple(
            _result_of(results.get(old.id), new)
            for old, new in zip(calls, asked.tool_calls, strict=True)
        )
        paired += [asked, Message(Role.TOOL, answers)]
    return paired


def _result_of(result: ToolResult | None, call: ToolCall) -> ToolResult:
    if result is None:
        return ToolResult(call.id, call.name, INTERRUPTED, is_error=True)
    return result if result.call_id == call.id else replace(result, call_id=call.id)


def _results_after(history: Sequence[Message], index: int) -> dict[str, ToolResult]:
    results: dict[str, ToolResult] = {}
    for message in history[index + 1 :]:
        if message.role is not Role.TOOL:
            break
        for result in message.tool_results:
            results.setdefault(result.call_id, result)
    return results


def _derived_ids(calls: Sequence[ToolCall], number: int) -> Iterator[str]:
    """Ids that come out the same whenever the same history is prepared."""
    for each in count():
        seed = f"{number}:{each}:{[call.id for call in calls]}"
        yield "call_" + hashlib.sha256(seed.encode("utf-8", "replace")).hexdigest()[:24]


def _summary_turn(earlier: str) -> tuple[Message, ...]:
    """What stands for the summary of older turns: a turn of its own."""
    if not earlier:
        return ()
    told = Message(Role.USER, (Text(SUMMARY_HEADER + earlier),))
    return told, Message(Role.ASSISTANT, (Text(SUMMARY_REPLY),))


def _fill_missing_answers(history: Sequence[Message]) -> tuple[Message, ...]:
    """A word in place of each answer that never came: some models insist on taking turns."""
    answered: list[Message] = []
    for message in history:
        waiting = bool(answered) and answered[-1].role is not Role.ASSISTANT
        if message.role is Role.USER and waiting:
            answered.append(Message(Role.ASSISTANT, (Text(MISSING_ANSWER),)))
        answered.append(message)
    return tuple(answered)


class MessageHistory:
    """The messages of the requests of one turn, all but the last of them the same each time.

    They change as a whole when another provider is told them, or when the past does
    not fit. What this turn has brought is never left out.
    """

    def __init__(self, told: ModelHistory, *, window: ContextWindow, origin: str) -> None:
        # All of it is from earlier turns but for the message that opens this one.
        self._told = replace(told, messages=without_foreign_text(told.messages))
        self._window = window
        self._origin = origin
        self._earlier = told.summary.text if told.summary else ""
        self._shortened = False
        self._said: list[Message] = []
        self._unfinished: Message | None = None
        self._past = self._prepared()

    @property
    def messages(self) -> tuple[Message, ...]:
        """What is sent, oldest first."""
        unfinished = () if self._unfinished is None else (self._unfinished,)
        return (*self._past, *self._said, *unfinished)

    @property
    def summary(self) -> str:
        """The summary that stands before the messages; empty where none does."""
        return self._earlier

    @property
    def older(self) -> tuple[Message, ...]:
        """The messages of older turns that may still be sent."""
        if self._shortened:
            return ()
        messages = self._told.messages
        return messages[: len(messages) - len(current_turn(messages))]

    def add(self, message: Message) -> None:
        """The assistant has spoken; it is sent back as it will be in later turns."""
        self._said += visible_to(message.origin or "", [message])
        self._unfinished = None

    def add_results(self, results: tuple[ToolResult, ...]) -> None:
        """Tools have answered; the model sees the results of one of its messages together."""
        if self._said and self._said[-1].role is Role.TOOL:
            results = (*self._said.pop().tool_results, *results)
        self._said.append(Message(Role.TOOL, results))

    def set_unfinished(self, message: Message) -> None:
        """The assistant has spoken so far, and goes on when it is sent that."""
        self._unfinished = message

    def continued(self, message: Message) -> Message:
        """A message with what was held before it."""
        held = self._unfinished
        if held is None:
            return message
        return Message(message.role, (*held.parts, *message.parts), message.origin or held.origin)

    def switch_origin(self, origin: str) -> None:
        """Tell it to somebody else from now on; a message that is not finished begins anew."""
        self._origin = origin
        self._past = self._prepared()
        self._said = list(visible_to(origin, self._said))
        self._unfinished = None

    def shorten(self, earlier: str = "") -> None:
        """Leave out all older turns, or tell them by this summary."""
        self._earlier = earlier
        self._shortened = True
        self._past = self._prepared()
        # Thinking may be bound to what stood before it.
        self._said = list(strip_origin(self._said))
        if self._unfinished is not None:
            (self._unfinished,) = strip_origin((self._unfinished,)) or (None,)

    def _prepared(self) -> tuple[Message, ...]:
        messages: Sequence[Message] = self._told.messages
        if not messages:
            return ()
        before = self._told.before
        if self._shortened:
            messages, before = current_turn(messages), 0
        return prepare_history(
            messages,
            origin=self._origin,
            window=self._window,
            before=before,
            earlier=self._earlier,
        )
