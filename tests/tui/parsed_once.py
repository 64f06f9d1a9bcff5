"""Style sheets that are parsed once for all apps: a tenth of what the start of one takes."""

from __future__ import annotations

from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.css.types import CSSLocation

_parse_rules = Stylesheet._parse_rules
_parsed: dict[tuple[object, ...], list[RuleSet]] = {}


def parse_styles_once() -> None:
    """Let all apps of this process share what Textual has parsed.

    It remembers for each sheet what the same text with the same variables comes to, and
    only reads that; here it is remembered beyond the sheet.
    """
    Stylesheet._parse_rules = _remembered  # type: ignore[method-assign]  # as explained


def _remembered(
    self: Stylesheet,
    css: str,
    read_from: CSSLocation,
    is_default_rules: bool = False,
    tie_breaker: int = 0,
    scope: str = "",
) -> list[RuleSet]:
    text = (css, read_from, is_default_rules, tie_breaker, scope)
    key = (*text, *self._variables.items())
    if key not in _parsed:
        _parsed[key] = _parse_rules(self, *text)
    return _parsed[key]
