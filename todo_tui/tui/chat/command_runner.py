"""Runs a slash command that was typed in the composer, and shows completions while it is typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from todo_tui.domain.text import plain_line
from todo_tui.tui.background import LazyCoroutine
from todo_tui.tui.chat.approval import ApprovalController
from todo_tui.tui.chat.pane import ChatPane
from todo_tui.tui.chat.slash_commands import (
    SLASH_COMMANDS,
    ArgumentKind,
    CommandCall,
    PlainMessage,
    UnknownCommand,
    parse_message,
)
from todo_tui.tui.fuzzy_search import near_misses
from todo_tui.tui.models.controller import ModelController

if TYPE_CHECKING:
    from todo_tui.tui.chat.command_hints import CommandHint, CommandHintList


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
