"""Options for the period that `usage` and `stats` cover."""

import re
from collections.abc import Callable
from datetime import date, datetime, time
from zoneinfo import ZoneInfo

import click

from todo_tui.cli.options import TEXT, Decorated
from todo_tui.cli.wiring.session import CliSession
from todo_tui.domain.errors import ValidationError
from todo_tui.domain.filters.days import read_days
from todo_tui.domain.filters.terms import BeforeOrAfter, DayField, WithinDays
from todo_tui.domain.filters.vocabulary import Comparison
from todo_tui.domain.text import shorten

_AMOUNT = re.compile(r"([1-9][0-9]{0,3})([dwmy])", re.IGNORECASE)
_UNITS = {"d": "days", "w": "weeks", "m": "months", "y": "years"}
_MAX_WIDTH = 60
_MAX_DAYS = 36_600


def period_options(usual: int) -> Callable[[Decorated], Decorated]:
    """Add the options that `count_days` reads; `usual` is the default number of days."""

    def decorate(command: Decorated) -> Decorated:
        command = click.option(
            "--since", type=TEXT, metavar="WHEN", help="Start of the period: 7d, 2w, 3m or a date."
        )(command)
        return click.option(
            "--days",
            type=click.IntRange(1, _MAX_DAYS),
            metavar="N",
            help=f"Number of days, up to today (default: {usual}).",
        )(command)

    return decorate


def read_since(session: CliSession, since: str | None) -> datetime | None:
    """Return the aware moment, or beginning of the day, that `--since` names; None without it.

    Raises:
        ValidationError: `since` is no moment up to now.
    """
    if since is None:
        return None
    return _read_moment(session, since).replace(tzinfo=ZoneInfo(session.settings.zone))


def count_days(session: CliSession, days: int | None, since: str | None, usual: int) -> int:
    """Return the number of days in the period, today included.

    Raises:
        ValidationError: `since` is no moment up to now.
    """
    if since is None:
        return usual if days is None else days
    if days is not None:
        raise click.UsageError("--since cannot be combined with --days.")
    first = _read_moment(session, since).date()
    return min((session.clock.now().date() - first).days + 1, _MAX_DAYS)


def _read_moment(session: CliSession, since: str) -> datetime:
    """Return the naive local moment, or beginning of the day, that `--since` names.

    Raises:
        ValidationError: It is no moment up to now.
    """
    text, now = since.strip(), session.clock.now()
    amount = _AMOUNT.fullmatch(text)
    phrase = f"last {amount[1]} {_UNITS[amount[2].lower()]}" if amount else text
    days_term = read_days(
        DayField.COMPLETED, Comparison.SINCE, phrase.split(), now, session.settings.dates
    )
    begins = None
    if days_term is not None and days_term.words == len(phrase.split()):
        match days_term.term:
            case WithinDays(first=date() as day):
                begins = datetime.combine(day, time())
            case BeforeOrAfter(moment=moment):
                begins = moment
    if begins is None:
        raise ValidationError(
            f"Could not understand “{shorten(text, _MAX_WIDTH)}” as a date.",
            hint="Use 7d, 2w, 3m or a date, such as 2026-11-01 or monday.",
        )
    if begins > now:
        raise ValidationError(
            f"“{shorten(text, _MAX_WIDTH)}” is in the future.", hint="Use a date or time up to now."
        )
    return begins
