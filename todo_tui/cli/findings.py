"""What doctor finds: a place, how it stands there, and the cure where it is bad."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """The sign before a finding."""

    GOOD = "✓"
    BAD = "✗"
    NEUTRAL = "–"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report."""

    verdict: Verdict
    what: str
    cure: str = ""


def good(what: str) -> Finding:
    """All is well there."""
    return Finding(Verdict.GOOD, what)


def bad(what: str, cure: str) -> Finding:
    """Something is wrong there."""
    return Finding(Verdict.BAD, what, cure)


def neutral(what: str) -> Finding:
    """Nothing wrong, but good to know."""
    return Finding(Verdict.NEUTRAL, what)
