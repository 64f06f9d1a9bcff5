"""Handle requests that need a second look: missing facts, bare names, reported completions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import time
from typing import assert_never

from todo_tui.domain.errors import DateNotUnderstood
from todo_tui.domain.when import When
from todo_tui.providers.offline import replies
from todo_tui.providers.offline.answers import ask, show
from todo_tui.providers.offline.changes import add, offer
from todo_tui.providers.offline.dates import sounds_like_task
from todo_tui.providers.offline.dialogue import Question
from todo_tui.providers.offline.intents import (
    Act,
    Add,
    Ask,
    BadDate,
    Claim,
    Deed,
    Incomplete,
    Move,
    Offer,
    Shape,
    Show,
)
from todo_tui.providers.offline.references import (
    ByName,
    ByPlace,
    ByPointing,
    find_exactly,
    find_strictly,
    find_surely,
    parts_of,
    read_reference,
    reported,
    touched,
)
from todo_tui.providers.offline.resolver import resolve
from todo_tui.providers.offline.session import Session, decline, doubt, group_named
from todo_tui.providers.offline.task_actions import act, act_on, ask_which, link
from todo_tui.providers.offline.tool_results import Found, Nothing, Plan, Seen, Several
from todo_tui.providers.offline.words import alike, is_verb

_MOST_MENTIONED = 4
_ASKS = re.compile(r"(?:what|who|whom|whose|how|when|where|why|which)\b", re.IGNORECASE)
_LONGEST_LINE = 10
_SPEAKS = re.compile(
    r"\b(?:i|i'm|me|we|us|you|your|is|are|was|were|will|would|has|had|does|did|do|isn't|aren't"
    r"|don't|won't|who|what|why|how|when|where|which|write|tell|explain|translate|weather)\b",
    re.IGNORECASE,
)
"""Words of a sentence to somebody, which no line of a list has."""
_WHAT = re.compile(
    r"(?:and )?(?:(?:what(?:'s| is| about)|how about) )?(?:(?:my|the|our|your) )?", re.IGNORECASE
)
_TASKS = re.compile(r" (?:tasks?|to-?dos?|items?|things|stuff|project|list|one)$", re.IGNORECASE)
_NO_THING = re.compile(
    r"(?:it|i|he|she|they|we|you|that|this|there|who|see|let)(?:'\w+)?\b", re.IGNORECASE
)
_STATES = re.compile(r"\b(?:is|are|was|were|am)\b|\w's (?:so|very|too)\b", re.IGNORECASE)
_DAYS = (
    *("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
    *("tomorrow", "today", "january", "february", "march", "april", "june", "july"),
    *("august", "september", "october", "november", "december"),
)


def claim(session: Session, intent: Claim) -> Plan[None]:
    """A deed that was reported: complete what it did, if that is on the list."""
    if intent.undone:
        yield from _undone(session, intent, session.shown(intent.object))
        return
    resolved = yield from _reported(session, intent)
    complete = Act(Deed.COMPLETE, intent.object)
    match resolved:
        case Found(everything=True, tasks=tasks) if len(tasks) > 1:
            _doubt_done(session, intent, resolved)
        case Found() if intent.others:
            _doubt_done(session, intent, resolved)
        case Found():
            yield from act_on(session, complete, resolved, _as_command(session, intent))
        case Several():
            ask_which(session, complete, resolved, _as_command(session, intent))
        case None:
            yield from _unmatched(session, intent)
        case _:
            assert_never(resolved)


def _as_command(session: Session, intent: Claim) -> str:
    return f"complete {session.kept(intent.object)}"


def _unmatched(session: Session, intent: Claim) -> Plan[None]:
    """No open task is it: it may be done already, or be one that another verb names."""
    said = session.shown(intent.object)
    done = reported(intent.verb, said, (yield from session.pool(said, "done")))
    if done:
        are = "is" if len(done) == 1 else "are"
        session.say(f"{replies.names(done)} {are} already done.", done)
        return
    known = is_verb(intent.verb) and not intent.others
    near = touched(said, (yield from session.pool(said))) if known else ()
    if near:
        _doubt_done(session, intent, Found(near))
    elif known:
        words = replies.quoted(session.shown(intent.text))
        session.speech.say(f"I found no open task that fits {words}, so nothing was changed.")
    else:
        decline(session)


def _reported(session: Session, intent: Claim) -> Plan[Found | Several | None]:
    """The open tasks that a claim is about: by pointing, or by verb and object."""
    if not isinstance(read_reference(intent.object, session.dates), ByName):
        resolved = yield from resolve(session, intent.object)
        return None if isinstance(resolved, Nothing) else resolved
    said = session.shown(intent.object)
    pool = yield from session.pool(f"{intent.verb} {said}")
    parts = parts_of(intent.object)
    whole = reported(intent.verb, said, pool)
    if whole and (len(parts) == 1 or find_strictly(said, whole)):
        return _one_or_several(intent.object, whole)
    tasks: dict[int, Seen] = {}
    for part in parts:
        each = reported(intent.verb, session.shown(part), pool)
        if len(each) > 1:
            return Several(part, each)
        tasks.update({task.id: task for task in each})
    if tasks:
        return Found(tuple(tasks.values()))
    return _one_or_several(intent.object, whole) if whole else None


def _one_or_several(words: str, tasks: tuple[Seen, ...]) -> Found | Several:
    return Found(tasks) if len(tasks) == 1 else Several(words, tasks)


def _undone(session: Session, intent: Claim, said: str) -> Plan[None]:
    """What was not done after all is reopened; what is open anyway stays so."""
    words = f"{intent.verb} {said}"
    still = reported(intent.verb, said, (yield from session.pool(words)))
    if still:
        session.say(
            f"All right, {replies.names(still)} {'stays' if len(still) == 1 else 'stay'} on "
            f"your list.",
            still,
        )
        return
    done = reported(intent.verb, said, (yield from session.pool(words, "done")))
    if not done:
        session.speech.say(
            f"All right. I found no task that fits {replies.quoted(said)}, so nothing was changed."
        )
        return
    found = _one_or_several(intent.object, done)
    clause = f"reopen {session.kept(intent.object)}"
    if isinstance(found, Several):
        ask_which(session, Act(Deed.REOPEN, intent.object), found, clause)
        return
    yield from act_on(session, Act(Deed.REOPEN, intent.object), found, clause)


def _doubt_done(session: Session, intent: Claim, found: Found) -> None:
    words = session.shown(intent.object)
    kept = _as_command(session, intent)
    if len(found.tasks) == 1:
        doubt(
            session,
            f"Does that mean {replies.numbered(found.tasks[0])} is done? Say yes or no.",
            kept,
            found.tasks,
            words,
        )
        return
    if found.everything:
        said = f"Shall I mark all {replies.tasks_word(len(found.tasks))} as done? Say yes or no."
        doubt(session, said, kept, found.tasks, words)
        return
    question = Question("which", kept, words, found.tasks)
    session.speech.ask(
        f"Which of these is done?\n\n{replies.lines(found.tasks)}", question, found.tasks
    )


def move(session: Session, intent: Move, clause: str) -> Plan[None]:
    """To a project, where there is one of that name; else ask, or say that it is no date."""
    resolved = yield from resolve(session, intent.ref)
    if not isinstance(resolved, Found):
        yield from act(session, Act(Deed.FILE, intent.ref, intent.place), clause)
        return
    place = session.shown(intent.place)
    listing = yield from session.look()
    projects, _ = session.known_groups(listing.tasks)
    bare = re.sub(r"^(?:the|my|our) ", "", place, flags=re.IGNORECASE)
    if project := group_named(bare, projects):
        yield from act_on(session, Act(Deed.FILE, intent.ref, project), resolved, clause)
        return
    parents = find_exactly(bare, listing.tasks)
    if not parents and len(bare.split()) > 1:
        parents = find_surely(bare, listing.tasks)
    if parents and not any(parent in resolved.tasks for parent in parents):
        yield from link(session, Act(Deed.NEST, intent.ref, intent.place), clause)
        return
    if (moment := _hour(bare, resolved.tasks)) is not None:
        yield from act_on(session, Act(Deed.DUE, intent.ref, moment.iso()), resolved, clause)
        return
    days = any(map(_like_a_day, bare.split()))
    if len(bare.split()) > 2 or any(letter.isdigit() for letter in bare) or days:
        say_bad_date(session, BadDate(intent.place))
        return
    name = bare.replace(" ", "-").lstrip("#")
    if intent.sure:
        yield from act_on(session, Act(Deed.FILE, intent.ref, name), resolved, clause)
        return
    kept = f"put {session.kept(intent.ref)} in project {name}"
    doubt(
        session,
        f"There is no project {replies.quoted(name)} yet. Shall I make it and put "
        f"{replies.names(resolved.tasks)} there?",
        kept,
        resolved.tasks,
        session.shown(intent.ref),
    )


def _hour(words: str, tasks: Sequence[Seen]) -> When | None:
    """`4` of `move the meeting to 4`: that hour of its day, in the half of it that is nearer."""
    due = tasks[0].due if len(tasks) == 1 else None
    if due is None or due.at is None or not words.isdecimal() or not 1 <= int(words) <= 12:
        return None
    hours = (int(words) % 12, int(words) % 12 + 12)
    at = due.at
    return replace(due, at=time(min(hours, key=lambda hour: abs(hour - at.hour))))


def consider(session: Session, intent: Offer) -> Plan[None]:
    """What sounds like a task: shown if it is on the list, else offered, or moved there."""
    words = session.shown(intent.text)
    if known := find_exactly(words, (yield from session.pool(words))):
        yield from show(session, Show(f"#{known[0].id}" if len(known) == 1 else intent.text))
        return
    if not (yield from doubt_new(session, intent.text, intended=intent.intended)):
        offer(session, intent)


def doubt_new(session: Session, clause: str, *, intended: bool = False) -> Plan[bool]:
    """`dentist on friday`: ask whether a task is to be moved or added; False without a date.

    Nobody said what to do, so nothing is done before they have; only what is `intended`
    and new is added at once.
    """
    # Quick add brings the grammar of rhythms, which few messages need.
    from todo_tui.domain.change_words.quick_add import read_quick_add
    from todo_tui.domain.dates.text import format_when

    now = session.dates.now
    found = read_quick_add(session.shown(clause), now, session.dates.style)
    if found.recurrence is not None and found.title:
        if (yield from _repeated(session, session.shown(clause), found.title)):
            return True
        if not _NO_THING.match(found.title) and _is_line(session, clause):
            offer(session, Offer(clause))
            return True
        return False
    if found.due is None or not found.title:
        return False
    if found.due.local() < now or _NO_THING.match(found.title) or _STATES.search(found.title):
        return False
    tasks = find_strictly(found.title, (yield from session.pool(found.title)))
    if intended and not tasks:
        yield from add(session, (Add(clause),))
        return True
    if len(tasks) != 1:
        offer(session, Offer(clause))
        return True
    day = format_when(found.due, now)
    said = f"{replies.numbered(tasks[0])} is on your list. Shall I move it to {day}?"
    doubt(session, said, f"move it to {_in_full(found.due)}", tasks, "it")
    return True


def _in_full(when: When) -> str:
    """A date that means the same tomorrow: `20 November 2026`."""
    hour = f" at {when.at:%H:%M}" if when.at else ""
    return f"{when.day.day} {when.day:%B} {when.day.year}{hour}"


def _is_line(session: Session, clause: str) -> bool:
    """Return True if words are short and plain enough for a task: `lunch with Eva at 12`."""
    words = session.shown(clause)
    plain = len(words.split()) <= _LONGEST_LINE and not words.rstrip().endswith("?")
    return plain and not _SPEAKS.search(words)


def doubt_rhythm(session: Session, clause: str) -> Plan[bool]:
    """`gym every 3 days`: the task repeats so from now on; False where it says no such thing."""
    if not re.search(r"\b(?:every|each|daily|weekly|monthly|yearly)\b", clause, re.IGNORECASE):
        return False
    from todo_tui.domain.change_words.quick_add import read_quick_add  # as below

    found = read_quick_add(session.shown(clause), session.dates.now, session.dates.style)
    if found.recurrence is None or not found.title:
        return False
    return (yield from _repeated(session, session.shown(clause), found.title))


def _repeated(session: Session, words: str, title: str) -> Plan[bool]:
    """`gym every 3 days`: the task of that very title repeats so; False where there is none."""
    tasks = find_exactly(title, (yield from session.pool(title)))
    rhythm = words.strip()[len(title) :].strip(" ,:-")
    if len(tasks) != 1 or not words.casefold().strip().startswith(title.casefold()):
        return False
    if not session.dates.is_rhythm(rhythm):
        return False
    task = tasks[0]
    yield from act_on(session, Act(Deed.REPEAT, f"#{task.id}", rhythm), Found(tasks), words)
    return True


def _like_a_day(word: str) -> bool:
    plain = word.casefold()
    return plain.endswith("day") or any(alike(plain, day) for day in _DAYS)


def fill_in(session: Session, intent: Incomplete, clause: str) -> Plan[None]:
    """Ask for what a command lacks, if there is a task to do it to."""
    template = intent.template
    if intent.ref:
        resolved = yield from resolve(session, intent.ref)
        if (
            isinstance(resolved, Nothing)
            and not resolved.sentence
            and sounds_like_task(clause, session.dates)
        ):
            offer(session, Offer(clause))
            return
        if not isinstance(resolved, Found):
            yield from act(session, Act(Deed.BEGIN, intent.ref), clause)
            return
        session.focus = resolved.tasks
        session.speech.named.update({task.id: task for task in resolved.tasks})
    if template:
        session.speech.ask(intent.question, Question("fill", session.kept(template)))
    else:
        session.speech.say(intent.question)


def mention(session: Session, clause: str) -> Plan[bool]:
    """Show the task that a word or two, with no verb to them, name; False if there is none."""
    asks = _ASKS.match(session.shown(clause)) is not None
    words = _TASKS.sub("", _WHAT.sub("", session.shown(clause)).strip(" .?!"))
    if isinstance(read_reference(words, session.dates), ByPlace | ByPointing):
        yield from show(session, Show(words))
        return True
    if len(words.split()) > _MOST_MENTIONED:
        known = yield from doubt_rhythm(session, clause)
        return known or (_is_line(session, clause) and (yield from doubt_new(session, clause)))
    tasks = yield from session.pool(words)
    if any(group_named(words, groups) for groups in session.known_groups(tasks)):
        yield from ask(session, Ask(Shape.LIST, words))
    elif find_surely(words, tasks) or (words == clause and find_strictly(words, tasks)):
        yield from show(session, Show(words))
    else:
        return not asks and (yield from doubt_new(session, clause))
    return True


def _why_no_rhythm(session: Session, words: str) -> str:
    # The grammar of rhythms takes time to load, which most clauses can save.
    from todo_tui.domain.recurrence.reader import read_recurrence

    shown = session.shown(words)
    try:
        read_recurrence(shown, session.dates.now, session.dates.style)
    except DateNotUnderstood as problem:
        return replies.escaped(problem.message)
    return f"I did not understand how often {replies.quoted(shown)} is."


def say_bad_date(session: Session, intent: BadDate) -> None:
    """Say which words are no date or no repeat, and which would be."""
    if intent.words.casefold().startswith("every"):
        session.speech.say(f"{_why_no_rhythm(session, intent.words)} Nothing was changed.")
        return
    session.speech.say(
        f"I did not understand {replies.quoted(session.shown(intent.words))} as a date, so nothing "
        "was changed. Try “friday 9am”, “in 3 days” or “2026-12-24”."
    )
