"""The app with real parts: a store in a file, the agent's loop, a provider that plays scripts."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from syrupy.location import PyTestLocation
from textual.message import Message
from textual.notifications import Notify
from textual.pilot import Pilot

from tests.blank import blank
from tests.scripted import Round, ScriptedProvider, in_order
from tests.tui.driving import press_keys, type_text, wait_until_idle
from todo_tui.agent.approver import with_last_mode
from todo_tui.agent.run_config import RunConfig
from todo_tui.cli.wiring.providers import choose_first_model
from todo_tui.config.load import Configuration
from todo_tui.config.provider_row import ProviderOption
from todo_tui.config.settings import ApprovalSettings, LimitSettings, ModelName, Settings
from todo_tui.domain.errors import TodoError
from todo_tui.domain.messages import ModelInfo, Provider
from todo_tui.domain.when import Clock, DateStyle
from todo_tui.knowledge.vectors import VectorIndex
from todo_tui.providers.readiness import CheckResult, Readiness, ReadyState
from todo_tui.providers.registry import PROVIDERS, ProviderRow
from todo_tui.store.store import Store, open_store
from todo_tui.tui.app import TodoApp
from todo_tui.tui.chat.composer import Composer
from todo_tui.tui.chat.trace_rows import TraceRow
from todo_tui.tui.chat.transcript import Transcript
from todo_tui.tui.screens.help import KeyTable
from todo_tui.tui.screens.main import MainScreen
from todo_tui.tui.services import AppServices
from todo_tui.tui.task_list import controller as list_controller

NOW = datetime(2026, 11, 18, 14, 30)
"""A Wednesday."""
WIDE, NARROW = (120, 36), (80, 24)

_PATIENCE_SECONDS = 120.0
"""Until a test gives up; nothing takes nearly as long."""
_PAUSES_IN_A_ROW = 3
_PICTURE_PATIENCE_SECONDS = 10.0
"""Until a picture that differs is taken for what the screen stays at."""
_PICTURE_POLL_SECONDS = 0.1

POLL_SECONDS = 0.004
_LONGEST_POLL_SECONDS = 0.064
"""Reached by doubling: to look at the screen takes as long as to draw it."""


@dataclass
class AppSetup:
    """What the next app is opened with; a test changes it before it opens one."""

    store: Store
    clock: Clock
    keys: set[str] = field(default_factory=set)
    """Ids of the providers for which a key is found."""
    running: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Models of the local servers that run, by provider id."""
    agreed: set[str] = field(default_factory=lambda: {"ollama", "local"})
    """Providers whose host the configuration names: most tests ask for no consent to them."""
    named: ModelName | None = None
    theme: str = ""
    no_color: bool = False
    changes: dict[str, object] = field(default_factory=dict)
    """Fields of the run configuration that differ."""
    lists: dict[str, tuple[ModelInfo, ...] | TodoError] = field(default_factory=dict)
    """What the servers of providers say when they are asked for their models."""
    listed: list[str] = field(default_factory=list)
    """Providers whose models were asked for."""
    checks: dict[str, CheckResult | TodoError] = field(default_factory=dict)
    """What comes of a test request, by `provider:model`."""
    checked: list[str] = field(default_factory=list)
    """Models that were sent a test request."""
    missing: dict[str, str] = field(default_factory=dict)
    """What to install before a provider can be used."""
    titles: list[str] = field(default_factory=list)
    """What a model names the next conversations; none: nobody names them."""
    approvals: ApprovalSettings = field(
        default_factory=lambda: ApprovalSettings(ask_is_default=True)
    )
    """When the configuration wants approval."""
    log_path: Path | None = None
    budget: float | None = None
    keymap: dict[str, str] = field(default_factory=dict)
    """Keys of actions that have others than usual."""
    conversation_id: str | None = None
    """The conversation that the app is to open, if not the latest."""
    config_errors: tuple[str, ...] = ()
    """What is wrong in the configuration."""
    read_configuration: Callable[[], Configuration] | None = None
    opened: list[tuple[str, str]] = field(default_factory=list)
    """Providers and models that the app has opened a client for."""
    provider: ScriptedProvider = field(default_factory=lambda: ScriptedProvider(in_order()))
    open_provider: Callable[[str, str], Provider] | None = None
    """What opens a client in place of the script."""
    open_vectors: Callable[[], VectorIndex | None] = lambda: None
    """What returns the search of documents by meaning."""

    def script(self, *rounds: Round) -> None:
        """What the model says from now on, whichever is chosen."""
        self.provider = ScriptedProvider(in_order(*rounds))

    def services(self) -> AppServices:
        provider, model = self.named or (None, None)
        settings = Settings(
            provider=provider,
            model=model,
            theme=self.theme,
            no_color=self.no_color,
            approvals=self.approvals,
            limits=LimitSettings(daily_budget_usd=self.budget),
        )
        options = tuple(self._option(row) for row in PROVIDERS)
        return AppServices(
            settings=settings,
            store=self.store,
            clock=self.clock,
            style=DateStyle(),
            options=options,
            first=choose_first_model(settings, options, self.store.app_state),
            open_provider=self.open_provider or self._open,
            readiness=self._readiness,
            make_run_config=self._run_config,
            log_path=self.log_path,
            models=self._list,
            check=self._check,
            find_install_hint=lambda row_id: self.missing.get(row_id, ""),
            generate_title=self._name if self.titles else None,
            open_vectors=self.open_vectors,
            keymap=self.keymap,
            conversation_id=self.conversation_id,
            config_errors=self.config_errors,
            read_configuration=self.read_configuration,
        )

    def _option(self, row: ProviderRow) -> ProviderOption:
        host = row.base_url.removeprefix("https://").removeprefix("http://").partition("/")[0]
        return ProviderOption(
            row=row,
            model=row.default_model,
            host=host,
            key_found=row.id in self.keys,
            remote=row.remote,
            agreed=row.id in self.agreed
            or (self.named is not None and self.named.provider == row.id),
        )

    def _open(self, row_id: str, model: str) -> Provider:
        self.opened.append((row_id, model))
        row = next(each for each in PROVIDERS if each.id == row_id)
        # Whichever is chosen plays the script, under its own model's name.
        self.provider._model = (
            model or row.default_model or ("" if row.id in self.running else "script")
        )
        return self.provider

    async def _readiness(self, row_id: str) -> Readiness:
        row = next(each for each in PROVIDERS if each.id == row_id)
        if row.needs_key and row_id not in self.keys:
            return Readiness(False, f"set {row.key_variable}", state=ReadyState.NO_KEY)
        if row.base_url and not row.remote and row_id not in self.running:
            where = row.base_url.removeprefix("http://").partition("/")[0]
            return Readiness(False, f"not running at {where}", state=ReadyState.NOT_RUNNING)
        result = self.lists.get(row_id, ())
        models = tuple(ModelInfo(name) for name in self.running.get(row_id, ()))
        if isinstance(result, tuple) and not row.remote:
            models = result or models
        return Readiness(True, "ready", models)

    async def _list(self, row_id: str) -> tuple[ModelInfo, ...]:
        self.listed.append(row_id)
        result = self.lists.get(row_id, ())
        if isinstance(result, TodoError):
            raise result
        return result

    async def _check(self, row_id: str, model: str) -> CheckResult:
        self.checked.append(f"{row_id}:{model}")
        result = self.checks[f"{row_id}:{model}"]
        if isinstance(result, TodoError):
            raise result
        return result

    async def _name(self, conversation_id: str) -> str | None:
        title = self.titles.pop(0)
        await asyncio.to_thread(self.store.conversations.rename, conversation_id, title)
        return title

    def _run_config(self, provider: Provider) -> RunConfig:
        approvals = with_last_mode(self.approvals, self.store.decisions)
        config = RunConfig(self.store, provider, approvals=approvals)
        return replace(config, **self.changes)  # type: ignore[arg-type]  # fields by name


@pytest.fixture
def app_setup(tmp_path: Path) -> Iterator[AppSetup]:
    """A store in a new file at a fixed moment, and a model without a script."""
    clock = Clock("Europe/Berlin", NOW)
    with open_store(blank(tmp_path / "tasks.db"), user="ann", clock=clock) as store:
        yield AppSetup(store, clock)


@dataclass
class OpenApp:
    """A running app, with the waits that tests need."""

    app: TodoApp
    pilot: Pilot[None]
    notified: list[str] = field(default_factory=list)
    """Texts of all notices, those that have expired too."""

    @property
    def screen(self) -> MainScreen:
        screen = self.app.screen_stack[0]
        assert isinstance(screen, MainScreen)
        return screen

    @property
    def composer(self) -> Composer:
        return self.screen.query_one(Composer)

    @property
    def transcript(self) -> Transcript:
        return self.screen.query_one(Transcript)

    def writes(self) -> bool:
        """Whether the keys go to the composer."""
        return self.composer.has_focus

    def is_dark(self) -> bool:
        """Whether the dark theme is on."""
        return self.app.current_theme.dark

    async def press(self, *keys: str) -> None:
        """Press keys and let the app come to rest."""
        await press_keys(self.app, keys)
        await wait_until_idle()

    async def click(self, words: str) -> None:
        """Click on the first place on screen with these words."""
        rows = self.shown().split("\n")
        row = next(at for at, line in enumerate(rows) if words in line)
        await self.pilot.click(offset=(rows[row].index(words) + 1, row))
        await self.settle()

    async def type(self, text: str) -> None:
        """Type text into whatever has the focus, as fast as the app takes the keys."""
        type_text(self.app, text)
        await self.until_keys_are_handled()

    async def until_keys_are_handled(self) -> None:
        keys = self.app._keys
        await self.until(lambda: not keys._waiting and keys._under_way is None, pauses=1)

    async def send(self, text: str) -> None:
        """Say something, as pasted, and wait for the turn to end."""
        self.composer.insert(text)
        await self.press("enter")
        await self.settle()

    async def settle(self) -> None:
        """Wait until no worker runs, but for those that wait for a person, and all is handled."""
        await self.until(
            lambda: all(
                worker.is_finished or worker.group in ("model", "proposal")
                for worker in self.app.workers
            )
        )

    async def until(self, holds: Callable[[], object], pauses: int = _PAUSES_IN_A_ROW) -> None:
        """Wait for something to become true, and to be so still when all is handled.

        A key that was pressed passes through several queues before a worker runs for it.
        """
        deadline = time.monotonic() + _PATIENCE_SECONDS
        held, pause = 0, POLL_SECONDS
        while held < pauses:
            assert time.monotonic() < deadline, "the app did not come so far"
            await wait_until_idle()
            if holds():
                held += 1
            else:
                held = 0
                await asyncio.sleep(pause)
                pause = min(2 * pause, _LONGEST_POLL_SECONDS)

    async def help_sections(self) -> list[str]:
        """The headings of the help over this screen, in their order."""
        await self.press("f1")
        tables = self.app.screen.query(KeyTable)
        titles = [title for table in tables for title, _ in table.sections]
        await self.press("escape")
        return titles

    def shown(self) -> str:
        """The words on screen, line by line, without their styles."""
        strips = self.app.screen._compositor.render_strips()
        return "\n".join("".join(segment.text for segment in strip) for strip in strips)

    def still(self) -> None:
        """Take out of the picture what differs from run to run: how long something took."""
        for row in self.app.screen_stack[0].query(TraceRow):
            if row.step is not None:
                row.step = replace(row.step, milliseconds=3.0)


AppOpener = Callable[..., AbstractAsyncContextManager[OpenApp]]


@pytest.fixture
def open_app(app_setup: AppSetup) -> AppOpener:
    """Opens the app; leaving the context closes it as Ctrl+Q does."""

    @asynccontextmanager
    async def opener(size: tuple[int, int] = WIDE) -> AsyncIterator[OpenApp]:
        app = TodoApp(app_setup.services())
        app.animation_level = "none"
        notified: list[str] = []

        def record(message: Message) -> None:
            if isinstance(message, Notify):
                notified.append(message.notification.message)

        async with app.run_test(size=size, notifications=True, message_hook=record) as pilot:
            running = OpenApp(app, pilot, notified)
            await running.until(lambda: running.screen.query(Transcript))
            await running.settle()
            yield running
            await app.action_quit()
            assert app.leaving is not None
            await app.leaving

    return opener


class Svg(SingleFileSnapshotExtension):
    """Pictures as files of their own, in `snapshots/` beside the tests."""

    _write_mode = WriteMode.TEXT
    file_extension = "svg"

    @classmethod
    def dirname(cls, *, test_location: PyTestLocation) -> str:
        return str(Path(test_location.filepath).parent / "snapshots" / test_location.basename)


ComparePicture = Callable[..., Awaitable[None]]


@pytest.fixture
def snap_compare(snapshot: SnapshotAssertion, monkeypatch: pytest.MonkeyPatch) -> ComparePicture:
    """Compares the screen with its picture; `pytest --snapshot-update` takes new ones.

    A screen that is not there yet, on a busy machine, is waited for; marks of what was changed
    stay as long.
    """
    monkeypatch.setattr(list_controller, "MARK_SECONDS", 3600.0)
    monkeypatch.setattr(list_controller, "JUST_DONE_SECONDS", 3600.0)

    def find_stored(name: str | None) -> str | None:
        index = name or snapshot.num_executions
        path = Path(Svg.get_location(test_location=snapshot.test_location, index=index))
        return path.read_text() if path.exists() else None

    async def take(running: OpenApp) -> str:
        await running.until(lambda: True)
        running.still()
        await wait_until_idle()
        svg = running.app.export_screenshot()
        # Rich numbers each picture by its contents; and rsvg drops leading spaces.
        svg = re.sub(r"terminal-\d+", "terminal", svg)
        return svg.replace("<text ", '<text xml:space="preserve" ')

    async def compare(running: OpenApp, name: str | None = None) -> None:
        stored = None if snapshot.session.update_snapshots else find_stored(name)
        deadline = time.monotonic() + _PICTURE_PATIENCE_SECONDS
        svg = await take(running)
        while stored and svg != stored and time.monotonic() < deadline:
            await asyncio.sleep(_PICTURE_POLL_SECONDS)
            svg = await take(running)
        assert svg == snapshot(extension_class=Svg, name=name)

    return compare


@pytest.fixture
def snap_both_sizes(snap_compare: ComparePicture) -> ComparePicture:
    """Compares a wide screen with its picture, and with that of a narrow one."""

    async def compare(running: OpenApp) -> None:
        await snap_compare(running, "120x36")
        await running.pilot.resize_terminal(*NARROW)
        await running.until(lambda: running.app.screen.size == NARROW)
        await snap_compare(running, "80x24")

    return compare
