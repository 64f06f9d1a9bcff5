"""Text of other hands is shown as text: nothing of it is markup or reaches the terminal."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.scripted import answer, call, calls
from tests.tui.conftest import NOW, WIDE, AppSetup, OpenApp
from todo_tui.config.settings import ModelName
from todo_tui.domain.errors import ProviderError, ProviderErrorKind
from todo_tui.domain.task import Actor
from todo_tui.domain.when import Clock
from todo_tui.store.store import open_store
from todo_tui.tui.app import TodoApp
from todo_tui.tui.chat.transcript import Transcript

PIECES = (
    "[", "]", "[bold]", "[/]", "[red", "[@click=app.quit]x[/]", "\\[", "$primary", "{x}",
    "\x1b[31m", "\x1b]52;c;aGk=\x07", "\x1b]0;title\x07", "\x9b2J", "\x00", "\x07", "\x08", "\x7f",
    "\u202e", "\u2066", "\u200f", "\u200d", "\ufe0f", "e\u0301", "👩‍👩‍👧", "❤️", "日本語",
    "العربية", "\t", "\r", "\n", "\u2028", "```", "`", "**", "# ", "|a|b|\n|-|-|\n", "<b>",
    "<script>", "&amp;",
    "![x](http://x)", "[x](javascript:alert)", "- ", "1. ", "https://example.com", "plain words ",
)  # fmt: skip

nasty = st.lists(st.sampled_from(PIECES) | st.text(max_size=5), min_size=1, max_size=12).map(
    "".join
)


async def show_everywhere(text: str, folder: Path) -> str:
    """Puts the text wherever foreign text is shown, and returns all that was on screen."""
    clock = Clock("Europe/Berlin", NOW)
    with open_store(folder / "tasks.db", user="ann", clock=clock) as store:
        store.tasks.add({"title": f"t {text}"}, by=store.new_change_context(Actor.IMPORT))
        app_setup = AppSetup(store, clock, named=ModelName("ollama", f"m {text}"))
        app_setup.running["ollama"] = (f"n {text}",)
        app_setup.script(
            calls(call("add_task", title=f"a {text}", notes=text), call("no_such_tool", x=text)),
            answer(f"s {text}"),
            [ProviderError(ProviderErrorKind.AUTH, f"e {text}", hint=f"h {text}")],
        )
        app = TodoApp(app_setup.services())
        app.animation_level = "none"
        async with app.run_test(size=WIDE, notifications=True) as pilot:
            running = OpenApp(app, pilot)
            await running.until(lambda: running.screen.query(Transcript))
            await running.settle()
            running.composer.put_back(f"q {text}")
            await running.press("enter")
            await running.settle()
            await running.press("ctrl+o")
            shown = running.shown()
            await running.send("again")
            app.notify(text, markup=False)
            await pilot.pause()
            shown += running.shown()
            await running.press("f2")
            await running.settle()
            shown += running.shown()
            app.exit()
    return shown


@settings(max_examples=1, deadline=None, suppress_health_check=list(HealthCheck))
@given(nasty)
@example("".join(PIECES))
def test_no_text_breaks_the_screen_or_reaches_the_terminal_as_a_command(text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        shown = asyncio.run(show_everywhere(text, Path(folder)))
    unsafe = {c for c in shown if (ord(c) < 32 and c != "\n") or 127 <= ord(c) < 160}
    bidi = {c for c in shown if c in "\u061c\u200e\u200f" or "\u202a" <= c <= "\u202e"}
    assert not unsafe
    assert not bidi


def test_brackets_and_tags_are_read_as_written() -> None:
    text = "[bold]x[/bold] <b>y</b> [/] [red"
    with tempfile.TemporaryDirectory() as folder:
        shown = asyncio.run(show_everywhere(text, Path(folder)))
    assert f"q {text}" in shown
    assert f"s {text}" in shown
    assert f"e {text}" in shown
