"""Words: how text is cut into tokens, reduced to stems and compared despite typos."""

from __future__ import annotations

import re
import unicodedata

from todo_tui.providers.offline.verbs import base_form

_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "«": '"', "»": '"'})

_ACCENTS = frozenset(map(chr, range(0x300, 0x370)))
"""Marks on letters of Latin, Greek and Cyrillic; those of other scripts make other letters."""

ARTICLES = frozenset("the a an my our your his her their its some any".split())
"""Words before a noun that never tell two tasks apart."""

LINKS = frozenset(
    "to of for on at in with about from by and or regarding re into as is are was were "
    "i me we us you it that this".split()
)
"""Words that join others; a title is found without them."""

GENERIC = frozenset(
    "task tasks todo todos to-do item items entry entries reminder reminders thing things "
    "one ones job jobs stuff chore chores".split()
)
"""Words for a task as such: `the milk task`."""

KINDS = frozenset("appointment meeting visit errand call payment bill trip session booking".split())
"""Words that say what sort of thing a task is, when its title may not."""


def straightened(text: str) -> str:
    """Typographic quotes made plain and text normalised, its case kept."""
    return unicodedata.normalize("NFC", text).translate(_QUOTES)


def folded(text: str) -> str:
    """Text as it is compared: plain quotes, one case, single spaces."""
    return " ".join(straightened(text).casefold().split())


def unaccented(text: str) -> str:
    """Text without accents, as people type it: `cafe` for `café`."""
    if text.isascii():
        return text
    parts = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", "".join(c for c in parts if c not in _ACCENTS))


def tokens(text: str) -> tuple[str, ...]:
    """The words of a text in their order, folded, without accents and possessive endings."""
    return tuple(word.removesuffix("'s") for word in _TOKEN.findall(unaccented(folded(text))))


def stem(word: str) -> str:
    """What the forms of a word have in common: bought, buys and buying are buy."""
    base = base_form(word)
    return _without_plural(base)


def content(text: str) -> tuple[str, ...]:
    """The stems that carry meaning, in order; all of them where none does."""
    words = tokens(text)
    kept = [word for word in words if word not in ARTICLES and word not in LINKS]
    return tuple(stem(word) for word in kept or words)


def distance(one: str, other: str) -> int:
    """Edits between two words: insert, delete, replace, or swap two neighbours."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, left in enumerate(one, start=1):
        before, last, row = row, before, [i]
        for j, right in enumerate(other, start=1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (left != right))
            if i > 1 and j > 1 and left == other[j - 2] and one[i - 2] == right:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
    return row[-1]


def alike(one: str, other: str) -> bool:
    """Whether two words are the same but for a typo or a cut end.

    Short words must be equal; a word of four or five letters may have one slip,
    a longer one two. Numbers never stand for each other.
    """
    if one == other:
        return True
    shorter, longer = sorted((one, other), key=len)
    if len(shorter) < 4 or any(letter.isdigit() for letter in one + other):
        return False
    if longer.startswith(shorter) and len(longer) - len(shorter) <= 4:
        return True
    slips = 1 if len(longer) < 7 else 2
    if len(longer) - len(shorter) > slips:
        return False
    found = distance(one, other)
    return found <= slips and (found < 2 or one[0] == other[0])


def _without_plural(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ches", "shes", "xes", "sses", "zes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word
