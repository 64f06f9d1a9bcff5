"""todo-tui providers: what is ready, why the rest is not, and never a key."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Shell
from todo_tui.domain.task import JsonValue
from todo_tui.providers.registry import PROVIDERS


@pytest.fixture(autouse=True)
def _no_servers(shell: Shell) -> None:
    shell.set(OLLAMA_HOST="127.0.0.1:9", LOCAL_BASE_URL="http://127.0.0.1:9/v1")


def standings(shell: Shell, *options: str) -> dict[str, dict[str, JsonValue]]:
    value = shell.done("providers", "--json", *options).json
    assert isinstance(value, list)
    return {str(each["id"]): each for each in value if isinstance(each, dict)}


def test_every_visible_row_is_listed_in_order(shell: Shell) -> None:
    assert list(standings(shell)) == [row.id for row in PROVIDERS if not row.hidden]


def test_each_says_why_it_is_not_ready(shell: Shell) -> None:
    found = standings(shell)
    assert found["offline"]["ready"] is True
    assert found["groq"]["reason"] == "set GROQ_API_KEY"
    assert found["ollama"]["reason"] == "not running at 127.0.0.1:9"
    assert found["local"]["ready"] is False


def test_a_key_is_named_by_its_source_and_never_shown(shell: Shell) -> None:
    shell.set(GOOGLE_API_KEY="AIza-secret", GROQ_API_KEY="gsk_secret")
    found = standings(shell)
    assert found["gemini"]["ready"] is True
    assert found["gemini"]["key_source"] == "GOOGLE_API_KEY"
    for args in (("providers",), ("providers", "--json"), ("doctor",)):
        outcome = shell.run(*args)
        assert "secret" not in outcome.out + outcome.err


def test_prices_of_remote_models_are_told(shell: Shell) -> None:
    found = standings(shell)
    assert found["groq"]["usd_per_million"] == {"input": 0.15, "output": 0.6}
    shell.set(GROQ_MODEL="unheard-of")
    assert standings(shell)["groq"]["usd_per_million"] is None


def test_for_people_it_is_a_table(shell: Shell) -> None:
    lines = shell.done("providers").out.splitlines()
    assert lines[0].split()[0] == "offline"
    assert "0.15 / 0.6" in next(line for line in lines if line.startswith("groq"))


def test_check_asks_those_that_are_ready(shell: Shell) -> None:
    found = standings(shell, "--check")
    assert found["offline"]["answered"] is True
    assert found["ollama"]["answered"] is None


def test_check_asks_nobody_remote_without_agreement(shell: Shell) -> None:
    shell.set(GROQ_API_KEY="gsk_secret")
    groq = standings(shell, "--check")["groq"]
    assert groq["answered"] is None
    assert "--provider groq" in str(groq["remark"])
