"""Annotations of a task: added, edited and deleted one by one."""

from __future__ import annotations

import pytest

from tests.store.opened import add, user_context
from todo_tui.domain.errors import Conflict, NotFound, ValidationError
from todo_tui.store.store import Store


def texts(store: Store) -> list[str]:
    return [annotation.text for annotation in store.tasks.get(1).annotations]


def test_an_annotation_is_edited_and_deleted_and_each_is_undone(store: Store) -> None:
    add(store, "a")
    for text in ("one", "two", "two"):
        store.tasks.annotate(1, text, by=user_context(store))
    first, second, _ = store.tasks.get(1).annotations
    edited = store.tasks.annotate(1, "uno", present=first, by=user_context(store))
    assert [annotation.text for annotation in edited.annotations] == ["uno", "two", "two"]
    assert edited.annotations[0].at == first.at
    store.tasks.annotate(1, None, present=second, by=user_context(store))
    assert texts(store) == ["uno", "two"]
    for expected in (["uno", "two", "two"], ["one", "two", "two"], ["one", "two"]):
        store.tasks.undo(by=user_context(store))
        assert texts(store) == expected


def test_an_annotation_that_is_gone_is_a_conflict(store: Store) -> None:
    add(store, "a")
    (annotation,) = store.tasks.annotate(1, "one", by=user_context(store)).annotations
    store.tasks.annotate(1, None, present=annotation, by=user_context(store))
    with pytest.raises(Conflict, match="changed or was removed"):
        store.tasks.annotate(1, None, present=annotation, by=user_context(store))
    with pytest.raises(Conflict, match="changed or was removed"):
        store.tasks.annotate(1, "x", present=annotation, by=user_context(store))


def test_an_annotation_needs_some_words_and_not_too_many(store: Store) -> None:
    add(store, "a")
    (annotation,) = store.tasks.annotate(1, "one", by=user_context(store)).annotations
    for text in ("", " \n", "x" * 1_000_001):
        with pytest.raises(ValidationError):
            store.tasks.annotate(1, text, by=user_context(store))
        with pytest.raises(ValidationError):
            store.tasks.annotate(1, text, present=annotation, by=user_context(store))
    assert texts(store) == ["one"]


def test_remarks_belong_to_tasks_outside_the_trash(store: Store) -> None:
    add(store, "a")
    (annotation,) = store.tasks.annotate(1, "one", by=user_context(store)).annotations
    store.tasks.delete([1], by=user_context(store))
    with pytest.raises(Conflict):
        store.tasks.annotate(1, "two", by=user_context(store))
    with pytest.raises(Conflict):
        store.tasks.annotate(1, None, present=annotation, by=user_context(store))
    with pytest.raises(NotFound):
        store.tasks.annotate(9, "two", by=user_context(store))
