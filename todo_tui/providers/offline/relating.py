"""Relating: questions about what hangs together with a task, and why one presses."""

from __future__ import annotations

from typing import assert_never

from todo_tui.providers.offline import replies
from todo_tui.providers.offline.acting import act_on
from todo_tui.providers.offline.asides import decline
from todo_tui.providers.offline.found import Found, Nothing, Several
from todo_tui.providers.offline.intents import Act, Deed, Links, LinkSide, Why
from todo_tui.providers.offline.references import ByPointing, read_reference
from todo_tui.providers.offline.resolving import resolve
from todo_tui.providers.offline.session import Session
from todo_tui.providers.offline.toolwork import Plan, Seen


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
