"""`plan`: an order for a day or a week, and what to move."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from todo_tui.cli.base import TodoCommand
from todo_tui.cli.options import json_option
from todo_tui.cli.output import messages
from todo_tui.cli.wiring.session import CliSession
from todo_tui.domain.estimates import format_estimate, require_estimate
from todo_tui.domain.filters.terms import OPEN_TASKS, Query, SortField, SortTerm
from todo_tui.domain.planning import (
    SPANS,
    Plan,
    PlanTask,
    day_heading,
    fitting,
    move_words,
    plan_days,
    plan_remarks,
    plan_task,
    span_of,
    task_facts,
)
from todo_tui.domain.recurrence.later_occurrences import format_days
from todo_tui.domain.task import TaskFields
from todo_tui.domain.text import format_count, plain_line

if TYPE_CHECKING:
    from todo_tui.domain.planning import Habits
    from todo_tui.store.store import Store

_BY_URGENCY = Query(OPEN_TASKS, (SortTerm(SortField.URGENCY, descending=True),))


def read_plan_tasks(store: Store, habits: Habits) -> tuple[PlanTask, ...]:
    """Return the open tasks as a plan sees them, the most urgent first."""
    now, zone, blocked = store.clock.now(), store.clock.zone, store.tasks.blocked_ids()
    return tuple(
        plan_task(task, now, zone, blocked=task.id in blocked, moves=habits.moves.get(task.id, 0))
        for task in store.tasks.iterate(_BY_URGENCY)
    )


@click.command("plan", cls=TodoCommand, writes=True)
@click.argument("span", type=click.Choice(SPANS), default="day", metavar="[day|tomorrow|week]")
@click.option("--in", "available", metavar="TIME", help="List tasks that can be done in 30m, 2h.")
@click.option("--apply", "yes", is_flag=True, help="Move what does not fit, without asking.")
@json_option
@click.pass_obj
def plan(session: CliSession, span: str, available: str | None, yes: bool, as_json: bool) -> None:
    """Plan your day or week, or tomorrow.

    A week is seven days from today; `todo-tui week` lists the calendar week. Puts overdue tasks
    first and timed ones in their places, and offers to move what does not fit, unless it repeats.
    At most seven tasks a day, or as many as you usually finish.
    """
    habits = session.store.statistics.habits()
    tasks = read_plan_tasks(session.store, habits)
    if available is not None:
        _print_fitting(session, fitting(tasks, require_estimate(available)), available, as_json)
        return
    begins, days = span_of(span, session.clock.now())
    proposed = plan_days(tasks, begins, habits, days=days)
    if as_json:
        messages.print_json(proposed.to_json())
    else:
        _print_plan(session, proposed)
    if not proposed.moves:
        return
    count = format_count(len(proposed.moves), "task")
    if not (yes or messages.is_interactive()):
        messages.print_note(f"Move {count} with: todo-tui plan {span} --apply")
        return
    if yes or messages.confirm(f"Move {count}?", "Nothing moved."):
        to = {move.task.id: move.to for move in proposed.moves}
        session.store.tasks.update(
            list(to), lambda task: TaskFields(due=to[task.id]), by=session.new_change_context()
        )
        messages.print_note(f"Moved {count}. Undo with: todo-tui undo")


def _print_plan(session: CliSession, proposed: Plan) -> None:
    now = session.clock.now()
    for day in proposed.busy_days:
        messages.print_result(day_heading(day, now))
        for number, task in enumerate(day.tasks, 1):
            facts = " · ".join(filter(None, (task.title, task_facts(task, day.day, now))))
            messages.print_result(f"  {number}. #{task.id} {facts}")
    recurring = session.store.tasks.iterate(session.store.read_query("recurring open"))
    coming = proposed.coming(recurring, now, session.clock.zone)
    if coming:
        messages.print_result("Coming repeats:")
    for each in coming:
        facts = f"{plain_line(each.task.title)} · {format_days(each.days, now)}"
        messages.print_result(f"  #{each.task.id} {facts}")
    for remark in plan_remarks(proposed):
        messages.print_result(remark)
    if proposed.moves:
        messages.print_result("Does not fit:")
    for move in proposed.moves:
        messages.print_result(f"  #{move.task.id} {move.task.title} · {move_words(move, now)}")


def _print_fitting(
    session: CliSession, tasks: tuple[PlanTask, ...], available: str, as_json: bool
) -> None:
    if as_json:
        messages.print_tasks_json(session.store.tasks.rows([task.id for task in tasks]))
        return
    for task in tasks:
        messages.print_result(f"#{task.id} {task.title} · {format_estimate(task.estimate or 0)}")
    if not tasks:
        messages.print_note(
            f"No task with an estimate of at most {available}. Add one: todo-tui edit 3 '~20m'"
        )
