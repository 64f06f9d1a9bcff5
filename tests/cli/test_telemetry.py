"""Export of spans by commands and by the app."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pexpect  # type: ignore[import-untyped]  # it has no stubs
import pytest

from tests.cli.conftest import Shell
from tests.collector import Collector, collector
from todo_tui.domain.extras import install_command

DEAD = "http://127.0.0.1:9"
NAMES = ["invoke_agent todo-tui", "chat rules", "execute_tool add_task"]


@pytest.fixture
def otlp() -> Iterator[Collector]:
    with collector() as received:
        yield received


def log(shell: Shell) -> str:
    return (shell.folder / "state/todo-tui/log/todo-tui.log").read_text(encoding="utf-8")


def names(received: Collector) -> list[str]:
    spans = [span.name for span in received.spans()]
    return list(dict.fromkeys(spans))


def test_ask_exports_its_turn_to_the_endpoint_of_the_environment(
    shell: Shell, otlp: Collector
) -> None:
    shell.set(OTEL_EXPORTER_OTLP_ENDPOINT=otlp.url)
    ran = shell.done("ask", "add tea")
    otlp.wait_for(1)
    assert "tel" not in ran.err.lower()
    assert {*otlp.paths} == {"/v1/traces"}
    assert names(otlp) == NAMES
    assert all(b"tea" not in body.lower() for body in otlp.bodies)


def test_the_endpoint_can_be_in_the_file_and_the_environment_wins(
    shell: Shell, otlp: Collector
) -> None:
    config = shell.folder / "c.toml"
    config.write_text(f'[telemetry]\nendpoint = "{otlp.url}"\n')
    shell.set(TODO_TUI_CONFIG=str(config))
    shell.done("ask", "add tea")
    otlp.wait_for(1)
    assert names(otlp) == NAMES
    with collector() as other:
        shell.set(OTEL_EXPORTER_OTLP_ENDPOINT=f"{other.url}/base/")
        shell.done("ask", "add milk")
        other.wait_for(1)
        assert {*other.paths} == {"/base/v1/traces"}
    rows = shell.done("config", "show").out.splitlines()
    (row,) = [line for line in rows if line.startswith("telemetry.endpoint")]
    assert row.endswith("OTEL_EXPORTER_OTLP_ENDPOINT")


def test_the_app_exports_its_turns(shell: Shell, otlp: Collector) -> None:
    shell.set(
        TERM="xterm-256color",
        OLLAMA_HOST="127.0.0.1:9",
        LOCAL_BASE_URL=DEAD,
        OTEL_EXPORTER_OTLP_ENDPOINT=otlp.url,
    )
    app = pexpect.spawn(
        sys.executable, ["-m", "todo_tui"], dimensions=(36, 120), encoding="utf-8", timeout=300
    )
    app.expect_exact("Message the assistant")
    app.send("add tea\r")
    otlp.wait_for(1)
    app.send("\x11")
    app.expect(pexpect.EOF)
    app.close()
    assert app.exitstatus == 0
    assert names(otlp) == NAMES


def test_a_server_that_is_down_is_in_the_log_and_fails_nothing(shell: Shell) -> None:
    shell.set(OTEL_EXPORTER_OTLP_ENDPOINT=DEAD)
    ran = shell.process("ask", "add tea")
    assert ran.returncode == 0
    assert ran.stdout.startswith(b"Added")
    assert ran.stderr.splitlines() == [line for line in ran.stderr.splitlines() if b"Tea" in line]
    assert "telemetry" in log(shell)


def test_an_address_that_cannot_be_used_stops_no_command(shell: Shell) -> None:
    shell.set(OTEL_EXPORTER_OTLP_ENDPOINT="http://collector.example:4318")
    shell.done("add", "tea")
    outcome = shell.done("ask", "add milk")
    assert outcome.out.startswith("Added")
    assert "Plain http:// to collector.example:4318 is refused." in log(shell)
    report = shell.run("doctor").out
    assert "✗ off: Plain http:// to collector.example:4318 is refused." in report


def test_doctor_names_the_server(shell: Shell) -> None:
    assert "Telemetry" not in shell.run("doctor").out
    shell.set(OTEL_EXPORTER_OTLP_ENDPOINT="https://collector.example")
    assert "spans go to https://collector.example" in shell.run("doctor").out


def test_without_the_package_the_log_names_the_extra(shell: Shell, tmp_path: Path) -> None:
    hidden = tmp_path / "hidden" / "opentelemetry"
    hidden.mkdir(parents=True)
    (hidden / "__init__.py").write_text("")
    shell.set(OTEL_EXPORTER_OTLP_ENDPOINT=DEAD, PYTHONPATH=str(hidden.parent))
    ran = shell.process("ask", "add tea")
    assert (ran.returncode, ran.stdout.startswith(b"Added")) == (0, True)
    assert install_command("otel") in log(shell)
