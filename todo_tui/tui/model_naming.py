"""Which model or provider a person means who types its name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from todo_tui.tui.model_catalog import ModelCatalog
from todo_tui.tui.model_rows import ModelRow, fitting_rows, model_rows, recent_rows, typed_rows
from todo_tui.tui.model_search import contains, near
from todo_tui.tui.provider_switch import ProviderSwitch
from todo_tui.tui.workbench import ProviderOption


@dataclass(frozen=True, slots=True)
class Meant:
    """The one that is meant."""

    option: ProviderOption
    model: str = ""


@dataclass(frozen=True, slots=True)
class Several:
    """More than one fits: the person is to choose."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """None fits; `near` are names that may be meant."""

    near: tuple[str, ...]


def model_meant(
    switch: ProviderSwitch, catalog: ModelCatalog, name: str
) -> Meant | Several | Unknown:
    """The model of that name, or of a part of it that only one has.

    A name that no list has is used as it is typed where it names its provider
    (`groq:name`), or where that is plain from the name and nobody knows a list.
    """
    rows = model_rows(switch, catalog)
    exact = [row for row in rows if name.casefold() in _names(row)]
    if exact:
        return _meant(_likeliest(exact, name))
    fitting = [row for row in fitting_rows(rows, recent_rows(switch, rows), name) if row.ready]
    plain = [row for row in fitting if contains(name, row.searched)]
    for found in (plain, fitting):
        if len(found) == 1:
            return _meant(found[0])
        if found:
            return Several()
    close = near(name, [row.model for row in rows if row.model])
    typed = typed_rows(switch, catalog, rows, name, beside="")
    if typed and (":" in name or not (close or catalog.models(typed[0].option))):
        return _meant(typed[0])
    return Unknown(tuple(close))


def provider_meant(options: Sequence[ProviderOption], name: str) -> Meant | Unknown:
    """The provider of that id or label, or the only one with such a beginning or part."""
    wanted = name.casefold()
    for fits in (str.__eq__, str.startswith, str.__contains__):
        found = [
            option
            for option in options
            if any(fits(each.casefold(), wanted) for each in (option.row.id, option.row.label))
        ]
        if len(found) == 1:
            return Meant(found[0])
        if found:
            return Unknown(tuple(option.row.id for option in found))
    return Unknown(tuple(near(name, [option.row.id for option in options])))


def _names(row: ModelRow) -> tuple[str, str]:
    model = row.model.casefold()
    return model, f"{row.option.row.id}:{model}"


def _likeliest(rows: Sequence[ModelRow], name: str) -> ModelRow:
    """Of those with the same name: the present one, one that is ready, one made for it."""

    def rank(row: ModelRow) -> tuple[bool, bool, bool]:
        home = any(re.match(pattern, name) for pattern in row.option.row.model_patterns)
        return not row.current, not row.ready, not home

    return min(rows, key=rank)


def _meant(row: ModelRow) -> Meant:
    return Meant(row.option, row.choice.model)
