"""The rows of the model picker: what each model is, whether it is ready, what it costs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from todo_tui.domain.request import ModelInfo
from todo_tui.domain.text import plain_line
from todo_tui.tui.model_catalog import ModelCatalog
from todo_tui.tui.model_search import best_first, contains
from todo_tui.tui.provider_switch import ProviderSwitch
from todo_tui.tui.workbench import ProviderChoice, ProviderOption


class Tone(Enum):
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
    tone: Tone
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


def fitting_rows(rows: Sequence[ModelRow], recent: Iterable[ModelRow], text: str) -> list[ModelRow]:
    """The rows in which the words of the text are found, the best first, recent ones of equals."""
    ordered = dict.fromkeys([*recent, *rows])
    return best_first(text, ordered, lambda row: row.searched)


def typed_rows(
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
        wanted, name = [*_homes(by_id.values(), text), beside], text.strip()
        if any(contains(name, row.searched) for row in rows):
            return []
    known = {(row.option.row.id, row.model) for row in rows}
    if not name or " " in name:
        return []
    return [
        _row(switch, catalog, by_id[row_id], _number(switch, row_id), ModelInfo(name), typed=True)
        for row_id in dict.fromkeys(wanted)
        if row_id in by_id and (row_id, name) not in known
    ]


def _homes(options: Iterable[ProviderOption], name: str) -> list[str]:
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
    toolless = catalog.calls_no_tools(option, info)
    state, tone = _state(switch, catalog, option, model, toolless=toolless)
    if typed and state == "ready":
        state, tone = "as typed", Tone.ASKING
    return ModelRow(
        option=option,
        number=number,
        model=model,
        ready=ready,
        state=state,
        tone=tone,
        cost=catalog.price(option, model),
        context=_size_words(info.context_tokens),
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
) -> tuple[str, Tone]:
    known, verdict = switch.readiness(option), catalog.verdict(option, model)
    if switch.cure(option):
        return "not installed", Tone.LACKING
    if known is not None and not known.ready:
        return plain_line(known.reason), Tone.LACKING
    if known is None and option.row.needs_key and not option.key_found:
        return f"set {option.row.key_variable}", Tone.LACKING
    if verdict is not None and not verdict.words:
        return "testing…", Tone.ASKING
    if verdict is not None and not verdict.answered:
        return "failed", Tone.BAD
    if toolless:
        return "no tools", Tone.LACKING
    if verdict is not None:
        return "answers", Tone.GOOD
    return ("ready", Tone.GOOD) if switch.is_ready(option) else ("looking…", Tone.ASKING)


def _size_words(tokens: int | None) -> str:
    """`131k`, `1M`: as large numbers of tokens are spoken of."""
    if not tokens:
        return ""
    if tokens >= 1_000_000:
        return f"{tokens / 1_000_000:.1f}".removesuffix(".0") + "M"
    return f"{tokens // 1000}k" if tokens >= 1000 else str(tokens)
