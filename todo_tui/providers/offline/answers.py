"""Answer questions about the list, one task, its relations, and what is next."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import assert_never

from todo_tui.domain.when import When
from todo_tui.providers.offline import replies
from todo_tui.providers.offline.filters import Asked, read_asked
from todo_tui.providers.offline.intents import (
    Act,
    Ask,
    Deed,
    Groups,
    Links,
    LinkSide,
    Shape,
    Show,
    Why,
)
from todo_tui.providers.offline.references import ByPointing, find, nearest, read_reference
from todo_tui.providers.offline.resolver import (
    OPEN,
    TRASH,
    filter_text,
    raw_filter,
    resolve,
    select,
)
from todo_tui.providers.offline.session import Listing, Session, decline
from todo_tui.providers.offline.task_actions import act_on
from todo_tui.providers.offline.tool_results import Call, Found, Nothing, Plan, Seen, Several

_WHERE = {"": "", "all": " (nothing open, but among all tasks)", TRASH: " (in the trash)"}
_NONE = {
    "overdue": "Nothing is overdue.",
    "done": "Nothing is done yet.",
    "trash": "The trash is empty.",
    "": "Your list is empty. Try “add buy milk tomorrow 5pm”.",
}


def ask(session: Session, intent: Ask) -> Plan[None]:
    """List, count or search."""
    if intent.shape is Shape.SEARCH:
        yield from _search(session, session.shown(intent.what))
        return
    asked = read_asked(intent.what, session.dates)
    raw = intent.raw or raw_filter(session.shown(intent.what))
    if raw or intent.show or asked.is_grouped:
        words = raw or (yield from filter_text(session, asked))
        listing = yield from session.look(words, show=intent.show)
        if listing.error:
            session.speech.say(replies.escaped(listing.error))
        elif raw or intent.show:
            _say_filtered(session, listing, words, shown=intent.show)
        else:
            _say_list(session, listing, asked)
        return
    if asked.group or asked.rest or asked.search or asked.except_for:
        listing = yield from select(session, asked)
        if not listing.tasks and (asked.rest or asked.search) and not asked.conditions:
            yield from _search(session, session.shown(asked.search or asked.rest))
            return
    else:
        listing = yield from session.look(asked.filter)
    if listing.error:
        session.speech.say(replies.escaped(listing.error))
        return
    if intent.shape is Shape.COUNT:
        _say_count(session, listing, asked)
    elif intent.shape is Shape.FIRST and listing.tasks:
        _describe(session, listing.tasks[0])
    else:
        _say_list(session, listing, asked)


def _say_filtered(session: Session, listing: Listing, words: str, *, shown: bool) -> None:
    """Say what a filter found, and that the list shows it if it does."""
    tasks = listing.tasks
    said = (
        f"{replies.tasks_word(listing.total)} for {replies.quoted(words)}"
        if words
        else (replies.tasks_word(listing.total, "open"))
    )
    if shown and not words:
        session.say(f"The list shows all {said} again.", deed="list")
        return
    if shown:
        said = f"The list shows {said} now"
    if not tasks:
        session.say(f"{said}.".replace("0 tasks", "no tasks", 1), deed="list")
        return
    session.say(f"{said}:\n\n{_rows(listing)}", tasks, deed="list")


def _rows(listing: Listing) -> str:
    """The tasks of a listing, under their headings where it has some."""
    if not listing.groups:
        return replies.lines(listing.tasks, listing.total)
    known = {task.id: task for task in listing.tasks}
    blocks: list[str] = []
    left = replies.MOST_SHOWN
    for name, total, ids in listing.groups:
        rows = [replies.line(known[each]) for each in ids if each in known][: max(left, 0)]
        left -= len(rows)
        if len(rows) < total:
            rows.append(f"- …and {total - len(rows):,} more")
        heading = f"**{replies.escaped(name)}** · {replies.tasks_word(total)}"
        blocks.append("\n".join((heading, "", *rows)))
    return "\n\n".join(blocks)


def _search(session: Session, words: str) -> Plan[None]:
    for scope in (*OPEN, TRASH):
        pool = yield from session.pool(words, scope)
        noted: set[int] = set()
        if any(task.has_texts for task in pool):
            quoted = words.replace('"', " ").strip()
            listing = yield from session.look(f'{scope} "{quoted}"'.strip())
            noted = {task.id for task in listing.tasks if task.has_texts or task.notes}
        found = _about(words, pool, noted)
        if found:
            which = _WHERE[scope]
            session.say(
                f"I found {replies.tasks_word(len(found))} about "
                f"{replies.quoted(words)}{which}:\n\n{replies.lines(found)}",
                found,
                deed="list",
            )
            return
    near = nearest(words, (yield from session.pool(words)))
    hint = f" The nearest is {replies.names(near, 'or', ids=True)}." if near else ""
    session.say(f"I found nothing about {replies.quoted(words)}.{hint}", near, deed="list")


def _about(words: str, tasks: Sequence[Seen], noted: Collection[int]) -> tuple[Seen, ...]:
    """All tasks that words fit in title, project or tags, and those that are `noted` to fit."""
    plain = words.casefold()
    ids = {task.id for task in find(words, tasks)}
    return tuple(
        task
        for task in tasks
        if task.id in ids
        or plain in task.notes.casefold()
        or plain in task.title.casefold()
        or plain in (task.project.casefold(), *(tag.casefold() for tag in task.tags))
    )


def _description(asked: Asked, session: Session, number: int) -> str:
    """So many tasks of the kind that was asked for: `2 overdue tasks tagged work`."""
    before = [condition.before for condition in asked.conditions if condition.before]
    after = [condition.after for condition in asked.conditions if condition.after]
    if asked.group or asked.rest:
        after.append(f"for {replies.quoted(session.shown(asked.group or asked.rest))}")
    if asked.search:
        after.append(f"about {replies.quoted(session.shown(asked.search))}")
    if not asked.conditions:
        before = ["open"]
    return " ".join((replies.tasks_word(number, " ".join(before)), *map(replies.escaped, after)))


def _say_count(session: Session, listing: Listing, asked: Asked) -> None:
    number = listing.total
    said = f"You have {_description(asked, session, number)}."
    if asked.is_plain and session.overdue and number:
        said += f" {session.overdue:,} of them {'is' if session.overdue == 1 else 'are'} overdue."
    session.say(said, deed="list")
    if 0 < number <= replies.MOST_SHOWN and not asked.is_plain:
        session.say(replies.lines(listing.tasks, number), listing.tasks)


def _say_list(session: Session, listing: Listing, asked: Asked) -> None:
    tasks = listing.tasks
    if not tasks:
        session.say(_none(asked, session), deed="list")
        return
    what = _description(asked, session, listing.total)
    session.say(f"{what}:\n\n{_rows(listing)}", tasks, deed="list")


def _none(asked: Asked, session: Session) -> str:
    named = asked.group or asked.rest or asked.search
    if not named and asked.filter in _NONE:
        return _NONE[asked.filter]
    return f"You have {_description(asked, session, 0).replace('0 ', 'no ', 1)}."


def list_groups(session: Session, intent: Groups) -> Plan[None]:
    """Which projects or tags there are among the open tasks, with how many each has."""
    listing = yield from session.look()
    names: dict[str, int] = {}
    for task in listing.tasks:
        for name in task.tags if intent.kind == "tags" else filter(None, (task.project,)):
            names[name] = names.get(name, 0) + 1
    if not names:
        session.say(f"Your open tasks have no {intent.kind}.", deed="list")
        return
    rows = [
        f"- {replies.escaped(name)} · {replies.tasks_word(count)}"
        for name, count in sorted(names.items())
    ]
    session.say(f"Your {intent.kind}:\n\n" + "\n".join(rows), deed="list")


def what_next(session: Session) -> Plan[None]:
    """Name the task to begin with and say why, then those after it."""
    listing = yield from session.look("ready sort:urgency")
    if not listing.tasks and (blocked := (yield from session.look())).tasks:
        session.say(
            f"Nothing can be done right now: all {replies.tasks_word(blocked.total, 'open')} wait.",
            blocked.tasks[: replies.MOST_NAMED],
            deed="list",
        )
        return
    if not listing.tasks:
        session.say(
            "Nothing is open. Enjoy it, or say “add …” with what comes to mind.", deed="list"
        )
        return
    ranked = listing.tasks
    first, after = ranked[0], ranked[1:3]
    said = f"I would start with {replies.numbered(first)}{_because(first)}."
    if after:
        said += f" After that: {replies.names(after)}."
    session.say(said, ranked[:3], deed="list")


def _because(task: Seen) -> str:
    reasons = []
    if task.overdue:
        reasons.append(f"it is {task.overdue}")
    elif task.due_words:
        reasons.append(f"it is due {task.due_words}")
    if task.priority == "high":
        reasons.append("it has high priority" if not reasons else "has high priority")
    return f": {' and '.join(reasons)}" if reasons else ""


def show(session: Session, intent: Show) -> Plan[None]:
    """Say what is known of a task."""
    resolved = yield from resolve(session, intent.ref)
    match resolved:
        case Found(tasks=tasks):
            for task in (yield from _with_texts(tasks[:10])):
                _describe(session, task, intent.aspect)
            session.focus = tasks
        case Several():
            session.say(
                f"{len(resolved.tasks)} tasks fit "
                f"{replies.quoted(session.shown(resolved.words))}:\n\n{replies.lines(resolved.tasks)}",
                resolved.tasks,
                deed="list",
            )
        case Nothing():
            words = replies.quoted(session.shown(intent.ref))
            near = (
                f" The nearest is {replies.names(resolved.near, 'or', ids=True)}."
                if resolved.near
                else ""
            )
            session.say(
                resolved.sentence or f"I found no task that fits {words}.{near}", resolved.near
            )
        case _:
            assert_never(resolved)


def _with_texts(tasks: Sequence[Seen]) -> Plan[tuple[Seen, ...]]:
    """The tasks with their notes and annotations, which only a list of one task tells."""
    lacking = [task for task in tasks if task.has_texts]
    if not lacking:
        return tuple(tasks)
    outcomes = yield tuple(
        Call("list_tasks", {"filter": f"trash #{task.id}" if task.in_trash else f"#{task.id}"})
        for task in lacking
    )
    told = {task.id: task for outcome in outcomes for task in outcome.tasks}
    return tuple(told.get(task.id, task) for task in tasks)


def _describe(session: Session, task: Seen, aspect: str = "") -> None:
    if not task.title:
        session.speech.say(f"There is no task #{task.id}.")
        return
    state = {"done": "is done", "doing": "is in progress", "cancelled": "is cancelled"}.get(
        task.status, "is open"
    )
    if task.done_on and task.status == "done":
        state = f"was done {_day_words(session, task.done_on)}"
    if task.in_trash:
        state = "is in the trash"
    parts = (replies.facts(task), _following(session, task, aspect), _lacking(task, aspect))
    facts = ", ".join(part for part in parts if part)
    said = f"{replies.numbered(task)} {state}{f': {facts}' if facts else ''}."
    if task.notes:
        said += f"\n\nNotes: {replies.escaped(task.notes)}"
    if task.remarks:
        said += "\n\n" + "\n".join(f"- {replies.escaped(each)}" for each in task.remarks)
    session.say(said, (task,), deed="list")


def _day_words(session: Session, day: str) -> str:
    return replies.days([When.parse(day)], session.dates.now)


def _following(session: Session, task: Seen, aspect: str) -> str:
    """The dates after the present one, where those were asked about."""
    if aspect not in ("next", "repeat") or not task.next_dates:
        return ""
    return f"then {replies.days(task.next_dates, session.dates.now)}"


def _lacking(task: Seen, aspect: str) -> str:
    """What was asked about and is not there."""
    if aspect == "due" and not task.due_words:
        return "no due date"
    if aspect in ("next", "repeat") and not task.repeat_words:
        return "it does not repeat"
    if aspect == "priority" and not task.priority:
        return "no priority"
    return "" if task.due_words or task.status == "done" else "no due date"


def tell_links(session: Session, intent: Links) -> Plan[None]:
    """Say what a task waits for, what waits for it, or what is below it."""
    if intent.doubtful and not (yield from _names_a_task(session, intent.ref)):
        decline(session)
        return
    task = yield from _one(session, intent.ref)
    if task is None:
        return
    match intent.side:
        case LinkSide.BLOCKERS:
            yield from _blockers(session, task)
        case LinkSide.WAITING:
            yield from _waiting(session, task)
        case LinkSide.BELOW:
            yield from _below(session, task)
        case _:
            assert_never(intent.side)


def explain_urgency(session: Session, intent: Why) -> Plan[None]:
    """Say what makes a task press, and what stands before it."""
    if intent.other:
        yield from _compare(session, intent)
        return
    pointed = not intent.ref or isinstance(read_reference(intent.ref, session.dates), ByPointing)
    if pointed and session.focus:
        # Of several that were named, the first is the one that was put first.
        task = session.focus[0]
    elif not intent.ref:
        decline(session)
        return
    elif (named := (yield from _one(session, intent.ref))) is None:
        return
    else:
        task = named
    listing = yield from session.look("all sort:urgency")
    ranked = [each for each in listing.tasks if each.urgency]
    ranked = ranked or list(listing.tasks)
    place = next((at for at, each in enumerate(ranked) if each.id == task.id), None)
    seen = (yield from session.look(f"#{task.id} sort:urgency")).tasks
    if not seen or not seen[0].is_open:
        session.say(f"{replies.numbered(task)} is not open, so it does not press.", (task,))
        return
    score, _, reasons = seen[0].urgency.partition(": ")
    said = f"{replies.numbered(task)}: {reasons}. Its urgency is {score}"
    if place is not None and not listing.cut:
        said += f", number {place + 1} of {len(ranked)} on your list"
    session.say(f"{said}.", (seen[0],), deed="list")
    if place:
        before = ranked[:place][: replies.MOST_NAMED]
        session.speech.say(f"Before it: {replies.names(before)}.")


def _compare(session: Session, intent: Why) -> Plan[None]:
    """Say which of two tasks presses more, and what makes each of them press."""
    one = yield from _one(session, intent.ref)
    other = (yield from _one(session, intent.other)) if one else None
    if one is None or other is None:
        return
    ranked = (yield from session.look(f"(#{one.id} or #{other.id}) sort:urgency")).tasks
    open_ones = [task for task in ranked if task.is_open and task.urgency]
    if len(open_ones) < 2:
        session.say(f"{replies.names((one, other), ids=True)} are not both open.", (one, other))
        return
    told = "\n".join(f"- {replies.numbered(task)}: {task.urgency}" for task in open_ones)
    session.say(f"{replies.name(open_ones[0])} presses more:\n\n{told}", open_ones)


def restore_last(session: Session) -> Plan[None]:
    """Take out of the trash what went there last, with what went along."""
    listing = yield from session.look("trash sort:deleted-")
    if not listing.tasks:
        session.say("The trash is empty.", deed="list")
        return
    known = {task.id: task for task in listing.tasks}
    last = listing.tasks[0]
    while last.parent in known:
        last = known[last.parent]
    yield from act_on(
        session, Act(Deed.REOPEN, f"#{last.id}"), Found((last,)), f"reopen #{last.id}"
    )


def _names_a_task(session: Session, words: str) -> Plan[bool]:
    return not isinstance((yield from resolve(session, words)), Nothing)


def _one(session: Session, words: str) -> Plan[Seen | None]:
    """The one task that words mean; where they mean none or several, that is said."""
    resolved = yield from resolve(session, words)
    match resolved:
        case Found(tasks=(task,)) if task.title:
            return task
        case Found(tasks=(task,)):
            session.speech.say(f"There is no task #{task.id}.")
        case Found(tasks=tasks) | Several(tasks=tasks):
            said = f"{len(tasks)} tasks fit {replies.quoted(session.shown(words))}; ask of one:"
            session.say(f"{said}\n\n{replies.lines(tasks)}", tasks, deed="list")
        case Nothing():
            said = resolved.sentence or (
                f"I found no task that fits {replies.quoted(session.shown(words))}."
            )
            session.say(said, resolved.near)
        case _:
            assert_never(resolved)
    return None


def _blockers(session: Session, task: Seen) -> Plan[None]:
    if not task.blocked_by:
        session.say(f"{replies.numbered(task)} waits for nothing.", (task,), deed="list")
        return
    wanted = " or ".join(f"#{each}" for each in task.blocked_by)
    found = (yield from session.look(wanted)).tasks
    still = [each for each in found if each.is_open]
    if not still:
        names = replies.names(found, ids=True) or "other tasks"
        session.say(f"Nothing blocks {replies.numbered(task)} any more: {names} done.", (task,))
        return
    session.say(
        f"{replies.numbered(task)} waits for {replies.names(still, ids=True)}.",
        (task, *still),
        deed="list",
    )


def _waiting(session: Session, task: Seen) -> Plan[None]:
    listing = yield from session.look("blocked")
    waiting = [each for each in listing.tasks if task.id in each.blocked_by]
    if not waiting:
        session.say(f"Nothing waits for {replies.numbered(task)}.", (task,), deed="list")
        return
    are = "waits" if len(waiting) == 1 else "wait"
    session.say(
        f"{replies.names(waiting, ids=True)} {are} for {replies.numbered(task)}.",
        waiting,
        deed="list",
    )


def _below(session: Session, task: Seen) -> Plan[None]:
    listing = yield from session.look(f"under:{task.id} all")
    if not listing.tasks:
        session.say(f"{replies.numbered(task)} has no subtasks.", (task,), deed="list")
        return
    done = f", {task.progress}" if task.progress else ""
    some = f"{listing.total:,} subtask{'' if listing.total == 1 else 's'}"
    said = f"{replies.numbered(task)} has {some}{done}:"
    session.say(
        f"{said}\n\n{replies.lines(listing.tasks, listing.total)}", listing.tasks, deed="list"
    )
