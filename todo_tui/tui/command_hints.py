"""What could follow as a command is typed: names of commands, models and providers."""

from __future__ import annotations

from dataclasses import dataclass

from todo_tui.domain.text import plain_line
from todo_tui.tui.model_catalog import ModelCatalog
from todo_tui.tui.model_rows import fitting_rows, model_rows, recent_rows
from todo_tui.tui.model_search import best_first
from todo_tui.tui.provider_switch import ProviderSwitch
from todo_tui.tui.slash_commands import SLASH_COMMANDS, Names, command_named
from todo_tui.tui.workbench import ProviderOption

MOST_HINTS = 8


@dataclass(frozen=True, slots=True)
class Hint:
    """A way to go on: `text` is the whole line then."""

    text: str
    about: str


def command_hints(
    text: str, switch: ProviderSwitch, catalog: ModelCatalog, *, card_is_open: bool = False
) -> tuple[Hint, ...]:
    """The likeliest ways to go on, the best first; none where no command is typed."""
    if not text.startswith("/") or text.startswith("//") or "\n" in text:
        return ()
    word, space, argument = text[1:].partition(" ")
    if not space:
        return _commands(word, card_is_open=card_is_open)
    command = command_named(word)
    match command.takes if command is not None else Names.NOTHING:
        case Names.MODELS:
            return _models(f"/{word} ", argument.strip(), switch, catalog)
        case Names.PROVIDERS:
            return _providers(f"/{word} ", argument.strip(), switch)
        case Names.NOTHING:
            return ()


def _commands(word: str, *, card_is_open: bool) -> tuple[Hint, ...]:
    return tuple(
        Hint(f"/{command.name}" + (" " if command.takes is not Names.NOTHING else ""),
             command.summary)
        for command in SLASH_COMMANDS
        if command.name.startswith(word.lower()) and (card_is_open or not command.answers_card)
    )  # fmt: skip


def _models(
    before: str, typed: str, switch: ProviderSwitch, catalog: ModelCatalog
) -> tuple[Hint, ...]:
    rows = model_rows(switch, catalog)
    recent = recent_rows(switch, rows)
    found = fitting_rows(rows, recent, typed) if typed else list(dict.fromkeys([*recent, *rows]))
    ready = [row for row in found if row.ready and row.model]
    return tuple(
        Hint(
            before + plain_line(f"{row.option.row.id}:{row.model}"),
            plain_line(" · ".join(filter(None, (row.option.row.label, row.state, row.cost)))),
        )
        for row in ready[:MOST_HINTS]
    )


def _providers(before: str, typed: str, switch: ProviderSwitch) -> tuple[Hint, ...]:
    def words(option: ProviderOption) -> str:
        return f"{option.row.id} {option.row.label}"

    found = best_first(typed, switch.options, words) if typed else switch.options
    return tuple(
        Hint(
            before + option.row.id,
            plain_line(f"{option.row.label} · {_standing(switch, option)}"),
        )
        for option in found[:MOST_HINTS]
    )


def _standing(switch: ProviderSwitch, option: ProviderOption) -> str:
    if switch.is_ready(option):
        return "ready"
    known = switch.readiness(option)
    return known.reason if known is not None else f"set {option.row.key_variable}"
