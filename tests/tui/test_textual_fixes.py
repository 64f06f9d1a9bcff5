"""What Textual does of itself: each test fails when a part of `textual_fixes` can go."""

from __future__ import annotations

import asyncio
import io
import subprocess
import sys

import pytest
from textual import events
from textual._styles_cache import StylesCache
from textual.app import App, ComposeResult
from textual.drivers._writer_thread import MAX_QUEUED_WRITES, WriterThread
from textual.widgets import Static, TextArea

_KEYS = """
from textual._xterm_parser import XTermParser
print(*(event.key for text in ("\\x1b2", "\\x1b\\r") for event in XTermParser().feed(text)))
"""


def test_alt_with_a_digit_is_a_sign_and_alt_with_enter_is_enter() -> None:
    found = subprocess.run(
        [sys.executable, "-c", _KEYS], capture_output=True, text=True, check=True
    )
    assert "alt+2" not in found.stdout
    assert "alt+enter" not in found.stdout
    assert "ctrl+j" not in found.stdout


def test_the_caches_of_removed_widgets_are_kept() -> None:
    assert hasattr(StylesCache.get_inner_outer, "cache_info")


@pytest.mark.parametrize(
    ("word", "names"),
    [("notification", {"clear_notifications"}), ("write", set())],
)
def test_an_app_has_no_public_method_for_it(word: str, names: set[str]) -> None:
    public = {name for name in dir(App) if word in name and name.islower() and name[0] != "_"}
    assert public == names


class _BoxApp(App[None]):
    def compose(self) -> ComposeResult:
        yield TextArea()


async def test_a_binding_runs_behind_letters_that_were_typed_after_it() -> None:
    app = _BoxApp()
    async with app.run_test() as pilot:
        box = app.query_one(TextArea)
        box.focus()
        await pilot.pause()
        for key in ("b", "a", "backspace", "c"):
            app.post_message(events.Key(key, key if len(key) == 1 else None))
        await pilot.pause()
        assert box.text != "bc"


def test_what_is_written_while_the_app_is_suspended_fills_the_queue() -> None:
    writer = WriterThread(io.StringIO())
    writer.start()
    writer.stop()
    for _ in range(MAX_QUEUED_WRITES):
        writer.write("a")
    assert writer._queue.full()


class _ClosedTerminal(io.StringIO):
    def write(self, text: str) -> int:
        raise OSError(5, "Input/output error")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_the_writer_of_a_closed_terminal_ends() -> None:
    writer = WriterThread(_ClosedTerminal())
    writer.start()
    writer.write("a")
    writer.join(60)
    assert not writer.is_alive()


async def test_an_app_is_laid_out_in_a_terminal_of_any_size() -> None:
    app = _BoxApp()
    async with app.run_test(size=(1, 1)):
        assert app.size == (1, 1)


class _Deaf(Static, can_focus=True):
    async def on_key(self) -> None:
        task = asyncio.create_task(asyncio.sleep(10))
        task.cancel()
        await task


class _DeafApp(App[None]):
    def compose(self) -> ComposeResult:
        yield _Deaf("deaf")


async def test_a_message_loop_ends_silently() -> None:
    app = _DeafApp()
    async with app.run_test():
        widget = app.query_one(_Deaf)
        loop = widget.task
        widget.focus()
        app.simulate_key("x")
        await asyncio.wait([loop], timeout=60)
        assert loop.done()
        assert app.return_code is None
        # Removing the widget awaits its loop.
        widget._task = None
        widget._running = False
