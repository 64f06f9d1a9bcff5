"""Add tasks, skip occurrences, move and swap tasks, regroup a project."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import assert_never

from todo_tui.domain.dates.reader import read_range
from todo_tui.domain.errors import DateNotUnderstood
from todo_tui.domain.when import When
from todo_tui.providers.offline import replies
from todo_tui.providers.offline.dates import sounds_like_task
from todo_tui.providers.offline.dialogue import Question
from todo_tui.providers.offline.intents import Act, Add, Deed, Offer, Regroup, Step, Swap
from todo_tui.providers.offline.items import Draft, Drafting, split_items
from todo_tui.providers.offline.references import find_exactly, find_strictly, parts_of
from todo_tui.providers.offline.resolver import refreshed, resolve
from todo_tui.providers.offline.rules.pattern import level_of
from todo_tui.providers.offline.session import Session, decline, doubt, group_named
from todo_tui.providers.offline.task_actions import act, act_on, ask_which, say_nothing_fits
from todo_tui.providers.offline.tool_results import (
    Call,
    Found,
    Nothing,
    Outcome,
    Plan,
    Resolved,
    Seen,
    Several,
)
from todo_tui.providers.offline.words import is_verb, surely_verb

_MOST_ITEMS = 100
_EACH = re.compile(r"\s*,\s*(?:and\s+|&\s+)?|\s+(?:and|&)\s+", re.IGNORECASE)
_INTO = re.compile(
    r"(?P<title>.+?) (?:to|in|into|under|on|onto) (?:the |my "
    r"|our )?(?P<group>[^\W\d_][\w.-]*)(?: list)?",
    re.IGNORECASE,
)
_UNDER = re.compile(
    r"(?P<title>.+?) (?:under|underneath|beneath|below) (?:the |my )?(?P<parent>.+?)(?: task)?",
    re.IGNORECASE,
)
_TO_TASK = re.compile(
    r"(?P<title>.+?) to (?:the |my )?(?P<parent>\S+ .+?)(?: task)?", re.IGNORECASE
)
"""Only a title of several words: `drinks to plan party`, but not `letter to Ann`."""
_DIRECTED = frozenset(
    "bring take send go drive move give return deliver add write talk speak listen walk "
    "ride fly run come get "
    "travel reply respond apply subscribe switch switch upgrade donate lend show pay ship "
    "post mail carry".split()
)
"""Verbs that have a `to` of their own: `bring the laptop to work`."""
MISSED = "missed"
_NOW = "now"
_UNTIL = re.compile(r"until ", re.IGNORECASE)
_EXTENT = re.compile(r"until .+|\d+ times", re.IGNORECASE | re.DOTALL)
_LATE = re.compile(r"(?:this|next) (?:time|once|round)|now|once|just once|one time", re.IGNORECASE)
_ORDER = "sort:position"
_NOT_TWO = "I can swap two tasks with each other: say which, as in “swap milk and bread”."
_TOO_MANY = (
    "Your list is too long for me to see who stands where. Say “put … before …” with the names of "
    "both tasks. Nothing was changed."
)
_BOTH = re.compile(r"(?:both|the two|them|those|these|the first two|the last two)$", re.IGNORECASE)


def add(session: Session, intents: Sequence[Add]) -> Plan[None]:
    """Put each item on the list, all at once."""
    drafts: list[Draft] = []
    parents: dict[int, Seen] = {}
    for intent in intents:
        parent = None
        if intent.parent:
            intent = yield from _with_marks_of_parent(session, intent)
            parent = yield from _parent(session, intent)
            if parent is None:
                return
            parents[parent.id] = parent
        found = yield from _drafts(session, intent, parents)
        drafts += [replace(draft, parent=parent.id) for draft in found] if parent else found
    if not drafts:
        session.speech.ask("What should I add?", Question("fill", "add {}"))
        return
    kept = drafts[:_MOST_ITEMS]
    outcomes = yield tuple(Call("add_task", draft.arguments()) for draft in kept)
    session.forget()
    _tell(session, kept, outcomes, parents)
    if left := len(drafts) - len(kept):
        session.speech.say(
            f"I stopped after {_MOST_ITEMS} tasks; {left:,} more were in your message."
        )


def _with_marks_of_parent(session: Session, intent: Add) -> Plan[Add]:
    """`… to plan party due friday`: what stands behind the parent's name is of the new task."""
    words = session.shown(intent.parent)
    if intent.extra or find_strictly(words, (yield from session.pool(words))):
        return intent
    title = Drafting(session.dates, session.quoted).title_of(intent.parent)
    extra = intent.parent.removeprefix(title).strip(" ,")
    if not title or not extra or not intent.parent.startswith(title):
        return intent
    return replace(intent, parent=title, extra=extra)


def _parent(session: Session, intent: Add) -> Plan[Seen | None]:
    """The task that an addition is to be part of; where that is unclear, it is asked for."""
    resolved = yield from resolve(session, intent.parent)
    clause = (
        f"add subtasks to {intent.parent}: {intent.text}"
        if intent.listed
        else f"add {intent.text} as a subtask of {intent.parent}"
    )
    match resolved:
        case Found(tasks=(task,)) if task.title:
            return task
        case Found(tasks=(task,)):
            session.speech.say(f"There is no task #{task.id}, so nothing was added.")
        case Found(tasks=tasks) | Several(tasks=tasks):
            words = session.shown(intent.parent)
            question = Question("which", session.kept(clause), words, tasks)
            session.speech.ask(
                f"Part of which one? {len(tasks)} tasks fit {replies.quoted(words)}, and nothing "
                f"is added yet:\n\n{replies.lines(tasks)}",
                question,
                tasks,
            )
        case Nothing():
            said = resolved.sentence or (
                f"I found no task that fits {replies.quoted(session.shown(intent.parent))}, so "
                "nothing was added."
            )
            if not resolved.near:
                session.speech.say(said)
                return None
            kind = "confirm" if len(resolved.near) == 1 else "which"
            words = session.shown(intent.parent)
            question = Question(kind, session.kept(clause), words, resolved.near)
            near = replies.names(resolved.near, "or", ids=True)
            session.speech.ask(f"{said} Did you mean {near}?", question, resolved.near)
        case _:
            assert_never(resolved)
    return None


def _drafts(session: Session, intent: Add, parents: dict[int, Seen]) -> Plan[list[Draft]]:
    if not any(letter.isalnum() or not letter.isascii() for letter in intent.text):
        return []
    drafting = Drafting(session.dates, session.quoted)
    items = split_items(intent.text, drafting.title_of)
    if intent.listed and "\n" not in intent.text:
        items = tuple(item for part in items for item in _EACH.split(part) if item.strip())
    drafts = [drafting.draft(item) for item in items]
    if intent.extra:
        shared = _shared(session, intent.extra, drafting)
        drafts = [draft.completed_by(shared) for draft in drafts]
    drafts = _shared_out(drafts, items, drafting)
    if not drafts:
        return []
    below = [] if intent.parent else (yield from _below_one(session, drafts, parents))
    return below or (yield from _grouped(session, drafts))


def _below_one(
    session: Session, drafts: list[Draft], parents: dict[int, Seen]
) -> Plan[list[Draft]]:
    """`paint under decorate the room` is part of that task, if there is just one such."""
    title = drafts[-1].title
    match = _UNDER.fullmatch(title)
    if match is None and (match := _TO_TASK.fullmatch(title)) and not _may_be_filed(match):
        return []
    if match is None:
        return []
    listing = yield from session.look()
    groups = session.known_groups(listing.tasks)
    if any(group_named(match["parent"], names) for names in groups):
        return []
    found = find_exactly(match["parent"], listing.tasks)
    if len(found) != 1:
        return []
    parents[found[0].id] = found[0]
    drafts = [*drafts[:-1], replace(drafts[-1], title=match["title"])]
    return [replace(draft, parent=found[0].id) for draft in drafts]


def _shared(session: Session, extra: str, drafting: Drafting) -> Draft:
    """What holds for all items of an addition: a priority, a rhythm, a date or other marks."""
    if level := level_of(extra):
        return Draft("", priority=level)
    if session.dates.is_rhythm(extra):
        return Draft("", repeat=extra)
    return drafting.draft(f"x {extra}")


def offer(session: Session, intent: Offer) -> None:
    """Ask whether something that sounds like a task is to be added."""
    drafting = Drafting(session.dates, session.quoted)
    items = split_items(intent.text, drafting.title_of)
    from todo_tui.domain.dates.text import format_when

    titles = []
    for draft in map(drafting.draft, items[:5]):
        due = f" for {format_when(When.parse(draft.due), session.dates.now)}" if draft.due else ""
        rhythm = f", {draft.repeat}" if draft.repeat else ""
        titles.append(f"{replies.quoted(draft.title)}{due}{rhythm}")
        session.speech.remark(draft.remarks)
    said = f"Shall I add {' and '.join(titles)}? Say yes, or begin with “add” next time."
    session.speech.ask(said, Question("confirm", f"add {session.kept(intent.text)}"))


def _shared_out(drafts: list[Draft], items: Sequence[str], drafting: Drafting) -> list[Draft]:
    """A list of bare things shares the date and marks that stand behind the last of them."""
    if len(drafts) < 2 or not all(draft.plain for draft in drafts[:-1]) or drafts[-1].plain:
        return drafts
    words = [drafting.title_of(item).split() for item in items]
    if any(len(each) > 1 and is_verb(each[0].lower()) for each in words):
        return drafts
    return [draft.completed_by(replace(drafts[-1], notes="")) for draft in drafts]


def _grouped(session: Session, drafts: list[Draft]) -> Plan[list[Draft]]:
    """`milk to errands` goes into the project errands, if there is such a one."""
    match = _INTO.fullmatch(drafts[-1].title)
    if match is None or drafts[-1].project or not _may_be_filed(match):
        return drafts
    listing = yield from session.look()
    projects, tags = session.known_groups(listing.tasks)
    project, tag = group_named(match["group"], projects), group_named(match["group"], tags)
    if not project and not tag:
        return drafts
    title = match["title"]
    last = replace(drafts[-1], title=title)
    drafts = [*drafts[:-1], last]
    filed = [
        replace(draft, project=project) if project else replace(draft, tags=(*draft.tags, str(tag)))
        for draft in drafts
        if not draft.project
    ]
    return filed if len(filed) == len(drafts) else drafts


def _may_be_filed(match: re.Match[str]) -> bool:
    first, *rest = match["title"].lower().split()
    return first not in _DIRECTED and bool(rest or not surely_verb(first))


def _below_which(added: Sequence[Seen], parents: Mapping[int, Seen]) -> str:
    """` to **Plan party** (#1)` where all that was added is part of that; else nothing."""
    ids = {task.parent for task in added}
    known = [parents[each] for each in ids if each in parents]
    return f" to {replies.numbered(known[0])}" if len(ids) == len(known) == 1 else ""


def _tell(
    session: Session,
    drafts: Sequence[Draft],
    outcomes: Sequence[Outcome],
    parents: Mapping[int, Seen],
) -> None:
    added: list[Seen] = []
    remarks: list[str] = []
    problems: list[str] = []
    for draft, outcome in zip(drafts, outcomes, strict=False):
        if outcome.error:
            said = f"I did not add {replies.quoted(draft.title)}: {replies.escaped(outcome.error)}"
            problems.append(said)
        else:
            remarks += draft.remarks
        added += outcome.tasks
    if len(added) == 1:
        facts = replies.facts(added[0], parents)
        said = f"Added {replies.numbered(added[0])}{f', {facts}' if facts else ''}."
        session.say(said, added, deed="add")
    elif added:
        below = _below_which(added, parents)
        said = (
            "Both are on your list:"
            if len(added) == 2 and not below
            else f"Added {replies.tasks_word(len(added))}{below}:"
        )
        session.say(f"{said}\n\n{replies.lines(added)}", added, deed="add")
    session.speech.remark(remarks)
    for problem in problems:
        session.speech.say(problem)


def regroup(session: Session, intent: Regroup, clause: str) -> Plan[None]:
    """Rename a project, or merge it into another that there is."""
    listing = yield from session.look()
    projects, tags = session.known_groups(listing.tasks)
    if intent.tag:
        yield from _retag(session, intent, group_named(intent.old, tags))
        return
    old, new = group_named(intent.old, projects), group_named(intent.new, projects)
    lacking = old is None or (new is None and not intent.sure)
    if lacking and not intent.sure and sounds_like_task(clause, session.dates):
        offer(session, Offer(clause))
        return
    if old is None or lacking:
        named = replies.quoted(session.shown(intent.new if old else intent.old))
        session.say(f"There is no project {named} with open tasks, so nothing was changed.")
        return
    target = new or session.shown(intent.new)
    if target.casefold() == old.casefold() or target.casefold().startswith(f"{old.casefold()}."):
        session.say(f"{replies.escaped(target)} lies in {replies.escaped(old)}: nothing was moved.")
        return
    yield from _move_all(session, old, target)


def _retag(session: Session, intent: Regroup, old: str | None) -> Plan[None]:
    if old is None:
        named = replies.quoted(session.shown(intent.old))
        session.say(f"No open task is tagged {named}, so nothing was changed.")
        return
    new = session.shown(intent.new)
    outcome = yield from session.call(
        "update_task", {"filter": f"all @{old}", "add_tags": [new], "remove_tags": [old]}
    )
    session.forget()
    if outcome.error:
        session.speech.say(replies.escaped(outcome.error))
        return
    count = outcome.succeeded or len(outcome.items)
    are = "is" if count == 1 else "are"
    said = f"{replies.tasks_word(count)} tagged {replies.escaped(old)} {are} tagged"
    session.say(f"{said} {replies.escaped(new)} now.", outcome.tasks, deed=Deed.TAG.value)


def _move_all(session: Session, old: str, target: str) -> Plan[None]:
    """Move done tasks as well: a project keeps its history."""
    found = yield from session.look(f"all #{old} group:project")
    paths = [name for name, _, _ in found.groups if name == old or name.startswith(f"{old}.")]
    # A filter for a project finds what is below it too, so the deepest go first.
    deepest = sorted(paths, key=lambda path: -path.count("."))
    calls = (
        {"filter": f"all #{path}", "project": f"{target}{path[len(old) :]}"} for path in deepest
    )
    outcomes = yield tuple(Call("update_task", arguments) for arguments in calls)
    session.forget()
    problems = dict.fromkeys(outcome.error for outcome in outcomes if outcome.error)
    for problem in problems:
        session.speech.say(replies.escaped(problem))
    if not problems:
        are = "is" if found.total == 1 else "are"
        session.say(
            f"{replies.tasks_word(found.total)} of {replies.escaped(old)} {are} in project "
            f"{replies.escaped(target)} now, those that are done included.",
            deed=Deed.FILE.value,
        )


def skip(session: Session, intent: Act, clause: str) -> Plan[None]:
    """Go on to the next date, or past some of them, or let a series end.

    Where another day was named than it is due, that is said instead.
    """
    resolved = yield from resolve(session, intent.ref)
    series = isinstance(resolved, Found) and all(task.repeat_words for task in resolved.tasks)
    if intent.ask and not series:
        _leave(session, clause)
        return
    if intent.deed is Deed.CANCEL:
        deed = Deed.SKIP if series else Deed.DELETE
        intent = replace(intent, deed=deed, value=intent.value if series else "")
    if not isinstance(resolved, Found):
        yield from act(session, intent, clause)
        return
    if intent.deed is Deed.DELETE:
        yield from act_on(session, intent, resolved, clause)
        return
    if intent.value == _NOW:
        named = replies.names(resolved.tasks, ids=True)
        said = f"Shall {named} repeat no more? The present date stays. Say yes or no."
        doubt(session, said, "stop repeating it", resolved.tasks, "it")
        return
    if _EXTENT.fullmatch(intent.value):
        yield from _at_length(session, intent, resolved, clause)
        return
    yield from _as_named(session, intent, resolved, clause)


def _as_named(session: Session, intent: Act, resolved: Found, clause: str) -> Plan[None]:
    """Those that are due in the days that were named; of the others it is said when they are."""
    stretch = "" if intent.value == MISSED else intent.value
    others = [task for task in resolved.tasks if not _is_within(session, task, stretch)]
    for task in others:
        due = f"due {task.due_words}" if task.due_words else "not due on any day"
        session.say(
            f"{replies.numbered(task)} is {due}, not {replies.escaped(stretch)}, so nothing was "
            f"skipped. Say “skip #{task.id}” to skip that one.",
            (task,),
        )
    left = tuple(task for task in resolved.tasks if task not in others)
    if left:
        meant = replace(intent, value=MISSED if intent.value == MISSED else "")
        yield from act_on(session, meant, replace(resolved, tasks=left), clause)


def _leave(session: Session, clause: str) -> None:
    """What was said of no series: a new task perhaps."""
    if sounds_like_task(clause, session.dates):
        offer(session, Offer(clause))
    else:
        decline(session)


def _at_length(session: Session, intent: Act, found: Found, clause: str) -> Plan[None]:
    """Past so many dates or up to a day; what does not repeat is hidden until that day."""
    until = _UNTIL.match(intent.value)
    single = tuple(task for task in found.tasks if not task.repeat_words)
    if intent.deed is Deed.SKIP and until and single and not intent.ask:
        hidden = Act(Deed.START, intent.ref, intent.value[until.end() :])
        yield from act_on(session, hidden, replace(found, tasks=single), clause)
        found = replace(found, tasks=tuple(task for task in found.tasks if task.repeat_words))
    if found.tasks:
        yield from act_on(session, intent, found, clause)


def _is_within(session: Session, task: Seen, stretch: str) -> bool:
    """Return True if a task is due in the days that were named; of what is late, any will do."""
    if not stretch or _LATE.fullmatch(stretch) or not task.repeat_words or task.overdue:
        return True
    if stretch.casefold().startswith("next"):
        # `next week's` is said of the one that comes next as often.
        return True
    try:
        days = read_range(stretch, session.dates.now, session.dates.style)
    except DateNotUnderstood:
        return True
    return task.due is not None and days.first <= task.due.day <= days.last


def trade(session: Session, intent: Swap | Step, clause: str) -> Plan[None]:
    """Change what stands where."""
    match intent:
        case Swap():
            yield from _swap(session, intent, clause)
        case Step():
            yield from _step(session, intent, clause)
        case _:
            assert_never(intent)


def _swap(session: Session, intent: Swap, clause: str) -> Plan[None]:
    """Let two tasks trade places in the manual order, or their dates."""
    pair = yield from _pair(session, intent, clause)
    if pair is None:
        return
    if intent.dates:
        yield from _swap_dates(session, pair)
    else:
        yield from _swap_places(session, pair)


def _step(session: Session, intent: Step, clause: str) -> Plan[None]:
    """Move one task past its neighbours of the same level in the manual order."""
    resolved = yield from resolve(session, intent.ref)
    if not isinstance(resolved, Found) or len(resolved.tasks) != 1:
        _say_unclear(session, intent.ref, resolved, clause)
        return
    task = resolved.tasks[0]
    level = yield from _level(session, task)
    at = next((place for place, each in enumerate(level) if each.id == task.id), None)
    if at is None:
        session.say(_TOO_MANY, (task,))
        return
    to = min(max(at + intent.lines, 0), len(level) - 1)
    if to == at:
        end = "top" if intent.lines < 0 else "bottom"
        said = f"{replies.name(task)} is at the {end} of the manual order already."
        session.say(said, (task,))
        return
    word = "before" if intent.lines < 0 else "after"
    yield from _call(session, (_put(task, word, level[to]),))
    said = f"{replies.name(task)} is right {word} {replies.name(level[to])} now."
    session.say(f"{said}{_but((task, level[to]))}", (task,), deed=Deed.PLACE.value)


def _pair(session: Session, intent: Swap, clause: str) -> Plan[tuple[Seen, Seen] | None]:
    names: tuple[str, ...] = (intent.ref, intent.other) if intent.other else (intent.ref,)
    if not intent.other and not _BOTH.search(intent.ref):
        names = parts_of(intent.ref)
    ends: list[Resolved] = []
    for name in names:
        ends.append((yield from resolve(session, name)))
    if sounds_like_task(clause, session.dates) and all(isinstance(end, Nothing) for end in ends):
        offer(session, Offer(clause))
        return None
    tasks: list[Seen] = []
    for name, resolved in zip(names, ends, strict=True):
        if not isinstance(resolved, Found) or (len(names) == 2 and len(resolved.tasks) != 1):
            _say_unclear(session, name, resolved, clause)
            return None
        tasks += resolved.tasks
    if len(tasks) != 2 or tasks[0].id == tasks[1].id:
        session.speech.say(_NOT_TWO)
        return None
    first, second = yield from refreshed(session, tasks)
    return first, second


def _say_unclear(session: Session, name: str, resolved: Resolved, clause: str) -> None:
    act = Act(Deed.PLACE, name)
    if isinstance(resolved, Nothing):
        say_nothing_fits(session, resolved, clause, act)
    else:
        ask_which(session, act, Several(name, resolved.tasks), clause)


def _swap_places(session: Session, pair: tuple[Seen, Seen]) -> Plan[None]:
    if pair[0].parent != pair[1].parent:
        session.say(
            f"{replies.names(pair, ids=True)} are not parts of the same task, so I did not swap "
            "their places.",
            pair,
        )
        return
    level = yield from _level(session, pair[0])
    places = [at for at, each in enumerate(level) if each.id in (pair[0].id, pair[1].id)]
    if len(places) != 2:
        session.say(_TOO_MANY, pair)
        return
    upper, lower = level[places[0]], level[places[1]]
    calls = [_put(lower, "before", upper)]
    if places[1] - places[0] > 1:
        calls.append(_put(upper, "after", level[places[1] - 1]))
    yield from _call(session, calls)
    said = f"{replies.names(pair)} have swapped places."
    session.say(f"{said}{_but(pair)}", pair, deed=Deed.PLACE.value)


def _swap_dates(session: Session, pair: tuple[Seen, Seen]) -> Plan[None]:
    first, second = pair
    if first.due == second.due:
        session.say(f"{replies.names(pair)} have the same date already.", pair)
        return
    outcomes = yield from _call(session, (_move(first, second), _move(second, first)))
    moved = [item.task for outcome in outcomes for item in outcome.items if item.task]
    dates = [f"{replies.name(each)} is due {each.due_words or 'on no day'}" for each in moved]
    session.say(f"{' and '.join(dates)} now.", moved, deed=Deed.DUE.value)


def _move(task: Seen, other: Seen) -> Call:
    due = other.due.iso() if other.due else "none"
    return Call("update_task", {"task_ids": [task.id], "due": due})


def _put(task: Seen, word: str, beside: Seen) -> Call:
    return Call("update_task", {"task_ids": [task.id], "position": f"{word} {beside.id}"})


def _call(session: Session, calls: Sequence[Call]) -> Plan[tuple[Outcome, ...]]:
    outcomes = yield tuple(calls)
    session.forget()
    return tuple(outcomes)


def _level(session: Session, task: Seen) -> Plan[tuple[Seen, ...]]:
    """The open tasks of the same level in the manual order; none where they are too many."""
    listing = yield from session.look(_ORDER)
    if listing.cut:
        return ()
    return tuple(each for each in listing.tasks if each.parent == task.parent)


def _but(tasks: Sequence[Seen]) -> str:
    dated = any(task.due for task in tasks)
    return " Where tasks have dates, the list still goes by those." if dated else ""
