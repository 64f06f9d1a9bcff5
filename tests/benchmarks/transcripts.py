"""Long conversations: streaming, a spinner, keys while streaming, opening, memory."""

from __future__ import annotations

import asyncio
import gc
import random
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

from textual import events
from textual.app import App, ComposeResult
from textual.containers import VerticalScroll
from textual.widget import Widget
from textual.widgets import Markdown, Static, TextArea

from tests.benchmarks.first_frame import app_command, measure
from tests.benchmarks.memory import resident
from tests.benchmarks.report import Row, paired
from tests.scripted import Pause, Round, ScriptedProvider, answer
from tests.tui.conftest import AppSetup
from todo_tui.domain.messages import Message, Role, Text, TextDelta, TurnStatus
from todo_tui.domain.when import Clock
from todo_tui.store.store import Store, open_store
from todo_tui.tui.app import TodoApp
from todo_tui.tui.chat.answer import StreamingAnswer
from todo_tui.tui.chat.composer import Composer
from todo_tui.tui.chat.trace_rows import SPINNER_SECONDS, TraceRow
from todo_tui.tui.chat.transcript import Transcript

MARKDOWN = """\
## Plan for the report

The report is due on **Friday**, so there are *three* days left. Here is what I would do:

1. Collect the numbers from the [sales sheet](https://example.com/sales) on Tuesday.
2. Write the summary on Wednesday, two pages at most.
3. Let Ann read it on Thursday morning, and send it at noon.

| day | what | hours |
|-----|------|-------|
| Tue | numbers | 2 |
| Wed | summary | 3 |
| Thu | review | 1 |

```python
for day in ("Tue", "Wed", "Thu"):
    print(day, hours[day])
```

> Nothing else is due this week, apart from the rent.

"""
_CHARACTERS, _CHUNKS, _CHUNK_SECONDS = 4_000, 700, 0.005
_SIZE = (120, 36)
_FEW, _MANY = 10, 10_000
_PACE_SECONDS = 0.014
_KEY_SECONDS = 0.06
"""Pause between two keys of a fast typist."""


def chunks() -> list[str]:
    """Return 4,000 characters of Markdown in 700 chunks of different lengths."""
    text = (MARKDOWN * 10)[:_CHARACTERS]
    cuts = sorted(random.Random(1).sample(range(1, _CHARACTERS), _CHUNKS - 1))  # noqa: S311
    return [text[start:end] for start, end in zip([0, *cuts], [*cuts, None], strict=True)]


def compare(folder: Path, *, runs: int, many: int = _MANY) -> Iterator[Row]:
    """All rows; `many` messages are opened beside ten."""
    ours, bare = partial(_cpu_of_stream, _write), partial(_cpu_of_stream, _write_bare)
    name = "streaming 4,000 characters of Markdown in 700 chunks beside `Markdown.get_stream`, CPU"
    yield paired(name, ours, bare, runs=runs, target=0.7)
    keys = 40 * min(runs, 5)
    tick, key = asyncio.run(_ticks_and_keys(folder, keys=keys))
    bare_tick, bare_key = asyncio.run(_bare_ticks_and_keys(keys=keys))
    name = f"a spinner tick with 300 messages beside a bare app with {_FEW}, CPU"
    yield _ceiling(name, tick, bare_tick, 2.0)
    name = (
        f"a key while streaming, 300 messages beside a bare app with {_FEW}, 95th percentile, CPU"
    )
    yield _ceiling(name, key, bare_key, 16.0)
    databases = [folder / f"conversation-{count}" / "tasks.db" for count in (many, _FEW)]
    for database, count in zip(databases, (many, _FEW), strict=True):
        database.parent.mkdir()
        with open_store(database, user="me", clock=Clock("UTC")) as store:
            fill(store, count // 2)
    commands = [app_command(database) for database in databases]
    opening = [partial(_opening, *command) for command in commands]
    name = f"opening a conversation of {many:,} messages beside {_FEW}, CPU"
    yield paired(name, *opening, runs=runs, target=1.2)
    pairs = [tuple(resident(*command) for command in commands) for _ in range(min(runs, 3))]
    large, small = (statistics.median(side) for side in zip(*pairs, strict=True))
    name = f"resident memory with {many:,} messages beside {_FEW}"
    yield Row(name, large, small, "MB", large / small, 1.05)


def _ceiling(name: str, ours: float, bare: float, ceiling: float) -> Row:
    return Row(name, ours * 1000, bare * 1000, "ms", ours / bare, None, ceiling=ceiling)


def fill(store: Store, turns: int) -> None:
    """Write one conversation of so many turns, the last of which says so."""
    conversation: str | None = None
    for number in range(turns):
        said = Message(Role.USER, (Text(f"question {number}: what about the report?"),))
        turn = store.turns.open(conversation, said, provider="groq", model="openai/gpt-oss-120b")
        conversation = turn.conversation_id
        words = "The newest answer." if number == turns - 1 else f"Answer {number}. {MARKDOWN}"
        told = Message(Role.ASSISTANT, (Text(words),), origin="groq:openai/gpt-oss-120b")
        store.turns.close(turn.id, TurnStatus.FINISHED, messages=[told])


def _opening(command: list[str], env: dict[str, str]) -> float:
    return measure(command, env, ["The newest answer."]).cpu


class _Host(App[None]):
    """A scrolling column with one answer."""

    def __init__(self, answer: Markdown) -> None:
        super().__init__()
        self.answer = answer

    def compose(self) -> ComposeResult:
        with VerticalScroll() as column:
            column.anchor()
            yield self.answer


async def _write(widget: Markdown) -> None:
    assert isinstance(widget, StreamingAnswer)
    for chunk in chunks():
        widget.write(chunk)
        await asyncio.sleep(_CHUNK_SECONDS)
    await widget.settle()


async def _write_bare(widget: Markdown, pause: float = _CHUNK_SECONDS) -> None:
    stream = Markdown.get_stream(widget)
    for chunk in chunks():
        await stream.write(chunk)
        await asyncio.sleep(pause)
    await stream.stop()


def _cpu_of_stream(write: Callable[[Markdown], object]) -> float:
    """CPU seconds of an answer, from its first chunk until all is painted."""

    async def run() -> float:
        widget = StreamingAnswer() if write is _write else Markdown()
        app = _Host(widget)
        async with app.run_test(size=_SIZE) as pilot:
            await pilot.pause()
            began = time.process_time()
            await (_write if write is _write else _write_bare)(widget)
            await pilot.pause()
            return time.process_time() - began

    return asyncio.run(run())


async def _ticks_and_keys(folder: Path, *, keys: int) -> tuple[float, float]:
    """CPU of a spinner's tick with 300 messages, and of a key while an answer streams."""
    clock = Clock("UTC")
    async with AsyncExitStack() as stack:
        (folder / "streaming").mkdir()
        database = folder / "streaming" / "tasks.db"
        store = stack.enter_context(open_store(database, user="me", clock=clock))
        fill(store, 150)
        app_setup = AppSetup(store, clock)
        app_setup.provider = ScriptedProvider(lambda _: _streamed())
        app = TodoApp(app_setup.services())
        gc.disable()
        pilot = await stack.enter_async_context(app.run_test(size=_SIZE))
        while not app.screen.query(Transcript) or not app.screen.query_one(Transcript).turns:
            await pilot.pause()
        await asyncio.sleep(1)
        row = TraceRow(label="Looking at your open tasks…")
        tick = await _cpu_of_tick(row, app.screen.query_one(Transcript).turns[-1])
        spent: list[float] = []
        while len(spent) < keys:
            app.post_message(events.Key("x", "x"))
            app.post_message(events.Key("enter", "\r"))
            await asyncio.sleep(1)
            while app.screen.query_one(Transcript).turns[-1].status is TurnStatus.RUNNING:
                spent.append(await _cpu_of_key(app.screen.query_one(Composer)))
                await asyncio.sleep(_KEY_SECONDS)
            await pilot.press("ctrl+u")
        await app.action_quit()
        assert app.leaving is not None
        await app.leaving
    return tick, statistics.quantiles(spent, n=20)[-1]


def _streamed() -> Round:
    """The answer at the pace of a fast model: ten seconds."""
    *_, end = answer("".join(chunks()))
    told = [step for chunk in chunks() for step in (TextDelta(chunk), Pause(_PACE_SECONDS))]
    return (*told, end)


class _BareChat(App[None]):
    """A few messages in a column, and a text box below: what Textual itself takes."""

    def compose(self) -> ComposeResult:
        with VerticalScroll() as column:
            column.anchor()
            for _ in range(_FEW):
                yield Markdown(MARKDOWN)
        yield TextArea()

    def on_mount(self) -> None:
        box = self.query_one(TextArea)
        box.styles.height = 3
        box.focus()


class _BareSpinner(Static):
    def on_mount(self) -> None:
        self.auto_refresh = SPINNER_SECONDS

    def render(self) -> str:
        return f"{time.monotonic():.1f} Looking at your open tasks…"


async def _bare_ticks_and_keys(*, keys: int) -> tuple[float, float]:
    app = _BareChat()
    spent: list[float] = []
    async with app.run_test(size=_SIZE) as pilot:
        await pilot.pause()
        column, box = app.query_one(VerticalScroll), app.query_one(TextArea)
        tick = await _cpu_of_tick(_BareSpinner(), column)
        while len(spent) < keys:
            answer = Markdown()
            await column.mount(answer)
            stream = asyncio.create_task(_write_bare(answer, _PACE_SECONDS))
            await asyncio.sleep(1)
            while not stream.done():
                spent.append(await _cpu_of_key(box))
                await asyncio.sleep(_KEY_SECONDS)
            box.clear()
    return tick, statistics.quantiles(spent, n=20)[-1]


async def _cpu_of_tick(row: Widget, column: Widget) -> float:
    """CPU seconds of one tick: what a second with a running row takes more than one without."""
    quiet = await _cpu_of_a_while()
    await column.mount(row)
    await asyncio.sleep(0.5)
    busy = await _cpu_of_a_while()
    await row.remove()
    return max(busy - quiet, 0.0) * SPINNER_SECONDS


async def _cpu_of_a_while() -> float:
    """CPU seconds per second."""
    spent = []
    for _ in range(5):
        began = time.process_time()
        await asyncio.sleep(1)
        spent.append(time.process_time() - began)
    return statistics.median(spent)


async def _cpu_of_key(composer: TextArea) -> float:
    """CPU seconds from a key until it is painted, with whatever comes before it."""
    painted = asyncio.Event()
    before = composer.text
    began = time.process_time()
    composer.app.post_message(events.Key("y", "y"))
    while composer.text == before:  # noqa: ASYNC110 - an event would come a task later
        await asyncio.sleep(0)
    composer.call_after_refresh(painted.set)
    await painted.wait()
    return time.process_time() - began
