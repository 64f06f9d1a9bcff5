"""Holidays whose dates differ from year to year, and from territory to territory."""

from collections.abc import Mapping
from datetime import MAXYEAR, date, timedelta
from typing import NamedTuple


class NthWeekday(NamedTuple):
    """The nth weekday of a month, the last for -1, and days after it."""

    month: int
    weekday: int
    nth: int
    days_after: int = 0


Rule = NthWeekday | int
"""A weekday of a month, or days after Easter."""
_MONDAY, _THURSDAY, _SUNDAY = 0, 3, 6
_RULES: Mapping[str, Rule] = {
    "easter": 0, "easter sunday": 0, "easter monday": 1, "good friday": -2, "maundy thursday": -3,
    "palm sunday": -7, "ash wednesday": -46, "shrove tuesday": -47, "pancake day": -47,
    "mardi gras": -47, "ascension day": 39, "pentecost": 49, "whit sunday": 49, "whit monday": 50,
    "mothering sunday": -21,
    "mother's day": NthWeekday(5, _SUNDAY, 2), "father's day": NthWeekday(6, _SUNDAY, 3),
    "thanksgiving": NthWeekday(11, _THURSDAY, 4), "black friday": NthWeekday(11, _THURSDAY, 4, 1),
    "cyber monday": NthWeekday(11, _THURSDAY, 4, 4),
    "labor day": NthWeekday(9, _MONDAY, 1), "memorial day": NthWeekday(5, _MONDAY, -1),
    "advent sunday": NthWeekday(11, _THURSDAY, -1, 3),
    **{f"advent {n}": NthWeekday(11, _THURSDAY, -1, 7 * n - 4) for n in (1, 2, 3, 4)},
}  # fmt: skip
"""Some territories have rules of their own."""
_OWN: Mapping[str, Mapping[str, Rule]] = {
    "GB": {"mother's day": -21},
    "IE": {"mother's day": -21},
    "FR": {"mother's day": NthWeekday(5, _SUNDAY, -1)},
    "CA": {"thanksgiving": NthWeekday(10, _MONDAY, 2)},
    "AU": {"father's day": NthWeekday(9, _SUNDAY, 1)},
    "NZ": {"father's day": NthWeekday(9, _SUNDAY, 1)},
}
_SPELLED = {name.replace("'", ""): name for name in _RULES if "'" in name}
_SPELLED["thanksgiving day"] = "thanksgiving"
MOVABLE_HOLIDAYS = _RULES.keys() | _SPELLED.keys()
"""Names that people use, in all spellings."""


def next_holiday(name: str, today: date, territory: str) -> date:
    """Return the first day of a holiday from today on."""
    name = _SPELLED.get(name, name)
    rule = _OWN.get(territory, {}).get(name, _RULES[name])
    years = range(today.year, min(today.year + 2, MAXYEAR) + 1)
    return next(day for day in (_date_of(rule, year) for year in years) if day >= today)


def _date_of(rule: Rule, year: int) -> date:
    if isinstance(rule, int):
        return _easter(year) + timedelta(rule)
    if rule.nth > 0:
        first = date(year, rule.month, 1)
        days = (rule.weekday - first.weekday()) % 7 + 7 * (rule.nth - 1)
        return first + timedelta(days + rule.days_after)
    last = date(year, rule.month + 1, 1) - timedelta(1)
    return last - timedelta((last.weekday() - rule.weekday) % 7 - rule.days_after)


def _easter(year: int) -> date:
    """Return Easter Sunday of the Gregorian calendar, by the anonymous algorithm."""
    century, of_century = divmod(year, 100)
    leaps, rest = divmod(century, 4)
    moon = (century - (century + 8) // 25 + 1) // 3
    epact = (19 * (year % 19) + century - leaps - moon + 15) % 30
    quarter, left = divmod(of_century, 4)
    weekday = (32 + 2 * rest + 2 * quarter - epact - left) % 7
    late = (year % 19 + 11 * epact + 22 * weekday) // 451
    month, day = divmod(epact + weekday - 7 * late + 114, 31)
    return date(year, month, day + 1)
