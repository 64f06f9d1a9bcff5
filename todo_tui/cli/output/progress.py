"""Progress bars on standard error."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from todo_tui.domain.text import plain_line


@contextmanager
def progress_bar(label: str, *, minimum: int = 0) -> Iterator[Callable[[int, int], None]]:
    """Yield a function that shows `done` of `total`, on a terminal and from `minimum` on."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich import progress  # 50 ms: for a terminal alone

    from todo_tui.cli.output.console import open_console

    columns = (
        progress.TextColumn("{task.description}", markup=False),
        progress.BarColumn(),
        progress.TaskProgressColumn(),
        progress.MofNCompleteColumn(),
        progress.TimeRemainingColumn(),
    )
    stderr = open_console(stderr=True)
    with progress.Progress(*columns, console=stderr, transient=True) as display:
        bar = display.add_task(plain_line(label), visible=False)
        yield lambda done, total: display.update(
            bar, completed=done, total=total, visible=total >= minimum
        )
