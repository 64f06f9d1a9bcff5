"""A past that is too long for its model: summed up by a cheaper one, or left out."""

from __future__ import annotations

import asyncio
import json
import time

from todo_tui.agent.summarising import summed_up
from todo_tui.agent.turn import Turn
from todo_tui.domain.errors import ProviderError, ProviderErrorKind
from todo_tui.domain.events import HistoryShortened, StepStatus, ToolStarted, TraceStep
from todo_tui.domain.task import JsonValue
from todo_tui.tools.response import ToolResponse

SUMMARISE = "summarise"
LEAVE_OUT = "leave_out"


async def shorten(turn: Turn, error: ProviderError) -> bool:
    """Send less of the past from now on; False where there is none left to send.

    A summary stands in the place of older turns for all turns to come, unless it turns
    out that the request was not too long after all. While it is written, it is reported
    like a tool that runs.

    Raises:
        TurnStopped: the person stopped the turn.
    """
    dialogue, began = turn.dialogue, time.perf_counter()
    older, had_summary = len(dialogue.older), bool(dialogue.earlier)
    if not (older or had_summary):
        return False
    step_id, summary = turn.fresh_id(), None
    if older and turn.desk.compact is not None:
        turn.emit(ToolStarted(turn.id, step_id, SUMMARISE, "Summing up older messages…", "{}"))
        summary = await summed_up(turn, turn.desk.compact)
    await asyncio.to_thread(dialogue.shorten, summary.text if summary else "")
    if summary is not None:
        certain = error.kind is ProviderErrorKind.CONTEXT_TOO_LONG
        turn.ledger.propose_summary(summary, certain=certain)
        name, words, data = SUMMARISE, f"Summed up {_messages(older)}", summary.text
    else:
        what = _messages(older) if older else "the summary of older messages"
        name, words, data = LEAVE_OUT, f"Left out {what}", error.message
    arguments: dict[str, JsonValue] = {"messages": older}
    step = TraceStep(
        call_id=step_id,
        name=name,
        summary=words,
        arguments=json.dumps(arguments),
        result=ToolResponse(data).text(),
        status=StepStatus.SUCCESS,
        milliseconds=(time.perf_counter() - began) * 1000,
    )
    turn.note([step])
    turn.emit(HistoryShortened(turn.id, step))
    return True


def _messages(count: int) -> str:
    return f"{count:,} older message{'' if count == 1 else 's'}"
