"""Kinds of things that questions ask for, such as a person or an amount, and what says one.

Where a sentence may say it, but also something else, it is not taken for an answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from todo_tui.domain.dates.text import MONTH_NAMES, WEEKDAY_NAMES
from todo_tui.domain.knowledge.content_words import STOP_WORDS, stem, words_of
from todo_tui.providers.offline.language.pattern import regex
from todo_tui.providers.offline.language.words import NUMBERS, base_form, word_table
from todo_tui.providers.offline.reading.title_matching import NEGATIONS

Says = Callable[[str, Sequence[str]], bool]
"""Tells whether a sentence says a kind of thing, given the stems of a question in their order."""

DETERMINERS = frozenset(
    "a an any her his its my no our some the their these this those your".split()
)
"""Words before a thing, though it may have the form of a deed: `the deposit`."""
_SAME = word_table("nouns") | word_table("facts")
_NUMBERS = "|".join(NUMBERS)
_COUNT = rf"(\d[\d.,]*|\b({_NUMBERS}|half|an?)\b)[- ]?"
_DATE = regex(
    r"\d+(st|nd|rd|th|\.)?( of)? MONTH\b( \d{4})?|\b(MONTH) \d+(, \d{4})?"
    r"|\b(by|early|every|from|in|late|mid|since|until) (MONTH|\d{4})\b"
    r"|\d:\d\d\b|\d ?[ap]\.?m\b|\bat \d|\b(WEEKDAY)s?\b"
)
_MONEY = regex(
    rf"[€$£¥] ?\d|{_COUNT}(€|%|(cents?|chf|dollars?|eur|euros?|(swiss )?francs?|gbp|pence|per ?cent"
    r"|pounds?|usd|yen)\b)|\bfree\b"
)
_OTHER_AMOUNT = regex(
    r"\b(allowance|compensation|deductible|deposit|discount|excess|fee|fine|grant|penalty|refund"
    r"|subsidy|surcharge|voucher)s?\b"
)
"""Amounts beside the price of a thing."""
_LIMIT = regex(r"\b(at most|maximum|up to)\b")
_NUMBER = regex(rf"\d|\b({_NUMBERS}|half|once|twice|daily|weekly|monthly|yearly|every|each)\b")
_DURATION = regex(
    rf"{_COUNT}(\w+[- ])?((minute|hour|day|week|month|year|met(re|er)|mile)s?|feet|[ck]?m)\b"
    r"|\b(until|till)\b"
)
_TIME = regex(
    rf"{_DATE.pattern}|\b(after|as soon as|autumn|before|daily|day|each|evening|every"
    r"|midnight|morning|night|noon|once|since|spring|summer|today|tomorrow|until|weekly|when|winter"
    r"|within|yearly|of (the|each|every) (week|month|quarter|year))\b"
)
_EVENT = regex(r"\b(after|before|by|since|till|until|(day|week|month|year)s of) (the )?\w+")
"""What days are counted from: `six weeks after the end` does not say when the end is."""
_PLACE = regex(
    r"\b(above|at|behind|below|beside|from|in|inside|near|next to|on|outside|over|under)"
    r" ((an?|her|his|its|my|our|the|their|your) )?(?P<place>\w+)"
)
_NO_PLACE = regex(
    rf"\d.*|{_NUMBERS}|(WEEKDAY)s?|MONTH|advance|(after)?noon|autumn|case|day|each|evening|every"
    r"|first|last|month|morning|night|spring|summer|time|week(day|end)?s?|winter|writing|year"
)
_BY = regex(rf"\bby (?!\d|WEEKDAY|MONTH|{_NUMBERS}|the (end|{_NUMBERS}))\w")
_OBJECTS = frozenset("her him it one ones them they".split())
_DOERS = frozenset("i we you he she they".split())
_BE = frozenset("am are be been being is was were".split())
_NAME = r"(?:(?:Dr|Mrs?|Ms|Prof)\.? )?(?!(?:{none})\b)[A-ZÀ-Þ]\w*[a-zß-ÿ]\w*"
_DAYS = [each.capitalize() for each in (*WEEKDAY_NAMES, *MONTH_NAMES)]
_IS_NAME = (
    r"\b(?:{role})\b(?:(?: \w+){{0,4}}(?:,|:| \(| is| are| was| were)(?: the)?|(?: person)?) {name}"
    r"|{name}(?:,| \(| is| was| has been| will be| becomes?)(?: \w+ed)? ?(?:(?:an?|new|our|the) )*"
    r"(?:\w+ )?(?:{role})\b(?!['’]s)"
)
"""`the landlord is Ann`, `Ann has been elected chair`."""


def kind_asked_for(question: str) -> Says | None:
    """Return what tells whether a sentence says the kind of thing asked for; None for any kind."""
    words = _LEAD.sub("", question)
    if _WHICH_TIME.search(words):
        return _says_which_time
    if _WHEN_AS_RULE.match(words):
        return _says_time_as_rule
    return next((says for asks, says in _KINDS if asks.match(words)), None)


def stems(text: str) -> set[str]:
    """Return the stems of the words with a meaning; `paid` has that of `pay`."""
    words = (_SAME.get(word, word) for word in map(base_form, words_of(text)))
    return {stem(word) for word in words if word not in STOP_WORDS}


def _says_price(sentence: str, asked: Sequence[str]) -> bool:
    money = _MONEY.search(sentence)
    if money is None:
        return False
    before = sentence[: money.start()]
    other = stems(" ".join(_OTHER_AMOUNT.findall(before)))
    if _LIMIT.search(before) and ("cost" in asked or not other):
        return False
    return not other or not other.isdisjoint(asked)


def _says_number(sentence: str, asked: Sequence[str]) -> bool:
    return bool(_NUMBER.search(_DATE.sub(" ", sentence)))


def _says_duration(sentence: str, asked: Sequence[str]) -> bool:
    return bool(_DURATION.search(sentence))


def _says_time(sentence: str, asked: Sequence[str]) -> bool:
    """Return True for a time, unless it is counted from what is asked for."""
    events = stems(sentence) - stems(_EVENT.sub(" ", sentence))
    return bool(_TIME.search(sentence)) and events.isdisjoint(asked)


def _says_which_time(sentence: str, asked: Sequence[str]) -> bool:
    """Return True for one time of several: `when was it last serviced?`, not every other year."""
    is_one = _DATE.search(sentence) or _ONE_TIME.search(sentence)
    return bool(is_one) and _says_time(sentence, asked)


def _says_time_as_rule(sentence: str, asked: Sequence[str]) -> bool:
    """Return True for when something must be, or is, done; not for when it was."""
    return _WAS.search(sentence) is None and _says_time(sentence, asked)


def _says_place(sentence: str, asked: Sequence[str]) -> bool:
    places = [match["place"] for match in _PLACE.finditer(sentence)]
    return any(stems(each) - {*asked} and not _NO_PLACE.fullmatch(each) for each in places)


def _says_name(sentence: str, asked: Sequence[str]) -> bool:
    """Return True if a sentence names who is something: `who is the landlord?`."""
    roles = [re.escape(word) for word in re.findall(r"\w+", sentence) if stems(word) & {*asked}]
    pattern = _IS_NAME.format(role="|".join(roles), name=_name_beside(roles))
    return bool(roles) and bool(re.search(pattern, sentence))


def _says_somebody(sentence: str, asked: Sequence[str]) -> bool:
    """Return True if a sentence has a name: `whom do I call?`."""
    said = [re.escape(word) for word in re.findall(r"\w+", sentence) if stems(word) & {*asked}]
    return bool(re.search(rf"(?<=\s){_name_beside(said)}", sentence))


def _name_beside(words: Sequence[str]) -> str:
    return _NAME.format(none="|".join((*words, *_DAYS)))


def _says_doer(sentence: str, asked: Sequence[str]) -> bool:
    """Return True if a sentence says who does the first of what is asked: `who brings the grill?`.

    Somebody does it before the word, to a thing after it, unless it is done by somebody.
    """
    words = words_of(sentence)
    deed, things = asked[0], {*asked[1:]}
    for at, word in enumerate(words):
        before, after = words[:at], words[at + 1 :]
        if deed not in stems(word) or not DETERMINERS.isdisjoint(before[-1:]):
            continue
        if not NEGATIONS.isdisjoint(before[-2:]):
            # `the tenants do not clear the snow`
            continue
        is_passive = not word.endswith("ing") and not _BE.isdisjoint(before[-2:])
        if is_passive:
            has_doer = bool(_BY.search(" ".join(after)))
        else:
            has_doer = any(each in _DOERS or stems(each) - {*asked} for each in before)
        objects = before if is_passive else after
        if has_doer and (
            not things or things & stems(" ".join(objects)) or not _OBJECTS.isdisjoint(objects)
        ):
            return True
    return False


_WHICH_TIME = regex(r"(at |on )?(when|(what|which) (date|day|month|time|year))\b.*\b(last|next)\b")
_WHEN_AS_RULE = regex(r"when (must|should|do|does|can|may|will|ha(s|ve) to)\b")
_WAS = regex(r"\b(was|were|had been)\b")
_ONE_TIME = regex(r"\b(last|latest|next|recent(ly)?)\b")
_LEAD = regex(r"^(.*\b(know|tell (me|us))|according to [^,]+,|and|but|so) ")
_KINDS: Sequence[tuple[re.Pattern[str], Says]] = (
    (
        regex(r"(whom|whose|who (can|did|do|may|must|should) (he|i|she|they|we|you))\b"),
        _says_somebody,
    ),
    (regex(r"who(('s| is| are| was| were) (?!going\b|\w+ing\b))"), _says_name),
    (regex(r"who\b"), _says_doer),
    (regex(r"where\b"), _says_place),
    (
        regex(
            r"how (cheap|expensive)\b|how much('s| is| are| was| were)\b"
            r"|(how much|what)\b.*\b(charged?|costs?|pa(ys?|id)|prices?)\b"
        ),
        _says_price,
    ),
    (regex(r"how (long|many (more )?(minute|hour|day|week|month|year)s)\b"), _says_duration),
    (
        regex(
            r"(at |from |on )?(when|how (early|late|quickly|soon)"
            r"|(what|which) (date|day|month|time|year))\b"
        ),
        _says_time,
    ),
    (
        regex(
            r"((after|at|below|in|up to) )?how (big|cold|deep|far|fast|heavy|high|hot|large|many"
            r"|much|often|old|tall|thick|wide)\b"
        ),
        _says_number,
    ),
)
"""Beginnings of questions, and what their answers have; the first that fits counts."""
