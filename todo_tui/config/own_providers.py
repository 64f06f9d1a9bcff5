"""The providers that a person has described in the file, beside those that are built in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from todo_tui.config import catalogue
from todo_tui.config.addresses import as_kept
from todo_tui.config.environment import variable_prefix
from todo_tui.config.file import ConfigFile
from todo_tui.config.printable import shown
from todo_tui.config.settings import OwnProvider, ProviderDefaults
from todo_tui.config.spelling import close_to

_ID = r"[a-z](?:[a-z0-9-]{0,38}[a-z0-9])?"
_OURS = "TODO_TUI"
"""What the variables of the program itself begin with."""


def read_own_providers(
    file: ConfigFile, rows: Sequence[ProviderDefaults]
) -> tuple[OwnProvider, ...]:
    """Those that can be used, in the order of the file; the others are noted there."""
    return tuple(_readable(file, rows))


def _readable(file: ConfigFile, rows: Sequence[ProviderDefaults]) -> Iterator[OwnProvider]:
    known = {row.id for row in rows}
    taken: dict[str, str] = {}
    for row in rows:
        own = f"{variable_prefix(row.id)}_API_KEY"
        for variable in (own, *row.key_variables, *row.token_variables):
            taken.setdefault(variable, row.id)
    for name, table in file.table("providers").items():
        if name not in known and isinstance(table, Mapping):
            mistake = _mistake(name, table, known, taken)
            if mistake is None:
                yield _own(file, name)
            else:
                file.note(("providers", name), *mistake)


def _mistake(
    name: str, table: Mapping[str, object], known: set[str], taken: Mapping[str, str]
) -> tuple[str, str] | None:
    """Why there can be no provider of that name, and the cure; None where there can."""
    meant = close_to(name.lower(), known)
    if meant and "base_url" not in table:
        return (
            f"There is no provider `{shown(name)}`.",
            f"Did you mean `{meant}`? One of your own needs a `base_url`.",
        )
    if not re.fullmatch(_ID, name):
        cure = "Use small letters, digits and dashes, beginning with a letter."
        return f"`{shown(name)}` cannot be the name of a provider.", cure
    if "base_url" not in table:
        known_ids = f"Built in are: {', '.join(sorted(known))}."
        message = f"`{name}` is not a provider: one of your own needs a `base_url`."
        return message, f'Add base_url = "https://…" below it. {known_ids}'
    prefix = variable_prefix(name)
    owner = taken.get(f"{prefix}_API_KEY")
    if owner or prefix == _OURS:
        whose = f"that of {owner}" if owner else "one of the program's own"
        variable = f"{prefix}_API_KEY" if owner else f"{prefix}_MODEL"
        return (
            f"`{name}` cannot be the name of a provider: its variable {variable} is {whose}.",
            "Give it another name.",
        )
    return None


def _own(file: ConfigFile, provider_id: str) -> OwnProvider:
    path = ("providers", provider_id)
    variable = file.value((*path, "key_variable"), catalogue.KEY_VARIABLE.kind) or ""
    needs_key = file.value((*path, "needs_key"), catalogue.NEEDS_KEY.kind)
    # What every provider has is read, and complained of, with the others.
    model = catalogue.ROW_MODEL.kind.of_toml(file.find((*path, "model")))
    return OwnProvider(
        id=provider_id,
        label=file.value((*path, "label"), catalogue.LABEL.kind) or provider_id,
        wire=file.value((*path, "wire"), catalogue.WIRE.kind) or "chat",
        base_url=as_kept(file.find((*path, "base_url"))),
        key_variable=variable,
        model=model or "",
        needs_key=bool(variable) if needs_key is None else needs_key,
    )
