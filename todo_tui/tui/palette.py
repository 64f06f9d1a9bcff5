"""Command palette: its frame; actions, slash commands, models, themes, places to go to."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from textual.binding import Binding
from textual.command import CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from todo_tui.config.settings import SETTINGS
from todo_tui.domain.errors import StoreError
from todo_tui.domain.filters import terms
from todo_tui.domain.text import fold_case, plain_line
from todo_tui.tui.actions.action import Action, ActionHost, performer
from todo_tui.tui.actions.hints import app_key_names, perform_or_explain
from todo_tui.tui.fuzzy_search import contains_words, match_score
from todo_tui.tui.screens.conversations import OpenConversation
from todo_tui.tui.screens.main import MainScreen
from todo_tui.tui.task_list.pane import TaskPane
from todo_tui.tui.task_list.views import View
from todo_tui.tui.theme import MUTED, THEMES

if TYPE_CHECKING:
    from todo_tui.tui.app import TodoApp
    from todo_tui.tui.services import AppServices

_SHELL_COMMANDS = (
    ("Export tasks", "save csv json markdown backup", "export"),
    ("Import tasks", "load csv json markdown", "import"),
    ("Manage API keys", "settings provider", "keys"),
)
"""Commands of the shell that are looked for here: label, search words, command."""
_CLOSING_NAMES = frozenset({"close", "leave", "no"})
"""Actions that close a screen, by the part of their ids after the place."""
_WIDTH = 78
"""Width of the frame in columns, as in the style sheet, where the terminal is as wide."""
_FRAME = 7
"""Cells of a line beside the text of a command: border, padding, scrollbar."""
_USED = "palette"
"""Name in `store.app_state` of how often each command was chosen."""
_MAX_COUNTED, _MAX_KEPT, _USED_SCORE = 20, 100, 0.01
_KEY_COLUMN = 10
_SLASH_SCORE = 10.0
"""Added for a whole slash command, above the highest score of words."""
_ALIAS_WEIGHT = 0.9
_UNAVAILABLE_WEIGHT = 0.6
"""Factor for actions that do nothing now, so that others come first."""
_TARGET_WEIGHT = 0.2
"""Factor for views and settings, so that actions come first."""
_MAX_TASKS, _TASK_SCORE = 5, 0.002
_MAX_CONVERSATIONS = 3
_FEWEST_LETTERS = 3
"""Length of a search from which messages are searched too."""


class Palette(CommandPalette):
    """Textual's palette in the frame of the other dialogs."""

    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")

    def on_mount(self) -> None:
        """Name the dialog and its keys."""
        box = self.query_one("#--container")
        box.border_title = "Commands"
        box.border_subtitle = "↑ ↓ choose · Enter run · Esc close"


@dataclass(frozen=True, slots=True)
class PaletteCommand:
    """Entry of the palette: its label, what it is about, its keys, and other words that find it."""

    label: str
    about: str
    keys: str
    words: str
    run: Callable[[], Awaitable[None]]
    is_available: bool = True

    def score(self, query: str) -> float:
        """Score the entry; 0 unless each word is in its label or other words, or its initials.

        Of equal matches the shorter label scores higher.
        """
        initials = "".join(word[0] for word in self.label.split())
        aliases = f"{self.words} {self.about} {self.keys} {initials}"
        if not contains_words(query, f"{self.label} {aliases}"):
            return 0.0
        best = [
            max(match_score(word, self.label), _ALIAS_WEIGHT * match_score(word, aliases))
            for word in query.split()
        ]
        score = sum(best) / len(best) - len(self.label) / 1000
        return score if self.is_available else score * _UNAVAILABLE_WEIGHT

    def display(self, width: int, query: str = "") -> Content:
        """Return the entry in `width` cells: label, what it is about, keys at the right edge."""
        room = width - len(self.keys) - bool(self.keys)
        label = Content.styled(self.label, "" if self.is_available else MUTED)
        folded = fold_case(self.label)
        for word in fold_case(query).split():
            if (at := folded.find(word)) >= 0 and len(folded) == len(self.label):
                label = label.stylize("$text-accent underline", at, at + len(word))
        about = (f"  {self.about}", MUTED) if self.about else ""
        left = Content.assemble(label, about).truncate(max(room, 1), ellipsis=True, pad=True)
        return Content.assemble(left, (f" {self.keys}", MUTED) if self.keys else "")


class PaletteCommands(Provider):
    """Command source built from the bindings and the provider registry."""

    async def search(self, query: str) -> Hits:
        """Return the matching commands, best first; of equal ones those that are used more."""
        # Slash commands are shown beside the labels.
        slash = query if query.startswith("/") else ""
        query = query.removeprefix("/")
        used = await self._read_used()
        targets = (*await self._views(), *self._settings())
        for weight, commands in ((1.0, self._commands()), (_TARGET_WEIGHT, targets)):
            for command in commands:
                if score := command.score(query):
                    score += _USED_SCORE * min(used[command.label], _MAX_COUNTED)
                    named = command.keys.partition(" ")[0]
                    if slash and named.startswith(slash):
                        score += _SLASH_SCORE * len(slash) / len(named)
                    shown = command.display(self._width, query)
                    yield Hit(weight * score, shown, self._counted(command), command.label)
        for source in (self._tasks, self._conversations):
            async for found in source(query):
                yield found

    async def discover(self) -> Hits:
        """Return all commands that can run, the most used first, then those that cannot."""
        used = await self._read_used()
        ranked = sorted(
            self._commands(), key=lambda each: (not each.is_available, -used[each.label])
        )
        for command in ranked:
            shown = command.display(self._width)
            yield DiscoveryHit(shown, self._counted(command), command.label)

    @property
    def _width(self) -> int:
        return min(_WIDTH, self.app.size.width) - _FRAME

    async def _read_used(self) -> Counter[str]:
        """Return how often each command was chosen here, by its label."""
        with suppress(StoreError, ValueError):
            kept = await asyncio.to_thread(self._services.store.app_state.get, _USED)
            counts = json.loads(kept or "{}")
            if isinstance(counts, dict):
                return Counter({k: n for k, n in counts.items() if isinstance(n, int)})
        return Counter()

    def _counted(self, command: PaletteCommand) -> Callable[[], Awaitable[None]]:
        """Return what runs the command and counts that."""

        async def run() -> None:
            used = await self._read_used()
            used[command.label] += 1
            kept = json.dumps(dict(used.most_common(_MAX_KEPT)), ensure_ascii=False)
            self._services.writer.start(self._services.store.app_state.set, _USED, kept)
            await command.run()

        return run

    async def _views(self) -> Sequence[PaletteCommand]:
        """Return the views of the list."""
        controller = self._main.tasks.actions.controller
        views = await controller.read_views()
        return [
            PaletteCommand(
                f"View: {plain_line(view.name)}",
                plain_line(controller.describe(view)),
                "",
                "go to list",
                partial(self._show_view, view),
            )
            for view in views
        ]

    def _settings(self) -> Iterator[PaletteCommand]:
        """Yield the settings that can be changed."""
        for setting in SETTINGS if self._main.opener.has_settings else ():
            if setting.in_file:
                label = f"Setting: {setting.name.replace('_', ' ').replace('.', ' ')}"
                run = partial(self._open_settings, setting.name)
                yield PaletteCommand(label, "", "", setting.name, run)

    async def _tasks(self, query: str) -> Hits:
        """Return open tasks with these words, below all commands."""
        if len(query) < _FEWEST_LETTERS:
            return
        wanted = terms.Query(terms.all_of(terms.OPEN_TASKS, terms.ContainsText(query)))
        with suppress(StoreError):
            find = partial(self._services.store.tasks.find, wanted, limit=_MAX_TASKS)
            for task in await asyncio.to_thread(find):
                label = f"Task: {plain_line(task.title)}"
                run = partial(self._go_to_task, task.id)
                shown = PaletteCommand(label, "", f"#{task.id}", "", run).display(
                    self._width, query
                )
                yield Hit(_TASK_SCORE, shown, run, label)

    async def _conversations(self, query: str) -> Hits:
        """Return the conversations with the newest messages that match, below all commands."""
        if len(query) < _FEWEST_LETTERS:
            return
        conversations = self._services.store.conversations
        with suppress(StoreError):
            for match in await asyncio.to_thread(conversations.search, query, _MAX_CONVERSATIONS):
                title = plain_line(match.conversation.title)
                chosen = OpenConversation(match.conversation.id, match.found)
                run = partial(self._open_conversation, chosen)
                about = plain_line(match.line)
                entry = PaletteCommand(f"Open “{title}”", about, "", "", run)
                yield Hit(0.001, entry.display(self._width, query), run, title)

    def _commands(self) -> Iterator[PaletteCommand]:
        yield from self._actions()
        for number, option in enumerate(self._services.options, start=1):
            yield PaletteCommand(
                f"Switch to {plain_line(option.row.label)}",
                plain_line(option.row.about),
                f"/model {number}",
                f"model provider {option.row.id}",
                partial(self._switch_to, number),
            )
        for word, theme in THEMES.items():
            if self.app.theme != theme.name:
                run = partial(self._run, f"app.apply_theme('{word}')")
                yield PaletteCommand(f"{word.capitalize()} theme", "", "", "", run)
        for label, words, shell in _SHELL_COMMANDS:
            run = partial(self._tell_shell_command, shell)
            yield PaletteCommand(label, "in the shell", "", words, run)

    def _actions(self) -> Iterator[PaletteCommand]:
        """Return the actions of the focused pane or screen, then all others, once each."""
        names = app_key_names(self.app)
        seen: set[str] = set()
        for host, row in self._rows():
            if not row.in_palette or row.label in seen:
                continue
            seen.add(row.label)
            slash = f"/{row.slash.name}" if row.slash is not None else ""
            key = names.first(row.id)
            keys = f"{slash}{key:>{_KEY_COLUMN}}" if key else slash
            about = ""
            is_available = not row.why_no_command(host)
            is_available = is_available and (row.applies is None or row.applies(host))
            if row.acts_on_task and isinstance(host, TaskPane):
                about = host.target_label
                is_available = is_available and bool(about)
            run = partial(self._perform, host, row)
            yield PaletteCommand(row.label, about, keys, row.words, run, is_available)

    def _rows(self) -> Iterator[tuple[ActionHost, Action[Any]]]:
        for active in self.screen.active_bindings.values():
            if (found := performer(active)) is not None:
                yield found
        # A modal screen hides the bindings of the app too.
        for host in (self._main.query_one(TaskPane), self._main, self._app):
            for row in host.ACTIONS:
                yield host, row

    @property
    def _app(self) -> TodoApp:
        return cast("TodoApp", self.app)

    @property
    def _services(self) -> AppServices:
        return self._app.services

    @property
    def _main(self) -> MainScreen:
        return cast("MainScreen", self.app.screen_stack[0])

    async def _perform(self, host: ActionHost, row: Action[Any]) -> None:
        """Perform an action; one of the main screen in the pane where it works."""
        if isinstance(host, MainScreen | TaskPane):
            main = await self._return_to_main()
            if main is None:
                return
            is_of_chat = isinstance(host, MainScreen) and row.place in ("chat", "steps")
            # A slash command works from anywhere.
            is_of_list = isinstance(host, TaskPane) and row.slash is None
            if is_of_list and not main.panes.is_in_list:
                main.panes.go_to(tasks=True)
            elif is_of_chat and not main.chat.display:
                main.panes.go_to(tasks=False)
        await perform_or_explain(host, row)

    async def _run(self, action: str) -> None:
        await self.app.run_action(action)

    async def _switch_to(self, number: int) -> None:
        if (main := await self._return_to_main()) is not None:
            main.models.choose_number(number)

    async def _open_conversation(self, chosen: OpenConversation) -> None:
        if (main := await self._return_to_main()) is not None:
            await main.open_conversation(chosen)

    async def _show_view(self, view: View) -> None:
        if (main := await self._return_to_main()) is not None:
            main.panes.go_to(tasks=True)
            main.tasks.actions.controller.show_view(view)

    async def _go_to_task(self, task_id: int) -> None:
        if (main := await self._return_to_main()) is not None:
            main.panes.go_to(tasks=True)
            await main.tasks.go_to_task(task_id)

    async def _open_settings(self, name: str) -> None:
        if (main := await self._return_to_main()) is not None:
            main.opener.open_settings(name)

    async def _return_to_main(self) -> MainScreen | None:
        """Close the screens above the main screen; return None if one cannot be closed.

        There is none either while the app closes.
        """
        while (stack := self.app.screen_stack) and (above := stack[-1]) is not self._main:
            closing = [
                each.action
                for each in above.BINDINGS
                if isinstance(each, Binding)
                and (each.id or "").rpartition(".")[2] in _CLOSING_NAMES
            ]
            if closing:
                await self.app.run_action(closing[0], above)
            if self.app.screen is above:
                self.app.notify("Close this screen first.", timeout=3)
                return None
        return self._main if stack else None

    async def _tell_shell_command(self, command: str) -> None:
        self.app.notify(f"Run in a shell: todo-tui {command} --help")
