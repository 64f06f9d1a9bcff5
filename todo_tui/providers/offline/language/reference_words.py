"""Read the words that refer to tasks: ids, places, pronouns, kinds, names, subtrees."""

import re
from dataclasses import dataclass

from todo_tui.providers.offline.language.change_phrases import Dates
from todo_tui.providers.offline.language.filters import EXCEPT, read_description
from todo_tui.providers.offline.language.pattern import regex
from todo_tui.providers.offline.language.words import (
    NUMBERS,
    word_table,
)

_NUMBER = (
    r"(#\s?|(tasks?|items?|todos?|numbers?|nos?\.?|nr\.?|ids?)( (number|no\.?|#"
    r"|id))? ?#?)(?P<n>\d{1,18})"
)
_ID = regex(rf"(the )?{_NUMBER}")
_IDS = regex(
    r"(the )?((tasks?|items?|todos?|numbers?|ids?) )?#?\d{1,18}(\s*(,|;|&|\band\b|,\s*and\b"
    r"|\s)\s*#?\d{1,18})*"
)
_ORDINALS = {word: int(place) for word, place in word_table("places").items()}
_COUNTS = {"couple": 2, "couple of": 2, **NUMBERS}
_ORDINAL = "|".join(sorted(_ORDINALS, key=len, reverse=True))
_PLACE_NOUN = (
    r"( (one|ones|task|tasks|item|items|todo|entry|thing|in the list|on the list|of them|of those"
    r"|of these))*"
)
_PLACE_REFERENCES = regex(
    rf"(the |that )?(?P<a>{_ORDINAL})((,| and|, and) (the )?(?P<b>{_ORDINAL}))?{_PLACE_NOUN}"
)
_NEXT_TO_LAST = regex(
    rf"(the )?(second|next)[- ]to[- ]last{_PLACE_NOUN}|(the )?second last{_PLACE_NOUN}"
)
_RUN = regex(
    rf"(the )?(?P<end>first|last|top|bottom) (?P<n>\d{{1,3}}|{'|'.join(_COUNTS)}){_PLACE_NOUN}"
)
_POINTING = tuple(
    (regex(pattern), many, selected)
    for many, selected, pattern in (
        (True, True, r"(all )?(the |my )?(selected|highlighted|marked|chosen|current selection"
         r"|selection|picked)( (one|ones|task|tasks|item|items))?( in the list)?"
         r"|(what|everything|all|whatever)( (i|that i|i've|i have|is))? (selected|marked"
         r"|highlighted)"),
        (False, True, r"this|this one|this task|the current one|the current task"),
        (True, True, r"(all )?(of )?(these|these ones|these (two|three)|these tasks)"),
        (False, False, r"it|that|that one|(that|the) task|the same( one| task)?|that thing"),
        (True, False, r"all (of )?(it|that|this)"
         r"|(all (of )?|both (of )?)?(them|them both|them all|those both|those"
         r"|those (two|three|ones|tasks)|they|both|the two|the both)|both( tasks| ones)?"
         r"|all (of )?(them|those)|each of them|the lot|all (two|three|four|five)"
         r"|(all )?the ones you (listed|named|just listed)"),
    )
)  # fmt: skip
"""Words that point, to several tasks or one, in the list or in what was said."""
_ALL = regex(
    r"(everything|all|all (of )?my (tasks|todos|to-dos|items|things|list)"
    r"|all (the )?(tasks|todos|to-dos|items|things)|every (single )?(task|thing|item|todo)"
    r"|my (whole |entire |complete )?(list|to-?do list|tasks|todos)|the (whole|entire"
    r"|complete) (list|to-?do list)|the list|my tasks|all tasks|every task|tasks|the tasks"
    r"|all my stuff)( (on|in|from) (my|the) (to-?do )?list)?"
)
_BULK = regex(
    r"(everything|all|every|each|any|anything)\b(?! (about|hands|day|night)\b)"
    r"|(my|the) (overdue|completed|finished|done|remaining) "
)
_STATE = regex(
    r"(all )?(the |my )?(overdue|late|done|completed|finished|urgent|undated|unscheduled|blocked)"
    r"( ones| stuff| things| items| tasks)?"
)
_SUB = r"(sub-? ?tasks?|children|steps|parts|descendants)"
_BELOW = r"(under|underneath|below|beneath|inside|within|in)"
_WITH_SUBTREE = regex(
    r"(?P<root>.+?),? (and|with|plus|including|along with|together with|as well as) ((all (of )?)?"
    rf"(its|their|the|all) {_SUB}( (of it|of them))?|(everything|all|anything|whatever|all tasks"
    rf"|the tasks|all the tasks|what|all that)( (that )?is| that's)? {_BELOW} (it|them|that|there))"
    r"( too| as well)?"
)
_SUBTREE = regex(
    rf"((all )?(of )?(the |its )?(open )?{_SUB} (of|under|in|below) |(everything|all|all tasks"
    r"|anything|all the tasks) (under|underneath|below|beneath) (?=#|task |\d|it\b"
    r"|that\b))(?P<root>.+)"
)
_SUBTREE_OWNED = regex(rf"(all )?(of )?(the |my )?(?P<root>.+?)('s|’s) (open )?{_SUB}")
_RANGE = regex(
    r"(the )?((tasks?|items?|todos?|numbers?|ids?) )?#?(?P<a>\d{1,9})( ?[-–—] ?"
    r"| to | through | thru | until )#?(?P<b>\d{1,9})"
)
_LONGEST_RANGE = 100
_SPELLED_ID = regex(rf"((task )?number|task|item|no\.?) (?P<n>{'|'.join(NUMBERS)})")
_JOINTS = regex(
    r"\s*(,\s*and\s+also|,\s*and|,|;|&|\+|\n|\band also\b|\band\b|\bplus\b|\bas well as\b"
    r"|\bor\b)\s*"
)


@dataclass(frozen=True, slots=True)
class ById:
    """By the numbers that tasks are shown with."""

    ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ByPlace:
    """By place among the tasks named last; from 0, negative ones count from the end."""

    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ByPointing:
    """`it`, `them`, `this`: what was named last, or what is selected in the list."""

    many: bool
    selected: bool = False
    words: str = "it"


@dataclass(frozen=True, slots=True)
class ByKind:
    """All tasks of a description: `everything in errands`; an empty one is every task."""

    description: str


@dataclass(frozen=True, slots=True)
class ByName:
    """By words of the title."""

    words: str


@dataclass(frozen=True, slots=True)
class BySubtree:
    """By what they are part of; `with_root` means that task as well."""

    root: str
    with_root: bool


Reference = ById | ByPlace | ByPointing | ByKind | ByName | BySubtree


def read_reference(words: str, dates: Dates) -> Reference:
    """What words point by; a name where they are nothing else."""
    text = words.strip().strip(".,;:!?").strip()
    if subtree := _subtree(text):
        return subtree
    if ids := _ids(text):
        return ids
    if place := _place(text):
        return place
    if pointing := _pointing(text):
        return pointing
    if _ALL.fullmatch(text):
        return ByKind("")
    if EXCEPT.search(text) and len(read_description(text, dates).rest.split()) == 1:
        return ByKind(text)
    if _STATE.fullmatch(text) or (_BULK.match(text) and _describes(text, dates)):
        return ByKind(text)
    if re.search(
        r"\b(?:tasks|todos|to-dos|items|things|ones|reminders)\b", text, re.IGNORECASE
    ) and _describes(text, dates):
        return ByKind(text)
    return ByName(text)


def _ids(text: str) -> ById | None:
    if (match := _RANGE.fullmatch(text)) and 0 <= int(match["b"]) - int(
        match["a"]
    ) < _LONGEST_RANGE:
        return ById(tuple(range(int(match["a"]), int(match["b"]) + 1)))
    if match := _ID.fullmatch(text):
        return ById((int(match["n"]),))
    if match := _SPELLED_ID.fullmatch(text):
        return ById((NUMBERS[match["n"].casefold()],))
    if _IDS.fullmatch(text):
        return ById(tuple(dict.fromkeys(int(digits) for digits in re.findall(r"\d+", text))))
    return None


def _subtree(text: str) -> BySubtree | None:
    if match := _WITH_SUBTREE.fullmatch(text):
        return BySubtree(match["root"], with_root=True)
    if match := _SUBTREE.fullmatch(text) or _SUBTREE_OWNED.fullmatch(text):
        return BySubtree(match["root"], with_root=False)
    return None


def _place(text: str) -> ByPlace | None:
    if _NEXT_TO_LAST.fullmatch(text):
        return ByPlace((-2,))
    if match := _RUN.fullmatch(text):
        word = match["n"].casefold()
        number = _COUNTS.get(word) or int(word)
        front = match["end"].casefold() in ("first", "top")
        return ByPlace(tuple(range(number)) if front else tuple(range(-number, 0)))
    if match := _PLACE_REFERENCES.fullmatch(text):
        places = [_ORDINALS[name.casefold()] for name in (match["a"], match["b"]) if name]
        return ByPlace(tuple(places))
    return None


def _pointing(text: str) -> ByPointing | None:
    for pattern, many, selected in _POINTING:
        if pattern.fullmatch(text):
            return ByPointing(many, selected, text)
    return None


def _describes(text: str, dates: Dates) -> bool:
    asked = read_description(text, dates)
    return bool(asked.conditions or asked.group or asked.search) or (
        asked.clear and len(asked.rest.split()) <= 1
    )


def parts_of(words: str) -> tuple[str, ...]:
    """The single references of a list of them: `milk, the eggs and #3`."""
    text = re.sub(r"^both (?:of )?", "", words.strip(), flags=re.IGNORECASE)
    return tuple(part.strip() for part in _JOINTS.split(text) if part.strip())
