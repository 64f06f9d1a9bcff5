"""Arranging: the order and the headings that a description of tasks asks for."""

from __future__ import annotations

import re

_FIELDS = {
    "priority": "priority", "prio": "priority", "importance": "priority", "due date": "due",
    "due": "due", "date": "due", "deadline": "due", "deadlines": "due", "urgency": "urgency",
    "title": "title", "name": "title", "alphabet": "title", "project": "project", "age": "created",
    "creation": "created", "creation date": "created", "date added": "created",
    "created": "created", "date created": "created", "start": "start", "start date": "start",
    "done": "done", "completion": "done", "completion date": "done", "id": "id", "number": "id",
    "manual order": "position", "hand": "position", "position": "position",
    "last change": "updated", "changed": "updated", "updated": "updated", "due dates": "due",
    "priorities": "priority", "titles": "title", "names": "title", "projects": "project",
}  # fmt: skip
_HEADINGS = {
    "project": "project", "projects": "project", "tag": "tag", "tags": "tag", "label": "tag",
    "priority": "priority", "priorities": "priority", "prio": "priority", "status": "status",
    "state": "status", "day": "day", "days": "day", "date": "day", "due date": "day",
    "due day": "day", "due": "due", "done": "done", "completion day": "done",
}  # fmt: skip


def _any_of(names: dict[str, str]) -> str:
    return "|".join(sorted(map(re.escape, names), key=len, reverse=True))


_SORT = re.compile(
    rf"(?:,? ?(?:and )?(?:(?:that (?:are|is) )?(?:sorted|ordered|arranged|ranked|sort|order|arrange"
    rf"|rank)(?: (?:them|it|tasks|the list|my tasks|my list))?"
    rf"|in (?:the )?order)(?: (?:by|of|on))?(?: the| their)? (?P<field>{_any_of(_FIELDS)})"
    rf"(?:(?:,? (?:and )?then|,| and)(?: by)? (?P<then>{_any_of(_FIELDS)}))?"
    rf"(?: order)?(?P<down>,? (?:descending|reversed?|in reverse(?: order)?|backwards|newest first"
    rf"|latest first|highest first|last first))?(?:,? (?:ascending|oldest first|lowest first"
    rf"|first to last))?)(?!\w)",
    re.IGNORECASE,
)
_ALPHABETIC = re.compile(
    r",? ?(?:and )?(?:(?:sorted|ordered|sort|order)(?: (?:them|it))? )?(?:alphabetical(?:ly)?"
    r"|in alphabetical order|from a to z|a-z)(?!\w)",
    re.IGNORECASE,
)
_MOST_FIRST = re.compile(
    r",? ?(?:with )?(?:the )?(?:(?P<urgent>most (?:urgent|pressing)|most urgent ones)"
    r"|(?P<weighty>most important|highest priority)|(?P<newest>newest|latest|most recent(?:ly"
    r" added)?)|(?P<oldest>oldest)|(?P<soonest>soonest|earliest)) first(?!\w)",
    re.IGNORECASE,
)
_GROUP = re.compile(
    rf",? ?(?:and )?(?:(?:that (?:are|is) )?(?:grouped|arranged|broken down|split|split up|divided"
    rf"|organi[sz]ed|group|organi[sz]e|categori[sz]ed?)(?: (?:them|it|tasks|all|everything"
    rf"|all tasks|the list|my list|my tasks|all my tasks|up|down))*"
    rf"(?: by| per| into| under)(?: the| their| its)?|by|per|under headings by) "
    rf"(?P<name>{_any_of(_HEADINGS)})(?!\w)",
    re.IGNORECASE,
)
_FIRSTS = {
    "urgent": "urgency", "weighty": "priority", "newest": "created-", "oldest": "created",
    "soonest": "due",
}  # fmt: skip


def read_order(text: str) -> tuple[str, str]:
    """The text without what it says of order and headings; that, as words of a filter."""
    sort = group = ""
    if match := _SORT.search(text):
        sort, text = _sort_words(match), _without(text, match)
    elif match := _MOST_FIRST.search(text):
        name = next(name for name, said in match.groupdict().items() if said)
        sort, text = f"sort:{_FIRSTS[name]}", _without(text, match)
    elif match := _ALPHABETIC.search(text):
        sort, text = "sort:title", _without(text, match)
    if match := _GROUP.search(text):
        group = f"group:{_HEADINGS[match['name'].casefold()]}"
        text = _without(text, match)
    return text, " ".join(part for part in (sort, group) if part)


def _sort_words(match: re.Match[str]) -> str:
    fields = [_FIELDS[name.casefold()] for name in (match["field"], match["then"]) if name]
    if match["down"] and fields[0] not in ("priority", "urgency"):
        fields[0] += "-"
    return f"sort:{','.join(fields)}"


def _without(text: str, match: re.Match[str]) -> str:
    return " ".join(f"{text[: match.start()]} {text[match.end() :]}".split())
