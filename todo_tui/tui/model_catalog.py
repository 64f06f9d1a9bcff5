"""What is known of the models of every provider: listed, priced, tested."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from todo_tui.domain.errors import ProviderError, ProviderErrorKind, TodoError
from todo_tui.domain.money import rate
from todo_tui.domain.request import ModelInfo
from todo_tui.domain.text import plain_line
from todo_tui.tui.model_memory import model_name
from todo_tui.tui.provider_switch import ProviderSwitch
from todo_tui.tui.workbench import ProviderOption, Workbench

if TYPE_CHECKING:
    # For the type alone: it comes with a part of the providers.
    from todo_tui.providers.readiness import Checked

LIST_SECONDS = 15.0
"""How long a server may take to say which models it has."""
_MOST_MODELS = 2000
"""Of one server: some resell everybody's."""
_UNKNOWN = "–"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of a test request, in words; it runs while there are none."""

    words: str = ""
    works: bool = False
    """Whether it answered, and did not show that it cannot call tools."""
    answered: bool = False


class ModelCatalog:
    """Asks servers in the background and keeps what they said until the app is left.

    No host is asked for its models to which the person has not agreed.
    """

    def __init__(self, workbench: Workbench, switch: ProviderSwitch) -> None:
        self._workbench = workbench
        self._switch = switch
        self._listed: dict[str, tuple[ModelInfo, ...]] = {}
        self._troubles: dict[str, str] = {}
        self._prices: dict[str, str] = {}
        self._verdicts: dict[str, Verdict] = {}

    @property
    def can_test(self) -> bool:
        """Whether there is a way to send a test request."""
        return self._workbench.check is not None

    def models(self, option: ProviderOption) -> tuple[ModelInfo, ...]:
        """The models that its server lists, as far as it was asked."""
        known = self._switch.readiness(option)
        return self._listed.get(option.row.id) or (known.models if known else ())

    def trouble(self, option: ProviderOption) -> str:
        """Why its models could not be listed; empty: they were, or nobody asked."""
        return self._troubles.get(option.row.id, "")

    def verdict(self, option: ProviderOption, model: str) -> Verdict | None:
        """What a test showed; None: it was not tested."""
        return self._verdicts.get(model_name(option.row.id, model))

    def calls_no_tools(self, option: ProviderOption, info: ModelInfo) -> bool:
        """Whether its server says so, or it has shown it; a test that it passed counts more."""
        verdict = self.verdict(option, info.name)
        if verdict is not None and verdict.works:
            return False
        return info.calls_tools is False or self._switch.memory.calls_no_tools(
            option.row.id, info.name
        )

    def price(self, option: ProviderOption, model: str) -> str:
        """`0.15 / 0.60 $ per M`, `free`, a dash where none is known; empty: not looked up."""
        if not option.costs:
            return "free"
        return self._prices.get(model_name(option.row.id, model), "")

    async def ask(self, option: ProviderOption) -> None:
        """Learn whether it is ready and, where that is allowed, which models it has."""
        await self._switch.learn(option)
        await self.ask_for_models(option)

    async def ask_for_models(self, option: ProviderOption) -> None:
        """The models of a server that was not asked for them to see whether it is ready."""
        ask, known = self._workbench.models, self._switch.readiness(option)
        if ask is None or (known is not None and known.models) or not self._may_be_asked(option):
            return
        try:
            async with asyncio.timeout(LIST_SECONDS):
                listed = await ask(option.row.id)
        except TimeoutError:
            self._troubles[option.row.id] = f"there was no answer within {LIST_SECONDS:.0f} s"
        except TodoError as error:
            self._troubles[option.row.id] = plain_line(error.message).rstrip(".")
        else:
            self._troubles.pop(option.row.id, None)
            self._listed[option.row.id] = listed[:_MOST_MODELS]

    def unpriced(self, rows: Iterable[tuple[ProviderOption, str]]) -> list[tuple[str, str]]:
        """Those of the models whose price is still to be looked up, as (row id, model)."""
        return [
            (option.row.id, model)
            for option, model in rows
            if option.costs and model and model_name(option.row.id, model) not in self._prices
        ]

    async def look_up_prices(self, models: Iterable[tuple[str, str]]) -> None:
        """Find what these (row id, model) cost; the first look-up takes 0.3 s, in a thread."""
        for row_id, model in models:
            self._prices[model_name(row_id, model)] = await asyncio.to_thread(
                _price_words, row_id, model
            )

    async def test(self, option: ProviderOption, model: str) -> None:
        """Send one small real request; what came of it is a verdict from then on."""
        name = model_name(option.row.id, model)
        if not option.host:
            self._verdicts[name] = Verdict("It is always there.", works=True, answered=True)
            return
        check = self._workbench.check
        if check is None:
            return
        self._verdicts[name] = Verdict()
        try:
            checked = await check(option.row.id, model)
        except TodoError as error:
            toolless = _says_no_tools(error)
            self._verdicts[name] = Verdict(_sentences(error), answered=toolless)
            if toolless:
                self._switch.memory.note_tools(option.row.id, model, called=False)
            return
        except asyncio.CancelledError:
            del self._verdicts[name]
            raise
        self._verdicts[name] = _verdict(checked)
        if checked.calls_tools is not None:
            self._switch.memory.note_tools(option.row.id, model, called=checked.calls_tools)

    def _may_be_asked(self, option: ProviderOption) -> bool:
        is_there = bool(option.host) and self._switch.is_ready(option)
        return is_there and self._switch.agreed(option)


def _verdict(checked: Checked) -> Verdict:
    seconds = max(checked.milliseconds / 1000, 0.1)
    tools = {
        True: ", calls tools.",
        False: ", but cannot call tools.",
        None: ". Whether it can call tools it did not show.",
    }[checked.calls_tools]
    works = checked.calls_tools is not False
    return Verdict(f"Answers in {seconds:.1f} s{tools}", works, answered=True)


def _says_no_tools(error: TodoError) -> bool:
    return isinstance(error, ProviderError) and error.kind is ProviderErrorKind.TOOLS_UNSUPPORTED


def _sentences(error: TodoError) -> str:
    return plain_line(f"{error.message} {error.hint}" if error.hint else error.message)


def _price_words(row_id: str, model: str) -> str:
    # The price list is large and is imported when somebody wants to see a price.
    from todo_tui.agent.pricing import price_per_million

    price = price_per_million(row_id, model)
    return _UNKNOWN if price is None else f"{rate(price[0])} / {rate(price[1])} $ per M"
