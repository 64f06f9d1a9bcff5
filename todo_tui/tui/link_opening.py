"""Opening an address in the program that the desktop has for it; never in this terminal."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping

from todo_tui.domain.errors import TodoError

_SCHEMES = ("http:", "https:", "mailto:")
_SECONDS = 10.0
_OPENERS = ("xdg-open", "wslview", "gio")


def can_open(url: str) -> bool:
    """Whether it is an address of a kind that is opened at all."""
    return url.lower().startswith(_SCHEMES)


def open_link(url: str, environ: Mapping[str, str] | None = None) -> None:
    """Hand an address to the desktop; blocks for a moment.

    Browsers that draw in a terminal are never started: this one is taken.

    Raises:
        TodoError: there is no desktop, or it does not open the address.
    """
    found = os.environ if environ is None else environ
    command = _command(found)
    if not can_open(url) or command is None:
        raise TodoError(f"There is no browser here to open {url}", hint="C copies it.")
    try:
        done = subprocess.run(  # noqa: S603  # a program of the desktop, the address as one word
            [*command, url],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        # Some openers live as long as the browser that they started.
        return
    except OSError as error:
        raise TodoError(f"{command[0]} could not be started: {error.strerror}.") from error
    if done.returncode:
        raise TodoError(f"{command[0]} could not open {url}", hint="C copies it.")


def _command(environ: Mapping[str, str]) -> list[str] | None:
    """What opens addresses on this machine; None where nothing does."""
    if sys.platform == "darwin":
        return ["open"]
    if sys.platform == "win32":
        return ["rundll32", "url.dll,FileProtocolHandler"]
    if not any(environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME")):
        return None
    for name in _OPENERS:
        program = shutil.which(name, path=environ.get("PATH"))
        if program is not None:
            return [program, "open"] if name == "gio" else [program]
    return None
