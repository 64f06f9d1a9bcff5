"""Token commands: their output, and the lifetime of tokens."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from todo_tui.domain.errors import Unauthorized
from todo_tui.providers.credentials import Credential

HOUR = 3600.0


def printing(text: str, folder: Path, *, now: list[float]) -> Credential:
    """Return a credential whose command prints that, with its number of runs in place of `%`."""
    script = folder / "token"
    (folder / "text").write_text(text)
    script.write_text(
        f"#!/bin/sh\ncd '{folder}'; echo >> runs; sed \"s/%/$(grep -c '' runs)/\" text\n"
    )
    script.chmod(0o755)
    return Credential(command=(str(script),), clock=lambda: now[0])


@pytest.mark.parametrize(
    ("printed", "seconds"),
    [
        ("tok-%", None),
        ("tok-%\r\n", None),
        ('{"access_token": "tok-%"}', None),
        ('{"token": "tok-%", "expires_in": null}', None),
        ('{"token": "tok-%", "expires_in": "soon", "expires_on": []}', None),
        ('{"token": "tok-%", "expires_in": true, "expires_on": {}}', None),
        (f'{{"token": "tok-%", "expires_in": 1{"0" * 400}, "expires_on": 1e999}}', None),
        ('{\n  "access_token": "tok-%",\n  "expires_in": 3600\n}', HOUR),
        ('{"access_token": "tok-%", "expires_in": "3600"}', HOUR),
        ('{"accessToken": "tok-%", "expires_on": IN_AN_HOUR.5}', HOUR),
        ('{"accessToken": "tok-%", "expires_on": "IN_AN_HOUR"}', HOUR),
    ],
)
async def test_a_token_is_asked_for_again_once_it_expires(
    printed: str, seconds: float | None, tmp_path: Path
) -> None:
    now = [0.0]
    printed = printed.replace("IN_AN_HOUR", str(int(time.time() + HOUR)))
    credential = printing(printed, tmp_path, now=now)
    for moment, number in ((0.0, 1), (HOUR - 300, 1), (HOUR, 1 if seconds is None else 2)):
        now[0] = moment
        assert await credential.headers() == {"Authorization": f"Bearer tok-{number}"}


@pytest.mark.parametrize(
    "printed", ["", "{", "{}", '{"token": 5}', "tok 1", "warning\ntok-1", '{"error": "log in"}']
)
async def test_what_is_no_token_is_said_and_not_quoted(printed: str, tmp_path: Path) -> None:
    with pytest.raises(Unauthorized) as caught:
        await printing(printed, tmp_path, now=[0.0]).headers()
    assert "printed no token" in caught.value.message
    assert not printed or printed not in caught.value.message
