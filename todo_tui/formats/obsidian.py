"""Fields that Obsidian's plugin Tasks writes into checklist items, as signs or in brackets.

Formats: https://publish.obsidian.md/tasks/Reference/Task+Formats/About+Task+Formats
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time

from todo_tui.domain.dates.text import MONTH_NAMES
from todo_tui.domain.errors import DateNotUnderstood
from todo_tui.domain.recurrence.reader import read_recurrence
from todo_tui.domain.task import JsonValue, RepeatFrom
from todo_tui.domain.when import DateStyle
from todo_tui.formats import remainder
from todo_tui.formats.remainder import Fields

KEPT = f"{remainder.EXTRA}markdown"
"""Key in `extra` for boxes of other programs (`[>]`), and values without a field of ours."""
_DATES = {
    "📅": "due", "📆": "due", "🗓": "due", "⏳": "scheduled", "⌛": "scheduled", "🛫": "start",
    "➕": "created", "✅": "completion", "❌": "cancelled",
}  # fmt: skip
_LEVELS = {"🔺": "highest", "⏫": "high", "🔼": "medium", "🔽": "low", "⏬": "lowest"}
_PRIORITIES = {
    "highest": "high", "high": "high", "medium": "medium", "low": "low", "lowest": "low",
    "none": None,
}  # fmt: skip
_WORDS = {"🔁": "repeat", "🆔": "id", "⛔": "dependsOn", "🏁": "onCompletion"}
_EVERY_SIGN = "".join((*_DATES, *_LEVELS, *_WORDS))
_SIGN = re.compile(
    rf"""(?x)
        (?P<date>[{"".join(_DATES)}])\ufe0f?[ ]*+(?P<day>\d[\d-]*+)(?=\s|$|[{_EVERY_SIGN}\[(\#])
      | (?P<level>[{"".join(_LEVELS)}])\ufe0f?
      | 🔁\ufe0f?[ ]*+(?P<repeat>(?i:every)\b[^{_EVERY_SIGN}\#\[(^]*+)
      | 🆔\ufe0f?[ ]*+(?P<id>[\w-]++)
      | ⛔\ufe0f?[ ]*+(?P<after>[\w-]++(?:,[ ]*+[\w-]++)*+)
      | 🏁\ufe0f?[ ]*+(?P<end>(?i:delete|keep))\b
      | [\[(](?P<name>due|scheduled|start|created|completion|cancelled|priority|repeat|id|dependsOn
            |onCompletion)::(?P<value>[^\[\]()]*+)[\])]
    """
)
_COMPLETION = re.compile(
    rf"[✅❌]\ufe0f? *+\d[\d-]*+(?=\s|$|[{_EVERY_SIGN}\[(#])"
    r"|[\[(](?:completion|cancelled)::[^\[\]()]*+[\])]"
)
_TAG = re.compile(r"#([^\s#,;:!?.]++)")
_BLOCK = re.compile(r"\^([\w-]++)")
_MONTH = "|".join(MONTH_NAMES)
_BY_MONTH = re.compile(
    rf"(?i)every ((?:{_MONTH})(?:(?:,| and|, and) (?:{_MONTH}))*) on the "
    r"(\d+)(?:st|nd|rd|th)((?:(?:,| and|, and) (?:the )?\d+(?:st|nd|rd|th))*)( when done)?"
)


@dataclass(frozen=True, slots=True)
class Tasks:
    """Uuids of the items of one file by the ids with which they name each other."""

    uuids: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, words: Mapping[str, str]) -> Tasks | None:
        """Return the tasks of a file, given the words of its items by uuid.

        None if the plugin did not write any of them.
        """
        found = [(uuid, sign) for uuid, text in words.items() for sign in _SIGN.finditer(text)]
        ids = ((_name_and_value(sign), uuid) for uuid, sign in found)
        return cls({value: uuid for (name, value), uuid in ids if name == "id"}) if found else None


def without_completion(words: str) -> str:
    """Return the words without what ticking the item off adds to them."""
    return " ".join(_COMPLETION.sub("", words).split())


def read_signs(words: str, tasks: Tasks) -> tuple[str, Fields]:
    """Split off the plugin's fields; return the other words and the fields of the task.

    Tags stay among the words, in which they may be words of the title.
    """
    found = [_name_and_value(sign) for sign in _SIGN.finditer(words)]
    given = dict(reversed(found))
    kept = Fields()
    left = _SIGN.sub(" ", words).split()
    block = _BLOCK.fullmatch(left[-1]) if left else None
    if block:
        kept["block"] = block[1]
        left.pop()
    tags = [tag for word in left if (tag := _tag(word))]
    fields: Fields = {"tags": list[JsonValue](tags)} | _dates(given, kept) | _repeat(given)
    level = given.get("priority", "").lower()
    fields["priority"] = _PRIORITIES.get(level, level)
    if level in ("highest", "lowest"):
        kept["priority"] = level
    kept |= {name: given[name] for name in ("id", "onCompletion") if name in given}
    if "dependsOn" in given:
        ids = [each.strip() for each in given["dependsOn"].split(",") if each.strip()]
        fields["blocked_by"] = [tasks.uuids[each] for each in ids if each in tasks.uuids]
        unknown = [each for each in ids if each not in tasks.uuids]
        fields[f"{remainder.UNREAD}dependsOn"] = list[JsonValue](unknown)
    if kept:
        fields[KEPT] = kept
    fields |= remainder.second_values(found)
    return " ".join(left) or words, remainder.without_empty(fields)


def without_tags(words: str) -> str:
    """Return the words without the tags at their beginning and end."""
    left = words.split()
    while left and _tag(left[-1]):
        left.pop()
    while left and _tag(left[0]):
        del left[0]
    return " ".join(left)


def _tag(word: str) -> str | None:
    found = _TAG.fullmatch(word)
    return found[1] if found and not found[1].isdecimal() else None


def _name_and_value(sign: re.Match[str]) -> tuple[str, str]:
    if sign["name"]:
        return sign["name"], sign["value"].strip()
    if sign["date"]:
        return _DATES[sign["date"]], sign["day"]
    if sign["level"]:
        return "priority", _LEVELS[sign["level"]]
    names = {"repeat": "repeat", "id": "id", "after": "dependsOn", "end": "onCompletion"}
    group = next(each for each in names if sign[each])
    return names[group], sign[group].strip()


def _dates(given: Mapping[str, str], kept: Fields) -> Fields:
    """Return the dates; values in `given` that are not ours are added to `kept`."""
    fields: Fields = {"due": given.get("due"), "created_at": given.get("created")}
    fields["completed_at"] = given.get("completion") or given.get("cancelled")
    start = given.get("start") or given.get("scheduled")
    if "repeat" in given and not fields["due"]:
        # It repeats by the date that it has.
        fields["due"] = given.get("scheduled") or start
    # A start on the due day would hide the task until then.
    fields["start"] = start if start != fields["due"] else None
    kept |= {
        name: given[name]
        for name in ("scheduled", "start")
        if name in given and given[name] != fields["start"]
    }
    return fields


def _repeat(given: Mapping[str, str]) -> Fields:
    """Return the rule of a repeat; words that cannot be read are passed on as they are."""
    words = given.get("repeat")
    if not words:
        return {}
    if by_month := _BY_MONTH.fullmatch(words):
        named = re.findall(_MONTH, by_month[1].lower())
        months = sorted({MONTH_NAMES.index(each) + 1 for each in named})
        days = [by_month[2], *re.findall(r"\d+", by_month[3])]
        rule = f"FREQ=YEARLY;BYMONTH={','.join(map(str, months))};BYMONTHDAY={','.join(days)}"
        repeat_from = RepeatFrom.COMPLETION if by_month[4] else RepeatFrom.DUE
        return {"recurrence": rule, "repeat_from": repeat_from.value}
    try:
        first = given.get("due") or given.get("scheduled") or given.get("start") or ""
        day = datetime.combine(date.fromisoformat(first), time())
    except ValueError:
        day = datetime(2000, 1, 1)
    try:
        phrase = re.sub(r"(?i)\bon the last(?= when done$|$)", "on the last day", words)
        read = read_recurrence(phrase, day, DateStyle()).recurrence
    except DateNotUnderstood:
        return {"recurrence": words}
    is_due = read.repeat_from is not RepeatFrom.COMPLETION
    return {
        "recurrence": read.rule,
        "repeat_from": (RepeatFrom.DUE if is_due else RepeatFrom.COMPLETION).value,
    }
