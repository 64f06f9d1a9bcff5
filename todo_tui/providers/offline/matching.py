"""Matching: which of the known tasks words mean, from the exact title to a likely slip."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from todo_tui.providers.offline.toolwork import Seen
from todo_tui.providers.offline.verbs import GENERIC_DEEDS, base_form, is_verb, same_deed
from todo_tui.providers.offline.words import (
    ARTICLES,
    GENERIC,
    KINDS,
    alike,
    content,
    folded,
    stem,
    tokens,
)

_TIME = re.compile(
    r"[,\s]+(?:(?:yesterday|today|tonight|tomorrow|already|now|just now|earlier|again"
    r"|finally|right now|as well"
    r"|myself|too|by myself|together|last|this|due|since|until)\b.*|on (?:the )?(?:mon|tues"
    r"|wednes|thurs|fri|satur|sun)day.*"
    r"|(?:at|in) (?:the )?(?:morning|afternoon|evening|end|last minute|time|advance|noon"
    r"|lunch).*)$",
    re.IGNORECASE,
)
"""What says when, at the end of a phrase."""

_PLACE = re.compile(
    r"[,\s]+(?:(?:at|in|on|from|over|around|via|by|because|so|while|when|after|before|during"
    r"|and it|which|without|through"
    r"|—|-|–)\b.*)$",
    re.IGNORECASE,
)
"""What says where or how, at the end of a report."""

_ABOUT = re.compile(r"[,\s]+(?:(?:for|with|to|about|of)\b.*)$", re.IGNORECASE)
"""What may say which one: it is left out only where the title says it too."""

_SHORT = 5
"""Letters of a word that is too short to be known with another beginning."""

_SAME = {
    "mum": "mom",
    "mother": "mom",
    "mommy": "mom",
    "father": "dad",
    "daddy": "dad",
    "groceries": "grocery",
    "photos": "photo",
    "pics": "photo",
    "docs": "document",
    "doc": "document",
    "appt": "appointment",
    "mtg": "meeting",
}


def find(words: str, tasks: Sequence[Seen]) -> tuple[Seen, ...]:
    """The tasks that words fit best, all of them where they fit several as well.

    The best tier that has any counts: the exact title, its words, a part of its
    words, the same with slips, and the same without what the title may not say.
    """
    named = _without_generic(words)
    if found := find_strictly(words, tasks):
        return _tightest(named, _tightest(words, found))
    for phrase in _without_tail(named, _TIME):
        if found := find_strictly(phrase, tasks):
            return _tightest(phrase, found)
    return ()


def find_surely(words: str, tasks: Sequence[Seen]) -> tuple[Seen, ...]:
    """The tasks whose title has all the words, none of them with a slip."""
    return tuple(task for task in tasks if any(fits(words, task) for fits in _SURE))


def find_exactly(words: str, tasks: Sequence[Seen]) -> tuple[Seen, ...]:
    """The tasks whose title the words are, but for case and articles."""
    return tuple(task for task in tasks if _exact(words, task))


def nearest(words: str, tasks: Sequence[Seen]) -> tuple[Seen, ...]:
    """Tasks that share a telling word with a phrase that fits none; at most two."""
    telling = [word for word in content(words) if word not in GENERIC]
    things = [word for word in telling if not is_verb(word)]
    for wanted in (things, telling):
        scored = [(sum(_near(word, task) for word in wanted), task) for task in tasks]
        if best := sorted((pair for pair in scored if pair[0]), key=lambda pair: -pair[0]):
            return tuple(task for _, task in best[:2])
    return ()


def reported(verb: str, said: str, tasks: Sequence[Seen]) -> tuple[Seen, ...]:
    """The tasks that a past deed has done: its object fits, and so does its verb."""
    for phrase, left_out in _told(said):
        possible = [task for task in tasks if _says_too(left_out, task)]
        for fits in (_exactly_done, _done, _done_and_more):
            if found := tuple(task for task in possible if fits(verb, phrase, task)):
                return _tightest(phrase, found)
    return ()


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
    if (plain := _without_generic(said)) != said:
        yield plain, ""
    for phrase in _without_tail(said, _TIME, _PLACE):
        yield phrase, ""
    for phrase in _without_tail(said, _TIME, _PLACE, _ABOUT):
        yield phrase, said[len(phrase) :]


def _says_too(left_out: str, task: Seen) -> bool:
    """Whether the title has a word of what was left out, or nothing was."""
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
    return _bare(words) == _bare(task.title)


def _same_words(words: str, task: Seen) -> bool:
    return sorted(_stems(words)) == sorted(_stems(task.title))


def _covers(words: str, task: Seen) -> bool:
    title = set(_stems(task.title))
    wanted = _stems(words)
    return bool(wanted) and all(word in title for word in wanted)


def _covers_with_slips(words: str, task: Seen) -> bool:
    wanted = _stems(words)
    if len(wanted) == 1:
        return _surely_near(wanted[0], task)
    return bool(wanted) and all(_near(word, task) for word in wanted)


def _surely_near(word: str, task: Seen) -> bool:
    """Whether a word is one of the title even if no other is: `home` is not yet Rome."""
    likely = (other for other in _stems(task.title) if alike(word, other))
    return any(len(word) > _SHORT or word[0] == other[0] for other in likely)


def _covers_the_rest(words: str, task: Seen) -> bool:
    """All words but verbs and kinds of task stand in the title, and one of them tells."""
    wanted = _stems(words)
    title = set(_stems(task.title))
    missing = [word for word in wanted if word not in title and not _near(word, task)]
    found = [word for word in wanted if word not in missing]
    telling = [word for word in found if not is_verb(word) or len(found) > 1]
    if not any(_surely_near(word, task) for word in telling):
        return False
    return all(word in KINDS or word in GENERIC for word in missing)


def _synonym_verb(words: str, task: Seen) -> bool:
    """`phone mom` for `Call mom`: another verb for the same deed."""
    wanted, title = _stems(words), _stems(task.title)
    if len(wanted) < 2 or len(title) < 2 or not is_verb(wanted[0]):
        return False
    return same_deed(wanted[0], title[0]) and all(word in title[1:] for word in wanted[1:])


def _synonym_only(words: str, task: Seen) -> bool:
    return _synonym_verb(words, task) and len(_stems(words)) == len(_stems(task.title))


Fits = Callable[[str, Seen], bool]
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
    title = _stems(task.title)
    return sorted(_stems(said)) == sorted(title[1:]) and base_form(verb) == title[0]


def _done(verb: str, said: str, task: Seen) -> bool:
    """The title says all that was said: `called Anna` of `Call Anna about the lease`."""
    if verb in GENERIC_DEEDS:
        return bool(find_strictly(said, (task,)))
    title, wanted = _stems(task.title), _stems(said)
    if not title or not wanted:
        return False
    if is_verb(title[0]) and len(title) > 1:
        return same_deed(verb, title[0]) and all(_in(word, title[1:]) for word in wanted)
    return is_verb(verb) and all(_in(word, title) for word in wanted)


def _done_and_more(verb: str, said: str, task: Seen) -> bool:
    """One word more was said than the title says: `wrote the long report` of `Write report`."""
    title, wanted = _stems(task.title), _stems(said)
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
    return any(alike(word, other) for other in _stems(task.title))


def _stems(text: str) -> tuple[str, ...]:
    return tuple(stem(_SAME.get(word, word)) for word in content(text))


def _bare(text: str) -> str:
    words = [word for word in tokens(text) if word not in ARTICLES]
    return " ".join(words) or folded(text)
