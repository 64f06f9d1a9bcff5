"""Slash commands typed in the composer: parsing and running them."""

import re
from dataclasses import dataclass
from typing import NamedTuple

from todo_tui.domain.text import plain_line, similar
from todo_tui.tui.actions.action import find_host
from todo_tui.tui.actions.hints import perform_or_explain
from todo_tui.tui.actions.registry import SLASH_COMMANDS, SlashCommand
from todo_tui.tui.chat.pane import ChatPane

_WORD = re.compile(r"/(?:([^\W\d_][\w-]*+)(?![/\\]|\.\w))?")
"""A command; a path such as `/etc/hosts` is none."""


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


@dataclass(slots=True)
class SlashCommandRunner:
    """Runs slash commands typed in the composer."""

    chat: ChatPane

    async def message_or_run(self, text: str) -> str | None:
        """Return the message to send; None where the text was a command, which is run."""
        match parse_message(text):
            case str(message):
                return message
            case CommandCall(name, None, argument):
                self._put_back(text, _unknown_command_text(name, argument))
            case CommandCall(_, command, argument) if command and argument:
                if not command.slash.argument:
                    self._put_back(text, f"/{command.name} takes no arguments.")
                elif not await self._run(command, argument):
                    self.chat.composer.put_back(text)
            case CommandCall(_, command, _) if command:
                await self._run(command)
        return None

    async def _run(self, command: SlashCommand, argument: str = "") -> bool:
        """Run a command where its action is performed; tell why if it cannot run now."""
        screen, row = self.chat.screen, command.action
        host = find_host(row, (screen, self.chat.app, *screen.walk_children()))
        return host is not None and await perform_or_explain(host, row, argument)

    def _put_back(self, text: str, reason: str) -> None:
        self.chat.composer.put_back(text)
        self.chat.app.notify(plain_line(reason))


def _unknown_command_text(word: str, argument: str) -> str:
    close = similar(word, SLASH_COMMANDS, most=1)
    unknown = f"Unknown command /{word}. " if word else ""
    as_message = f"To send it as a message, type //{word}{' …' if argument else ''}."
    if close:
        return f"{unknown}Did you mean /{close[0]}? {as_message}"
    known = " ".join(f"/{name}" for name in SLASH_COMMANDS)
    return f"{unknown}Commands: {known}. {as_message}"
