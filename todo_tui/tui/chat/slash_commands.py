"""Slash commands typed in the composer: parsing, completion, running them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from todo_tui.domain.text import plain_line
from todo_tui.tui.actions import SLASH_COMMANDS, SlashCommand, run_or_explain
from todo_tui.tui.background import LazyCoroutine
from todo_tui.tui.chat.approval import ApprovalController
from todo_tui.tui.chat.pane import ChatPane
from todo_tui.tui.fuzzy_search import near_misses, rank_matches
from todo_tui.tui.models.controller import ModelController
from todo_tui.tui.theme import MUTED
from todo_tui.tui.widgets.text import pad_or_clip, strip_unstable

_WORD = re.compile(r"/([^\W\d_][\w-]*)?")
_COMMANDS = {command.name: command for command in SLASH_COMMANDS}
_MAX_HINTS = 8
_MAX_COLUMN, _MIN_DESCRIPTION = 44, 20


class CommandCall(NamedTuple):
    """Typed command with its argument; `command` is None if no command has that name."""

    name: str
    command: SlashCommand | None
    argument: str = ""


def parse_message(text: str) -> str | CommandCall:
    """Parse the composer's text into a command or a message.

    `//model` and ` /model` are messages; the first one loses the slash that escaped it.
    """
    if text.startswith("//"):
        alone = parse_message("/" + text.lstrip("/"))
        return text if isinstance(alone, str) else text[1:]
    found = _WORD.match(text)
    if found is None:
        return text
    name, rest = found.group(1) or "", text[found.end() :]
    command = _COMMANDS.get(name.lower())
    if command is not None and (not rest or rest[0].isspace()):
        return CommandCall(name, command, rest.strip())
    return text if rest.strip() else CommandCall(name, None)


def escape_message(message: str) -> str:
    """Return the text that has to be typed to send the message as a message."""
    return message if parse_message(message) == message else f"/{message}"


class CommandHint(NamedTuple):
    """Completion of a slash command; `text` is the complete line."""

    text: str
    about: str


class CommandHintList(Widget):
    """Overlay above the composer with completions; Tab takes the first line."""

    # Mounted with the first slash, so it is not part of the style sheets of the first frame.
    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")
    ALLOW_SELECT = False

    hints: reactive[tuple[CommandHint, ...]] = reactive((), layout=True)

    def __init__(self) -> None:
        super().__init__()
        self.border_subtitle = "Tab complete · Enter run · // send a slash"

    def watch_hints(self, hints: tuple[CommandHint, ...]) -> None:
        """Hide the list when there are no completions."""
        self.display = bool(hints)

    def render(self) -> Content:
        """Draw one line per completion: the text and its description."""
        width = self.content_size.width
        longest = max((len(hint.text) for hint in self.hints), default=0)
        column = min(longest + 2, _MAX_COLUMN, max(width - _MIN_DESCRIPTION, 12))
        lines = []
        for place, hint in enumerate(self.hints):
            text = pad_or_clip(strip_unstable(hint.text), column)
            line = Content.assemble((text, "bold" if place == 0 else ""), (hint.about, MUTED))
            lines.append(line.truncate(width, ellipsis=True))
        return Content("\n").join(lines)


@dataclass(slots=True)
class SlashCommandRunner:
    """Runs slash commands typed in the composer and shows completions for them."""

    chat: ChatPane
    models: ModelController
    approvals: ApprovalController
    _hints: CommandHintList | None = None

    async def message_or_run(self, text: str) -> str | None:
        """Return the message to send; None where the text was a command, which is run."""
        match parse_message(text):
            case str(message):
                return message
            case CommandCall(name, None):
                self._put_back(text, _unknown_command_text(name))
            case CommandCall(_, command, "") if command:
                await run_or_explain(self.chat.app, command.action, self.chat.screen)
            case CommandCall(_, command, argument) if command and command.argument:
                switching = LazyCoroutine(partial(self._switch_by_name, command, argument, text))
                self.chat.screen.run_worker(switching, group="model", exclusive=True)
            case CommandCall(name):
                self._put_back(text, f"/{name.lower()} takes no arguments.")
        return None

    async def show_hints(self) -> None:
        """Show completions of the command being typed."""
        text = self.chat.composer.text
        hints: tuple[CommandHint, ...] = ()
        if text.startswith("/") and not text.startswith("//") and "\n" not in text:
            hints = tuple(self._complete(text))
        if self._hints is None and hints:
            self._hints = CommandHintList()
            await self.chat.mount(self._hints)
            # Model names can be completed once the lists are fetched.
            for option in self.models.switch.options:
                self.chat.run_worker(self.models.catalog.ask(option), group="models")
        if all(hint.text == text for hint in hints):
            hints = ()
        self.chat.composer.completion = hints[0].text if hints else ""
        if self._hints is not None:
            # Above the composer.
            self._hints.styles.margin = (0, 1, self.chat.composer.outer_size.height, 1)
            self._hints.hints = hints

    def _complete(self, text: str) -> Iterable[CommandHint]:
        word, space, argument = text[1:].partition(" ")
        if not space:
            return [
                CommandHint(
                    f"/{command.name} " if command.argument else f"/{command.name}",
                    command.summary,
                )
                for command in SLASH_COMMANDS
                if command.name.startswith(word.lower())
                and (self.approvals.is_open or not command.answers_card)
            ]
        command = _COMMANDS.get(word.lower())
        if command is None or not command.argument:
            return []
        found = self._models_like if command.name == "model" else self._providers_like
        return [
            CommandHint(f"/{word} {plain_line(name)}", plain_line(" · ".join(filter(None, about))))
            for name, *about in found(argument.strip())[:_MAX_HINTS]
        ]

    def _models_like(self, typed: str) -> list[tuple[str, ...]]:
        catalog = self.models.catalog
        rows = catalog.rows()
        recent = catalog.recent_rows(rows)
        found = catalog.filter_rows(rows, typed) if typed else dict.fromkeys([*recent, *rows])
        return [
            (f"{row.option.row.id}:{row.model}", row.option.row.label, row.state, row.cost)
            for row in found
            if row.ready and row.model
        ]

    def _providers_like(self, typed: str) -> list[tuple[str, ...]]:
        switch = self.models.switch
        rows = [option.row for option in switch.options]
        if typed:
            rows = rank_matches(typed, rows, lambda row: f"{row.id} {row.label}")
        states = {option.row.id: switch.status_text(option) for option in switch.options}
        return [(row.id, row.label, states[row.id]) for row in rows]

    async def _switch_by_name(self, command: SlashCommand, name: str, typed: str) -> None:
        models = self.models
        switch = models.switch_to_model if command.name == "model" else models.switch_to_provider
        numbered = command.name == "model" and name.isdecimal()
        if not await (models.switch_to_number(int(name)) if numbered else switch(name)):
            self.chat.composer.put_back(typed)

    def _put_back(self, text: str, reason: str) -> None:
        self.chat.composer.put_back(text)
        self.chat.app.notify(plain_line(reason))


def _unknown_command_text(word: str) -> str:
    close = near_misses(word, list(_COMMANDS)) if word else []
    unknown = f"Unknown command /{word}. " if word else ""
    if close:
        return f"{unknown}Did you mean /{close[0]}? To send it as a message, type //{word}."
    known = " ".join(f"/{name}" for name in _COMMANDS)
    return f"{unknown}Commands: {known}. To send it as a message, type //{word}."
