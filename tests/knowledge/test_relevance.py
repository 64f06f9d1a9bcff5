"""Whether the right passage is found, over documents of daily life."""

from __future__ import annotations

from pathlib import Path

from tests.knowledge.relevance import add_documents, questions, right_among_first
from todo_tui.store.store import Store


def test_the_right_passage_is_among_the_first_five(store: Store, folder: Path) -> None:
    add_documents(store.knowledge, folder)
    asked = questions()
    assert (len(store.knowledge.list()), len(asked), len(questions("~ "))) == (50, 100, 100)
    assert right_among_first(store.knowledge, asked) >= 95


def test_each_question_has_one_right_passage(store: Store, folder: Path) -> None:
    add_documents(store.knowledge, folder)
    passages = [
        passage
        for document in store.knowledge.list()
        for passage in store.knowledge.passages(document.id)
    ]
    for question in (*questions(), *questions("~ ")):
        assert sum(map(question.is_answered_by, passages)) == 1, question
