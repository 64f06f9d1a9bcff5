"""Screens over the main one that a key or a command opens."""

from contextlib import suppress

from todo_tui.domain.errors import StoreError
from todo_tui.domain.text import format_count
from todo_tui.tui.actions.hints import format_hint
from todo_tui.tui.background import BackgroundWidget
from todo_tui.tui.services import AppServices

_LEFT_OF_DUMP = "dump"
"""Key of the rows of the brain dump that were not added."""


class ScreenOpener(BackgroundWidget):
    """Opens the screens that neither the chat nor the task list has."""

    def __init__(self, services: AppServices) -> None:
        super().__init__()
        self._services = services
        self._left_of_dump = ""

    def open_usage(self, conversation_id: str | None) -> None:
        """Open usage and cost."""
        from todo_tui.tui.screens.usage import UsageScreen  # opened by a key, few times

        self.app.push_screen(UsageScreen(self._services, conversation_id))

    def open_statistics(self) -> None:
        """Open the statistics."""
        from todo_tui.tui.screens.statistics import StatisticsScreen  # 20 ms with plotext

        self.app.push_screen(StatisticsScreen(self._services))

    def open_changes(self) -> None:
        """Open the list of all changes."""
        from todo_tui.tui.screens.changes import ChangesScreen  # opened by a key, few times

        self.app.push_screen(ChangesScreen(self._services))

    def open_dump(self, text: str) -> None:
        """Open the preview of the text as tasks, below those that were left there before."""
        from todo_tui.tui.screens.dump import DumpScreen  # opened by a command, few times

        app_state = self._services.store.app_state
        with suppress(StoreError):
            self._left_of_dump = app_state.get(_LEFT_OF_DUMP) or ""

        def keep(left: str | None) -> None:
            self._left_of_dump = left or ""
            self._services.writer.start(app_state.set, _LEFT_OF_DUMP, left or None)
            if left:
                kept = format_count(len(left.splitlines()), "task")
                again = format_hint(self.app, "{app.dump} shows them again.")
                self.app.notify(f"Kept {kept} for later. {again}", markup=False)

        text = "\n".join(filter(None, (self._left_of_dump, text)))
        self.app.push_screen(DumpScreen(self._services, text), keep)

    @property
    def has_settings(self) -> bool:
        """True if there is a configuration file to change."""
        return self._services.read_configuration is not None

    def open_settings(self, find: str = "") -> None:
        """Open the settings, those that match `find`."""
        from todo_tui.tui.screens.settings import SettingsScreen  # opened by a key

        if (read := self._services.read_configuration) is not None:
            self.app.push_screen(SettingsScreen(read, find))

    def open_log(self) -> None:
        """Open the log."""
        from todo_tui.tui.screens.log_file import LogFileScreen  # opened by a key, few times

        self.app.push_screen(LogFileScreen(self._services.log_path))
