"""All models of all providers: lists, prices, tests, rows of the picker, lookup by name."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from todo_tui.agent.pricing import price_per_million
from todo_tui.config.provider_row import ProviderOption
from todo_tui.config.settings import ModelName
from todo_tui.domain.errors import ProviderError, ProviderErrorKind, TodoError
from todo_tui.domain.messages import ModelInfo
from todo_tui.domain.metrics_text import format_milliseconds
from todo_tui.domain.text import format_rate, plain_line, similar
from todo_tui.tui.fuzzy_search import contains_words, rank_matches
from todo_tui.tui.models.switch import ProviderSwitch
from todo_tui.tui.services import AppServices
from todo_tui.tui.theme import MUTED

if TYPE_CHECKING:
    from todo_tui.providers.readiness import CheckResult

LIST_SECONDS = 15.0
_MAX_MODELS = 2000
"""Limit per server: some resell everybody's models."""


class RowTone(StrEnum):
    """Severity of a row's state, as the style that it is drawn in."""

    GOOD = "$text-success"
    CHECKING = MUTED
    LIMITED = "$text-warning"
    BAD = "$text-error"


@dataclass(frozen=True, slots=True)
class ModelTestResult:
    """Result of a test request in words; empty while it runs."""

    text: str = ""
    tone: RowTone = RowTone.CHECKING
    """GOOD if the model answered and did not prove unable to call tools; LIMITED if it did."""


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
    current: bool = False
    typed: bool = False
    """True if the name was typed and is in no list."""
    is_default: bool = False
    """True if the number of its provider chooses it."""

    @property
    def key(self) -> ModelName:
        """Provider and model, which identify the row."""
        return ModelName(self.option.row.id, self.model)

    def is_model(self, provider: str, model: str) -> bool:
        """Return whether a model that answered is this one, or may be what the server chose."""
        return self.option.row.id == provider and self.model in (model, "")

    @property
    def choice(self) -> ModelName:
        """Choice made with this row."""
        named = "" if self.model == self.option.model and not self.typed else self.model
        return ModelName(self.option.row.id, named)

    @property
    def searched(self) -> str:
        """Text that the filter searches."""
        return plain_line(f"{self.option.row.id}:{self.model} {self.option.row.label}")


@dataclass(slots=True)
class ModelCatalog:
    """Models of all providers, fetched in the background and kept until the app exits.

    No host is asked for its models without consent.
    """

    services: AppServices
    switch: ProviderSwitch
    list_errors: dict[str, str] = field(default_factory=dict)
    test_results: dict[ModelName, ModelTestResult] = field(default_factory=dict)
    _listed: dict[str, tuple[ModelInfo, ...]] = field(default_factory=dict)
    _prices: dict[ModelName, str] = field(default_factory=dict)

    # What servers tell

    async def ask(self, option: ProviderOption) -> None:
        """Check the readiness of a provider and, with consent, fetch its models.

        They are not fetched again if the readiness check has them.
        """
        await self.switch.check_readiness(option)
        row_id, switch = option.row.id, self.switch
        known = switch.readiness(option)
        is_listed = not option.host or (known is not None and known.models)
        if is_listed or not (switch.is_ready(option) and switch.has_consent(option)):
            return
        try:
            async with asyncio.timeout(LIST_SECONDS):
                listed = await self.services.models(row_id)
        except TimeoutError:
            self.list_errors[row_id] = f"no answer within {LIST_SECONDS:.0f} s"
        except TodoError as error:
            self.list_errors[row_id] = plain_line(error.message).rstrip(".")
        else:
            self.list_errors.pop(row_id, None)
            self._listed[row_id] = listed[:_MAX_MODELS]

    def unpriced(self, rows: Iterable[ModelRow]) -> list[ModelRow]:
        """Return the rows whose price was not looked up yet."""
        return [
            row for row in rows if row.option.costs and row.model and row.key not in self._prices
        ]

    async def look_up_prices(self, rows: Iterable[ModelRow]) -> None:
        """Look up prices in a thread; the first takes 0.3 s."""
        for row in rows:
            self._prices[row.key] = await asyncio.to_thread(_format_price, *row.key)

    async def test(self, option: ProviderOption, model: str) -> None:
        """Send one small request and keep its result."""
        key = ModelName(option.row.id, model)
        if not option.host:
            self.test_results[key] = ModelTestResult("Always available.", RowTone.GOOD)
            return
        self.test_results[key] = ModelTestResult()
        try:
            checked = await self.services.check(*key)
        except asyncio.CancelledError:
            del self.test_results[key]
            raise
        except TodoError as error:
            kind = error.kind if isinstance(error, ProviderError) else None
            calls_tools = False if kind is ProviderErrorKind.TOOLS_UNSUPPORTED else None
            tone = RowTone.BAD if calls_tools is None else RowTone.LIMITED
            self.test_results[key] = ModelTestResult(plain_line(error.text), tone)
        else:
            calls_tools = checked.calls_tools
            self.test_results[key] = _test_result(checked)
        if calls_tools is not None:
            self.switch.note_tools(*key, called=calls_tools)

    # Rows

    def rows(self) -> list[ModelRow]:
        """Return all rows by provider in order, the selected model of each first."""
        options = self.switch.options
        return [self._row(option, info) for option in options for info in self._models(option)]

    def recent_rows(self, rows: Sequence[ModelRow]) -> list[ModelRow]:
        """Return the recently used models that are ready, the selected one first."""
        ready = {row.key: row for row in rows if row.ready}
        used = [ready[name] for name in self.switch.recent if name in ready]
        return list(dict.fromkeys([*(row for row in rows if row.current), *used]))

    def filter_rows(self, rows: Sequence[ModelRow], text: str) -> list[ModelRow]:
        """Return the rows that match the text, best first; among equals recent ones first."""
        ordered = dict.fromkeys([*self.recent_rows(rows), *rows])
        return rank_matches(text, ordered, lambda row: row.searched)

    def custom_rows(self, rows: Sequence[ModelRow], text: str, beside: str = "") -> list[ModelRow]:
        """Return rows that use the filter text as the name of an unlisted model.

        They are offered for the provider of the row id `beside`, and first for the provider whose
        models have such names; `groq:name` is for Groq alone.
        """
        prefix, colon, rest = text.partition(":")
        options = {option.row.id: option for option in self.switch.options if option.host}
        named = prefix.strip().lower() if colon else ""
        if named in options:
            wanted, name = [named], rest.strip()
        else:
            name = text.strip()
            wanted = [row_id for row_id in options if _makes(options[row_id], name)]
            wanted.append(beside)
            if any(contains_words(name, row.searched) for row in rows):
                return []
        if not name or " " in name:
            return []
        known = {row.key for row in rows}
        return [
            self._row(options[row_id], ModelInfo(name), typed=True)
            for row_id in dict.fromkeys(wanted)
            if row_id in options and (row_id, name) not in known
        ]

    def find_model(self, name: str) -> list[ModelRow]:
        """Find a model by its name or by a part of it; several rows if the name is ambiguous.

        An unlisted name is taken as it is if it names its provider (`groq:name`), or if the
        provider is plain from the name and its models are not known.
        """
        rows, folded = self.rows(), name.casefold()

        def rank(row: ModelRow) -> tuple[bool, bool, bool]:
            return not row.current, not row.ready, not _makes(row.option, name)

        names = ((row, row.model.casefold()) for row in rows)
        exact = [row for row, model in names if folded in (model, f"{row.option.row.id}:{model}")]
        if exact:
            return [min(exact, key=rank)]
        fitting = [row for row in self.filter_rows(rows, name) if row.ready]
        if fitting:
            return [row for row in fitting if contains_words(name, row.searched)] or fitting
        typed = self.custom_rows(rows, name)
        is_plain = typed and not (self.similar_models(name) or self._known(typed[0].option))
        return typed[:1] if ":" in name or is_plain else []

    def name_of(self, row: ModelRow) -> str:
        """Return the shortest name by which `find_model` finds the row."""
        if not row.model or [each.key for each in self.find_model(row.model)] == [row.key]:
            return row.model or row.option.row.id
        return f"{row.option.row.id}:{row.model}"

    def models_of(self, provider: str) -> list[ModelRow]:
        """Return the ready models of the provider with that id or label, the selected one first."""
        name = provider.casefold()
        return [
            row
            for row in self.rows()
            if row.ready and name in (row.option.row.id.casefold(), row.option.row.label.casefold())
        ]

    def similar_models(self, name: str) -> tuple[str, ...]:
        """Return a few model names like a mistyped one."""
        return similar(name, [row.model for row in self.rows() if row.model])

    def _row(self, option: ProviderOption, info: ModelInfo, *, typed: bool = False) -> ModelRow:
        switch, key = self.switch, ModelName(option.row.id, info.name)
        result = self.test_results.get(key)
        # A passed test takes precedence.
        lacks_tools = (result is None or result.tone is not RowTone.GOOD) and (
            info.calls_tools is False or switch.lacks_tools(*key)
        )
        state, tone = self._state(option, result, lacks_tools=lacks_tools)
        if typed and state == "ready":
            state, tone = "custom", RowTone.CHECKING
        return ModelRow(
            option=option,
            number=switch.options.index(option) + 1,
            model=info.name,
            ready=switch.is_ready(option),
            state=state,
            tone=tone,
            cost=self._prices.get(key, "") if option.costs else "free",
            context=_format_context_size(info.context_tokens),
            lacks_tools=lacks_tools,
            current=option is switch.option
            and info.name == (switch.choice.model or option.model or switch.model),
            typed=typed,
            is_default=not typed and info.name == (option.model or self._first_listed(option)),
        )

    def _first_listed(self, option: ProviderOption) -> str:
        known = self._known(option)
        return known[0].name if known else ""

    def _state(
        self, option: ProviderOption, result: ModelTestResult | None, *, lacks_tools: bool
    ) -> tuple[str, RowTone]:
        known = self.switch.readiness(option)
        lacks_key = known is None and option.row.needs_key and not option.key_found
        if self.switch.install_hint(option):
            return "not installed", RowTone.LIMITED
        if lacks_key or (known is not None and not known.ready):
            return plain_line(self.switch.status_text(option)), RowTone.LIMITED
        if result is not None and result.tone in (RowTone.CHECKING, RowTone.BAD):
            return "failed" if result.text else "testing…", result.tone
        if lacks_tools:
            return "no tools", RowTone.LIMITED
        if result is not None:
            return "answers", RowTone.GOOD
        if self.switch.is_ready(option):
            return "ready", RowTone.GOOD
        return "checking…", RowTone.CHECKING

    def _known(self, option: ProviderOption) -> tuple[ModelInfo, ...]:
        """Return the models that the server listed; empty before it was asked."""
        known = self.switch.readiness(option)
        return self._listed.get(option.row.id) or (known.models if known else ())

    def _models(self, option: ProviderOption) -> list[ModelInfo]:
        """Return the configured model, then the listed ones, then those used before."""
        switch = self.switch
        listed = {info.name: info for info in self._known(option)}
        first = [option.model] if option.model or not listed else []
        chosen = switch.choice.model if option is switch.option else ""
        used = [each.model for each in switch.recent if each.provider == option.row.id]
        others = filter(None, [chosen, *listed, *(used if option.host else ())])
        return [listed.get(name) or ModelInfo(name) for name in dict.fromkeys([*first, *others])]


def find_provider(options: Sequence[ProviderOption], name: str) -> list[ProviderOption]:
    """Find providers by id or label, or by a prefix or part of these."""
    wanted = name.casefold()
    names = [(each, each.row.id.casefold(), each.row.label.casefold()) for each in options]
    for fits in (str.__eq__, str.startswith, str.__contains__):
        if found := [each for each, *known in names if any(fits(k, wanted) for k in known)]:
            return found
    return []


def _makes(option: ProviderOption, name: str) -> bool:
    """Return whether the provider has models with similar names."""
    return any(re.match(pattern, name) for pattern in option.row.model_patterns)


def _test_result(checked: CheckResult) -> ModelTestResult:
    tools, tone = {
        True: (". Supports tools.", RowTone.GOOD),
        False: (". No tool support.", RowTone.LIMITED),
        None: (". Tool support unknown.", RowTone.GOOD),
    }[checked.calls_tools]
    return ModelTestResult(f"Answers in {format_milliseconds(checked.milliseconds)}{tools}", tone)


def _format_price(row_id: str, model: str) -> str:
    """Return `$0.15 / $0.60 per M`; a dash if the price is unknown."""
    price = price_per_million(row_id, model)
    return "–" if price is None else f"${format_rate(price[0])} / ${format_rate(price[1])} per M"


def _format_context_size(tokens: int | None) -> str:
    if not tokens:
        return ""
    if tokens >= 1_000_000:
        return f"{tokens / 1_000_000:.1f}".removesuffix(".0") + "M"
    return f"{tokens // 1000}k" if tokens >= 1000 else str(tokens)
