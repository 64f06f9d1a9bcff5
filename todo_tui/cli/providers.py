"""`todo-tui providers`: which models can be talked to, and why the others cannot."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace

import click

from todo_tui.agent.pricing import price_per_million
from todo_tui.cli import wiring
from todo_tui.cli.columns import Cell, Column, print_columns
from todo_tui.cli.options import TodoCommand, json_option
from todo_tui.cli.output import print_json
from todo_tui.cli.session import Session
from todo_tui.domain.errors import TodoError
from todo_tui.domain.task import JsonValue
from todo_tui.providers.readiness import Readiness, check
from todo_tui.tui.provider_switch import ProviderSwitch
from todo_tui.tui.workbench import ProviderOption

_COLUMNS = (
    Column("ID", whole=True),
    Column("Provider", whole=True),
    Column("Model"),
    Column("$ per M in/out", whole=True),
    Column("State"),
    Column("Key from"),
    Column("Address", shown_from=110),
)


@dataclass(frozen=True, slots=True)
class Standing:
    """What is known of one provider."""

    option: ProviderOption
    readiness: Readiness
    price: tuple[float, float] | None
    """US dollars for a million tokens in and out; None where unknown."""
    key_source: str | None
    answered: bool | None = None
    """Whether it answered the test request; None: it was not asked."""
    remark: str = ""

    @property
    def model(self) -> str:
        """The model that would answer: the one set, else the first of its server."""
        listed = self.readiness.models[0].name if self.readiness.models else ""
        return self.option.model or listed


@click.command("providers", cls=TodoCommand, short_help="Show which models can be talked to.")
@click.option("--check", "asked", is_flag=True, help="Send a test request to those that are ready.")
@json_option
@click.pass_obj
def providers(session: Session, asked: bool, as_json: bool) -> int:
    """Show which models can be talked to, and why the others cannot.

    --check sends a small test request, with nothing of yours in it, to those that are
    ready; to a remote one only if you have chosen it before or name it with --provider.
    """
    standings = asyncio.run(_standings(session, asked))
    if as_json:
        print_json([_json(each) for each in standings])
    else:
        rows = [_row(each) for each in standings]
        print_columns(_COLUMNS, rows, no_color=session.settings.no_color)
    return int(any(each.answered is False for each in standings))


async def _standings(session: Session, asked: bool) -> list[Standing]:
    options = wiring.provider_options(session.settings)
    standings = await asyncio.gather(*(_standing(session, option) for option in options))
    if not asked:
        return standings
    workbench = wiring.workbench_of(session.settings, session.store, session.clock)
    switch = ProviderSwitch(workbench)
    return [await _checked(session, each, switch) for each in standings]


async def _standing(session: Session, option: ProviderOption) -> Standing:
    row_id = option.row.id
    readiness = await wiring.readiness_of(session.settings, row_id)
    price = (
        await asyncio.to_thread(price_per_million, row_id, option.model)
        if option.remote and option.model
        else None
    )
    return Standing(option, readiness, price, session.settings.providers[row_id].key_source)


async def _checked(session: Session, standing: Standing, switch: ProviderSwitch) -> Standing:
    """Send the test request where the person wants that; consent is asked for in the app."""
    option = standing.option
    if not standing.readiness.ready:
        return standing
    if not switch.agreed(option):
        how = f"not asked: add --provider {option.row.id} to send it a test request"
        return replace(standing, remark=how)
    try:
        provider = await asyncio.to_thread(
            wiring.open_provider_of, session.settings, option.row.id, standing.model
        )
        try:
            await check(provider)
        finally:
            await provider.aclose()
    except TodoError as error:
        return replace(standing, answered=False, remark=f"{error.message} {error.hint or ''}")
    return replace(standing, answered=True, remark="answers")


def _row(standing: Standing) -> list[Cell]:
    option, readiness = standing.option, standing.readiness
    works = readiness.ready and standing.answered is not False
    state = readiness.reason if not standing.remark else standing.remark
    return [
        Cell(option.row.id),
        Cell(option.row.label, "bold" if works else ""),
        Cell(standing.model or "–"),
        Cell(_price_words(standing)),
        Cell(state, "green" if works else "red" if readiness.ready else "dim"),
        Cell(standing.key_source or "", "dim"),
        Cell(option.host, "dim"),
    ]


def _price_words(standing: Standing) -> str:
    if not standing.option.remote:
        return "free"
    if standing.price is None:
        return "–"
    return " / ".join(f"{price:.3f}".rstrip("0").rstrip(".") for price in standing.price)


def _json(standing: Standing) -> dict[str, JsonValue]:
    option, readiness = standing.option, standing.readiness
    price: JsonValue = None
    if standing.price is not None:
        price = {"input": round(standing.price[0], 6), "output": round(standing.price[1], 6)}
    return {
        "id": option.row.id,
        "label": option.row.label,
        "ready": readiness.ready,
        "reason": readiness.reason,
        "model": standing.model or None,
        "models": [model.name for model in readiness.models],
        "address": option.host or None,
        "remote": option.remote,
        "key_source": standing.key_source,
        "usd_per_million": price,
        "answered": standing.answered,
        "remark": standing.remark or None,
    }
