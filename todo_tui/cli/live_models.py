"""`todo-tui providers --models ID`: what one provider offers now, asked of its server."""

from __future__ import annotations

import asyncio

from todo_tui.agent.pricing import price_per_million
from todo_tui.cli import wiring
from todo_tui.cli.columns import Cell, Column, print_columns
from todo_tui.cli.output import note, print_json
from todo_tui.cli.provider_table import price_to_json, price_words
from todo_tui.config.settings import Settings
from todo_tui.domain.request import ModelInfo
from todo_tui.domain.task import JsonValue
from todo_tui.providers.consent import anywhere
from todo_tui.tui.workbench import ProviderOption

_COLUMNS = (
    Column("Model", main=True),
    Column("Context", whole=True, number=True),
    Column("Tools", whole=True),
    Column("$ per M in/out", whole=True),
)
_TOOLS = {True: "tools", False: "no tools", None: ""}
_Price = tuple[float, float] | None


def print_models(settings: Settings, option: ProviderOption, *, as_json: bool) -> int:
    """Ask the provider, to which naming it is consent, and print what it lists.

    Raises:
        TodoError: it cannot be asked, or gives no list.
    """
    models = asyncio.run(_models(settings, option))
    if as_json:
        print_json([_json(model, price) for model, price in models])
        return 0
    if not models:
        note(f"{option.row.label} lists no model. {option.row.setup}")
    rows = [
        [
            Cell(model.name, "bold" if model.name == option.model else ""),
            Cell(f"{model.context_tokens:,}" if model.context_tokens else ""),
            Cell(_TOOLS[model.calls_tools]),
            Cell(price_words(price, costs=option.costs)),
        ]
        for model, price in models
    ]
    print_columns(_COLUMNS, rows, no_color=settings.no_color)
    return 0


async def _models(settings: Settings, option: ProviderOption) -> list[tuple[ModelInfo, _Price]]:
    row_id = option.row.id
    if not option.row.base_url:
        return [(ModelInfo(option.model, calls_tools=True), None)]
    listed = await wiring.models_of(settings, row_id, may_send=anywhere)
    if not option.costs:
        return [(model, None) for model in listed]
    names = [model.name for model in listed]
    # In a thread: the first look-up parses the price list.
    prices = await asyncio.to_thread(lambda: [price_per_million(row_id, name) for name in names])
    return list(zip(listed, prices, strict=True))


def _json(model: ModelInfo, price: _Price) -> dict[str, JsonValue]:
    return {
        "name": model.name,
        "context_tokens": model.context_tokens,
        "calls_tools": model.calls_tools,
        "usd_per_million": price_to_json(price),
    }
