"""Completers of arguments and options, for click's `shell_complete=`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from todo_tui.cli.task_scope import TaskScope
from todo_tui.cli.wiring.session import CliSession
from todo_tui.domain.text import fold_case, plain_line, shorten

if TYPE_CHECKING:
    from todo_tui.store.store import Store

Items = list[CompletionItem[str]]
ShellCompleter = Callable[[click.Context, click.Parameter, str], Items]
_MAX_ITEMS = 200
_MAX_WIDTH = 60
_ID_LENGTH = 8
"""Characters of the id of a conversation, as lists show it."""
_NAME_KEY = re.compile(r"\w+:")
_ID = re.compile("#?[0-9a-f]+")


def complete_tasks(
    context: click.Context, parameter: click.Parameter, incomplete: str, *, scope: TaskScope
) -> Items:
    """Return the ids of tasks in the scope, explained by their titles."""
    mark = "#" if incomplete.startswith("#") else ""
    digits = incomplete.removeprefix("#")
    store = _find_store(context)
    if store is None or (digits and not digits.isdecimal()):
        return []
    from todo_tui.cli.title_search import rows_in_scope  # 12 ms: for tasks alone

    titles = {f"{mark}{row.id}": row.title for row in rows_in_scope(store, scope)}
    return _matching(incomplete, titles, are_ids=True)[:_MAX_ITEMS]


def complete_filter(context: click.Context, parameter: click.Parameter, incomplete: str) -> Items:
    """Return the keywords of the filter language, and projects, tags and views."""
    from todo_tui.domain.filters import completion  # 8 ms: with the next one
    from todo_tui.domain.filters.lexer import FilterNames

    store = _find_store(context)
    names = FilterNames() if store is None else store.filter_names()
    key = _NAME_KEY.match(incomplete)
    items = []
    for candidate in completion.complete_filter(incomplete, len(incomplete), names).candidates:
        text = candidate.text
        if key and text[0] in "#@":
            # `project:home` as it was begun, not `#home`, which means the same.
            text = f"{key[0]}{text[1:]}"
        items.append(CompletionItem(text, help=candidate.about or None))
    return items


def complete_signs(context: click.Context, parameter: click.Parameter, incomplete: str) -> Items:
    """Return `#project` and `@tag` for change words."""
    store = _find_store(context)
    if store is None or not incomplete.startswith(("#", "@")):
        return []
    from todo_tui.domain.filters.completion import complete_sign  # 8 ms

    completion = complete_sign(incomplete, len(incomplete), store.filter_names())
    return [CompletionItem(candidate.text) for candidate in completion.candidates]


def complete_projects(context: click.Context, parameter: click.Parameter, incomplete: str) -> Items:
    """Return the names of projects, and of those above them."""
    store = _find_store(context)
    names = () if store is None else store.filter_names().projects_and_above
    return _matching(incomplete, dict.fromkeys(names, ""))


def complete_tags(context: click.Context, parameter: click.Parameter, incomplete: str) -> Items:
    """Return the names of tags."""
    store = _find_store(context)
    return _matching(incomplete, dict.fromkeys(() if store is None else store.tasks.tags(), ""))


def complete_views(
    context: click.Context,
    parameter: click.Parameter,
    incomplete: str,
    *,
    built_in: Iterable[str] = (),
) -> Items:
    """Return the names of saved views, explained by their filters, then built-in ones."""
    store = _find_store(context)
    saved = () if store is None else store.views.list()
    filters = {view.name: view.filter_text for view in saved}
    names = filters | {name: "Built-in view" for name in built_in if name not in filters}
    return _without_options(_matching(incomplete, names), incomplete)


def complete_providers(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> Items:
    """Return the ids of providers, explained by their labels."""
    from todo_tui.cli.wiring.providers import all_provider_rows  # 8 ms: types of the app

    rows = all_provider_rows(_session(context).settings)
    return _matching(incomplete, {row.id: row.label for row in rows})


def complete_conversations(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> Items:
    """Return shortened ids of conversations, explained by their titles."""
    store = _find_store(context)
    entries = () if store is None else store.conversations.list(_MAX_ITEMS)
    titles = {entry.id[:_ID_LENGTH]: entry.title for entry in entries}
    return _without_options(_matching(incomplete, titles, are_ids=True), incomplete)


def _session(context: click.Context) -> CliSession:
    session = context.find_object(CliSession)
    assert session is not None  # noqa: S101 - set by `main`
    return session


def _find_store(context: click.Context) -> Store | None:
    """Return the store, or None without a database: completion creates none."""
    session = _session(context)
    return session.store if session.settings.db.exists() else None


def _matching(incomplete: str, explanations: dict[str, str], *, are_ids: bool = False) -> Items:
    prefix = fold_case(incomplete)
    return [
        CompletionItem(
            value,
            help=shorten(plain_line(text), _MAX_WIDTH) or None,
            # The database may come from elsewhere, with anything for an id.
            is_id=are_ids and bool(_ID.fullmatch(value)),
        )
        for value, text in explanations.items()
        if fold_case(value).startswith(prefix)
    ]


def _without_options(items: Items, incomplete: str) -> Items:
    """Return the items that no command reads as an option, unlike a view named `--db=x`."""
    if incomplete.startswith("-"):
        return items
    return [item for item in items if not item.value.startswith("-")]
