"""Taskwarrior's templates and their occurrences, brought to one live occurrence each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, time

from todo_tui.domain.occurrences import has_ended, slot_after
from todo_tui.domain.rule import parse_rule
from todo_tui.domain.task import JsonValue
from todo_tui.domain.when import When
from todo_tui.formats.reading import Context
from todo_tui.formats.taskwarrior_moments import (
    canonical,
    instant_of,
    stamp_of,
    stamp_of_when,
    when_of,
)
from todo_tui.formats.taskwarrior_repeats import rule_of

Native = dict[str, JsonValue]

_OPEN = ("pending", "waiting")
_OF_ITS_OWN = frozenset(
    "uuid id due imask mask entry modified urgency wait scheduled until status parent".split()
)
"""Attributes by which an occurrence differs from its template anyway."""
_MOST_STEPS = 10_000


@dataclass(frozen=True, slots=True)
class Series:
    """Which objects stand for tasks, and what those that repeat were made from."""

    templates: dict[str, Native] = field(default_factory=dict)
    live_templates: dict[str, Native] = field(default_factory=dict)
    left_out: frozenset[str] = frozenset()
    plain: frozenset[str] = frozenset()
    remarks: tuple[str, ...] = ()

    def is_left_out(self, native: Native) -> bool:
        """Whether it is no task: a template, or an occurrence that comes of itself."""
        return _uuid(native) in self.left_out

    def live(self, native: Native) -> Native:
        """The object itself; for a template without an open occurrence the next one."""
        return self.live_templates.get(_uuid(native), native)

    def template_for(self, native: Native) -> Native | None:
        """What an occurrence was made from; the occurrence itself where that is not there."""
        uuid = _uuid(native)
        if uuid in self.plain:
            return None
        if uuid in self.live_templates:
            return self.templates[uuid]
        parent = native.get("parent")
        if not isinstance(parent, str):
            return None
        return self.templates.get(parent, native)


def gathered(natives: Iterable[tuple[str, Native]], context: Context) -> Series:
    """Find the one occurrence of each series that lives on."""
    templates: dict[str, Native] = {}
    occurrences: dict[str, list[Native]] = {}
    for _, native in natives:
        parent = native.get("parent")
        if native.get("status") == "recurring" and native.get("due") and native.get("recur"):
            templates[_uuid(native)] = native
        elif isinstance(parent, str):
            occurrences.setdefault(parent, []).append(native)
    live_templates: dict[str, Native] = {}
    left_out: set[str] = set()
    plain: set[str] = set()
    later = ended = 0
    for parent, siblings in occurrences.items():
        waiting = sorted((each for each in siblings if _is_open(each)), key=_due)
        for each in waiting[1:]:
            is_plain = not _same(each, templates.get(parent, waiting[0]))
            (plain if is_plain else left_out).add(_uuid(each))
            later += not is_plain
        if waiting:
            left_out.add(parent)
    for uuid, template in templates.items():
        if uuid in left_out:
            continue
        following = _next_of(template, occurrences.get(uuid, []), context)
        if following is None:
            left_out.add(uuid)
            ended += 1
        else:
            live_templates[uuid] = following
    remarks = _remarks(later, ended)
    return Series(templates, live_templates, frozenset(left_out), frozenset(plain), remarks)


def _remarks(later: int, ended: int) -> tuple[str, ...]:
    remarks = []
    if later:
        what = "occurrence of a repeating task was" if later == 1 else "occurrences were"
        remarks.append(f"{later:,} later {what} left out: it comes when the one before it is done.")
    if ended:
        what = "repeating task that has ended was" if ended == 1 else "ended repeating tasks were"
        remarks.append(f"{ended:,} {what} left out.")
    return tuple(remarks)


def _next_of(template: Native, siblings: list[Native], context: Context) -> Native | None:
    """The occurrence that comes after those that were; None where none does.

    A template whose moments or words cannot be read is its own occurrence.
    """
    plain = {key: value for key, value in template.items() if key != "mask"}
    plain["status"] = "pending"
    try:
        stamp = canonical(str(template["due"]))
        first = when_of(stamp, context.zone)
        words = rule_of(str(template["recur"]))
        until = _until(template)
    except ValueError:
        return plain
    if words is None:
        return plain
    rule = parse_rule(words)._replace(until=until)
    anchor = slot = datetime.combine(first.day, first.at or time())
    last = max((_due(each) for each in siblings if _due(each)), default="")
    mask = template.get("mask")
    steps = len(mask) if isinstance(mask, str) and not last else 0
    if last:
        there = when_of(last, context.zone)
        slot, steps = datetime.combine(there.day, there.at or time()), 1
    for _ in range(min(steps, _MOST_STEPS)):
        following = slot_after(rule, anchor, slot)
        if following is None:
            return None
        slot = following
    if has_ended(rule, slot, context.zone):
        return None
    due = stamp_of_when(When.of(slot) if first.at else When(slot.date()), context.zone)
    return plain | {"due": due} | _shifted(template, stamp, due)


def _shifted(template: Native, old: str, new: str | None) -> Native:
    """Wait and schedule as long before the new due moment as they were before the old one."""
    shifted: Native = {}
    for name in ("wait", "scheduled"):
        value = template.get(name)
        if isinstance(value, str) and new is not None:
            try:
                gap = instant_of(new) - instant_of(old)
                shifted[name] = stamp_of(instant_of(canonical(value)) + gap)
            except (ValueError, OverflowError):
                continue
    return shifted


def _until(template: Native) -> datetime | None:
    until = template.get("until")
    return instant_of(canonical(until)) if isinstance(until, str) and until else None


def _same(one: Native, other: Native) -> bool:
    """Whether an occurrence differs in nothing but its turn from another, or its template."""
    names = (one.keys() | other.keys()) - _OF_ITS_OWN
    return all(one.get(name) == other.get(name) for name in names)


def _is_open(native: Native) -> bool:
    return native.get("status") in _OPEN


def _due(native: Native) -> str:
    try:
        return canonical(str(native.get("due") or ""))
    except ValueError:
        return ""


def _uuid(native: Native) -> str:
    return str(native.get("uuid") or id(native))
