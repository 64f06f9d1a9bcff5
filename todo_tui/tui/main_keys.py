"""The keys of the main screen, and what each does; of equal keys the first that can does it."""

from __future__ import annotations

from todo_tui.tui.action_keys import bind
from todo_tui.tui.wishes import Wish

MAIN_KEYS = (
    # Ahead of the boxes of the list too: while a card is open, Esc is its answer.
    bind("chat.no", "answer(False)", "deny", show=True, priority=True),
    bind("chat.stop", "stop_turn", "stop", show=True),
    bind("app.to_chat", "to_chat", "chat", keys="escape"),
    bind("chat.to_card", "to_card", "answer", show=True),
    bind("chat.yes", "answer(True)", "approve", show=True),
    bind("app.to_list", "to_list", "list", show=True),
    bind("app.to_chat", "to_chat", "chat", keys="tab", show=True),
    bind("chat.read_back", "read_back", "Read"),
    bind("app.pick_model", "pick_model", "model", show=True),
    bind("app.next_provider", "next_provider", "Switch"),
    *(
        bind(
            f"app.provider_{number}",
            f"go_to_provider({number})",
            "Model",
            key_display="Alt+1…9",
        )
        for number in range(1, 10)
    ),
    bind("chat.retry", "talk('retry')", "retry", show=True),
    bind("chat.undo_turn", "talk('undo_turn')", "undo turn", show=True),
    *(
        bind(name, f"talk('{wish}')", wish.capitalize())
        for name, wish in (
            ("chat.new", Wish.ANEW),
            ("chat.calls", Wish.CALLS),
            ("chat.page_up", Wish.PAGE_UP),
            ("chat.page_down", Wish.PAGE_DOWN),
            ("chat.newest", Wish.NEWEST),
            ("chat.oldest", Wish.OLDEST),
        )
    ),
    bind("list.snooze", "reminder", "snooze"),
    bind("app.usage", "usage", "Usage"),
    bind("app.statistics", "statistics", "Statistics"),
    bind("app.log", "log", "Log"),
)
