"""Filtering: a description of tasks as the words of one filter, for what a tool does alone."""

from __future__ import annotations

import re

from todo_tui.providers.offline.asking import Asked
from todo_tui.providers.offline.session import Session, group_named
from todo_tui.providers.offline.toolwork import Plan

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
