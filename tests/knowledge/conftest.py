"""Fixtures of the tests of documents."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.blank import blank
from tests.store.opened import opened
from todo_tui.knowledge.reader import DocumentReader
from todo_tui.store.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with opened(blank(tmp_path / "data" / "todo.db")) as store:
        yield store


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder for documents."""
    path = tmp_path / "documents"
    path.mkdir()
    return path


@pytest.fixture(scope="module")
def reader() -> Iterator[DocumentReader]:
    with DocumentReader() as reader:
        yield reader
