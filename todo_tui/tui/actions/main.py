"""Actions of the app and of its main screen: keys that work everywhere, the conversation, turns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from todo_tui.tui.actions.action import Action, ArgumentKind, KeyAction, Need, Slash
from todo_tui.tui.widgets.choice import Choice

if TYPE_CHECKING:
    from todo_tui.tui.app import TodoApp
    from todo_tui.tui.chat.transcript import Transcript
    from todo_tui.tui.screens.main import MainScreen

STOP_FIRST = "Stop the response first: press {chat.stop}."
ANSWER_FIRST = "Answer the request first: press {chat.yes} to approve or {chat.no} to deny."

_IDLE: tuple[Need[MainScreen], ...] = (
    Need(lambda main: not main.chat.session.is_asking, ANSWER_FIRST),
    Need(lambda main: not main.chat.session.busy, STOP_FIRST),
)
_CONVERSATION_SHOWN: Need[MainScreen] = Need(
    lambda main: main.chat.conversation.transcript is not None
)
_CONVERSATION_STORED: Need[MainScreen] = Need(
    lambda main: main.chat.session.conversation_id is not None, "No conversation yet."
)
_FOUND_SOMETHING: Need[MainScreen] = Need(
    lambda main: main.chat.session.conversation_id is not None,
    "Nothing to search: this conversation is empty.",
)
_HAS_UNFINISHED: Need[MainScreen] = Need(
    lambda main: main.chat.session.can_retry, "No failed message to retry."
)
_TWO_PANES: Need[MainScreen] = Need(
    lambda main: not main.panes.is_single, "Only one pane is shown."
)
_OUTSIDE_BOX: Need[MainScreen] = Need(
    lambda main: not main.chat.composer.has_focus, "The message box is already focused."
)
_WIDE: Need[MainScreen] = Need(
    lambda main: not main.panes.is_narrow, "The terminal is too narrow for two panes."
)
_NOT_EDITING: Need[MainScreen] = Need(
    lambda main: main.chat.outbox.edited is None, "Send or cancel the edited message first."
)
_HAS_EVIDENCE: Need[MainScreen] = Need(
    lambda main: main.chat.conversation.has_evidence, "This answer cites no documents."
)
_CAN_CONTINUE: Need[MainScreen] = Need(
    lambda main: main.chat.conversation.can_continue, "No stopped answer to continue."
)
_HAS_SETTINGS: Need[MainScreen] = Need(
    lambda main: main.opener.has_settings, "The demo has no settings to change."
)
_HAS_EARLIER: Need[MainScreen] = Need(
    lambda main: main.chat.conversation.has_version(-1), "No earlier version of this message."
)
_HAS_LATER: Need[MainScreen] = Need(
    lambda main: main.chat.conversation.has_version(1), "No later version of this message."
)


def _has_turn(reason: str) -> tuple[Need[MainScreen], ...]:
    return *_IDLE, Need(lambda main: main.chat.conversation.has_turn, reason)


def _reading(act: Callable[[Transcript], object]) -> Callable[[MainScreen], object]:
    """Return an action on the transcript, which does nothing before that is mounted."""

    def run(main: MainScreen) -> object:
        transcript = main.chat.conversation.transcript
        return act(transcript) if transcript is not None else None

    return run


def _go_to_provider(number: int) -> Callable[[MainScreen], object]:
    return lambda main: main.models.choose_number(number)


_FIND: Slash[MainScreen] = Slash("find", "[TEXT]", lambda main, text: main.chat.find(text), rank=4)
_RETRY: Slash[MainScreen] = Slash("retry", rank=4)
_UNDO: Slash[MainScreen] = Slash(
    "undo",
    "[N]",
    lambda main, number: main.chat.turn_actions.undo(number),
    rank=4,
    completes=ArgumentKind.CHANGING_MESSAGE,
)
_TO_CHAT: Action[MainScreen] = Action(
    "app.to_chat",
    "Focus message box",
    "escape",
    lambda main: main.panes.go_to_chat(),
    needs=(_OUTSIDE_BOX,),
)

_READ_BACK: Action[MainScreen] = Action(
    "chat.read_back",
    "Browse conversation (reading mode)",
    "shift+tab",
    lambda main: main.panes.toggle_reading(),
    hint="reading mode",
    hint_rank=2,
)
BACK_TO_BOX = replace(_READ_BACK, hint="message box")
"""The same key where it leads back."""

# Rows of a table are read beside each other.
# fmt: off
APP: tuple[Action[TodoApp], ...] = (
    Action("app.help", "Keyboard shortcuts", "f1,question_mark", lambda app: app.action_help(),
        hint="help", hint_rank=1, words="show help keys",
        slash=Slash("help", "[TEXT]", lambda app, text: app.action_help(text))),
    KeyAction("app.command_palette", "Command palette", "ctrl+p",
        lambda app: app.action_command_palette(), hint="commands", hint_rank=2, priority=True),
    Action("app.theme", "Choose theme", "f9", lambda app: app.action_choose_theme(),
        words="switch toggle dark light mode colors"),
    Action("app.quit", "Quit", "ctrl+q", lambda app: app.action_quit(), hint="quit", hint_rank=3,
        words="exit close app", slash=Slash("quit"), priority=True),
    Action("app.interrupt", "Stop, clear, quit (press twice)", "ctrl+c",
        lambda app: app.action_interrupt()),
)
"""Actions of the app itself, from every screen that is not modal."""

MAIN: tuple[Action[MainScreen], ...] = (
    # Priority over the inputs of the list too: while a card is open, Esc denies it.
    Action("chat.no", "Deny", "escape", lambda main: main.action_answer(False), hint="deny",
        words="request tool call", needs=(Need(lambda main: main.chat.can_answer(False)),),
        slash=Slash("deny", "REASON", lambda main, reason: main.chat.answer(Choice.DENY, reason),
            needs=(Need(lambda main: main.chat.approvals.is_open, "Nothing to deny."),), rank=5,
            answers_card=True),
        priority=True),
    Action("chat.stop", "Stop response", "escape", lambda main: main.action_stop_turn(),
        hint="stop", words="cancel interrupt",
        needs=(Need(lambda main: main.can_stop, "No response to stop."),)),
    _TO_CHAT,
    Action("chat.to_card", "Focus approval card", "tab",
        lambda main: main.chat.approvals.focus_card(), hint="answer",
        needs=(Need(lambda main: main.chat.can_go_to_card and not main.panes.is_in_list,
            "No request to approve or deny."),)),
    # No letter with Alt: most terminals send Alt+Y as Esc and y, which a person types who
    # denies and writes on.
    Action("chat.yes", "Approve", "f10", lambda main: main.action_answer(True), hint="approve",
        words="request tool call", needs=(Need(lambda main: main.chat.can_answer(True)),),
        slash=Slash("approve", run=lambda main, _: main.chat.answer(Choice.APPROVE),
            needs=(Need(lambda main: main.chat.approvals.is_open, "Nothing to approve."),), rank=5,
            answers_card=True)),
    Action("app.to_list", "Focus task list", "tab", lambda main: main.panes.go_to(tasks=True),
        hint="list",
        needs=(Need(lambda main: not main.panes.is_in_list, "The task list is already focused."),)),
    replace(_TO_CHAT, keys="tab", hint="chat"),
    Action("chat.editor", "Edit message in $EDITOR", "ctrl+g",
        lambda main: main.action_edit_message(), words="external vim nano compose",
        slash=Slash("editor"), worker="editor"),
    Action("app.pick_model", "Choose model", "f2", lambda main: main.models.choose_model(),
        hint="model", words="switch provider settings",
        slash=Slash("model", "NAME|N", lambda main, name: main.models.choose_model(name), rank=0,
            summary="Choose model (by name or number)", completes=ArgumentKind.MODEL)),
    Action("app.provider", "Choose provider", "", lambda main: main.models.choose_model(),
        slash=Slash("provider", "NAME", lambda main, name: main.models.choose_provider(name),
            rank=0, completes=ArgumentKind.PROVIDER)),
    Action("app.conversations", "Conversations", "f5", lambda main: main.action_conversations(),
        hint="conversations", hint_rank=1,
        words="chats history earlier old open search find restore deleted",
        slash=Slash("conversations", "[TEXT]",
            lambda main, text: main.action_conversations(text), rank=2)),
    Action("app.next_provider", "Next model", "ctrl+t",
        lambda main: main.action_next_provider(), words="switch and retry failed message",
        worker="model", is_exclusive=True),
    *(
        KeyAction(
            f"app.provider_{number}",
            "Switch to model 1–9",
            f"alt+{number}",
            _go_to_provider(number),
            key_display="Alt+1…9",
        )
        for number in range(1, 10)
    ),
    Action("chat.retry", "Retry message", "ctrl+r", lambda main: main.chat.retry(),
        hint="retry", words="send again", needs=(_HAS_UNFINISHED,), slash=_RETRY),
    Action("chat.undo_turn", "Undo assistant's changes", "alt+u",
        lambda main: main.chat.turn_actions.undo(),
        needs=_has_turn("No assistant changes to undo."), slash=_UNDO),
    Action("chat.new", "New conversation", "ctrl+n", lambda main: main.action_new_conversation(),
        words="start new chat", needs=(_CONVERSATION_SHOWN,), slash=Slash("new", rank=1)),
    Action("chat.find", "Find in conversation", "ctrl+f", lambda main: main.chat.find(),
        needs=(_FOUND_SOMETHING,), slash=_FIND),
    Action("chat.history", "Search sent messages", "ctrl+s",
        lambda main: main.chat.search_sent(), words="history find recall previous",
        needs=(_CONVERSATION_SHOWN,),
        slash=Slash("history", "[TEXT]", lambda main, text: main.chat.search_sent(text))),
    Action("chat.queue", "Edit queued messages", "ctrl+l",
        lambda main: main.chat.edit_queue(), words="pending waiting delete move",
        needs=(Need(lambda main: bool(main.chat.outbox.queue), "No queued messages."),),
        slash=Slash("queue")),
    Action("chat.calls", "Show/hide tool details", "ctrl+o",
        _reading(lambda transcript: transcript.toggle_rows()), needs=(_CONVERSATION_SHOWN,)),
    KeyAction("chat.page_up", "Scroll conversation up", "pageup",
        _reading(lambda transcript: transcript.scroll_page_up(animate=False)),
        needs=(_CONVERSATION_SHOWN,)),
    KeyAction("chat.page_down", "Scroll conversation down", "pagedown",
        _reading(lambda transcript: transcript.scroll_page_down(animate=False)),
        needs=(_CONVERSATION_SHOWN,)),
    Action("chat.newest", "Go to newest answer", "ctrl+end",
        lambda main: main.chat.conversation.show_newest(), needs=(_CONVERSATION_SHOWN,)),
    Action("chat.oldest", "Go to first message", "ctrl+home",
        lambda main: main.chat.conversation.show_oldest(), needs=(_CONVERSATION_SHOWN,),
        worker="conversation"),
    _READ_BACK,
    Action("chat.rename", "Rename conversation", "",
        lambda main: main.chat.title_line.rename(), needs=(_CONVERSATION_STORED,),
        slash=Slash("rename", "TITLE", lambda main, title: main.chat.title_line.rename(title),
            rank=2)),
    Action("chat.pin", "Pin/unpin conversation", "",
        lambda main: main.chat.title_line.toggle_pin(), needs=(_CONVERSATION_STORED,),
        slash=Slash("pin", rank=2)),
    Action("chat.export", "Export conversation", "",
        lambda main: main.chat.title_line.export(), needs=(_CONVERSATION_STORED,),
        slash=Slash("export", "[PATH]", lambda main, path: main.chat.title_line.export(path),
            rank=2, completes=ArgumentKind.PATH)),
    Action("chat.attach", "Add document or folder", "", lambda main: main.action_attach(),
        words="attach file pdf knowledge import",
        slash=Slash("attach", "PATH", lambda main, paths: main.action_attach(paths), rank=3,
            completes=ArgumentKind.PATH)),
    Action("chat.documents", "Documents", "", lambda main: main.action_documents(),
        words="list knowledge files remove", slash=Slash("documents", rank=3)),
    Action("chat.copy", "Copy last answer (or code block)", "",
        lambda main: main.chat.conversation.copy(),
        slash=Slash("copy", "[code]", lambda main, part: main.chat.conversation.copy(part), rank=4,
            completes=ArgumentKind.CODE)),
    Action("chat.copy_code", "Copy code block", "",
        _reading(lambda transcript: transcript.cursor.copy_code()), words="clipboard"),
    Action("app.zoom", "Zoom focused pane", "f12,z", lambda main: main.panes.toggle_zoom(),
        hint="zoom", hint_rank=3,
        hint_now=lambda main: "unzoom" if main.panes.is_zoomed else "zoom",
        words="full screen maximize toggle one pane", needs=(_WIDE,), explains=True,
        slash=Slash("zoom")),
    Action("app.widen_list", "Widen task list", "left_curly_bracket",
        lambda main: main.panes.resize_list(1), words="split panes resize bigger",
        needs=(_WIDE, _TWO_PANES), explains=True),
    Action("app.narrow_list", "Narrow task list", "right_curly_bracket",
        lambda main: main.panes.resize_list(-1), words="split panes resize smaller chat wider",
        needs=(_WIDE, _TWO_PANES), explains=True),
    Action("list.snooze", "Snooze reminder", "Z,alt+z", lambda main: main.action_reminder(),
        section="Recurrence, links, trash", slash=Slash("snooze")),
    Action("app.usage", "Usage and cost", "f3",
        lambda main: main.opener.open_usage(main.chat.session.conversation_id),
        words="show tokens budget", slash=Slash("usage")),
    Action("app.statistics", "Statistics", "f4", lambda main: main.opener.open_statistics(),
        words="show stats streak", slash=Slash("stats")),
    Action("app.changes", "All changes", "alt+l", lambda main: main.opener.open_changes(),
        words="ledger log history undo agents who audit", slash=Slash("changes")),
    Action("app.dump", "Brain dump", "alt+d", lambda main: main.dump(),
        words="many tasks paste lines preview add",
        slash=Slash("dump", "[TEXT]", lambda main, text: main.dump(text))),
    Action("chat.plan", "Plan the day", "", lambda main: main.plan(),
        words="my today schedule order assistant", needs=(_NOT_EDITING,),
        slash=Slash("plan", "[day|tomorrow|week]", lambda main, span: main.plan(span),
            summary="Plan day or week")),
    Action("chat.review", "Start weekly review", "", lambda main: main.send("weekly review"),
        words="week overdue stale projects assistant", needs=(_NOT_EDITING,),
        slash=Slash("review")),
    Action("app.settings", "Settings", "f11", lambda main: main.opener.open_settings(),
        words="configuration options preferences remap keys change",
        slash=Slash("settings", "[TEXT]", lambda main, text: main.opener.open_settings(text)),
        needs=(_HAS_SETTINGS,)),
    Action("app.log", "Log", "f8", lambda main: main.opener.open_log(), words="show errors",
        slash=Slash("log")),
)
"""Actions of the main screen, whatever part of it has the focus."""

READING: tuple[Action[MainScreen], ...] = (
    BACK_TO_BOX,
    KeyAction("steps.up", "Previous part (message, tool call, code)", "up,k",
        _reading(lambda transcript: transcript.cursor.step(-1))),
    KeyAction("steps.down", "Next part (message, tool call, code)", "down,j",
        _reading(lambda transcript: transcript.cursor.step(1))),
    Action("steps.newest", "Go to newest answer", "end",
        lambda main: main.chat.conversation.show_newest()),
    Action("steps.oldest", "Go to first message", "home",
        lambda main: main.chat.conversation.show_oldest(), worker="conversation"),
    Action("steps.copy", "Copy selected part", "c,y",
        _reading(lambda transcript: transcript.cursor.copy()), hint="copy", words="clipboard",
        needs=(Need(lambda main: main.chat.conversation.has_turns, "No answer to copy yet."),)),
    Action("steps.source", "Open cited source", "o,enter",
        _reading(lambda transcript: transcript.cursor.open_source()), hint="source",
        words="show citation document passage", needs=(_HAS_EVIDENCE,)),
    Action("steps.edit", "Edit and resend message", "e", lambda main: main.action_edit_turn(),
        hint="edit", words="resend send again message", needs=_has_turn("No message to edit."),
        slash=Slash("edit", "[N]", lambda main, number: main.action_edit_turn(number), rank=4,
            completes=ArgumentKind.MESSAGE)),
    Action("steps.undo_turn", "Undo assistant's changes", "u",
        lambda main: main.chat.turn_actions.undo(), hint="undo",
        needs=_has_turn("No assistant changes to undo."), slash=_UNDO,
        applies=lambda main: main.chat.conversation.has_changes),
    Action("steps.compare", "Compare with another model", "m",
        lambda main: main.action_compare(), hint="compare",
        needs=_has_turn("No answer to compare."),
        slash=Slash("compare", "MODEL", lambda main, name: main.action_compare(name), rank=4,
            completes=ArgumentKind.MODEL), worker="model", is_exclusive=True),
    Action("steps.inspect", "Inspect model calls", "i",
        lambda main: main.chat.turn_actions.inspect(), hint="inspect",
        words="show request response prompt sent raw",
        needs=_has_turn("No model calls to inspect."), slash=Slash("inspect", rank=4)),
    Action("steps.continue", "Continue stopped answer", "g",
        lambda main: main.chat.continue_answer(), hint="continue",
        needs=(*_IDLE, _CAN_CONTINUE), slash=Slash("continue", rank=4)),
    Action("steps.branch_before", "Previous version of message", "left_square_bracket",
        lambda main: main.chat.turn_actions.show_version(-1), hint="version",
        words="branch edited earlier", needs=(*_IDLE, _HAS_EARLIER)),
    Action("steps.branch_after", "Next version of message", "right_square_bracket",
        lambda main: main.chat.turn_actions.show_version(1), hint="version",
        words="branch edited later", needs=(*_IDLE, _HAS_LATER)),
    Action("steps.find", "Find in conversation", "slash", lambda main: main.chat.find(),
        hint="find", needs=(_FOUND_SOMETHING,), slash=_FIND),
    Action("steps.message_up", "Previous message", "shift+up,K",
        _reading(lambda transcript: transcript.cursor.step_message(-1))),
    Action("steps.message_down", "Next message", "shift+down,J",
        _reading(lambda transcript: transcript.cursor.step_message(1))),
    Action("steps.retry", "Retry message", "r", lambda main: main.chat.retry(),
        needs=(_HAS_UNFINISHED,), slash=_RETRY),
    Action("steps.again", "Answer again", "a", lambda main: main.chat.answer_again(),
        needs=_has_turn("No message to answer again."), slash=Slash("again", rank=4)),
    Action("steps.approvals", "Approval settings", "p",
        lambda main: main.chat.approvals.open_settings(),
        words="policy permissions ask before confirm yolo", slash=Slash("approvals", rank=5)),
)
"""Actions of reading mode, performed by the main screen: their keys work in the transcript."""
