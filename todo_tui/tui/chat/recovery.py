"""Hints on what a person can do after a turn has failed or was stopped, and while one waits."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from textual.app import App

from todo_tui.tui.actions.hints import NEXT_MODEL, format_hint

if TYPE_CHECKING:
    from todo_tui.tui.models.switch import ProviderSwitch
    from todo_tui.tui.services import AppServices


@dataclass(frozen=True, slots=True)
class RecoveryKeys:
    """Recovery hints such as `Ctrl+R retry`: after a failure or a stop, and while waiting."""

    failed: tuple[str, ...] = ()
    stopped: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RecoveryHints:
    """Recovery hints for the selected model and those that are ready."""

    services: AppServices
    switch: ProviderSwitch

    def keys(self, app: App[object]) -> RecoveryKeys:
        """Return the present hints, with the key labels of an app."""
        # After a failure Ctrl+T retries with the next model at once; Alt+digit and F2 only choose.
        others, path = self.switch.others_ready, self.services.log_path
        hint = partial(format_hint, app)
        other = hint(f"{{app.next_provider}} {NEXT_MODEL}" if others else "{app.pick_model} model")
        failed = [hint("{chat.retry} retry"), f"{other} and retry" if others else other]
        if path is not None and path.exists():
            failed.append(hint("{app.log} log"))
        # The built-in assistant answers at once, and knows no half answer.
        stopped = [hint("{chat.retry} retry")]
        stopped += ["/continue"] if self.switch.option.host else []
        return RecoveryKeys(tuple(failed), tuple(stopped), (hint("{chat.stop} stop"), other))
