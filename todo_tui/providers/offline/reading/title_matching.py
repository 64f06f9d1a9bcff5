"""Match words against the titles of tasks, typing errors and other words for a deed included."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from math import log

from todo_tui.providers.offline.language.pattern import regex
from todo_tui.providers.offline.language.words import (
    ARTICLES,
    GENERIC,
    GENERIC_DEEDS,
    KINDS,
    LINKS,
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
from todo_tui.providers.offline.tool_results import ShownTask

_TIME = regex(
    r"[,\s]+((yesterday|today|tonight|tomorrow|already|now|just now|earlier|again|finally"
    r"|right now|as well|myself|too|by myself|together|last|this|due|since|until)\b.*"
    r"|((about|some|like) )?(\S+|a (few|couple( of)?))"
    r" (minutes?|mins?|hours?|days?|weeks?|months?) ago.*"
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
_NUMBERED = regex(r"(?<![\w#])(#|task (number |no\.? ?)?#?)(?P<number>\d{1,9})\b")
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
_VERBS = word_set("moving_verbs") | word_set("command_verbs")
_SMALL = word_set("small_words")
"""Words that alone mention no task."""
Fits = Callable[[str, ShownTask], bool]


def with_titles(text: str, tasks: Sequence[ShownTask]) -> str:
    """Return a text with the titles of tasks in place of their numbers: `#3 is off`."""
    titles = {task.id: task.title for task in tasks}
    return _NUMBERED.sub(lambda match: titles.get(int(match["number"]), match[0]), text)


def find(words: str, tasks: Sequence[ShownTask]) -> tuple[ShownTask, ...]:
    """The tasks that words fit best, all of them where they fit several as well.

    The best tier that has any counts: the exact title, its words, a part of its
    words, the same with slips, and the same without what the title may not say.
    """
    named = _without_generic(words)
    if found := find_strictly(words, tasks):
        return _tightest(named, _tightest(words, found))
    return ()


def find_exactly(words: str, tasks: Sequence[ShownTask]) -> tuple[ShownTask, ...]:
    """The tasks whose title the words are, but for case and articles."""
    return tuple(task for task in tasks if _exact(words, task))


def mentioned(
    words: Sequence[str], tasks: Sequence[ShownTask], *, by_verb: bool = False
) -> tuple[tuple[ShownTask, ...], set[int]]:
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
    best: list[tuple[ShownTask, frozenset[int]]] = []
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
    """Return the stem of a title that a word is, despite a slip where no title has the word.

    A verb that people write is no slip of another: `chuck` is not *check*.
    """
    for name in word:
        if name in title:
            return name
    for name in word[:1]:
        if name not in count and len(name) >= _SURELY_MISSPELT and name not in _VERBS:
            return next((each for each in title if alike(name, each)), "")
    return ""


def reported(verb: str, said: str, tasks: Sequence[ShownTask]) -> tuple[ShownTask, ...]:
    """The tasks that a past deed has done: its object fits, and so does its verb."""
    for phrase, left_out in _told(said):
        possible = [task for task in tasks if _says_too(left_out, task)]
        for fits in (_exactly_done, _done, _done_and_more):
            if found := tuple(task for task in possible if fits(verb, phrase, task)):
                return _tightest(phrase, found)
    return ()


def may_complete(verb: str, task: ShownTask) -> bool:
    """Return True if a deed can be the one that a task is about."""
    return verb not in UNFINISHING_DEEDS or same_deed(verb, stems(task.title)[0])


def reported_exactly(verb: str, said: str, tasks: Sequence[ShownTask]) -> tuple[ShownTask, ...]:
    """The tasks whose titles are the deed, word for word: `bought salt and pepper`."""
    return tuple(task for task in tasks if _exactly_done(verb, said, task))


def touched(said: str, tasks: Sequence[ShownTask]) -> tuple[ShownTask, ...]:
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


def _says_too(left_out: str, task: ShownTask) -> bool:
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


def _exact(words: str, task: ShownTask) -> bool:
    return bare(words) == bare(task.title)


def _same_words(words: str, task: ShownTask) -> bool:
    return sorted(stems(words)) == sorted(stems(task.title))


def _covers(words: str, task: ShownTask) -> bool:
    title = set(stems(task.title))
    wanted = stems(words)
    return bool(wanted) and all(word in title for word in wanted)


def _covers_with_slips(words: str, task: ShownTask) -> bool:
    wanted = stems(words)
    if len(wanted) == 1:
        return _surely_near(wanted[0], task)
    return bool(wanted) and all(_near(word, task) for word in wanted)


def _surely_near(word: str, task: ShownTask) -> bool:
    """Return True if a word is one of the title even if no other is: `home` is not yet Rome."""
    likely = (other for other in stems(task.title) if alike(word, other))
    return any(len(word) > _SHORT or word[0] == other[0] for other in likely)


def _covers_the_rest(words: str, task: ShownTask) -> bool:
    """All words but verbs and kinds of task stand in the title, and one of them tells."""
    wanted = stems(words)
    title = set(stems(task.title))
    missing = [word for word in wanted if word not in title and not _near(word, task)]
    found = [word for word in wanted if word not in missing]
    telling = [word for word in found if not is_verb(word) or len(found) > 1]
    if not any(_surely_near(word, task) for word in telling):
        return False
    return all(word in KINDS or word in GENERIC for word in missing)


def _synonym_verb(words: str, task: ShownTask) -> bool:
    """`phone mom` for `Call mom`: another verb for the same deed."""
    wanted, title = stems(words), stems(task.title)
    if len(wanted) < 2 or len(title) < 2 or not is_verb(wanted[0]):
        return False
    return same_deed(wanted[0], title[0]) and all(word in title[1:] for word in wanted[1:])


def _synonym_only(words: str, task: ShownTask) -> bool:
    return _synonym_verb(words, task) and len(stems(words)) == len(stems(task.title))


_SURE: tuple[Fits, ...] = (_exact, _same_words, _covers, _synonym_verb)
_LIKELY: tuple[Fits, ...] = (_covers_with_slips, _covers_the_rest)


def _tightest(phrase: str, found: tuple[ShownTask, ...]) -> tuple[ShownTask, ...]:
    """Of several, the one whose title is the phrase itself, where there is one."""
    for same in (_exact, _same_words, _synonym_only):
        if len(found) > 1 and (tight := tuple(task for task in found if same(phrase, task))):
            return tight
    return found


def _exactly_done(verb: str, said: str, task: ShownTask) -> bool:
    """`bought milk` of `Buy milk`."""
    title = stems(task.title)
    return sorted(stems(said)) == sorted(title[1:]) and base_form(verb) == title[0]


def _done(verb: str, said: str, task: ShownTask) -> bool:
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


def _done_and_more(verb: str, said: str, task: ShownTask) -> bool:
    """One word more was said than the title says: `wrote the long report` of `Write report`."""
    title, wanted = stems(task.title), stems(said)
    rest = title[1:]
    if not rest or not wanted or not same_deed(verb, title[0]):
        return False
    heads = alike(wanted[-1], rest[-1])
    return heads and len(wanted) == len(rest) + 1 and all(_in(word, wanted) for word in rest)


def find_strictly(words: str, tasks: Sequence[ShownTask]) -> tuple[ShownTask, ...]:
    """Like `find`, without leaving out what trails behind."""
    phrases = tuple(dict.fromkeys((words, _without_generic(words))))
    ways = ((phrase, fits) for tier in (_SURE, _LIKELY) for phrase in phrases for fits in tier)
    found = (tuple(task for task in tasks if fits(phrase, task)) for phrase, fits in ways)
    return next(filter(None, found), ())


def _in(word: str, words: Sequence[str]) -> bool:
    return any(alike(word, other) for other in words)


def _near(word: str, task: ShownTask) -> bool:
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
