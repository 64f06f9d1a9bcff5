"""Narrowing: of some tasks, those in a project, with a tag or with words in their title."""

from __future__ import annotations

import re

from todo_tui.providers.offline.matching import find_strictly
from todo_tui.providers.offline.session import Listing, Session, group_named
from todo_tui.providers.offline.toolwork import Plan, Seen

_OR = re.compile(r"\s+or\s+", re.IGNORECASE)


def only(tasks: tuple[Seen, ...]) -> Listing:
    """A listing of these tasks and no more."""
    return Listing(tasks, len(tasks))


def narrowed(session: Session, base: str, listing: Listing, name: str) -> Plan[Listing]:
    """Of the tasks, those in the project, with the tag, or with the words, that a name means."""
    shown = session.shown(name)
    if len(parts := _OR.split(shown)) > 1:
        found: dict[int, Seen] = {}
        for part in parts:
            each = yield from narrowed(session, base, listing, part)
            found.update({task.id: task for task in each.tasks})
        return only(tuple(task for task in listing.tasks if task.id in found))
    plain = re.sub(r"\s+", "-", shown)
    if listing.cut:
        more = yield from session.look(f"{base} (#{plain} or @{plain})".strip())
        if more.tasks:
            return more
    tasks = listing.tasks
    projects, tags = session.known_groups(tasks)
    project, tag = group_named(shown, projects), group_named(shown, tags)
    if project or tag:
        return only(_grouped(tasks, project, tag))
    return only(find_strictly(shown, tasks))


def _grouped(tasks: tuple[Seen, ...], project: str | None, tag: str | None) -> tuple[Seen, ...]:
    """The tasks in a project or with a tag."""
    return tuple(
        task for task in tasks if (project and _is_in(task, project)) or (tag and tag in task.tags)
    )


def _is_in(task: Seen, project: str) -> bool:
    path, wanted = task.project.casefold(), project.casefold()
    return path == wanted or path.startswith(f"{wanted}.")


def group_of(session: Session, words: str, tasks: tuple[Seen, ...]) -> tuple[Seen, ...]:
    """The tasks of the project or tag that words are the name of: `the errands`."""
    bare = re.sub(r"^(?:the|my|our|all) ", "", words.strip(), flags=re.IGNORECASE)
    projects, tags = session.known_groups(tasks)
    return _grouped(tasks, group_named(bare, projects), group_named(bare, tags))
