"""Facts in a text, in one form however they are written, with the words around them.

Facts are numbers with their units, ordinals, dates, times, weekdays, identifiers and names. What
they mean is read from the words near by, less from those behind a comma or another fact.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from math import inf, isclose, nan
from unicodedata import numeric

from todo_tui.domain.dates.text import MONTH_NAMES, WEEKDAY_NAMES
from todo_tui.domain.knowledge.content_words import STOP_WORDS, stem, words_of

_MONTH_NUMBERS = {name[:3]: number for number, name in enumerate(MONTH_NAMES, 1)}
_MONTH = rf"(?:{'|'.join(MONTH_NAMES)}|(?:{'|'.join(name[:3] for name in MONTH_NAMES)}|sept)\.?)"
_PLAIN_MONTH = "|".join(name for name in MONTH_NAMES if name not in ("march", "may", "august"))
"""Month names that are not also other words."""
_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen".split()
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_NUMBER_WORDS = (
    {word: number for number, word in enumerate(_ONES)}
    | {word: 10 * number for number, word in enumerate(_TENS, 2)}
    | {"twice": 2, "double": 2, "triple": 3}
)
_ORDINAL_ONES = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth"
    " fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split()
)
_ORDINALS = {word: number for number, word in enumerate(_ORDINAL_ONES, 1)} | {"thirtieth": 30}
_PARTS = {"half": 2, "halve": 2, "quarter": 4} | {
    word: number for word, number in _ORDINALS.items() if number > 2
}
"""Words for parts of a whole, without the ending of their plural."""
_MIDDAY = {"noon": "afternoon", "midnight": "morning"}
"""Half of the day that follows."""
_SCALES = {
    **{"dozen": 12, "hundred": 100, "k": 1000, "thousand": 1000},
    **{"mio": 1_000_000, "million": 1_000_000, "billion": 1_000_000_000},
}
_DIMENSIONS: Mapping[str, Mapping[float, str]] = {
    **{
        name: {1: forms}
        for name, forms in {
            "euro": "€ eur euro euros",
            "dollar": "$ usd cad aud dollar dollars",
            "pound": "£ gbp pound pounds",
            "franc": "chf fr franc francs",
            "crown": "sek nok dkk kr krona kronor krone kroner crown crowns",
            "yen": "¥ jpy yen",
            "rupee": "₹ inr rupee rupees",
            "zloty": "pln zł zloty zlotys",
        }.items()
    },
    "hundredth": {0.01: "cent cents ct pence penny p öre øre"},
    "percent": {0.01: "% percent"},
    "degree": {1: "° °c °f degree degrees"},
    "time": {
        1 / 60: "s sec secs second seconds",
        1: "min mins minute minutes",
        60: "h hr hrs hour hours",
        1440: "day days",
        10080: "week weeks",
        20160: "fortnight fortnights",
    },
    "months": {1: "month months", 12: "year years yr yrs"},
    "length": {
        0.001: "mm millimetres millimeters",
        0.01: "cm centimetres centimeters",
        1: "m metre metres meter meters",
        1000: "km kilometre kilometres kilometer kilometers",
    },
    "weight": {0.001: "mg milligrams", 1: "g gram grams", 1000: "kg kilo kilos kilogram kilograms"},
    "volume": {1: "ml millilitres milliliters", 1000: "l litre litres liter liters"},
    "bytes": {1: "kb kib", 1000: "mb mib", 1_000_000: "gb gib"},
}
_UNITS = {
    name: (dimension, factor)
    for dimension, rows in _DIMENSIONS.items()
    for factor, names in rows.items()
    for name in names.split()
}
_CURRENCIES = frozenset("euro dollar pound franc crown yen rupee zloty hundredth".split())
_SIGN = "[€$£¥₹]|eur|usd|cad|aud|gbp|chf|sek|nok|dkk|jpy|inr|pln"
"""What stands before an amount of money."""
_SHARE = ("percent", 1.0)
"""Unit of a part of a whole: a tenth is 10%."""
_UNIT = "|".join(["per\\ cent", *sorted(map(re.escape, _UNITS), key=len, reverse=True)])
_REST_JOINT = re.compile(r" (?:and )?")
_DAYS = "(?:(?:working|business|calendar|full|more)[ -])?"
"""What can be between a number and its unit."""
_NUMBER = r"\d+(?:[.,’'\u00a0\u202f]\d+|\ (?=\d{3}(?!\d))\d{3})*"
_BELOW_100 = rf"(?:(?:{'|'.join(_TENS)})[- ](?:{'|'.join(_ONES[1:10])})|{'|'.join(_NUMBER_WORDS)})"
_HUNDREDS = rf"(?:(?:{_BELOW_100}|an?)[- ])?(?:dozen|hundred|thousand|million|billion)"
_WORD_NUMBER = (
    rf"(?:{_HUNDREDS}(?:,?\ (?:and\ )?{_HUNDREDS})*(?:[- ](?:and\ )?{_BELOW_100})?|{_BELOW_100})"
)
_COUNT = rf"(?:an?|{'|'.join(_ONES[1:10])}|\d)"
_MORE = r"(?:\ and\ (?:a\ half|a\ quarter|three\ quarters)\b|\s?[½¼¾⅓⅔])"
"""What makes two of it two and a half."""
_MORE_BEHIND = re.compile(rf"{_MORE}(?! an? )", re.IGNORECASE)
_HOUR = rf"(?:{'|'.join(_ONES[1:13])}|1?\d)"
_PART_OF_DAY = "morning|afternoon|evening|night"
_TOKEN = re.compile(
    rf"""
    (?P<code>`[^`\n]{{1,120}}`)
    | (?P<ident>
        https?://[^\s`]*[\w/] | [\w.+-]{{1,64}}@[\w-]+(?:\.[\w-]+)+      # addresses
        | (?!\d\d?\.\d\d?\.\d{{2,4}}\b|\d{{1,3}}(?:\.\d{{3}})+\b)\d+(?:\.\d+){{2,}}\b  # 4.2.1
        | (?<![\w-])--?[a-z][\w-]+                                # --flag
        | (?<![\w/.])(?:/[\w{{}}:.-]+)+                           # /path
        | \b[a-z_]\w*(?:\.[a-z_]\w+)+(?:\(\))?                  # module.name, file.ext
        | \b\w+\(\)                                             # call()
        | \b[a-z]\w*_\w+                                        # snake_case
        | (?-i:\b[a-z]+[A-Z]\w*)                                # camelCase
        | (?-i:\b[A-Z][A-Za-z]{{0,9}}-?\d[\w-]*)                  # E24, XR-500
        | (?-i:\b[A-Z]{{2,}}(?:[-_][A-Z]{{2,}})+\b)                 # MAX-AGE
        | \b[a-z]+\d\w*                                         # v2
      )
    | \b(?P<year>\d{{4}})-(?P<month>\d\d?)-(?P<day>\d\d?)\b
    | \b(?P<first>\d\d?)(?P<joint>[./])(?P<second>\d\d?)(?P=joint)(?P<last>\d{{4}}|\d\d)\b
    | \b(?P<hour>\d\d?)(?:[:.](?P<minute>\d\d))?\s?(?P<half>[ap])\.?m\b
    | \b(?P<hours>[01]?\d|2[0-4])[:h](?P<minutes>[0-5]\d)\b
    # "Ten to six" is a time, "3 to 6", "one to six" and "five to ten pupils" are none.
    | \b(?!(?:\d+|(?!quarter|five|ten|twenty)[a-z-]{{1,20}})\ to\ )
        (?P<past>half|quarter|{_BELOW_100}|[1-5]?\d)(?:\ minutes)?\ (?P<to>past|to)
        \ (?P<past_hour>noon|midnight|{_HOUR})\b(?!\ *{_UNIT}\b|\ [a-z]+s\b)
        (?:\ (?:in\ the|at)\ (?P<day_part>{_PART_OF_DAY}))?
    | (?P<midday>\b(?:noon|midnight)\b)
    | \b(?P<clock>{_HOUR})(?:\ o[’']clock)?
        (?=\ (?:in\ the|at|on\ [a-z]+day)\ (?P<clock_part>{_PART_OF_DAY})\b|(?<=clock)\b)
    | \b(?:the\ )?(?P<about>early|beginning\ of|start\ of|mid|middle\ of|late|end\ of)[ -]
        (?=(?P<about_month>{_MONTH})\b)
    | (?<=\d\s)(?P<after>{_MONTH})\b | (?<=(?:st|nd|rd|th)\s)(?P<later>{_MONTH})\b
    | (?<=\sof\s)(?P<of>{_MONTH})\b | \b(?P<before>{_MONTH})(?=\s\d) | \b(?P<alone>{_PLAIN_MONTH})\b
    | (?-i:(?<=[a-z,]\ )(?P<capital>March|May|August)\b)
    | \b(?P<weekday>{"|".join(WEEKDAY_NAMES)})s?\b
    | \b(?P<ordinal>\d+)(?:st|nd|rd|th)\b
    | (?:(?P<glyph>[½¼¾⅓⅔])|\b(?:(?P<parts>{_COUNT})[ -])?(?P<halves>half|halves|quarters?)\b
            (?!\ (?:past|to)\ )
        |\b(?P<nths>{_COUNT})[ -](?P<nth>{"|".join(_PARTS)})(?:s\b
            |(?=\ (?:off?|less|more)\b|[,.;)])))
        (?:(?:\ of)?\ an?\ (?P<part_unit>{_UNIT}|dozen|million)\b)?
    # "The first 150 euros" and "the second half" are not places in an order.
    | \b(?P<ordinal_word>{"|".join(_ORDINALS)})\b(?!\ (?:[€$£¥₹]?\d|(?:{_WORD_NUMBER}|half)\b))
    | (?:(?P<sign>{_SIGN})\s?)?(?:(?P<number>{_NUMBER})|\b(?P<word>{_WORD_NUMBER})\b)
        (?P<more>{_MORE})?(?:[ \u00a0\u202f-]?(?P<scale>k|{"|".join(_SCALES)})\b)?
        (?:[ \u00a0\u202f-]?{_DAYS}(?P<unit>{_UNIT})(?![\w])(?:\ (?:celsius|fahrenheit)\b)?)?
    | \b(?P<single>an?)[ ](?P<single_unit>{_UNIT})\b
    | (?P<letters>[^\W_]+(?:[’'][a-z]+)?)
    | (?P<boundary>[,;\n])
    """,
    re.VERBOSE | re.IGNORECASE,
)
_STOPS = (".", "!", "?", ":")
_JOINTS = frozenset("and but while whereas or then".split())
_TITLES = frozenset("mr mrs ms miss dr prof sir".split())
_LABELS = frozenset(
    "step option section page passage point part item source document figure".split()
)
"""Words before a number that counts places, not things."""
_BEFORE_HOURS = frozenset("after and at before between by from till to until".split())
"""Words before a number that may be an hour: "open from 9 to 5"."""
_HOUR_NUMBER = re.compile(r"([01]?\d|2[0-3])(?:\.([0-5]\d))?")
_ROUGHLY = frozenset("about almost around least most nearly roughly under within".split())
"""Words before a unit that make it an amount: "within an hour"."""
_REACH = 12
"""Content words on each side that tell what a fact is about."""
_PER_WORD, _PER_BOUNDARY = 0.9, 0.35
"""Factors by which each word, and each boundary, in between lessens the weight of a word."""
_MIN_WEIGHT = 0.1


class FactKind(StrEnum):
    """Kinds of facts; one is compared with others of its kind."""

    NUMBER = "number"
    ORDINAL = "ordinal"
    DAY = "day"
    MONTH = "month"
    YEAR = "year"
    TIME = "time"
    WEEKDAY = "weekday"
    IDENTIFIER = "identifier"
    NAME = "name"


CALENDAR: Mapping[FactKind, tuple[str, float, float]] = {
    FactKind.TIME: ("time", 720, 1),
    FactKind.DAY: ("time", inf, 1440),
    FactKind.YEAR: ("months", inf, 12),
}
"""Dimension of what is between two of a kind, after how much of it they come again (a time may be
of either half of the day), and how much lies between one and the next."""
_NAMING = (FactKind.NAME, FactKind.IDENTIFIER, FactKind.WEEKDAY)
"""Facts that tell, like words, what another one is about."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact: the forms that its value may have, and the weights of the words around it."""

    kind: FactKind
    values: frozenset[str]
    written: str
    unit: tuple[str, float] | None = None
    context: Mapping[str, float] = field(default_factory=dict)

    def is_same(self, other: Fact) -> bool:
        """Return True if both can have the same value."""
        if self.unit and other.unit:
            units = {self.unit[0], other.unit[0]}
            is_money = "hundredth" in units and units < _CURRENCIES
            return (len(units) == 1 or is_money) and bool(self._scaled() & other._scaled())
        if (self.unit or other.unit) and self.kind is not other.kind:
            return False
        return not self.values.isdisjoint(other.values)

    def is_alternative(self, other: Fact) -> bool:
        """Return True if one could be in the place of the other: `3 days` of `2 weeks`."""
        if self.kind is not other.kind:
            return False
        if self.kind is FactKind.IDENTIFIER:
            return _shape(self.written) == _shape(other.written)
        return (self.unit or ("",))[0] == (other.unit or ("",))[0]

    @property
    def dimension(self) -> str:
        """Return what its amount is of: only those of the same can be added."""
        return self.unit[0] if self.unit else self.kind

    @property
    def amount(self) -> float:
        """Return the largest number that it may be, in the unit of its dimension; or else nan."""
        if self.kind is FactKind.TIME:
            hour, _, minute = min(self.values, key=len).partition(":")
            return (60 * int(hour) + int(minute or 0)) % CALENDAR[self.kind][1]
        factor = CALENDAR[self.kind][2] if self.kind in CALENDAR else 1
        is_number = self.kind in (FactKind.NUMBER, FactKind.DAY, FactKind.YEAR)
        return factor * max(self._scaled(), default=nan) if is_number else nan

    def is_computed(self, one: Fact, other: Fact) -> bool:
        """Return True if it is the sum, difference, product, quotient or share of the others."""
        # Quotients are written in round numbers.
        tolerance = 0.02 if self.dimension == "percent" else 0.0005 * (self.kind not in CALENDAR)
        return any(
            dimension == self.dimension and isclose(amount, self.amount, rel_tol=tolerance)
            for pair in ((one, other), (other, one))
            for dimension, amount in _results(*pair)
        )

    def preference(
        self, place: Fact, rival: Fact, counts: Mapping[str, int]
    ) -> tuple[float, float]:
        """Return how well this fits beside the words of either, those of both left out.

        `counts` are how often words occur: one that stands everywhere tells little.
        """
        own = other = 0.0
        for word, full_weight in self.context.items():
            weight = full_weight / max(counts.get(word, 1), 1)
            difference = place.context.get(word, 0.0) - rival.context.get(word, 0.0)
            own += weight * max(difference, 0.0)
            other += weight * max(-difference, 0.0)
        return own, other

    def asked_for(self, words: Iterable[str], weight: float) -> Fact:
        """Return the fact with the words of a question beside it, if it has none of its own."""
        if self.context:
            return self
        return replace(self, context={**dict.fromkeys(words, weight), **self.context})

    def _scaled(self) -> set[float]:
        factor = self.unit[1] if self.unit else 1.0
        return {round(float(each) * factor, 6) for each in self.values if _is_number(each)}


def _results(one: Fact, other: Fact) -> Iterator[tuple[str, float]]:
    """Yield the dimension and amount of what the first makes with the second."""
    a, b = one.amount, other.amount
    is_same = one.dimension == other.dimension
    if one.kind in CALENDAR:
        unit, period, _ = CALENDAR[one.kind]
        if is_same:
            yield unit, (a - b) % period
        elif other.dimension == unit:
            yield from ((one.dimension, (a - b) % period), (one.dimension, (a + b) % period))
        return
    if is_same:
        yield from ((one.dimension, a + b), (one.dimension, a - b))
        yield "percent", a / b if b else 0
    if not (is_same and one.unit):
        times = b if other.dimension == "percent" else b / (other.unit or ("", 1))[1]
        rises = (1 + b, 1 - b) if other.dimension == "percent" else ()
        yield from ((one.dimension, a * each) for each in (times, *rises))
        yield one.dimension, a / times if times else 0
    if one is other:
        # Twice as much, one of two, a year's of a monthly amount.
        yield from ((one.dimension, a * each) for each in (2, 0.5, 12))


def _shape(identifier: str) -> str:
    """Return `a0` for `E24`, `--a` for `--dry-run`, `a_a` for `max_retries`."""
    return re.sub(r"[a-z]+", "a", re.sub(r"\d+", "0", identifier.lower()))


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdigit()


@dataclass(slots=True)
class _Item:
    """A token: a fact, a content word or a boundary."""

    fact: Fact | None = None
    word: str = ""
    is_boundary: bool = False


def facts_in(
    sentence: str, *, is_evidence: bool = False, names: frozenset[str] | None = None
) -> list[Fact]:
    """Return the facts of a sentence in order, each with the words around it.

    Of evidence, either part of `3/4/2026` may be the month, and `a week` is one. `names` are words
    known to be names, None if names are not facts.
    """
    items = list(_items(sentence, is_evidence, names))
    _find_days(items)
    return [
        replace(item.fact, context=_context(items, place))
        for place, item in enumerate(items)
        if item.fact is not None
    ]


def _find_days(items: list[_Item]) -> None:
    """Make days and years of the numbers beside a month, and of both in "5 to 12 August"."""
    facts = [(at, item.fact) for at, item in enumerate(items) if item.fact is not None]
    for (at, _), (after, _) in reversed([*pairwise(facts)]):
        for place, other in ((at, items[after].fact), (after, items[at].fact)):
            fact = items[place].fact
            is_beside = after - at == 1 or (after - at == 2 and items[at + 1].is_boundary)
            if not is_beside or fact is None or other is None or fact.unit:
                continue
            is_range = other.kind is FactKind.DAY and (place, after - at) == (at, 1)
            is_day = (other.kind is FactKind.MONTH or is_range) and _is_below(fact.values, 32)
            is_date = other.kind in (FactKind.MONTH, FactKind.DAY)
            is_year = is_date and not is_day and _is_below(fact.values, 2200)
            if fact.kind in (FactKind.NUMBER, FactKind.ORDINAL) and (is_day or is_year):
                kind = FactKind.DAY if is_day else FactKind.YEAR
                items[place].fact = replace(fact, kind=kind)


def _is_below(values: Iterable[str], most: int) -> bool:
    return any(each.isdigit() and int(each) < most for each in values)


@lru_cache(maxsize=256)
def capitals_in(text: str) -> frozenset[str]:
    """Return the words of a text with a capital that is not due to their place, in lower case."""
    inner = re.findall(r"(?<=[\w,;] )([A-Z][\w’'-]*)", text)
    inner += re.findall(r"\| *([A-Z][\w’'-]*)", text)
    return frozenset(_name(each) for each in inner if each.lower() not in STOP_WORDS)


def _name(word: str) -> str:
    return stem(re.sub(r"[’']s$|[-’']", "", word.lower()))


def _context(items: list[_Item], place: int) -> Mapping[str, float]:
    weights: dict[str, float] = {}
    own = items[place].fact
    for step in (-1, 1):
        weight, at, count = 1.0, place + step, 0
        while 0 <= at < len(items) and count < _REACH and abs(at - place) < 2 * _REACH:
            item = items[at]
            if item.is_boundary:
                if not _is_in_list(items, at, own):
                    weight *= _PER_BOUNDARY
            elif item.word:
                weights[item.word] = max(weights.get(item.word, _MIN_WEIGHT), weight)
                weight *= _PER_WORD
                count += 1
            elif item.fact is not None and own is not None:
                if item.fact.kind in _NAMING or own.kind in _NAMING:
                    for value in item.fact.values:
                        weights[value] = max(weights.get(value, _MIN_WEIGHT), weight)
                is_apart = own.kind is not FactKind.NAME and own.is_alternative(item.fact)
                if is_apart and not _is_in_list(items, at - step, own):
                    weight *= _PER_BOUNDARY
            at += step
    return weights


def _is_in_list(items: list[_Item], at: int, own: Fact | None) -> bool:
    """Return True for a fact like its own, and for what separates two of them.

    Such are the comma in "11:30, 13:00 and 15:30" and the "and" of "Ann and Ben". What is said of
    one fact of a list, or of one end of a range, is said of all.
    """
    listed = items[max(at - 1, 0) : at + 2 : 2] if items[at].is_boundary else [items[at]]
    return own is not None and all(each.fact and own.is_alternative(each.fact) for each in listed)


def _items(sentence: str, is_evidence: bool, names: frozenset[str] | None) -> Iterator[_Item]:
    previous = ""
    is_start, end = True, 0
    for found in _TOKEN.finditer(sentence):
        part = found.groupdict()
        is_start = is_start or sentence[: found.start()].rstrip(' *_"“(').endswith(_STOPS)
        if found.start() < end:
            continue
        end = found.end()
        if part["boundary"]:
            yield _Item(is_boundary=True)
            previous = found[0]
            continue
        if part["letters"]:
            yield from _word_items(part["letters"], is_start, names)
        elif part["year"] or part["joint"]:
            yield from map(_Item, _date_facts(part, found[0], is_evidence))
        elif fact := _fact(part, found[0], is_evidence, previous):
            fact, end = _with_rest(fact, sentence, end)
            # "An hour" mostly is a rate.
            if not part["single"] or is_evidence or end > found.end() or previous in _ROUGHLY:
                yield _Item(fact)
        else:
            yield from _word_items(found[0], is_start, names)
        previous, is_start = found[0].lower(), False


def _word_items(text: str, is_start: bool, names: frozenset[str] | None) -> Iterator[_Item]:
    word = text.lower()
    if word in _TITLES:
        return
    if word in _JOINTS:
        yield _Item(is_boundary=True)
    elif names is not None and text[0].isupper() and _is_name(text, is_start, names):
        yield _Item(Fact(FactKind.NAME, frozenset({_name(text)}), text))
    else:
        for each in words_of(text):
            if each not in STOP_WORDS and len(each) > 1:
                yield _Item(word=stem(each))


def _is_name(text: str, is_start: bool, names: frozenset[str]) -> bool:
    if text.lower() in STOP_WORDS or len(text) < 2:
        return False
    return _name(text) in names if is_start else True


def _with_rest(fact: Fact, sentence: str, end: int) -> tuple[Fact, int]:
    """Return a quantity with its rest in a smaller unit, and where it ends.

    Such are "two hours and 50 minutes", "twelve pounds fifty" and "an hour and a half".
    """
    if fact.kind is not FactKind.NUMBER or not fact.unit:
        return fact, end
    dimension, factor = fact.unit
    if half := _MORE_BEHIND.match(sentence, end):
        more, end = _more(half[0]), half.end()
    else:
        joint = _REST_JOINT.match(sentence, end)
        found = joint and _TOKEN.match(sentence, joint.end())
        rest = _fact(found.groupdict(), found[0], False, "") if found else None
        if not (joint and found and rest and rest.kind is FactKind.NUMBER):
            return fact, end
        if not rest.unit and joint[0] == " " and _is_below(rest.values, 100):
            rest = replace(rest, unit=_UNITS["cent"])
        units = {dimension, "hundredth"} if dimension in _CURRENCIES else {dimension}
        if not rest.unit or rest.unit[0] not in units or rest.unit[1] >= factor:
            return fact, end
        more, end = rest.amount / factor, found.end()
    values = frozenset(_decimal(float(each) + more) for each in fact.values)
    return replace(fact, values=values, written=f"{fact.written} …"), end


Part = Mapping[str, str | None]


def _fact(part: Part, written: str, is_evidence: bool, previous: str) -> Fact | None:
    for group, read in _READERS.items():
        if part[group]:
            kind, values, unit = read(part, is_evidence, previous)
            if isinstance(unit, str):
                unit = _UNITS.get(unit.lower().replace("per cent", "percent"))
            return Fact(kind, frozenset(values), written.strip(" `"), unit) if values else None
    return None


_Value = tuple[FactKind, set[str], str | tuple[str, float] | None]


def _identifier(part: Part, is_evidence: bool, _previous: str) -> _Value:
    plain = " ".join((part["code"] or part["ident"] or "").strip("`").split()).lower()
    forms = {plain, plain.removesuffix("()"), re.sub(r"[- ]", "", plain)}
    if is_evidence:
        # Of `client.get_entry(entry_id)` an answer may name a part.
        forms |= {*re.findall(r"(?<!-)-*+\w[\w-]*+", plain), *re.findall(r"[\w./-]+", plain)}
    return FactKind.IDENTIFIER, forms - {""}, None


def _weekday(part: Part, _is_evidence: bool, _previous: str) -> _Value:
    return FactKind.WEEKDAY, {(part["weekday"] or "").lower()}, None


def _month(part: Part, _is_evidence: bool, _previous: str) -> _Value:
    name = next(filter(None, (part[each] for each in _MONTH_GROUPS)), "")
    number = _MONTH_NUMBERS[name.lower().rstrip(".")[:3]]
    return FactKind.MONTH, {f"month {number}"}, None


def _time(part: Part, is_evidence: bool, _previous: str) -> _Value:
    if part["past"]:
        minutes = 60 // _PARTS.get(part["past"].lower(), 61) or _whole(part["past"])
        if (part["to"] or "").lower() == "to":
            minutes = -minutes
        spoken = (part["past_hour"] or "").lower()
        if spoken in _MIDDAY:
            return FactKind.TIME, _spoken("12", minutes, _MIDDAY[spoken]), None
        return FactKind.TIME, _spoken(spoken, minutes, part["day_part"]), None
    if part["clock"]:
        return FactKind.TIME, _spoken(part["clock"], 0, part["clock_part"]), None
    if part["midday"]:
        return FactKind.TIME, {"12:00" if part["midday"].lower() == "noon" else "0:00"}, None
    written = int(part["hours"] or part["hour"] or 0)
    hour = written % 24 if part["hours"] else written % 12 + 12 * (part["half"] in ("p", "P"))
    minute = part["minutes"] or part["minute"] or "00"
    bare = {str(written), str(hour % 12)} if is_evidence and minute == "00" else set()
    return FactKind.TIME, {f"{hour}:{minute}", *bare}, None


def _spoken(hour: str | None, minutes: int, part_of_day: str | None) -> set[str]:
    """Return the times that `half past six` can be; both halves of the day if it does not say."""
    whole = 60 * _whole(hour or "0") + minutes
    times = {whole % 720, whole % 720 + 720}
    if part_of_day:
        times = {min(times) if part_of_day.lower() == "morning" else max(times)}
    return {f"{each // 60}:{each % 60:02}" for each in times}


def _around(part: Part, is_evidence: bool, _previous: str) -> _Value:
    """Return the days that the `end of January` may be; its last day for `end of`."""
    about = (part["about"] or "").lower().split()[0]
    month = _MONTH_NUMBERS[(part["about_month"] or "").lower()[:3]]
    last = 28 if month == 2 else 30 if month in (4, 6, 9, 11) else 31
    first, until = {"mid": (10, 20), "middle": (10, 20), "late": (20, 31)}.get(about, (1, 10))
    if about == "end":
        first, until = last if is_evidence else 25, 31
    days = range(first, until + 1)
    return FactKind.DAY, set(map(str, days)), None


def _whole(written: str) -> int:
    """Return a whole number in digits or words."""
    whole = current = 0
    for word in re.findall(r"\w+", written.lower()):
        if scale := _SCALES.get(word):
            current = max(current, 1) * scale
            if scale >= 1000:
                whole, current = whole + current, 0
        else:
            current += int(word) if word.isdigit() else _NUMBER_WORDS.get(word, 0)
    return whole + current


def _ordinal(part: Part, is_evidence: bool, previous: str) -> _Value:
    if part["ordinal"]:
        return FactKind.ORDINAL, {str(int(part["ordinal"]))}, None
    word = (part["ordinal_word"] or "").lower()
    # "First, unscrew the filter" and "a second" are not facts.
    is_loose = word in ("first", "second") and previous in ("", "a", "at", ",", ";")
    return FactKind.ORDINAL, set() if is_loose else {str(_ORDINALS[word])}, None


def _number(part: Part, is_evidence: bool, previous: str) -> _Value:
    unit = part["unit"] or part["sign"]
    if part["word"]:
        # "One" is mostly a pronoun.
        is_loose = part["word"].lower() == "one" and not (unit or part["more"] or is_evidence)
        found = set() if is_loose else {str(_whole(part["word"]))}
    elif previous in _LABELS and not is_evidence:
        found = set()
    else:
        found = readings(part["number"] or "")
    if len(found) > 1 and not is_evidence:
        # Three digits behind a point are decimals, unless they are of money.
        is_money = _UNITS.get((unit or "").lower(), ("",))[0] in _CURRENCIES
        is_whole = is_money or "." not in (part["number"] or "")
        found = {max(found, key=float) if is_whole else min(found, key=float)}
    scale, more = _SCALES.get((part["scale"] or "").lower(), 1), _more(part["more"] or "")
    if scale != 1 or more:
        found = {_decimal((float(each) + more) * scale) for each in found}
    if (
        found
        and not unit
        and previous in _BEFORE_HOURS
        and (hour := _HOUR_NUMBER.fullmatch(part["number"] or str(_whole(part["word"] or ""))))
    ):
        found |= {f"{each % 24}:{hour[2] or '00'}" for each in (int(hour[1]), int(hour[1]) + 12)}
    return FactKind.NUMBER, found, unit


def _more(written: str) -> float:
    """Return the number of `and a half` or `½`; 0 for nothing."""
    if "half" in written:
        return 0.5
    if "quarter" in written:
        return 0.75 if "three" in written else 0.25
    return numeric(written.strip()) if written else 0.0


def _share(part: Part, is_evidence: bool, _previous: str) -> _Value:
    """Read `half an hour`, `three quarters`, `two thirds` and `a tenth of`."""
    count = part["parts"] or part["nths"] or ""
    name = (part["halves"] or part["nth"] or "").lower()
    name = name if name in _PARTS else name.removesuffix("s")
    value = numeric(part["glyph"]) if part["glyph"] else max(_whole(count), 1) / _PARTS[name]
    if unit := part["part_unit"]:
        return FactKind.NUMBER, {_decimal(value * _SCALES.get(unit.lower(), 1))}, unit
    # Halves of anything come up in passing.
    is_loose = not (is_evidence or part["nth"] or _whole(count))
    values = {_decimal(round(value, places)) for places in (2, 3, 6)}
    return FactKind.NUMBER, set() if is_loose else values, _SHARE


def _single(part: Part, _is_evidence: bool, _previous: str) -> _Value:
    return FactKind.NUMBER, {"1"}, part["single_unit"]


_MONTH_GROUPS = ("after", "later", "of", "before", "alone", "capital")
_READERS: Mapping[str, Callable[[Part, bool, str], _Value]] = {
    "code": _identifier,
    "ident": _identifier,
    "weekday": _weekday,
    "hour": _time,
    "hours": _time,
    "midday": _time,
    "past": _time,
    "clock": _time,
    **dict.fromkeys(_MONTH_GROUPS, _month),
    "about": _around,
    "ordinal": _ordinal,
    "ordinal_word": _ordinal,
    "number": _number,
    "word": _number,
    **dict.fromkeys(("glyph", "halves", "nth"), _share),
    "single": _single,
}


def _date_facts(part: Part, written: str, is_evidence: bool) -> Iterator[Fact]:
    """Yield year, day and month of a date in digits, as far as it is clear which is which."""
    if part["year"]:
        year, day, month = part["year"], {int(part["day"] or 0)}, {int(part["month"] or 0)}
    else:
        first, second, last = int(part["first"] or 0), int(part["second"] or 0), part["last"] or ""
        year = last if len(last) == 4 else f"20{last}"
        is_clear = part["joint"] == "." or first > 12 or second > 12
        day = {second} if second > 12 else {first}
        month = {first} if second > 12 else {second}
        if not is_clear:
            day = month = {first, second} if is_evidence else set()
    yield Fact(FactKind.YEAR, frozenset({year}), written)
    if day:
        yield Fact(FactKind.DAY, frozenset(map(str, day)), written)
        yield Fact(FactKind.MONTH, frozenset(f"month {each}" for each in month), written)


def readings(written: str) -> set[str]:
    """Return what a number can mean: `1.250` is 1250 or 1.25; zeros at either end do not count."""
    whole, mark, rest = re.fullmatch(r"(.*?)(?:([.,])(\d+))?", written).groups()  # type: ignore[union-attr]  # matches anything
    digits = re.sub(r"\D", "", whole)
    found = set()
    if mark and len(rest) == 3:
        found.add(_plain(digits + rest, ""))
    # Of 1,234,567 the last mark is of the same kind as the one before.
    if not (mark and mark in whole):
        found.add(_plain(digits, rest or ""))
    return found or {_plain(digits + (rest or ""), "")}


def _plain(digits: str, decimals: str) -> str:
    decimals = decimals.rstrip("0")
    return f"{digits.lstrip('0') or '0'}{f'.{decimals}' if decimals else ''}"


def _decimal(value: float) -> str:
    return f"{value:.12f}".rstrip("0").rstrip(".")
