"""Order of day and month in the columns of a table: 25/12 decides 04/12."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from todo_tui.domain.dates.text import month_name
from todo_tui.domain.errors import ValidationError
from todo_tui.domain.when import DateStyle
from todo_tui.formats.parsed_file import FormatContext

_NUMERIC = re.compile(r"\s*(\d{1,2})([/-])(\d{1,2})(?:\2(?:\d{4}|\d\d))?(?=$|[\sT,])")
_MONTHS = 12


class AmbiguousDates(ValidationError):
    """Dates for which nothing in the file says whether the day or the month comes first."""

    def __init__(self, column: str, example: str) -> None:
        found = _NUMERIC.match(example)
        first, second = (int(found[1]), int(found[3])) if found else (1, 1)
        self.day_first = f"{first} {month_name(second)}"
        self.month_first = f"{second} {month_name(first)}"
        super().__init__(
            f"The dates in `{column}` are ambiguous: {example.strip()} is {self.day_first} (day"
            f" first) or {self.month_first} (month first).",
            hint="Choose with --date-order dmy or --date-order mdy. Nothing imported.",
        )


def date_styles(
    columns: Mapping[str, Iterable[str]], context: FormatContext, notes: list[str]
) -> dict[str, DateStyle]:
    """Return how to read each column of dates, given its cells.

    A column that does not tell its order is read as those that do, if these agree; a sentence
    about that is added to the notes.

    Raises:
        AmbiguousDates: nothing tells the order, and the context does not name one.
    """
    orders = {name: _order(cells) for name, cells in columns.items()}
    known = {day_first for day_first, _ in orders.values() if day_first is not None}
    styles: dict[str, DateStyle] = {}
    for name, (day_first, example) in orders.items():
        if day_first is None and example is not None:
            if context.is_order_known:
                day_first = context.dates.day_first
            elif len(known) == 1:
                (day_first,) = known
            else:
                raise AmbiguousDates(name, example)
            how = "day first" if day_first else "month first"
            why = "" if context.is_order_known else ", as in the other columns"
            notes.append(f"Dates in `{name}` such as {example.strip()}: read {how}{why}.")
        chosen = context.dates.day_first if day_first is None else day_first
        styles[name] = replace(context.dates, day_first=chosen)
    return styles


def _order(cells: Iterable[str]) -> tuple[bool | None, str | None]:
    """Return whether the day is first, None if that is open, and an ambiguous date."""
    orders_found: set[bool] = set()
    example: str | None = None
    for cell in cells:
        found = _NUMERIC.match(cell)
        if found is None or found[1] == found[3]:
            continue
        first, second = int(found[1]), int(found[3])
        if first <= _MONTHS and second <= _MONTHS:
            example = example or cell
        elif first <= _MONTHS or second <= _MONTHS:
            orders_found.add(first > _MONTHS)
    return (orders_found.pop() if len(orders_found) == 1 else None), example
