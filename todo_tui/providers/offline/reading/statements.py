"""Read what a clause says of tasks in their own words: `printer ink arrived`, `yoga's off`.

Tasks are found first, by the stems of their titles, rare ones weighing more; then what is left of
the words tells what became of them. Words that tell nothing are unread.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import NamedTuple

from todo_tui.providers.offline.language.change_phrases import ChangeReader, Dates, is_time
from todo_tui.providers.offline.language.clauses import GONE, PLACES, Clause
from todo_tui.providers.offline.language.phrases import SHIFT
from todo_tui.providers.offline.language.words import (
    GENERIC_DEEDS,
    KINDS,
    UNFINISHING_DEEDS,
    alike,
    base_form,
    is_past,
    is_verb,
    same_deed,
    word_list,
    word_set,
    word_table,
)
from todo_tui.providers.offline.reading.sets import NamedSet
from todo_tui.providers.offline.reading.title_matching import (
    DONE,
    NEGATIONS,
    NO_MENTION,
    OFF,
    mentioned,
    stems,
)
from todo_tui.providers.offline.reading.write_gate import DAY, is_function
from todo_tui.providers.offline.requests import Change, Verb
from todo_tui.providers.offline.tool_results import ShownTask

_AT_END = word_set("done_at_end")
"""Words that say that something is done where they end a statement."""
_LINKING = word_set("linking_words")
_SEVERAL = word_set("several_words")
_EXCEPT = word_set("except_words")
_BEFORE_ALL = frozenset({"after", "at", "in", "above"})
"""Words behind which `all` means no tasks: `they can't come after all`."""
_UNREAL = word_set("unreal_words")
_PLANS = word_set("planning_words")
"""Words with which a deed lies ahead."""
_CONDITIONS = word_set("doubting_words")
_ASKING = frozenset({"could", "would"})
"""Words that begin a request."""
_ABLE = word_set("unable_words")
_NOT_YET = _ABLE | {"haven't"}
REMAINING = word_set("remaining_words")
"""Words for what is not done yet."""
_DENIED_AFTER = 5
"""Words behind `not` of which it denies one."""
_MOVING = word_set("moving_verbs")
"""Verbs in whose past forms a date is where a task went."""
_MOVED = word_set("moved_verbs")
_PERIODS = frozenset({"week", "month", "year"})
_VERBS = {word: Verb(name) for word, name in word_table("verbs").items()}
_EXCLAIMED = word_set("exclamations") | word_set("reason_words")
_LONG_FILLERS = ("finally", "actually", "already", "thanks", "please", "though", "anyway")
_GENERAL = word_set("general_verbs")
"""Verbs without which a title is whole: `get haircut`."""
DEPENDING = frozenset({"depend", "depends", "dependent", "hinges", "relies", "blocks"})
"""What says that a task waits for another one, which changes none of them."""
_SMALL = word_set("small_words")
_WEAK = word_set("weak_done_words")
_VISITS = word_set("event_deeds")
_ANSWERS = {deed: frozenset(others) for deed, *others in map(str.split, word_list("answered_by"))}
"""Deeds of others that do what a title asks for: who was asked has answered."""


@dataclass(frozen=True, slots=True)
class ClauseMeaning:
    """What is said of the tasks that words fit equally well; `change` is None if nothing is."""

    tasks: tuple[ShownTask, ...]
    change: Change | None
    unread: tuple[str, ...]
    left: tuple[str, ...] = ()
    """Values that are not carried out, because another one was said."""
    is_sure: bool = False
    """True if the words name most of the title, and are no condition or command of their own."""
    is_set: bool = False
    """True for `both calls`: all of the tasks are meant, not one of them."""
    is_linked: bool = False
    """True if a word joins the tasks and what they get: `are`, `to`, a colon."""
    is_undone: bool = False
    """True for `I haven't called yet`."""
    is_unable: bool = False
    """True for `Anna can't make lunch`, where nobody says when else."""
    is_deed: bool = False
    """True if a deed alone tells that it is done: `bought some`."""
    share: float = 1.0
    """Part of the words with a meaning that are those of the titles."""


def read_clause(
    clause: Clause,
    tasks: Sequence[ShownTask],
    changes: ChangeReader,
    dates: Dates,
    named: NamedSet | None = None,
    pointed: tuple[ShownTask, ...] = (),
) -> ClauseMeaning | None:
    """Return what a clause says of tasks; None if it mentions none.

    `named` are tasks that it names as a set, `pointed` those that `it` stands for.
    """
    parts = _parts_of(clause, tasks, named, pointed)
    if parts is None:
        return None
    words, rest = parts.words, parts.rest
    told = _told(words, parts.places, {start for start, _, _ in parts.spans}, rest, parts.verbs)
    details, lost = _combined(parts.spans, changes)
    commands = {verb for at in rest if (verb := _VERBS.get(words[at]))}
    if details and _is_past(details, dates, 0) and _reports(words, rest):
        # `they took my order this morning`: when it was, not when it is due.
        details = ""
    change, left = _meant(told, details, commands, parts.tasks, dates)
    left += lost
    unread = [
        words[at]
        for at in rest
        if not _is_read(words[at], parts.verbs)
        # The `first draft` is another draft.
        or (words[at] in PLACES and at + 1 in parts.places)
    ]
    count = len({word for at in parts.places for word in stems(words[at])})
    share = count / (count + len(unread)) if count else 0.0
    if change is not None and change.verb is not Verb.COMPLETE:
        unread += [words[at] for at in rest if DAY.fullmatch(words[at]) or words[at] in _PERIODS]
    days = dates.stretch(details) if details else None
    is_deed = (
        change is not None
        and change.verb is Verb.COMPLETE
        and not any(words[at] in DONE or words[at] in _VERBS for at in rest)
    )
    is_clear = not (named or unread or left or commands or (parts.is_several and is_deed))
    is_period = days is not None and days.first < days.last and told.is_off
    is_undone = told.is_undone or (change is None and any(words[at] in NEGATIONS for at in rest))
    return ClauseMeaning(
        parts.tasks,
        change,
        tuple(unread),
        tuple(left),
        is_clear and not is_period and parts.name_tasks(change, is_weak=told.is_weak),
        is_set=named is not None or (parts.is_several and len(parts.tasks) > 1),
        is_linked=parts.is_linked,
        is_undone=is_undone and not told.is_unreal,
        is_unable=not details and not _ABLE.isdisjoint(words[at] for at in rest),
        is_deed=is_deed,
        share=share,
    )


@dataclass(frozen=True, slots=True)
class _Parts:
    """The words of a clause by what they are: of titles, of values, or the rest."""

    words: list[str]
    tasks: tuple[ShownTask, ...]
    places: set[int]
    """Of words of the titles."""
    spans: list[tuple[int, int, str]]
    """First and last place of each value, and the value."""
    rest: list[int]
    """Places of all other words."""
    is_several: bool
    """True for `all` and `both`, said of tasks."""
    is_heading: bool
    """True for a title before a colon."""

    @property
    def verbs(self) -> set[str]:
        """Return the first words of the titles."""
        return {title[0] for task in self.tasks if (title := stems(task.title))}

    @property
    def is_linked(self) -> bool:
        """Return True if a word joins the tasks and what they get."""
        links = any(self.words[at] in _LINKING for at in self.rest) or any(
            SHIFT.fullmatch(change) for _, _, change in self.spans
        )
        return self.is_heading or links or _leads(self.words, self.spans)

    def name_tasks(self, change: Change | None, *, is_weak: bool) -> bool:
        """Return True if the words name most of the titles, and set no condition."""
        words, places = self.words, self.places
        shared = {name for at in places for name in stems(words[at])} | _GENERAL
        titles = [stems(task.title) for task in self.tasks]
        is_covered = all(
            2 * len(places) >= len(title) or title[0] in shared for title in titles if title
        )
        is_whole = any(map(shared.issuperset, titles))
        return (
            (change is None or change.verb is not Verb.UPDATE or self.is_linked or is_whole)
            and (not self.is_several or _is_all(words, self.tasks))
            and _CONDITIONS.isdisjoint(words[1:] if words[0] in _ASKING else words)
            and (is_covered or not places or not is_weak)
        )


def _parts_of(
    clause: Clause,
    tasks: Sequence[ShownTask],
    named: NamedSet | None,
    pointed: tuple[ShownTask, ...],
) -> _Parts | None:
    words = list(clause.words)
    is_several = any(
        word in _SEVERAL
        and not (at and words[at - 1] in _BEFORE_ALL)
        and not clause.is_in_span(at)
        and not (len(words) > at + 1 and words[at + 1] in DONE)
        for at, word in enumerate(words)
    )
    if named:
        found, places = named.tasks, set(named.places)
    else:
        bare = ["" if clause.is_in_span(at) else word.strip(":") for at, word in enumerate(words)]
        found, places = mentioned(bare, tasks)
        if is_several and not found:
            found, places = mentioned(bare, tasks, by_verb=True)
    if not found and pointed:
        found, places = pointed, set()
    if not found:
        return None
    is_heading = any(words[at].endswith(":") for at in places)
    words = [word.strip(":") for word in words]
    spans = [
        (span.start, span.end, span.change)
        for span in clause.spans
        if places.isdisjoint(range(span.start, span.end))
        and not _is_in_title(words[span.start : span.end], found)
    ]
    rest = [at for at in range(len(words)) if at not in places and not _within(at, spans)]
    return _Parts(words, found, places, spans, rest, is_several, is_heading)


def _is_read(word: str, verbs: set[str]) -> bool:
    """Return True for a word that tells something, or has no meaning of its own."""
    return (
        word in NO_MENTION
        or word == GONE
        or word in _VERBS
        or word in _UNREAL
        or _is_filler(word)
        or (
            is_function(word)
            and word not in DEPENDING
            and not (_tells(word) or _is_other_kind(word, verbs))
        )
        or _is_done(word, verbs, is_title=False)
    )


def _is_in_title(words: Sequence[str], found: Sequence[ShownTask]) -> bool:
    """Return True for `boxing day` of *Swap Boxing Day turn*, but not for `to boxing day`."""
    said = [stems(word) for word in words]
    return all(
        each and set(each) <= set(stems(task.title)) for task in found for each in said
    ) and not (words and words[0] in _LINKING)


def _is_all(words: Sequence[str], found: Sequence[ShownTask]) -> bool:
    """Return True for `both calls` and `all the photocopying`, where there are as many."""
    return len(found) < 3 if "both" in words else len(found) > 1


def _is_filler(word: str) -> bool:
    """Return True for a word that tells nothing, with a slip in it too: `finaly`."""
    return word in _EXCLAIMED or any(alike(word, each) for each in _LONG_FILLERS)


def _tells(word: str) -> bool:
    """Return True for `leaves` and `coming`: who does it is told, and no order given."""
    return (
        (word.endswith("s") or (word.endswith("ing") and base_form(word) not in GENERIC_DEEDS))
        and word not in _SMALL
        and word not in _LINKING
        and is_verb(base_form(word))
        and base_form(word) != word
    )


def _is_other_kind(word: str, verbs: set[str]) -> bool:
    """Return True for the `appointment` of somebody whom a task only is to call."""
    deeds = [verb for verb in verbs if is_verb(verb)]
    return word in KINDS and bool(deeds) and not any(map(word.startswith, deeds))


def _reports(words: Sequence[str], rest: Sequence[int]) -> bool:
    """Return True for a clause in the past that moves nothing."""
    past = [base_form(words[at]) for at in rest if is_past(words[at])]
    return bool(past) and _MOVING.isdisjoint(past)


def _leads(words: Sequence[str], spans: Sequence[tuple[int, int, str]]) -> bool:
    """Return True if a word such as `by` begins a value."""
    return any(words[start] in _LINKING for start, _, _ in spans)


class _Told(NamedTuple):
    """What became of tasks, by the words around their titles."""

    is_done: bool
    is_off: bool
    is_undone: bool
    is_unreal: bool
    is_weak: bool = False
    """True for `ready` and `finished`, which are said of things too."""


def _told(
    words: Sequence[str], places: set[int], days: set[int], rest: Sequence[int], verbs: set[str]
) -> _Told:
    """Read what the words at the places `rest` tell; `days` are the places of changes."""
    # `the books are back`, but not `back to the books`.
    inner = [
        at
        for at in rest
        if words[at] not in _AT_END or at == len(words) - 1 or words[at + 1] in _EXCEPT
    ]
    done = {at for at in (*inner, *places) if _is_done(words[at], verbs, is_title=at in places)}
    off = {at for at in rest if words[at] in OFF and not _is_particle(words, at, rest)}
    denied = [at for at in rest if words[at] == "no" and at + 1 in places]
    if denied and not done and (denied[0] == 0 or "there" in words[: denied[0]]):
        # `no training on saturday`, `there will be no bridge`
        return _Told(is_done=False, is_off=True, is_undone=False, is_unreal=False)
    is_planned = any(
        words[at] in _PLANS or (words[at] == "to" and is_verb("".join(words[at + 1 : at + 2])))
        for at in rest
    )
    is_undone = any(
        words[at] in NEGATIONS
        and ((done | off) & set(range(at + 1, at + _DENIED_AFTER)) or at + 1 in days)
        for at in rest
    ) or any(words[at] in _NOT_YET or words[at] in REMAINING for at in rest)
    is_unreal = any(words[at] in _UNREAL for at in rest)
    is_moved = any(is_past(words[at]) and base_form(words[at]) in _MOVED for at in rest)
    is_weak = bool(done) and all(words[at] in _WEAK for at in done)
    return _Told(
        bool(done) and not (is_planned or is_moved), bool(off), is_undone, is_unreal, is_weak
    )


def _is_particle(words: Sequence[str], at: int, rest: Sequence[int]) -> bool:
    """Return True for `off` that belongs to a verb: `dropped the keys off`, `put it off`."""
    before = [(word, place in rest) for place, word in enumerate(words[:at])]
    verbs = {
        base_form(word)
        for word, is_free in before
        if is_past(word) or (is_free and word.endswith("ing"))
    }
    return words[at] == "off" and bool(verbs - {"be", "have", "go", "come", "get"})


def _combined(
    spans: Sequence[tuple[int, int, str]], changes: ChangeReader
) -> tuple[str, list[str]]:
    """Return the changes as one, what is said last counting, and the days that this leaves out."""
    details, lost = "", []
    for _, _, words in spans:
        both = changes.replaced(details, words) if details else words
        is_new = details not in both and changes.due(details) != changes.due(words)
        if details and is_new and not is_time(words) and not is_time(details):
            lost.append(details)
        details = both
    return details, lost


def _meant(
    told: _Told, details: str, commands: set[Verb], found: Sequence[ShownTask], dates: Dates
) -> tuple[Change | None, list[str]]:
    """Return what is to be done, if anything is, and the change words that this leaves out."""
    if told.is_undone or told.is_unreal:
        return None, []
    if told.is_off and not commands:
        is_left = details and not _is_due(found, details, dates)
        return Change(Verb.UPDATE, "it", "cancelled"), [details] if is_left else []
    if len(commands) == 1 and not details:
        return Change(next(iter(commands)), "it"), []
    # `beans get ordered every other monday` tells of no single deed.
    if told.is_done and "every" not in details and not (told.is_weak and details):
        is_left = details and not (_is_past(details, dates) or is_time(details))
        return Change(Verb.COMPLETE, "it"), [details] if is_left else []
    if commands:
        # `delete everything due saturday` sets no date.
        return None, [details] if details else []
    if details and not _is_past(details, dates, -1) and not _is_then(found, details, dates):
        return Change(Verb.UPDATE, "it", details), []
    return None, []


def _within(at: int, spans: Sequence[tuple[int, int, str]]) -> bool:
    return any(start <= at < end for start, end, _ in spans)


def _is_done(word: str, verbs: set[str], *, is_title: bool) -> bool:
    """Return True for `done`, and for a deed that is the one of the task, or answers it."""
    if word in DONE:
        return not is_title
    if any(word in (f"{each}ed", f"{each}d", f"{each}{each[-1:]}ed") for each in verbs):
        # `the ewes are wormed`: a verb that no list has.
        return base_form(word) not in UNFINISHING_DEEDS
    verb = base_form(word)
    if word == "has" or not is_past(word):
        return False
    if any(verb in _ANSWERS.get(each, ()) for each in verbs):
        return True
    if verb in UNFINISHING_DEEDS:
        return False
    if verb in GENERIC_DEEDS or any(same_deed(verb, each) for each in verbs):
        return True
    return verb in _VISITS and not is_title and not any(map(is_verb, verbs))


def _is_due(tasks: Sequence[ShownTask], details: str, dates: Dates) -> bool:
    days = dates.stretch(details)
    return days is not None and all(
        task.due and days.first <= task.due.day <= days.last for task in tasks
    )


def _is_then(tasks: Sequence[ShownTask], details: str, dates: Dates) -> bool:
    """Return True for `next week` of tasks that are due then."""
    days = dates.stretch(details)
    return days is not None and not is_time(details) and _is_due(tasks, details, dates)


def _is_past(details: str, dates: Dates, ahead: int = 0) -> bool:
    """Return True for days that have begun `ahead` days from now."""
    days = dates.stretch(details)
    return days is not None and days.first <= dates.now.date() + timedelta(ahead)
