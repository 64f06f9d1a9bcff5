"""The tools that take a change back, and bring it back again."""

from __future__ import annotations

from collections.abc import Mapping

from todo_tui.domain.changes import ChangeKind, UndoReport
from todo_tui.domain.errors import NotFound
from todo_tui.domain.task import JsonValue
from todo_tui.tools.base import Answer, ToolContext, tool
from todo_tui.tools.task_data import tasks_data, title_of

_SHOWN = 3
_LISTED = 50
_UNDONE = {
    ChangeKind.ADDED: "is back",
    ChangeKind.UPDATED: "is as it was",
    ChangeKind.COMPLETED: "is done again",
    ChangeKind.REOPENED: "is open again",
    ChangeKind.DELETED: "is removed",
    ChangeKind.RESTORED: "is back",
    ChangeKind.PURGED: "is gone",
}
_REDONE = {**_UNDONE, ChangeKind.UPDATED: "is changed again", ChangeKind.DELETED: "is gone again"}


@tool("Undoing the last change…")
def undo(context: ToolContext) -> Answer:
    """Take back the last change, whoever made it; repeated, go further back."""
    report = context.store.tasks.undo(by=context.batch.alone())
    if _is_empty(report):
        raise NotFound("There is nothing to undo.")
    return _answer(context, report, "Undid", _UNDONE)


@tool("Redoing the last change…")
def redo(context: ToolContext) -> Answer:
    """Bring back what was undone last."""
    report = context.store.tasks.redo(by=context.batch.alone())
    if _is_empty(report):
        raise NotFound("There is nothing to redo.")
    return _answer(context, report, "Redid", _REDONE)


def _is_empty(report: UndoReport) -> bool:
    return not report.changes and not report.conflicts


def _answer(
    context: ToolContext, report: UndoReport, verb: str, words: Mapping[ChangeKind, str]
) -> Answer:
    shown = report.changes[:_LISTED]
    described = tasks_data(context, [change.task for change in shown], among_others=len(shown) > 1)
    changes: list[JsonValue] = [
        {"change": change.kind.value, "task": task}
        for change, task in zip(shown, described, strict=True)
    ]
    data: dict[str, JsonValue] = {"changes": changes, "total": len(report.changes)}
    if len(shown) < len(report.changes):
        data["cut"] = f"{len(shown):,} of {len(report.changes):,}"
    if report.conflicts:
        data["conflicts"] = [
            {
                "id": conflict.task_id,
                "title": conflict.title,
                "field": conflict.field,
                "message": "It was changed since and was left as it is.",
            }
            for conflict in report.conflicts
        ]
    return Answer(data, f"{verb} the last change: {_sentence(report, words)}")


def _sentence(report: UndoReport, words: Mapping[ChangeKind, str]) -> str:
    phrases = [
        f"{title_of(change.task)} {words[change.kind]}" for change in report.changes[:_SHOWN]
    ]
    if len(report.changes) > _SHOWN:
        phrases.append(f"{len(report.changes) - _SHOWN} more")
    if report.conflicts:
        phrases.append(f"{len(report.conflicts)} left alone, changed since")
    return ", ".join(phrases)
