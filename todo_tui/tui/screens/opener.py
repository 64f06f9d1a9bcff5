"""Screens over the main one that a key or a command opens."""

from todo_tui.tui.background import BackgroundWidget
from todo_tui.tui.chat.slash_commands import CommandRefused
from todo_tui.tui.services import AppServices


class ScreenOpener(BackgroundWidget):
    """Opens the screens that neither the chat nor the task list has."""

    def __init__(self, services: AppServices) -> None:
        super().__init__()
        self._services = services

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
        """Open the preview of the text as tasks; what is left goes back into the message box."""
        from todo_tui.tui.screens.dump import DumpScreen  # opened by a command, few times

        def put_back(left: str | None) -> None:
            if left:
                self.post_message(CommandRefused(left))

        self.app.push_screen(DumpScreen(self._services, text), put_back)

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
        from todo_tui.tui.screens.error_log import ErrorLogScreen  # opened by a key, few times

        self.app.push_screen(ErrorLogScreen(self._services.log_path))
