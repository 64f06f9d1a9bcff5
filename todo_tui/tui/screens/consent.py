"""Consent before the first message goes to a remote host, and the approval settings."""

from dataclasses import replace
from pathlib import Path

from textual import events, on
from textual.app import App, ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, OptionList, Static, TextArea
from textual.widgets.option_list import Option

from todo_tui.config.provider_row import ProviderOption
from todo_tui.config.settings import ApprovalMode, ApprovalSettings
from todo_tui.domain.errors import TodoError
from todo_tui.domain.text import plain_line, tool_words
from todo_tui.tui.actions.action import ActionHost
from todo_tui.tui.actions.hints import format_hint
from todo_tui.tui.actions.screens import APPROVAL_SETTINGS, CONSENT_SCREEN
from todo_tui.tui.key_queue import character_of
from todo_tui.tui.models.switch import ProviderSwitch
from todo_tui.tui.theme import FAINT, MUTED
from todo_tui.tui.widgets.choice import Choice
from todo_tui.tui.widgets.choice_row import CONSENT, ChoiceRow, key_hint
from todo_tui.tui.widgets.dialog import Dialog

_NAMES = {
    ApprovalMode.RISKY: "Risky changes",
    ApprovalMode.WRITES: "All changes",
    ApprovalMode.ALWAYS: "All tool calls",
    ApprovalMode.NEVER: "Nothing",
}


async def obtain_consent(
    app: App[object], switch: ProviderSwitch, option: ProviderOption, model: str
) -> bool:
    """Ask for consent to send messages to the host of a provider, and store it."""
    if not await app.push_screen_wait(ConsentScreen(option, model)):
        return False
    try:
        await switch.give_consent(option)
    except TodoError as error:
        app.notify(plain_line(error.text))
        return False
    return True


class ConsentScreen(ActionHost, Dialog[bool]):
    """Asks for consent to send messages to a host; Esc cancels.

    It may open while a message is being typed. So it is answered like every other card: its choices
    have no focus until Tab or a click, and typed text goes into the input below until then.
    """

    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")
    AUTO_FOCUS = ""
    ACTIONS = CONSENT_SCREEN

    def __init__(self, option: ProviderOption, model: str) -> None:
        super().__init__()
        self._option = option
        self._model = model
        self._choices = ChoiceRow(CONSENT, marked=Choice.DENY)

    def compose(self) -> ComposeResult:
        """Lay out what would be sent, the host and the two choices."""
        label = plain_line(self._option.row.label)
        host = plain_line(self._option.host)
        model = f" ({plain_line(self._model)})" if self._model else ""
        with Vertical(id="consent"):
            yield Static(Content.styled(f"Send messages to {label}?", "bold"), markup=False)
            yield Static(
                Content.assemble(
                    f"{label}{model} at ",
                    (host, "bold $text-accent"),
                    " will receive:\n\n"
                    "  • the newest messages of this conversation\n"
                    "  • tasks and documents the assistant looks up, and task counts\n"
                    "  • the selected task\n"
                    "  • today's date and your time zone\n\n"
                    "All other tasks stay on this machine. You are asked once per host.",
                ),
                markup=False,
            )
            yield self._choices

    @on(ChoiceRow.Chosen)
    def _close(self, event: ChoiceRow.Chosen) -> None:
        self.dismiss(event.choice.approves)

    def on_click(self, event: events.Click) -> None:
        """Focus the choices: a click beside them answers nothing."""
        if event.widget is not self:
            self._choices.focus()

    def on_key(self, event: events.Key) -> None:
        """Insert text typed before the choices have the focus into the input below."""
        self._type_below(character_of(event))

    def on_paste(self, event: events.Paste) -> None:
        """Pass a paste to the input below."""
        self._type_below(event.text)

    def _type_below(self, text: str) -> None:
        below = self.app.screen_stack[-2].focused
        if text and self.focused is None and isinstance(below, TextArea | Input):
            below.post_message(events.Paste(text))

    def action_to_choices(self) -> None:
        """Focus the choices."""
        self._choices.focus()

    @on(events.Mount)
    @on(events.DescendantFocus)
    @on(events.DescendantBlur)
    def _show_key_hints(self) -> None:
        self.query_one("#consent").border_subtitle = (
            key_hint(self.app)
            if self._choices.has_focus
            else format_hint(self.app, "{chat.to_card} answer · {consent.no} cancel")
        )


class ApprovalSettingsScreen(ActionHost, Dialog[ApprovalMode | None]):
    """Returns the chosen mode, None if it stays `current`; `configured` are the settings."""

    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")
    AUTO_FOCUS = "OptionList"
    ACTIONS = APPROVAL_SETTINGS

    def __init__(self, configured: ApprovalSettings, current: ApprovalMode) -> None:
        super().__init__()
        self._configured = configured
        self._current = current
        self._modes = list(_NAMES)

    def compose(self) -> ComposeResult:
        """Lay out the modes, and what the configuration adds."""
        with Vertical(id="approvals") as box:
            box.border_title = "Ask for approval before"
            box.border_subtitle = format_hint(self.app, "Enter choose · {approvals.close} close")
            options = OptionList(*(Option(self._line(mode)) for mode in self._modes))
            options.highlighted = self._modes.index(self._current)
            yield options
            yield Static(Content.styled("\n".join(self._notes()), MUTED), markup=False)

    def _line(self, mode: ApprovalMode) -> Content:
        mark = "● " if mode is self._current else "  "
        return Content.assemble(
            (mark, "$text-accent"),
            (self._mode_name(mode), "bold"),
            ("\n  ", ""),
            (self._about(mode), FAINT),
        )

    def _about(self, mode: ApprovalMode) -> str:
        match mode:
            case ApprovalMode.RISKY:
                return (
                    f"in one message: {', '.join(self._limits(mode))},\n"
                    "  a second undo, or a change after reading text written by others"
                )
            case ApprovalMode.WRITES:
                return "adding, editing, completing, deleting and undoing"
            case ApprovalMode.ALWAYS:
                return "including reading tasks"
            case ApprovalMode.NEVER:
                limits = [*self._limits(mode), "undoing changes made elsewhere"]
                return ("" if limits[1:] else "except ") + ",\n  or ".join(limits)

    def _mode_name(self, mode: ApprovalMode) -> str:
        has_limits = mode is ApprovalMode.NEVER and self._limits(mode)
        return "Only large changes" if has_limits else _NAMES[mode]

    def _limits(self, mode: ApprovalMode) -> list[str]:
        rules = replace(self._configured, ask=mode)
        limits = {"tasks changed": rules.most_changed, "added": rules.most_added}
        return [f"more than {most} {what}" for what, most in limits.items() if most is not None]

    def _notes(self) -> list[str]:
        rules = self._configured
        notes = ["Takes effect now and resets what you allowed for conversations."]
        if rules.tools:
            notes.append(
                f"Always ask before: {plain_line(', '.join(map(tool_words, rules.tools)))}."
            )
        if not rules.ask_is_default:
            notes.append(f"At the next start, “{rules.ask}” from the configuration applies again.")
        return notes

    @on(OptionList.OptionSelected)
    def _choose(self, event: OptionList.OptionSelected) -> None:
        mode = self._modes[event.option_index]
        self.app.notify(f"Approval needed for: {self._mode_name(mode).lower()}.", timeout=3)
        self.dismiss(None if mode is self._current else mode)
