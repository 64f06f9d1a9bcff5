"""The keys of the main screen, and what each does; of equal keys the first that can does it."""

from __future__ import annotations

from textual.binding import Binding

from todo_tui.tui.wishes import Wish

_YES, _NO = "Agree to what the turn waits for", "Refuse what the turn waits for"

MAIN_KEYS = (
    Binding("escape", "answer(False)", "no", show=False, tooltip=_NO),
    Binding("escape", "talk('stop')", "stop", tooltip="Stop the turn, keep what was done"),
    Binding("escape", "to_chat", "chat", show=False, tooltip="Back to the message box"),
    Binding("tab", "to_list", "list", tooltip="To the list of tasks"),
    Binding("tab", "to_chat", "chat", tooltip="Back to the message box"),
    Binding("shift+tab", "read_back", "Read", show=False, tooltip="Into the conversation"),
    Binding("f2", "pick_model", "model", tooltip="Choose a model"),
    Binding(
        "ctrl+t",
        "next_provider",
        "Switch",
        show=False,
        tooltip="To the next ready model; when the turn failed, and retry",
    ),
    *(
        Binding(
            f"alt+{number}",
            f"go_to_provider({number})",
            "Model",
            show=False,
            key_display="Alt+1…9",
            tooltip="To the model with that number",
        )
        for number in range(1, 10)
    ),
    Binding("ctrl+r", "talk('retry')", "retry", tooltip="Send the message that failed again"),
    Binding(
        "alt+u", "talk('undo_turn')", "undo turn", tooltip="Take back what the last turn wrote"
    ),
    *(
        Binding(key, f"talk('{wish}')", wish.capitalize(), show=False, tooltip=tooltip)
        for key, wish, tooltip in (
            ("ctrl+n", Wish.ANEW, "A new conversation"),
            ("ctrl+o", Wish.CALLS, "Open or close the last tool calls and thinking"),
            ("pageup", Wish.PAGE_UP, "Page up in the conversation"),
            ("pagedown", Wish.PAGE_DOWN, "Page down in the conversation"),
            ("ctrl+end", Wish.NEWEST, "To the last word"),
            ("ctrl+home", Wish.OLDEST, "To the first word shown"),
        )
    ),
    Binding("f3", "usage", "Usage", show=False, tooltip="What was spent: tokens and money"),
    Binding("f4", "statistics", "Statistics", show=False, tooltip="What was done, day by day"),
    Binding("f8", "log", "Log", show=False, tooltip="What went wrong lately, in detail"),
    Binding("y,Y", "answer(True)", "yes", key_display="Y", tooltip=_YES),
    Binding("alt+y", "answer(True)", "yes", tooltip=f"{_YES}, while something is written"),
    Binding("n,N", "answer(False)", "no", key_display="N", tooltip=_NO),
    Binding("alt+n", "answer(False)", "no", tooltip=f"{_NO}, while something is written"),
)
