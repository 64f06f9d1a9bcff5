"""Which keys help when a turn fails or has to wait."""

from __future__ import annotations

from todo_tui.tui.action_keys import KeyNames
from todo_tui.tui.provider_switch import ProviderSwitch
from todo_tui.tui.widgets.turn_view import TroubleKeys
from todo_tui.tui.workbench import Workbench


def trouble_keys(workbench: Workbench, switch: ProviderSwitch) -> TroubleKeys:
    """What helps now, in words.

    After a failure Ctrl+T asks the next model at once; Alt+digit and F2 only choose one.
    """
    others = switch.others_ready
    path = workbench.log_path
    keys = KeyNames(workbench.keymap)
    stop, retry = keys.first("chat.stop"), keys.first("chat.retry")
    switch_key, pick = keys.first("app.next_provider"), keys.first("app.pick_model")
    log = (f"{keys.first('app.log')} log",) if path is not None and path.exists() else ()
    other = f"{switch_key} other model" if others else f"{pick} other model"
    return TroubleKeys(
        failed=(f"{retry} retry", f"{other} and retry" if others else other, *log),
        waiting=(f"{stop} stop", other),
    )
