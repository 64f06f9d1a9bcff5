"""What models take, by family: one row each, the first that fits holds.

A live answer that differs from a row here means changing that row.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ModelTraits:
    """What may be sent to a model beside messages and tools."""

    temperature: bool = True
    """Whether it takes a temperature."""
    efforts: tuple[str, ...] = ()
    """The efforts that it takes, weakest first; empty: it takes none."""
    forced_choice: bool = True
    """Whether `tool_choice` may demand a call."""
    thinking: bool = False
    """Whether it thinks unless told otherwise."""
    output_tokens: int = 8_192
    """The limit of an answer where the API demands that one is named."""

    def effort(self, wanted: str) -> str:
        """The effort to ask it for; empty where none was wanted or it takes none.

        What it does not know is moved to the nearest that it does.
        """
        if not wanted or not self.efforts:
            return ""
        if wanted in self.efforts:
            return wanted
        ranks = {name: rank for rank, name in enumerate(_RANKS)}
        return min(self.efforts, key=lambda name: abs(ranks[name] - ranks.get(wanted, 0)))


_RANKS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")

_FAMILIES: tuple[tuple[str, ModelTraits], ...] = (
    (r"openai/gpt-oss", ModelTraits(efforts=("low", "medium", "high"), thinking=True)),
    (r"qwen/", ModelTraits(efforts=("none", "default"), thinking=True)),
)


def traits_of(model: str) -> ModelTraits:
    """The row of the first family that the name begins with."""
    for pattern, traits in _FAMILIES:
        if re.match(pattern, model):
            return traits
    return ModelTraits()
