"""todo-tui eval: the table, its JSON, several providers, files of one's own, and a replay."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pexpect  # type: ignore[import-untyped]  # it has no stubs
import pytest

from tests.cli.conftest import Outcome, Shell
from tests.cli.model_server import BAD_KEY, WORDS, ModelServer
from tests.cli.terminal import at_a_terminal, on_terminal
from tests.providers.wire import WireServer
from todo_tui.domain.task import JsonValue

TASKS = [{"title": "Buy milk"}, {"title": "Pay rent", "due": "2026-11-20"}]
MILK = {
    "id": "milk",
    "now": "2026-11-18T14:30",
    "tasks": TASKS,
    "say": ["complete buy milk"],
    "expect": {"tasks": [{"title": "Buy milk", "status": "done"}], "total": 2},
}
LIST = {**MILK, "id": "list", "say": ["what's due friday?"], "expect": {"unchanged": True}}
WRONG = {**MILK, "id": "wrong", "say": ["delete pay rent"], "expect": {"unchanged": True}}
TWO = {**MILK, "id": "two", "say": ["complete buy milk", "undo that please"]}


@pytest.fixture(autouse=True)
def _no_servers(shell: Shell) -> None:
    shell.set(OLLAMA_HOST="127.0.0.1:9")


@pytest.fixture
def file(tmp_path: Path) -> str:
    return write(tmp_path, MILK, LIST, WRONG)


def write(folder: Path, *scenarios: object) -> str:
    path = folder / "mine.json"
    path.write_text(json.dumps({"scenarios": scenarios}))
    return str(path)


def report(outcome: Outcome, at: int = 0) -> dict[str, JsonValue]:
    value = outcome.json
    assert isinstance(value, dict)
    providers = value["providers"]
    assert isinstance(providers, list)
    found = providers[at]
    assert isinstance(found, dict)
    return found


def test_a_row_for_the_provider_and_what_went_wrong_above_it(shell: Shell, file: str) -> None:
    outcome = shell.done("eval", "--scenarios", file)
    *problems, row = outcome.out.splitlines()
    assert row.split()[:8] == ["offline", "rules", "2", "of", "3", "(67%)", "0", "1"]
    assert [line.split()[:2] for line in problems if line.startswith("harmful")] == [
        ["harmful", "wrong"]
    ]
    assert "--replay" in outcome.err


def test_json_has_every_result(shell: Shell, file: str) -> None:
    outcome = shell.done("eval", "--scenarios", file, "--json")
    value = outcome.json
    assert isinstance(value, dict)
    assert set(value) == {"scenarios", "interrupted", "providers", "skipped"}
    assert (value["scenarios"], value["interrupted"], value["skipped"]) == (3, False, [])
    found = report(outcome)
    assert set(found) == {
        "provider", "model", "scenarios", "right", "safe", "harmful", "failed", "model_calls",
        "usage", "cost_usd", "latency_ms", "results",
    }  # fmt: skip
    results = found["results"]
    assert isinstance(results, list)
    first = results[0]
    assert isinstance(first, dict)
    assert set(first) == {
        "id", "verdict", "problems", "answers", "model_calls", "usage", "cost_usd", "latency_ms",
    }  # fmt: skip
    assert first["verdict"] == "right"


@pytest.mark.usefixtures("no_database")
def test_the_own_tasks_are_neither_read_nor_changed(shell: Shell, file: str) -> None:
    shell.done("eval", "--scenarios", file)
    assert not (shell.folder / "tasks.db").exists()


async def test_several_providers_are_compared(shell: Shell, tmp_path: Path) -> None:
    file = write(tmp_path, MILK, LIST)
    providers = ("--provider", "offline", "--provider", "local:second")
    async with ModelServer(WORDS, models=["first", "second"]).serving() as server:
        shell.set(LOCAL_BASE_URL=f"{server.url}/v1")
        outcome = await asyncio.to_thread(
            shell.done, "eval", *providers, "--scenarios", file, "--json"
        )
    built_in, local = report(outcome, 0), report(outcome, 1)
    assert (built_in["provider"], built_in["right"]) == ("offline", 2)
    assert (local["provider"], local["model"]) == ("local", "second")
    assert (local["right"], local["safe"], local["model_calls"]) == (1, 1, 2)


def test_a_provider_that_is_not_ready_is_named_and_skipped(shell: Shell, file: str) -> None:
    outcome = shell.done(
        "eval", "--provider", "groq", "--provider", "offline", "--scenarios", file, "--json"
    )
    value = outcome.json
    assert isinstance(value, dict)
    skipped = value["skipped"]
    assert isinstance(skipped, list)
    assert [each["provider"] for each in skipped if isinstance(each, dict)] == ["groq"]
    assert "Groq skipped" in outcome.err
    assert report(outcome)["provider"] == "offline"


def test_with_no_provider_that_is_ready_it_fails(shell: Shell, file: str) -> None:
    outcome = shell.fails("eval", "--provider", "groq", "--scenarios", file)
    assert "Groq skipped" in outcome.err


async def test_a_server_that_only_fails_is_given_up(shell: Shell, tmp_path: Path) -> None:
    file = write(tmp_path, *({**MILK, "id": f"s{number}"} for number in range(8)))
    async with ModelServer(BAD_KEY).serving() as server:
        shell.set(LOCAL_BASE_URL=f"{server.url}/v1", LOCAL_MODEL="m")
        args = ("--provider", "local", "eval", "--scenarios", file, "--json")
        outcome = await asyncio.to_thread(shell.run, *args)
    assert outcome.status == 1
    assert report(outcome)["failed"] == 3
    assert "stopped after 3 scenarios" in outcome.err


@pytest.mark.parametrize(
    ("args", "status", "named"),
    [
        (("--scenarios", "nowhere.json"), 1, "nowhere.json"),
        (("--provider", "grok"), 2, "“grok”"),
        (("--provider", "groq", "--provider", "offline", "--model", "m"), 2, "ID:MODEL"),
        (("--model", "gpt-5"), 2, "--provider"),
        (("--replay", "milk", "--json"), 2, "--json"),
        (("--replay", "nothing-1"), 1, "nothing-1"),
        (("--replay", "thanks-1"), 2, "terminal"),
    ],
)
def test_wrong_use_says_what_is_wrong(
    shell: Shell, args: tuple[str, ...], status: int, named: str
) -> None:
    assert named in shell.fails("eval", *args, status=status).err


@pytest.mark.parametrize("content", [b"", b"{", b"\0\1", b"\xff\xfe\xfd", b'{"scenarios": [1]}'])
def test_a_bad_file_is_named(shell: Shell, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    assert "bad.json" in shell.fails("eval", "--scenarios", str(path)).err


async def test_ctrl_c_prints_what_was_done_so_far(shell: Shell, file: str) -> None:
    async with ModelServer(together=2).serving() as server:
        shell.set(LOCAL_BASE_URL=f"{server.url}/v1", LOCAL_MODEL="m")
        args = ("--provider", "offline", "--provider", "local", "--scenarios", file, "--json")
        status, out, err = await asyncio.to_thread(interrupted_once_asked, server, args)
    assert status == 130, err
    found = json.loads(out)
    assert found["interrupted"] is True
    assert [each["scenarios"] for each in found["providers"]] == [3, 0]
    assert b"Interrupted" in err


def interrupted_once_asked(server: WireServer, args: Sequence[str]) -> tuple[int, bytes, bytes]:
    """Run the command, and press Ctrl+C when the server was asked for an answer."""
    process = subprocess.Popen(
        [sys.executable, "-m", "todo_tui", "eval", *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    while process.poll() is None:
        if any(each.line.startswith("POST") for each in server.received):
            process.send_signal(signal.SIGINT)
            break
        time.sleep(0.05)
    out, err = process.communicate(timeout=300)
    return process.returncode, out, err


def test_the_table_fits_a_narrow_terminal(shell: Shell, file: str) -> None:
    lines = on_terminal(60, "eval", "--scenarios", file)
    assert max(len(line) for line in lines if "━" not in line) <= 60
    assert any("Harmful" in line for line in lines)


@pytest.mark.usefixtures("no_database")
def test_a_replay_opens_the_app_with_the_tasks_and_the_last_message(
    shell: Shell, tmp_path: Path
) -> None:
    shell.set(TERM="xterm-256color", LOCAL_BASE_URL="http://127.0.0.1:9")
    file = write(tmp_path, TWO)
    app = at_a_terminal("eval", "--scenarios", file, "--replay", "two", columns=120)
    app.expect_exact("undo that please")
    app.send("\x11")
    app.expect(pexpect.EOF)
    app.close()
    assert app.exitstatus == 0
    assert not (shell.folder / "tasks.db").exists()
