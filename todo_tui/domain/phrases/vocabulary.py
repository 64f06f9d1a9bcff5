"""The words for days, months, units and numbers, with the misspellings people make."""

from __future__ import annotations

from todo_tui.domain.phrases.calendar_names import MONTH_NAMES, WEEKDAY_NAMES
from todo_tui.domain.phrases.terms import Part, Unit

WEEKDAYS = {name: day for day, name in enumerate(WEEKDAY_NAMES)} | {
    "mon": 0,
    "tue": 1, "tues": 1, "tusday": 1, "teusday": 1, "tuseday": 1,
    "wed": 2, "weds": 2, "wendesday": 2, "wensday": 2, "wednsday": 2, "wedensday": 2,
    "thu": 3, "thur": 3, "thurs": 3, "thrusday": 3, "thurday": 3, "thursaday": 3,
    "fri": 4, "firday": 4, "friady": 4,
    "sat": 5, "saterday": 5, "satuday": 5,
    "sun": 6, "sunady": 6,
}  # fmt: skip
SEVERAL_WEEKDAYS = {f"{name}s": day for day, name in enumerate(WEEKDAY_NAMES)}

MONTHS = {name: month for month, name in enumerate(MONTH_NAMES, 1)} | {
    "jan": 1, "janurary": 1, "januray": 1,
    "feb": 2, "febr": 2, "febuary": 2, "feburary": 2,
    "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8,
    "sep": 9, "sept": 9, "septmber": 9, "setpember": 9,
    "oct": 10, "ocotber": 10, "nov": 11, "novemeber": 11, "dec": 12, "decmber": 12,
}  # fmt: skip

RELATIVE_DAYS = {
    "today": 0, "tod": 0, "tdy": 0,
    "tomorrow": 1, "tom": 1, "tmr": 1, "tmrw": 1, "tmw": 1, "tmrrw": 1, "tomo": 1,
    "tomorow": 1, "tommorow": 1, "tommorrow": 1, "tomorro": 1, "tomorrrow": 1, "tommorw": 1,
    "yesterday": -1,
}  # fmt: skip

UNITS = {
    "min": Unit.MINUTE, "mins": Unit.MINUTE,
    "minute": Unit.MINUTE, "minutes": Unit.MINUTE,
    "h": Unit.HOUR, "hr": Unit.HOUR, "hrs": Unit.HOUR, "hour": Unit.HOUR, "hours": Unit.HOUR,
    "d": Unit.DAY, "day": Unit.DAY, "days": Unit.DAY,
    "workday": Unit.WORKDAY, "workdays": Unit.WORKDAY,
    "weekday": Unit.WORKDAY, "weekdays": Unit.WORKDAY,
    "w": Unit.WEEK, "wk": Unit.WEEK, "wks": Unit.WEEK, "week": Unit.WEEK, "weeks": Unit.WEEK,
    "fortnight": Unit.FORTNIGHT, "fortnights": Unit.FORTNIGHT,
    "mo": Unit.MONTH, "mos": Unit.MONTH, "mth": Unit.MONTH, "mths": Unit.MONTH,
    "month": Unit.MONTH, "months": Unit.MONTH,
    "quarter": Unit.QUARTER, "quarters": Unit.QUARTER,
    "y": Unit.YEAR, "yr": Unit.YEAR, "yrs": Unit.YEAR, "year": Unit.YEAR, "years": Unit.YEAR,
}  # fmt: skip
WORKDAY_NAMES = ("weekday", "workday", "business day", "working day", "work day")
WORKDAY_PHRASES = (
    "business day", "business days", "working day", "working days", "work day", "work days",
)  # fmt: skip

PERIODS = {
    "week": Unit.WEEK, "wk": Unit.WEEK, "workweek": Unit.WEEK,
    "month": Unit.MONTH, "quarter": Unit.QUARTER, "year": Unit.YEAR,
}  # fmt: skip

SMALL_NUMBERS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
}  # fmt: skip
TEENS = {
    "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17,
    "eighteen": 18, "nineteen": 19,
}  # fmt: skip
TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90}
SMALL_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
    "eighth": 8, "ninth": 9,
}  # fmt: skip
ORDINALS = SMALL_ORDINALS | {
    "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14,
    "fifteenth": 15, "sixteenth": 16, "seventeenth": 17, "eighteenth": 18, "nineteenth": 19,
    "twentieth": 20, "thirtieth": 30,
}  # fmt: skip

PARTS = {
    "morning": Part.MORNING,
    "afternoon": Part.AFTERNOON,
    "arvo": Part.AFTERNOON,
    "evening": Part.EVENING,
    "night": Part.NIGHT,
}
