"""A conversation as Markdown and as JSON: the turns of its active branch."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from todo_tui.domain.errors import TodoError
from todo_tui.domain.events import StepStatus, TraceStep, step_to_json, usage_to_json
from todo_tui.domain.messages import Message, TurnStatus
from todo_tui.domain.private_writing import open_new_file
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import plain_line, plain_text
from todo_tui.store.conversations.branch_queries import ALL
from todo_tui.store.conversations.records import (
    Conversation,
    ConversationEntry,
    ConversationMatch,
    TurnRecord,
)

if TYPE_CHECKING:
    from todo_tui.store.store import Store

ModelLabel = Callable[[str, str], str]
"""Returns the name on screen of a provider's model, `Groq · gpt-oss-120b`, by their ids."""
_SIGNS = {StepStatus.SUCCESS: "✓", StepStatus.ERROR: "✗", StepStatus.INTERRUPTED: "–"}
_ENDS = {
    TurnStatus.RUNNING: "Running.",
    TurnStatus.CANCELLED: "Stopped.",
    TurnStatus.INTERRUPTED: "Interrupted.",
}


def write_markdown(
    conversation: Conversation, turns: Iterable[TurnRecord], zone: str, model_label: ModelLabel
) -> Iterator[str]:
    """Yield the lines of a Markdown document; messages of the user are quotations."""
    yield f"# {plain_line(conversation.title)}\n"
    for turn in turns:
        at = f"{turn.started_at.astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M}"
        yield f"\n## You · {at}\n\n"
        for line in plain_text(turn.user_text).splitlines():
            yield f"> {line}".rstrip() + "\n"
        yield f"\n## {plain_line(model_label(turn.provider, turn.model))}\n\n"
        above: Message | TraceStep | None = None
        for block in turn.shown_blocks:
            # Steps in a row are one list; anything else is a paragraph of its own.
            if above is not None and (isinstance(block, Message) or isinstance(above, Message)):
                yield "\n"
            if isinstance(block, Message):
                yield plain_text(block.text_beside_steps).rstrip() + "\n"
            else:
                yield f"- {step_line(block)}\n"
            above = block
        if end := end_line(turn):
            yield f"\n*{end}*\n"
        if turn.undone:
            yield "\n*Changes undone.*\n"


def export_to_file(
    store: Store, conversation: Conversation, model_label: ModelLabel, target: str = ""
) -> Path:
    """Write the conversation as Markdown to a new file for its owner alone; return the full path.

    `target` is a file, or the folder for one named after the title; by default the current one.

    Raises:
        TodoError: it cannot be read, the file exists, or none can be written there.
    """
    wanted = Path.cwd() / Path(target).expanduser()
    turns = store.turns.list(conversation.id, limit=ALL)
    lines = "".join(write_markdown(conversation, turns, store.clock.zone, model_label))
    words = "".join(each if each.isalnum() else " " for each in conversation.title).split()
    name = "-".join(words)[:60] or "conversation"
    for number in count(1):
        try:
            path = wanted
            if wanted.is_dir():
                path = wanted / f"{name}{f'-{number}' if number > 1 else ''}.md"
            with os.fdopen(open_new_file(path), "w", encoding="utf-8") as file:
                file.write(lines)
        except FileExistsError as error:
            if path is wanted:
                raise TodoError(f"{path} exists.", hint="Choose another name.") from error
            continue
        except OSError as error:
            missing = "" if path.parent.is_dir() else f"There is no folder {path.parent}. "
            raise TodoError(
                f"Cannot write {path}: {error.strerror or error}.",
                hint=f"{missing}Choose another place.",
            ) from error
        break
    return path


def step_line(step: TraceStep) -> str:
    """Return the line of a step of the trace: `✓ Added Buy milk`."""
    return f"{_SIGNS[step.status]} {plain_line(step.summary)}"


def end_line(turn: TurnRecord) -> str:
    """Return how a turn ended that did not finish; empty if it did."""
    if turn.error is not None:
        return f"Failed: {plain_line(turn.error.message)}"
    return _ENDS.get(turn.status, "")


def conversation_to_json(
    conversation: Conversation, turns: Sequence[TurnRecord]
) -> dict[str, JsonValue]:
    """Return the object of a conversation with its turns, oldest first."""
    return {**_head(conversation), "turns": [_turn_to_json(turn) for turn in turns]}


def entry_to_json(entry: ConversationEntry) -> dict[str, JsonValue]:
    """Return the object of a listed conversation; the cost leaves out `unpriced_calls`."""
    return {
        **_head(entry),
        "last_words": entry.last_words,
        "provider": entry.provider or None,
        "model": entry.model or None,
        "turns": entry.turns,
        "usage": usage_to_json(entry.usage.usage),
        "cost_usd": entry.usage.cost_usd,
        "unpriced_calls": entry.usage.unpriced_calls,
    }


def match_to_json(match: ConversationMatch) -> dict[str, JsonValue]:
    """Return the object of a conversation that was found, with the matching line."""
    start, end = match.span
    place: JsonValue = {"line": match.line, "start": start, "end": end, "turn_id": match.turn_id}
    return {**entry_to_json(match.conversation), "match": place}


def _head(conversation: Conversation) -> dict[str, JsonValue]:
    return {
        "id": conversation.id,
        "title": conversation.title,
        "pinned": conversation.pinned,
        "created_at": conversation.created_at.isoformat(),
        "updated_at": conversation.updated_at.isoformat(),
    }


def _turn_to_json(turn: TurnRecord) -> dict[str, JsonValue]:
    error: JsonValue = None
    if turn.error is not None:
        error = {"kind": turn.error.kind, "message": turn.error.message}
    return {
        "turn_id": turn.id,
        "started_at": turn.started_at.isoformat(),
        "user": turn.user_text,
        "answer": turn.answer,
        "trace": [step_to_json(step) for step in turn.steps],
        "status": turn.status.value,
        "error": error,
        "provider": turn.provider or None,
        "model": turn.model or None,
        "usage": usage_to_json(turn.usage),
        "cost_usd": turn.cost_usd,
        "latency_ms": None if turn.latency_ms is None else round(turn.latency_ms, 1),
        "model_calls": turn.model_calls,
        "quality_score": turn.quality_score,
        "branch": turn.branch,
        "branches": turn.branches,
    }
