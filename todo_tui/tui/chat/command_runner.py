"""Slash commands typed in the composer: completion while they are typed, running them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

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
    find_command,
    parse_message,
)
from todo_tui.tui.fuzzy_search import near_misses, rank_matches
from todo_tui.tui.models.controller import ModelController
from todo_tui.tui.models.switch import ProviderSwitch
from todo_tui.tui.services import ProviderOption
from todo_tui.tui.theme import MUTED
from todo_tui.tui.widgets.text import pad_or_clip, strip_unstable

if TYPE_CHECKING:
    from todo_tui.tui.models.catalog import ModelCatalog

MAX_HINTS = 8
_MAX_COLUMN, _MIN_DESCRIPTION = 44, 20


@dataclass(frozen=True, slots=True)
class CommandHint:
    """Completion of a slash command; `text` is the complete line."""

    text: str
    about: str


def complete_command(
    text: str, switch: ProviderSwitch, catalog: ModelCatalog, *, card_is_open: bool = False
) -> tuple[CommandHint, ...]:
    """Return completions, best first; none where no command is being typed."""
    if not text.startswith("/") or text.startswith("//") or "\n" in text:
        return ()
    word, space, argument = text[1:].partition(" ")
    if not space:
        return _commands(word, card_is_open=card_is_open)
    command = find_command(word)
    match command.takes if command is not None else ArgumentKind.NOTHING:
        case ArgumentKind.MODELS:
            return _models(f"/{word} ", argument.strip(), catalog)
        case ArgumentKind.PROVIDERS:
            return _providers(f"/{word} ", argument.strip(), switch)
        case ArgumentKind.NOTHING:
            return ()


def _commands(word: str, *, card_is_open: bool) -> tuple[CommandHint, ...]:
    return tuple(
        CommandHint(f"/{command.name}" + (" " if command.takes is not ArgumentKind.NOTHING else ""),
             command.summary)
        for command in SLASH_COMMANDS
        if command.name.startswith(word.lower()) and (card_is_open or not command.answers_card)
    )  # fmt: skip


def _models(before: str, typed: str, catalog: ModelCatalog) -> tuple[CommandHint, ...]:
    rows = catalog.rows()
    recent = catalog.recent_rows(rows)
    found = catalog.filter_rows(rows, typed) if typed else list(dict.fromkeys([*recent, *rows]))
    ready = [row for row in found if row.ready and row.model]
    return tuple(
        CommandHint(
            before + plain_line(f"{row.option.row.id}:{row.model}"),
            plain_line(" · ".join(filter(None, (row.option.row.label, row.state, row.cost)))),
        )
        for row in ready[:MAX_HINTS]
    )


def _providers(before: str, typed: str, switch: ProviderSwitch) -> tuple[CommandHint, ...]:
    def words(option: ProviderOption) -> str:
        return f"{option.row.id} {option.row.label}"

    found = rank_matches(typed, switch.options, words) if typed else switch.options
    return tuple(
        CommandHint(
            before + option.row.id,
            plain_line(f"{option.row.label} · {_status_text(switch, option)}"),
        )
        for option in found[:MAX_HINTS]
    )


def _status_text(switch: ProviderSwitch, option: ProviderOption) -> str:
    if switch.is_ready(option):
        return "ready"
    known = switch.readiness(option)
    return known.reason if known is not None else f"set {option.row.key_variable}"


class CommandHintList(Widget):
    """Overlay above the composer with completions; Tab takes the first line."""

    # Mounted with the first slash, so it is not part of the style sheets of the first frame.
    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")
    ALLOW_SELECT = False

    hints: reactive[tuple[CommandHint, ...]] = reactive((), layout=True)

    def __init__(self) -> None:
        super().__init__()
        self.border_subtitle = "Tab complete · Enter do it · // sends a slash"

    def set_bottom_margin(self, height: int) -> None:
        """Leave `height` lines free below, for the composer."""
        self.styles.margin = (0, 1, height, 1)

    def watch_hints(self, hints: tuple[CommandHint, ...]) -> None:
        """Hide the list when there are no completions."""
        self.display = bool(hints)

    def render(self) -> Content:
        """Draw one line per completion: the text and its description."""
        width = self.content_size.width
        longest = max((len(hint.text) for hint in self.hints), default=0)
        column = min(longest + 2, _MAX_COLUMN, max(width - _MIN_DESCRIPTION, 12))
        lines = []
        for place, hint in enumerate(self.hints):
            text = pad_or_clip(strip_unstable(hint.text), column)
            line = Content.assemble((text, "bold" if place == 0 else ""), (hint.about, MUTED))
            lines.append(line.truncate(width, ellipsis=True))
        return Content("\n").join(lines)


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
