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

from todo_tui.domain.dates.text import MONTH_NAMES, WEEKDAY_NAMES
from todo_tui.domain.knowledge.content_words import STOP_WORDS, stem, words_of

_MONTH_NUMBERS = {name[:3]: number for number, name in enumerate(MONTH_NAMES, 1)}
_MONTH = rf"(?:{'|'.join(MONTH_NAMES)}|(?:{'|'.join(name[:3] for name in MONTH_NAMES)}|sept)\.?)"
_PLAIN_MONTH = "|".join(name for name in MONTH_NAMES if name not in ("march", "may", "august"))
"""Month names that are no other words."""
_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen".split()
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_NUMBER_WORDS = (
    {word: number for number, word in enumerate(_ONES)}
    | {word: 10 * number for number, word in enumerate(_TENS, 2)}
    | {"dozen": 12, "twice": 2, "double": 2, "triple": 3}
)
_ORDINAL_ONES = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth"
    " fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split()
)
_ORDINALS = {word: number for number, word in enumerate(_ORDINAL_ONES, 1)} | {"thirtieth": 30}
_FRACTIONS = {"½": "0.5", "¼": "0.25", "¾": "0.75", "half": "0.5", "quarter": "0.25"}
_MIDDAY = {"noon": "afternoon", "midnight": "morning"}
"""Half of the day that follows."""
_SCALES = {"k": 1e3, "thousand": 1e3, "hundred": 1e2, "million": 1e6, "mio": 1e6, "billion": 1e9}
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
    "hundredth": {0.01: "cent cents ct pence penny öre øre"},
    "percent": {1: "% percent"},
    "degree": {1: "° °c °f degree degrees"},
    "time": {
        1 / 60: "s sec secs second seconds",
        1: "min mins minute minutes",
        60: "h hr hrs hour hours",
        1440: "day days",
        10080: "week weeks",
    },
    "months": {1: "month months", 12: "year years yr yrs"},
    "length": {
        0.001: "mm millimetres millimeters",
        0.01: "cm centimetres centimeters",
        1: "m metre metres meter meters",
        1000: "km kilometre kilometres kilometer kilometers",
    },
    "weight": {1: "g gram grams", 1000: "kg kilo kilos kilogram kilograms"},
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
_UNIT = "|".join(sorted(map(re.escape, _UNITS), key=len, reverse=True))
_DAYS = "(?:(?:working|business|calendar|full|more)[ -])?"
"""What can be between a number and its unit."""
_NUMBER = r"\d+(?:[.,’'\u00a0\u202f]\d+|\ (?=\d{3}(?!\d))\d{3})*"
_WORD_NUMBER = (
    rf"(?:(?:{'|'.join(_TENS)})[- ](?:{'|'.join(_ONES[1:10])})|{'|'.join(_NUMBER_WORDS)})"
)
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
    | \b(?P<past>half|quarter|{_WORD_NUMBER}|[1-5]?\d)(?:\ minutes)?\ (?P<to>past|to)
        \ (?P<past_hour>noon|midnight|{"|".join(_ONES[1:13])}|1?\d)\b(?!\ *{_UNIT}\b)
        (?:\ (?:in\ the|at)\ (?P<day_part>morning|afternoon|evening|night))?
    | (?P<midday>\b(?:noon|midnight)\b)
    | \b(?P<clock>{"|".join(_ONES[1:13])}|1?\d)\ o[’']clock
        (?:\ (?:in\ the|at)\ (?P<clock_part>morning|afternoon|evening|night))?
    | (?<=\d\s)(?P<after>{_MONTH})\b | (?<=(?:st|nd|rd|th)\s)(?P<later>{_MONTH})\b
    | (?<=\sof\s)(?P<of>{_MONTH})\b | \b(?P<before>{_MONTH})(?=\s\d) | \b(?P<alone>{_PLAIN_MONTH})\b
    | (?-i:(?<=[a-z,]\ )(?P<capital>March|May|August)\b)
    | \b(?P<weekday>{"|".join(WEEKDAY_NAMES)})s?\b
    | \b(?P<ordinal>\d+)(?:st|nd|rd|th)\b
    # "The first 150 euros" and "the second half" are no places in an order.
    | \b(?P<ordinal_word>{"|".join(_ORDINALS)})\b(?!\ (?:[€$£¥₹]?\d|(?:{_WORD_NUMBER}|half)\b))
    | (?:\b(?P<parts>three|3|one|a)\ quarters?|(?P<halved>\bhalf))(?:\ of)?\ an?
        \ (?P<part_unit>{_UNIT})\b
    | (?:(?P<sign>{_SIGN})\s?)?(?P<number>{_NUMBER})
        (?:[ \u00a0\u202f-]?(?P<scale>k|thousand|hundred|million|mio|billion)\b)?
        (?P<and_half>\ and\ a\ half)?
        (?:[ \u00a0\u202f-]?{_DAYS}(?P<unit>{_UNIT})(?![\w])(?:\ (?:celsius|fahrenheit)\b)?
        (?:\ and\ (?P<cents>\d\d?)\ (?:cents|pence))?)?
    | \b(?P<word>{_WORD_NUMBER})\b(?:[ -](?P<word_scale>hundred|thousand|million)\b)?
        (?P<word_half>\ and\ a\ half)?(?:[ -]{_DAYS}(?P<word_unit>{_UNIT})\b)?
    | \b(?P<single>an?)[ ](?P<single_unit>{_UNIT})\b
    | (?P<fraction>[½¼¾]|\b(?:half|quarter)\b)
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
_REACH = 12
"""Content words on each side that tell what a fact is about."""
_PER_WORD, _PER_BOUNDARY = 0.85, 0.35
"""Factors by which each word, and each boundary, in between lessens the weight of a word."""
_LEAST_WEIGHT = 0.1


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
        if FactKind.NAME in (self.kind, other.kind) or FactKind.IDENTIFIER in (
            self.kind,
            other.kind,
        ):
            return bool(self.values & other.values)
        if FactKind.ORDINAL in (self.kind, other.kind) and (self.unit or other.unit):
            return False
        if self.unit and other.unit:
            units = {self.unit[0], other.unit[0]}
            is_money = "hundredth" in units and units < _CURRENCIES
            return (len(units) == 1 or is_money) and bool(self._scaled() & other._scaled())
        return bool(self.values & other.values)

    def is_alternative(self, other: Fact) -> bool:
        """Return True if one could be in the place of the other: `3 days` of `2 weeks`."""
        if self.kind is not other.kind:
            return False
        if self.kind is FactKind.IDENTIFIER:
            return _shape(self.written) == _shape(other.written)
        return (self.unit or ("",))[0] == (other.unit or ("",))[0]

    @property
    def amount(self) -> float | None:
        """Return a number in the smallest unit of its kind, or a time in minutes of a half day."""
        if self.kind is FactKind.TIME:
            hour, _, minute = min(self.values, key=len).partition(":")
            return (60 * int(hour) + int(minute or 0)) % 720
        scaled = self._scaled() if self.kind is FactKind.NUMBER else ()
        return min(scaled, default=None)

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
    known to be names, None if names are no facts.
    """
    items = list(_items(sentence, is_evidence, names))
    _find_days(items)
    return [
        Fact(
            item.fact.kind,
            item.fact.values,
            item.fact.written,
            item.fact.unit,
            _context(items, place),
        )
        for place, item in enumerate(items)
        if item.fact is not None
    ]


def _find_days(items: list[_Item]) -> None:
    """Make days and years of the numbers beside a month, and of both in "5 to 12 August"."""
    facts = [(at, item.fact) for at, item in enumerate(items) if item.fact is not None]
    for (at, _), (after, _) in reversed([*pairwise(facts)]):
        for place, other in ((at, items[after].fact), (after, items[at].fact)):
            fact = items[place].fact
            if after - at > 2 or fact is None or other is None or fact.unit:
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
                weights[item.word] = max(weights.get(item.word, _LEAST_WEIGHT), weight)
                weight *= _PER_WORD
                count += 1
            elif item.fact is not None and own is not None:
                if item.fact.kind in _NAMING or own.kind in _NAMING:
                    for value in item.fact.values:
                        weights[value] = max(weights.get(value, _LEAST_WEIGHT), weight)
                is_apart = own.kind is not FactKind.NAME and own.is_alternative(item.fact)
                if is_apart and not _is_in_list(items, at - step, own):
                    weight *= _PER_BOUNDARY
            at += step
    return weights


def _is_in_list(items: list[_Item], at: int, own: Fact | None) -> bool:
    """Return True for the comma in "11:30, 13:00 and 15:30" and the "and" of "Ann and Ben".

    What is said of one fact of a list is said of all.
    """
    if own is None or not (0 < at < len(items) - 1 and items[at].is_boundary):
        return False
    beside = items[at - 1].fact, items[at + 1].fact
    return all(each is not None and own.is_alternative(each) for each in beside)


def _items(sentence: str, is_evidence: bool, names: frozenset[str] | None) -> Iterator[_Item]:
    previous = ""
    is_start = True
    for found in _TOKEN.finditer(sentence):
        part = found.groupdict()
        is_start = is_start or sentence[: found.start()].rstrip(' *_"“(').endswith(_STOPS)
        if part["boundary"]:
            yield _Item(is_boundary=True)
            previous = found[0]
            continue
        if part["letters"]:
            yield from _word_items(part["letters"], is_start, names)
        elif part["year"] or part["joint"]:
            yield from map(_Item, _date_facts(part, found[0], is_evidence))
        elif fact := _fact(part, found[0], is_evidence, previous):
            yield _Item(fact)
        elif not part["single"]:
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


Part = Mapping[str, str | None]


def _fact(part: Part, written: str, is_evidence: bool, previous: str) -> Fact | None:
    for group, read in _READERS.items():
        if part[group]:
            kind, values, unit = read(part, is_evidence, previous)
            scale = _UNITS.get(unit.lower()) if unit else None
            return Fact(kind, frozenset(values), written.strip(" `"), scale) if values else None
    return None


_Value = tuple[FactKind, set[str], str | None]


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
        minutes = int(60 * float(_FRACTIONS.get(part["past"].lower(), 0))) or _whole(part["past"])
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
    if part["hours"]:
        return FactKind.TIME, {f"{int(part['hours']) % 24}:{part['minutes']}"}, None
    written = int(part["hour"] or 0)
    hour = written % 12 + (12 if (part["half"] or "").lower() == "p" else 0)
    bare = {str(written)} if is_evidence and not part["minute"] else set()
    return FactKind.TIME, {f"{hour}:{part['minute'] or '00'}", *bare}, None


def _spoken(hour: str | None, minutes: int, part_of_day: str | None) -> set[str]:
    """Return the times that `half past six` can be; both halves of the day if it does not say."""
    whole = 60 * _whole(hour or "0") + minutes
    times = {whole % 720, whole % 720 + 720}
    if part_of_day:
        times = {min(times) if part_of_day.lower() == "morning" else max(times)}
    return {f"{each // 60}:{each % 60:02}" for each in times}


def _whole(written: str) -> int:
    """Return a whole number in digits or words."""
    parts = re.split("[- ]", written.lower())
    return sum(int(each) if each.isdigit() else _NUMBER_WORDS[each] for each in parts)


def _ordinal(part: Part, is_evidence: bool, previous: str) -> _Value:
    if part["ordinal"]:
        return FactKind.ORDINAL, {str(int(part["ordinal"]))}, None
    word = (part["ordinal_word"] or "").lower()
    # "First, unscrew the filter" and "a second" are no facts.
    is_loose = word in ("first", "second") and previous in ("", "a", "at", ",", ";")
    return FactKind.ORDINAL, set() if is_loose else {str(_ORDINALS[word])}, None


def _number(part: Part, is_evidence: bool, previous: str) -> _Value:
    if previous in _LABELS and not is_evidence:
        return FactKind.NUMBER, set(), None
    scale = _SCALES[part["scale"].lower()] if part["scale"] else 1
    unit = part["unit"] or part["sign"]
    found = readings(part["number"] or "")
    if len(found) > 1 and not is_evidence:
        # Three digits behind a point are decimals, unless they are of money.
        is_whole = "." not in (part["number"] or "") or _is_money(unit)
        found = {max(found, key=float) if is_whole else min(found, key=float)}
    more = 0.5 if part["and_half"] else float(part["cents"] or 0) / 100
    values = {_scaled(each, scale) for each in found}
    return FactKind.NUMBER, {_sum(each, more) for each in values} if more else values, unit


def _is_money(unit: str | None) -> bool:
    return _UNITS.get((unit or "").lower(), ("",))[0] in _CURRENCIES


def _number_word(part: Part, is_evidence: bool, _previous: str) -> _Value:
    number = _whole(part["word"] or "")
    number *= int(_SCALES[part["word_scale"].lower()]) if part["word_scale"] else 1
    # "One" is mostly a pronoun.
    is_loose = number == 1 and not part["word_unit"] and not is_evidence
    value = _sum(str(number), 0.5) if part["word_half"] else str(number)
    return FactKind.NUMBER, set() if is_loose else {value}, part["word_unit"]


def _part_of_unit(part: Part, _is_evidence: bool, _previous: str) -> _Value:
    """Read `half an hour` and `three quarters of an hour`."""
    quarters = 2 if part["halved"] else 1 if part["parts"] in ("a", "one") else 3
    return FactKind.NUMBER, {_plain("0", str(25 * quarters))}, part["part_unit"]


def _single(part: Part, is_evidence: bool, _previous: str) -> _Value:
    return FactKind.NUMBER, {"1"} if is_evidence else set(), part["single_unit"]


def _fraction(part: Part, is_evidence: bool, _previous: str) -> _Value:
    value = _FRACTIONS[(part["fraction"] or "").lower()]
    return FactKind.NUMBER, {value} if is_evidence else set(), None


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
    "ordinal": _ordinal,
    "ordinal_word": _ordinal,
    "number": _number,
    "word": _number_word,
    "part_unit": _part_of_unit,
    "single": _single,
    "fraction": _fraction,
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


def _scaled(value: str, scale: float) -> str:
    return value if scale == 1 else f"{float(value) * scale:.6f}".rstrip("0").rstrip(".")


def _sum(value: str, more: float) -> str:
    return f"{float(value) + more:.6f}".rstrip("0").rstrip(".")
