"""The dated remarks of a task: added, reworded, taken out."""

from __future__ import annotations

from todo_tui.domain.errors import Conflict, ValidationError
from todo_tui.domain.task import Annotation
from todo_tui.store.fields import clean_notes
from todo_tui.store.rows import annotations_from_text, annotations_text
from todo_tui.store.task_records import Record
from todo_tui.store.writing import TaskWriting


def add_remark(writing: TaskWriting, record: Record, text: str) -> None:
    """Add a remark, dated now.

    Raises:
        ValidationError: it is empty or too long.
    """
    _write(writing, record, (*_remarks(record), Annotation(writing.log.now, _clean(text))))


def reword(writing: TaskWriting, record: Record, remark: Annotation, text: str) -> None:
    """Give a remark other words; its date stays.

    Raises:
        ValidationError: they are empty or too long.
        Conflict: the task has no such remark any more.
    """
    present = _remarks(record)
    place = _place_of(record, present, remark)
    reworded = Annotation(remark.at, _clean(text))
    _write(writing, record, (*present[:place], reworded, *present[place + 1 :]))


def remove(writing: TaskWriting, record: Record, remark: Annotation) -> None:
    """Take a remark out.

    Raises:
        Conflict: the task has no such remark any more.
    """
    present = _remarks(record)
    place = _place_of(record, present, remark)
    _write(writing, record, (*present[:place], *present[place + 1 :]))


def _remarks(record: Record) -> tuple[Annotation, ...]:
    return annotations_from_text(record.columns["annotations"] or "[]")


def _write(writing: TaskWriting, record: Record, remarks: tuple[Annotation, ...]) -> None:
    writing.change(record, {"annotations": annotations_text(remarks)})


def _place_of(record: Record, present: tuple[Annotation, ...], remark: Annotation) -> int:
    if remark not in present:
        raise Conflict(
            f"That remark of #{record.id} was changed or removed meanwhile.",
            hint="Look at the task again.",
        )
    return present.index(remark)


def _clean(text: str) -> str:
    cleaned = clean_notes(text, "remark").strip()
    if not cleaned:
        raise ValidationError("A remark needs some words.")
    return cleaned
