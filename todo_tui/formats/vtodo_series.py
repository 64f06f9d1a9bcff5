"""Recurring VTODOs: rules, excluded dates, and occurrences of their own (RFC 5545, 3.8.4.4).

A series is one VTODO with RRULE, and further ones with its UID and a RECURRENCE-ID for each
occurrence that was completed or changed. Here it is one open task for the first occurrence that
is neither; the others are tasks of their own.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from todo_tui.domain.import_entry import Remark, name_place
from todo_tui.domain.recurrence.next_occurrence import (
    Recurrence,
    anchor_to_due_day,
    first_occurrences,
    require_occurrence,
    slot_after,
)
from todo_tui.domain.recurrence.rrule import (
    Frequency,
    RecurrenceRule,
    RuleDay,
    RuleProblem,
    parse_foreign_rule,
    parse_rule,
)
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import listed_count, plain_line, shorten
from todo_tui.domain.when import When, effective_zone, is_known_zone
from todo_tui.formats import remainder, vtodo_moments
from todo_tui.formats.parsed_file import FormatContext
from todo_tui.formats.remainder import Fields
from todo_tui.formats.vtodo_lines import ContentLine
from todo_tui.formats.vtodo_moments import Zones

RULES = frozenset({"RRULE", "RDATE", "EXDATE", "EXRULE"})
"""Properties that make a VTODO repeat, or not."""
_KEPT = f"{remainder.EXTRA}icalendar"
_OURS = "X-TODO-TUI"
_SHOWN = 60
_NAMED = 3
_LONGEST_MONTH = 31
_COMPARED = 60
"""Occurrences by which two rules are compared: five years of months."""


@dataclass(slots=True)
class SeriesTodo:
    """A VTODO with its place, lines and fields."""

    place: str
    lines: Sequence[ContentLine]
    fields: Fields
    remarks: list[Remark] = field(default_factory=list)

    @property
    def which(self) -> ContentLine | None:
        """The line that names the occurrence of a series; None if it is not such an occurrence."""
        return next((line for line in self.lines if line.name == "RECURRENCE-ID"), None)

    @property
    def is_open(self) -> bool:
        """True unless it is completed or cancelled."""
        return self.fields.get("status") not in ("done", "cancelled")

    def named(self, name: str) -> list[ContentLine]:
        """Return the lines of that name."""
        return [line for line in self.lines if line.name == name]

    def remark(self, kind: str, kept: str = "") -> None:
        """Add a remark; the kind is a sentence without its full stop."""
        end = f": {kept}; kept in `extra`." if kept else "."
        self.remarks.append(Remark(f"{kind}{end}", kind))


def origin_of(lines: Sequence[ContentLine]) -> ContentLine | None:
    """Return the line of the moment from which a rule counts."""
    first = {line.name: line for line in reversed(lines)}
    return first.get("DTSTART") or first.get("DUE")


def rule_problem(text: str, lines: Sequence[ContentLine]) -> str | None:
    """Return why a rule cannot be kept; None if it can."""
    origin, begins = origin_of(lines), None
    if origin is not None:
        with suppress(ValueError):
            begins = vtodo_moments.written_of(origin)
    try:
        rule, _ = parse_foreign_rule(text, begins)
        require_occurrence(Recurrence(rule.text()), begins)
    except RuleProblem as problem:
        return problem.message
    return None


def rule_lines(text: str, original: Fields) -> Iterator[str]:
    """Yield RRULE, and EXDATE for its excluded dates, in the form of the due moment."""
    try:
        rule = parse_rule(text)
    except RuleProblem:
        yield f"RRULE:{text}"
        return
    yield f"RRULE:{rule._replace(excluded=()).text() if rule.excluded else text}"
    due, zone = remainder.when_in(original, "due"), original.get("due_zone")
    for each in rule.excluded:
        if due is None or due.at is None:
            yield f"EXDATE;VALUE=DATE:{each:%Y%m%d}"
            continue
        at = each if isinstance(each, datetime) else datetime.combine(each, due.at)
        moment = vtodo_moments.date_time(When.of(at))
        if zone == "UTC":
            yield f"EXDATE:{moment}Z"
        else:
            yield f"EXDATE;TZID={zone}:{moment}" if isinstance(zone, str) else f"EXDATE:{moment}"


def counts_from_start(text: str, due: When | None) -> bool:
    """Return True if the rule gives the same occurrences from the start as from the due date."""
    try:
        rule = parse_rule(text)
    except RuleProblem:
        return False
    is_plain = rule.is_interval and not rule.excluded and rule.until is None
    return due is None or (is_plain and rule.freq in (Frequency.DAILY, Frequency.WEEKLY))


def settle(
    todos: Sequence[SeriesTodo], zones: Zones, context: FormatContext, notes: list[str]
) -> Iterator[SeriesTodo]:
    """Yield the tasks of the file; a series without an open occurrence is only noted."""
    series: dict[str, SeriesTodo] = {}
    parts: dict[str, list[SeriesTodo]] = {}
    for each in todos:
        uid = str(each.fields.get("uuid"))
        if each.which is None:
            series.setdefault(uid, each)
        else:
            parts.setdefault(uid, []).append(each)
    ended: list[SeriesTodo] = []
    for uid, each in series.items():
        if not _Series(each, parts.get(uid, ()), zones, context).settle():
            ended.append(each)
    for uid, found in parts.items():
        if uid not in series:
            _stand_alone(found, uid)
            for each in found:
                if each.is_open:
                    each.remark("is one occurrence of a series that is not in the file")
    if ended:
        named = listed_count(len(ended), _NAMED)
        names = [name_place(e.place, str(e.fields.get("title") or "")) for e in ended[:named]]
        more = f" and {len(ended) - named:,} more" if len(ended) > named else ""
        notes.append(
            "Not imported, since no occurrence is open (all are completed or excluded):"
            f" {', '.join(names)}{more}."
        )
    gone = set(map(id, ended))
    yield from (each for each in todos if id(each) not in gone)


def _stand_alone(parts: Sequence[SeriesTodo], uid: str) -> None:
    """Make the occurrences of a series tasks of their own."""
    seen: Counter[str] = Counter()
    for part in parts:
        which = part.which
        own = f"{uid} {'' if which is None else which.value}"
        seen[own] += 1
        if seen[own] > 1:
            part.remark("is a further version of an occurrence that is in the file already")
        part.fields["uuid"] = own if seen[own] == 1 else f"{own} {seen[own]}"
        for name in ("recurrence", "repeat_from"):
            part.fields.pop(name, None)
        if which is not None and which.params.get("RANGE", "").upper() == "THISANDFUTURE":
            kind = "stands for all later occurrences too (RANGE=THISANDFUTURE); here only for one"
            part.remark(kind)


class _Series:
    """A VTODO and the occurrences that stand apart from it."""

    def __init__(
        self,
        main: SeriesTodo,
        parts: Sequence[SeriesTodo],
        zones: Zones,
        context: FormatContext,
    ) -> None:
        self._main = main
        self._parts = parts
        self._zones = zones
        self._context = context
        self._origin = origin_of(main.lines)
        self._rule: RecurrenceRule | None = None
        """The rule for due dates; in the file it is one for the start, in the start's zone."""
        self._left_out: tuple[str, ...] = ()
        self._set_moments()

    def _set_moments(self) -> None:
        fields = self._main.fields
        self._due = _when(fields, "due")
        zone = fields.get("due_zone")
        self._zone = effective_zone(zone if isinstance(zone, str) else None, self._context.zone)
        self._begins = self._written = self._due
        """Moments that name the occurrences: in the zone of the series, and in that of the file."""
        if self._origin is not None:
            with suppress(ValueError):
                self._begins = self._wall(self._origin)
                # Our own rules count in the zone of the task, whatever zone a program writes.
                is_ours = bool(self._main.named(_OURS))
                self._written = self._begins if is_ours else vtodo_moments.written_of(self._origin)

    def settle(self) -> bool:
        """Advance the VTODO to its open occurrence; return False if there is none."""
        main = self._main
        uid = str(main.fields.get("uuid"))
        _stand_alone(self._parts, uid)
        is_named = any(line.name in RULES for line in main.lines)
        if not (is_named or self._parts):
            return True
        text = main.fields.get("recurrence")
        try:
            self._read_rule(text)
        except OverflowError:
            main.remark("has dates too far apart to advance it to its open occurrence")
            return True
        self._name_losses()
        excluded = [*self._excluded_by_lines(), *self._apart()]
        if not main.is_open:
            if main.named("RRULE") and not main.named(_OURS):
                main.remark("is completed with its whole series; it does not repeat")
            return True
        try:
            return self._settle_rule(excluded)
        except OverflowError:
            main.remark("has dates too far apart to advance it to its open occurrence")
            return True

    def _name_losses(self) -> None:
        main = self._main
        kept = remainder.texts_in(main.fields.get(_KEPT))
        for line in main.lines:
            if line.raw not in kept:
                continue
            shown = shorten(plain_line(line.value), _SHOWN)
            match line.name:
                case "RRULE" if "recurrence" in main.fields:
                    main.remark("repeats here without a second recurrence rule", shown)
                case "RRULE":
                    problem = (rule_problem(line.value, main.lines) or "").rstrip(".")
                    kind = "does not repeat here, its recurrence rule cannot be kept"
                    main.remark(kind, f"{problem} ({shown})" if problem else shown)
                case "RDATE":
                    main.remark("does not repeat here on extra dates (RDATE)", shown)
                case "EXRULE":
                    main.remark("repeats here without its excluding rule (EXRULE)", shown)

    def _excluded_by_lines(self) -> list[When]:
        main = self._main
        excluded: list[When] = []
        unread: list[JsonValue] = []
        for line in main.named("EXDATE"):
            for value in line.value.split(","):
                try:
                    excluded.append(self._wall(line._replace(value=value)))
                except ValueError:
                    unread.append(value)
        if unread:
            main.fields[f"{remainder.UNREAD}exdate"] = unread
        return excluded

    def _apart(self) -> list[When]:
        """Return the occurrences that stand apart; closed ones get their place in the series."""
        found: list[When] = []
        for part in self._parts:
            which = part.which
            try:
                slot = None if which is None else self._wall(which)
            except ValueError:
                slot = None
            if slot is None:
                part.remark("names an occurrence (RECURRENCE-ID) that cannot be read")
                continue
            found.append(slot)
            if not part.is_open and self._rule is not None:
                # As this program keeps completed occurrences; without a rule they end a series.
                at = self._due.at if self._due else slot.at
                with suppress(OverflowError):
                    slot = When(slot.day + self._days, at)
                part.fields |= {
                    "series": str(self._main.fields.get("uuid")),
                    "slot": slot.iso(),
                    "recurrence": self._rule.text(),
                    "repeat_from": "due",
                }
        return found

    @property
    def _days(self) -> timedelta:
        """Days from the start to the due day."""
        if self._begins is None or self._due is None:
            return timedelta()
        return self._due.day - self._begins.day

    def _wall(self, line: ContentLine) -> When:
        """Return a moment as a wall time of the series.

        Raises:
            ValueError: it cannot be read.
        """
        text, zone = vtodo_moments.moment_of(line, self._zones)
        if text.endswith("Z"):
            return vtodo_moments.local_of(text, self._zone)
        when = When.parse(text)
        there = effective_zone(zone, self._zone)
        if when.at is None or there == self._zone:
            return when
        try:
            moment = when.local().replace(tzinfo=ZoneInfo(there)).astimezone(ZoneInfo(self._zone))
        except OverflowError as error:
            raise ValueError(text) from error
        return When.of(moment)

    def _matches(self, excluded: When, slot: When) -> bool:
        """Return True if an excluded moment names this occurrence, by its day if it has no time."""
        is_day = excluded.at is None or slot.at is None or excluded.at.isoformat() == "00:00:00"
        return excluded.day == slot.day and (is_day or excluded.at == slot.at)

    def _settle_rule(self, excluded: Sequence[When]) -> bool:
        main, due, rule = self._main, self._due, self._rule
        if due is None or rule is None:
            return True
        recurrence = Recurrence(rule.text())
        moments = first_occurrences(recurrence, due, len(excluded) + 1, self._zone)
        slots = [self._slot(each) for each in moments]
        open_ones = (
            number
            for number, slot in enumerate(slots)
            if not any(self._matches(each, slot) for each in excluded)
        )
        index = next(open_ones, None)
        if index is None:
            return False
        live = moments[index]
        if index:
            rule = parse_rule(anchor_to_due_day(recurrence, due).rule)
        ahead = self._ahead(rule, excluded, live)
        times = rule.times
        if times is not None:
            if ahead:
                last = first_occurrences(recurrence, due, times, self._zone)[-1]
                rule = rule._replace(times=None, until=last.day)
            else:
                rule = rule._replace(times=times - index)
        both = {f"{each:%Y%m%dT%H%M%S}": each for each in (*rule.excluded, *ahead)}
        rule = rule._replace(excluded=tuple(both[key] for key in sorted(both)))
        main.fields["recurrence"] = ";".join((rule.text(), *self._left_out))
        self._move_to(live)
        return True

    def _slot(self, due: When) -> When:
        """Return the moment by which the file names the occurrence that is due then."""
        begins = self._begins or due
        at = due.at if begins == self._due else begins.at
        return When(due.day - self._days, at)

    @property
    def _shift(self) -> timedelta:
        """Time from the start to the due moment."""
        if self._begins is None or self._due is None:
            return timedelta()
        return self._due.begins() - self._begins.begins()

    def _ahead(self, rule: RecurrenceRule, excluded: Sequence[When], live: When) -> list[date]:
        """Return the excluded days after the open occurrence; moments if it repeats within days."""
        ahead: list[date] = []
        for each in excluded:
            with suppress(OverflowError):
                if rule.freq.is_short and each.at is not None:
                    moment = each.local() + self._shift
                    if moment > live.local():
                        ahead.append(moment)
                elif each.day + self._days > live.day and self._matches(
                    each, When(each.day, self._begins.at if self._begins else None)
                ):
                    ahead.append(each.day + self._days)
        return ahead

    def _move_to(self, live: When) -> None:
        fields, due, start = self._main.fields, self._due, _when(self._main.fields, "start")
        if due is None or live == due:
            return
        fields["due"] = live.iso()
        if start is not None:
            fields["start"] = When(start.day + (live.day - due.day), start.at).iso()

    def _read_rule(self, text: JsonValue) -> None:
        """Read the rule, and convert it to one for due dates in the zone of the series."""
        begins, written = self._begins, self._written
        if not isinstance(text, str):
            return
        try:
            rule, self._left_out = parse_foreign_rule(text, written)
        except RuleProblem:
            # The entry's reader names it.
            return
        if begins is None or written is None or self._due is None:
            self._rule = rule
            return
        # Some programs convert moments to UTC, but not their rules.
        is_local = _is_slot(rule, begins) and not _is_slot(rule, written)
        here = rule if is_local else _moved(rule, written, begins, is_instant=True)
        if here is None and self._keep_zone():
            self._read_rule(text)
            return
        if here is None:
            self._main.remark("repeats here by its day in this time zone instead of the file's")
            here = _with_end_moved(rule, written, begins, is_instant=True)
        self._rule = self._from_due(here)

    def _keep_zone(self) -> bool:
        """Move the task to the zone in which its rule counts; return False if that has no name."""
        fields, due = self._main.fields, self._due
        if self._origin is None or due is None or due.at is None:
            return False
        moment, zone = vtodo_moments.moment_of(self._origin, self._zones)
        if moment.endswith("Z") and self._origin.value.strip().upper().endswith("Z"):
            zone = "UTC"
        if zone is None or zone == self._zone or not is_known_zone(zone):
            return False
        there = due.local().replace(tzinfo=ZoneInfo(self._zone)).astimezone(ZoneInfo(zone))
        fields |= {"due": When.of(there).iso(), "due_zone": zone}
        self._set_moments()
        return True

    def _from_due(self, rule: RecurrenceRule) -> RecurrenceRule:
        """Return the rule for due dates, given one for the start."""
        begins, due = self._begins, self._due
        if begins is None or due is None:
            return rule
        if not rule.is_interval and not _is_slot(rule, begins):
            return rule
        if not rule.is_interval and _is_slot(rule, due):
            return _with_end_moved(rule, begins, due)
        moved = _moved(rule, begins, due)
        if moved is None:
            self._main.remark("repeats here by its due date instead of its start")
        return moved or _with_end_moved(rule, begins, due)


def _when(fields: Fields, name: str) -> When | None:
    """Return the moment in a field; that of a stamp is in UTC; None if it cannot be read."""
    text = fields.get(name)
    if not isinstance(text, str):
        return None
    with suppress(ValueError):
        return When.parse(text)
    with suppress(ValueError):
        return When.of(datetime.strptime(text, "%Y%m%dT%H%M%SZ"))
    return None


def _is_slot(rule: RecurrenceRule, when: When) -> bool:
    begins = when.begins()
    return slot_after(rule, begins, begins - timedelta.resolution, clamp=False) == begins


def _moved(
    rule: RecurrenceRule, begins: When, to: When, *, is_instant: bool = False
) -> RecurrenceRule | None:
    """Return the rule with every occurrence as much later as `to` is; None if there is none.

    With `is_instant` both are one instant, on the clocks of two zones.
    """
    shift, days = to.begins() - begins.begins(), (to.day - begins.day).days
    moved = _with_end_moved(rule, begins, to, is_instant=is_instant)
    has_days = rule.by_day or rule.by_month_day or rule.by_month or rule.by_set_pos
    if rule.freq.is_short:
        return None if has_days and shift else moved
    if not days:
        return moved
    by_day = tuple(sorted(RuleDay((day.weekday + days) % 7, day.nth) for day in rule.by_day))
    by_month_day = tuple(day + days for day in rule.by_month_day)
    candidates = [
        moved,
        moved._replace(by_day=by_day),
        moved._replace(by_day=by_day, week_start=(rule.week_start + days) % 7),
    ]
    if rule.by_month_day and all(1 <= day <= _LONGEST_MONTH for day in by_month_day):
        candidates.append(moved._replace(by_month_day=by_month_day))
    if rule.by_month_day and len(rule.by_month) <= 1:
        month = rule.by_month and (to.day.month,)
        candidates.append(moved._replace(by_month=month, by_month_day=(to.day.day,)))
    wanted = [each + shift for each in _slots(rule, begins)]
    return next((each for each in candidates if _slots(each, to) == wanted), None)


def _with_end_moved(
    rule: RecurrenceRule, begins: When, to: When, *, is_instant: bool = False
) -> RecurrenceRule:
    """Return the rule with its last day or moment as much later as `to` is."""
    until = rule.until
    if until is None:
        return rule
    if not isinstance(until, datetime):
        return rule._replace(until=until + (to.day - begins.day))
    if is_instant and until.tzinfo is not None:
        # It is the same instant in every zone.
        return rule
    return rule._replace(until=until + (to.begins() - begins.begins()))


def _slots(rule: RecurrenceRule, begins: When) -> list[datetime]:
    """Return the first occurrences of an endless rule, enough to meet every month's length."""
    endless = rule._replace(until=None, times=None, excluded=())
    slots = [begins.begins()]
    with suppress(OverflowError):
        while len(slots) < _COMPARED:
            following = slot_after(endless, slots[0], slots[-1], clamp=False)
            if following is None:
                break
            slots.append(following)
    return slots
