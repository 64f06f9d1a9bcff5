"""Regrouping: all open tasks of a project move to another, with what is below it in the path."""

from __future__ import annotations

from todo_tui.providers.offline import replies
from todo_tui.providers.offline.adding import offer
from todo_tui.providers.offline.intents import Deed, Offer, Regroup
from todo_tui.providers.offline.offers import sounds_like_task
from todo_tui.providers.offline.session import Session, group_named
from todo_tui.providers.offline.toolwork import Call, Plan


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
