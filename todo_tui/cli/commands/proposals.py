"""`proposals list`, `accept` and `drop`."""

from __future__ import annotations

import click

from todo_tui.cli.base import TodoGroup
from todo_tui.cli.options import json_option
from todo_tui.cli.output import messages
from todo_tui.cli.wiring.session import CliSession

_numbers = click.argument("numbers", metavar="ID...", nargs=-1, required=True, type=int)


@click.group("proposals", cls=TodoGroup, only_reads=True, invoke_without_command=True)
@json_option
@click.pass_context
def proposals(context: click.Context, as_json: bool) -> None:
    """Show and decide changes that agents proposed.

    Without a command, list those that wait.
    """
    if context.invoked_subcommand is None:
        _print_waiting(context.obj, as_json=as_json)


@proposals.command("list", only_reads=True, short_help="List proposals that wait.")
@json_option
@click.pass_obj
def list_proposals(session: CliSession, as_json: bool) -> None:
    """List the proposals that wait, with the tasks that would change."""
    _print_waiting(session, as_json=as_json)


def _print_waiting(session: CliSession, *, as_json: bool) -> None:
    from todo_tui.agent.proposals import describe, proposal_json, title  # 80 ms: the tools

    waiting = session.store.proposals.waiting()
    if as_json:
        messages.print_json([proposal_json(session.store, each) for each in waiting])
        return
    for each in waiting:
        question = describe(session.store, each)
        messages.print_result(f"{each.id}  {title(each, question)}")
        for line in question.details:
            messages.print_result(f"   {line}")
    if not waiting:
        messages.print_note("No proposals.")


@proposals.command("accept", writes=True, short_help="Make the proposed changes.")
@_numbers
@json_option
@click.pass_obj
def accept_proposals(session: CliSession, numbers: tuple[int, ...], as_json: bool) -> None:
    """Make the proposed changes, unless the tasks changed since. `todo-tui undo` reverts them."""
    from todo_tui.agent.proposals import accept, proposal_json  # as above

    store, done = session.store, []
    for number in numbers:
        accepted = accept(store, number)
        done.append(number)
        for summary in () if as_json else accepted.summaries:
            messages.print_result(f"Accepted {number}: {summary}")
    if as_json:
        messages.print_json([proposal_json(store, store.proposals.get(each)) for each in done])


@proposals.command("drop", writes=True, short_help="Refuse the proposed changes.")
@_numbers
@json_option
@click.pass_obj
def drop_proposals(session: CliSession, numbers: tuple[int, ...], as_json: bool) -> None:
    """Refuse the proposed changes. The agent can see that you did."""
    from todo_tui.agent.proposals import drop, proposal_json  # as above

    store = session.store
    for number in numbers:
        drop(store, number)
        if not as_json:
            messages.print_result(f"Dropped {number}")
    if as_json:
        messages.print_json([proposal_json(store, store.proposals.get(each)) for each in numbers])
