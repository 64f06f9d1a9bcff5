"""All models of all providers.

Listing, prices, tests, the rows of the picker, and lookup of a model by name.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

from todo_tui.domain.errors import ProviderError, ProviderErrorKind, TodoError
from todo_tui.domain.messages import ModelInfo
from todo_tui.domain.text import format_rate, plain_line
from todo_tui.tui.fuzzy_search import contains_words, near_misses, rank_matches
from todo_tui.tui.models.switch import ProviderSwitch, qualified_model_name
from todo_tui.tui.services import AppServices, ProviderChoice, ProviderOption

if TYPE_CHECKING:
    from todo_tui.providers.readiness import CheckResult

LIST_SECONDS = 15.0
"""Timeout for listing a server's models."""
_MOST_MODELS = 2000
"""Limit per server: some resell everybody's models."""
_UNKNOWN = "–"


@dataclass(frozen=True, slots=True)
class ModelTestResult:
    """Result of a test request in words; empty while it runs."""

    text: str = ""
    works: bool = False
    """True if the model answered and did not prove unable to call tools."""
    answered: bool = False


class ModelCatalog:
    """Models of all providers, fetched in the background and kept until the app exits.

    No host is asked for its models without consent.
    """

    def __init__(self, services: AppServices, switch: ProviderSwitch) -> None:
        self._services = services
        self._switch = switch
        self._listed: dict[str, tuple[ModelInfo, ...]] = {}
        self._list_errors: dict[str, str] = {}
        self._prices: dict[str, str] = {}
        self._test_results: dict[str, ModelTestResult] = {}

    @property
    def can_test(self) -> bool:
        """True if test requests are available."""
        return self._services.check is not None

    def models(self, option: ProviderOption) -> tuple[ModelInfo, ...]:
        """Return the models that the server listed; empty before it was asked."""
        known = self._switch.readiness(option)
        return self._listed.get(option.row.id) or (known.models if known else ())

    def list_error(self, option: ProviderOption) -> str:
        """Return the error of listing the models; empty if there was none."""
        return self._list_errors.get(option.row.id, "")

    def test_result(self, option: ProviderOption, model: str) -> ModelTestResult | None:
        """Return the result of a model's test; None if it was not tested."""
        return self._test_results.get(qualified_model_name(option.row.id, model))

    def lacks_tools(self, option: ProviderOption, info: ModelInfo) -> bool:
        """Return whether the model is known not to call tools; a passed test takes precedence."""
        result = self.test_result(option, info.name)
        if result is not None and result.works:
            return False
        return info.calls_tools is False or self._switch.memory.lacks_tools(
            option.row.id, info.name
        )

    def price(self, option: ProviderOption, model: str) -> str:
        """Return `0.15 / 0.60 $ per M`, `free`, a dash if unknown, or empty before the look-up."""
        if not option.costs:
            return "free"
        return self._prices.get(qualified_model_name(option.row.id, model), "")

    async def ask(self, option: ProviderOption) -> None:
        """Check the readiness and, with consent, fetch the models."""
        await self._switch.check_readiness(option)
        await self.fetch_models(option)

    async def fetch_models(self, option: ProviderOption) -> None:
        """Fetch the models of a server, unless its readiness check fetched them."""
        ask, known = self._services.models, self._switch.readiness(option)
        if ask is None or (known is not None and known.models) or not self._may_list_models(option):
            return
        try:
            async with asyncio.timeout(LIST_SECONDS):
                listed = await ask(option.row.id)
        except TimeoutError:
            self._list_errors[option.row.id] = f"there was no answer within {LIST_SECONDS:.0f} s"
        except TodoError as error:
            self._list_errors[option.row.id] = plain_line(error.message).rstrip(".")
        else:
            self._list_errors.pop(option.row.id, None)
            self._listed[option.row.id] = listed[:_MOST_MODELS]

    def unpriced(self, rows: Iterable[tuple[ProviderOption, str]]) -> list[tuple[str, str]]:
        """Return (row id, model) of the models whose price was not looked up yet."""
        return [
            (option.row.id, model)
            for option, model in rows
            if option.costs
            and model
            and qualified_model_name(option.row.id, model) not in self._prices
        ]

    async def look_up_prices(self, models: Iterable[tuple[str, str]]) -> None:
        """Look up prices of (row id, model) pairs in a thread; the first takes 0.3 s."""
        for row_id, model in models:
            self._prices[qualified_model_name(row_id, model)] = await asyncio.to_thread(
                _format_price, row_id, model
            )

    async def test(self, option: ProviderOption, model: str) -> None:
        """Send one small request and keep its result."""
        name = qualified_model_name(option.row.id, model)
        if not option.host:
            self._test_results[name] = ModelTestResult(
                "It is always there.", works=True, answered=True
            )
            return
        check = self._services.check
        if check is None:
            return
        self._test_results[name] = ModelTestResult()
        try:
            checked = await check(option.row.id, model)
        except TodoError as error:
            lacks_tools = _is_tools_unsupported(error)
            self._test_results[name] = ModelTestResult(_error_text(error), answered=lacks_tools)
            if lacks_tools:
                self._switch.memory.note_tools(option.row.id, model, called=False)
            return
        except asyncio.CancelledError:
            del self._test_results[name]
            raise
        self._test_results[name] = _test_result(checked)
        if checked.calls_tools is not None:
            self._switch.memory.note_tools(option.row.id, model, called=checked.calls_tools)

    def _may_list_models(self, option: ProviderOption) -> bool:
        is_there = bool(option.host) and self._switch.is_ready(option)
        return is_there and self._switch.has_consent(option)


def _test_result(checked: CheckResult) -> ModelTestResult:
    seconds = max(checked.milliseconds / 1000, 0.1)
    tools = {
        True: ", calls tools.",
        False: ", but cannot call tools.",
        None: ". Whether it can call tools it did not show.",
    }[checked.calls_tools]
    works = checked.calls_tools is not False
    return ModelTestResult(f"Answers in {seconds:.1f} s{tools}", works, answered=True)


def _is_tools_unsupported(error: TodoError) -> bool:
    return isinstance(error, ProviderError) and error.kind is ProviderErrorKind.TOOLS_UNSUPPORTED


def _error_text(error: TodoError) -> str:
    return plain_line(f"{error.message} {error.hint}" if error.hint else error.message)


def _format_price(row_id: str, model: str) -> str:
    # The price list is large, so it is imported when a price is shown.
    from todo_tui.agent.pricing import price_per_million

    price = price_per_million(row_id, model)
    return (
        _UNKNOWN if price is None else f"{format_rate(price[0])} / {format_rate(price[1])} $ per M"
    )


class RowTone(Enum):
    """Severity of a row's state."""

    GOOD = auto()
    CHECKING = auto()
    """Still being checked."""
    LIMITED = auto()
    """Not ready, or limited."""
    BAD = auto()


@dataclass(frozen=True, slots=True)
class ModelRow:
    """Row of the picker: one model of one provider."""

    option: ProviderOption
    number: int
    """Digit of Alt+1…9; higher numbers have no shortcut."""
    model: str
    """Empty if the server decides."""
    ready: bool
    state: str
    """`ready`, or the missing requirement in a few words."""
    tone: RowTone
    cost: str = ""
    """`free`, the price per million tokens in and out, or empty if unknown."""
    context: str = ""
    """Context window such as `131k`; empty if unknown."""
    lacks_tools: bool = False
    """True if the model cannot call tools."""
    current: bool = False
    typed: bool = False
    """True if the name was typed and is in no list."""

    @property
    def choice(self) -> ProviderChoice:
        """Choice made with this row."""
        named = "" if self.model == self.option.model and not self.typed else self.model
        return ProviderChoice(self.option.row.id, named)

    @property
    def searched(self) -> str:
        """Text that the filter searches."""
        row = self.option.row
        return plain_line(f"{row.id}:{self.model} {row.label}")


def model_rows(switch: ProviderSwitch, catalog: ModelCatalog) -> list[ModelRow]:
    """Return all rows by provider in order, the selected model of each first."""
    return [
        row
        for number, option in enumerate(switch.options, start=1)
        for row in _rows(switch, catalog, option, number)
    ]


def recent_rows(switch: ProviderSwitch, rows: Sequence[ModelRow]) -> list[ModelRow]:
    """Return the recently used models that are ready, the selected one first."""
    by_name = {(row.option.row.id, row.model): row for row in rows}
    names = [(choice.row_id, choice.model) for choice in switch.memory.recent]
    used = [by_name[name] for name in names if name in by_name and by_name[name].ready]
    return list(dict.fromkeys([*(row for row in rows if row.current), *used]))


def filter_rows(rows: Sequence[ModelRow], recent: Iterable[ModelRow], text: str) -> list[ModelRow]:
    """Return the rows that match the text, best first; among equals recent ones first."""
    ordered = dict.fromkeys([*recent, *rows])
    return rank_matches(text, ordered, lambda row: row.searched)


def custom_rows(
    switch: ProviderSwitch, catalog: ModelCatalog, rows: Sequence[ModelRow], text: str, beside: str
) -> list[ModelRow]:
    """Return rows that use the filter text as the name of an unlisted model.

    They are offered for the provider of the row id `beside`, and first for the provider whose
    models have such names; `groq:name` is for Groq alone.
    """
    prefix, colon, rest = text.partition(":")
    by_id = {option.row.id: option for option in switch.options if option.host}
    named = prefix.strip().lower() if colon else ""
    if named in by_id:
        wanted, name = [named], rest.strip()
    else:
        wanted, name = [*_providers_with_model(by_id.values(), text), beside], text.strip()
        if any(contains_words(name, row.searched) for row in rows):
            return []
    known = {(row.option.row.id, row.model) for row in rows}
    if not name or " " in name:
        return []
    return [
        _row(switch, catalog, by_id[row_id], _number(switch, row_id), ModelInfo(name), typed=True)
        for row_id in dict.fromkeys(wanted)
        if row_id in by_id and (row_id, name) not in known
    ]


def _providers_with_model(options: Iterable[ProviderOption], name: str) -> list[str]:
    """Return the providers that have models with similar names."""
    return [
        option.row.id
        for option in options
        if any(re.match(pattern, name.strip()) for pattern in option.row.model_patterns)
    ]


def _number(switch: ProviderSwitch, row_id: str) -> int:
    return next(n for n, option in enumerate(switch.options, 1) if option.row.id == row_id)


def _rows(
    switch: ProviderSwitch, catalog: ModelCatalog, option: ProviderOption, number: int
) -> Iterator[ModelRow]:
    for info in _models(switch, catalog, option):
        yield _row(switch, catalog, option, number, info)


def _row(
    switch: ProviderSwitch,
    catalog: ModelCatalog,
    option: ProviderOption,
    number: int,
    info: ModelInfo,
    *,
    typed: bool = False,
) -> ModelRow:
    model = info.name
    ready = switch.is_ready(option)
    lacks_tools = catalog.lacks_tools(option, info)
    state, tone = _state(switch, catalog, option, model, lacks_tools=lacks_tools)
    if typed and state == "ready":
        state, tone = "as typed", RowTone.CHECKING
    return ModelRow(
        option=option,
        number=number,
        model=model,
        ready=ready,
        state=state,
        tone=tone,
        cost=catalog.price(option, model),
        context=_format_context_size(info.context_tokens),
        lacks_tools=lacks_tools,
        current=option is switch.option and _present_model(switch) == model,
        typed=typed,
    )


def _present_model(switch: ProviderSwitch) -> str:
    return switch.choice.model or switch.option.model or switch.model


def _models(
    switch: ProviderSwitch, catalog: ModelCatalog, option: ProviderOption
) -> list[ModelInfo]:
    """Return the configured model, then the listed ones, then those used before."""
    listed = {info.name: info for info in catalog.models(option)}
    first = [option.model] if option.model or not listed else []
    chosen = [switch.choice.model] if option is switch.option and switch.choice.model else []
    used = [
        choice.model
        for choice in switch.memory.recent
        if choice.row_id == option.row.id and choice.model and option.host
    ]
    names = dict.fromkeys([*first, *chosen, *listed, *used])
    return [listed.get(name) or ModelInfo(name) for name in names]


def _state(
    switch: ProviderSwitch,
    catalog: ModelCatalog,
    option: ProviderOption,
    model: str,
    *,
    lacks_tools: bool,
) -> tuple[str, RowTone]:
    known, result = switch.readiness(option), catalog.test_result(option, model)
    if switch.install_hint(option):
        return "not installed", RowTone.LIMITED
    if known is not None and not known.ready:
        return plain_line(known.reason), RowTone.LIMITED
    if known is None and option.row.needs_key and not option.key_found:
        return f"set {option.row.key_variable}", RowTone.LIMITED
    if result is not None and not result.text:
        return "testing…", RowTone.CHECKING
    if result is not None and not result.answered:
        return "failed", RowTone.BAD
    if lacks_tools:
        return "no tools", RowTone.LIMITED
    if result is not None:
        return "answers", RowTone.GOOD
    return ("ready", RowTone.GOOD) if switch.is_ready(option) else ("looking…", RowTone.CHECKING)


def _format_context_size(tokens: int | None) -> str:
    """Format a number of tokens: `131k`, `1M`."""
    if not tokens:
        return ""
    if tokens >= 1_000_000:
        return f"{tokens / 1_000_000:.1f}".removesuffix(".0") + "M"
    return f"{tokens // 1000}k" if tokens >= 1000 else str(tokens)


@dataclass(frozen=True, slots=True)
class ModelMatch:
    """Model found by name."""

    option: ProviderOption
    model: str = ""


@dataclass(frozen=True, slots=True)
class AmbiguousName:
    """Name that matches several models."""


@dataclass(frozen=True, slots=True)
class UnknownName:
    """Name that matches none; `near` are similar names."""

    near: tuple[str, ...]


def find_model(
    switch: ProviderSwitch, catalog: ModelCatalog, name: str
) -> ModelMatch | AmbiguousName | UnknownName:
    """Find a model by its name or by a part of it that only one model has.

    An unlisted name is taken as it is if it names its provider (`groq:name`), or if the provider is
    plain from the name and its models are not known.
    """
    rows = model_rows(switch, catalog)
    exact = [row for row in rows if name.casefold() in _names(row)]
    if exact:
        return _match_of(_best_match(exact, name))
    fitting = [row for row in filter_rows(rows, recent_rows(switch, rows), name) if row.ready]
    plain = [row for row in fitting if contains_words(name, row.searched)]
    for found in (plain, fitting):
        if len(found) == 1:
            return _match_of(found[0])
        if found:
            return AmbiguousName()
    close = near_misses(name, [row.model for row in rows if row.model])
    typed = custom_rows(switch, catalog, rows, name, beside="")
    if typed and (":" in name or not (close or catalog.models(typed[0].option))):
        return _match_of(typed[0])
    return UnknownName(tuple(close))


def find_provider(options: Sequence[ProviderOption], name: str) -> ModelMatch | UnknownName:
    """Find a provider by id or label, or by a prefix or part that only one has."""
    wanted = name.casefold()
    for fits in (str.__eq__, str.startswith, str.__contains__):
        found = [
            option
            for option in options
            if any(fits(each.casefold(), wanted) for each in (option.row.id, option.row.label))
        ]
        if len(found) == 1:
            return ModelMatch(found[0])
        if found:
            return UnknownName(tuple(option.row.id for option in found))
    return UnknownName(tuple(near_misses(name, [option.row.id for option in options])))


def _names(row: ModelRow) -> tuple[str, str]:
    model = row.model.casefold()
    return model, f"{row.option.row.id}:{model}"


def _best_match(rows: Sequence[ModelRow], name: str) -> ModelRow:
    """Choose among rows with the same name: the present one, a ready one, one made for it."""

    def rank(row: ModelRow) -> tuple[bool, bool, bool]:
        home = any(re.match(pattern, name) for pattern in row.option.row.model_patterns)
        return not row.current, not row.ready, not home

    return min(rows, key=rank)


def _match_of(row: ModelRow) -> ModelMatch:
    return ModelMatch(row.option, row.choice.model)
