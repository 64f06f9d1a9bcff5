"""Commands of the command palette: actions, slash commands, models, themes, places to go to."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from textual.binding import Binding
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.fuzzy import Matcher

from todo_tui.config.settings import SETTINGS
from todo_tui.domain.errors import StoreError
from todo_tui.domain.filters import terms
from todo_tui.domain.text import plain_line
from todo_tui.tui.actions.action import Action, ActionHost
from todo_tui.tui.actions.hints import app_key_names, perform_or_explain
from todo_tui.tui.fuzzy_search import contains_words
from todo_tui.tui.screens.conversations import OpenConversation
from todo_tui.tui.screens.main import MainScreen
from todo_tui.tui.services import AppServices
from todo_tui.tui.task_list.pane import TaskPane
from todo_tui.tui.theme import MUTED, THEMES
from todo_tui.tui.views.views import View

_SHELL_COMMANDS = (
    ("Export tasks", "save csv json markdown backup", "export"),
    ("Import tasks", "load csv json markdown", "import"),
    ("Manage API keys", "settings provider", "keys"),
)
"""Commands of the shell that are looked for here: label, search words, command."""
_CLOSING_NAMES = frozenset({"close", "leave", "no"})
"""Actions that close a screen, by the part of their ids after the place."""
_ALIAS_WEIGHT = 0.9
_UNAVAILABLE_WEIGHT = 0.6
"""Factor for actions that do nothing now, so that others come first."""
_TARGET_WEIGHT = 0.5
"""Factor for views and settings, so that actions come first."""
_MOST_TASKS, _TASK_SCORE = 5, 0.002
_MOST_CONVERSATIONS = 3
_FEWEST_LETTERS = 3
"""Length of a search from which messages are searched too."""


@dataclass(frozen=True, slots=True)
class PaletteCommand:
    """Entry of the palette: its label, keys and slash command, and other words that find it."""

    label: str
    hint: str
    words: str
    run: Callable[[], Awaitable[None]]
    is_available: bool = True

    def display(self, matched: tuple[int, ...] = ()) -> Content:
        """Return the label, its matched letters in reverse, with the hint beside it."""
        label = Content(self.label) if self.is_available else Content.styled(self.label, MUTED)
        for offset in matched:
            label = label.stylize("reverse", offset, offset + 1)
        return Content.assemble(label, (f"  {self.hint}", MUTED) if self.hint else "")

    def hit(self, matcher: Matcher) -> Hit | None:
        """Return the scored entry; None unless each word is in its label or other words."""
        if not contains_words(matcher.query, f"{self.label} {self.hint} {self.words}"):
            return None
        score, offsets = matcher.fuzzy_search.match(matcher.query, self.label)
        alias = _ALIAS_WEIGHT * matcher.match(self.words) if self.words else 0.0
        shown = tuple(offsets) if score >= alias else ()
        # Of equal matches the shorter label comes first.
        score = max(score, alias) - len(self.label) / 1000
        score *= 1 if self.is_available else _UNAVAILABLE_WEIGHT
        return Hit(score, self.display(shown), self.run, self.label)


class PaletteCommands(Provider):
    """Command source built from the bindings and the provider registry."""

    async def search(self, query: str) -> Hits:
        """Return the matching commands, scored by Textual's fuzzy matcher."""
        # Slash commands are shown beside the labels.
        matcher = self.matcher(query.removeprefix("/"))
        for command in self._commands():
            if hit := command.hit(matcher):
                yield hit
        for command in (*await self._views(), *self._settings()):
            if hit := command.hit(matcher):
                yield Hit(_TARGET_WEIGHT * hit.score, hit.match_display, hit.command, hit.text)
        for source in (self._tasks, self._conversations):
            async for found in source(query):
                yield found

    async def _views(self) -> Sequence[PaletteCommand]:
        """Return the views of the list."""
        if self._main is None:
            return ()
        views = await self._main.tasks.actions.controller.read_views()
        return [
            PaletteCommand(
                f"View: {plain_line(view.name)}",
                plain_line(view.about),
                "go to list",
                partial(self._show_view, view),
            )
            for view in views
        ]

    def _settings(self) -> Iterator[PaletteCommand]:
        """Yield the settings that can be changed."""
        for setting in SETTINGS if self._main is not None and self._main.has_settings else ():
            if setting.in_file:
                label = f"Setting: {setting.name.replace('_', ' ').replace('.', ' ')}"
                run = partial(self._open_settings, setting.name)
                yield PaletteCommand(label, "", setting.name, run)

    async def _tasks(self, query: str) -> Hits:
        """Return open tasks with these words, below all commands."""
        services = getattr(self.app, "services", None)
        if len(query) < _FEWEST_LETTERS or not isinstance(services, AppServices):
            return
        wanted = terms.Query(terms.all_of(terms.OPEN_TASKS, terms.ContainsText(query)))
        with suppress(StoreError):
            find = partial(services.store.tasks.find, wanted, limit=_MOST_TASKS)
            for task in await asyncio.to_thread(find):
                label = f"Task: {plain_line(task.title)}"
                shown = Content.assemble(label, (f"  #{task.id}", MUTED))
                yield Hit(_TASK_SCORE, shown, partial(self._go_to_task, task.id), label)

    async def _conversations(self, query: str) -> Hits:
        """Return the conversations with the newest messages that match, below all commands."""
        services = getattr(self.app, "services", None)
        if len(query) < _FEWEST_LETTERS or not isinstance(services, AppServices):
            return
        conversations = services.store.conversations
        with suppress(StoreError):
            for match in await asyncio.to_thread(conversations.search, query, _MOST_CONVERSATIONS):
                title = plain_line(match.conversation.title)
                chosen = OpenConversation(match.conversation.id, match.found)
                shown = Content.assemble(f"Open “{title}”", (f"  {plain_line(match.line)}", MUTED))
                yield Hit(0.001, shown, partial(self._open_conversation, chosen), title)

    async def discover(self) -> Hits:
        """Return all commands, those of the focused pane first."""
        for command in self._commands():
            yield DiscoveryHit(command.display(), command.run, command.label)

    def _commands(self) -> Iterator[PaletteCommand]:
        yield from self._actions()
        services = getattr(self.app, "services", None)
        options = services.options if isinstance(services, AppServices) else ()
        for number, option in enumerate(options, start=1):
            yield PaletteCommand(
                f"Switch to {plain_line(option.row.label)}",
                f"{plain_line(option.row.about)}  /model {number}",
                f"model provider {option.row.id}",
                partial(self._switch_to, number),
            )
        for word, theme in THEMES.items():
            if self.app.theme != theme.name:
                run = partial(self._run, f"app.apply_theme('{word}')")
                yield PaletteCommand(f"{word.capitalize()} theme", "", "", run)
        for label, words, shell in _SHELL_COMMANDS:
            run = partial(self._tell_shell_command, shell)
            yield PaletteCommand(label, "in the shell", words, run)

    def _actions(self) -> Iterator[PaletteCommand]:
        """Return the actions of the focused pane or screen, then all others, once each."""
        names = app_key_names(self.app)
        seen: set[str] = set()
        for host, row in self._rows():
            if not row.in_palette or row.label in seen:
                continue
            seen.add(row.label)
            hint = [names.first(row.id)] if row.keys else []
            hint += [f"/{row.slash.name}"] if row.slash is not None else []
            is_available = not row.why_no_command(host)
            is_available = is_available and (row.applies is None or row.applies(host))
            if row.acts_on_task and isinstance(host, TaskPane):
                hint.append(host.target_label)
                is_available = is_available and bool(host.target_label)
            run = partial(self._perform, host, row)
            yield PaletteCommand(row.label, "  ".join(hint), row.words, run, is_available)

    def _rows(self) -> Iterator[tuple[ActionHost, Action[Any]]]:
        for active in self.screen.active_bindings.values():
            node, binding = active.node, active.binding
            host = node.screen if binding.action.startswith("screen.") else node
            if isinstance(host, ActionHost):
                row = host.actions_by_id().get(binding.id or "")
                if row is not None:
                    yield host, row
        # A modal screen hides the bindings of the app too.
        if self._main is not None and isinstance(self.app, ActionHost):
            for host in (self._main.query_one(TaskPane), self._main, self.app):
                for row in host.ACTIONS:
                    yield host, row

    @property
    def _main(self) -> MainScreen | None:
        main = self.app.screen_stack[0]
        return main if isinstance(main, MainScreen) else None

    async def _perform(self, host: ActionHost, row: Action[Any]) -> None:
        """Perform an action; one of the main screen in the pane where it works."""
        if isinstance(host, MainScreen | TaskPane):
            main = await self._return_to_main()
            if main is None:
                return
            is_of_chat = isinstance(host, MainScreen) and row.place in ("chat", "steps")
            # A slash command works from anywhere.
            is_of_list = isinstance(host, TaskPane) and row.slash is None
            if is_of_list and not main.is_in_list:
                main.action_show_pane(tasks=True)
            elif is_of_chat and not main.chat.display:
                main.action_show_pane(tasks=False)
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
            main.action_show_pane(tasks=True)
            main.tasks.actions.controller.show_view(view)

    async def _go_to_task(self, task_id: int) -> None:
        if (main := await self._return_to_main()) is not None:
            main.action_show_pane(tasks=True)
            await main.tasks.go_to_task(task_id)

    async def _open_settings(self, name: str) -> None:
        if (main := await self._return_to_main()) is not None:
            main.action_settings(name)

    async def _return_to_main(self) -> MainScreen | None:
        """Close the screens above the main screen; return None if one cannot be closed."""
        main = self._main
        if main is None:
            return None
        while (above := self.app.screen) is not main:
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
        return main

    async def _tell_shell_command(self, command: str) -> None:
        self.app.notify(f"Run in a shell: todo-tui {command} --help")
