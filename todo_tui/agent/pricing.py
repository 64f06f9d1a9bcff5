"""What a model call costs."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from todo_tui.domain.request import Provider, Usage

Pricing = Callable[[Provider, Usage], Awaitable[float | None]]
"""US dollars for the tokens of one call; None where the price is not known."""

_PRICE_LIST_IDS = {"gemini": "google", "gemini-native": "google"}
"""Where the price list names a provider otherwise than our registry."""

_log = logging.getLogger(__name__)


async def cost_usd(provider: Provider, usage: Usage) -> float | None:
    """The list price of a call; what runs on this machine is free."""
    if provider.local:
        return 0.0
    # In a thread: the first look-up imports and parses the price list, 0.3 s.
    return await asyncio.to_thread(_list_price, provider.id, provider.model, usage)


def price_per_million(provider_id: str, model: str) -> tuple[float, float] | None:
    """US dollars for a million tokens in and out, as short requests cost; None: not known.

    The first look-up takes 0.3 s: call it off the event loop.
    """
    # Tiers begin at far more than a thousand tokens.
    thousand = 1000
    price_in = _list_price(provider_id, model, Usage(input_tokens=thousand))
    price_out = _list_price(provider_id, model, Usage(output_tokens=thousand))
    if price_in is None or price_out is None:
        return None
    return price_in * thousand, price_out * thousand


def _list_price(provider_id: str, model: str, usage: Usage) -> float | None:
    # 1.6 MB of prices: only who spoke to a paid model needs them.
    from genai_prices import Usage as PricedUsage
    from genai_prices import calc_price

    priced = PricedUsage(
        input_tokens=usage.input_tokens,
        cache_read_tokens=usage.cached_tokens,
        output_tokens=usage.output_tokens,
    )
    try:
        price = calc_price(priced, model, provider_id=_PRICE_LIST_IDS.get(provider_id, provider_id))
    except LookupError:
        return None
    except ValueError:
        _log.info("no price for %s of %s: odd token counts %s", model, provider_id, usage)
        return None
    return float(price.total_price)
