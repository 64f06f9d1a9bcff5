"""`views` and `view`: filters that are saved under a name, and what they show."""

from __future__ import annotations

import click

from todo_tui.cli.columns import Cell, Column, print_columns
from todo_tui.cli.filters import read_query
from todo_tui.cli.listing import show_tasks
from todo_tui.cli.options import TodoCommand, joined, json_option
from todo_tui.cli.output import note, print_json, say
from todo_tui.cli.session import Session
from todo_tui.cli.subcommands import TodoGroup
from todo_tui.domain.errors import NotFound
from todo_tui.domain.filter_view import SavedView
from todo_tui.domain.task import JsonValue

_COLUMNS = (
    Column("Key", whole=True),
    Column("View", whole=True),
    Column("Filter", main=True),
    Column("What is wrong"),
)
_WORDS = {"ignore_unknown_options": True}
_OF_THE_APP = {
    "today": "overdue or due:today or started",
    "upcoming": "overdue or due.from:today group:day",
    "next": "ready sort:urgency",
    "projects": "group:project",
    "done": "done sort:done- group:done",
    "trash": "trash sort:deleted-",
}
"""What the views that the app comes with show, as filters."""


@click.group(
    "views",
    cls=TodoGroup,
    invoke_without_command=True,
    no_args_is_help=False,
    short_help="Keep filters under names.",
)
@json_option
@click.pass_context
def views(context: click.Context, as_json: bool) -> None:
    """Keep filters under names; without a command, show them.

    `todo-tui view NAME` shows the tasks of one; in a filter, view:NAME stands for it.
    """
    if context.invoked_subcommand is not None:
        return
    session: Session = context.obj
    store = session.store.views
    saved = [(view, store.problem_of(view)) for view in store.list()]
    if as_json:
        print_json([_json(view, wrong) for view, wrong in saved])
    elif saved:
        rows = [_cells(view, wrong) for view, wrong in saved]
        print_columns(_COLUMNS, rows, no_color=session.settings.no_color)
    else:
        note("No view is saved yet. Save one: todo-tui views save calls @phone this week")


@views.command(
    "save", cls=TodoCommand, context_settings=_WORDS, short_help="Keep a filter under a name."
)
@click.argument("name", metavar="NAME")
@click.argument("words", metavar="FILTER...", nargs=-1, required=True)
@click.option("--key", metavar="KEY", help="A digit or letter that shows it in the app.")
@click.pass_obj
def save(session: Session, name: str, words: tuple[str, ...], key: str | None) -> None:
    """Keep a filter under a name; one of that name is replaced.

    Its order and headings are kept with it: todo-tui views save work '#work sort:priority'
    """
    text = joined(words)
    # Shows the place of a mistake.
    read_query(session, text)
    view = session.store.views.save(joined((name,)), text, key=key)
    say(f"Saved the view {_named(view)}.")


@views.command("rename", cls=TodoCommand, short_help="Give a view another name.")
@click.argument("name", metavar="NAME")
@click.argument("new_name", metavar="NEW")
@click.pass_obj
def rename(session: Session, name: str, new_name: str) -> None:
    """Give a view another name."""
    view = session.store.views.rename(joined((name,)), joined((new_name,)))
    say(f"The view is called {view.name} now.")


@views.command("key", cls=TodoCommand, short_help="Give a view a key, or none.")
@click.argument("name", metavar="NAME")
@click.argument("key", metavar="[KEY]", required=False)
@click.pass_obj
def key(session: Session, name: str, key: str | None) -> None:
    """Give a view a key that shows it in the app: a digit or letter; without one, take it away."""
    view = session.store.views.set_key(joined((name,)), key)
    say(f"The key of {_named(view)}." if view.key else f"{view.name} has no key now.")


@views.command("order", cls=TodoCommand, short_help="Put views in another order.")
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
@click.pass_obj
def order(session: Session, names: tuple[str, ...]) -> None:
    """Put these views first, in this order."""
    ordered = session.store.views.reorder([joined((name,)) for name in names])
    say(f"The order is {', '.join(view.name for view in ordered)}.")


@views.command("delete", cls=TodoCommand, short_help="Forget a view; its tasks stay.")
@click.argument("name", metavar="NAME")
@click.pass_obj
def delete(session: Session, name: str) -> None:
    """Forget a view; its tasks stay."""
    view = session.store.views.delete(joined((name,)))
    say(f"Forgot the view {view.name}. It was: {view.filter_text}")


@click.command("view", cls=TodoCommand, short_help="List the tasks of a saved view.")
@click.argument("words", metavar="NAME...", nargs=-1, required=True)
@json_option
@click.pass_obj
def view(session: Session, words: tuple[str, ...], as_json: bool) -> None:
    """List the tasks of a saved view, or of one that the app comes with.

    Those are today, upcoming, next, projects, done and trash; a saved one comes first.
    """
    name = joined(words)
    try:
        text = session.store.views.get(name).filter_text
    except NotFound:
        if name.casefold() not in _OF_THE_APP:
            raise
        text = _OF_THE_APP[name.casefold()]
    show_tasks(session, text, as_json=as_json)


def _named(view: SavedView) -> str:
    return f"{view.name} (key {view.key})" if view.key else view.name


def _json(view: SavedView, wrong: str) -> JsonValue:
    return {
        "name": view.name,
        "filter": view.filter_text,
        "key": view.key,
        "problem": wrong or None,
    }


def _cells(view: SavedView, wrong: str) -> list[Cell]:
    return [
        Cell(view.key or "", "dim"),
        Cell(view.name, "bold"),
        Cell(view.filter_text),
        Cell(wrong, "red"),
    ]
