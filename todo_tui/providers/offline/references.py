"""References: words that point at tasks, read into what they point by."""

from __future__ import annotations

import re
from dataclasses import dataclass

from todo_tui.providers.offline.asking import read_asked
from todo_tui.providers.offline.dating import Dates


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

_NUMBER = (
    r"(?:#\s?|(?:tasks?|items?|todos?|numbers?|nos?\.?|nr\.?|ids?)(?: (?:number|no\.?|#"
    r"|id))? ?#?)(?P<n>\d{1,18})"
)
_ID = re.compile(rf"(?:the )?{_NUMBER}", re.IGNORECASE)
_IDS = re.compile(
    r"(?:the )?(?:(?:tasks?|items?|todos?|numbers?|ids?) )?#?\d{1,18}(?:\s*(?:,|;|&|\band\b"
    r"|,\s*and\b|\s)\s*#?\d{1,18})*",
    re.IGNORECASE,
)
_ORDINALS = {
    "first": 0, "1st": 0, "top": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3,
    "4th": 3, "fifth": 4, "5th": 4, "sixth": 5, "6th": 5, "seventh": 6, "7th": 6, "eighth": 7,
    "8th": 7, "ninth": 8, "9th": 8, "tenth": 9, "10th": 9, "last": -1, "final": -1, "bottom": -1,
    "latter": -1, "former": 0, "penultimate": -2,
}  # fmt: skip
_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "couple": 2, "couple of": 2}
_ORDINAL = "|".join(sorted(_ORDINALS, key=len, reverse=True))
_PLACE_NOUN = (
    r"(?: (?:one|ones|task|tasks|item|items|todo|entry|thing|in the list|on the list|of them"
    r"|of those|of these))*"
)
_PLACE = re.compile(
    rf"(?:the )?(?P<a>{_ORDINAL})(?:(?:,| and|, and) (?:the )?(?P<b>{_ORDINAL}))?{_PLACE_NOUN}",
    re.IGNORECASE,
)
_NEXT_TO_LAST = re.compile(
    rf"(?:the )?(?:second|next)[- ]to[- ]last{_PLACE_NOUN}|(?:the )?second last{_PLACE_NOUN}",
    re.IGNORECASE,
)
_RUN = re.compile(
    rf"(?:the )?(?P<end>first|last|top|bottom) (?P<n>\d{{1,3}}|{'|'.join(_COUNTS)}){_PLACE_NOUN}",
    re.IGNORECASE,
)
_ONE = re.compile(
    r"(?:it|that|that one|that task|the same(?: one| task)?|that thing)", re.IGNORECASE
)
_MANY = re.compile(
    r"(?:all (?:of )?|both (?:of )?)?(?:them|them both|them all|those both|those"
    r"|those (?:two|three|ones|tasks)|they|both|the two|the both)"
    r"|both(?: tasks| ones)?|all (?:of )?(?:them|those)|each of them|the lot|all (?:two"
    r"|three|four|five)|(?:all )?the ones you (?:listed|named|just listed)",
    re.IGNORECASE,
)
_THIS = re.compile(r"(?:this|this one|this task|the current one|the current task)", re.IGNORECASE)
_THESE = re.compile(
    r"(?:all )?(?:of )?(?:these|these ones|these (?:two|three)|these tasks)", re.IGNORECASE
)
_SELECTED = re.compile(
    r"(?:all )?(?:the |my )?(?:selected|highlighted|marked|chosen|current selection"
    r"|selection|picked)(?: (?:one|ones|task|tasks|item|items))?(?: in the list)?"
    r"|(?:what|everything|all|whatever)(?: (?:i|that i|i've|i have|is))? (?:selected|marked"
    r"|highlighted)",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"(?:everything|all|all (?:of )?(?:it|my (?:tasks|todos|to-dos|items|things|list))"
    r"|all (?:the )?(?:tasks|todos|to-dos|items|things)|every (?:single )?(?:task|thing|item"
    r"|todo)"
    r"|my (?:whole |entire |complete )?(?:list|to-?do list|tasks|todos)|the (?:whole|entire"
    r"|complete) (?:list|to-?do list)|the list|my tasks|all tasks|every task|tasks|the tasks"
    r"|all my stuff)"
    r"(?: (?:on|in|from) (?:my|the) (?:to-?do )?list)?",
    re.IGNORECASE,
)
_BULK = re.compile(
    r"(?:everything|all|every|each|any|anything)\b(?! (?:about|hands|day|night)\b)|(?:my"
    r"|the) (?:overdue|completed|finished|done|remaining) ",
    re.IGNORECASE,
)
_STATE = re.compile(
    r"(?:all )?(?:the |my )?(?:overdue|late|done|completed|finished|urgent|undated|unscheduled"
    r"|blocked)(?: ones| stuff| things| items| tasks)?",
    re.IGNORECASE,
)
_REST = re.compile(
    r"(?:all )?(?:the )?(?:rest|others|other ones|remaining ones)(?: of (?:them|those|these"
    r"|my tasks))?",
    re.IGNORECASE,
)


_SUB = r"(?:sub-? ?tasks?|children|steps|parts|descendants)"
_BELOW = r"(?:under|underneath|below|beneath|inside|within|in)"
_WITH_SUBTREE = re.compile(
    rf"(?P<root>.+?),? (?:and|with|plus|including|along with|together with|as well as) (?:(?:all "
    rf"(?:of )?)?(?:its|their|the|all) {_SUB}(?: (?:of it|of them))?"
    rf"|(?:everything|all|anything|whatever|all tasks|the tasks|all the tasks|what|all that)"
    rf"(?: (?:that )?is| that's)? {_BELOW} (?:it|them|that|there))(?: too| as well)?",
    re.IGNORECASE,
)
_SUBTREE = re.compile(
    rf"(?:(?:all )?(?:of )?(?:the |its )?(?:open )?{_SUB} (?:of|under|in|below) "
    rf"|(?:everything|all|all tasks|anything|all the tasks)"
    rf" (?:under|underneath|below|beneath) (?=#|task |\d|it\b|that\b))(?P<root>.+)",
    re.IGNORECASE,
)


_SUBTREE_OWNED = re.compile(
    rf"(?:all )?(?:of )?(?:the |my )?(?P<root>.+?)(?:'s|’s) (?:open )?{_SUB}", re.IGNORECASE
)


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
    if _REST.fullmatch(text):
        return ByPointing(many=True, words="the rest")
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
        return ById((_NUMBER_WORDS.index(match["n"].casefold()) + 1,))
    if _IDS.fullmatch(text):
        return ById(tuple(dict.fromkeys(int(digits) for digits in re.findall(r"\d+", text))))
    return None


_EVERYTHING_UNDER = re.compile(
    r"(?:everything|all|anything|all (?:the )?(?:tasks|things))(?: (?:that )?is)? "
    r"(?:under|underneath|below|beneath|inside) (?:the )?(?P<root>.+)",
    re.IGNORECASE,
)


def root_of(words: str) -> str:
    """Whose subtasks `everything under plan party` means; empty where nobody's."""
    match = _EVERYTHING_UNDER.fullmatch(words.strip())
    return match["root"] if match else ""


def names_subtree(words: str) -> bool:
    """Whether words name a task together with what is below it."""
    return _WITH_SUBTREE.fullmatch(words.strip()) is not None


def _subtree(text: str) -> BySubtree | None:
    if match := _WITH_SUBTREE.fullmatch(text):
        return BySubtree(match["root"], with_root=True)
    if match := _SUBTREE.fullmatch(text) or _SUBTREE_OWNED.fullmatch(text):
        return BySubtree(match["root"], with_root=False)
    return None


_NUMBER_WORDS = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    *("twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    *("nineteen", "twenty"),
)
_RANGE = re.compile(
    r"(?:the )?(?:(?:tasks?|items?|todos?|numbers?|ids?) )?#?(?P<a>\d{1,9})"
    r"(?: ?[-–—] ?| to | through | thru | until )#?(?P<b>\d{1,9})",
    re.IGNORECASE,
)
_LONGEST_RANGE = 100
_SPELLED_ID = re.compile(
    rf"(?:(?:task )?number|task|item|no\.?) (?P<n>{'|'.join(_NUMBER_WORDS)})", re.IGNORECASE
)


def _place(text: str) -> ByPlace | None:
    if _NEXT_TO_LAST.fullmatch(text):
        return ByPlace((-2,))
    if match := _RUN.fullmatch(text):
        word = match["n"].casefold()
        number = _COUNTS.get(word) or int(word)
        front = match["end"].casefold() in ("first", "top")
        return ByPlace(tuple(range(number)) if front else tuple(range(-number, 0)))
    if match := _PLACE.fullmatch(text):
        places = [_ORDINALS[name.casefold()] for name in (match["a"], match["b"]) if name]
        return ByPlace(tuple(places))
    return None


def _pointing(text: str) -> ByPointing | None:
    if _SELECTED.fullmatch(text):
        return ByPointing(many=True, selected=True, words=text)
    if _THIS.fullmatch(text):
        return ByPointing(many=False, selected=True, words=text)
    if _THESE.fullmatch(text):
        return ByPointing(many=True, selected=True, words=text)
    if _ONE.fullmatch(text):
        return ByPointing(many=False, words=text)
    if _MANY.fullmatch(text):
        return ByPointing(many=True, words=text)
    return None


def _describes(text: str, dates: Dates) -> bool:
    asked = read_asked(text, dates)
    return bool(asked.conditions or asked.group or asked.search) or (
        asked.clear and len(asked.rest.split()) <= 1
    )


_JOINTS = re.compile(
    r"\s*(?:,\s*and\s+also|,\s*and|,|;|&|\+|\n|\band also\b|\band\b|\bplus\b|\bas well as\b"
    r"|\bor\b)\s*",
    re.IGNORECASE,
)


def parts_of(words: str) -> tuple[str, ...]:
    """The single references of a list of them: `milk, the eggs and #3`."""
    text = re.sub(r"^both (?:of )?", "", words.strip(), flags=re.IGNORECASE)
    return tuple(part.strip() for part in _JOINTS.split(text) if part.strip())
