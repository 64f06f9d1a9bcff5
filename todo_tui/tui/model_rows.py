"""The rows of the model picker: what each model is, whether it is ready, what it costs."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass

from todo_tui.domain.text import plain_line
from todo_tui.tui.provider_switch import ProviderSwitch
from todo_tui.tui.workbench import ProviderChoice, ProviderOption

_MOST_MODELS = 30
"""Of one server; the filter box is of no help with hundreds."""


@dataclass(frozen=True, slots=True)
class ModelRow:
    """One model of one provider."""

    option: ProviderOption
    number: int
    """The digit of Alt+1…9."""
    model: str
    """Empty where the server decides."""
    ready: bool
    state: str
    """`ready`, or what is missing."""
    cost: str
    """`free`, the price for a million tokens in and out, or empty where it is not known."""
    current: bool

    @property
    def choice(self) -> ProviderChoice:
        """What is chosen with this row."""
        named = "" if self.model == self.option.model else self.model
        return ProviderChoice(self.option.row.id, named)

    @property
    def searched(self) -> str:
        """The words that a filter looks at."""
        return plain_line(f"{self.option.row.label} {self.model} {self.option.row.id}")


def model_rows(switch: ProviderSwitch, prices: dict[str, str]) -> list[ModelRow]:
    """All of them, providers in order, those of one server together.

    `prices` holds words by `provider:model`, for those that are known.
    """
    return [
        row
        for number, option in enumerate(switch.options, start=1)
        for row in _rows(switch, option, number, prices)
    ]


async def price_words(switch: ProviderSwitch) -> dict[str, str]:
    """`0.15 / 0.60 $ per M` by `provider:model`, of the remote models whose price is known."""
    # The price list is large and is imported when somebody wants to see a price.
    from todo_tui.agent.pricing import price_per_million

    words: dict[str, str] = {}
    for option in switch.options:
        if option.remote and option.model:
            price = await asyncio.to_thread(price_per_million, option.row.id, option.model)
            if price is not None:
                words[f"{option.row.id}:{option.model}"] = (
                    f"{price[0]:.2f} / {price[1]:.2f} $ per M"
                )
    return words


def _rows(
    switch: ProviderSwitch, option: ProviderOption, number: int, prices: dict[str, str]
) -> Iterator[ModelRow]:
    state = _state(switch, option)
    here = option is switch.option
    for model in _models(switch, option):
        yield ModelRow(
            option=option,
            number=number,
            model=model,
            ready=switch.is_ready(option),
            state=state,
            cost=prices.get(f"{option.row.id}:{model}", "") if option.remote else "free",
            current=here and (switch.choice.model or option.model or switch.model) == model,
        )


def _models(switch: ProviderSwitch, option: ProviderOption) -> list[str]:
    """The model of the settings first, then what a server nearby lists."""
    known = switch.readiness(option)
    listed = [info.name for info in known.models] if known and not option.remote else []
    first = [option.model] if option.model or not listed else []
    chosen = switch.choice.model if option is switch.option else ""
    names = [*first, *listed[:_MOST_MODELS], *([chosen] if chosen else [])]
    return list(dict.fromkeys(names))


def _state(switch: ProviderSwitch, option: ProviderOption) -> str:
    known = switch.readiness(option)
    if known is not None:
        return "ready" if known.ready else plain_line(known.reason)
    if switch.is_ready(option):
        return "ready"
    if option.row.needs_key and not option.key_found:
        return f"set {option.row.key_variable}"
    return "looking…"
