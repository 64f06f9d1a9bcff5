"""Consent to send to a host, as it is remembered."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from tests.blank import blank
from todo_tui.domain.when import Clock
from todo_tui.store.store import Store, open_store

CLOCK = Clock("Europe/Berlin", datetime(2026, 11, 18, 14, 30))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return blank(tmp_path / "tasks.db")


def opened(path: Path, user: str = "ann") -> Store:
    return open_store(path, user=user, clock=CLOCK)


def test_consent_survives_a_restart_and_holds_for_that_host_port_and_user(path: Path) -> None:
    with opened(path) as store:
        store.consents.give("api.groq.com:443", "127.0.0.1:8080")
    with opened(path) as store:
        assert store.consents.covers("api.groq.com:443")
        assert store.consents.covers("127.0.0.1:8080")
        for other in ("api.groq.com:80", "127.0.0.1:8081", "127.0.0.1:80", "groq.com:443", ""):
            assert not store.consents.covers(other)
    with opened(path, "bob") as store:
        assert not store.consents.covers("api.groq.com:443")
