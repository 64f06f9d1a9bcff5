"""Compare what two installed versions of todo-tui print and draw.

Run as `python -m tests.compare_versions OLD/bin NEW/bin`, where each folder holds an
installed `todo-tui`. Both run the same commands on a fixed clock in folders of their own:
every command with its help and JSON, scripted turns in each wire format, the operation
log, exports, and screens as text. Differences are printed as a unified diff; the exit
status is 1 where there are some.
"""

from __future__ import annotations

import difflib
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pexpect  # type: ignore[import-untyped]
import pyte

SIZES = ((120, 36), (80, 24))

SETUP = (
    ["add", "Buy milk tomorrow 5pm #errands @shop !high"],
    ["add", "Pay rent every month on the 1st #home !high"],
    ["add", "Write quarterly report friday #work.reports", "--notes", "Ask Ben.\nThen send."],
    ["add", "Collect the numbers", "--parent", "3"],
    ["add", "Draft the text", "--parent", "3", "--blocked-by", "4"],
    ["add", "Call the dentist yesterday #health !medium"],
    ["add", "Water the plants every 3 days #home"],
    ["add", "“Friday night” by the band @music"],
    ["annotate", "1", "Oat milk, if there is some"],
    ["done", "7"],
    ["edit", "1", "--due", "friday 9am", "--tag", "market"],
    ["add", "Old receipts"],
    ["delete", "10"],
    ["done", "6"],
    ["reopen", "6"],
    ["undo"],
    ["redo"],
    ["views", "save", "Home", "#home"],
)
COMMANDS = (
    ["list", "--json"],
    ["list"],
    *(
        ["list", words, "--json"]
        for words in (
            "today",
            "overdue",
            "#home or #work",
            "due.before:friday",
            "no due",
            "done",
            "trash",
            "all sort:title-",
            "all group:project",
            "not @shop",
            "under:3",
            "blocked",
            "has:notes",
        )
    ),
    ["list", "nonsense:words"],
    ["list", "all", "group:project"],
    *(["show", str(number)] for number in range(1, 10)),
    ["show", "3", "--json"],
    ["log", "1"],
    ["stats", "--json"],
    ["stats"],
    ["views"],
    ["view", "Home", "--json"],
    ["usage", "--json"],
    ["usage"],
    ["config"],
    ["config", "check"],
    ["providers"],
    ["keys"],
    *(
        ["export", "--format", name]
        for name in ("json", "markdown", "csv", "todotxt", "taskwarrior", "vtodo")
    ),
    ["move", "5", "--top"],
    ["skip", "2", "--json"],
    ["end", "2", "--json"],
    ["purge", "10", "--yes"],
    ["undo"],
    ["undo"],
    ["list", "all", "--json"],
    ["add", ""],
    ["edit", "99", "--due", "never ever"],
    ["done", "99"],
    ["frobnicate"],
    ["ask", "add call mom on friday and buy eggs tomorrow", "--json"],
    ["ask", "what's due this week?"],
    ["ask", "done milk", "--json"],
)
KEYS = (
    "",
    "\t",
    "j",
    "v",
    "\x1b",
    "/#home\r",
    "\x1b",
    "a",
    "Fix the tap friday !high",
    "\r",
    "\x1b",
    "\x1bOP",
    "\x1b",
    "\x1bOQ",
    "\x1b",
)
"""Typed into the app one after the other; a picture is taken after each."""

_WIRES = {
    "local": ("LOCAL_BASE_URL", "/v1"),
    "openai": ("OPENAI_BASE_URL", "/v1"),
    "anthropic": ("ANTHROPIC_BASE_URL", ""),
    "groq": ("GROQ_BASE_URL", ""),
}
_VARYING = (
    (re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"), "UUID"),
    (re.compile(r"\b[0-9a-f]{24,40}\b"), "ID"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)?"), "INSTANT"),
    (re.compile(r"\d{8}T\d{6}Z"), "INSTANT"),
    (re.compile(r'"(latency_ms|ms)": [\d.]+'), r'"\1": MS'),
    (re.compile(r"\b\d+(\.\d+)? ?(ms|s)\b"), "TIME"),
    (re.compile(r"127\.0\.0\.1:\d+"), "SERVER"),
    (re.compile(r"\+○"), " ○"),  # the mark of a new task fades
    (re.compile(r"todo-tui, version \S+|todo-tui \d\S*"), "VERSION"),
)


class Server:
    """A loopback model server that requests one tool call and then answers in words.

    It speaks chat completions, Responses and Messages (OpenAI and Anthropic API
    references, streaming), and keeps the bodies of the requests.
    """

    def __init__(self) -> None:
        bodies = self.bodies = []  # type: list[dict[str, Any]]

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, format: str, *args: object) -> None:
                pass

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                bodies.append(body)
                events = list(_events(self.path, body))
                data = "".join(
                    (f"event: {event['type']}\n" if "type" in event else "")
                    + f"data: {json.dumps(event)}\n\n"
                    for event in events
                )
                if "completions" in self.path:
                    data += "data: [DONE]\n\n"
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data.encode())

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


_ARGUMENTS = '{"title": "Send the invoice"}'


def _events(path: str, body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    answered = "function_call_output" in json.dumps(body) or "tool_result" in json.dumps(body)
    answered = answered or any(
        message.get("role") == "tool" for message in body.get("messages", ())
    )
    if path.endswith("completions"):
        delta: dict[str, Any] = {"content": "**Added** the invoice."}
        if not answered:
            function = {"name": "add_task", "arguments": _ARGUMENTS}
            delta = {"tool_calls": [{"index": 0, "id": "c1", "function": function}]}
        yield {"choices": [{"index": 0, "delta": delta}]}
        yield {
            "choices": [
                {"index": 0, "delta": {}, "finish_reason": "stop" if answered else "tool_calls"}
            ],
            "usage": {"prompt_tokens": 10, "completion_tokens": 5},
        }
    elif path.endswith("responses"):
        item: dict[str, Any] = {
            "type": "message",
            "id": "m1",
            "role": "assistant",
            "content": [{"type": "output_text", "text": "Added.", "annotations": []}],
        }
        if answered:
            yield {"type": "response.output_text.delta", "delta": "Added.", "output_index": 0}
        else:
            item = {
                "type": "function_call",
                "id": "f1",
                "call_id": "c1",
                "name": "add_task",
                "arguments": _ARGUMENTS,
            }
            yield {"type": "response.output_item.added", "output_index": 0, "item": item}
        yield {"type": "response.output_item.done", "output_index": 0, "item": item}
        usage = {"input_tokens": 10, "output_tokens": 5}
        response = {"status": "completed", "output": [item], "usage": usage}
        yield {"type": "response.completed", "response": response}
    else:
        yield {"type": "message_start", "message": {"usage": {"input_tokens": 10}}}
        block = {"type": "text", "text": ""}
        piece = {"type": "text_delta", "text": "Added."}
        if not answered:
            block = {"type": "tool_use", "id": "c1", "name": "add_task", "input": {}}  # type: ignore[dict-item]
            piece = {"type": "input_json_delta", "partial_json": _ARGUMENTS}
        yield {"type": "content_block_start", "index": 0, "content_block": block}
        yield {"type": "content_block_delta", "index": 0, "delta": piece}
        yield {"type": "content_block_stop", "index": 0}
        stop = {"stop_reason": "end_turn" if answered else "tool_use"}
        yield {"type": "message_delta", "delta": stop, "usage": {"output_tokens": 5}}
        yield {"type": "message_stop"}


class Version:
    """One installed version in a folder of its own."""

    def __init__(self, binaries: Path, folder: Path) -> None:
        self._program = str(binaries / "todo-tui")
        self._folder = folder
        kept = {"PATH", "LANG", "TMPDIR"}
        self._environment = {key: os.environ[key] for key in kept if key in os.environ} | {
            "HOME": str(folder),
            "XDG_CONFIG_HOME": str(folder / "config"),
            "XDG_DATA_HOME": str(folder / "data"),
            "XDG_STATE_HOME": str(folder / "state"),
            "TODO_TUI_DB": str(folder / "tasks.db"),
            "TODO_TUI_NOW": "2026-11-18T14:30",
            "TZ": "Europe/Berlin",
            "LC_ALL": "C.UTF-8",
            "TERM": "xterm-256color",
            "COLUMNS": "100",
        }

    def report(self) -> list[str]:
        """Everything that this version printed and drew, as lines."""
        lines: list[str] = []
        for words in self._help_pages():
            lines += self._run(words)
        for command in (*SETUP, *COMMANDS):
            lines += self._run(command)
        for provider in _WIRES:
            lines += self._turn(provider)
        for size in SIZES:
            lines += self._screens(*size)
        lines += self._operations()
        return [self._stable(line) for line in lines]

    def _stable(self, line: str) -> str:
        line = line.replace(str(self._folder), "FOLDER").rstrip()
        for pattern, name in _VARYING:
            line = pattern.sub(name, line)
        return line

    def _run(self, words: list[str], **more: str) -> list[str]:
        done = subprocess.run(
            [self._program, *words],
            env=self._environment | more,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=60,
            check=False,
        )
        out = done.stdout.splitlines()
        return [f"$ {' '.join(words)} -> {done.returncode}", *out, *done.stderr.splitlines()]

    def _help_pages(self) -> Iterator[list[str]]:
        yield ["--help"]
        found = re.findall(r"^  ([a-z]+)  ", "\n".join(self._run(["--help"])), re.MULTILINE)
        for command in dict.fromkeys(found):
            yield [command, "--help"]

    def _turn(self, provider: str) -> list[str]:
        server = Server()
        name, path = _WIRES[provider]
        try:
            more = {
                name: f"http://127.0.0.1:{server.port}{path}",
                f"{provider.upper()}_API_KEY": "test-key",
                f"{provider.upper()}_MODEL": "some-model",
            }
            words = ["ask", "remember the invoice", "--provider", provider, "--json"]
            printed = self._run(words, **more)
            bodies = json.dumps(server.bodies, indent=1, sort_keys=True).splitlines()
            return [*printed, f"requests to {provider}:", *bodies]
        finally:
            server.close()

    def _screens(self, columns: int, rows: int) -> list[str]:
        screen = pyte.Screen(columns, rows)
        stream = pyte.ByteStream(screen)
        child = pexpect.spawn(
            self._program,
            env=self._environment,
            dimensions=(rows, columns),
            timeout=30,
        )
        lines: list[str] = []
        try:
            for keys in KEYS:
                child.send(keys)
                self._settle(child, stream)
                lines += [f"screen {columns}x{rows} after {keys!r}:", *screen.display]
        finally:
            child.send("\x11")
            child.close(force=True)
        return lines

    @staticmethod
    def _settle(child: pexpect.spawn, stream: pyte.ByteStream) -> None:
        """Feed the terminal until nothing has come for a while."""
        quiet, end = time.monotonic() + 1.2, time.monotonic() + 15
        while time.monotonic() < min(quiet, end):
            try:
                stream.feed(child.read_nonblocking(65536, timeout=0.1))
                quiet = time.monotonic() + 0.6
            except pexpect.TIMEOUT:
                continue
            except pexpect.EOF:
                return

    def _operations(self) -> list[str]:
        connection = sqlite3.connect(self._folder / "tasks.db")
        try:
            rows = connection.execute(
                "SELECT seq, user, actor, kind, field, old, new, undoes IS NULL"
                " FROM ops ORDER BY seq"
            ).fetchall()
        finally:
            connection.close()
        return ["operations:", *(str(row) for row in rows)]


def main(old: str, new: str) -> int:
    """Print the differences; return the exit status."""
    reports = []
    for binaries in (old, new):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            reports.append(Version(Path(binaries), Path(folder)).report())
    first, second = reports
    changes = list(difflib.unified_diff(first, second, "old", "new", lineterm="", n=2))
    print("\n".join(changes) or f"no differences in {len(reports[0]):,} lines")
    return 1 if changes else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
