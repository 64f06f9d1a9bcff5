"""Read the words that refer to tasks, and match them against titles, typing errors included."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log

from todo_tui.providers.offline.changes import Dates
from todo_tui.providers.offline.filters import EXCEPT, read_asked
from todo_tui.providers.offline.pattern import regex
from todo_tui.providers.offline.tool_results import Seen
from todo_tui.providers.offline.words import (
    ARTICLES,
    GENERIC,
    GENERIC_DEEDS,
    KINDS,
    LINKS,
    NUMBERS,
    UNFINISHING_DEEDS,
    alike,
    base_form,
    content,
    folded,
    is_verb,
    same_deed,
    stem,
    tokens,
    word_set,
    word_table,
)

_TIME = regex(
    r"[,\s]+((yesterday|today|tonight|tomorrow|already|now|just now|earlier|again|finally"
    r"|right now|as well|myself|too|by myself|together|last|this|due|since|until)\b.*"
    r"|on (the )?WEEKDAY.*|(at|in) (the )?"
    r"(morning|afternoon|evening|end|last minute|time|advance|noon|lunch).*)$"
)
"""What says when, at the end of a phrase."""
_PLACE = regex(
    r"[,\s]+((at|in|on|from|over|around|via|by|because|so|while|when|after|before|during|and it"
    r"|which|without|through|—|-|–)\b.*)$"
)
"""What says where or how, at the end of a report."""
_ABOUT = regex(r"[,\s]+((for|with|to|about|of)\b.*)$")
"""What may say which one: it is left out only where the title says it too."""
_SHORT = 5
"""Letters of a word that is too short to be known with another beginning."""
NEGATIONS = word_set("negations")
DONE = word_set("done_words")
OFF = word_set("off_words")
NO_MENTION = ARTICLES | LINKS | NEGATIONS | DONE | OFF
"""Words that mention no task, even if its title has them."""
_SURELY_MISSPELT = 5
"""Letters of a word from which on a slip in it is forgiven."""
_SAME = word_table("nouns")
_SMALL = word_set("small_words")
"""Words that alone mention no task."""
Fits = Callable[[str, Seen], bool]
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
    rf"(the )?(?P<a>{_ORDINAL})((,| and|, and) (the )?(?P<b>{_ORDINAL}))?{_PLACE_NOUN}"
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
        (False, False, r"it|that|that one|that task|the same( one| task)?|that thing"),
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


def find(words: str, tasks: Sequence[Seen]) -> tuple[Seen, ...]:
    """The tasks that words fit best, all of them where they fit several as well.

    The best tier that has any counts: the exact title, its words, a part of its
    words, the same with slips, and the same without what the title may not say.
    """
    named = _without_generic(words)
    if found := find_strictly(words, tasks):
        return _tightest(named, _tightest(words, found))
    return ()


def find_exactly(words: str, tasks: Sequence[Seen]) -> tuple[Seen, ...]:
    """The tasks whose title the words are, but for case and articles."""
    return tuple(task for task in tasks if _exact(words, task))


def mentioned(
    words: Sequence[str], tasks: Sequence[Seen], *, by_verb: bool = False
) -> tuple[tuple[Seen, ...], set[int]]:
    """Return the tasks whose titles share most with words, and the places of the shared words.

    A stem that few titles have weighs more; the verb of a title alone mentions no task unless
    `by_verb`, as in `both calls`.
    """
    titles = [(task, stems(task.title)) for task in tasks]
    count = Counter(name for _, title in titles for name in set(title))
    stemmed = [
        (*stems(word)[:1], word.removesuffix("s")) if word not in NO_MENTION else ()
        for word in words
    ]
    best: list[tuple[Seen, frozenset[int]]] = []
    most = 0.0
    for task, title in titles:
        shared = {
            at: name for at, each in enumerate(stemmed) if (name := _shared(each, title, count))
        }
        shared |= {
            at: name
            for at, word in enumerate(words)
            if at not in shared and (name := _initialled(word, title, count))
        }
        names = set(shared.values())
        telling = names - _SMALL
        is_verb_only = len(title) > 1 and telling == {title[0]} and is_verb(title[0])
        if not names or (is_verb_only and not by_verb):
            continue
        weight = sum(log(1 + len(tasks) / count[name]) for name in telling)
        if not weight:
            continue
        if weight > most + 1e-9:
            best, most = [], weight
        if weight >= most - 1e-9:
            best.append((task, frozenset(shared)))
    return tuple(task for task, _ in best), set[int]().union(*(places for _, places in best))


def _initialled(word: str, title: tuple[str, ...], count: Counter[str]) -> str:
    """Return the first of neighbouring stems whose initials a word is: `pr` of pull request."""
    if not (1 < len(word) < _SHORT - 1 and word.isalpha()) or word in count or word in _SMALL:
        return ""
    runs = (title[at : at + len(word)] for at in range(len(title) - len(word) + 1))
    return next((run[0] for run in runs if "".join(name[0] for name in run) == word), "")


def _shared(word: tuple[str, ...], title: tuple[str, ...], count: Counter[str]) -> str:
    """Return the stem of a title that a word is, despite a slip where no title has the word."""
    for name in word:
        if name in title:
            return name
    for name in word[:1]:
        if name not in count and len(name) >= _SURELY_MISSPELT:
            return next((each for each in title if alike(name, each)), "")
    return ""


def reported(verb: str, said: str, tasks: Sequence[Seen]) -> tuple[Seen, ...]:
    """The tasks that a past deed has done: its object fits, and so does its verb."""
    for phrase, left_out in _told(said):
        possible = [task for task in tasks if _says_too(left_out, task)]
        for fits in (_exactly_done, _done, _done_and_more):
            if found := tuple(task for task in possible if fits(verb, phrase, task)):
                return _tightest(phrase, found)
    return ()


def may_complete(verb: str, task: Seen) -> bool:
    """Return True if a deed can be the one that a task is about."""
    return verb not in UNFINISHING_DEEDS or same_deed(verb, stems(task.title)[0])


def reported_exactly(verb: str, said: str, tasks: Sequence[Seen]) -> tuple[Seen, ...]:
    """The tasks whose titles are the deed, word for word: `bought salt and pepper`."""
    return tuple(task for task in tasks if _exactly_done(verb, said, task))


def touched(said: str, tasks: Sequence[Seen]) -> tuple[Seen, ...]:
    """The tasks whose title the object of a deed fits, whatever its verb."""
    for phrase, left_out in _told(said):
        fitting = (task for task in tasks if _covers(phrase, task) and _says_too(left_out, task))
        if found := tuple(fitting):
            return found
    return ()


def _told(said: str) -> Iterator[tuple[str, str]]:
    """What a deed was done to, ever shorter, and what was left out that may matter."""
    yield said, ""
    for phrase in _without_tail(said, _TIME, _PLACE):
        yield phrase, ""
    for phrase in _without_tail(said, _TIME, _PLACE, _ABOUT):
        yield phrase, said[len(phrase) :]


def _says_too(left_out: str, task: Seen) -> bool:
    """Return True if the title has a word of what was left out, or nothing was."""
    return not left_out or any(_near(word, task) for word in content(left_out))


def _without_generic(words: str) -> str:
    parts = words.split()
    kept = [part for part in parts if part.casefold().strip(".,:'\"") not in GENERIC]
    return " ".join(kept) if kept and len(kept) < len(parts) else words


def _without_tail(words: str, *tails: re.Pattern[str]) -> Iterator[str]:
    """The phrase without one trailing part after the other, the last part first."""
    text = words.strip()
    for gap in reversed(list(re.finditer(r"[,\s]+", text))):
        if gap.start() and any(tail.fullmatch(text, gap.start()) for tail in tails):
            yield text[: gap.start()]


def _exact(words: str, task: Seen) -> bool:
    return bare(words) == bare(task.title)


def _same_words(words: str, task: Seen) -> bool:
    return sorted(stems(words)) == sorted(stems(task.title))


def _covers(words: str, task: Seen) -> bool:
    title = set(stems(task.title))
    wanted = stems(words)
    return bool(wanted) and all(word in title for word in wanted)


def _covers_with_slips(words: str, task: Seen) -> bool:
    wanted = stems(words)
    if len(wanted) == 1:
        return _surely_near(wanted[0], task)
    return bool(wanted) and all(_near(word, task) for word in wanted)


def _surely_near(word: str, task: Seen) -> bool:
    """Return True if a word is one of the title even if no other is: `home` is not yet Rome."""
    likely = (other for other in stems(task.title) if alike(word, other))
    return any(len(word) > _SHORT or word[0] == other[0] for other in likely)


def _covers_the_rest(words: str, task: Seen) -> bool:
    """All words but verbs and kinds of task stand in the title, and one of them tells."""
    wanted = stems(words)
    title = set(stems(task.title))
    missing = [word for word in wanted if word not in title and not _near(word, task)]
    found = [word for word in wanted if word not in missing]
    telling = [word for word in found if not is_verb(word) or len(found) > 1]
    if not any(_surely_near(word, task) for word in telling):
        return False
    return all(word in KINDS or word in GENERIC for word in missing)


def _synonym_verb(words: str, task: Seen) -> bool:
    """`phone mom` for `Call mom`: another verb for the same deed."""
    wanted, title = stems(words), stems(task.title)
    if len(wanted) < 2 or len(title) < 2 or not is_verb(wanted[0]):
        return False
    return same_deed(wanted[0], title[0]) and all(word in title[1:] for word in wanted[1:])


def _synonym_only(words: str, task: Seen) -> bool:
    return _synonym_verb(words, task) and len(stems(words)) == len(stems(task.title))


_SURE: tuple[Fits, ...] = (_exact, _same_words, _covers, _synonym_verb)
_LIKELY: tuple[Fits, ...] = (_covers_with_slips, _covers_the_rest)


def _tightest(phrase: str, found: tuple[Seen, ...]) -> tuple[Seen, ...]:
    """Of several, the one whose title is the phrase itself, where there is one."""
    for same in (_exact, _same_words, _synonym_only):
        if len(found) > 1 and (tight := tuple(task for task in found if same(phrase, task))):
            return tight
    return found


def _exactly_done(verb: str, said: str, task: Seen) -> bool:
    """`bought milk` of `Buy milk`."""
    title = stems(task.title)
    return sorted(stems(said)) == sorted(title[1:]) and base_form(verb) == title[0]


def _done(verb: str, said: str, task: Seen) -> bool:
    """The title says all that was said: `called Anna` of `Call Anna about the lease`."""
    if verb in GENERIC_DEEDS:
        return bool(find_strictly(said, (task,)))
    title, wanted = stems(task.title), stems(said)
    if not title or not wanted:
        return False
    if is_verb(title[0]) and len(title) > 1:
        return same_deed(verb, title[0]) and all(_in(word, title[1:]) for word in wanted)
    if verb in UNFINISHING_DEEDS:
        return False
    return is_verb(verb) and all(_in(word, title) for word in wanted)


def _done_and_more(verb: str, said: str, task: Seen) -> bool:
    """One word more was said than the title says: `wrote the long report` of `Write report`."""
    title, wanted = stems(task.title), stems(said)
    rest = title[1:]
    if not rest or not wanted or not same_deed(verb, title[0]):
        return False
    heads = alike(wanted[-1], rest[-1])
    return heads and len(wanted) == len(rest) + 1 and all(_in(word, wanted) for word in rest)


def find_strictly(words: str, tasks: Sequence[Seen]) -> tuple[Seen, ...]:
    """Like `find`, without leaving out what trails behind."""
    phrases = tuple(dict.fromkeys((words, _without_generic(words))))
    ways = ((phrase, fits) for tier in (_SURE, _LIKELY) for phrase in phrases for fits in tier)
    found = (tuple(task for task in tasks if fits(phrase, task)) for phrase, fits in ways)
    return next(filter(None, found), ())


def _in(word: str, words: Sequence[str]) -> bool:
    return any(alike(word, other) for other in words)


def _near(word: str, task: Seen) -> bool:
    return any(alike(word, other) for other in stems(task.title))


@lru_cache(maxsize=16_384)
def stems(text: str) -> tuple[str, ...]:
    """Return the stems of the words that carry meaning, synonyms of nouns made one."""
    return tuple(stem(_SAME.get(word, word)) for word in content(text))


@lru_cache(maxsize=16_384)
def bare(text: str) -> str:
    """Return the words of a text without articles, in lower case."""
    words = [word for word in tokens(text) if word not in ARTICLES]
    return " ".join(words) or folded(text)


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
    if EXCEPT.search(text) and len(read_asked(text, dates).rest.split()) == 1:
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
    asked = read_asked(text, dates)
    return bool(asked.conditions or asked.group or asked.search) or (
        asked.clear and len(asked.rest.split()) <= 1
    )


def parts_of(words: str) -> tuple[str, ...]:
    """The single references of a list of them: `milk, the eggs and #3`."""
    text = re.sub(r"^both (?:of )?", "", words.strip(), flags=re.IGNORECASE)
    return tuple(part.strip() for part in _JOINTS.split(text) if part.strip())
