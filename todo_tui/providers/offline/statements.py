"""Read what is said of tasks in their own words: `printer ink arrived`, `yoga's off tomorrow`.

Tasks are found first, by the stems of their titles, rare ones weighing more; then what is left of
the words tells what became of them. Words that tell nothing are unread.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import NamedTuple

from todo_tui.providers.offline.changes import ChangeReader, Dates, is_time
from todo_tui.providers.offline.gate import DAY, DENIED, is_function
from todo_tui.providers.offline.pattern import regex
from todo_tui.providers.offline.phrases import in_order
from todo_tui.providers.offline.references import DONE, NEGATIONS, NO_MENTION, OFF, mentioned, stems
from todo_tui.providers.offline.requests import Change, Verb
from todo_tui.providers.offline.sets import named_set
from todo_tui.providers.offline.tool_results import Seen
from todo_tui.providers.offline.words import (
    GENERIC_DEEDS,
    UNFINISHING_DEEDS,
    base_form,
    is_past,
    is_verb,
    patterns,
    same_deed,
    surely_verb,
    tokens,
    word_set,
    word_table,
)

_AT_END = frozenset({"in", "over", "through", "behind", "back", "here"})
"""Words that say that something is done where they end a statement."""
_EXCEPT = word_set("except_words") - NEGATIONS | {"except"}
_LINKING = word_set("linking_words")
_SEVERAL = frozenset({"both", "all", "every", "each", "everything"})
_UNREAL = frozenset({"wish", "hope", "if", "unless", "pretend", "almost", "nearly", "half"})
_PLANS = frozenset({"should", "must", "will", "can", "may", "need", "needs", "i'll"})
"""Words with which a deed lies ahead."""
_CONDITIONS = frozenset({"if", "unless", "when", "whether", "maybe", "would", "could", "might"})
_LONGEST_CHANGE = 7
_DENIED_AFTER = 5
"""Words behind `not` of which it denies one."""
_PERIODS = frozenset({"week", "month", "year"})
_CLOCK = re.compile(r"\d{1,2}[.:]\d\d")
_VERBS = {word: Verb(name) for word, name in word_table("verbs").items()}
_TOLD = tuple((regex(pattern), plain) for pattern, plain in patterns("told"))


@dataclass(frozen=True, slots=True)
class Said:
    """What is said of the tasks that words fit equally well; `change` is None if nothing is."""

    tasks: tuple[Seen, ...]
    change: Change | None
    unread: tuple[str, ...]
    is_sure: bool = False
    """True if the words name most of the title, and are no condition or command of their own."""
    is_set: bool = False
    """True for `both calls`: all of the tasks are meant, not one of them."""
    is_linked: bool = False
    """True if a word joins the tasks and what they get: `are`, `to`, a colon."""
    is_undone: bool = False
    """True for `I haven't called yet`."""


class Again(NamedTuple):
    """A task that a new title names; `is_whole` if the new title says nothing else."""

    task: Seen
    is_whole: bool
    begins_with_verb: bool


def named_again(title: str, tasks: Sequence[Seen]) -> Again | None:
    """Return the task that a new title may be said of; None if it surely is a task of its own."""
    found, _ = mentioned(tokens(title), tasks)
    known = {word for task in tasks for word in stems(task.title)}
    if len(found) > 1 and known.issuperset(stems(title)):
        return Again(found[0], is_whole=False, begins_with_verb=False)
    if len(found) != 1:
        return None
    new, old = stems(title), stems(found[0].title)
    if len(new) > 1 and new[0] in GENERIC_DEEDS and new[0] not in old:
        # `do the stats set` is no other deed.
        new = new[1:]
    shared = [word for word in new if word in old or same_deed(word, old[0])]
    is_whole = len(shared) == len(new)
    is_half = 2 * len(shared) >= max(len(new), len(old)) and not surely_verb(new[0])
    return Again(found[0], is_whole, is_verb(old[0])) if is_whole or is_half else None


def read_statement(
    text: str, tasks: Sequence[Seen], changes: ChangeReader, dates: Dates
) -> Said | None:
    """Return what a text says of tasks; None if it mentions none."""
    words = _words_of(text, changes)
    several = not _SEVERAL.isdisjoint(words)
    if named := named_set(words, tasks, dates):
        found, places = named.tasks, set(named.places)
    else:
        words = [word.strip(":") for word in words]
        found, places = mentioned(words, tasks, by_verb=several)
    if not found:
        return None
    spans = list(_changes(words, places, changes))
    rest = [at for at in range(len(words)) if at not in places and not _within(at, spans)]
    verbs = {stems(task.title)[0] for task in found}
    told = _told(words, places, {start for start, _, _ in spans}, rest, verbs)
    details, lost = _combined(spans, changes)
    commands = {verb for at in rest if (verb := _VERBS.get(words[at]))}
    change, left = _meant(told, details, commands, found, dates)
    if named is None and not _EXCEPT.isdisjoint(words[max(0, min(places) - 3) : min(places)]):
        # `all of history to high, just not the reading`: the one task named is the one spared.
        change = None
    unread = [
        words[at]
        for at in rest
        if words[at] not in NO_MENTION
        and words[at] not in _VERBS
        and words[at] not in _UNREAL
        and not is_function(words[at])
        and not _is_done(words[at], verbs, is_title=False)
    ]
    unread += [*lost, *left]
    if change is not None and change.verb is not Verb.COMPLETE:
        unread += [words[at] for at in rest if DAY.fullmatch(words[at]) or words[at] in _PERIODS]
    unnamed = (word for at, word in enumerate(words) if at not in places)
    is_linked = any(word in _LINKING for word in unnamed) or ":" in text
    is_sure = (
        (change is None or change.verb is not Verb.UPDATE or is_linked)
        and not (several or named or unread or commands or "off" in words)
        and _CONDITIONS.isdisjoint(words)
        and all(2 * len({words[at] for at in places}) >= len(stems(task.title)) for task in found)
    )
    is_undone = told.is_undone or (change is None and any(words[at] in NEGATIONS for at in rest))
    return Said(
        found,
        change,
        tuple(unread),
        is_sure,
        is_set=named is not None or (several and len(found) > 1),
        is_linked=is_linked,
        is_undone=is_undone and not told.is_unreal,
    )


class _Told(NamedTuple):
    """What became of tasks, by the words around their titles."""

    is_done: bool
    is_off: bool
    is_undone: bool
    is_unreal: bool


def _told(
    words: Sequence[str], places: set[int], days: set[int], rest: Sequence[int], verbs: set[str]
) -> _Told:
    """Read what the words at the places `rest` tell; `days` are the places of changes."""
    # `the books are back`, but not `back to the books`.
    inner = [at for at in rest if words[at] not in _AT_END or at == len(words) - 1]
    done = {at for at in (*inner, *places) if _is_done(words[at], verbs, is_title=at in places)}
    off = {at for at in rest if words[at] in OFF}
    is_planned = any(
        words[at] in _PLANS or (words[at] == "to" and is_verb("".join(words[at + 1 : at + 2])))
        for at in rest
    )
    is_undone = any(
        words[at] in NEGATIONS
        and ((done | off) & set(range(at + 1, at + _DENIED_AFTER)) or at + 1 in days)
        for at in rest
    )
    is_unreal = any(words[at] in _UNREAL for at in rest)
    return _Told(bool(done) and not is_planned, bool(off), is_undone, is_unreal)


def _combined(
    spans: Sequence[tuple[int, int, str]], changes: ChangeReader
) -> tuple[str, list[str]]:
    """Return the changes as one, what is said last counting, and the days that this leaves out."""
    details, lost = "", []
    for _, _, words in spans:
        both = changes.replaced(details, words) if details else words
        if details and details not in both and not is_time(words) and not is_time(details):
            lost.append(details)
        details = both
    return details, lost


def _meant(
    told: _Told, details: str, commands: set[Verb], found: Sequence[Seen], dates: Dates
) -> tuple[Change | None, list[str]]:
    """Return what is to be done, if anything is, and the change words that this leaves out."""
    if told.is_undone or told.is_unreal:
        return None, []
    if told.is_off:
        is_left = details and not _is_due(found, details, dates)
        return Change(Verb.UPDATE, "it", "cancelled"), [details] if is_left else []
    if len(commands) == 1 and not details:
        return Change(next(iter(commands)), "it"), []
    # `beans get ordered every other monday` tells of no single deed.
    if told.is_done and "every" not in details:
        is_left = details and not _is_past(details, dates)
        return Change(Verb.COMPLETE, "it"), [details] if is_left else []
    if details and not _is_past(details, dates, -1):
        return Change(Verb.UPDATE, "it", details), []
    return None, []


def _words_of(text: str, changes: ChangeReader) -> list[str]:
    """Return the words of a statement, expressions for what became of a task made one word."""
    for pattern, plain in _TOLD:
        text = pattern.sub(plain, text)
    if (denied := DENIED.search(text)) and changes.is_date(f"at {denied['days']}"):
        text = DENIED.sub("", text)
    words = [word.strip(".,!?;()").lower() for word in text.replace("'s ", " ").split()]
    return [word for word in words if any(letter.isalnum() for letter in word)]


def _changes(
    words: Sequence[str], places: set[int], changes: ChangeReader
) -> Iterator[tuple[int, int, str]]:
    """Yield the longest changes of fields between the words of titles: start, end, change words."""
    at = 0
    while at < len(words):
        for end in range(min(len(words), at + _LONGEST_CHANGE), at, -1):
            if places.isdisjoint(range(at, end)):
                phrase = " ".join(words[at:end])
                is_hour = _is_hour(words[at:end]) or _CLOCK.fullmatch(phrase)
                read = changes.words(in_order(phrase)) or (
                    changes.words(f"at {words[end - 1]}") if is_hour else None
                )
                if read and phrase not in ("todo", "to do", "doing"):
                    yield at, end, read
                    at = end
                    break
        else:
            at += 1


def _is_hour(words: Sequence[str]) -> bool:
    """Return True for `to 4`, which is a time where something is moved."""
    return len(words) == 2 and words[0] in ("to", "till", "until") and words[1].isdigit()


def _within(at: int, spans: Sequence[tuple[int, int, str]]) -> bool:
    return any(start <= at < end for start, end, _ in spans)


def _is_done(word: str, verbs: set[str], *, is_title: bool) -> bool:
    """Return True for `done`, and for a deed that is the one of the task."""
    if word in DONE:
        return not is_title
    verb = base_form(word)
    if not is_past(word) or verb in UNFINISHING_DEEDS:
        return False
    return verb in GENERIC_DEEDS or any(same_deed(verb, each) for each in verbs)


def _is_due(tasks: Sequence[Seen], details: str, dates: Dates) -> bool:
    days = dates.stretch(details)
    return days is not None and all(
        task.due and days.first <= task.due.day <= days.last for task in tasks
    )


def _is_past(details: str, dates: Dates, ahead: int = 0) -> bool:
    """Return True for days that have begun `ahead` days from now."""
    days = dates.stretch(details)
    return days is not None and days.first <= dates.now.date() + timedelta(ahead)
