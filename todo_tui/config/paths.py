"""Paths of the program's own files; platformdirs names their folders."""

from pathlib import Path
from typing import NamedTuple

from platformdirs import PlatformDirs


class Paths(NamedTuple):
    """Folders of the program, and the files in them, whether or not there are any."""

    data_folder: Path
    config_folder: Path
    log_folder: Path
    state_folder: Path

    @property
    def database(self) -> Path:
        """Path of the database that no setting names."""
        return self.data_folder / "tasks.db"

    @property
    def config(self) -> Path:
        """Path of the configuration file that nothing else names."""
        return self.config_folder / "config.toml"

    @property
    def keys(self) -> Path:
        """Path of the key file."""
        return self.config_folder / "keys.json"

    @property
    def log(self) -> Path:
        """Path of the log."""
        return self.log_folder / "todo-tui.log"


def find_paths() -> Paths:
    """Return the paths of this user on this machine."""
    folders = PlatformDirs("todo-tui", appauthor=False)
    return Paths(
        data_folder=folders.user_data_path,
        config_folder=folders.user_config_path,
        log_folder=folders.user_log_path,
        state_folder=folders.user_state_path,
    )
