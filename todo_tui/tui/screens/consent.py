"""Before the first word goes to a remote provider: which host, what is sent, yes or no."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from todo_tui.domain.text import plain_line
from todo_tui.tui.action_keys import bind
from todo_tui.tui.widgets.key_words import key_words
from todo_tui.tui.workbench import ProviderOption


class ConsentScreen(ModalScreen[bool]):
    """Asks once for each host; Esc is no, and only Y or Ctrl+Y is yes.

    Enter is not taken for an answer: it may have been meant for the composer.
    """

    CSS_PATH = "consent.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("consent.yes", "answer(True)", "use it", show=True),
        bind("consent.no", "answer(False)", "stay", show=True),
    ]

    def __init__(self, option: ProviderOption, model: str) -> None:
        super().__init__()
        self._option = option
        self._model = model

    def compose(self) -> ComposeResult:
        """What would be sent, where, and the two answers."""
        label = plain_line(self._option.row.label)
        host = plain_line(self._option.host)
        model = f" ({plain_line(self._model)})" if self._model else ""
        with Vertical(id="consent"):
            yield Static(Content.styled(f"Send messages to {label}?", "bold"), markup=False)
            yield Static(
                Content.assemble(
                    f"{label}{model} runs at ",
                    (host, "bold $text-accent"),
                    ". It would be sent:\n\n"
                    "  • this conversation: its newest messages, from now on\n"
                    "  • what the assistant looks up of your tasks, and their counts\n"
                    "  • the task that you come from in the list\n"
                    "  • today's date and your time zone\n\n"
                    "The rest of your list stays here. You are asked once for each host.",
                ),
                markup=False,
            )
            yield Static(key_words(("Y use it", "Esc stay")), classes="answers", markup=False)

    def action_answer(self, yes: bool) -> None:
        """Close with the answer."""
        self.dismiss(yes)
