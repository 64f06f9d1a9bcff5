"""Several lines of text as tasks: one a line, without the signs of a list before them."""

from __future__ import annotations

import re

_SIGN = re.compile(r"\s*(?:(?:[-*•–—+‣◦▪]|\(?\d{1,4}[.)])\s+)?(?:\[[ xX]?\]\s+)?")


def task_lines(text: str) -> tuple[str, ...]:
    """What stands on each line that has something on it, in order; no bullets and numbers."""
    lines = (_SIGN.sub("", line, count=1).strip() for line in text.splitlines())
    return tuple(line for line in lines if any(map(str.isalnum, line)) or not line.isascii())
