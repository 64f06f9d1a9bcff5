"""Which keys help when a turn fails or has to wait."""

from __future__ import annotations

from todo_tui.tui.provider_switch import ProviderSwitch
from todo_tui.tui.widgets.turn_view import TroubleKeys
from todo_tui.tui.workbench import Workbench


def trouble_keys(workbench: Workbench, switch: ProviderSwitch) -> TroubleKeys:
    """What helps now, in words.

    After a failure Ctrl+T asks the next model at once; Alt+digit and F2 only choose one.
    """
    others = switch.others_ready
    path = workbench.log_path
    log = ("F8 log",) if path is not None and path.exists() else ()
    other = "Ctrl+T other model and retry" if others else "F2 other model"
    return TroubleKeys(
        failed=("Ctrl+R retry", other, *log),
        waiting=("Esc stop", "Ctrl+T other model" if others else "F2 other model"),
    )
