"""Actions of the message box, approval cards, parts of a turn and lists of messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from todo_tui.tui.actions.action import Action, KeyAction, Need
from todo_tui.tui.widgets.choice import Choice

if TYPE_CHECKING:
    from todo_tui.tui.chat.answer import ReplyRow, StreamingAnswer
    from todo_tui.tui.chat.approval import ApprovalCard
    from todo_tui.tui.chat.comparison import ComparisonScreen
    from todo_tui.tui.chat.composer import Composer
    from todo_tui.tui.chat.message_lists import FindScreen, QueueScreen, SentMessagesScreen
    from todo_tui.tui.chat.trace_rows import ExpandableRow
    from todo_tui.tui.chat.transcript import Welcome
    from todo_tui.tui.chat.turn_undo import UndoHint
    from todo_tui.tui.chat.user_message import UserMessageView
    from todo_tui.tui.widgets.choice_row import ChoiceRow

_OFFERS_COMPLETIONS: Need[Composer] = Need(lambda box: box.offers_completions)

# Rows of a table are read beside each other.
# fmt: off
COMPOSER: tuple[Action[Composer], ...] = (
    KeyAction("write.send", "Send message", "enter", lambda box: box.action_send()),
    KeyAction("write.new_line", "Insert new line (also Shift+Enter, or \\ then Enter)",
        "ctrl+j,shift+enter,alt+enter", lambda box: box.action_new_line(), key_display="Ctrl+J"),
    # Before those that share their keys.
    KeyAction("write.next_candidate", "Next completion", "down", lambda box: box.action_choose(1),
        needs=(_OFFERS_COMPLETIONS,)),
    KeyAction("write.previous_candidate", "Previous completion", "up",
        lambda box: box.action_choose(-1), needs=(_OFFERS_COMPLETIONS,)),
    KeyAction("write.close_list", "Close completions", "escape",
        lambda box: box.action_close_list(), needs=(_OFFERS_COMPLETIONS,)),
    KeyAction("write.older", "Previous message", "up", lambda box: box.action_recall_older()),
    KeyAction("write.newer", "Next message", "down", lambda box: box.action_recall_newer()),
    KeyAction("write.complete", "Complete word", "tab", lambda box: box.action_complete(),
        needs=(Need(lambda box: box.may_complete),)),
    KeyAction("write.cancel_edit", "Cancel edit", "escape", lambda box: box.action_cancel_edit(),
        needs=(Need(lambda box: box.is_editing),)),
)

CHOICE_ROW: tuple[Action[ChoiceRow], ...] = (
    KeyAction("card.next", "Next choice", "right", lambda row: row.action_move(1)),
    KeyAction("card.previous", "Previous choice", "left", lambda row: row.action_move(-1)),
    KeyAction("card.down", "Choice below", "down", lambda row: row.action_move_line(1)),
    KeyAction("card.up", "Choice above", "up", lambda row: row.action_move_line(-1)),
    KeyAction("card.choose", "Confirm choice", "enter", lambda row: row.action_choose_marked()),
    KeyAction("card.approve", "Approve", "y,Y", lambda row: row.action_choose(Choice.APPROVE),
        needs=(Need(lambda row: row.offers(Choice.APPROVE)),)),
    KeyAction("card.approve_always", "Allow in conversation", "a,A",
        lambda row: row.action_choose(Choice.APPROVE_ALWAYS),
        needs=(Need(lambda row: row.offers(Choice.APPROVE_ALWAYS)),)),
    KeyAction("card.deny", "Deny", "n,N", lambda row: row.action_choose(Choice.DENY),
        needs=(Need(lambda row: row.offers(Choice.DENY)),)),
    KeyAction("card.explain", "Deny and say why", "w,W",
        lambda row: row.action_choose(Choice.EXPLAIN),
        needs=(Need(lambda row: row.offers(Choice.EXPLAIN)),)),
)

APPROVAL_CARD: tuple[Action[ApprovalCard], ...] = (
    KeyAction("card.details", "Show all rows", "space", lambda card: card.action_toggle_rows()),
    KeyAction("card.page_down", "Scroll down", "pagedown", lambda card: card.action_page_down()),
    KeyAction("card.page_up", "Scroll up", "pageup", lambda card: card.action_page_up()),
)

EXPANDABLE_ROW: tuple[Action[ExpandableRow], ...] = (
    Action("steps.open", "Show/hide details", "enter,space", lambda row: row.action_open_or_close(),
        hint="open"),
)

USER_MESSAGE: tuple[Action[UserMessageView], ...] = (
    Action("steps.open", "Show/hide details", "enter,space",
        lambda view: view.action_open_or_close(), hint="show all",
        needs=(Need(lambda view: view.can_open),)),
)

ANSWER: tuple[Action[StreamingAnswer], ...] = (
    Action("steps.open", "Show/hide details", "enter,space", lambda answer: answer.suggest(),
        hint="fill in", needs=(Need(lambda answer: bool(answer.suggested)),)),
)

REPLY: tuple[Action[ReplyRow], ...] = (
    Action("steps.open", "Show/hide details", "enter,space", lambda row: row.choose(),
        hint="send"),
)

UNDO_HINT: tuple[Action[UndoHint], ...] = (
    Action("steps.open", "Show/hide details", "enter,space", lambda hint: hint.undo(),
        hint="undo changes"),
)

WELCOME: tuple[Action[Welcome], ...] = (
    Action("steps.open", "Show/hide details", "enter,space",
        lambda welcome: welcome.choose_marked(), hint="fill in"),
)

COMPARISON: tuple[Action[ComparisonScreen], ...] = (
    Action("compare.keep", "Keep answer", "enter", lambda screen: screen.action_keep(),
        hint="keep this answer", worker="closing", is_exclusive=True),
    Action("compare.other", "Other answer", "tab,left,right,h,l",
        lambda screen: screen.action_other(), hint="other answer"),
    Action("compare.copy", "Copy answer", "c,y", lambda screen: screen.action_copy(), hint="copy"),
    Action("compare.close", "Close (keep first answer)", "escape,q",
        lambda screen: screen.action_close(), hint="keep first answer", worker="closing",
        is_exclusive=True),
)

SENT_MESSAGES: tuple[Action[SentMessagesScreen], ...] = (
    Action("history.close", "Close", "escape", lambda screen: screen.action_dismiss(None),
        hint="close"),
    KeyAction("history.down", "Next message", "down", lambda screen: screen.results.move(1)),
    KeyAction("history.up", "Previous message", "up", lambda screen: screen.results.move(-1)),
)

FIND: tuple[Action[FindScreen], ...] = (
    Action("found.close", "Close", "escape", lambda screen: screen.action_dismiss(None),
        hint="close"),
    KeyAction("found.down", "Next match", "down", lambda screen: screen.results.move(1)),
    KeyAction("found.up", "Previous match", "up", lambda screen: screen.results.move(-1)),
)

QUEUE: tuple[Action[QueueScreen], ...] = (
    Action("queue.edit", "Edit queued message", "enter,e", lambda screen: screen.action_edit(),
        hint="edit"),
    Action("queue.delete", "Delete queued message", "d,delete",
        lambda screen: screen.action_delete(), hint="delete"),
    Action("queue.first", "Send queued message first", "t",
        lambda screen: screen.action_send_first(), hint="send first"),
    Action("queue.close", "Close", "escape,q", lambda screen: screen.action_dismiss(None),
        hint="close"),
)
