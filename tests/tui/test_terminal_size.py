"""Terminals of any size, and storms of resizes, with whatever is open."""

from __future__ import annotations

from itertools import chain, cycle
from pathlib import Path

from tests.scripted import answer
from tests.tui.conftest import WIDE, AppOpener, AppSetup
from tests.tui.driving import wait_until_idle
from tests.tui.test_in_a_terminal import running as in_a_terminal
from todo_tui.domain.task import Actor
from todo_tui.tui.textual_fixes import MINIMUM

TINY = [(1, 1), (2, 30), (3, 3), (6, 2), (200, 1), (1, 60), (29, 8), (30, 7)]
SMALL = [(30, 8), (31, 9), (36, 8), (99, 8), (30, 40)]
OPENED = {
    "chat": (),
    "conversation": ("shift+tab",),
    "list": ("tab",),
    "details": ("tab", "v"),
    "editor": ("tab", "E"),
    "quick add": ("tab", "a"),
    "calendar": ("tab", "c"),
    "views": ("tab", "w"),
    "help": ("f1",),
    "models": ("f2",),
    "usage": ("f3",),
    "statistics": ("f4",),
    "palette": ("ctrl+p",),
}


async def test_every_screen_survives_every_size_and_keeps_its_focus(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.store.tasks.add(
        {"title": "Buy milk 日本語 " * 5}, by=app_setup.store.new_change_context(Actor.USER)
    )
    # Of two screens in a row one becomes tiny, the other small.
    sizes = cycle(chain.from_iterable(zip(TINY, cycle(SMALL), strict=False)))
    async with open_app() as running:
        for opened, keys in OPENED.items():
            await running.press(*keys)
            screen, focused = running.app.screen, running.app.focused
            for width, height in (next(sizes), WIDE):
                await running.pilot.resize_terminal(width, height)
                laid_out = (max(width, MINIMUM.width), max(height, MINIMUM.height))
                assert running.app.size == laid_out
            assert running.app.screen is screen, opened
            assert running.app.focused is focused, opened
            while running.app.screen is not running.screen:
                await running.press("escape")
            running.composer.focus()
            await wait_until_idle()


async def test_resizes_while_an_answer_streams_lose_nothing(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    text = "Once upon a time there was a list. " * 20
    app_setup.script(answer(text, pause=0.002))
    async with open_app() as running:
        await running.type("tell me")
        await running.press("enter")
        await running.type("a draft")
        for size in [*TINY, *SMALL, WIDE]:
            await running.pilot.resize_terminal(*size)
        await running.settle()
        assert running.composer.text == "a draft"
        assert "there was a list." in running.shown()


def test_a_tiny_terminal_says_so_and_shows_all_again_when_it_has_grown(tmp_path: Path) -> None:
    with in_a_terminal(tmp_path) as terminal:
        terminal.until(lambda text: "Message the assistant" in text)
        terminal.type("a draft")
        terminal.until(lambda text: "a draft" in text)
        for rows, columns in ((5, 26), (1, 1), (36, 2), (3, 40), (7, 29)):
            terminal.resize(rows, columns)
        shown = terminal.until(lambda text: "Terminal too small: 29×7" in text)
        assert "a draft" not in shown
        terminal.resize(36, 120)
        shown = terminal.until(lambda text: "│ a draft" in text)
        assert "too small" not in shown
        terminal.type("\x11")
        assert terminal.ends() == 0
