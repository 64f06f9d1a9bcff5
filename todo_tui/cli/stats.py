"""`todo-tui stats`: what was done day by day, and how it went."""

from __future__ import annotations

import click

from todo_tui.cli.options import TodoCommand, days_option, joined, json_option
from todo_tui.cli.output import note, print_json
from todo_tui.cli.session import Session
from todo_tui.domain.filter_terms import Filter
from todo_tui.domain.statistics import Statistics
from todo_tui.domain.statistics_words import counted


@click.command(
    "stats",
    cls=TodoCommand,
    context_settings={"ignore_unknown_options": True},
    short_help="Show what was done, day by day, and how it went.",
)
@click.argument("words", metavar="[FILTER]...", nargs=-1)
@days_option(365)
@json_option
@click.pass_obj
def stats(session: Session, words: tuple[str, ...], days: int, as_json: bool) -> None:
    """Show what was done, day by day, and how it went.

    A filter narrows it to some tasks, open and done ones alike: project:work, tag:home.
    Each time that a repeating task was done counts, what is in the trash does not.
    Streaks are those of all time; open and overdue is what is so now. On time is what
    was done by its due date, of what had one.
    """
    text = joined(words)
    statistics = session.store.statistics.read(days, _filter(session, text))
    if as_json:
        # Only programs ask for it, and people do without.
        from todo_tui.cli.stats_json import statistics_json

        print_json(statistics_json(statistics, text, session.settings))
    elif statistics.done:
        from todo_tui.cli.stats_text import print_statistics

        print_statistics(statistics, text, session.settings)
    else:
        note(_nothing_done(statistics, text))


def _filter(session: Session, text: str) -> Filter | None:
    """The filter as it stands: without the scope that a list adds, done tasks count too."""
    if not text:
        return None
    # Without a filter there is nothing to read.
    from todo_tui.domain.filter_grammar import FilterReader

    names = session.store.views_mentioned(text)
    return FilterReader(text, session.clock.now(), session.settings.dates, names).read()


def _nothing_done(statistics: Statistics, text: str) -> str:
    """Why there is nothing to see, and how that changes."""
    fitting = f" that fits “{text}”" if text else ""
    if statistics.done_by_day:
        last = counted((statistics.today - max(statistics.done_by_day)).days + 1, "day")
        return (
            f"Nothing{fitting} was done in {counted(statistics.period.days, 'day')}."
            f" Look back further: todo-tui stats --days {last.split()[0].replace(',', '')}"
        )
    if statistics.open:
        are_open = "1 task is open" if statistics.open == 1 else f"{statistics.open:,} are open"
        return f"Nothing{fitting} is done yet; {are_open}. Tick one off: todo-tui done ID"
    if text:
        return f"No task fits “{text}”. `todo-tui list all` shows every one."
    return "There is nothing to count yet. Add a task: todo-tui add buy milk tomorrow 5pm"
