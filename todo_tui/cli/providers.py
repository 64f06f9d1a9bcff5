"""`todo-tui providers`: which models can be talked to, and why the others cannot."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace

import click

from todo_tui.cli import wiring
from todo_tui.cli.live_models import print_models
from todo_tui.cli.options import TodoCommand, json_option
from todo_tui.cli.output import print_json
from todo_tui.cli.provider_table import print_standings, standing_to_json
from todo_tui.cli.session import Session
from todo_tui.cli.standing import Standing, standings_of, try_all, with_keys
from todo_tui.domain.errors import StoreError
from todo_tui.domain.text import plain_line
from todo_tui.tui.workbench import ProviderOption


@click.command("providers", cls=TodoCommand, short_help="Show which models can be talked to.")
@click.argument("ids", metavar="[ID...]", nargs=-1)
@click.option("--check", "asked", is_flag=True, help="Send a test request to those that are ready.")
@click.option("--models", "listed", metavar="ID", help="List the models that this one offers now.")
@json_option
@click.pass_obj
def providers(
    session: Session, ids: tuple[str, ...], asked: bool, listed: str | None, as_json: bool
) -> int:
    """Show which models can be talked to, and why the others cannot.

    --check sends a small test request, with nothing of yours in it, to those that are
    ready; only where you have allowed sending to that host before, or name the provider
    here, with --provider or in the configuration. The exit status is 1 when one fails.
    """
    if listed is not None:
        if ids or asked:
            raise click.UsageError("--models ID goes with no other provider and no --check.")
        (option,) = _named(session, (listed,))
        return print_models(session.settings, option, as_json=as_json)
    named = bool(ids)
    standings = asyncio.run(_standings(session, _named(session, ids), named=named, asked=asked))
    if as_json:
        print_json([standing_to_json(each) for each in standings])
    else:
        print_standings(standings, no_color=session.settings.no_color)
    # Who checks one by name wants to know whether it works, not only whether it failed.
    unready = named and asked and not all(each.ready for each in standings)
    return int(unready or any(each.answered is False for each in standings))


def _named(session: Session, ids: Sequence[str]) -> tuple[ProviderOption, ...]:
    """The providers of these ids, each once; all of them where none is named."""
    options = wiring.provider_options(session.settings)
    by_id = {option.row.id: option for option in options}
    for each in ids:
        if each not in by_id:
            known = ", ".join(by_id)
            raise click.UsageError(f"There is no provider {each!r}. Known are: {known}.")
    return tuple(by_id[each] for each in dict.fromkeys(ids)) if ids else options


async def _standings(
    session: Session, options: Sequence[ProviderOption], *, named: bool, asked: bool
) -> list[Standing]:
    settings = await with_keys(session.settings, options)
    agreed = [
        each.row.id
        for each in options
        # A list alone shows keys only to servers nearby, and most have none.
        if named or ((asked or (each.key_found and not each.remote)) and _agreed(session, each))
    ]
    standings = await standings_of(settings, options, agreed)
    if not asked:
        return standings
    ready = [each for each in standings if each.ready]
    allowed = [each for each in ready if each.option.row.id in agreed]
    with _told_to_wait(allowed):
        tried = await try_all(settings, allowed)
    known = {each.option.row.id: each for each in (*map(_unasked, ready), *tried)}
    return [known.get(each.option.row.id, each) for each in standings]


def _unasked(standing: Standing) -> Standing:
    row_id = standing.option.row.id
    how = f"`todo-tui providers {row_id} --check`, or --provider {row_id}, sends it a test request"
    return replace(standing, unasked=f"not asked: {how}")


def _agreed(session: Session, option: ProviderOption) -> bool:
    """Whether the person agreed to send to its host; that is asked for in the app."""
    if option.agreed or not option.host:
        return True
    if not session.settings.db.exists():
        return False
    try:
        may_send = wiring.may_send_of(session.settings, option.row.id, session.store)
        return bool(option.places) and all(map(may_send, option.places))
    except StoreError:
        # Whatever is wrong with the tasks, it is no reason to hide how the providers stand.
        return False


def _told_to_wait(standings: Sequence[Standing]) -> AbstractContextManager[object]:
    """What is waited for, where somebody watches."""
    if not standings or not sys.stderr.isatty():
        return nullcontext()
    from rich.console import Console
    from rich.text import Text

    names = ", ".join(each.option.row.id for each in standings)
    return Console(stderr=True, emoji=False).status(Text(plain_line(f"Asking {names}…"), "dim"))
