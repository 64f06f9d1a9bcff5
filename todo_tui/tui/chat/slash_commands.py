"""Slash commands typed in the composer."""

import re
from dataclasses import dataclass
from typing import Any, NamedTuple

from textual.message import Message
from textual.screen import Screen

from todo_tui.domain.text import plain_line, similar
from todo_tui.tui.actions.action import find_host
from todo_tui.tui.actions.hints import perform_or_explain
from todo_tui.tui.actions.registry import SLASH_COMMANDS, SlashCommand

_WORD = re.compile(r"/(?:([^\W\d_][\w-]*+)(?![/\\]|\.\w))?")
"""A command; a path such as `/etc/hosts` is not one."""


@dataclass
class CommandRefused(Message):
    """Posted by what could not do what a command asked; the text returns to the composer."""

    typed: str
    reason: str = ""
    """Not told yet; empty if it has been."""


class CommandCall(NamedTuple):
    """Typed command with its argument; `command` is None if no command has that name."""

    name: str
    command: SlashCommand | None
    argument: str = ""


def parse_message(text: str) -> str | CommandCall:
    """Parse the composer's text into a command or a message.

    A slash and a word are a command, known or not, so that a misspelt one is not sent.
    `//model`, ` /model` and paths are messages; the first one loses the slash that escaped it.
    """
    if text.startswith("//"):
        alone = parse_message("/" + text.lstrip("/"))
        return text if isinstance(alone, str) else text[1:]
    found = _WORD.match(text)
    if found is None:
        return text
    name, rest = found.group(1) or "", text[found.end() :]
    if not name and rest.strip():
        return text
    is_whole = not rest or rest[0].isspace()
    return CommandCall(name, SLASH_COMMANDS.get(name.lower()) if is_whole else None, rest.strip())


def escape_message(message: str) -> str:
    """Return the text that has to be typed to send the message as a message."""
    return message if parse_message(message) == message else f"/{message}"


async def run_command(call: CommandCall, typed: str, screen: Screen[Any]) -> None:
    """Run a command where its action is performed, if it can run now.

    CommandRefused is posted with the text as `typed` if it cannot, so that the text is not lost.
    """
    if reason := _why_not_run(call):
        screen.post_message(CommandRefused(typed, reason))
    elif call.command is not None:
        row = call.command.action
        host = find_host(row, (screen, screen.app, *screen.walk_children()))
        is_done = host is not None and await perform_or_explain(host, row, call.argument)
        if call.argument and not is_done:
            screen.post_message(CommandRefused(typed))


def _why_not_run(call: CommandCall) -> str:
    """Return why a typed command cannot be run; empty if it can."""
    if call.command is None:
        return plain_line(_unknown_command_text(call.name, call.argument))
    if call.argument and not call.command.slash.argument:
        return f"/{call.command.name} takes no arguments."
    return ""


def _unknown_command_text(word: str, argument: str) -> str:
    close = similar(word, SLASH_COMMANDS, most=1)
    unknown = f"Unknown command /{word}. " if word else ""
    as_message = f"To send it as a message, type //{word}{' …' if argument else ''}."
    if close:
        return f"{unknown}Did you mean /{close[0]}? {as_message}"
    known = " ".join(f"/{name}" for name in SLASH_COMMANDS)
    return f"{unknown}Commands: {known}. {as_message}"
