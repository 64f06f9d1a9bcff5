"""One message of the model: asked for, and asked for again where that may help."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from todo_tui.agent.budget import afford, warn
from todo_tui.agent.call_limits import within_limits
from todo_tui.agent.host_consent import ask_consent
from todo_tui.agent.model_call import call_model
from todo_tui.agent.recovering import recover
from todo_tui.agent.turn import Turn
from todo_tui.domain.conversation import Message, Role, Text, ToolCall
from todo_tui.domain.errors import ConsentNeeded, ProviderError
from todo_tui.domain.request import Completed, Decider, StopReason, ToolMode

STEPS_USED_UP = (
    "I stopped here: this took more steps than one turn may have. What was done so far stands."
)
REPEATED_ITSELF = "I stopped here: the model repeated the same step. Completed changes were kept."
NOTHING_SAID = "The model gave no answer. Please ask again, or in other words."
NOTHING_ADDED = "The model ran the steps above and added no words."
NOTHING_FITTED = "The model reached its length limit before it said anything. Ask for less at once."
CUT_OFF = "(The answer was cut off at the model's length limit.)"


@dataclass(frozen=True, slots=True)
class Reply:
    """What the model answered.

    `cut` where its length limit ended the message, `unfinished` where it goes on when
    it is asked again.
    """

    message: Message
    cut: bool = False
    unfinished: bool = False
    decided_by: Decider = Decider.MODEL
    refused: Mapping[str, str] = field(default_factory=dict)
    """Why a call may not run, by its id."""


async def ask(turn: Turn, *, last: bool) -> Reply:
    """Ask the model once more, and again as long as something may help.

    With `last` the tools are refused, so that the turn ends in a summary.

    Raises:
        TodoError: there is no complete answer, it may cost no more, or nothing may be sent.
        TurnStopped: the person stopped the turn.
    """
    turn.model_calls += 1
    mode = ToolMode.NONE if last else ToolMode.AUTO
    attempt = 1
    while True:
        await afford(turn)
        provider = turn.cast.provider
        turn.speech.expect(provider)
        try:
            completed = await call_model(turn, provider, turn.request(mode), turn.speech.hear)
        except ConsentNeeded as needed:
            await ask_consent(turn, needed)
            continue
        except ProviderError as error:
            attempt = await recover(turn, attempt, error)
            continue
        reply = _reply(turn, completed, last=last)
        await warn(turn)
        return reply


def _reply(turn: Turn, completed: Completed, *, last: bool) -> Reply:
    """Take the message into the turn, as it counts."""
    message = turn.dialogue.continued(completed.message)
    if completed.stop is StopReason.PAUSED and not (last or message.tool_calls):
        turn.dialogue.hold(message)
        turn.speech.hold(message.text)
        return Reply(message, unfinished=True)
    cut = completed.stop is StopReason.LENGTH
    ended = REPEATED_ITSELF if turn.repeats.is_stuck else STEPS_USED_UP
    message = _as_it_counts(message, cut=cut, ended=ended if last else "", worked=turn.worked)
    turn.speech.settle(message.text)
    turn.report_usage()
    message, reasons = within_limits(message)
    own = turn.heard(message)
    refused = {call.id: why for call, why in zip(own.tool_calls, reasons, strict=True) if why}
    return Reply(own, cut=cut, decided_by=completed.decided_by, refused=refused)


def _as_it_counts(message: Message, *, cut: bool, ended: str, worked: bool) -> Message:
    """The message with words where it would be empty, and without refused calls.

    `ended` says why it was the last one, where its calls are refused.
    """
    if ended:
        parts = tuple(part for part in message.parts if not isinstance(part, ToolCall))
        message = replace(message, parts=parts)
    if message.tool_calls:
        return message
    if not message.text.strip():
        words = NOTHING_FITTED if cut else NOTHING_ADDED if worked else NOTHING_SAID
        added = Text(ended or words)
        return Message(Role.ASSISTANT, (*message.parts, added), message.origin)
    if cut:
        return replace(message, parts=(*message.parts, Text(f"\n\n{CUT_OFF}")))
    return message
