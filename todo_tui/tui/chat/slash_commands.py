"""Slash commands: the table, and parsing of what is typed in the composer."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto

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
