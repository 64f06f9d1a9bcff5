"""Prices of model calls."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tests.rows import each_row
from tests.scripted import ScriptedProvider, in_order
from todo_tui.agent.pricing import cost_usd, price_per_million
from todo_tui.domain.messages import Provider, Usage


@dataclass
class Named(ScriptedProvider):
    """A remote provider of some name."""

    name: str

    def __init__(self, name: str, model: str, *, local: bool = False) -> None:
        super().__init__(in_order(), model=model, local=local)
        self.name = name

    @property
    def id(self) -> str:
        return self.name


MILLION = Usage(input_tokens=1_000_000, output_tokens=1_000_000)


@each_row(
    ("provider", "price"),
    [
        (Named("openai", "gpt-6-luna"), 0.95),
        (Named("anthropic", "claude-haiku-5-5"), 3.0),
        (Named("gemini-native", "gemini-3.5-flash-lite"), 2.8),
        (Named("groq", "openai/gpt-oss-120b"), 0.75),
        (Named("gemini", "gemini-3.5-flash-lite"), 2.8),
        (Named("groq", "no-such-model"), None),
        (Named("nobody", "model"), None),
        (Named("mistral", "mistral-large-latest"), 8.0),
        (Named("my-proxy", "gpt-6-luna"), None),
        (Named("openai", ""), None),
        (Named("local", "llama", local=True), 0.0),
    ],
)
async def test_a_call_costs_its_list_price(provider: Provider, price: float | None) -> None:
    found = await cost_usd(provider, MILLION)

    assert found == (None if price is None else pytest.approx(price))


async def test_cached_tokens_cost_less() -> None:
    provider = Named("gemini", "gemini-3.5-flash-lite")

    cached = await cost_usd(provider, Usage(1_000_000, 900_000, 0))

    assert cached is not None
    assert 0 < cached < 0.3


async def test_tokens_written_to_a_cache_have_their_own_price() -> None:
    provider = Named("anthropic", "claude-haiku-5-5")

    plain = await cost_usd(provider, Usage(50_000))
    written = await cost_usd(provider, Usage(50_000, cache_written_tokens=50_000))

    assert plain is not None
    assert written is not None
    assert written > plain


async def test_token_counts_that_make_no_sense_have_no_price() -> None:
    odd = Usage(input_tokens=10, cached_tokens=20)

    assert await cost_usd(Named("gemini", "gemini-3.5-flash-lite"), odd) is None


def test_a_model_is_shown_with_its_price_for_a_million_tokens() -> None:
    assert price_per_million("groq", "openai/gpt-oss-120b") == pytest.approx((0.15, 0.6))
    assert price_per_million("groq", "no-such-model") is None
