"""Slash commands typed in the composer: parsing and running them."""

import re
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from todo_tui.domain.text import plain_line, similar
from todo_tui.tui.actions import SLASH_COMMANDS, SlashCommand, run_or_explain
from todo_tui.tui.background import LazyCoroutine
from todo_tui.tui.chat.documents import DocumentController
from todo_tui.tui.chat.pane import ChatPane
from todo_tui.tui.models.controller import ModelController

_WORD = re.compile(r"/(?:([^\W\d_][\w-]*+)(?![/\\]|\.\w))?")
"""A command; a path such as `/etc/hosts` is none."""
_ACTIONS = {
    "undo": "turn('undo', {!r})",
    "edit": "turn('edit', {!r})",
    "deny": "reply(False, {!r})",
    "copy": "copy_answer({!r})",
    "compare": "turn('compare', {!r})",
    "rename": "conversation('rename', {!r})",
}
"""Actions of the commands that take an argument, where they are not run here."""
_COMMANDS = {command.name: command for command in SLASH_COMMANDS}


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
    return CommandCall(name, _COMMANDS.get(name.lower()) if is_whole else None, rest.strip())


def escape_message(message: str) -> str:
    """Return the text that has to be typed to send the message as a message."""
    return message if parse_message(message) == message else f"/{message}"


@dataclass(slots=True)
class SlashCommandRunner:
    """Runs slash commands typed in the composer."""

    chat: ChatPane
    models: ModelController
    documents: DocumentController

    async def message_or_run(self, text: str) -> str | None:
        """Return the message to send; None where the text was a command, which is run."""
        match parse_message(text):
            case str(message):
                return message
            case CommandCall(name, None, argument):
                self._put_back(text, _unknown_command_text(name, argument))
            case CommandCall(_, command, "") if command:
                await run_or_explain(self.chat.app, command.action, self.chat.screen)
            case CommandCall(name, _, argument) if name.lower() in _ACTIONS:
                action = _ACTIONS[name.lower()].format(argument)
                if not await run_or_explain(self.chat.app, action, self.chat.screen):
                    self.chat.composer.put_back(text)
            case CommandCall(_, command, paths) if command and command.name == "attach":
                adding = LazyCoroutine(partial(self._attach, paths, text))
                self.chat.screen.run_worker(adding, group="documents")
            case CommandCall(_, command, argument) if command and command.argument:
                switching = LazyCoroutine(partial(self._switch_by_name, command, argument, text))
                self.chat.screen.run_worker(switching, group="model", exclusive=True)
            case CommandCall(name):
                self._put_back(text, f"/{name.lower()} takes no arguments.")
        return None

    async def _switch_by_name(self, command: SlashCommand, name: str, typed: str) -> None:
        models = self.models
        switch = models.switch_to_model if command.name == "model" else models.switch_to_provider
        numbered = command.name == "model" and name.isdecimal()
        if not await (models.switch_to_number(int(name)) if numbered else switch(name)):
            self.chat.composer.put_back(typed)

    async def _attach(self, paths: str, typed: str) -> None:
        if not await self.documents.add_typed(paths):
            self.chat.composer.put_back(typed)

    def _put_back(self, text: str, reason: str) -> None:
        self.chat.composer.put_back(text)
        self.chat.app.notify(plain_line(reason))


def _unknown_command_text(word: str, argument: str) -> str:
    close = similar(word, _COMMANDS, most=1)
    unknown = f"Unknown command /{word}. " if word else ""
    as_message = f"To send it as a message, type //{word}{' …' if argument else ''}."
    if close:
        return f"{unknown}Did you mean /{close[0]}? {as_message}"
    known = " ".join(f"/{name}" for name in _COMMANDS)
    return f"{unknown}Commands: {known}. {as_message}"
