"""Commands of the command palette: actions of every pane, slash commands, models and themes."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from textual.actions import parse
from textual.binding import Binding
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.dom import DOMNode
from textual.fuzzy import Matcher

from todo_tui.domain.errors import StoreError
from todo_tui.domain.text import plain_line
from todo_tui.tui.actions import (
    SLASH_COMMANDS,
    TARGETED_ACTIONS,
    app_key_names,
    command_for_action,
    run_or_explain,
)
from todo_tui.tui.chat.pane import ChatPane
from todo_tui.tui.screens.conversations import OpenConversation
from todo_tui.tui.screens.main import MainScreen
from todo_tui.tui.services import AppServices
from todo_tui.tui.task_list.pane import TaskPane
from todo_tui.tui.theme import MUTED, THEMES

_EXCLUDED_PLACES = ("write", "card")
_EXCLUDED_NAMES = frozenset(
    "up down page_up page_down complete next_field next_candidate previous_candidate choose_next "
    "choose_previous command_palette yes no calendar".split()
)
_CLOSING_NAMES = frozenset("close leave no".split())
_SEARCH_WORDS = {
    "app.help": "show help keys",
    "app.quit": "exit close app",
    "app.pick_model": "switch provider settings",
    "app.toggle_theme": "switch dark light mode",
    "app.log": "show errors",
    "app.conversations": "chats history earlier old open search find",
    "steps.inspect": "show request response prompt sent raw",
    "steps.edit": "resend send again message",
    "steps.branch_before": "branch edited earlier",
    "steps.branch_after": "branch edited later",
    "list.copy": "clipboard",
    "steps.copy": "clipboard",
    "calendar.tick": "done finish check",
    "app.zoom": "full screen maximize toggle one pane",
    "app.widen_list": "split panes resize bigger",
    "app.narrow_list": "split panes resize smaller chat wider",
    "app.usage": "show tokens budget",
    "app.statistics": "show stats streak",
    "steps.source": "show citation document passage",
    "steps.approvals": "policy permissions ask before confirm yolo",
    "chat.editor": "external vim nano compose",
    "chat.history": "history find recall previous",
    "chat.queue": "pending waiting delete move",
    "chat.new": "start new chat",
    "chat.retry": "send again",
    "chat.stop": "cancel interrupt",
    "list.add": "new task create",
    "list.tick": "done finish check",
    "list.delete": "remove trash",
    "list.restore": "undelete trash",
    "list.purge": "purge empty trash",
    "list.filter": "search find",
    "list.change": "edit tags project repeat recurring",
    "list.date": "edit schedule",
    "list.edit": "change notes blocked by",
    "list.mark": "mark",
    "list.views": "show projects",
}
"""Other words under which people look for an action, beside its label."""
_COMMAND_WORDS = {
    "approve": "request tool call",
    "deny": "request tool call",
    "attach": "attach file pdf knowledge import",
    "documents": "list knowledge files remove",
    "calendar": "month week days dates",
}
"""Commands without a key in the tables of keys, with other words that find them."""
_SHELL_COMMANDS = (
    ("Export tasks", "save csv json markdown backup", "export"),
    ("Import tasks", "load csv json markdown", "import"),
    ("Show settings", "configuration options preferences", "config"),
    ("Manage API keys", "settings provider", "keys"),
)
"""Commands of the shell that are looked for here: label, search words, command."""
_ALIAS_WEIGHT = 0.9
_UNAVAILABLE_WEIGHT = 0.6
"""Factor for actions that do nothing now, so that others come first."""
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
        """Return the scored entry; None if neither its label nor another word matches."""
        score, offsets = matcher.fuzzy_search.match(matcher.query, self.label)
        alias = _ALIAS_WEIGHT * matcher.match(self.words) if self.words else 0.0
        if not score and not alias:
            return None
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
        async for found in self._conversations(query):
            yield found

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
        # The answers to an approval card, whether one is open or not; and what has no key.
        names = app_key_names(self.app)
        keys = {
            "approve": names.first("chat.yes"),
            "deny": names.first("chat.no"),
            "calendar": names.first("list.calendar"),
        }
        for command in SLASH_COMMANDS:
            if words := _COMMAND_WORDS.get(command.name):
                hint = f"{keys.get(command.name, '')}  /{command.name}".strip()
                run = partial(self._run_on_main, command.action)
                is_available = not command.answers_card or _can_run(
                    self._main, f"answer({command.name == 'approve'})"
                )
                yield PaletteCommand(command.summary, hint, words, run, is_available)
        run = partial(self._run_on_main, "copy_answer('code')")
        yield PaletteCommand("Copy code block", "/copy code", "clipboard", run)
        services = getattr(self.app, "services", None)
        options = services.options if isinstance(services, AppServices) else ()
        for number, option in enumerate(options, start=1):
            yield PaletteCommand(
                f"Switch to {plain_line(option.row.label)}",
                f"{plain_line(option.row.about)}  /model {number}",
                f"model provider {option.row.id}",
                partial(self._run_on_main, f"go_to_provider({number})"),
            )
        for word, theme in THEMES.items():
            if self.app.theme != theme.name:
                run = partial(self._run, f"app.choose_theme('{word}')")
                yield PaletteCommand(f"{word.capitalize()} theme", "", "", run)
        for label, words, shell in _SHELL_COMMANDS:
            run = partial(self._tell_shell_command, shell)
            yield PaletteCommand(label, "in the shell", words, run)

    def _actions(self) -> Iterator[PaletteCommand]:
        """Return the actions of the focused pane or screen, then all others, once each."""
        names = app_key_names(self.app)
        seen: set[str] = set()
        for node, binding in self._bindings():
            place, _, name = (binding.id or "").partition(".")
            action, label = binding.action, binding.tooltip
            is_of_main = isinstance(node, MainScreen | TaskPane)
            if node.id == "transcript" and action.startswith("screen."):
                action, is_of_main = action.removeprefix("screen."), True
            if place in _EXCLUDED_PLACES or name in _EXCLUDED_NAMES or not name or label in seen:
                continue
            if action.startswith("go_to_provider"):
                continue
            seen.add(label)
            command = command_for_action(action)
            hint = names.first(f"{place}.{name}") + (f"  /{command.name}" if command else "")
            is_available = _can_run(self._main if is_of_main else node, action)
            if isinstance(node, TaskPane):
                is_available = _can_run(node, action)
                if name in TARGETED_ACTIONS:
                    hint += f"  {node.target_label}"
                    is_available = bool(node.target_label)
                    if name in ("restore", "purge"):
                        is_available = node.is_in_trash
            if is_of_main:
                run = partial(self._run_on_main, action, in_list=isinstance(node, TaskPane))
            else:
                run = partial(self._run, action, node)
            words = _SEARCH_WORDS.get(f"{place}.{name}", "")
            yield PaletteCommand(label, hint, words, run, is_available)

    def _bindings(self) -> Iterator[tuple[DOMNode, Binding]]:
        for active in self.screen.active_bindings.values():
            yield active.node, active.binding
        # A modal screen hides the bindings of the app too.
        if self._main is not None:
            reading = self._main.query("#transcript")
            for node in (self._main.query_one(TaskPane), self._main, *reading, self.app):
                for binding in node.BINDINGS:
                    if isinstance(binding, Binding):
                        yield node, binding

    @property
    def _main(self) -> MainScreen | None:
        main = self.app.screen_stack[0]
        return main if isinstance(main, MainScreen) else None

    async def _run(self, action: str, node: DOMNode | None = None) -> None:
        await run_or_explain(self.app, action, node)

    async def _run_on_main(self, action: str, *, in_list: bool = False) -> None:
        """Run an action of the main screen, which is shown first, with the pane it works in."""
        main = await self._return_to_main()
        if main is None:
            return
        pane = main.query_one(TaskPane)
        if in_list and not pane.has_focus_within:
            main.action_show_pane(tasks=True)
        elif not in_list and not main.query_one(ChatPane).display and _is_of_chat(action):
            main.action_show_pane(tasks=False)
        await run_or_explain(self.app, action, pane if in_list else main)

    async def _open_conversation(self, chosen: OpenConversation) -> None:
        if (main := await self._return_to_main()) is not None:
            await main.open_conversation(chosen)

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


def _can_run(node: DOMNode | None, action: str) -> bool:
    """Return whether an action of a node does something now."""
    _, name, parameters = parse(action)
    return node is None or bool(node.check_action(name, parameters))


def _is_of_chat(action: str) -> bool:
    return action.startswith(("chat(", "turn("))
