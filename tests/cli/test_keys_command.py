"""todo-tui keys: keeps keys where only their owner finds them, and shows them to nobody."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import keyring
import pexpect  # type: ignore[import-untyped]  # it has no stubs
import pytest

from tests.cli.conftest import Shell
from tests.cli.terminal import at_a_terminal
from tests.config.keyring_backends import LockedKeyring, MemoryKeyring, keyring_in_memory

KEY = b"gsk_Very-Secret\n"


@pytest.fixture(autouse=True)
def backend() -> Iterator[MemoryKeyring]:
    """The keyring of the system, for as long as the test runs."""
    with keyring_in_memory() as backend:
        yield backend


@pytest.fixture
def file(shell: Shell) -> Path:
    return shell.folder / "config/todo-tui/keys.json"


def sources(shell: Shell) -> dict[str, str | None]:
    return {
        row["id"]: row["key_source"] for row in json.loads(shell.done("keys", "list", "--json").out)
    }


def test_a_key_from_a_pipe_is_kept_for_its_owner_alone(shell: Shell, file: Path) -> None:
    outcome = shell.done("keys", "set", "groq", stdin=KEY)
    assert outcome.out == f"Saved the key of Groq in {file}.\n"
    assert json.loads(file.read_text()) == {"groq": "gsk_Very-Secret"}
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert sources(shell)["groq"] == str(file)
    assert json.loads(shell.done("providers", "--json").out)[2]["key_source"] == str(file)


def test_one_key_serves_both_ways_to_the_same_service(shell: Shell, file: Path) -> None:
    shell.done("keys", "set", "gemini", stdin=KEY)
    assert sources(shell)["gemini-native"] == sources(shell)["gemini"] == str(file)
    assert sources(shell)["openai"] is None


def test_a_key_is_asked_for_unseen(shell: Shell, file: Path) -> None:
    asking = at_a_terminal("keys", "set", "GROQ")
    asking.expect_exact("Key of Groq")
    asking.sendline("gsk_Very-Secret")
    asking.expect(pexpect.EOF)
    asking.close()
    assert asking.exitstatus == 0
    assert "Secret" not in asking.before
    assert json.loads(file.read_text()) == {"groq": "gsk_Very-Secret"}


def test_an_empty_pipe_is_reported_as_one(shell: Shell, file: Path) -> None:
    outcome = shell.run("keys", "set", "groq", stdin=b"\n")
    assert outcome.status == 2
    assert "No key received on standard input." in outcome.err
    assert not file.exists()


@pytest.mark.parametrize(
    "args",
    [
        ("set", "groq", "gsk_Very-Secret"),
        ("set", "groq", "--", "gsk_Very-Secret"),
        ("set", "groq", "--key=gsk_Very-Secret"),
        ("set", "groq", "--gsk_Very-Secret"),
        ("set", "groq", "-kgsk_Very-Secret"),
        ("set", "gsk_Very-Secret"),
        ("set", "groq=gsk_Very-Secret"),
        ("set", "gsk_Very-Secret", "groq"),
        ("remove", "gsk_Very-Secret"),
        ("remove", "groq", "gsk_Very-Secret"),
        ("list", "gsk_Very-Secret"),
        ("gsk_Very-Secret",),
        ("--gsk_Very-Secret",),
    ],
)
def test_a_key_on_the_command_line_is_refused_and_never_repeated(
    shell: Shell, file: Path, args: tuple[str, ...]
) -> None:
    outcome = shell.run("keys", *args, stdin=KEY)
    assert outcome.status in (1, 2)
    assert "Secret" not in outcome.out + outcome.err
    assert not file.exists()
    if args[:2] == ("set", "groq") and not args[2].startswith("-"):
        assert "history" in outcome.err


@pytest.mark.parametrize(
    "data",
    [b"", b"\n", b"two\nSecret", b"a Secret", b"\xff\xfeS\x00e\x00", b"S" * 30_000, b"\x00S"],
)
def test_what_is_no_key_is_refused_without_repeating_it(
    shell: Shell, file: Path, data: bytes
) -> None:
    outcome = shell.fails("keys", "set", "groq", stdin=data, status=2)
    assert "Secret" not in outcome.err
    assert "SSS" not in outcome.err
    assert not file.exists()


def test_a_key_is_reported_when_another_one_is_used_before_it(shell: Shell) -> None:
    shell.set(GROQ_API_KEY="gsk_env")
    outcome = shell.done("keys", "set", "groq", stdin=KEY)
    assert "key from GROQ_API_KEY is used instead" in outcome.err
    assert sources(shell)["groq"] == "GROQ_API_KEY"


def test_the_keyring_keeps_it_instead(shell: Shell, file: Path, backend: MemoryKeyring) -> None:
    shell.done("keys", "set", "groq", stdin=b"old")
    outcome = shell.done("keys", "set", "groq", "--keyring", stdin=KEY)
    assert "the system keyring" in outcome.out
    assert backend.passwords == {("todo-tui", "groq"): "gsk_Very-Secret"}
    assert json.loads(file.read_text()) == {}
    assert sources(shell)["groq"] == "the system keyring"


def test_a_key_in_the_keyring_serves_both_ways_too(shell: Shell, backend: MemoryKeyring) -> None:
    shell.done("keys", "set", "gemini-native", "--keyring", stdin=KEY)
    assert sources(shell)["gemini"] == "the system keyring"


def test_the_configuration_may_say_that_it_is_the_keyring(
    shell: Shell, file: Path, backend: MemoryKeyring
) -> None:
    config = shell.folder / "c.toml"
    config.write_text('[keys]\nstore = "keyring"\n')
    shell.set(TODO_TUI_CONFIG=str(config))
    shell.done("keys", "set", "groq", stdin=KEY)
    assert list(backend.passwords) == [("todo-tui", "groq")]
    config.write_text('[keys]\nstore = "environment"\n')
    assert "GROQ_API_KEY" in shell.fails("keys", "set", "groq", stdin=KEY).err
    assert sources(shell)["groq"] is None
    assert not file.exists()


def test_the_keyring_is_asked_only_for_those_that_need_a_key_and_have_none(
    shell: Shell, backend: MemoryKeyring
) -> None:
    shell.set(OPENAI_API_KEY="sk")
    shell.done("keys", "set", "groq", stdin=KEY)
    backend.asked.clear()
    shell.done("keys", "list")
    assert set(backend.asked) == {"gemini", "gemini-native", "anthropic"}
    backend.asked.clear()
    shell.done("add", "milk")
    shell.done("list")
    assert backend.asked == []


def test_the_keyring_is_not_for_servers_that_need_no_key(shell: Shell) -> None:
    outcome = shell.fails("keys", "set", "ollama", "--keyring", stdin=KEY)
    assert "needs no key" in outcome.err
    shell.done("keys", "set", "ollama", stdin=KEY)


def test_a_locked_keyring_is_reported_and_stops_nothing_else(shell: Shell) -> None:
    shell.done("keys", "set", "groq", stdin=KEY)
    keyring.set_keyring(LockedKeyring())
    rows = {row["id"]: row for row in json.loads(shell.done("keys", "list", "--json").out)}
    assert rows["groq"]["key_source"]
    assert "KeyringLocked" in rows["gemini"]["remark"]
    outcome = shell.fails("keys", "set", "gemini", "--keyring", stdin=KEY)
    assert "Secret" not in outcome.err
    outcome = shell.done("keys", "remove", "groq")
    assert "KeyringLocked" in outcome.err


def test_list_tells_where_each_key_comes_from_and_never_the_key(
    shell: Shell, file: Path, backend: MemoryKeyring
) -> None:
    config = shell.folder / "c.toml"
    config.write_text(
        '[providers.gemini-native]\napi_key = "Secret-config"\n'
        '[providers.own]\nbase_url = "https://x.example/v1"\ntoken_command = "echo Secret-token"\n'
    )
    config.chmod(0o600)
    backend.passwords["todo-tui", "anthropic"] = "Secret-ring"
    shell.set(TODO_TUI_CONFIG=str(config), GEMINI_API_KEY="Secret-env")
    shell.done("keys", "set", "groq", stdin=KEY)
    outcome = shell.done("keys", "list", "--json")
    kinds = {row["id"]: (row["kind"], row["key_source"]) for row in json.loads(outcome.out)}
    assert kinds == {
        "openai": (None, None),
        "groq": ("key file", str(file)),
        "gemini": ("variable", "GEMINI_API_KEY"),
        "gemini-native": ("variable", "GEMINI_API_KEY"),
        "anthropic": ("keyring", "the system keyring"),
        "ollama": (None, None),
        "local": (None, None),
        "own": ("command", "the command echo"),
    }
    table = shell.done("keys", "list")
    assert "todo-tui keys set openai" in table.out
    for printed in (outcome, table):
        assert "Secret" not in printed.out + printed.err


def test_a_key_is_removed_from_wherever_it_is_kept(
    shell: Shell, file: Path, backend: MemoryKeyring
) -> None:
    shell.done("keys", "set", "groq", stdin=KEY)
    backend.passwords["todo-tui", "groq"] = "older"
    shell.set(GROQ_API_KEY="gsk_env")
    outcome = shell.done("keys", "remove", "groq")
    assert str(file) in outcome.out
    assert "the system keyring" in outcome.out
    assert "the one from GROQ_API_KEY" in outcome.err
    assert json.loads(file.read_text()) == {}
    assert backend.passwords == {}
    outcome = shell.fails("keys", "remove", "groq")
    assert "comes from GROQ_API_KEY" in outcome.err


def test_a_key_of_a_provider_that_is_gone_can_be_found_and_removed(shell: Shell) -> None:
    config = shell.folder / "c.toml"
    config.write_text('[providers.own]\nbase_url = "http://x"\n')
    shell.done("keys", "set", "own", "--config", str(config), stdin=KEY)
    assert "no such provider: todo-tui keys remove own" in shell.done("keys", "list").out
    shell.done("keys", "remove", "own")
    assert "own" not in shell.done("keys", "list").out


def test_the_built_in_assistant_takes_no_key(shell: Shell) -> None:
    assert "uses a key" in shell.fails("keys", "set", "offline", stdin=KEY).err


def test_a_key_file_that_cannot_be_used_is_reported_and_left_alone(
    shell: Shell, file: Path
) -> None:
    file.parent.mkdir(parents=True)
    file.write_text("not json")
    file.chmod(0o600)
    assert str(file) in shell.fails("keys", "set", "groq", stdin=KEY).err
    assert file.read_text() == "not json"


def test_keys_that_are_set_at_once_are_all_kept(shell: Shell, file: Path) -> None:
    ids = ("openai", "groq", "gemini", "anthropic")
    runs = [
        subprocess.Popen(
            [sys.executable, "-m", "todo_tui", "keys", "set", provider],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            env={**os.environ},
        )
        for provider in ids
    ]
    for run in runs:
        run.communicate(KEY, timeout=300)
    assert [run.returncode for run in runs] == [0] * len(ids)
    assert set(json.loads(file.read_text())) == set(ids)


def test_only_what_uses_keys_of_actions_speaks_of_mistakes_in_them(shell: Shell) -> None:
    config = shell.folder / "c.toml"
    config.write_text('[keys]\nstor = "keyring"\n"list.tick" = "spaec"\n')
    shell.set(TODO_TUI_CONFIG=str(config))
    mistakes = ("line 2: Unknown action `stor`. Did you mean `store`?", "unknown key: “spaec”")
    for command in (("keys", "list"), ("config", "show"), ("config", "check"), ("doctor",)):
        outcome = shell.run(*command)
        said = " ".join((outcome.out + outcome.err).split())
        assert all(mistake in said for mistake in mistakes), command
    for command in (("add", "milk"), ("list",), ("config", "path"), ("providers",)):
        outcome = shell.done(*command)
        assert "spaec" not in outcome.out + outcome.err, command
