"""Slash commands typed in the composer: the actions that they run."""

import re
from typing import NamedTuple

from todo_tui.tui.actions import SLASH_COMMANDS, SlashCommand
from todo_tui.tui.fuzzy_search import near_misses

_WORD = re.compile(r"/(?:([^\W\d_][\w-]*+)(?![/\\]|\.\w))?")
"""A command; a path such as `/etc/hosts` is none."""
_ACTIONS = {
    "undo": "turn('undo', {!r})",
    "edit": "turn('edit', {!r})",
    "deny": "reply(False, {!r})",
    "copy": "copy_answer({!r})",
    "compare": "turn('compare', {!r})",
    "rename": "conversation('rename', {!r})",
    "model": "switch_model({!r})",
    "provider": "switch_provider({!r})",
    "attach": "attach({!r})",
}
"""Actions of the commands with an argument."""
_COMMANDS = {command.name: command for command in SLASH_COMMANDS}


class CommandCall(NamedTuple):
    """Typed command with its argument; `command` is None if no command has that name."""

    name: str
    command: SlashCommand | None
    argument: str = ""

    @property
    def action(self) -> str:
        """Action of the main screen that the command runs; empty if it cannot be run."""
        if self.command is None:
            return ""
        if not self.argument:
            return self.command.action
        return _ACTIONS.get(self.command.name, "").format(self.argument)

    @property
    def problem(self) -> str:
        """Reason why the command cannot be run."""
        if self.command is not None:
            return f"/{self.name.lower()} takes no arguments."
        return _unknown_command_text(self.name, self.argument)


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
    return CommandCall(name, _COMMANDS.get(name.lower()) if is_whole else None, rest.strip())


def escape_message(message: str) -> str:
    """Return the text that has to be typed to send the message as a message."""
    return message if parse_message(message) == message else f"/{message}"


def _unknown_command_text(word: str, argument: str) -> str:
    close = near_misses(word, list(_COMMANDS)) if word else []
    unknown = f"Unknown command /{word}. " if word else ""
    as_message = f"To send it as a message, type //{word}{' …' if argument else ''}."
    if close:
        return f"{unknown}Did you mean /{close[0]}? {as_message}"
    known = " ".join(f"/{name}" for name in _COMMANDS)
    return f"{unknown}Commands: {known}. {as_message}"
