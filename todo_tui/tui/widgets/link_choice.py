"""Which address of a task is opened, and that it is opened off the screen's thread."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial

from todo_tui.domain.errors import TodoError
from todo_tui.domain.links import links_of
from todo_tui.domain.task import Task
from todo_tui.domain.text import plain_line
from todo_tui.tui.link_opening import can_open, open_link
from todo_tui.tui.widgets.cell_text import clip, steady
from todo_tui.tui.widgets.pane_notice import PaneNotice
from todo_tui.tui.widgets.pane_question import Answer, Question
from todo_tui.tui.widgets.task_list import TaskList

_MOST = 9
_SHOWN = 36


class LinkChoice:
    """One address is opened at once; of several the person chooses by number."""

    def __init__(self, view: TaskList, notice: PaneNotice) -> None:
        self._view = view
        self._notice = notice

    def open(self, tasks: Sequence[Task]) -> None:
        """Open the address of these tasks, or ask which."""
        urls = dict.fromkeys(url for task in tasks for url in links_of(task) if can_open(url))
        match list(urls)[:_MOST]:
            case []:
                self._notice.say("There is no address in it to open.")
            case [url]:
                self._start(url)
            case several:
                answers = tuple(
                    Answer(str(number), _short(url), partial(self._start, url))
                    for number, url in enumerate(several, start=1)
                )
                self._notice.ask(Question("Open which", answers))

    def _start(self, url: str) -> None:
        self._view.run_worker(self._open(url), group="links", exit_on_error=False)

    async def _open(self, url: str) -> None:
        try:
            await asyncio.to_thread(open_link, url)
        except TodoError as error:
            self._notice.say_error(error)
        else:
            self._notice.say(f"Opened {_short(url)}")


def _short(url: str) -> str:
    return clip(steady(plain_line(url.partition("://")[2] or url)), _SHOWN)
