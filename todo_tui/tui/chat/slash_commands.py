"""Slash commands: the table, parsing of what is typed in the composer, and running it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

from todo_tui.domain.text import plain_line
from todo_tui.tui.background import LazyCoroutine
from todo_tui.tui.chat.approval import ApprovalController
from todo_tui.tui.chat.pane import ChatPane
from todo_tui.tui.fuzzy_search import near_misses
from todo_tui.tui.models.controller import ModelController

if TYPE_CHECKING:
    from todo_tui.tui.chat.command_hints import CommandHint, CommandHintList

_WORD = re.compile(r"/([^\W\d_][\w-]*)?")


class ArgumentKind(Enum):
    """Kind of name that a command takes as argument."""

    NOTHING = auto()
    MODELS = auto()
    PROVIDERS = auto()


@dataclass(frozen=True, slots=True)
class SlashCommand:
    """Slash command; `action` is the action it runs, as a binding would name it."""

    name: str
    summary: str
    action: str
    takes: ArgumentKind = ArgumentKind.NOTHING
    answers_card: bool = False
    """True if the command works only while an approval card is open."""

    @property
    def usage(self) -> str:
        """Usage as shown in help and hints: `/model NAME`."""
        return f"/{self.name}" if self.takes is ArgumentKind.NOTHING else f"/{self.name} NAME"


SLASH_COMMANDS: tuple[SlashCommand, ...] = (
    SlashCommand(
        "model", "Choose a model: by name, or from a list", "pick_model", ArgumentKind.MODELS
    ),
    SlashCommand(
        "provider", "Choose who runs the model: by name, or from a list", "pick_model",
        ArgumentKind.PROVIDERS,
    ),
    SlashCommand("new", "A new conversation", "chat('new')"),
    SlashCommand("retry", "Send the message that failed again", "chat('retry')"),
    SlashCommand("approve", "Approve the open request", "reply(True)", answers_card=True),
    SlashCommand("deny", "Deny the open request", "reply(False)", answers_card=True),
    SlashCommand("usage", "What was spent: tokens and money", "usage"),
    SlashCommand("stats", "What was done, day by day", "statistics"),
    SlashCommand("log", "What went wrong lately, in detail", "log"),
    SlashCommand("help", "All keys and commands", "app.help"),
    SlashCommand("quit", "Stop what runs and leave", "app.quit"),
)  # fmt: skip
"""All commands, in the order in which they are listed."""


@dataclass(frozen=True, slots=True)
class PlainMessage:
    """Message for the model."""

    text: str


@dataclass(frozen=True, slots=True)
class CommandCall:
    """Command with its argument."""

    command: SlashCommand
    argument: str


@dataclass(frozen=True, slots=True)
class UnknownCommand:
    """Unknown command name; empty for a slash alone."""

    word: str


ParsedMessage = PlainMessage | CommandCall | UnknownCommand


def parse_message(text: str) -> ParsedMessage:
    """Parse the composer's text into a command or a message.

    `//model` and ` /model` are messages; the first one loses the slash that escaped it.
    """
    if text.startswith("//"):
        alone = _parse("/" + text.lstrip("/"))
        return PlainMessage(text if isinstance(alone, PlainMessage) else text[1:])
    return _parse(text)


def escape_message(message: str) -> str:
    """Return the text that has to be typed to send the message as a message."""
    return message if parse_message(message) == PlainMessage(message) else f"/{message}"


def find_command(name: str) -> SlashCommand | None:
    """Return the command of that name, ignoring case."""
    return next((each for each in SLASH_COMMANDS if each.name == name.lower()), None)


def command_for_action(action: str) -> SlashCommand | None:
    """Return the command with the same action as a key."""
    return next((each for each in SLASH_COMMANDS if each.action.split(".")[-1] == action), None)


def _parse(text: str) -> ParsedMessage:
    found = _WORD.match(text)
    if found is None:
        return PlainMessage(text)
    word, rest = found.group(1) or "", text[found.end() :]
    command = find_command(word)
    if command is not None and (not rest or rest[0].isspace()):
        return CommandCall(command, rest.strip())
    return PlainMessage(text) if rest.strip() else UnknownCommand(word)


class SlashCommandRunner:
    """Runs slash commands typed in the composer and shows completions for them."""

    def __init__(
        self,
        chat: ChatPane,
        models: ModelController,
        approvals: ApprovalController,
    ) -> None:
        self._chat = chat
        self._models = models
        self._approvals = approvals
        self._hints: CommandHintList | None = None
        self._has_fetched_models = False

    async def message_or_run(self, text: str) -> str | None:
        """Return the message to send; None where the text was a command, which is run."""
        match parse_message(text):
            case PlainMessage(message):
                return message
            case CommandCall(command, argument) if (
                argument and command.takes is ArgumentKind.NOTHING
            ):
                self._chat.composer.put_back(text)
                self._notify(f"/{command.name} stands alone: nothing goes behind it.")
            case CommandCall(command, argument) if argument:
                switching = LazyCoroutine(self._switch_by_name, command.takes, argument, text)
                self._chat.screen.run_worker(switching, group="model", exclusive=True)
            case CommandCall(command):
                await self._chat.app.run_action(command.action, self._chat.screen)
            case UnknownCommand(word):
                self._chat.composer.put_back(text)
                self._notify(_unknown_command_text(word))
        return None

    async def show_hints(self) -> None:
        """Show completions of the command being typed."""
        text = self._chat.composer.text
        if not text.startswith("/"):
            if self._hints is not None and self._hints.hints:
                await self._show(())
            return
        # Slash commands are rare, so their completion is not part of the first frame.
        from todo_tui.tui.chat.command_hints import complete_command

        self._fetch_models()
        hints = complete_command(
            text,
            self._models.switch,
            self._models.catalog,
            card_is_open=self._approvals.is_open,
        )
        await self._show(hints if any(hint.text != text for hint in hints) else ())

    async def _switch_by_name(self, kind: ArgumentKind, name: str, typed: str) -> None:
        switching = (
            self._models.switch_to_model
            if kind is ArgumentKind.MODELS
            else self._models.switch_to_provider
        )
        if not await switching(name):
            self._chat.composer.put_back(typed)

    def _fetch_models(self) -> None:
        """Fetch the model lists once, so that model names can be completed."""
        if not self._has_fetched_models:
            self._has_fetched_models = True
            for option in self._models.switch.options:
                self._chat.run_worker(self._models.catalog.ask(option), group="models")

    async def _show(self, hints: tuple[CommandHint, ...]) -> None:
        if self._hints is None:
            from todo_tui.tui.chat.command_hints import CommandHintList  # not in the first frame

            self._hints = CommandHintList()
            await self._chat.mount(self._hints)
        self._hints.set_bottom_margin(self._chat.composer.outer_size.height)
        self._hints.hints = hints
        self._chat.composer.completion = hints[0].text if hints else ""

    def _notify(self, text: str) -> None:
        self._chat.app.notify(plain_line(text), markup=False)


def _unknown_command_text(word: str) -> str:
    """Return the error for an unknown command, with the known ones and the way to escape it."""
    names = [command.name for command in SLASH_COMMANDS]
    close = near_misses(word, names) if word else []
    unknown = f"There is no command /{word}. " if word else ""
    meant = f"/{close[0]}? " if close else ""
    known = " ".join(f"/{name}" for name in names)
    return f"{unknown}{meant}There are: {known}. //{word} sends it as a message."
