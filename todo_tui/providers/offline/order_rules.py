"""The grammar of neighbours in the manual order: swap two of them, one line up or down."""

from __future__ import annotations

from todo_tui.providers.offline.intents import Intent, Step, Swap
from todo_tui.providers.offline.pattern import Build, Rule, Slots

_SWAP = r"(?:swap|exchange|switch|trade|interchange|flip)(?: around)?"
_DATES = r"(?:(?:due )?(?:dates?|days?|times?)|deadlines?)"
_PLACES = r"(?:(?: the)? (?:places?|positions?|order) (?:of|for|between))"
_NUMBERS = {"one": 1, "a": 1, "two": 2, "three": 3, "four": 4, "five": 5}
_NUMBER = rf"(?P<n>\d{{1,2}}|{'|'.join(_NUMBERS)})"
_LINE = r"(?:lines?|places?|spots?|steps?|rows?|positions?)"
_LINES = rf"(?: (?:by )?{_NUMBER}(?: {_LINE})?)?"
_LIST = r"(?: (?:in|on) (?:the |my )?(?:list|order))?"
_VERB = r"(?:move|put|push|shift|bring|pull|take)"


def _swapped(*, dates: bool = False) -> Build:
    return lambda slots: Swap(slots["ref"], slots.get("other") or "", dates)


def _stepped(sign: int) -> Build:
    def build(slots: Slots) -> Intent:
        word = (slots["n"] or "one").casefold()
        return Step(slots["ref"], sign * (_NUMBERS.get(word) or int(word)))

    return build


SWAPPING = (
    Rule(
        rf"{_SWAP} (?:the )?{_DATES} (?:of|for|between) {{ref}} (?:and|with) {{other}}",
        _swapped(dates=True),
    ),
    Rule(rf"{_SWAP} (?:the )?{_DATES} (?:of|for|between) {{ref}}", _swapped(dates=True)),
    Rule(
        rf"{_SWAP}{_PLACES}? {{ref}} (?:and|with|for) {{other}}(?: around)?",
        _swapped(),
        strong=False,
    ),
    Rule(
        rf"{_SWAP}{_PLACES}? (?P<ref>(?:the )?(?:(?:first|last) )?two(?: (?:tasks|ones|of them))?"
        r"|them|those|these|both)(?: around)?",
        _swapped(),
    ),
    Rule(rf"{_VERB} {{ref}} (?:further )?up{_LINES}{_LIST}", _stepped(-1)),
    Rule(rf"{_VERB} {{ref}} (?:further )?down{_LINES}{_LIST}", _stepped(1)),
)
