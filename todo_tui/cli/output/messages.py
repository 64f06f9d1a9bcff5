"""Messages on standard output and standard error, task descriptions, and prompts."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar

from todo_tui.domain.changes import SubtaskPolicy
from todo_tui.domain.dates.text import format_when
from todo_tui.domain.errors import OpenSubtasks, TodoError, Unauthorized
from todo_tui.domain.estimates import format_estimate
from todo_tui.domain.task import JsonValue, Status, Task
from todo_tui.domain.text import format_count, plain_line
from todo_tui.domain.when import Clock

if TYPE_CHECKING:
    from todo_tui.store.tasks.repository import TaskStore

if sys.platform != "win32":
    import termios

WriteResult = TypeVar("WriteResult")
_LONGEST_ANSWER = 1024
STATUS_SIGNS = {Status.TODO: "○", Status.DOING: "◐", Status.DONE: "✓", Status.CANCELLED: "✗"}
_prints_ids: ContextVar[bool] = ContextVar("prints_ids", default=False)
_is_dry_run: ContextVar[bool] = ContextVar("is_dry_run", default=False)
_UNDO_HINT = " Undo with: todo-tui undo"
_INFINITIVES = {
    "Accepted": "accept", "Added": "add", "Annotated": "annotate", "Cancelled": "cancel",
    "Changed": "change", "Completed": "complete", "Deleted": "delete", "Done": "complete",
    "Dropped": "drop", "Edited": "edit", "Ended": "end", "Moved": "move",
    "Permanently deleted": "permanently delete", "Removed": "remove", "Renamed": "rename",
    "Reopened": "reopen", "Reset": "reset", "Restored": "restore", "Reverted": "revert",
    "Saved": "save", "Set": "set", "Skipped": "skip", "Unblocked:": "unblock",
}  # fmt: skip
"""What a dry run would do, by the first words of the line that says it is done."""
BLOCKED_SIGN = "⊘"
"""The sign of an open task that waits for another one."""


def print_result(line: str) -> None:
    """Print one line of result; in a dry run, what the command would do."""
    sys.stdout.write(_as_preview(plain_line(line)) + "\n")


def print_note(line: str) -> None:
    """Print one line that is not a result, such as a warning or a hint."""
    sys.stdout.flush()
    sys.stderr.write(_as_preview(plain_line(line)) + "\n")
    sys.stderr.flush()


def _as_preview(line: str) -> str:
    if not _is_dry_run.get():
        return line
    words = line.split(" ", 2)
    for count in (2, 1):
        if infinitive := _INFINITIVES.get(" ".join(words[:count])):
            would = " ".join(["Would", infinitive, *words[count:]])
            return would.removesuffix(_UNDO_HINT)
    return line


def print_reading_note(note: str) -> None:
    """Print how input was read, where that may be unexpected."""
    print_note(f"Note: {note.rstrip('.')}.")


def print_error(error: TodoError, *, place: Sequence[str] = ()) -> None:
    """Print what happened, where (lines that show the place), and what to do next."""
    print_note(f"todo-tui: {error.message}")
    for line in (*place, error.hint):
        if line:
            print_note(f"  {line}")


def print_json(value: JsonValue) -> None:
    """Print one JSON value for programs, without control characters."""
    from todo_tui.domain.json_text import format_json  # 3 ms: only with --json

    sys.stdout.write(format_json(value, indent=2) + "\n")


@contextmanager
def printing(*, ids: bool, dry_run: bool) -> Iterator[None]:
    """Print only the ids of tasks in place of their JSON form; say what a dry run would do."""
    tokens = _prints_ids.set(ids), _is_dry_run.set(dry_run)
    try:
        yield
    finally:
        _prints_ids.reset(tokens[0])
        _is_dry_run.reset(tokens[1])


def print_tasks_json(tasks: Iterable[Task]) -> None:
    """Print the array of tasks in their JSON form, one by one as they are read."""
    if _prints_ids.get():
        sys.stdout.writelines(f"{task.id}\n" for task in tasks)
        return
    from todo_tui.domain.json_text import format_json  # as above

    before, after = "[\n", "[]\n"
    for task in tasks:
        text = format_json([task.to_json()], indent=2)
        sys.stdout.write(before + text[len("[\n") : -len("\n]")])
        before, after = ",\n", "\n]\n"
    sys.stdout.write(after)


def print_tasks(tasks: Iterable[Task], describe: Callable[[Task], str], *, as_json: bool) -> None:
    """Print a line for each task, or their array."""
    if as_json:
        print_tasks_json(tasks)
        return
    for task in tasks:
        print_result(describe(task))


def is_interactive() -> bool:
    """Return true if a person at a terminal can answer a question."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def ask_line(question: str) -> str:
    """Return the line that is typed, in lower case; empty if the terminal is closed."""
    discard_typed_input(sys.stdin.fileno())
    sys.stdout.flush()
    sys.stderr.write(f"{plain_line(question)} ")
    sys.stderr.flush()
    line = sys.stdin.readline(_LONGEST_ANSWER)
    if not line.endswith("\n"):
        sys.stderr.write("\n")
    return line.strip().lower()


def confirm_deletion(question: str) -> bool:
    """Ask whether to delete something, as `confirm`."""
    return confirm(question, "Nothing deleted.")


def confirm(question: str, otherwise: str) -> bool:
    """Ask a question; return true after a yes, else print that nothing was done.

    Raises:
        Unauthorized: nobody can be asked.
    """
    if not is_interactive():
        raise Unauthorized(question, hint="Not a terminal: confirm with --yes.")
    if ask_line(f"{question} [y/N]") in ("y", "yes"):
        return True
    print_note(otherwise)
    return False


def discard_typed_input(terminal: int) -> None:
    """Discard input typed before a question, which does not answer it."""
    if sys.platform != "win32":
        with suppress(termios.error):
            termios.tcflush(terminal, termios.TCIFLUSH)


def close_with_prompt(
    write: Callable[[SubtaskPolicy], WriteResult], policy: str | None
) -> WriteResult | None:
    """Close tasks; without a `policy`, ask what to do with open subtasks.

    Return None if the answer is to change nothing.

    Raises:
        OpenSubtasks: nobody can be asked; its hint names the options.
    """
    if policy is not None:
        return write(SubtaskPolicy(policy))
    try:
        return write(SubtaskPolicy.ASK)
    except OpenSubtasks as question:
        if not is_interactive():
            question.hint = (
                "Close subtasks with --with-children, or leave them open with --leave-children."
            )
            raise
        print_note(question.message)
    match ask_line("Close them too? [y]es, [l]eave them open, [N]either:"):
        case "y" | "yes":
            return write(SubtaskPolicy.CLOSE)
        case "l" | "leave":
            return write(SubtaskPolicy.LEAVE)
        case _:
            print_note("Nothing changed.")
            return None


def task_label(task: Task) -> str:
    """Return `#12 Pay rent`."""
    return f"#{task.id} {task.title}"


def describe_task(task: Task, clock: Clock, tasks: TaskStore | None = None) -> str:
    """Return `#12 Pay rent · tomorrow 17:00 · every month · high · #home · @bills`.

    Of a stored task only the blockers that are still open in `tasks` are named.
    """
    facts, now = [task_label(task)], clock.now()
    if (due := task.due_in(clock.zone)) is not None:
        facts.append(format_when(due, now))
    if task.recurrence is not None:
        from todo_tui.cli.output.recurrence_text import describe_repeat  # 9 ms: most do not repeat

        facts.extend(describe_repeat(task, now, clock.zone))
    if (start := task.start_in(clock.zone)) is not None:
        facts.append(f"hidden until {format_when(start, now)}")
    if task.priority is not None:
        facts.append(f"{task.priority} priority")
    if task.estimate is not None:
        facts.append(format_estimate(task.estimate))
    if task.project is not None:
        facts.append(f"#{task.project}")
    facts.extend(f"@{tag}" for tag in task.tags)
    if task.parent is not None:
        facts.append(f"subtask of #{task.parent}")
    blockers = [each for each in task.blocked_by if tasks is None or tasks.get(each).is_open]
    if blockers:
        facts.append(f"blocked by {', '.join(f'#{blocker}' for blocker in blockers)}")
    return " · ".join(facts)


def print_missed_hint(task: Task, now: datetime, zone: str) -> None:
    """Print how many occurrences of a recurring task were missed, and how to skip them."""
    if task.recurrence is None:
        return
    from todo_tui.cli.output.recurrence_text import missed_hint  # 9 ms: most do not repeat

    if hint := missed_hint(task, now, zone):
        print_reading_note(hint)


def format_next_occurrence(task: Task | None, now: datetime, zone: str) -> str:
    """Return ` · next #14: Mon 23 Nov`, or nothing without a next occurrence."""
    due = None if task is None else task.due_in(zone)
    if task is None or due is None:
        return ""
    return f" · next #{task.id}: {format_when(due, now)}"


def format_with_subtasks(subtasks: Sequence[Task]) -> str:
    """Return ` with 2 subtasks`, or nothing for none."""
    return f" with {format_count(len(subtasks), 'subtask')}" if subtasks else ""
