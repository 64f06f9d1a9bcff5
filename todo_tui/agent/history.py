"""Message history as sent to a provider.

Context window, summary of what it leaves out, complete tool-call pairs, provider-only parts.
"""

import hashlib
import json
import logging
import re
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import replace
from itertools import count, takewhile

from todo_tui.agent.cancellation import TurnStopped
from todo_tui.agent.daily_budget import is_budget_left
from todo_tui.agent.malformed_calls import replayable_arguments, with_unique_call_ids
from todo_tui.agent.model_calls import TurnScope, call_provider, close_provider
from todo_tui.agent.run_config import ContextWindow, Fallback
from todo_tui.agent.system_prompt import SUMMARY_PROMPT, single_request
from todo_tui.domain.errors import ProviderError, TodoError
from todo_tui.domain.events import AgentStep, HistoryTruncated, StepStatus, ToolStarted, TraceStep
from todo_tui.domain.knowledge.evidence import ASSESSMENT_TOOL
from todo_tui.domain.messages import (
    Completed,
    Message,
    MessagePart,
    Role,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    origin_of,
    turns_backwards,
)
from todo_tui.domain.text import format_count, plain_text, repair_surrogates, shorten
from todo_tui.store.conversations.records import ModelHistory, Summary
from todo_tui.tools.base import ToolResponse, without_fields

INTERRUPTED = ToolResponse(error=TodoError("Interrupted: the turn ended before this ran.")).text()
MISSING_ANSWER = "(The turn ended before an answer.)"
SUMMARY_HEADER = "Summary of the earlier part of this conversation, which is not repeated here:\n\n"
SUMMARY_REPLY = "Noted; I go on from there."
_QUOTATION = re.compile(r"^[ \t]{0,3}>.*(?:\n[ \t]{0,3}>.*)*+", re.MULTILINE)
"""Lines of a quotation in Markdown."""
_MAX_SUMMARY_CHARACTERS = 6_000
_MAX_HISTORY_CHARACTERS = 60_000
"""A longer conversation is summarised from its end."""
_MAX_TEXT_CHARACTERS = 4_000
_MAX_RESULT_CHARACTERS = 800
_CHARACTERS_PER_TOKEN = 4
_STEPS = 4
"""The window moves by a quarter at a time, so that the prefix stays cached for a while."""
_NAMES = frozenset({"title", "project", "tags"})
"""Fields without which a later turn could not name what an earlier one has found."""
_log = logging.getLogger(__name__)


def _own_texts(messages: Sequence[Message]) -> Iterator[Message]:
    """Remove long text that others may have written from the messages of earlier turns.

    It can be read again. Besides tool results, these are passages that a model copied into a
    call, and quotations in answers.
    """
    has_read = False
    for message in messages:
        reads = any(not _NAMES.issuperset(result.foreign) for result in message.tool_results)
        has_read = message.role is not Role.USER and (has_read or reads)
        parts = (_own_part(part, has_read=has_read) for part in message.parts)
        yield message.with_parts(tuple(parts))


def _own_part(part: MessagePart, *, has_read: bool) -> MessagePart:
    match part:
        case ToolResult() if part.foreign:
            long_texts = [name for name in part.foreign if name not in _NAMES]
            return replace(part, content=without_fields(part.content, long_texts))
        case ToolCall() if part.name == ASSESSMENT_TOOL:
            return replace(part, arguments="{}")
        case Text() if has_read and ">" in part.text:
            return replace(part, text=_QUOTATION.sub("> …", part.text))
        case _:
            return part


def _apply_window(
    history: Sequence[Message], window: ContextWindow, before: int
) -> Sequence[Message]:
    starts = [index for index, message in enumerate(history) if message.role is Role.USER]

    def first_from(least: int) -> int:
        return next((start for start in starts if start >= least), starts[-1])

    most = before + len(history) - window.messages
    start = first_from(_round_up_to_steps(most, window.messages // _STEPS) - before)
    sizes = [_size(message) for message in history]
    surplus = _round_up_to_steps(sum(sizes[start:]) - window.tokens, window.tokens // _STEPS)
    while surplus > 0 and start < starts[-1]:
        following = first_from(start + 1)
        surplus -= sum(sizes[start:following])
        start = following
    return history[start:]


def _round_up_to_steps(amount: int, step: int) -> int:
    """Round up to a multiple of `step`; 0 for negative amounts."""
    step = max(step, 1)
    return -(-amount // step) * step if amount > 0 else 0


def _size(message: Message) -> int:
    """Estimate the tokens of a message."""
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
    """Remove parts that `origin` may not see, and empty messages."""
    visible: list[Message] = []
    for message in history:
        parts = _visible_parts(message, own=message.origin == origin)
        # A request must open with a user message.
        if parts and (visible or message.role is Role.USER):
            visible.append(message.with_parts(parts))
    return visible


def _visible_parts(message: Message, *, own: bool) -> tuple[MessagePart, ...]:
    parts: list[MessagePart] = []
    for part in message.parts:
        meta = part.meta if own and not isinstance(part, ToolResult) else {}
        match part:
            case Text() if part.text.strip():
                parts.append(Text(repair_surrogates(part.text), meta))
            case Thinking() if own and (part.text or part.meta):
                parts.append(part)
            case ToolCall():
                parts.append(
                    ToolCall(part.id, part.name, replayable_arguments(part.arguments), meta)
                )
            case ToolResult():
                parts.append(part)
    return tuple(parts)


def _pair_tool_calls(history: Sequence[Message]) -> list[Message]:
    """Put the one result of each call into the next message; drop results without a call."""
    taken: set[str] = set()
    paired: list[Message] = []
    for index, message in enumerate(history):
        if message.role is Role.TOOL:
            continue
        if message.role is Role.USER or not (calls := message.tool_calls):
            paired.append(message)
            continue
        renamed = with_unique_call_ids(message, taken, _derived_ids(calls, len(taken)).__next__)
        results: dict[str, ToolResult] = {}
        for following in takewhile(lambda each: each.role is Role.TOOL, history[index + 1 :]):
            for result in following.tool_results:
                results.setdefault(result.call_id, result)
        answers = tuple(
            replace(results[old.id], call_id=new.id)
            if old.id in results
            else ToolResult(new.id, new.name, INTERRUPTED, is_error=True)
            for old, new in zip(calls, renamed.tool_calls, strict=True)
        )
        paired += [renamed, Message(Role.TOOL, answers)]
    return paired


def _derived_ids(calls: Sequence[ToolCall], number: int) -> Iterator[str]:
    """Yield ids that are the same whenever the same history is prepared."""
    for each in count():
        seed = f"{number}:{each}:{[call.id for call in calls]}"
        yield "call_" + hashlib.sha256(seed.encode("utf-8", "replace")).hexdigest()[:24]


def _summary_turn(summary: str) -> tuple[Message, ...]:
    """Return the summary of older turns as a turn of its own."""
    if not summary:
        return ()
    header = Message(Role.USER, (Text(SUMMARY_HEADER + summary),))
    return header, Message(Role.ASSISTANT, (Text(SUMMARY_REPLY),))


def _fill_missing_answers(history: Sequence[Message]) -> tuple[Message, ...]:
    """Insert a placeholder for missing answers: some models require alternating roles."""
    answered: list[Message] = []
    for message in history:
        waiting = bool(answered) and answered[-1].role is not Role.ASSISTANT
        if message.role is Role.USER and waiting:
            answered.append(Message(Role.ASSISTANT, (Text(MISSING_ANSWER),)))
        answered.append(message)
    return tuple(answered)


class MessageHistory:
    """Messages of one turn: those of earlier turns that fit the window, and its own.

    `new` is the turn's list of what followed the user message, which grows. Each request
    extends the one before; only another origin or a shortened history rewrites it.
    Messages of the turn are never left out.
    """

    def __init__(
        self, stored: ModelHistory, window: ContextWindow, new: Sequence[Message] = ()
    ) -> None:
        messages = tuple(_own_texts(stored.messages))
        self.summary = stored.summary.text if stored.summary else ""
        """Summary sent before the messages; may be empty."""
        self.unfinished: Message | None = None
        """Paused message, which the model continues when it is sent back."""
        self._new = new
        self._current = next(turns_backwards(messages), ())
        """Message of the user in this turn, with whatever is stored after it."""
        self.older: Sequence[Message] = messages[: len(messages) - len(self._current)]
        """Messages of earlier turns; empty once they are left out."""
        room = window.tokens - sum(map(_size, _summary_turn(self.summary)))
        self._past: Sequence[Message] = (
            _apply_window(messages, replace(window, tokens=room), stored.before) if messages else ()
        )
        self._unsigned = 0

    def messages(self, origin: str) -> tuple[Message, ...]:
        """Return the messages to send to `origin`, as `provider:model`, oldest first.

        They open with a user message, each call has one result right after it, ids are
        valid and unique, and no message is empty.
        """
        new = [
            replace(message, origin=None) if place < self._unsigned else message
            for place, message in enumerate(self._new)
        ]
        if self.unfinished is not None:
            new.append(self.unfinished)
        paired = _pair_tool_calls(_visible([*self._past, *new], origin))
        return (*_summary_turn(self.summary), *_fill_missing_answers(paired))

    def shorten(self, summary: str = "") -> None:
        """Leave out all older turns, or replace them by a summary."""
        self.summary, self.older, self._past = summary, (), self._current
        # Thinking may be signed together with the messages before it.
        self._unsigned = len(self._new)
        if self.unfinished is not None:
            parts = _visible_parts(self.unfinished, own=False)
            self.unfinished = Message(Role.ASSISTANT, parts) if parts else None


async def shorten_history(
    scope: TurnScope, history: MessageHistory, error: ProviderError
) -> AsyncIterator[ToolStarted | HistoryTruncated]:
    """Replace older turns by a summary, or leave them out.

    The summary also replaces them in later turns. While it is generated, it is reported like
    a running tool.

    Raises:
        TurnStopped: The user stopped the turn.
    """
    started, older = time.perf_counter(), len(history.older)
    step_id, summary = scope.new_call_id(), None
    if older and scope.config.summarizer is not None:
        label = "Summarizing older messages…"
        yield ToolStarted(scope.turn_id, step_id, AgentStep.SUMMARY, label, "{}")
        material = conversation_text(history.older, history.summary)
        summary = await _summarize(scope, scope.config.summarizer, material)
    history.shorten(summary.text if summary else "")
    counted = format_count(older, "older message")
    if summary is not None:
        scope.writer.summary = summary
        name, label, data = AgentStep.SUMMARY, f"Summarized {counted}", summary.text
    else:
        what = counted if older else "the summary of older messages"
        name, label, data = AgentStep.OMISSION, f"Left out {what}", error.message
    step = TraceStep(
        call_id=step_id,
        name=name,
        summary=label,
        arguments=json.dumps({"messages": older}),
        result=ToolResponse(data).text(),
        status=StepStatus.SUCCESS,
        milliseconds=(time.perf_counter() - started) * 1000,
    )
    yield HistoryTruncated(scope.turn_id, step)


async def _summarize(scope: TurnScope, fallback: Fallback, material: str) -> Summary | None:
    """Return a summary of the older turns and the summary before them; None if that fails."""
    text, config = "", scope.config
    try:
        with scope.handle.interruptible():
            provider = await fallback.open()
        try:
            if not await is_budget_left(
                config.store, config.daily_budget_usd, provider, unstored=scope.writer.unstored_usd
            ):
                return None
            scope.writer.model_calls += 1
            request = single_request(SUMMARY_PROMPT, material)
            async for event in call_provider(scope, provider, request):
                if isinstance(event, Completed):
                    text = plain_text(event.message.text).strip()[:_MAX_SUMMARY_CHARACTERS]
        finally:
            await close_provider(provider)
    except TurnStopped:
        raise
    except Exception as error:
        _log.warning("older turns are left out, since no summary came: %s", error, exc_info=True)
        return None
    return Summary(text, origin_of(provider)) if text else None


def conversation_text(messages: Sequence[Message], summary: str = "") -> str:
    """Render a conversation for summarising, bounded in length."""
    lines = [line for message in messages for line in _lines(message)]
    text = "\n".join(lines)
    if len(text) > _MAX_HISTORY_CHARACTERS:
        text = f"…{text[-_MAX_HISTORY_CHARACTERS:]}"
    if not summary:
        return text
    return f"Summary of what came before:\n{summary}\n\nSince then:\n{text}"


def _lines(message: Message) -> Iterator[str]:
    speaker = "User" if message.role is Role.USER else "Assistant"
    for part in message.parts:
        match part:
            case Text() if part.text.strip():
                yield f"{speaker}: {shorten(part.text.strip(), _MAX_TEXT_CHARACTERS)}"
            case ToolCall():
                yield f"Tool call: {part.name} {shorten(part.arguments, _MAX_RESULT_CHARACTERS)}"
            case ToolResult():
                yield f"Tool result: {shorten(part.content, _MAX_RESULT_CHARACTERS)}"
            case _:
                continue
