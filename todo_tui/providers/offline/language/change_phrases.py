"""Dates, and phrases about fields of a task, translated into change words.

`high priority` is `!high`, `in the allotment project` is `#allotment`, `by a week` is
`1 week later`. Dates and recurrences stay as they are: the grammar of change words reads them.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, time
from functools import lru_cache

from todo_tui.domain.change_words.quick_add import QuickAdd, is_surely_title, read_quick_add
from todo_tui.domain.change_words.reader import read_change_words
from todo_tui.domain.dates.reader import DayRange, find_range, parse_date
from todo_tui.domain.dates.terms import Moment
from todo_tui.domain.errors import DateNotUnderstood
from todo_tui.domain.estimates import ESTIMATE
from todo_tui.domain.when import DateStyle, When
from todo_tui.providers.offline.language.pattern import regex
from todo_tui.providers.offline.language.words import NUMBERS, word_table

LEVELS = {word: f"!{level}" for word, level in word_table("levels").items()}
_LEVEL = "|".join(sorted(map(re.escape, LEVELS), key=len, reverse=True))
_SMALL_WORDS = (
    "a|an|and|as|at|by|for|from|in|it|its?|my|of|on|our|task|that|the|them|these|this|those|to"
    "|to-?do|under|with"
)
_NAME = rf"(?!(?:{_SMALL_WORDS})(?![\w-]))[^\W\d_][\w.-]*"
_NAMES = rf"@?{_NAME}((,? (and|&) |, ?| (?=@))@?{_NAME})*"
_COUNTS = {
    "a": 1, "an": 1, "another": 1, "a couple of": 2, "a few": 3, **NUMBERS,
}  # fmt: skip
_COUNT = "|".join(sorted(_COUNTS, key=len, reverse=True))
LENGTH = (
    rf"(?P<count>\d+|(?:{_COUNT})(?= )) ?(?:more )?"
    r"(?P<unit>minutes?|mins?|hours?|hrs?|days?|d|weeks?|wks?|w|fortnights?|months?|years?)"
)
_LEAD = regex(
    r"(to|on|for|by|until|till|at|as|from|with|is|be|due|now|a|an|the|and|in|into|under) "
)
"""A small word before a change."""
_NO_TITLE = regex(r"\b(later|earlier|no|none)\b")
"""Words of changes that quick add keeps in a title."""
_SIGNS = regex(rf"[@#!]\S+|~{ESTIMATE}")
_TITLE = "Zz"
"""No word, so that nothing before or after it belongs to it."""
_OPEN_HOUR = regex(r"(at )?(1[0-2]|[1-9])([.:]\d\d)?")
"""A time that may be in either half of a day."""
_HOUR_AT_END = regex(r"(^|\s)(1[0-2]|[1-9])([.:]\d\d)?$")
_SPELLED = regex(r"\b(past|to|half|quarter) \d+$")
_HALF_NAMED = regex(
    r"\d ?[ap]\.?m\b|\b(1[3-9]|2[0-3]|0\d)[.:]?\d\d\b|\d\d:\d\d|\b(morning|afternoon|evening|night"
    r"|tonight|later|earlier|noon|midday|midnight|lunch\w*|breakfast|dinner|today|now|in|end|close|eod)\b"
)
"""What says in which half of a day a time is."""
_SAID_DAYS = (
    (regex(r"\b((on|in) )?after (the )?weekend\b"), "monday"),
    (regex(r"\b(in|after|into) (the )?new year\b(?!'s)"), "on 1 january"),
    (regex(r"\b(?P<lead>to|till|until|by|before|for) (the )?new year\b(?!'s)"),
     r"\g<lead> 1 january"),
)  # fmt: skip
"""Days that are names of other things as often, and how they are written behind these words."""
_ISO_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_NOON = 12
_FAR = 150
"""Minutes from a time beyond which the half of its day tells nothing of another hour."""
_MAX_LEADS = 4
WEEKDAY = r"(WEEKDAY|mon|tues?|wed|thur?s?|fri|sat|sun)"
WEEKDAYS = regex(rf"((to|on|for|is|are) )*(?P<days>{WEEKDAY}((,? (and|&) (on )?|, ?){WEEKDAY})+)")
"""Weekdays, of which one date has only one: they repeat, and the gate asks."""
_NOT_THEN = regex(r",? (and )?(not|instead of|rather than) (on )?(?P<days>.+)$")
_NO_DAYS = ("no", "none", "never", "-")
_VALUE_AT_END = regex(
    r"(?P<rest>[^,]+) (?P<value>[#@!]\S+|!?(high|medium|low)( prio(rity)?)?|urgent)"
)
"""Values that may follow others without a joint: `friday 3pm high #home`."""
_FROM_NOW = regex(rf"in {LENGTH}")
_MAX_WORDS = 14
"""Nobody needs more for a stretch of days."""


@dataclass(frozen=True, slots=True)
class Dates:
    """The present moment of the person, and how they write dates."""

    now: datetime
    style: DateStyle

    def stretch(self, words: str) -> DayRange | None:
        """Return the days that words name, such as `this week` or a single day."""
        is_short = len(words.split(maxsplit=_MAX_WORDS)) <= _MAX_WORDS
        return _read_stretch(words, self) if is_short else None

    def is_stretch(self, words: str) -> bool:
        """Return True if words name days."""
        return self.stretch(words) is not None

    def lies_ahead(self, words: str) -> bool:
        """Return True if the days that words name have not begun."""
        days = self.stretch(words)
        return days is not None and days.first > self.now.date()


@lru_cache(maxsize=4096)
def _read_stretch(words: str, dates: Dates) -> DayRange | None:
    try:
        return find_range(words, dates.now, dates.style)
    except DateNotUnderstood:
        return None


def _tags(match: re.Match[str]) -> str:
    if re.search(r"\b(?:it|them|that|this|those|these)\b", match["names"], re.IGNORECASE):
        return ""
    names = re.split(r",? (?:and|&) |, ?| ", match["names"])
    return " ".join(f"@{name.strip().lstrip('@')}" for name in names if name.strip())


def _tag(part: str) -> str:
    named = re.fullmatch(rf"tags? ({_NAME})", part.strip(), re.IGNORECASE)
    return f"@{named[1]}" if named else ""


def _half_hour(match: re.Match[str]) -> str:
    return f"30 minutes {'earlier' if 'earl' in match[0].lower() else 'later'}"


def _length(match: re.Match[str]) -> str:
    count, unit = match["count"].lower(), match["unit"].lower()
    direction = "earlier" if match["back"] and "earl" in match["back"].lower() else "later"
    if unit.startswith("fortnight"):
        count, unit = str(2 * int(_COUNTS.get(count, count))), "weeks"
    return f"{_COUNTS.get(count, count)} {unit} {direction}"


def _level(match: re.Match[str]) -> str:
    return LEVELS.get(match["level"].lower(), "!high")


_PHRASES: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = tuple(
    (regex(pattern), make)
    for pattern, make in (
        (r"no (due )?(date|deadline)|without (a )?(due )?(date|deadline)|undated|someday",
         "no date"),
        (r"(take|clear|remove|drop|strip) (the |its |their |all |any )*(due )?(dates?|deadlines?)"
         r"( off| from| of)?", "no date"),
        (r"no (fixed |set |exact )?(time|hour)( of day)?|without (a )?(fixed |set )?(time|hour)"
         r"|all[ -]day|any ?time (of (the )?day|that day)", "no time"),
        (r"no (more )?(repeats?|recurrence|repetition)|not (repeating|recurring)", "no repeat"),
        (r"no priority|without (a )?priority", "no priority"),
        (r"no (time )?estimate|without (an )?estimate|unestimated", "no estimate"),
        (rf"~?(?P<time>{ESTIMATE}) estimate", "~{time}"),
        (rf"((an?|the) )?(time )?estimated?( time)?( of| at| as| is| to|:)? ~?(?P<time>{ESTIMATE})",
         "~{time}"),
        (rf"(it )?(is|takes?|taking|lasts?|lasting|will take|should take)( about| around| roughly)?"
         rf" ~?(?P<time>{ESTIMATE})( long)?", "~{time}"),
        (r"no project|without (a )?project|out of (its|the|any) project", "no project"),
        (r"no tags?|without (any )?tags?|untagged", "no tags"),
        (r"(the )?(next|following) day|(the|a) day (after|later)|one day later", "1 day later"),
        (r"the day before|a day (before|earlier)", "1 day earlier"),
        (r"the (week after|following week)|a week later", "1 week later"),
        (r"(at )?(?P<time>\d{1,2}([.:]\d\d)?( ?[ap]m)?),? (on )?(the )?same (day|date)"
         r"( as before)?", "at {time}"),
        (r"(?P<date>.+?),? (but )?(at )?(the )?same (time|hour)( as before)?", "{date}"),
        (r"in progress|doing|started|under ?way|ongoing", "doing"),
        (r"to-?do|not started", "todo"),
        (r"((it|they|this|that) )?((has|have|needs?) to|must|should) (be )?\w+"
         r" (?P<date>(by|until|till|before) .+)", "{date}"),
        (r"(it|they|this|that)('s|'re| is| are) due (?P<date>.+)", "{date}"),
        (r"(i|we|they|he|she) (need|want)s? (it|them|this|that)"
         r" (?P<date>(by|until|till|before) .+)", "{date}"),
        (rf"((a|an|the|very|really|super) )*(?P<level>{_LEVEL}|top(?= prio|-prio))[ -]?"
         r"(priority|prio|importance)?( (task|one))?", _level),
        (rf"(priority|prio)(: ?| )(?P<level>{_LEVEL})", _level),
        # Without a sign or a preposition, `tag rent` names a task.
        (r"((tag|label)( with| as|:| (?=@)) ?|(with )?the (tag|label) |with (tag|label) "
         rf"|(tag(ged|s)|label(led|ed|s))( with| as)?:? )(?P<names>{_NAMES})", _tags),
        (rf"(the )?(?P<names>{_NAMES}) (tag|label)s?", _tags),
        (r"(the |a |my |our )?(new )?(project|list|folder):? (called |named )?"
         rf"#?(?P<name>{_NAME})", "#{name}"),
        (rf"(the |a |my |our )?#?(?P<name>{_NAME}) (project|list|folder)", "#{name}"),
        (r"(starts?|starting|begins?|beginning)( now| actually)? (?P<time>at .+)", "{time}"),
        (r"(hidden |wait(s|ing)? |starts?|starting|start )+(until |till |on |from )?"
         r"(?P<date>.+)", "starts {date}"),
        (r"half (an )?(hour|hr)( later| earlier)?", _half_hour),
        (rf"{LENGTH}(?P<back> later| earlier)?", _length),
        (r"(repeat(s|ing)?|recur(s|ring)?) (?P<rule>.+)", "{rule}"),
    )
)  # fmt: skip
"""Phrases, each with its change words, which may name groups."""


def in_figures(text: str) -> str:
    """Return a text with `monday` in place of `after the weekend`."""
    for pattern, day in _SAID_DAYS:
        text = pattern.sub(day, text)
    return text


def _without_leads(text: str) -> list[str]:
    """Return a phrase, then the phrase without its first small words, one by one."""
    phrases = [text]
    while len(phrases) < _MAX_LEADS and (match := _LEAD.match(phrases[-1])):
        phrases.append(phrases[-1][match.end() :])
    return phrases


@lru_cache(maxsize=4096)
def quick_add(text: str, now: datetime, style: DateStyle) -> QuickAdd:
    """Return a line read by quick add; the same lines are read for many rules."""
    return read_quick_add(text, now, style)


def is_time(words: str) -> bool:
    """Return True for a time of day without a day: `at 6`, `4pm`, `in the evening`."""
    try:
        term = parse_date(words)
    except DateNotUnderstood:
        return False
    return isinstance(term, Moment) and term.day is None


_BY_HOURS = regex(r"(?<=\bby )(?P<count>\d+) ?h(rs?)?\b")
_FOR_GOOD = regex(r"^from (now|here) on,? ")


class ChangeReader:
    """Translates phrases at one moment; `words` returns None for what is no change."""

    def __init__(self, now: datetime, style: DateStyle) -> None:
        self._now, self._style = now, style

    @lru_cache(maxsize=4096)  # noqa: B019 - one reader lives for one message
    def words(self, phrase: str) -> str | None:
        """Return the change words of a phrase, or None if any part of it is no change."""
        text = in_figures(phrase.strip(" ,.;:!"))
        text = _BY_HOURS.sub(r"\g<count> hours", text)
        text = _FOR_GOOD.sub("", text) or text
        if not text or len(text) > 120:
            return None
        if whole := self._one(text):
            return whole
        if several := WEEKDAYS.fullmatch(text):
            return self._one(f"every {several['days']}")
        if (match := _NOT_THEN.search(text)) and self.is_date(match["days"]):
            return self.words(text[: match.start()])
        if (match := _VALUE_AT_END.fullmatch(text)) and (rest := self.words(match["rest"])):
            value = self._one(match["value"])
            return f"{rest} {value}" if value and not _NO_TITLE.search(rest) else None
        parts = re.split(r",? and |, | with ", text)
        if len(parts) > 1:
            each = [self._one(part.strip()) for part in parts]
            if any(each):
                # `tag travel` is a tag beside other changes; alone it may name a task.
                each = [made or _tag(part) for made, part in zip(each, parts, strict=True)]
            if all(each):
                days = {due for made in each if made and (due := self._day(made))}
                dates = [made for made in each if made and self._day(made)]
                if len(days) == 1:
                    # `friday, tomorrow` is one day, said twice.
                    each = [made for made in each if made not in dates[1:]]
                return " ".join(map(str, each)) if len(days) < 2 else None
        return None

    def is_date(self, phrase: str) -> bool:
        """Return True if a phrase is a date or a recurrence."""
        return self._date(phrase.strip(" ,.;:!")) is not None

    def replaced(self, details: str, change: str) -> str:
        """Return change words with a correction worked in: a time replaces the time of a day."""
        if self._says_again(details, change):
            return details
        if not self.is_date(change):
            # One priority takes the place of the other, and so does a project.
            is_single = change.startswith(("!", "#"))
            kept = re.sub(rf"(?<!\S){change[0]}\S+", "", details) if is_single else details
            return f"{kept} {change}".strip()
        signs = " ".join(_SIGNS.findall(details))
        old, new = self.due(details), self.due(change)
        if is_time(change) and is_time(details):
            return f"{change} {signs}".strip()
        if old is not None and is_time(change):
            is_open = old.at is not None and old.at.hour > 11 and _OPEN_HOUR.fullmatch(change)
            change = f"{old.day.isoformat()} {change}{'pm' if is_open else ''}"
        elif old is not None and old.at is not None and new is not None and new.at is None:
            change = f"{change} {old.at:%H:%M}"
        return f"{change} {signs}".strip()

    def without_date(self, details: str) -> str:
        """Return change words without dates."""
        return " ".join(_SIGNS.findall(details))

    def near_time(self, details: str, old: time) -> str:
        """Return change words whose hour is in the half of the day that is nearer to a time."""
        due = self.due(details)
        if due is None or due.at is None or _HALF_NAMED.search(_ISO_DAY.sub("", details)):
            return details
        minute = due.at.minute
        hours = due.at.hour % 12, due.at.hour % 12 + 12
        apart = [abs(hour * 60 + minute - (old.hour * 60 + old.minute)) for hour in hours]
        hour = hours[apart.index(min(apart))]
        if min(apart) > _FAR:
            return details
        if (match := _HOUR_AT_END.search(details)) and not _SPELLED.search(details):
            return f"{details[: match.end()]}{'am' if hour < _NOON else 'pm'}"
        # `quarter to eight` of what is at 19:00.
        signs = " ".join(_SIGNS.findall(details))
        day = "at" if is_time(details) else due.day.isoformat()
        return f"{day} {hour:02}:{minute:02} {signs}".strip()

    def has_time(self, details: str) -> bool:
        """Return True if change words set a time of day."""
        due = self.due(details)
        return due is not None and due.at is not None

    def settled(self, details: str, read: QuickAdd) -> str:
        """Return change words of a new task; its hour is the one that its title implies."""
        if read.due is None or read.recurrence is not None or self.due(details) == read.due:
            return details
        signs = _SIGNS.findall(details)
        return " ".join([read.due.iso().replace("T", " "), *signs])

    def repeats(self, details: str) -> bool:
        """Return True for change words with a recurrence."""
        return read_change_words(details, self._now, self._style).schedule.repeat is not None

    def _says_again(self, details: str, change: str) -> bool:
        """Return True for `every week` of what repeats every Monday: it names no other day."""
        old, new = (
            read_change_words(words, self._now, self._style).schedule.repeat
            for words in (details, change)
        )
        return (
            old is not None
            and new is not None
            and old.rule._replace(by_day=()) == new.rule
            and (new.time, new.start, new.end) == (None, None, None)
        )

    def _day(self, details: str) -> date | None:
        """Return the day that change words name; None for a time alone."""
        due = self.due(details) if not is_time(details) else None
        return due.day if due else None

    def due(self, details: str) -> When | None:
        """Return the day or moment that change words set."""
        with suppress(DateNotUnderstood):
            words = read_change_words(details, self._now, self._style)
            return words.fields_of().get("due")
        return None

    def _one(self, text: str) -> str | None:
        if _FROM_NOW.fullmatch(text) and self._reads(text, dates_only=True):
            return text
        for phrase in _without_leads(text):
            for pattern, make in _PHRASES:
                if match := pattern.fullmatch(phrase):
                    words = (
                        make.format(**match.groupdict()) if isinstance(make, str) else make(match)
                    )
                    if words and self._is_understood(words):
                        return words
        if date := self._date(text):
            return date
        bare = _without_leads(text)[-1]
        if _SIGNS.search(bare) and self._is_understood(bare):
            return bare
        return None

    def _date(self, text: str) -> str | None:
        for phrase in _without_leads(text):
            if (
                phrase
                and not phrase.isdigit()
                and phrase.lower() not in _NO_DAYS
                and "Tom" not in phrase.split()  # a person; `tom` is tomorrow
                and self._reads(phrase, dates_only=True)
            ):
                return phrase
        return None

    def _is_understood(self, words: str) -> bool:
        if re.fullmatch(r"\d+ \w+ (?:later|earlier)|doing|todo|cancelled|skip", words):
            return True
        if words.startswith("starts "):
            return self._reads(words.removeprefix("starts "), dates_only=True)
        return self._reads(words)

    def _reads(self, words: str, *, dates_only: bool = False) -> bool:
        # Quick: what stays a title is not understood, and finding out why takes long.
        if dates_only and not _NO_TITLE.search(words):
            if is_surely_title(words):
                return False
            read = quick_add(f"{_TITLE} {words}", self._now, self._style)
            if read.title != _TITLE:
                return False
        given = read_change_words(words, self._now, self._style, dates_only=dates_only)
        return given.changes_something
