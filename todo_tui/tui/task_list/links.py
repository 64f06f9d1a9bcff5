"""Opening of the web links of tasks."""

import asyncio
from collections.abc import Sequence
from functools import partial

from todo_tui.domain.errors import TodoError
from todo_tui.domain.links import find_task_links
from todo_tui.domain.task import Task
from todo_tui.tui.background import run_in_background
from todo_tui.tui.links import can_open, open_link
from todo_tui.tui.task_list.notices import AnswerKey, NoticeLine, NoticeQuestion
from todo_tui.tui.widgets.text import clip, display_line

_MOST = 9
_SHOWN = 36


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
        run_in_background(notice, partial(open_and_report, url), group="links", exit_on_error=False)

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
