"""What the conversation on screen has used so far: tokens and money."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from todo_tui.domain.money import dollars
from todo_tui.domain.usage import Usage


@dataclass(frozen=True, slots=True)
class Tally:
    """Sums of model calls; the cost is in US dollars and leaves out `unpriced` calls."""

    usage: Usage = field(default_factory=Usage)
    cost_usd: float = 0.0
    unpriced: int = 0
    calls: int = 0

    def plus(self, usage: Usage, cost_usd: float | None) -> Tally:
        """With one more call; None: its price is not known."""
        return replace(
            self,
            usage=self.usage + usage,
            cost_usd=self.cost_usd + (cost_usd or 0.0),
            unpriced=self.unpriced + (cost_usd is None),
            calls=self.calls + 1,
        )

    @property
    def tokens(self) -> int:
        """All tokens, in and out."""
        return self.usage.input_tokens + self.usage.output_tokens


def cost_words(cost_usd: float, unpriced: int = 0) -> str:
    """`$0.0042` below ten cents, `$1.24` above; `+` where some calls have no known price.

    A dash where none has; empty where nothing was to be paid.
    """
    if not cost_usd:
        return "–" if unpriced else ""
    amount = dollars(cost_usd)
    return f"{amount}+" if unpriced else amount
