"""How long a server asks to wait, wherever it says so."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime

_IN_WORDS = re.compile(
    r"(?:try again|retry) (?:in|after)"
    r" (?:(\d{1,9})(?:h| hours?))?(?:(\d{1,9})(?:m(?!s)| minutes?))?"
    r"(?:(\d{1,9}(?:\.\d+)?)(ms|s| seconds?)\b)?",
    re.IGNORECASE,
)
_DELAY = re.compile(r"(\d{1,12}(?:\.\d+)?)s")


def wait_in_headers(headers: Mapping[str, str]) -> float | None:
    """Seconds from `retry-after-ms` or `Retry-After`, a number or an HTTP date."""
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    asked = headers.get("retry-after")
    seconds = _number(asked)
    if seconds is not None or asked is None:
        return seconds
    try:
        return max(0.0, _moment(asked) - _servers_now(headers))
    except (ValueError, OverflowError):
        return None


def wait_in_words(text: str) -> float | None:
    """Seconds from words such as Groq's `Please try again in 1m2.5s`."""
    match = _IN_WORDS.search(text)
    if match is None or not any(match.groups()):
        return None
    hours, minutes, seconds, unit = match.groups()
    last = float(seconds or 0) / (1000 if unit == "ms" else 1)
    return int(hours or 0) * 3600 + int(minutes or 0) * 60 + last


def wait_in_delay(text: str) -> float | None:
    """Seconds from a protobuf duration such as `34s`, as Gemini's RetryInfo has it."""
    match = _DELAY.fullmatch(text)
    return float(match[1]) if match else None


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return max(0.0, number) if math.isfinite(number) else None


def _servers_now(headers: Mapping[str, str]) -> float:
    """The server's own clock where it tells, so that a wrong one here does no harm."""
    try:
        return _moment(headers["date"])
    except (KeyError, ValueError, OverflowError):
        return time.time()


def _moment(date: str) -> float:
    """Seconds since 1970 of an HTTP date; the form of asctime names no zone and means UTC."""
    moment = parsedate_to_datetime(date)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
