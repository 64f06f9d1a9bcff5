"""Carries out what is typed as a command, and helps while it is typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from todo_tui.domain.text import plain_line
from todo_tui.tui.approvals import Approvals
from todo_tui.tui.later import Later
from todo_tui.tui.provider_chooser import ProviderChooser
from todo_tui.tui.provider_switch import ProviderSwitch
from todo_tui.tui.widgets.chat_pane import ChatPane

if TYPE_CHECKING:
    # Loaded with the first message or slash.
    from todo_tui.tui.command_hints import Hint
    from todo_tui.tui.slash_commands import Names
    from todo_tui.tui.widgets.command_hints import CommandHints


class SlashDesk:
    """Stands between the composer and the conversation; no command gets past it."""

    def __init__(
        self,
        chat: ChatPane,
        switch: ProviderSwitch,
        chooser: ProviderChooser,
        approvals: Approvals,
    ) -> None:
        self._chat = chat
        self._switch = switch
        self._chooser = chooser
        self._approvals = approvals
        self._hints: CommandHints | None = None
        self._asked_for_models = False

    async def take(self, text: str) -> str | None:
        """The message that the text is; None where it was a command, which is carried out."""
        from todo_tui.tui.slash_commands import (  # not part of the first frame
            Names,
            NotUnderstood,
            Ordered,
            Said,
            read_message,
        )

        match read_message(text):
            case Said(message):
                return message
            case Ordered(command, argument) if argument and command.takes is Names.NOTHING:
                self._chat.composer.put_back(text)
                self._say(f"/{command.name} stands alone: nothing goes behind it.")
            case Ordered(command, argument) if argument:
                go = Later(self._go_by_name, command.takes, argument, text)
                self._chat.screen.run_worker(go, group="model", exclusive=True)
            case Ordered(command):
                await self._chat.app.run_action(command.action, self._chat.screen)
            case NotUnderstood(word):
                self._chat.composer.put_back(text)
                self._say(_explanation(word))
        return None

    async def hint(self) -> None:
        """Show how what is being typed could go on, where it is a command."""
        text = self._chat.composer.text
        if not text.startswith("/"):
            if self._hints is not None and self._hints.hints:
                await self._show(())
            return
        # A slash is rare, and what can be named with it is not part of the first frame.
        from todo_tui.tui.command_hints import command_hints

        self._learn_models()
        hints = command_hints(
            text,
            self._switch,
            self._chooser.catalog,
            card_is_open=self._approvals.is_open,
        )
        await self._show(hints if any(hint.text != text for hint in hints) else ())

    async def _go_by_name(self, kind: Names, name: str, typed: str) -> None:
        from todo_tui.tui.slash_commands import Names  # as above

        go = self._chooser.go_to_model if kind is Names.MODELS else self._chooser.go_to_provider
        if not await go(name):
            self._chat.composer.put_back(typed)

    def _learn_models(self) -> None:
        """Ask the servers once which models they have, so that they can be named."""
        if not self._asked_for_models:
            self._asked_for_models = True
            for option in self._switch.options:
                self._chat.run_worker(self._chooser.catalog.ask(option), group="models")

    async def _show(self, hints: tuple[Hint, ...]) -> None:
        if self._hints is None:
            from todo_tui.tui.widgets.command_hints import CommandHints  # as above

            self._hints = CommandHints()
            await self._chat.mount(self._hints)
        self._hints.stand_on(self._chat.composer.outer_size.height)
        self._hints.hints = hints
        self._chat.composer.completion = hints[0].text if hints else ""

    def _say(self, words: str) -> None:
        self._chat.app.notify(plain_line(words), markup=False)


def _explanation(word: str) -> str:
    """That there is no such command, which there are, and the way around."""
    from todo_tui.tui.model_search import near  # rarely wanted
    from todo_tui.tui.slash_commands import SLASH_COMMANDS

    names = [command.name for command in SLASH_COMMANDS]
    close = near(word, names) if word else []
    unknown = f"There is no command /{word}. " if word else ""
    meant = f"/{close[0]}? " if close else ""
    known = " ".join(f"/{name}" for name in names)
    return f"{unknown}{meant}There are: {known}. //{word} sends it as a message."
