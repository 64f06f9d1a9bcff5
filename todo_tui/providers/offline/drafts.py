"""Drafts: one item of an addition read into the arguments of `add_task`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from todo_tui.domain.task import JsonValue
from todo_tui.providers.offline.dating import Dates, bare_date
from todo_tui.providers.offline.items import WEEKDAY
from todo_tui.providers.offline.quoted import Quoted, is_mark
from todo_tui.providers.offline.slot_values import level_of, names_in


@dataclass(frozen=True, slots=True)
class Draft:
    """A task to be; empty fields were not given. `due` is in ISO form, `repeat` in words."""

    title: str
    due: str = ""
    repeat: str = ""
    start: str = ""
    priority: str = ""
    project: str = ""
    tags: tuple[str, ...] = ()
    notes: str = ""
    parent: int = 0
    remarks: tuple[str, ...] = ()
    """How words were read where they can be read in two ways."""

    @property
    def plain(self) -> bool:
        """Whether it is a title and nothing else."""
        return self == Draft(self.title, remarks=self.remarks)

    def arguments(self) -> dict[str, JsonValue]:
        """What `add_task` is called with."""
        given: dict[str, JsonValue] = {"title": self.title}
        for name in ("due", "repeat", "start", "priority", "project", "notes"):
            if value := getattr(self, name):
                given[name] = value
        if self.tags:
            given["tags"] = list(self.tags)
        if self.parent:
            given["parent"] = self.parent
        return given

    def completed_by(self, other: Draft) -> Draft:
        """This one, with what it lacks taken from the other; the title stays."""
        return Draft(
            self.title,
            self.due or other.due,
            self.repeat or ("" if self.due else other.repeat),
            self.start or other.start,
            self.priority or other.priority,
            self.project or other.project,
            tuple(dict.fromkeys((*self.tags, *other.tags))),
            self.notes or other.notes,
            self.parent or other.parent,
            self.remarks or other.remarks,
        )


_LONGEST_LINE = 300
"""Characters of an item in which dates are looked for before it is cut."""

_NAME = r"[@#]?[^\W\d_][\w.-]*"
_NAMES = rf"{_NAME}(?:(?:,? (?:and|&) |, ?){_NAME})*"
_LEVEL = (
    r"(?P<level>(?:very )?(?:urgent|important|critical)|top|highest|high|medium|normal|mid|low"
    r"|lowest)"
)


def _weight(draft: Draft, match: re.Match[str]) -> Draft:
    return replace(draft, priority=level_of(match["level"]) or draft.priority)


def _tags(draft: Draft, match: re.Match[str]) -> Draft:
    return replace(draft, tags=(*draft.tags, *names_in(match["names"]).split(",")))


def _project(draft: Draft, match: re.Match[str]) -> Draft:
    return replace(draft, project=names_in(match["name"]))


def _note(draft: Draft, match: re.Match[str]) -> Draft:
    return replace(draft, notes=match["note"].strip())


_ATTRIBUTES: tuple[tuple[re.Pattern[str], Callable[[Draft, re.Match[str]], Draft]], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE | re.DOTALL), read)
    for pattern, read in (
        (
            r"(?:\s*[,;(-]\s*|\s+)(?:with|and)?\s*(?:an? |the )?(?:notes?|comment)(?: that says"
            r"| saying| that|:)\s*(?P<note>.+)$",
            _note,
        ),
        (
            rf"(?:\s*[,(-]\s*|\s+)(?:with |at |as |and |of |on )?(?:an? "
            rf"|the )?{_LEVEL}[- ](?:priority|prio|importance)\)?$",
            _weight,
        ),
        (
            rf"(?:\s*[,(-]\s*|\s+)(?:with |and )?(?:the )?(?:priority"
            rf"|prio)(?: of)?:? {_LEVEL}\)?$",
            _weight,
        ),
        (
            r"\s*[,(-]\s*(?:and )?(?:it's |it is |that's |this is )?(?P<level>(?:very )?urgent"
            r"|(?:very )?important|critical)\)?$",
            _weight,
        ),
        (r"\s+(?P<level>urgent)ly$", _weight),
        (
            r"(?:\s*[,(-]\s*|\s+)(?:asap|as soon as possible)\)?$",
            lambda draft, _: replace(draft, priority="high"),
        ),
        (
            r"^(?P<level>urgent|important|(?:high|medium|low|top)[- ]prio(?:rity)?)\s*[:,-]\s+",
            _weight,
        ),
        (
            rf"(?:\s*[,(]\s*|\s+)(?:and )?(?:tagged|labell?ed|with (?:the |a )?(?:tags?|labels?)"
            rf"|(?:tags?|labels?):)(?: as| with)? (?P<names>{_NAMES})\)?$",
            _tags,
        ),
        (
            rf"(?:\s*,\s*|\s+)(?:and )?(?:in|to|into|under|for|on)? ?(?:the |a |my "
            rf"|new )*(?:project|category|folder) (?:called |named )?(?P<name>{_NAME})$",
            _project,
        ),
        (
            rf"(?:\s*,\s*|\s+)(?:in|to|into|under|onto) (?:the |my |our )?(?P<name>(?!to-?do\b"
            rf"|task\b){_NAME}) (?:project|category|folder|list)$",
            _project,
        ),
    )
)
_LEAD = re.compile(
    r"^(?:to|that i (?:need|have|must|should)(?: to)?|that|please|of|about)\s+(?=\S+)",
    re.IGNORECASE,
)
_DATE_FIRST = re.compile(
    r"\s+(?:to|that i (?:(?:need|have|ought) to|must|should)|that i|about|that)\s+",
    re.IGNORECASE,
)


_DUE_DATE = re.compile(
    r"(?:,| -| –)?\s+(?:and )?(?:with )?(?:an? |the |its )?(?:due (?:date|day)|deadline)"
    r"(?: is| of| on|:)? (?P<when>.+)$",
    re.IGNORECASE,
)


_OFTEN = re.compile(
    r"\b(?:twice|thrice|(?:two|three|four|five|\d+) times|\d+ ?x) (?:an?|per|each|every) "
    r"(?:day|week|month|year|fortnight)\b",
    re.IGNORECASE,
)
_NO_TIMES = (
    "so many times a week is no repeat that I can set; name the days instead, as in “every monday "
    "and thursday” or “every 3 days”"
)
_TWO_DAYS = re.compile(
    rf"\b{WEEKDAY}(?:(?:, ?{WEEKDAY})*,? (?:and|&|or) {WEEKDAY})+\b", re.IGNORECASE
)
_ONE_DAY = (
    "a task has one date, so the days stay in the title; say “every …” before them if it repeats, "
    "or add it once for each"
)
_ZONED = re.compile(
    r"\b\d{1,2}(?:[:.]\d\d)? ?(?:am|pm)?(?:Z\b| ?(?:UTC|GMT|CES?T|EES?T|WES?T|[ECMP][SD]T|BST|IST"
    r"|JST|AES?T|AEDT|SGT|HKT|MSK)\b|Z?[+-]\d\d:\d\d\b| ?(?:Europe|America|Asia|Africa|Australia"
    r"|Pacific)/\w+)"
    r"|(?i:\b\d{1,2}(?:[:.]\d\d)? ?(?:am|pm|o'clock)? (?:[a-z]+ ){1,2}(?:local )?time\b)",
)
"""A time of day in another zone."""

_NO_ZONES = (
    "I do not reckon between time zones, so that stays in the title; say the time as your own "
    "clock will show it"
)


def _unset(title: str, *, dated: bool) -> list[str]:
    """What is to be said of words in a title that look like dates, and could not be set."""
    if _OFTEN.search(title):
        return [_NO_TIMES]
    return [_ONE_DAY] if _TWO_DAYS.search(title) and not dated else []


class Drafting:
    """Reads items into drafts, at one moment and with the quoted words of one message."""

    def __init__(self, dates: Dates, quoted: Quoted) -> None:
        self._dates = dates
        self._quoted = quoted

    def title_of(self, text: str) -> str:
        """What an item is called, its attributes taken off; empty if it is nothing else."""
        if is_mark(text) or len(text) > _LONGEST_LINE:
            return text.strip()
        if self._dates.is_when(bare_date(text)) or self._dates.is_rhythm(text):
            return ""
        if _peeled(Draft(""), f"x, {text.strip()}")[1] == "x":
            return ""
        return self._read(text)[1]

    def draft(self, text: str) -> Draft:
        """The whole item; words that leave no title are the title."""
        if is_mark(text):
            return Draft(self._quoted.shown(text.strip()))
        found, title = self._read(text)
        if not title:
            return Draft(_capital(self._quoted.shown(text.strip())))
        shown = self._quoted.shown(title)
        return replace(
            found,
            title=shown if is_mark(title) else _capital(shown),
            notes=self._quoted.shown(found.notes),
        )

    def _read(self, text: str) -> tuple[Draft, str]:
        """The attributes, and the title with quoted parts still hidden."""
        if _ZONED.search(text):
            return Draft("", remarks=(_NO_ZONES,)), _capital(text.strip())
        draft, rest = _peeled(Draft(""), self._date_last(self._due_last(text.strip())))
        # Both bring the grammar of rhythms along, which only additions need.
        from todo_tui.domain.change_words.quick_add import read_quick_add
        from todo_tui.domain.recurrence.reader import format_recurrence

        found = read_quick_add(rest, self._dates.now, self._dates.style)
        draft, title = _peeled(draft, found.title.strip())
        draft = replace(
            draft,
            due=found.due.iso() if found.due else "",
            repeat=format_recurrence(found.recurrence) if found.recurrence else "",
            start=found.start.iso() if found.start else "",
            priority=found.priority.value if found.priority else draft.priority,
            project=found.project or draft.project,
            tags=tuple(dict.fromkeys((*draft.tags, *found.tags))),
            remarks=(*found.notes, *_unset(title, dated=bool(found.due))),
        )
        return draft, _LEAD.sub("", title).strip(" ,;")

    def _due_last(self, text: str) -> str:
        """`pay the bill, due date friday` as `pay the bill friday`."""
        match = _DUE_DATE.search(text)
        if match is None or not self._dates.when(bare_date(match["when"])):
            return text
        return f"{text[: match.start()]} {match['when']}"

    def _date_last(self, text: str) -> str:
        """`tomorrow to call mom` as `call mom tomorrow`."""
        for joint in _DATE_FIRST.finditer(text):
            lead, rest = text[: joint.start()], text[joint.end() :]
            if rest and (self._dates.when(bare_date(lead)) or self._dates.is_rhythm(lead)):
                return f"{rest} {lead}"
        return text


def _peeled(draft: Draft, text: str) -> tuple[Draft, str]:
    """The draft with the attributes at the ends of a text, and what is left of it."""
    changed = True
    while changed:
        changed = False
        for pattern, read in _ATTRIBUTES:
            match = pattern.search(text)
            rest = (text[: match.start()] + text[match.end() :]).strip() if match else ""
            if match and rest:
                draft, text, changed = read(draft, match), rest, True
    return draft, text


def _capital(title: str) -> str:
    """The title with a capital, where its first word is not spelled in a way of its own."""
    first = title.split(" ", 1)[0]
    return title[:1].upper() + title[1:] if first.islower() else title
