"""Built-in assistant: a provider that answers by rules, through the same agent loop as a model."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from todo_tui.domain.messages import (
    Completed,
    Decider,
    Message,
    Request,
    Role,
    StopReason,
    StreamEvent,
    Text,
    TextDelta,
    ToolCall,
    ToolCallStarted,
    ToolMode,
)
from todo_tui.domain.text import plain_text
from todo_tui.domain.when import DateStyle, NewId, random_id
from todo_tui.providers.offline import replies as wording
from todo_tui.providers.offline.dates import Dates
from todo_tui.providers.offline.dialogue import Dialogue, Round, read_dialogue
from todo_tui.providers.offline.grammar import grammar_at
from todo_tui.providers.offline.planner import respond
from todo_tui.providers.offline.session import Session
from todo_tui.providers.offline.tool_results import Call, Seen, outcome_of
from todo_tui.providers.offline.words import hide_quoted

MODEL = "rules"

_CHUNK = re.compile(r"\S+\s*(?:\S+\s*){0,2}|\s+")

LONGEST_MESSAGE = 2_000
"""Characters of a message that is read; a longer one is declined as a whole, and unread.

Some rules take time that grows with the square of it: half a second at this length.
"""

_TOO_LONG = (
    "Your message is too long for the built-in assistant ({length:,} of "
    f"{LONGEST_MESSAGE:,} characters). Nothing was changed. "
    "Send it in parts, or connect a model with Ctrl+T."
)

_STOPPED = "I had to stop here: this turn may call no more tools."

_ELSEWHERE = "The tools have answered. Ask me anything about your list."


@dataclass(frozen=True, slots=True)
class BuiltInAssistant:
    """Understands plain English about to-dos; works offline and sends nothing anywhere."""

    new_id: NewId = random_id
    id: str = "offline"
    model: str = MODEL
    local: bool = True

    async def stream(self, request: Request) -> AsyncIterator[StreamEvent]:
        """Answer with words or with tool calls; never fails."""
        dialogue = read_dialogue(request.messages)
        session = _session(dialogue)
        calls: tuple[Call, ...] = ()
        if len(dialogue.text) > LONGEST_MESSAGE:
            session.speech.say(_TOO_LONG.format(length=len(dialogue.text)))
        else:
            calls = _next_calls(session, dialogue)
        if calls and _may_call(request, calls):
            parts = tuple(
                ToolCall(f"call_{self.new_id()[:24]}", call.name, call.text()) for call in calls
            )
            for part in parts:
                yield ToolCallStarted(part.name)
            yield Completed(
                self._message(parts), StopReason.TOOL_CALLS, decided_by=_decider(session, calls)
            )
            return
        if calls:
            session.speech.say(_STOPPED)
        text = session.speech.text or wording.DECLINE
        for chunk in chunks(text):
            yield TextDelta(chunk)
        yield Completed(self._message((Text(text, session.speech.meta()),)), StopReason.END)

    async def aclose(self) -> None:
        """There is nothing to close."""

    def _message(self, parts: tuple[Text, ...] | tuple[ToolCall, ...]) -> Message:
        return Message(Role.ASSISTANT, parts, origin=f"{self.id}:{self.model}")


def chunks(text: str) -> Iterator[str]:
    """A text in pieces of up to three words; joined, they are the text."""
    yield from _CHUNK.findall(text)


def _session(dialogue: Dialogue) -> Session:
    context = dialogue.context
    now = context.now if context else datetime.now()
    text = dialogue.text if len(dialogue.text) <= LONGEST_MESSAGE else ""
    dates = Dates(now, context.date_style if context else DateStyle())
    return Session(
        dates=dates,
        grammar=grammar_at(dates),
        past=dialogue.past,
        quoted=hide_quoted(plain_text(text)),
        selection=tuple(Seen(*pair) for pair in context.selection) if context else (),
        focus=dialogue.past.focus,
        overdue=context.overdue_tasks if context else 0,
    )


def _next_calls(session: Session, dialogue: Dialogue) -> tuple[Call, ...]:
    """Run the plan through the rounds that are over; what it asks for next, if anything."""
    plan = respond(session)
    try:
        calls = next(plan)
        for past in dialogue.rounds:
            if not _same(calls, past):
                session.speech.say(_ELSEWHERE)
                return ()
            results = {result.call_id: result for result in past.results.tool_results}
            outcomes = tuple(
                outcome_of(results[call.id])
                for call in past.message.tool_calls
                if call.id in results
            )
            if len(outcomes) != len(calls):
                session.speech.say(_ELSEWHERE)
                return ()
            calls = plan.send(outcomes)
    except StopIteration:
        return ()
    return calls


def _decider(session: Session, calls: Sequence[Call]) -> Decider:
    """Return who decided on the calls: nobody is asked a second time about an answer."""
    by_person = session.approved or all(call.ordered for call in calls)
    return Decider.PERSON if by_person else Decider.RULES


def _same(calls: Sequence[Call], past: Round) -> bool:
    """Return True if a round of the request is the one that the plan asked for."""
    asked = [(call.name, call.arguments) for call in past.message.tool_calls]
    return asked == [(call.name, call.text()) for call in calls]


def _may_call(request: Request, calls: Sequence[Call]) -> bool:
    offered = {tool.name for tool in request.tools}
    refused = request.tool_choice is ToolMode.NONE
    return not refused and all(call.name in offered for call in calls)
