"""Final answer of a turn: what is added to the model's last message, or said in its place.

| the last message | has text | has none |
|---|---|---|
| reached the step limit | STEP_LIMIT_NOTE below | STEP_LIMIT_REACHED |
| follows calls that repeat | nothing | REPEATED_ITSELF |
| was cut off | CUT_OFF_NOTE below | LENGTH_LIMIT_BEFORE_ANSWER |
| is any other | nothing | its thinking, else EMPTY_ANSWER or EMPTY_ANSWER_AFTER_TOOLS |
"""

from dataclasses import dataclass, replace

from todo_tui.domain.messages import Message, Text, ToolCall

SUM_UP = (
    "The limit of model calls for this message is reached, so no more tools can be called. "
    "Sum up for the user which steps were done and which are open."
)
"""Said to the model with the result before its last message."""
STEP_LIMIT_REACHED = (
    "I stopped here: the limit of model calls per message (`limits.max_iterations`) is reached."
)
STEP_LIMIT_NOTE = (
    "(The limit of model calls per message, `limits.max_iterations`, was reached. "
    "Send “continue” to go on.)"
)
REPEATED_ITSELF = "I stopped here: the model repeated the same step."
CHANGES_KEPT = " Completed changes were kept."
EMPTY_ANSWER = "The model gave no answer. Try again, or rephrase the message."
EMPTY_ANSWER_AFTER_TOOLS = "The model completed the steps above without a comment."
LENGTH_LIMIT_BEFORE_ANSWER = (
    "The model reached its length limit before answering. Ask for less at once."
)
ONLY_THINKING_NOTE = "(The model answered only in its thinking.)"
CUT_OFF_NOTE = "(The answer was cut off at the model's length limit.)"


@dataclass(frozen=True, slots=True)
class LastRound:
    """Model call that is offered no tools: the last one allowed, or one after repeated calls."""

    reaches_limit: bool
    """True if tools were called before the last one that the limit allows."""
    repeats_itself: bool


def complete_answer(
    message: Message,
    last_round: LastRound | None,
    *,
    is_cut: bool,
    has_used_tools: bool,
    has_changes: bool,
) -> Message:
    """Return the message without calls in the last round, and with text if it has no calls."""
    if last_round is not None:
        kept = tuple(part for part in message.parts if not isinstance(part, ToolCall))
        message = replace(message, parts=kept)
    if message.tool_calls:
        return message
    if message.text.strip():
        notes = [CUT_OFF_NOTE] if is_cut else []
        notes += [STEP_LIMIT_NOTE] if last_round is not None and last_round.reaches_limit else []
        text = "".join(f"\n\n{note}" for note in notes)
    elif last_round is not None:
        text = REPEATED_ITSELF if last_round.repeats_itself else STEP_LIMIT_REACHED
        text += CHANGES_KEPT if has_changes else ""
    elif is_cut:
        text = LENGTH_LIMIT_BEFORE_ANSWER
    elif thinking := message.thinking.strip():
        text = f"{ONLY_THINKING_NOTE}\n\n{thinking}"
    else:
        text = EMPTY_ANSWER_AFTER_TOOLS if has_used_tools else EMPTY_ANSWER
    return replace(message, parts=(*message.parts, Text(text))) if text else message


def without_notes(answer: str) -> str:
    """Return an answer without the notes that were added below it."""
    for note in (STEP_LIMIT_NOTE, CUT_OFF_NOTE):
        answer = answer.removesuffix(f"\n\n{note}")
    return answer
