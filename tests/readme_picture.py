"""The moving picture of the README, taken from the running app: `python -m tests.readme_picture`.

Two tasks, a question, another model, an approval and an undo. The built-in assistant answers the
first messages; the model's answers are a script, as no model runs where the picture is made. The
time that passes between two screens is set, all else is what the app draws.
"""

from __future__ import annotations

import asyncio
import re
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from textual.pilot import Pilot

from tests.scripted import ScriptedProvider, answer, call, calls, in_order
from tests.tui.conftest import AppSetup
from tests.tui.driving import press_keys, type_text, wait_until_idle
from todo_tui.domain.messages import Provider
from todo_tui.domain.task import Actor, JsonValue, Priority, TaskFields
from todo_tui.domain.when import Clock, When
from todo_tui.providers.offline.assistant import BuiltInAssistant
from todo_tui.store.store import open_store
from todo_tui.tui.app import TodoApp
from todo_tui.tui.theme import DARK

PICTURE = Path(__file__).resolve().parents[1] / "docs" / "todo-tui.svg"

_NOW = datetime(2026, 11, 18, 14, 30)
_TASKS = (
    ("Call the dentist", -1, TaskFields()),
    ("Water the plants", 0, TaskFields(recurrence="FREQ=DAILY;INTERVAL=3")),
    ("Pay rent", 2, TaskFields(priority=Priority.HIGH, project="home")),
    ("Write the quarterly report", 9, TaskFields(tags=("work",))),
    ("Renew the passport", 27, TaskFields()),
    ("Old receipts", None, TaskFields(project="attic")),
    ("Ski boots", None, TaskFields(project="attic")),
    ("Broken lamp", None, TaskFields(project="attic")),
    ("Box of cables", None, TaskFields(project="attic")),
    ("Grandpa's radio", None, TaskFields(project="attic")),
    ("Moving boxes", None, TaskFields(project="attic")),
)
_ATTIC: list[JsonValue] = [6, 7, 8, 9, 10, 11]
_LETTER, _STEP, _READ = 0.07, 0.6, 3.0
"""Seconds that a typed letter, a step and a screen to be read are shown."""
_LINE_HEIGHT = 24.4
_BACKGROUND = (DARK.background or "").lower()


class _Model(ScriptedProvider):
    """The script under the name of the provider that is chosen."""

    @property
    def id(self) -> str:
        return "ollama"


@dataclass
class _Film:
    """Screens one after another, as SVG pictures with the seconds that each is shown."""

    app: TodoApp
    screens: list[tuple[str, float]] = field(default_factory=list)

    async def show(self, seconds: float) -> None:
        await wait_until_idle()
        self.screens.append((self.app.export_screenshot(title="todo-tui"), seconds))

    async def type(self, text: str) -> None:
        for letter in text:
            type_text(self.app, letter)
            await self.show(_LETTER)

    async def press(self, *keys: str, seconds: float = _STEP) -> None:
        await press_keys(self.app, keys)
        await self.show(seconds)

    async def answered(self) -> None:
        """Wait for the answer, with what is drawn before it."""
        for _ in range(40):
            await asyncio.sleep(0.05)
            await wait_until_idle()
        await self.show(_READ)


async def _film(pilot: Pilot[None], app: TodoApp) -> _Film:
    film = _Film(app)
    await pilot.pause(1)
    await film.show(1.5)
    for text in ("add buy milk tomorrow 5pm and call mom on friday", "what should I do first?"):
        await film.type(text)
        await film.press("enter")
        await film.answered()
    await film.press("f2", seconds=1.2)
    await film.type("qwen")
    await film.press("enter", seconds=1.5)
    await film.type("clear out the attic")
    await film.press("enter")
    await film.answered()
    await film.press("tab", seconds=1.2)
    await film.press("y")
    await film.answered()
    await film.press("alt+u")
    await film.answered()
    return film


async def _take(folder: Path) -> list[tuple[str, float]]:
    clock = Clock("Europe/Berlin", _NOW)
    with open_store(folder / "tasks.db", user="me", clock=clock) as store:
        store.tasks.add_many(
            [TaskFields(**fields, title=title, due=_due(days)) for title, days, fields in _TASKS],
            by=store.new_change_context(Actor.USER),
        )
        setup = AppSetup(store, clock)
        setup.running["ollama"] = ("qwen3.5:4b",)
        script = _Model(
            in_order(
                calls(call("delete_task", task_ids=_ATTIC)),
                answer("The attic is empty: 6 tasks are in the trash."),
            ),
            model="qwen3.5:4b",
        )

        def open_provider(row_id: str, model: str) -> Provider:
            return BuiltInAssistant(store.index) if row_id == "offline" else script

        setup.open_provider = open_provider
        app = TodoApp(setup.services())
        app.animation_level = "none"
        async with app.run_test(size=(120, 36), notifications=True) as pilot:
            film = await _film(pilot, app)
            await app.action_quit()
            assert app.leaving is not None
            await app.leaving
    return film.screens


def _due(days: int | None) -> When | None:
    return None if days is None else When(_NOW.date() + timedelta(days=days))


def animate(screens: Iterable[tuple[str, float]]) -> str:
    """Return one SVG in which each line of the screens is shown while it stands there."""
    styles: dict[str, str] = {}
    lines: dict[str, str] = {}
    spans: dict[tuple[int, str], list[tuple[float, float]]] = defaultdict(list)
    now, frame = 0.0, ""
    for svg, seconds in screens:
        frame = frame or svg
        for row, content in _lines_of(svg, styles).items():
            name = lines.setdefault(content, f"l{len(lines)}")
            shown = spans[row, name]
            if shown and shown[-1][1] == now:
                shown[-1] = (shown[-1][0], now + seconds)
            else:
                shown.append((now, now + seconds))
        now += seconds
    # Before the lines stand the frame and the backgrounds, which belong to the lines here.
    head, body = re.split(r'<g class="[^"]*-matrix">', frame)[0], []
    head = re.sub(r'<rect fill="[^"]*" x="[^"]*" y="[^"]*"[^>]*crispEdges"[^>]*/>', "", head)
    for (row, name), times in sorted(spans.items()):
        for start, end in times:
            use = f'<use href="#{name}" y="{row * _LINE_HEIGHT:.1f}"'
            whole = start == 0 and end == now
            body.append(f"{use}/>" if whole else _shown_for(use, start, end, now))
    head = re.sub(r"@font-face \{.*?\}\s*", "", head, flags=re.DOTALL)
    head = re.sub(r"\.terminal-\d+-r\d+ \{.*?\}\s*", "", head)
    head = re.sub(r"<clipPath id=\"terminal-\d+-line-.*?</clipPath>\s*", "", head, flags=re.DOTALL)
    rules = "".join(f".{name} {{{rule}}}" for rule, name in styles.items())
    symbols = "".join(f'<g id="{name}">{content}</g>' for content, name in lines.items())
    head = head.replace("</style>", f"{rules}</style>").replace("</defs>", f"{symbols}</defs>")
    head = re.sub(r"terminal-\d+", "terminal", head)
    ground = f'<rect fill="{_BACKGROUND}" width="1464" height="{36 * _LINE_HEIGHT + 1.5:.1f}"/>'
    return f'{head}{ground}<g class="terminal-matrix">{"".join(body)}</g></g></svg>\n'


def _lines_of(svg: str, styles: dict[str, str]) -> dict[int, str]:
    """Return the drawing of each line at the place of the first, by its row."""
    rules = dict(re.findall(r"\.(terminal-\d+-r\d+) \{(.*?)\}", svg))
    matrix = svg.split('-matrix">')[1]
    found: dict[int, str] = defaultdict(str)
    for rect in re.findall(r'<rect fill="[^"]*" x="[^"]*" y="[^"]*"[^>]*/>', svg):
        y = float(re.findall(r' y="([\d.]+)"', rect)[0])
        row = round((y - 1.5) / _LINE_HEIGHT)
        is_drawn = f'fill="{_BACKGROUND}"' not in rect and 'width="0"' not in rect
        if is_drawn and 'shape-rendering="crispEdges"' in rect:
            found[row] += re.sub(r' y="[\d.]+"', ' y="1.5"', rect)
    for text in re.findall(r"<text class.*?</text>", matrix):
        y = float(re.findall(r' y="([\d.]+)"', text)[0])
        row = round((y - 20) / _LINE_HEIGHT)
        name = re.findall(r'class="(terminal-\d+-r\d+)"', text)[0]
        style = styles.setdefault(rules[name], f"s{len(styles)}")
        text = re.sub(r' y="[\d.]+"', ' y="20"', text).replace(name, style)
        text = re.sub(r' clip-path="[^"]*"', "", text)
        found[row] += text.replace("<text ", '<text xml:space="preserve" ')
    return found


def _shown_for(use: str, start: float, end: float, whole: float) -> str:
    values, times = ["hidden", "visible", "hidden"], [0.0, start / whole, end / whole]
    if start == 0:
        values, times = values[1:], [0.0, times[2]]
    if end == whole:
        values, times = values[:-1], times[:-1]
    key_times = ";".join(f"{each:.5f}" for each in times)
    return (
        f'{use} visibility="{"visible" if start == 0 else "hidden"}"><animate '
        f'attributeName="visibility" dur="{whole:.2f}s" repeatCount="indefinite" '
        f'calcMode="discrete" values="{";".join(values)}" keyTimes="{key_times}"/></use>'
    )


def main() -> None:
    """Write the picture, without the fonts that it would fetch from elsewhere."""
    with tempfile.TemporaryDirectory() as folder:
        screens = asyncio.run(_take(Path(folder)))
    PICTURE.write_text(animate(screens), "utf-8")


if __name__ == "__main__":
    main()
