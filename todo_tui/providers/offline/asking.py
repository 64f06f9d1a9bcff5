"""Asking: a description of tasks (`my overdue work tasks`) read into words of a filter."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from todo_tui.domain.dates import DateNotUnderstood, read_range
from todo_tui.providers.offline.dating import Dates
from todo_tui.providers.offline.words import ARTICLES

_NAME = r"[@#]?[^\W\d_][\w.-]*"
_NAMES = rf"{_NAME}(?:(?:,? (?:and|or) |, ?){_NAME})*"


@dataclass(frozen=True, slots=True)
class Asked:
    """What a description says: conditions in filter words, and what else it names.

    `group` is a word that may be a project, a tag or part of a title; which of them
    only the list can tell. `clear` says that it surely speaks of tasks.
    """

    conditions: tuple[str, ...] = ()
    group: str = ""
    search: str = ""
    clear: bool = False
    rest: str = ""
    except_for: str = ""

    @property
    def filter(self) -> str:
        """The conditions as one filter."""
        return " ".join(self.conditions)


def _names(mark: str, names: str) -> str:
    found = [name.lstrip("@#") for name in re.split(r",? (?:and|or) |, ?", names)]
    joined = " or ".join(f"{mark}{name}" for name in found if name)
    return f"({joined})" if " or " in joined else joined


Make = Callable[[re.Match[str]], str]
_ANY = r"(?:a |any |the |my )?"

_CONDITIONS: tuple[tuple[re.Pattern[str], Make], ...] = tuple(
    (re.compile(rf"(?<!\w)(?:{pattern})(?!\w)", re.IGNORECASE), make)
    for pattern, make in (
        (rf"(?:(?:with|having|has|have) no|without|w/o|lacking|missing) {_ANY}(?:due )?(?:dates?|deadlines?)|no (?:due )?date|undated|unscheduled", lambda _: "no due"),
        (rf"(?:(?:with|having|in|has) no|without|no|not in) {_ANY}projects?", lambda _: "no project"),
        (rf"(?:(?:with|having|has) no|without|no) {_ANY}(?:tags?|labels?)|untagged|unlabell?ed", lambda _: "no tag"),
        (rf"(?:(?:with|having|has) no|without|no) {_ANY}(?:priority|prio)", lambda _: "no priority"),
        (r"(?:with |of |at |on )?(?:an? |the )?(?:high|top|highest)[- ](?:priority|prio|importance)(?: (?:tasks?|ones?))?|priority:? ?high|!high|!!!|urgent|important|critical", lambda _: "priority:high"),
        (r"(?:with |of |at )?(?:a )?(?:medium|normal|mid)[- ](?:priority|prio)|priority:? ?medium|!medium", lambda _: "priority:medium"),
        (r"(?:with |of |at )?(?:a )?(?:low|lowest)[- ](?:priority|prio)|priority:? ?low|!low", lambda _: "priority:low"),
        (r"overdue|past due|past their (?:due )?dates?|running late|(?:is|are|am i|i'm|we're|am) (?:late|behind)(?: (?:on|with))?|late(?= |$)|(?:have |did )?i (?:missed|miss)|missed", lambda _: "overdue"),
        (r"not (?:yet )?(?:done|finished|completed?|started)|unfinished|incomplete|outstanding|pending|remaining|uncompleted|still open|open|left(?: to do)?|still to do|unchecked", lambda _: ""),
        (r"(?:already |been |recently |all )*(?:done|finished|completed?|accomplished|ticked off|checked off|closed)|did (?:i|we) (?:already )?(?:do|finish|complete|accomplish|get done|achieve)|(?:have |'ve )?(?:i|we)(?: have|'ve)? (?:already )?(?:done|finished|completed|did|got done|get done)", lambda _: "done"),
        (r"waiting|hidden|deferred|snoozed", lambda _: "waiting"),
        (r"blocked", lambda _: "blocked"),
        (r"recurring|repeating|recurrent|that repeat|(?:which|that)? ?(?:repeats?|recurs?)", lambda _: "recurring"),
        (r"in progress|in-progress|(?:have |i )?(?:started|begun)|ongoing|underway|being worked on|(?:am i|i'm|i am) (?:working on|doing)", lambda _: "doing"),
        (r"(?:in |from )?(?:the |my )?trash(?:ed)?|deleted|(?:have |did )i (?:deleted?|removed?)", lambda _: "trash"),
        (r"cancell?ed", lambda _: "cancelled"),
        (rf"(?:tagged|labell?ed)(?: with| as| by)? (?:the )?(?P<n>{_NAMES})|with (?:the )?(?:tags?|labels?) (?P<n2>{_NAMES})|tag:(?P<n3>{_NAMES})|(?<!\S)(?:tags?|labels?) (?P<n4>{_NAME})", lambda m: _names("@", m["n"] or m["n2"] or m["n3"] or m["n4"])),
        (rf"(?:in |under |with |for )?@(?P<n>{_NAMES})", lambda m: _names("@", m["n"])),
        (rf"(?:in|from|under|of|for) (?:the |my )?(?:projects?|lists?|categor(?:y|ies)) (?P<n>{_NAMES})|(?:in|from|under|of|for) (?:the |my )?(?P<n2>(?!to-?do\b|task\b){_NAME}) (?:project|category|folder|list)|project:? ?(?P<n3>{_NAME})|(?:in |under |for )?#(?P<n4>{_NAMES})", lambda m: _names("#", m["n"] or m["n2"] or m["n3"] or m["n4"])),
    )
)  # fmt: skip

_SEARCH = re.compile(
    r"(?:^|\s)(?:about|containing|mentioning|that mentions?|which mentions?|matching|named|called"
    r"|related to|relating to|regarding|concerning|with the words?|having to do with|involving|that contains?|with) (?:the |my )?(?P<q>.+)$",
    re.IGNORECASE,
)
_EXCEPT = re.compile(
    r"(?:^|,? )(?:except(?: for| the)?|but not|other than|excluding|besides|apart from|aside from|but) (?P<x>.+)$",
    re.IGNORECASE,
)
_GROUP = re.compile(
    rf"(?:^|\s)(?:in|under|for|at|from|of|within)(?: (?:the|my|our))? (?P<g>{_NAME})(?=$|\s)",
    re.IGNORECASE,
)
_DUE = re.compile(
    r"(?:(?:that|which) (?:is|are) |(?:is|are|was|were) )?(?:due|scheduled|planned|happening|to be done|coming up|on|for|set)"
    r"(?: (?:on|in|for|at|during|within|over))?$",
    re.IGNORECASE,
)
_BOUNDS = (
    (re.compile(r"(?:due )?(?:before|earlier than|prior to)$", re.IGNORECASE), "before"),
    (re.compile(r"(?:due )?(?:by|until|till|up to|no later than|through)$", re.IGNORECASE), "by"),
    (re.compile(r"(?:due )?(?:after|later than|past)$", re.IGNORECASE), "after"),
    (re.compile(r"(?:due )?(?:since|from|starting)$", re.IGNORECASE), "since"),
)
_FRAME = re.compile(
    r"""\b(?:(?:do|should|must|can|will|did|have)\ (?:i|we)\ (?:still\ |currently\ )?(?:have|got|need|want)?
      |\ (?:i|we)\ (?:have|had|got|need|'ve\ got|should|must)|i've(?:\ got)?|i\ have(?:\ got)?|have\ i\ got
      |are\ there|is\ there|there\ (?:is|are)|(?:on|in|to)\ (?:my|the|our)\ (?:(?:to-?\ ?do|task|tasks)\ )?(?:list|plate|agenda|schedule|calendar|to-?dos)
      |to\ (?:do|finish|complete|work\ on|get\ done|take\ care\ of)|coming\ up|up\ next|for\ me|of\ mine|waiting\ for\ me)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_NOUNS = re.compile(
    r"\b(?:tasks?|to-?dos?|to do(?: items?)?|items?|things?|stuff|entries|reminders?|chores|deadlines?|jobs|agenda|everything|all|list|ones)\b",
    re.IGNORECASE,
)
_FILLERS = ARTICLES | frozenset(
    "is are was were am be of that which what what's who do does did have has had got get i we me you us "
    "there here else still now currently right please again just all every each any anything something "
    "everything most of them those these s only both so far yet currently due list show whole entire "
    "full complete current with and or up on in for to at it already ever these".split()
)


def read_asked(text: str, dates: Dates) -> Asked:
    """Take a description apart; what is left over is its `rest`.

    Dates are resolved here, so that the filter carries days and not their names.
    """
    words = " ".join(text.split())
    left_out = ""
    if match := _EXCEPT.search(words):
        words, left_out = words[: match.start()], match["x"]
    search = ""
    conditions: list[str] = []
    clear = bool(_FRAME.search(words)) or bool(_NOUNS.search(words))
    words = _without_frame(words)
    for pattern, make in _CONDITIONS:
        while match := pattern.search(words):
            if condition := make(match):
                conditions.append(condition)
            clear = True
            words = _cut(words, match.start(), match.end())
    field = "completed" if "done" in conditions else "due"
    words, days = _without_days(words, dates, field)
    conditions += days
    if match := _SEARCH.search(words):
        search, words = match["q"], words[: match.start()]
    group = ""
    if match := _GROUP.search(words):
        group, words = match["g"].lstrip("#@"), _cut(words, match.start(), match.end())
    words = _NOUNS.sub(" ", words)
    rest = " ".join(word for word in words.split() if word.casefold().strip(",.") not in _FILLERS)
    return Asked(
        tuple(dict.fromkeys(conditions)), group, search, clear or bool(days), rest, left_out
    )


def _without_frame(words: str) -> str:
    """The words without `do I have` and its like, but with `have I done` for what is done."""
    if re.search(
        r"\b(?:have|'ve|did|had) (?:i|we)?\b.*\b(?:done|finish|finished|complete|completed|delete|deleted|do)\b|\bi(?:'ve)? (?:did|done|finished|completed)\b",
        words,
        re.IGNORECASE,
    ):
        return words
    return " ".join(_FRAME.sub(" ", words).split())


def _without_days(words: str, dates: Dates, field: str) -> tuple[str, list[str]]:
    """The longest stretch of words that names days, as a condition; and the rest."""
    parts = words.split()
    for length in range(min(len(parts), 7), 0, -1):
        for start in range(len(parts) - length + 1):
            phrase = " ".join(parts[start : start + length]).strip(",")
            found = _days(phrase, dates)
            if found is None:
                continue
            before, bound = _bound(" ".join(parts[:start]))
            rest = " ".join([before, *parts[start + length :]])
            return rest.strip(), list(_within(found, bound, field))
    return words, []


Days = tuple[str, str]
"""First and last day, in ISO form."""


def _days(phrase: str, dates: Dates) -> Days | None:
    if phrase.isdigit() or phrase.casefold() in ("may", "sun", "sat", "mon", "second", "a second"):
        return None
    words = re.sub(r"'s$", "", phrase)
    words = re.sub(
        r"^(?:the )?(?:rest of|remainder of) (?:the |this )?", "this ", words, flags=re.IGNORECASE
    )
    try:
        found = read_range(words, dates.now, dates.style)
    except DateNotUnderstood:
        return None
    return found.first.isoformat(), found.last.isoformat()


def _bound(before: str) -> tuple[str, str]:
    for pattern, bound in _BOUNDS:
        if match := pattern.search(before):
            return before[: match.start()].strip(), bound
    if match := _DUE.search(before):
        return before[: match.start()].strip(), ""
    return before, ""


def _within(days: Days, bound: str, field: str) -> tuple[str, ...]:
    first, last = days
    match bound:
        case "before":
            return (f"{field}.before:{first}",)
        case "by":
            return (f"{field}.by:{last}",)
        case "after":
            return (f"{field}.after:{last}",)
        case "since":
            return (f"{field}.since:{first}",)
        case _ if first == last:
            return (f"{field}:{first}",)
        case _:
            return (f"{field}.since:{first}", f"{field}.by:{last}")


def _cut(text: str, start: int, end: int) -> str:
    return " ".join(f"{text[:start]} {text[end:]}".split())
