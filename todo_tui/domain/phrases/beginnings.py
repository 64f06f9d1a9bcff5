"""With which token a production can begin, so that those that cannot are not tried."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from todo_tui.domain.phrases.tokens import Token


class Beginning(NamedTuple):
    """The first tokens of all that a parser can read; rather too many than too few."""

    words: frozenset[str] = frozenset()
    numbers: bool = False
    empty: bool = False
    """It may read no token at all."""
    anything: bool = False
    """It is not known what it begins with."""

    def fits(self, token: Token | None) -> bool:
        """Whether it can begin with the token; None: where there are no more."""
        if self.empty or self.anything:
            return True
        if token is None:
            return False
        return token.word in self.words or (self.numbers and token.number is not None)


ANYTHING = Beginning(anything=True)
NOTHING = Beginning(empty=True)


def one_of(*choices: Callable[[], Beginning]) -> Beginning:
    """What a choice can begin with."""
    found = [choice() for choice in choices]
    return Beginning(
        frozenset().union(*(each.words for each in found)),
        any(each.numbers for each in found),
        any(each.empty for each in found),
        any(each.anything for each in found),
    )


def in_a_row(*parts: Callable[[], Beginning]) -> Beginning:
    """What a sequence can begin with: also a later part, where those before may be empty."""
    reached: list[Beginning] = []
    for part in parts:
        reached.append(part())
        if not reached[-1].empty:
            break
    return Beginning(
        frozenset().union(*(each.words for each in reached)),
        any(each.numbers for each in reached),
        all(each.empty for each in reached),
        any(each.anything for each in reached),
    )
