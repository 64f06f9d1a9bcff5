"""Texts of the built-in assistant on changes that were made."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from todo_tui.domain.dates.text import format_when
from todo_tui.domain.estimates import format_estimate
from todo_tui.providers.offline.replies import (
    MAX_NAMED,
    STATES,
    escaped,
    facts,
    lines,
    name,
    names,
    sentence,
)
from todo_tui.providers.offline.requests import Change, Verb
from todo_tui.providers.offline.tool_results import Item, Outcome, ShownTask

_NAMES_DAY = re.compile(r" on .*\d|week(day|end)|\b[A-Z]")
"""A recurrence that names a day of the week, month or year."""


def changed(
    change: Change,
    details: str,
    tasks: Sequence[ShownTask],
    outcome: Outcome,
    others: Sequence[ShownTask],
    now: datetime,
) -> str:
    """Return what was done to tasks; `others` are their new blockers."""
    same = [item.task for item in outcome.items if item.task and item.is_unchanged]
    if same and len(same) < len(tasks):
        tasks = [task for task in tasks if task not in same]
        others_are = names(same) if len(same) <= MAX_NAMED else f"{len(same):,} tasks"
        text = changed(change, details, tasks, replace(outcome, data={}), others, now)
        return f"{text}\n\n{others_are} {'was' if len(same) == 1 else 'were'} like that already."
    count = outcome.succeeded or len(tasks)
    who = f"{count:,} tasks" if max(count, len(tasks)) > MAX_NAMED else names(tasks)
    if same and len(same) == count and change.notes is None:  # Results do not tell old notes.
        return f"{who} {'is' if count == 1 else 'are'} unchanged."
    along = outcome.along
    family = f" with {along} subtask{'' if along == 1 else 's'}" if along else ""
    match change.verb:
        case Verb.COMPLETE:
            nexts = [item.next for item in outcome.items if item.next and item.next.due_words]
            is_one = len(nexts) == 1
            again = "".join(
                f" Next: {each.due_words}." if is_one else f" Next {name(each)}: {each.due_words}."
                for each in nexts
            )
            return f"Completed {who}{family}.{again}"
        case Verb.DELETE:
            return f"Deleted {who}{family}. Say “undo” to restore."
        case Verb.REOPEN:
            said = dict.fromkeys(item.next_occurrence for item in outcome.items)
            remarks = "".join(f" {remark.capitalize()}." for remark in said if remark)
            is_restored = all(item.is_restored for item in outcome.items)
            return f"{'Restored' if is_restored else 'Reopened'} {who}{family}.{remarks}"
        case _:
            return _updated(change, details, tasks, who, others, outcome.items, now)


def _updated(
    change: Change,
    details: str,
    tasks: Sequence[ShownTask],
    who: str,
    others: Sequence[ShownTask],
    items: Sequence[Item],
    now: datetime,
) -> str:
    is_one = len(tasks) == 1
    before = items[0].before if len(items) == 1 else None
    differing = ", ".join(_changed_facts(before, tasks[0], now)) if before and is_one else ""
    told = f": {differing}" if differing else ""
    if change.title and is_one:
        return f"Renamed to {who} (#{tasks[0].id}){told}."
    if change.notes is not None and not details:
        return f"{'Added a note to' if change.notes else 'Removed the notes of'} {who}."
    if details.startswith("after ") and others:
        blockers = names(others, ids=True)
        if others and not any(task.is_open for task in others):
            are = "is" if len(others) == 1 else "are"
            return f"Nothing blocks {who}: {blockers} {are} closed already."
        return f"{who} {'is' if is_one else 'are'} now blocked by {blockers}."
    coming = [f" Next: {task.due_words}." for task in tasks if task.due_words]
    known = {
        "cancelled": f"Cancelled {who}. Say “undo” to reopen.",
        "skip": f"Skipped {who}.{''.join(coming[:MAX_NAMED])}",
        "no repeat": f"{who} no longer {'repeats' if is_one else 'repeat'}.",
        "no blockers": f"{who} {'is' if is_one else 'are'} no longer blocked.",
        "doing": f"Started {who}.",
    }
    if details in known:
        return known[details]
    if is_one:
        told = told if before else f": {facts(tasks[0]) or 'no date, project or tags'}"
        return f"Changed {who}{told}."
    return f"Changed {who}:\n\n{lines(tasks)}" if tasks else f"Changed {who}."


def rule_stays(items: Sequence[Item]) -> str:
    """Return that the rule stays where tasks move to another day or time than the rule's."""
    rules = {item.task: rule for item in items if item.task and (rule := _rule_of_moved(item))}
    if len(items) == 1 or not rules:
        return "".join(map(sentence, rules.values()))
    repeat = "repeats" if len(rules) == 1 else "repeat"
    return f"{names([*rules])} still {repeat} as before; only this occurrence moves."


def _rule_of_moved(item: Item) -> str:
    before, after = item.before, item.task
    if before is None or after is None:
        return ""
    due, same = after.due, before.repeat_words == after.repeat_words
    if not (due and before.due and due != before.due and after.repeat_words and same):
        return ""
    usual = after.next_dates[0].at if after.next_dates else None
    at = f" at {usual:%H:%M}" if usual and usual != due.at else ""
    is_other_day = due.day != before.due.day
    has_days = _NAMES_DAY.search(after.repeat_words.partition(" until ")[0])
    if not (at or (is_other_day and has_days)):
        return ""
    rule = f"the task still repeats {after.repeat_words}{at}"
    moves_alone = has_days or not is_other_day
    return f"only this occurrence moves; {rule}" if moves_alone else rule


def _changed_facts(before: ShownTask, after: ShownTask, now: datetime) -> list[str]:
    """Return in words what differs between two states of a task, what is gone included."""
    parts = [
        (fact if has_it else gone)
        for differs, has_it, fact, gone in (
            (before.due != after.due, after.due, f"due {after.due_words}", "no date"),
            (before.start != after.start, after.start,
             f"hidden until {format_when(after.start, now) if after.start else ''}",
             "no longer hidden"),
            (before.repeat_words != after.repeat_words, after.repeat_words,
             f"repeats {after.repeat_words}", "no longer repeats"),
            (before.status != after.status, True, STATES.get(after.status, after.status), ""),
            (before.parent != after.parent, after.parent, f"subtask of #{after.parent}",
             "no longer a subtask"),
            (before.priority != after.priority, after.priority, f"{after.priority} priority",
             "no priority"),
            (before.estimate != after.estimate, after.estimate,
             f"estimate {format_estimate(after.estimate or 0)}", "no estimate"),
            (before.project != after.project, after.project,
             f"#{escaped(after.project)}", "no project"),
        )
        if differs
    ]  # fmt: skip
    tags, tags_before = dict.fromkeys(after.tags), dict.fromkeys(before.tags)
    blockers, blockers_before = dict.fromkeys(after.blocked_by), dict.fromkeys(before.blocked_by)
    for word, names_of in (
        ("tagged", [escaped(tag) for tag in tags if tag not in tags_before]),
        ("no longer tagged", [escaped(tag) for tag in tags_before if tag not in tags]),
        ("blocked by", [f"#{each}" for each in blockers if each not in blockers_before]),
        ("no longer blocked by", [f"#{each}" for each in blockers_before if each not in blockers]),
    ):
        if names_of:
            parts.append(f"{word} {', '.join(names_of)}")
    return parts
