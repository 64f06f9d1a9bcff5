"""The tools undo and redo."""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from functools import partial
from zoneinfo import ZoneInfo

from todo_tui.domain.change_text import describe_undone
from todo_tui.domain.changes import (
    ChangeKind,
    FieldConflict,
    TaskChange,
    UndoReport,
    name_fields,
)
from todo_tui.domain.dates.text import format_day, format_when
from todo_tui.domain.errors import Conflict, NotFound, Unauthorized
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import listed_count
from todo_tui.domain.when import When
from todo_tui.store.store import Store
from todo_tui.store.tasks.results import UndoPreview
from todo_tui.tools.base import OwnBatches, ToolContext, ToolPreview, ToolResponse, tool
from todo_tui.tools.task_data import summary_title, tasks_data

_MAX_SENTENCES = 3
_MAX_TASKS = 50


def preview_revert(
    store: Store,
    turn_id: str,
    _: Mapping[str, object],
    _asked_at: datetime | None = None,
    *,
    redo: bool,
    after: int = 0,
) -> ToolPreview:
    """Return what an undo or redo would change that follows `after` others.

    Raises:
        NotFound: There is nothing to undo or redo.
    """
    preview = store.preview_undo(turn_id, redo=redo, after=after)
    if preview is None:
        raise NotFound(f"Nothing to {'redo' if redo else 'undo'}.")
    return ToolPreview(tuple(task_id for task_id, _, _ in preview.tasks), undo=preview)


@tool(
    "Undoing the last change…",
    question="Undo the last change?",
    preview=partial(preview_revert, redo=False),
)
def undo(context: ToolContext) -> ToolResponse:
    """Take back the last change; repeated, go further back."""
    return _revert(context, redo=False)


@tool(
    "Redoing the last change…",
    question="Redo the last change?",
    preview=partial(preview_revert, redo=True),
)
def redo(context: ToolContext) -> ToolResponse:
    """Bring back what was undone last."""
    return _revert(context, redo=True)


def _revert(context: ToolContext, *, redo: bool) -> ToolResponse:
    """Undo or redo the next batch, if the conversation may touch it or the user approved it."""
    name, store = "redo" if redo else "undo", context.store
    if context.own is not None:
        return _answer(context, _revert_own(context, context.own, redo=redo), redo=redo)
    preview = store.preview_undo(context.batch.shared().turn_id, redo=redo)
    if preview is None:
        raise NotFound(f"Nothing to {name}.")
    if not preview.is_expected and context.approved_batch != preview.batch:
        raise Unauthorized(
            f"Nothing was {name}ne: the last change was made {made_words(store, preview)}.",
            hint=f"Run todo-tui {name} to {name} it.",
        )
    revert = store.tasks.redo if redo else store.tasks.undo
    report = revert(by=context.batch.separate(), only=preview.batch)
    return _answer(context, report, redo=redo)


def _revert_own(context: ToolContext, own: OwnBatches, *, redo: bool) -> UndoReport:
    """Undo the last batch of an agent, or its last undo, whatever others changed since.

    A batch is passed over if it was undone, or later changes leave nothing to undo; if there is no
    other, the report has the conflicts alone.
    """
    conflicts: dict[FieldConflict, None] = {}
    for batch in reversed(own.undos if redo else own.changes):
        by = context.batch.separate()
        report = context.store.tasks.undo_batch(batch, by=by)
        if report.changes:
            if not redo:
                own.undos.append(by.batch)
            return report
        conflicts |= dict.fromkeys(report.conflicts)
    if conflicts:
        return UndoReport(conflicts=tuple(conflicts))
    raise NotFound(f"Nothing to {'redo' if redo else 'undo'} in this session.")


def _answer(context: ToolContext, report: UndoReport, *, redo: bool) -> ToolResponse:
    if not report.changes and not report.conflicts:
        raise Conflict("Nothing was changed: the tasks changed since.")
    shown = report.changes[:_MAX_TASKS]
    described = tasks_data(context, [change.task for change in shown])
    changes: list[JsonValue] = [
        {"change": change.kind.value, "task": task, **_earlier_state(report, change)}
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
                "message": f"Not {'redone' if redo else 'undone'}: the field changed since.",
            }
            for conflict in report.conflicts
        ]
    verb = "Redid" if redo else "Undid"
    did = f"{verb} the last change" if report.changes else "Nothing was changed"
    return ToolResponse(data, f"{did}: {_sentence(context.store, report, redo=redo)}")


def _earlier_state(report: UndoReport, change: TaskChange) -> dict[str, JsonValue]:
    """Return the status before, which tells a completion that was undone from a cancellation."""
    before, _ = report.values.get(change.task.id, {}).get("status", (None, None))
    return {"was": before} if before else {}


def made_words(store: Store, preview: UndoPreview) -> str:
    """Return time and origin of a batch: `today 14:20 from the shell`."""
    at = When.of(preview.at.astimezone(ZoneInfo(store.clock.zone)))
    return f"{format_when(at, store.clock.now())} {preview.origin.value}"


def _sentence(store: Store, report: UndoReport, *, redo: bool) -> str:
    phrases, now = [], store.clock.now()
    titles = Counter(change.task.title for change in report.changes)
    named = listed_count(len(report.changes), _MAX_SENTENCES)
    for change in report.changes[:named]:
        title, due = summary_title(change.task), change.task.due_in(store.clock.zone)
        if titles[change.task.title] > 1 and due is not None:
            # Occurrences of one recurring task.
            title += f" of {format_day(due.day, now.date())}"
        phrase = f"{report.inverted_word(change, redo=redo)} {title}"
        fields = report.fields.get(change.task.id, ())
        if change.kind is ChangeKind.UPDATED:
            values = describe_undone(report, change.task.id, now, redo=redo)
            what = name_fields(fields)
            phrase = f"{title} · {values}" if values else f"{what} of {title}" if what else phrase
        phrases.append(phrase)
    if more := len(report.changes) - named:
        phrases.append(f"{more} more")
    if left := len(report.named_conflicts):
        phrases.append(f"{left} not {'redone' if redo else 'undone'}, changed since")
    return ", ".join(phrases)
