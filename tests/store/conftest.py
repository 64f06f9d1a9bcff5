"""Fixtures of the store's tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.blank import blank
from tests.store.opened import opened
from todo_tui.store.store import Store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "todo.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with opened(blank(path)) as store:
        yield store
