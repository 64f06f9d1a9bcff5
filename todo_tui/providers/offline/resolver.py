"""Find the tasks that words mean, looking up what is not known yet."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import assert_never

from todo_tui.providers.offline import replies
from todo_tui.providers.offline.filters import Asked, read_asked
from todo_tui.providers.offline.references import (
    ById,
    ByKind,
    ByName,
    ByPlace,
    ByPointing,
    BySubtree,
    find,
    find_strictly,
    find_surely,
    nearest,
    parts_of,
    read_reference,
    root_of,
)
from todo_tui.providers.offline.session import Listing, Session, group_named
from todo_tui.providers.offline.tool_results import Found, Nothing, Plan, Resolved, Seen, Several
from todo_tui.providers.offline.words import folded

_RAW = re.compile(
    r"(?<![\w#@])(?:sort|group|view|has|under|parent|status|is|no|id|(?:due|done|start|created"
    r"|updated|completed|priority)(?:\.\w+)?)(?::|[<>]=?)\s?\S|\([^()]* (?:or|and) [^()]*\)",
    re.IGNORECASE,
)
_BEFORE_RAW = re.compile(
    r"^(?:(?:only|just|all|the|my|open|tasks?|to-?dos?|items?|everything|list|with|matching|by|where"
    r"|that|are|for|filter|in)\b:? ?)+(?=\S)",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"^(?:the|my|our) ", re.IGNORECASE)
_OR = re.compile(r"\s+or\s+", re.IGNORECASE)
OPEN = ("", "all")
"""Scopes to look in, one after the other: what is open, then everything."""
_EMPTY = "There is nothing on your list."
TRASH = "trash"
CLOSED = ("done", "all", TRASH)
_NONE_THERE = {"": _EMPTY, TRASH: "The trash is empty."}
_BARE_ALL = re.compile(
    r"all(?:$| (?:but|except|apart|other than|besides|excluding)\b)", re.IGNORECASE
)
_ONE = re.compile(r"\bones?$", re.IGNORECASE)
_OCCURRING = re.compile(
    r"(?:the |my )?(?:(?P<days>(?:this|next) (?:week|month|weekend)|today|tomorrow|yesterday"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day)(?:'s|’s)? |(?:next|coming|upcoming|following"
    r"|current) )(?P<name>.+)",
    re.IGNORECASE,
)
_SPARED = re.compile(
    r"(?P<name>.+?),? (?:but not|and not|not|except(?: for)?|but leave|other than) (?P<out>.+)",
    re.IGNORECASE,
)


def raw_filter(words: str) -> str:
    """The filter that words are already, in the language of the filter box; else nothing."""
    if not _RAW.search(words):
        return ""
    return _BEFORE_RAW.sub("", words.strip())


def filter_text(session: Session, asked: Asked) -> Plan[str]:
    """The words of a filter that finds what a description means."""
    parts = [condition.filter for condition in asked.conditions]
    for name in (asked.group, asked.rest):
        if name:
            either = []
            for part in re.split(r"\s+or\s+", session.shown(name)):
                either.append((yield from _named(session, part)))
            parts.append(f"({' or '.join(either)})" if len(either) > 1 else either[0])
    if asked.search:
        parts.append(_searched(session.shown(asked.search)))
    if asked.except_for:
        parts.append(f"not {yield from _named(session, session.shown(asked.except_for))}")
    return " ".join((*parts, asked.order) if asked.order else parts)


def _named(session: Session, words: str) -> Plan[str]:
    """A project or tag where there is one of that name; else the words are searched for."""
    listing = yield from session.look()
    projects, tags = session.known_groups(listing.tasks)
    bare = _ARTICLE.sub("", words.strip())
    if project := group_named(bare, projects):
        return f"#{project}"
    if tag := group_named(bare, tags):
        return f"@{tag}"
    return _searched(bare)


def _searched(words: str) -> str:
    plain = words.replace('"', " ").strip()
    return f'"{plain}"'


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


def resolve(session: Session, words: str, scopes: Sequence[str] = OPEN) -> Plan[Resolved]:
    """Find what words point at."""
    settled = session.settled.get(folded(session.shown(words)))
    if settled is not None:
        return Found(settled)
    reference = read_reference(words, session.dates)
    match reference:
        case ById(ids):
            return Found((yield from _by_id(session, ids)))
        case ByPlace(places):
            return _by_place(session, words, places)
        case ByPointing():
            return (yield from _by_pointing(session, reference))
        case ByKind(description):
            return (yield from _by_kind(session, words, description, scopes))
        case BySubtree(root, with_root):
            return (yield from _by_subtree(session, root, scopes, with_root=with_root))
        case ByName(name):
            return (yield from _by_name(session, name, scopes))
        case _:
            assert_never(reference)


def refreshed(session: Session, tasks: Sequence[Seen]) -> Plan[tuple[Seen, ...]]:
    """The tasks as they are now; those that earlier turns named are looked up."""
    stale = [task for task in tasks if task in session.past.focus or task in session.selection]
    if not stale:
        return tuple(tasks)
    wanted = " or ".join(f"#{task.id}" for task in stale)
    fresh = {task.id: task for task in (yield from session.look(wanted)).tasks}
    if len(fresh) < len(stale):
        trashed = yield from session.look(f"trash ({wanted})")
        fresh |= {task.id: task for task in trashed.tasks}
    return tuple(fresh.get(task.id, task) for task in tasks)


def _by_id(session: Session, ids: Sequence[int]) -> Plan[tuple[Seen, ...]]:
    """The tasks of these numbers; one that does not exist is a task without title."""
    known = {task.id: task for task in (*session.focus, *session.selection)}
    tasks = []
    for number in ids:
        listing = yield from session.look(f"#{number}")
        if listing.tasks:
            tasks.append(listing.tasks[0])
        else:
            tasks.append(known.get(number) or Seen(number, ""))
    return tuple(tasks)


def _by_subtree(
    session: Session, root: str, scopes: Sequence[str], *, with_root: bool
) -> Plan[Resolved]:
    """A task and what is below it, or that alone."""
    resolved = yield from resolve(session, root, scopes)
    if not isinstance(resolved, Found):
        return resolved
    tasks = list(resolved.tasks) if with_root else []
    beyond = 0
    for task in resolved.tasks:
        below = yield from session.look(f"under:{task.id}")
        tasks += [each for each in below.tasks if each not in tasks]
        beyond += below.total - len(below.tasks)
    if not tasks:
        names = replies.names(resolved.tasks, ids=True)
        return Nothing(root, sentence=f"{names} has no open subtasks, so nothing was changed.")
    return Found(tuple(tasks), beyond=beyond)


def _by_place(session: Session, words: str, places: Sequence[int]) -> Resolved:
    named = session.focus
    if not named:
        return Nothing(
            words,
            sentence="I have not named any tasks yet. Say “list my tasks” first, or use a title "
            "or a number such as #3.",
        )
    count = len(named)
    chosen = tuple(named[place] for place in places if -count <= place < count)
    if not chosen:
        many = "only one task" if count == 1 else f"only {count} tasks"
        return Nothing(words, sentence=f"I named {many} last.")
    return Found(chosen)


def _by_pointing(session: Session, pointing: ByPointing) -> Plan[Resolved]:
    named = session.selection if pointing.selected and session.selection else session.focus
    if pointing.words == "the rest":
        listing = yield from session.look()
        mentioned = {task.id for task in session.focus} | set(session.speech.named)
        known = session.past.focus if session.past.deed == "list" else ()
        left = tuple(task for task in known if task.id not in mentioned)
        named = left or tuple(task for task in listing.tasks if task.id not in mentioned)
        return (
            Found(named)
            if named
            else Nothing(pointing.words, sentence="There is nothing else on the list.")
        )
    if not named:
        said = (
            f"I am not sure what “{pointing.words}” means here. Name a task, or use its number, "
            f"such as #3."
        )
        return Nothing(pointing.words, sentence=said)
    if pointing.many or len(named) == 1:
        return Found(named)
    return Several(pointing.words, named)


def _by_kind(
    session: Session, words: str, description: str, scopes: Sequence[str]
) -> Plan[Resolved]:
    root = root_of(words)
    if root and not (yield from _is_group(session, root)):
        return (yield from _by_subtree(session, root, scopes, with_root=False))
    asked = read_asked(description, session.dates)
    listing = yield from select(session, asked, scopes[0], _listed(session, words))
    if listing.error:
        return Nothing(words, sentence=f"{listing.error} Nothing was changed.")
    if listing.tasks:
        beyond = listing.total - len(listing.tasks)
        words = ""
        if beyond:
            words = yield from filter_text(session, asked)
            words = words if asked.sets_scope else f"{scopes[0]} {words}".strip() or "open"
        return Found(listing.tasks, everything=asked.is_plain, beyond=beyond, filter=words)
    if not description:
        return Nothing(words, sentence=_NONE_THERE.get(scopes[0], "Nothing is done yet."))
    parts = parts_of(words)
    if len(parts) > 1:
        several = yield from _each_of(session, parts, scopes)
        if not isinstance(several, Nothing):
            return several
    if asked.conditions:
        said = replies.quoted(session.shown(words))
        return Nothing(words, sentence=f"I found no tasks that fit {said}; nothing was changed.")
    return (yield from _by_name(session, words, scopes))


def _is_group(session: Session, words: str) -> Plan[bool]:
    """Return True if words are the name of a project or tag of an open task."""
    listing = yield from session.look()
    return any(
        group_named(session.shown(words), names) for names in session.known_groups(listing.tasks)
    )


def _listed(session: Session, words: str) -> tuple[Seen, ...]:
    """The tasks of the list just told, if a bare `all` is said of it: `all but the dentist`."""
    told = session.past.deed == "list" and len(session.past.focus) > 1
    return session.past.focus if told and _BARE_ALL.match(words.strip()) else ()


def select(
    session: Session, asked: Asked, scope: str = "", among: tuple[Seen, ...] = ()
) -> Plan[Listing]:
    """The tasks of a description: its conditions, and the group or words that it names.

    Where some are given to be `among`, only those of them that are as they were.
    """
    base = asked.filter if asked.sets_scope else f"{scope} {asked.filter}".strip()
    listing = yield from session.look(base)
    if among:
        ids = {task.id for task in among}
        listing = only(tuple(task for task in listing.tasks if task.id in ids))
    for name in (asked.group, asked.rest):
        if name:
            listing = yield from narrowed(session, base, listing, name)
    if asked.search:
        listing = only(find(session.shown(asked.search), listing.tasks))
    if asked.except_for and listing.tasks:
        listing = yield from _without(session, listing.tasks, asked.except_for)
    return listing


def _without(session: Session, tasks: tuple[Seen, ...], words: str) -> Plan[Listing]:
    """The tasks but for those that words name; an error where these name nothing.

    Who wants one task left alone must not see it changed because it was not found.
    """
    left_out: set[int] = set()
    for part in parts_of(words):
        asked = read_asked(part, session.dates)
        if asked.conditions and not (asked.rest or asked.search):
            found = (yield from select(session, asked)).tasks
        else:
            resolved = yield from resolve(session, part)
            if isinstance(resolved, Nothing):
                said = replies.quoted(session.shown(part))
                return Listing((), 0, error=f"I found no task that fits {said}, to leave it out.")
            found = resolved.tasks
        left_out.update(task.id for task in found)
    return only(tuple(task for task in tasks if task.id not in left_out))


def _by_name(session: Session, name: str, scopes: Sequence[str]) -> Plan[Resolved]:
    shown = session.shown(name)
    if session.focus and _ONE.search(name):
        pointed = _ONE.sub("", shown).strip()
        found = find(pointed, session.focus) if pointed.casefold() not in ("", "the") else ()
        if found:
            return _one_of(name, found)
    open_tasks = yield from session.pool(shown, scopes[0])
    group = group_of(session, shown, open_tasks)
    if named := (yield from _by_title(session, name, scopes, bool(group))):
        return named
    if group:
        return Found(group, everything=True)
    if bounded := (yield from _bounded(session, name, scopes)):
        return bounded
    return Nothing(name, nearest(shown, open_tasks))


def _by_title(
    session: Session, name: str, scopes: Sequence[str], is_group: bool
) -> Plan[Resolved | None]:
    """The tasks that words of a title mean; those of a group have no slips in them."""
    shown, parts = session.shown(name), parts_of(name)
    for scope in scopes:
        pool = yield from session.pool(shown, scope)
        if found := find_strictly(shown, pool):
            if is_group and not find_surely(shown, found):
                return None
            return _one_of(name, found)
        if len(parts) > 1:
            several = yield from _each_of(session, parts, scopes)
            if not isinstance(several, Nothing):
                return several
        if found := find(shown, pool):
            return _one_of(name, found)
    return None


def _bounded(session: Session, name: str, scopes: Sequence[str]) -> Plan[Resolved | None]:
    """`this week's gym`, `the next gym`, `the bank but not mom`: a name and what bounds it."""
    if match := _SPARED.fullmatch(name):
        resolved = yield from resolve(session, match["name"], scopes)
        if not isinstance(resolved, Found):
            return resolved if isinstance(resolved, Several) else None
        left = yield from _without(session, resolved.tasks, match["out"])
        return Found(left.tasks) if left.tasks else None
    if match := _OCCURRING.fullmatch(name):
        resolved = yield from resolve(session, match["name"], scopes)
        if isinstance(resolved, Nothing):
            return None
        days = match["days"]
        fits = [task for task in resolved.tasks if days is None or session.is_due_in(task, days)]
        if len(fits) == 1:
            return Found(tuple(fits))
        return Several(name, tuple(fits)) if fits else None
    return None


def _one_of(words: str, found: tuple[Seen, ...]) -> Resolved:
    if len(found) == 1:
        return Found(found)
    return Several(words, found)


def _each_of(session: Session, parts: Sequence[str], scopes: Sequence[str]) -> Plan[Resolved]:
    """Each name of a list; a name of several stops, one of none is reported."""
    tasks: dict[int, Seen] = {}
    missing: list[str] = []
    for part in parts:
        resolved = yield from resolve(session, part, scopes)
        match resolved:
            case Found():
                tasks.update({task.id: task for task in resolved.tasks})
            case Several():
                return resolved
            case Nothing():
                missing.append(part)
            case _:
                assert_never(resolved)
    if not tasks:
        return Nothing(" and ".join(parts))
    return Found(tuple(tasks.values()), missing=tuple(missing))
