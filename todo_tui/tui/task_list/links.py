"""Opening the web links of tasks with the desktop's program."""

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import partial

from todo_tui.domain.errors import TodoError
from todo_tui.domain.links import find_task_links
from todo_tui.domain.task import Task
from todo_tui.tui.task_list.notices import AnswerKey, NoticeLine, NoticeQuestion
from todo_tui.tui.widgets.text import clip, display_line

_SCHEMES = ("http:", "https:", "mailto:")
_SECONDS = 10.0
_OPENERS = ("xdg-open", "wslview", "gio")
_MOST = 9
_SHOWN = 36


def can_open(url: str) -> bool:
    """Return True for URLs with a supported scheme."""
    return url.lower().startswith(_SCHEMES)


def open_link(url: str, environ: Mapping[str, str] = os.environ) -> None:
    """Open a URL with the desktop's program; blocks for a moment.

    Browsers that draw in a terminal are never started, as this terminal is in use.

    Raises:
        TodoError: there is no desktop, or it fails to open the URL.
    """
    command = _command(environ)
    if not can_open(url) or command is None:
        raise TodoError(f"No browser found to open {url}.")
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
        raise TodoError(f"{command[0]} could not open {url}.")


def _command(environ: Mapping[str, str]) -> list[str] | None:
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


def open_task_links(tasks: Sequence[Task], notice: NoticeLine) -> None:
    """Open the only link of these tasks, or ask which of several."""

    async def open_and_report(url: str) -> None:
        try:
            await asyncio.to_thread(open_link, url)
        except TodoError as error:
            notice.say_error(error)
        else:
            notice.say(f"Opened {_short(url)}")

    def start(url: str) -> None:
        notice.run_worker(open_and_report(url), group="links", exit_on_error=False)

    urls = dict.fromkeys(url for task in tasks for url in find_task_links(task) if can_open(url))
    match list(urls)[:_MOST]:
        case []:
            notice.say("No link in this task.")
        case [url]:
            start(url)
        case several:
            answers = tuple(
                AnswerKey(str(number), _short(url), partial(start, url))
                for number, url in enumerate(several, start=1)
            )
            notice.ask(NoticeQuestion("Open which link?", answers))


def _short(url: str) -> str:
    return clip(display_line(url.partition("://")[2] or url), _SHOWN)
