"""US dollars as people read them."""

from __future__ import annotations

import math

_SMALL = 0.1
_DIGITS = 4
_MOST_DIGITS = 9


def dollars(amount: float) -> str:
    """`$12.50`, `$0.0071`, `$0.000041`, `$0`: few digits, and never nothing for something."""
    if amount == 0:
        return "$0"
    if amount >= _SMALL:
        return f"${amount:,.2f}"
    # At least two that say something.
    digits = min(max(_DIGITS, 1 - math.floor(math.log10(amount))), _MOST_DIGITS)
    return f"${amount:.{digits}f}"


def rate(amount: float) -> str:
    """`0.15`, `0.075`, `2.50`: a price without its sign, to a tenth of a cent."""
    exact = f"{amount:.3f}"
    return exact.removesuffix("0")
