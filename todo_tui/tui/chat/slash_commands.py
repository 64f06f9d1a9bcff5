"""Slash commands: the table, and parsing of what is typed in the composer."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto

_WORD = re.compile(r"/([^\W\d_][\w-]*)?")


class ArgumentKind(Enum):
    """Of what a command takes a name."""

    NOTHING = auto()
    MODELS = auto()
    PROVIDERS = auto()


@dataclass(frozen=True, slots=True)
class SlashCommand:
    """A command; `action` is what it runs, as a binding would name it."""

    name: str
    summary: str
    action: str
    takes: ArgumentKind = ArgumentKind.NOTHING
    answers_card: bool = False
    """Whether it only does something while an approval card is open."""

    @property
    def usage(self) -> str:
        """`/model NAME`, as help and hints write it."""
        return f"/{self.name}" if self.takes is ArgumentKind.NOTHING else f"/{self.name} NAME"


SLASH_COMMANDS: tuple[SlashCommand, ...] = (
    SlashCommand(
        "model", "Choose a model: by name, or from a list", "pick_model", ArgumentKind.MODELS
    ),
    SlashCommand(
        "provider", "Choose who runs the model: by name, or from a list", "pick_model",
        ArgumentKind.PROVIDERS,
    ),
    SlashCommand("new", "A new conversation", "talk('anew')"),
    SlashCommand("retry", "Send the message that failed again", "talk('retry')"),
    SlashCommand("approve", "Approve the open request", "reply(True)", answers_card=True),
    SlashCommand("deny", "Deny the open request", "reply(False)", answers_card=True),
    SlashCommand("usage", "What was spent: tokens and money", "usage"),
    SlashCommand("stats", "What was done, day by day", "statistics"),
    SlashCommand("log", "What went wrong lately, in detail", "log"),
    SlashCommand("help", "All keys and commands", "app.help"),
    SlashCommand("quit", "Stop what runs and leave", "app.quit"),
)  # fmt: skip
"""All of them, in the order in which they are listed."""


@dataclass(frozen=True, slots=True)
class PlainMessage:
    """A message for the model."""

    text: str


@dataclass(frozen=True, slots=True)
class CommandCall:
    """A command, with what stands behind it."""

    command: SlashCommand
    argument: str


@dataclass(frozen=True, slots=True)
class UnknownCommand:
    """A slash and a word that is no command; empty: the slash alone."""

    word: str


ParsedMessage = PlainMessage | CommandCall | UnknownCommand


def parse_message(text: str) -> ParsedMessage:
    """Tell a command from a message.

    `//model` and ` /model` are messages: the first without its extra slash, where it
    has that for no other reason.
    """
    if text.startswith("//"):
        alone = _parse("/" + text.lstrip("/"))
        return PlainMessage(text if isinstance(alone, PlainMessage) else text[1:])
    return _parse(text)


def escape_message(message: str) -> str:
    """What has to be typed for that message to be sent as a message."""
    return message if parse_message(message) == PlainMessage(message) else f"/{message}"


def find_command(name: str) -> SlashCommand | None:
    """The command of that name, however it is written."""
    return next((each for each in SLASH_COMMANDS if each.name == name.lower()), None)


def command_for_action(action: str) -> SlashCommand | None:
    """The command that does the same as a key with that action."""
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
