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
"""How long a server may take to say which models it has."""
_MOST_MODELS = 2000
"""Of one server: some resell everybody's."""
_UNKNOWN = "–"


@dataclass(frozen=True, slots=True)
class ModelTestResult:
    """What came of a test request, in words; it runs while there are none."""

    words: str = ""
    works: bool = False
    """Whether it answered, and did not show that it cannot call tools."""
    answered: bool = False


class ModelCatalog:
    """Asks servers in the background and keeps what they said until the app is left.

    No host is asked for its models to which the person has not agreed.
    """

    def __init__(self, workbench: AppServices, switch: ProviderSwitch) -> None:
        self._workbench = workbench
        self._switch = switch
        self._listed: dict[str, tuple[ModelInfo, ...]] = {}
        self._troubles: dict[str, str] = {}
        self._prices: dict[str, str] = {}
        self._verdicts: dict[str, ModelTestResult] = {}

    @property
    def can_test(self) -> bool:
        """Whether there is a way to send a test request."""
        return self._workbench.check is not None

    def models(self, option: ProviderOption) -> tuple[ModelInfo, ...]:
        """The models that its server lists, as far as it was asked."""
        known = self._switch.readiness(option)
        return self._listed.get(option.row.id) or (known.models if known else ())

    def list_error(self, option: ProviderOption) -> str:
        """Why its models could not be listed; empty: they were, or nobody asked."""
        return self._troubles.get(option.row.id, "")

    def test_result(self, option: ProviderOption, model: str) -> ModelTestResult | None:
        """What a test showed; None: it was not tested."""
        return self._verdicts.get(qualified_model_name(option.row.id, model))

    def lacks_tools(self, option: ProviderOption, info: ModelInfo) -> bool:
        """Whether its server says so, or it has shown it; a test that it passed counts more."""
        verdict = self.test_result(option, info.name)
        if verdict is not None and verdict.works:
            return False
        return info.calls_tools is False or self._switch.memory.lacks_tools(
            option.row.id, info.name
        )

    def price(self, option: ProviderOption, model: str) -> str:
        """`0.15 / 0.60 $ per M`, `free`, a dash where none is known; empty: not looked up."""
        if not option.costs:
            return "free"
        return self._prices.get(qualified_model_name(option.row.id, model), "")

    async def ask(self, option: ProviderOption) -> None:
        """Learn whether it is ready and, where that is allowed, which models it has."""
        await self._switch.check_readiness(option)
        await self.fetch_models(option)

    async def fetch_models(self, option: ProviderOption) -> None:
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
            if option.costs
            and model
            and qualified_model_name(option.row.id, model) not in self._prices
        ]

    async def look_up_prices(self, models: Iterable[tuple[str, str]]) -> None:
        """Find what these (row id, model) cost; the first look-up takes 0.3 s, in a thread."""
        for row_id, model in models:
            self._prices[qualified_model_name(row_id, model)] = await asyncio.to_thread(
                _format_price, row_id, model
            )

    async def test(self, option: ProviderOption, model: str) -> None:
        """Send one small real request; what came of it is a verdict from then on."""
        name = qualified_model_name(option.row.id, model)
        if not option.host:
            self._verdicts[name] = ModelTestResult("It is always there.", works=True, answered=True)
            return
        check = self._workbench.check
        if check is None:
            return
        self._verdicts[name] = ModelTestResult()
        try:
            checked = await check(option.row.id, model)
        except TodoError as error:
            toolless = _is_tools_unsupported(error)
            self._verdicts[name] = ModelTestResult(_error_text(error), answered=toolless)
            if toolless:
                self._switch.memory.note_tools(option.row.id, model, called=False)
            return
        except asyncio.CancelledError:
            del self._verdicts[name]
            raise
        self._verdicts[name] = _test_result(checked)
        if checked.calls_tools is not None:
            self._switch.memory.note_tools(option.row.id, model, called=checked.calls_tools)

    def _may_be_asked(self, option: ProviderOption) -> bool:
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
    # The price list is large and is imported when somebody wants to see a price.
    from todo_tui.agent.pricing import price_per_million

    price = price_per_million(row_id, model)
    return (
        _UNKNOWN if price is None else f"{format_rate(price[0])} / {format_rate(price[1])} $ per M"
    )


class RowTone(Enum):
    """How the state of a row is to be taken."""

    GOOD = auto()
    ASKING = auto()
    """Something is still to be learned."""
    LACKING = auto()
    """Something is to be done first, or it can do less than others."""
    BAD = auto()


@dataclass(frozen=True, slots=True)
class ModelRow:
    """One model of one provider."""

    option: ProviderOption
    number: int
    """The digit of Alt+1…9; above that there is no shortcut."""
    model: str
    """Empty where the server decides."""
    ready: bool
    state: str
    """`ready`, or what is missing, in a few words."""
    tone: RowTone
    cost: str = ""
    """`free`, the price for a million tokens in and out, or empty where it is not known."""
    context: str = ""
    """How much it reads at once: `131k`; empty where it is not known."""
    toolless: bool = False
    """Whether it cannot call tools."""
    current: bool = False
    typed: bool = False
    """Whether no list has this model, and the person typed its name."""

    @property
    def choice(self) -> ProviderChoice:
        """What is chosen with this row."""
        named = "" if self.model == self.option.model and not self.typed else self.model
        return ProviderChoice(self.option.row.id, named)

    @property
    def searched(self) -> str:
        """The words that a filter looks at."""
        row = self.option.row
        return plain_line(f"{row.id}:{self.model} {row.label}")


def model_rows(switch: ProviderSwitch, catalog: ModelCatalog) -> list[ModelRow]:
    """All of them: providers in order, those of one server together, its chosen one first."""
    return [
        row
        for number, option in enumerate(switch.options, start=1)
        for row in _rows(switch, catalog, option, number)
    ]


def recent_rows(switch: ProviderSwitch, rows: Sequence[ModelRow]) -> list[ModelRow]:
    """Those that answered last, and can now, the one that answers first of all."""
    by_name = {(row.option.row.id, row.model): row for row in rows}
    names = [(choice.row_id, choice.model) for choice in switch.memory.recent]
    used = [by_name[name] for name in names if name in by_name and by_name[name].ready]
    return list(dict.fromkeys([*(row for row in rows if row.current), *used]))


def filter_rows(rows: Sequence[ModelRow], recent: Iterable[ModelRow], text: str) -> list[ModelRow]:
    """The rows in which the words of the text are found, the best first, recent ones of equals."""
    ordered = dict.fromkeys([*recent, *rows])
    return rank_matches(text, ordered, lambda row: row.searched)


def custom_rows(
    switch: ProviderSwitch, catalog: ModelCatalog, rows: Sequence[ModelRow], text: str, beside: str
) -> list[ModelRow]:
    """A model name that no list has, to be used as it is typed.

    It is offered for the provider of the row id `beside`, and first for the one whose
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
    """The providers whose models have names like this one."""
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
    toolless = catalog.lacks_tools(option, info)
    state, tone = _state(switch, catalog, option, model, toolless=toolless)
    if typed and state == "ready":
        state, tone = "as typed", RowTone.ASKING
    return ModelRow(
        option=option,
        number=number,
        model=model,
        ready=ready,
        state=state,
        tone=tone,
        cost=catalog.price(option, model),
        context=_format_context_size(info.context_tokens),
        toolless=toolless,
        current=option is switch.option and _present_model(switch) == model,
        typed=typed,
    )


def _present_model(switch: ProviderSwitch) -> str:
    return switch.choice.model or switch.option.model or switch.model


def _models(
    switch: ProviderSwitch, catalog: ModelCatalog, option: ProviderOption
) -> list[ModelInfo]:
    """The model of the settings first, then what its server lists, then what was used."""
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
    toolless: bool,
) -> tuple[str, RowTone]:
    known, verdict = switch.readiness(option), catalog.test_result(option, model)
    if switch.install_hint(option):
        return "not installed", RowTone.LACKING
    if known is not None and not known.ready:
        return plain_line(known.reason), RowTone.LACKING
    if known is None and option.row.needs_key and not option.key_found:
        return f"set {option.row.key_variable}", RowTone.LACKING
    if verdict is not None and not verdict.words:
        return "testing…", RowTone.ASKING
    if verdict is not None and not verdict.answered:
        return "failed", RowTone.BAD
    if toolless:
        return "no tools", RowTone.LACKING
    if verdict is not None:
        return "answers", RowTone.GOOD
    return ("ready", RowTone.GOOD) if switch.is_ready(option) else ("looking…", RowTone.ASKING)


def _format_context_size(tokens: int | None) -> str:
    """`131k`, `1M`: as large numbers of tokens are spoken of."""
    if not tokens:
        return ""
    if tokens >= 1_000_000:
        return f"{tokens / 1_000_000:.1f}".removesuffix(".0") + "M"
    return f"{tokens // 1000}k" if tokens >= 1000 else str(tokens)


@dataclass(frozen=True, slots=True)
class ModelMatch:
    """The one that is meant."""

    option: ProviderOption
    model: str = ""


@dataclass(frozen=True, slots=True)
class AmbiguousName:
    """More than one fits: the person is to choose."""


@dataclass(frozen=True, slots=True)
class UnknownName:
    """None fits; `near` are names that may be meant."""

    near: tuple[str, ...]


def find_model(
    switch: ProviderSwitch, catalog: ModelCatalog, name: str
) -> ModelMatch | AmbiguousName | UnknownName:
    """The model of that name, or of a part of it that only one has.

    A name that no list has is used as it is typed where it names its provider
    (`groq:name`), or where that is plain from the name and nobody knows a list.
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
    """The provider of that id or label, or the only one with such a beginning or part."""
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
    """Of those with the same name: the present one, one that is ready, one made for it."""

    def rank(row: ModelRow) -> tuple[bool, bool, bool]:
        home = any(re.match(pattern, name) for pattern in row.option.row.model_patterns)
        return not row.current, not row.ready, not home

    return min(rows, key=rank)


def _match_of(row: ModelRow) -> ModelMatch:
    return ModelMatch(row.option, row.choice.model)
