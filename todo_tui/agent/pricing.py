"""Cost of a model call in US dollars, from the list price of the model."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from todo_tui.domain.messages import Provider, Usage

Pricing = Callable[[Provider, Usage], Awaitable[float | None]]
"""Returns US dollars for the tokens of one call; None if the price is unknown."""
_PRICE_LIST_IDS = {"gemini": "google", "gemini-native": "google"}
"""Ids of providers that the price list names differently from our registry."""
_log = logging.getLogger(__name__)


async def cost_usd(provider: Provider, usage: Usage) -> float | None:
    """Return the list price of a call; a local provider is free."""
    if provider.local:
        return 0.0
    return await asyncio.to_thread(list_price, provider.id, provider.model, usage)


def price_per_million(provider_id: str, model: str) -> tuple[float, float] | None:
    """Return US dollars per million tokens in and out, for short requests; None if unknown.

    The first look-up takes 0.3 s: call it off the event loop.
    """
    # Tiers begin at far more than a thousand tokens.
    thousand = 1000
    price_in = list_price(provider_id, model, Usage(input_tokens=thousand))
    price_out = list_price(provider_id, model, Usage(output_tokens=thousand))
    if price_in is None or price_out is None:
        return None
    return price_in * thousand, price_out * thousand


def list_price(provider_id: str, model: str, usage: Usage) -> float | None:
    """Return US dollars for the tokens of one call; None if the list lacks the model.

    The first look-up takes 0.3 s: call it off the event loop.
    """
    # 1.6 MB of prices, needed only after a call to a paid model.
    import genai_prices

    tokens = genai_prices.Usage(
        input_tokens=usage.input_tokens,
        cache_read_tokens=usage.cached_tokens,
        cache_write_tokens=usage.cache_written_tokens,
        output_tokens=usage.output_tokens,
    )
    listed_id = _PRICE_LIST_IDS.get(provider_id, provider_id)
    try:
        return float(genai_prices.calc_price(tokens, model, provider_id=listed_id).total_price)
    except LookupError:
        return None
    except ValueError:
        _log.info("no price for %s of %s: odd token counts %s", model, provider_id, usage)
        return None
