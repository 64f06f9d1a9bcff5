"""Repeats that other programs have words for: every so many days, weeks, months or years."""

from __future__ import annotations

from todo_tui.domain.rule import Freq, Rule, RuleDay, parse_rule
from todo_tui.domain.when import When

WEEKDAYS = Rule(Freq.WEEKLY, by_day=tuple(RuleDay(day) for day in range(5)))
"""Monday to Friday."""


def interval_of(recurrence: str, due: When | None) -> Rule | None:
    """The plain interval of a rule, or `WEEKDAYS`; None of any other.

    A day that the due moment says already is left out, and so is the rule's end.
    """
    rule = parse_rule(recurrence)._replace(until=None, times=None, week_start=0)
    if rule == WEEKDAYS:
        return rule
    if due is not None:
        rule = _without_day(rule, due)
    return rule if rule.is_interval else None


def _without_day(rule: Rule, due: When) -> Rule:
    month, day = due.day.month, due.day.day
    match rule.freq:
        case Freq.WEEKLY if rule.by_day == (RuleDay(due.day.weekday()),):
            return rule._replace(by_day=())
        case Freq.MONTHLY if rule.by_month_day == (day,):
            return rule._replace(by_month_day=())
        case Freq.YEARLY if (rule.by_month, rule.by_month_day) == ((month,), (day,)):
            return rule._replace(by_month=(), by_month_day=())
        case _:
            return rule
