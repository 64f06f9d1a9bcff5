"""todo-tui doctor: a cure for whatever is wrong, and 1 only when something is."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Shell


@pytest.fixture(autouse=True)
def _no_servers(shell: Shell) -> None:
    shell.set(OLLAMA_HOST="127.0.0.1:9", LOCAL_BASE_URL="http://127.0.0.1:9/v1")


def test_a_fresh_installation_is_well(shell: Shell) -> None:
    outcome = shell.done("doctor")
    for words in ("Python 3", "Europe/Berlin", "no database yet", "Built-in: ready", "All is well"):
        assert words in outcome.out
    assert not (shell.folder / "tasks.db").exists()


def test_a_sound_database_is_told_with_its_tasks(shell: Shell) -> None:
    shell.done("add", "milk")
    assert "sound, 1 open task of me" in shell.done("doctor").out


@pytest.mark.parametrize(
    ("variables", "words"),
    [
        ({"TODO_TUI_NOW": "noon"}, "TODO_TUI_NOW"),
        ({"TZ": "Mars/Base"}, "TZ is Mars/Base"),
        ({"TODO_TUI_PROVIDER": "groq"}, "GROQ_API_KEY"),
    ],
)
def test_a_bad_variable_is_told_with_its_cure(
    shell: Shell, variables: dict[str, str], words: str
) -> None:
    shell.set(**variables)
    outcome = shell.run("doctor")
    assert outcome.status == 1
    assert words in outcome.out
    assert "✗" in outcome.out
    assert "1 thing is wrong." in outcome.out


def test_mistakes_and_open_keys_in_the_configuration_are_told(shell: Shell) -> None:
    config = shell.folder / "c.toml"
    config.write_text('theme = "pink"\n[providers.groq]\napi_key = "gsk_secret"\n')
    config.chmod(0o644)
    outcome = shell.run("doctor", "--config", str(config))
    assert outcome.status == 1
    assert "line 1: `theme`" in outcome.out
    assert f"chmod 600 {config}" in outcome.out
    assert "gsk_secret" not in outcome.out
    assert "2 things are wrong." in outcome.out
    assert outcome.err == ""


def test_a_database_that_others_can_read_is_told(shell: Shell) -> None:
    shell.done("add", "milk")
    path = shell.folder / "tasks.db"
    path.chmod(0o644)
    outcome = shell.run("doctor")
    assert outcome.status == 1
    assert f"chmod 600 {path}" in outcome.out


def test_a_foreign_or_damaged_file_is_told_and_left_alone(shell: Shell) -> None:
    path = shell.folder / "tasks.db"
    path.write_bytes(b"not ours at all")
    path.chmod(0o600)
    outcome = shell.run("doctor")
    assert outcome.status == 1
    assert str(path) in outcome.out
    assert path.read_bytes() == b"not ours at all"


def test_a_place_where_no_database_can_be_made_is_told(shell: Shell) -> None:
    (shell.folder / "file").write_text("")
    outcome = shell.run("doctor", "--db", str(shell.folder / "file/tasks.db"))
    assert outcome.status == 1
