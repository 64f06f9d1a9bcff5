"""Opening of web and mail links with the desktop's program."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping

from todo_tui.domain.errors import TodoError
from todo_tui.domain.text import plain_line, shorten

_SCHEMES = ("http://", "https://", "mailto:")
_SECONDS = 10.0
_OPENERS = ("xdg-open", "wslview", "gio")
_DESKTOPS = ("DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME")
"""Variables of which one is set where a desktop can be reached."""
_REMOTE = ("SSH_CONNECTION", "SSH_TTY")
_SHOWN = 200


def can_open(url: str) -> bool:
    """Return True for URLs with a supported scheme, which are one printable word."""
    return url.lower().startswith(_SCHEMES) and url.isprintable() and " " not in url


def open_link(url: str, environ: Mapping[str, str] = os.environ) -> None:
    """Open a URL with the desktop's program; blocks for a moment.

    Browsers that draw in a terminal are never started, as this terminal is in use.

    Raises:
        TodoError: there is no desktop, or it fails to open the URL.
    """
    command = _command(environ)
    shown = shorten(plain_line(url), _SHOWN)
    if not can_open(url):
        raise TodoError(f"Not a web or mail link: {shown}.")
    if command is None:
        raise TodoError(f"No browser found to open {shown}.")
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
        # Some openers run as long as the browser they started.
        return
    except OSError as error:
        raise TodoError(f"Could not start {command[0]}: {error.strerror}.") from error
    if done.returncode:
        raise TodoError(f"{command[0]} could not open {shown}.")


def _command(environ: Mapping[str, str]) -> list[str] | None:
    has_desktop = any(environ.get(name) for name in _DESKTOPS)
    if not has_desktop and any(environ.get(name) for name in _REMOTE):
        # It would open in front of somebody else.
        return None
    if sys.platform == "darwin":
        return ["open"]
    if sys.platform == "win32":
        return ["rundll32", "url.dll,FileProtocolHandler"]
    if not has_desktop:
        return None
    for name in _OPENERS:
        program = shutil.which(name, path=environ.get("PATH"))
        if program is not None:
            return [program, "open"] if name == "gio" else [program]
    return None
