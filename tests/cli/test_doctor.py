"""todo-tui doctor: a cure for whatever is wrong, and 1 only when something is."""

from __future__ import annotations

import json
import stat
import sys

import pytest

from tests.cli.conftest import Shell
from todo_tui.domain.extras import install_command


@pytest.fixture(autouse=True)
def _no_servers(shell: Shell) -> None:
    shell.set(OLLAMA_HOST="127.0.0.1:9", LOCAL_BASE_URL="http://127.0.0.1:9/v1")


@pytest.mark.usefixtures("no_database")
def test_a_fresh_installation_is_well(shell: Shell) -> None:
    outcome = shell.done("doctor")
    for words in (
        "Python 3",
        "Europe/Berlin",
        "no database yet",
        "Built-in: ready",
        "No problems found",
    ):
        assert words in outcome.out
    assert not (shell.folder / "tasks.db").exists()


def test_a_sound_database_is_reported_with_its_tasks(shell: Shell) -> None:
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
def test_a_bad_variable_is_reported_with_its_remedy(
    shell: Shell, variables: dict[str, str], words: str
) -> None:
    shell.set(**variables)
    outcome = shell.run("doctor")
    assert outcome.status == 1
    assert words in outcome.out
    assert "✗" in outcome.out
    assert "1 problem found." in outcome.out


def test_mistakes_and_open_keys_in_the_configuration_are_reported(shell: Shell) -> None:
    config = shell.folder / "c.toml"
    config.write_text('user = 7\n[providers.groq]\napi_key = "gsk_secret"\n')
    config.chmod(0o644)
    outcome = shell.run("doctor", "--config", str(config))
    assert outcome.status == 1
    assert "line 1: `user`" in outcome.out
    assert f"chmod 600 {config}" in outcome.out
    assert "gsk_secret" not in outcome.out
    assert "2 problems found." in outcome.out
    assert outcome.err == ""


def test_a_database_that_others_can_read_is_reported(shell: Shell) -> None:
    shell.done("add", "milk")
    path = shell.folder / "tasks.db"
    path.chmod(0o644)
    outcome = shell.run("doctor")
    assert outcome.status == 1
    assert f"chmod 600 {path}" in outcome.out


def test_a_foreign_or_damaged_file_is_reported_and_left_alone(shell: Shell) -> None:
    path = shell.folder / "tasks.db"
    path.write_bytes(b"not ours at all")
    path.chmod(0o600)
    outcome = shell.run("doctor")
    assert outcome.status == 1
    assert str(path) in outcome.out
    assert path.read_bytes() == b"not ours at all"


def test_a_place_where_no_database_can_be_made_is_reported(shell: Shell) -> None:
    (shell.folder / "file").write_text("")
    outcome = shell.run("doctor", "--db", str(shell.folder / "file/tasks.db"))
    assert outcome.status == 1


def test_every_mistake_is_reported_at_once(shell: Shell) -> None:
    config = shell.folder / "c.toml"
    config.write_text('user = 7\n[limits]\nretries = "many"\n')
    shell.set(TODO_TUI_CONFIG=str(config), TODO_TUI_NOW="noon", TODO_TUI_TIMEOUT="soon")
    outcome = shell.run("doctor")
    assert outcome.status == 1
    for words in ("TODO_TUI_NOW", "TODO_TUI_TIMEOUT", "line 1", "line 3"):
        assert words in outcome.out
    assert "4 problems found." in outcome.out
    assert outcome.err == ""


def test_a_key_file_is_reported_with_its_keys_counted_and_none_shown(shell: Shell) -> None:
    shell.done("keys", "set", "groq", stdin=b"gsk_secret")
    outcome = shell.done("doctor")
    assert "keys.json, 1 key, readable by you alone" in outcome.out
    assert "gsk_secret" not in outcome.out


def test_a_key_file_that_others_could_read_is_wrong_and_closed(shell: Shell) -> None:
    folder = shell.folder / "config" / "todo-tui"
    folder.mkdir(parents=True)
    path = folder / "keys.json"
    path.write_text(json.dumps({"groq": "gsk_secret"}))
    path.chmod(0o644)
    outcome = shell.run("doctor")
    assert outcome.status == 1
    assert "1 problem found." in outcome.out
    assert f"{path} was readable by other users" in outcome.out
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_keys_from_variables_alone_are_said_to_be(shell: Shell) -> None:
    config = shell.folder / "c.toml"
    config.write_text('[keys]\nstore = "environment"\n')
    assert "variables only" in shell.done("doctor", "--config", str(config)).out


def test_whether_the_system_keyring_can_be_used_is_reported(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "system keyring package installed" in shell.done("doctor").out
    monkeypatch.setitem(sys.modules, "keyring", None)
    assert install_command("keyring") in shell.done("doctor").out


def test_a_missing_package_is_wrong_only_where_it_is_needed(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "google.genai", None)
    assert "Gemini native: not installed" in shell.done("doctor").out
    outcome = shell.run("doctor", "--provider", "gemini-native")
    assert outcome.status == 1
    assert f"Run: {install_command('gemini')}" in outcome.out


def test_a_fallback_that_cannot_be_used_is_wrong(shell: Shell) -> None:
    config = shell.folder / "c.toml"
    config.write_text('fallback = ["groq"]\n')
    outcome = shell.run("doctor", "--config", str(config))
    assert outcome.status == 1
    assert "✗ Groq: no API key" in outcome.out


def test_certificates_that_are_gone_are_named_wherever_they_are_needed(shell: Shell) -> None:
    config = shell.folder / "c.toml"
    config.write_text(
        '[providers.x]\nwire = "chat"\nbase_url = "https://models.example.com/v1"\nmodel = "m"\n'
    )
    config.chmod(0o600)
    shell.set(SSL_CERT_FILE="/nowhere/cert.pem", TODO_TUI_CONFIG=str(config))
    words = "SSL_CERT_FILE names /nowhere/cert.pem, which does not exist."
    asked = shell.run("ask", "hello", "--provider", "x")
    assert asked.status != 0
    assert words in asked.err
    checked = shell.run("providers", "--check")
    assert checked.status == 1
    assert words in checked.out
    assert "Built-in" in checked.out
    assert words in shell.run("doctor").out
