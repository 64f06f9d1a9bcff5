"""Adding: items become parallel calls of add_task, and what came of them is told."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import assert_never

from todo_tui.domain.when import When
from todo_tui.providers.offline import replies
from todo_tui.providers.offline.dialogue import Question
from todo_tui.providers.offline.drafts import Draft, Drafting
from todo_tui.providers.offline.found import Found, Nothing, Several
from todo_tui.providers.offline.intents import Add, Offer
from todo_tui.providers.offline.items import split_items
from todo_tui.providers.offline.matching import find_exactly, find_strictly
from todo_tui.providers.offline.resolving import resolve
from todo_tui.providers.offline.session import Session, group_named
from todo_tui.providers.offline.slot_values import level_of
from todo_tui.providers.offline.toolwork import Call, Outcome, Plan, Seen
from todo_tui.providers.offline.verbs import is_verb, surely_verb

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
