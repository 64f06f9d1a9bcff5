"""`todo-tui views`: saved views."""

import click

from todo_tui.cli.base import TodoGroup
from todo_tui.cli.commands.list import read_query
from todo_tui.cli.completers import complete_views
from todo_tui.cli.options import TEXT, filter_argument, json_option
from todo_tui.cli.output.messages import print_json, print_note, print_result
from todo_tui.cli.output.tables import TableColumn, print_columns
from todo_tui.cli.wiring.session import CliSession
from todo_tui.domain.filters.views import SavedView

_COLUMNS = (
    TableColumn("Key", whole=True, style="dim"),
    TableColumn("View", whole=True, style="bold"),
    TableColumn("Filter", main=True),
    TableColumn("Error", style="red"),
)
_name_argument = click.argument("name", metavar="NAME", type=TEXT, shell_complete=complete_views)


@click.group(
    "views", cls=TodoGroup, only_reads=True, invoke_without_command=True, no_args_is_help=False
)
@json_option
@click.pass_context
def views(context: click.Context, as_json: bool) -> None:
    """Manage saved views. Without a command, list them.

    `todo-tui view NAME` lists the tasks of a view; view:NAME uses the view in a filter.
    """
    if context.invoked_subcommand is not None:
        return
    session: CliSession = context.obj
    store = session.store.views
    saved = [(view, store.problem_of(view)) for view in store.list()]
    if as_json:
        names = ("name", "filter", "key", "problem")
        facts = [
            (view.name, view.filter_text, view.key, problem or None) for view, problem in saved
        ]
        print_json([dict(zip(names, values, strict=True)) for values in facts])
    elif saved:
        rows = [(view.key or "", view.name, view.filter_text, problem) for view, problem in saved]
        print_columns(_COLUMNS, rows)
    else:
        print_note("No saved views. Save a view: todo-tui views save calls @phone this week")


@views.command("save", writes=True, free_words=True, short_help="Save a filter as a view.")
@_name_argument
@filter_argument(required=True)
@click.option("--key", metavar="KEY", help="Shortcut in the app: a digit or letter.")
@click.pass_obj
def save(session: CliSession, name: str, filter_text: str, key: str | None) -> None:
    """Save a filter as a view, replacing a view of the same name.

    Sorting and grouping are saved too: todo-tui views save work '#work sort:priority'
    """
    read_query(session, filter_text)  # shows the place of a mistake
    view = session.store.views.save(name, filter_text, key=key)
    print_result(f"Saved view {_named(view)}.")


@views.command("rename", writes=True, short_help="Rename a view.")
@_name_argument
@click.argument("new_name", metavar="NEW", type=TEXT)
@click.pass_obj
def rename(session: CliSession, name: str, new_name: str) -> None:
    """Rename a view."""
    view = session.store.views.rename(name, new_name)
    print_result(f"Renamed view to {view.name}.")


@views.command("key", writes=True, short_help="Set or remove a view's shortcut.")
@_name_argument
@click.argument("key", metavar="[KEY]", required=False)
@click.pass_obj
def key(session: CliSession, name: str, key: str | None) -> None:
    """Set the shortcut of a view: a digit or letter. Without one, remove the shortcut."""
    view = session.store.views.set_key(name, key)
    print_result(
        f"Set shortcut of {_named(view)}." if view.key else f"Removed shortcut of {view.name}."
    )


@views.command("order", writes=True, short_help="Reorder views.")
@click.argument(
    "names", metavar="NAME...", nargs=-1, type=TEXT, required=True, shell_complete=complete_views
)
@click.pass_obj
def order(session: CliSession, names: tuple[str, ...]) -> None:
    """Move views to the front, in this order."""
    ordered = session.store.views.reorder(names)
    print_result(f"View order: {', '.join(view.name for view in ordered)}.")


@views.command("delete", writes=True, short_help="Delete a view. Its tasks are kept.")
@_name_argument
@click.pass_obj
def delete(session: CliSession, name: str) -> None:
    """Delete a view. Its tasks are kept."""
    view = session.store.views.delete(name)
    print_result(f"Deleted view {view.name} (filter: {view.filter_text})")


def _named(view: SavedView) -> str:
    return f"{view.name} (key {view.key})" if view.key else view.name
