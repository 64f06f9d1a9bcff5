"""Completers of arguments and options, each for click's `shell_complete=`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec

import click
from click.shell_completion import CompletionItem

from todo_tui.cli.session import CliSession
from todo_tui.domain.text import fold_case, plain_line, shorten

if TYPE_CHECKING:
    from todo_tui.cli.options import TaskScope

Items = list[CompletionItem[str]]
Extra = ParamSpec("Extra")
ShellCompleter = Callable[[click.Context, click.Parameter, str], Items]
_MAX_ITEMS = 200
_MAX_WIDTH = 60
_ID_LENGTH = 8
"""Characters of the id of a conversation, as lists show it."""
_NAME_KEY = re.compile(r"\w+:")
_ID = re.compile("#?[0-9a-f]+")


def _completer(
    complete: Callable[Concatenate[CliSession, str, Extra], Items],
) -> Callable[Concatenate[click.Context, click.Parameter, str, Extra], Items]:
    """Make a function of session and incomplete text a completer.

    An argument is offered nothing that begins with a dash: a view named `--db=x` would be read
    as an option.
    """

    @wraps(complete)
    def shell_complete(
        context: click.Context,
        parameter: click.Parameter,
        incomplete: str,
        /,
        *args: Extra.args,
        **options: Extra.kwargs,
    ) -> Items:
        session = context.find_object(CliSession)
        assert session is not None  # noqa: S101 - set by `main`
        items = complete(session, incomplete, *args, **options)
        if isinstance(parameter, click.Argument) and not incomplete.startswith("-"):
            return [item for item in items if not item.value.startswith("-")]
        return items

    return shell_complete


@_completer
def complete_tasks(session: CliSession, incomplete: str, *, scope: TaskScope) -> Items:
    """Return the ids of tasks in the scope, explained by their titles."""
    mark = "#" if incomplete.startswith("#") else ""
    digits = incomplete.removeprefix("#")
    if not _has_store(session) or (digits and not digits.isdecimal()):
        return []
    from todo_tui.cli.title_search import rows_in_scope  # 12 ms: for tasks alone

    titles = {str(row.id): row.title for row in rows_in_scope(session.store, scope)}
    pairs = [(f"{mark}{id}", title) for id, title in titles.items() if id.startswith(digits)]
    return _explained(pairs[:_MAX_ITEMS], are_ids=True)


@_completer
def complete_filter(session: CliSession, incomplete: str) -> Items:
    """Return the keywords of the filter language, and projects, tags and views."""
    from todo_tui.domain.filters import completion  # 8 ms: with the next one
    from todo_tui.domain.filters.lexer import FilterNames

    names = session.store.filter_names() if _has_store(session) else FilterNames()
    candidates = completion.complete_filter(incomplete, len(incomplete), names).candidates
    key = _NAME_KEY.match(incomplete)
    return [
        # `project:home` as it was begun, not `#home`, which means the same.
        CompletionItem(
            f"{key[0]}{candidate.text[1:]}"
            if key and candidate.text[0] in "#@"
            else candidate.text,
            help=candidate.about or None,
        )
        for candidate in candidates
    ]


@_completer
def complete_signs(session: CliSession, incomplete: str) -> Items:
    """Return `#project` and `@tag` for change words."""
    if not incomplete.startswith(("#", "@")) or not _has_store(session):
        return []
    from todo_tui.domain.filters.completion import complete_sign  # 8 ms

    names = session.store.filter_names()
    candidates = complete_sign(incomplete, len(incomplete), names).candidates
    return [CompletionItem(candidate.text) for candidate in candidates]


@_completer
def complete_projects(session: CliSession, incomplete: str) -> Items:
    """Return the names of projects, and of those above them."""
    names = session.store.filter_names().projects_and_above if _has_store(session) else ()
    return _matching(incomplete, dict.fromkeys(names, ""))


@_completer
def complete_tags(session: CliSession, incomplete: str) -> Items:
    """Return the names of tags."""
    names = session.store.tasks.tags() if _has_store(session) else ()
    return _matching(incomplete, dict.fromkeys(names, ""))


@_completer
def complete_views(session: CliSession, incomplete: str, *, built_in: Iterable[str] = ()) -> Items:
    """Return the names of saved views, explained by their filters, then built-in ones."""
    saved = session.store.views.list() if _has_store(session) else ()
    filters = {view.name: view.filter_text for view in saved}
    return _matching(incomplete, filters | {
        name: "Built-in view" for name in built_in if name not in filters
    })  # fmt: skip


@_completer
def complete_providers(session: CliSession, incomplete: str) -> Items:
    """Return the ids of providers, explained by their labels."""
    from todo_tui.cli.provider_options import all_provider_rows  # 8 ms: types of the app

    rows = all_provider_rows(session.settings)
    return _matching(incomplete, {row.id: row.label for row in rows if not row.hidden})


@_completer
def complete_conversations(session: CliSession, incomplete: str) -> Items:
    """Return shortened ids of conversations, explained by their titles."""
    entries = session.store.conversations.list(_MAX_ITEMS) if _has_store(session) else ()
    pairs = [(entry.id[:_ID_LENGTH], entry.title) for entry in entries]
    prefix = incomplete.lower()
    return _explained([pair for pair in pairs if pair[0].startswith(prefix)], are_ids=True)


def _has_store(session: CliSession) -> bool:
    """Return true if there is a database; completion creates none."""
    return session.settings.db.exists()


def _matching(incomplete: str, explanations: dict[str, str]) -> Items:
    prefix = fold_case(incomplete)
    pairs = explanations.items()
    return _explained((value, text) for value, text in pairs if fold_case(value).startswith(prefix))


def _explained(pairs: Iterable[tuple[str, str]], *, are_ids: bool = False) -> Items:
    return [
        CompletionItem(
            value,
            help=shorten(plain_line(text), _MAX_WIDTH) or None,
            # The database may come from elsewhere, with anything for an id.
            is_id=are_ids and bool(_ID.fullmatch(value)),
        )
        for value, text in pairs
    ]
