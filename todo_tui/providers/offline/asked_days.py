"""Asked days: the days in a description of tasks, as conditions of a filter."""

from __future__ import annotations

import re
from collections.abc import Iterator

from todo_tui.providers.offline.dating import Dates
from todo_tui.providers.offline.kinds import Condition

NEGATION = re.compile(
    r"(?:(?:that|which) )?(?:(?:(?:is|are|was|were|do|does) )?not|isn't|aren't|wasn't|don't"
    r"|doesn't)(?: (?:yet|really|actually))? $",
    re.IGNORECASE,
)
"""Words that deny what stands behind them."""

_DUE = re.compile(
    r"(?:(?:that|which) (?:is|are) |(?:is|are|was|were) )?(?:due|scheduled|planned|happening"
    r"|to be done|coming up|on|for|set)(?: (?:on|in|for|at|during|within|over))?$",
    re.IGNORECASE,
)
_BOUNDS = tuple(
    (re.compile(rf"(?:(?:that|which) (?:is|are) )?(?:due )?(?:{words})$", re.IGNORECASE), bound)
    for words, bound in (
        ("before|earlier than|prior to", "before"),
        ("by|until|till|up to|no later than|through", "by"),
        ("after|later than|past", "after"),
        ("since|starting(?: from| on)?|due from", "since"),
        ("from", ""),
    )
)
_LONGEST_DAYS = 7
"""Words of the longest phrase for days."""

_SAID = {"due": "due", "completed": "done", "created": "added", "updated": "changed"}
_TOUCHED = tuple(
    (re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE), field)
    for words, field in (
        (
            r"(?:that |which )?(?:did|have|had) (?:i|we|you) (?:just |already )?(?:add(?:ed)?"
            r"|creat(?:e|ed)|enter(?:ed)?|wr[io]t(?:e|ten) down|put in)|(?:that |which |what )?(?:i"
            r"|we|you)(?: have|'ve)? (?:just |already )?(?:added|created|entered|wrote down)"
            r"|(?:that |which )?(?:(?:were|was|are|is|got) )?(?:newly )?(?:added|created|entered)"
            r"|^(?:add|create|enter)(?= (?:today|yesterday|this|last|since|on|in|\w+day|\d)|$)"
            r"|new(?=(?: tasks?| to-?dos?| items?)? (?:since|from|of|this|today|yesterday|in)\b)",
            "created",
        ),
        (
            r"(?:that |which )?(?:did|have) (?:i|we|you) (?:change|changed|edit|edited|update"
            r"|updated|touch|touched)|(?:that |which |what )?(?:i|we|you)(?: have|'ve)? (?:changed"
            r"|edited|updated|touched)|(?:that |which )?(?:were|was|are|is|got) (?:changed|edited"
            r"|updated|modified)|^(?:change|edit|update)(?= (?:today|yesterday|this|last|since)|$)",
            "updated",
        ),
    )
)
_NOT_DAYS = frozenset({"may", "sun", "sat", "mon", "second", "a second", "fall"})


def negated(condition: Condition) -> Condition:
    """The contrary of a condition."""
    said = condition.before or condition.after
    return Condition(f"not ({condition.filter})", after=f"not {said}")


def without_days(words: str, dates: Dates, field: str) -> tuple[str, tuple[Condition, ...]]:
    """The longest stretch of words that names days, as a condition; and the rest."""
    parts = words.split()
    for start, end in _stretches(len(parts)):
        phrase = " ".join(parts[start:end]).strip(",")
        if _names_days(phrase, dates):
            before, bound = _bound(" ".join(parts[:start]))
            days = _within(_past(_bare_days(phrase), field, dates), bound, field)
            if negation := NEGATION.search(f"{before} "):
                before, days = before[: negation.start()], negated(days)
            rest = " ".join([before, *parts[end:]])
            return rest.strip(), (days,)
    return words, ()


def _stretches(count: int) -> Iterator[tuple[int, int]]:
    """Where stretches of so many words begin and end, the longest first."""
    for length in range(min(count, _LONGEST_DAYS), 0, -1):
        for start in range(count - length + 1):
            yield start, start + length


def _bare_days(phrase: str) -> str:
    bare = re.sub(r"'s$", "", phrase)
    return re.sub(
        r"^(?:the )?(?:rest|remainder) of (?:the |this )?", "this ", bare, flags=re.IGNORECASE
    )


def _names_days(phrase: str, dates: Dates) -> bool:
    if phrase.isdigit() or phrase.casefold() in _NOT_DAYS:
        return False
    return dates.is_stretch(_bare_days(phrase))


def _bound(before: str) -> tuple[str, str]:
    """The words before days without those that belong to them, and which bound they set."""
    for pattern, bound in _BOUNDS:
        if match := pattern.search(before):
            return before[: match.start()].strip(), bound
    if match := _DUE.search(before):
        return before[: match.start()].strip(), ""
    return before, ""


def _past(phrase: str, field: str, dates: Dates) -> str:
    """The days for what lies behind: `monday` is the last one of what was done."""
    if field == "due" or not dates.lies_ahead(phrase):
        return phrase
    year = dates.now.year
    earlier = (f"last {phrase}", f"{phrase} {year}", f"{phrase} {year - 1}")
    gone = (each for each in earlier if dates.is_stretch(each) and not dates.lies_ahead(each))
    return next(gone, phrase)


def _within(phrase: str, bound: str, field: str) -> Condition:
    phrase = re.sub(r"^(?:for|on|of|during) ", "", phrase, flags=re.IGNORECASE)
    days = f'"{phrase}"' if " " in phrase else phrase
    said = " ".join(word for word in (_SAID[field], bound, phrase) if word)
    return Condition(f"{field}{'.' if bound else ''}{bound}:{days}", after=said)


def field_touched(words: str) -> tuple[str, str]:
    """The words without `did I add` and its like, and the field whose days are meant."""
    for pattern, field in _TOUCHED:
        if match := pattern.search(words):
            return cut_out(words, match.start(), match.end()), field
    return words, ""


def cut_out(text: str, start: int, end: int) -> str:
    """The words without a stretch of them."""
    return " ".join(f"{text[:start]} {text[end:]}".split())
