"""Data flows of CONTRIBUTING.md: each line there names the files that its flow really enters.

A flow is traced while the app runs it. A file of `todo_tui` belongs to it when one of its
functions holds what travels, its cargo, in an argument or another variable, also inside
values. `domain/` is left out: it holds values and pure functions of them. The line draws the
way in order, and beside it the files that check, format or draw the cargo for one of the way.
"""

# ruff: noqa: F811  # fixtures of the app are imported, and named as parameters

from __future__ import annotations

import asyncio
import re
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from types import CodeType, FrameType

import pytest

import todo_tui
from tests.providers.wire import delta, provider_at, sse, wire_server
from tests.scripted import answer
from tests.tui.conftest import AppOpener, AppSetup, app_setup, open_app  # noqa: F401
from tests.tui.driving import wait_until_idle
from tests.tui.pane import add
from todo_tui.tui.chat.drafts import DRAFT
from todo_tui.tui.task_list import controller as list_controller

ROOT = Path(__file__).parent.parent
_PACKAGE = Path(todo_tui.__file__).parent
_DEPTH = 5
"""Levels of values inside values: an event of a message with parts with texts."""
_MAX_ITEMS = 50
_TIMED = {
    "store/conversations/turns.py",
    "store/store.py",
    "tui/chat/drafts.py",
    "tui/chat/outbox.py",
    "tui/store_writer.py",
}
"""Files that an answer and a draft enter each second, to be saved: not at all in a short one."""


class FlowTracer:
    """Records, in all threads, the files whose functions hold `cargo`, in order."""

    def __init__(self, cargo: str, end: str = "") -> None:
        self.files: dict[str, int] = {}
        """The thread that entered each first."""
        self._cargo = cargo
        self._end = end
        """`file:function` whose return ends the flow; else the caller ends it."""
        self._names: dict[CodeType, str] = {}
        self._is_on = False

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Install the hook in the threads that the flow uses; before any starts.

        In this one it begins with the flow: it makes all that an app does to open slow.
        """
        before = sys.getprofile(), threading.getprofile()
        threading.setprofile(self._hook)
        try:
            yield
        finally:
            sys.setprofile(before[0])
            threading.setprofile(before[1])

    def begin(self) -> None:
        self._is_on = True
        sys.setprofile(self._hook)

    def end(self) -> None:
        self._is_on = False

    @property
    def has_ended(self) -> bool:
        return not self._is_on

    def _hook(self, frame: FrameType, event: str, value: object) -> None:
        if not self._is_on or event not in ("call", "return"):
            return
        code = frame.f_code
        name = self._names.get(code)
        if name is None:
            name = self._names[code] = _name(code)
        if not name:
            return
        if name not in self.files:
            # What an async generator yields is not a return value, but one of its variables.
            held = [value, *(v for k, v in frame.f_locals.items() if k not in ("self", "cls"))]
            if _carries(held, self._cargo, _DEPTH):
                self.files[name] = threading.get_ident()
        if event == "return" and f"{name}:{code.co_name}" == self._end:
            self._is_on = False


def _name(code: CodeType) -> str:
    """Return the file below the package; empty for others, `domain/` and comprehensions."""
    path = Path(code.co_filename)
    if _PACKAGE not in path.parents or code.co_name == "<module>":
        return ""
    name = path.relative_to(_PACKAGE).as_posix()
    return "" if name.startswith("domain/") else name


def _carries(value: object, cargo: str, depth: int) -> bool:
    match value:
        case str():
            return cargo in value
        case bytes() | bytearray() | memoryview():
            return cargo.encode() in bytes(value)
        case tuple() | list() | dict() if depth:
            items = list(value.values() if isinstance(value, dict) else value)[-_MAX_ITEMS:]
            return any(_carries(item, cargo, depth - 1) for item in items)
        case _ if depth and is_dataclass(value) and not isinstance(value, type):
            held = (getattr(value, field.name, None) for field in fields(value))
            return any(_carries(item, cargo, depth - 1) for item in held)
    return False


@dataclass(frozen=True)
class Flow:
    """A flow, as CONTRIBUTING.md names it, what travels and how to run it."""

    name: str
    cargo: str
    run: Callable[[AppSetup, AppOpener, FlowTracer], Awaitable[None]]
    most_files: int
    end: str = ""


async def send_a_message(app_setup: AppSetup, open_app: AppOpener, tracer: FlowTracer) -> None:
    app_setup.script(answer("Yes."))
    async with open_app() as running:
        running.composer.insert(MESSAGE)
        # Saving it as a draft is not part of the flow.
        await running.until(lambda: app_setup.store.app_state.get(DRAFT) == MESSAGE)
        tracer.begin()
        await running.press("enter")
        await running.until(lambda: tracer.has_ended)


async def receive_a_chunk(app_setup: AppSetup, open_app: AppOpener, tracer: FlowTracer) -> None:
    shown = asyncio.Event()
    head, chunk = sse(delta(content=CHUNK), done=False), sse(done=True)

    async def play(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(head)
        await writer.drain()
        await shown.wait()
        writer.write(chunk.partition(b"\r\n\r\n")[2])

    async with wire_server(play) as server:
        app_setup.open_provider = lambda *_: provider_at(server.url)
        async with open_app() as running:
            running.composer.insert("go on")
            await wait_until_idle()
            tracer.begin()
            running.composer.action_send()
            await running.until(lambda: CHUNK in running.shown())
            tracer.end()
            shown.set()
            await running.settle()


async def complete_a_task(app_setup: AppSetup, open_app: AppOpener, tracer: FlowTracer) -> None:
    add(app_setup.store, TITLE, "another one")
    async with open_app() as running:
        await running.press("tab")
        await running.settle()
        tracer.begin()
        await running.press("space")
        await running.settle()
        tracer.end()


async def type_a_letter_of_a_filter(
    app_setup: AppSetup, open_app: AppOpener, tracer: FlowTracer
) -> None:
    add(app_setup.store, TITLE, "another one")
    async with open_app() as running:
        await running.press("tab", "slash")
        await running.settle()
        await running.type(FILTER[:-1])
        await running.settle()
        tracer.begin()
        await running.press(FILTER[-1])
        await running.settle()
        tracer.end()


MESSAGE, CHUNK, TITLE, FILTER = "one quokka", "two wombats", "three koalas", "koal"
FLOWS = (
    Flow(
        "message → SQLite",
        MESSAGE,
        send_a_message,
        8,
        "store/conversations/turns.py:open",
    ),
    Flow("chunk → screen", CHUNK, receive_a_chunk, 8),
    Flow("complete → row painted", TITLE, complete_a_task, 10),
    Flow("filter letter → rows", FILTER, type_a_letter_of_a_filter, 10),
)


def drawn_files(name: str) -> tuple[list[str], list[str]]:
    """Return the path of a flow and its helpers, as CONTRIBUTING.md lists them."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    ((way, beside),) = re.findall(rf"^\| {re.escape(name)} \|(.*)\|(.*)\|$", text, re.MULTILINE)
    return re.findall(r"`([\w/]+\.py)`", way), re.findall(r"`([\w/]+\.py)`", beside)


@pytest.mark.parametrize("flow", FLOWS, ids=lambda flow: flow.name)
async def test_a_flow_enters_the_files_that_its_line_draws(
    flow: Flow,
    app_setup: AppSetup,
    open_app: AppOpener,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # A completed task that leaves its row is a flow of its own.
    monkeypatch.setattr(list_controller, "JUST_DONE_SECONDS", 3600.0)
    tracer = FlowTracer(flow.cargo, flow.end)
    with tracer.installed():
        await flow.run(app_setup, open_app, tracer)
    way, beside = drawn_files(flow.name)

    assert sorted(set(tracer.files) - set(beside) - (_TIMED - set(way))) == sorted(way)
    # A thread runs beside the event loop that has started it: each has an order of its own.
    for thread in set(tracer.files.values()):
        entered = [name for name in tracer.files if tracer.files[name] == thread and name in way]
        assert entered == sorted(entered, key=way.index)
    assert set(beside) <= set(tracer.files)
    assert len(way) <= flow.most_files
