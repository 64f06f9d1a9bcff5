"""Words that carry the meaning of a text: without stop words, and reduced to their stems."""

from __future__ import annotations

import re
from functools import lru_cache

from todo_tui.domain.text import fold_case, strip_accents

STOP_WORDS = frozenset(
    # What is left of contractions at an apostrophe is in the last line.
    """
    a about above after again against all also am an and any anybody anyone anything are as at be
    because been before being below between both but by can could did do does doing done down
    during each either else ever every everybody everyone everything few for from further get gets
    getting give go goes going got had has have having he hello her here hers herself hi him
    himself his how however i if in into is it its itself just know let like many may maybe me
    might mine more most much must my myself need needs neither no nobody none nor not nothing now
    of off on once one only onto or other others our ours ourselves out over own please same say
    says shall she should show since so some somebody someone something such tell than thank
    thanks that the their theirs them themselves then there these they thing things this those
    though through thus to too under until up upon us very want wants was way we were what
    whatever when whenever where wherever whether which while who whoever whom whose why will with
    within without would yes yet you your yours yourself yourselves
    aren couldn d didn doesn don hadn hasn haven isn ll m re s shouldn t ve wasn weren won wouldn
    """.split()
)
_TOKEN = re.compile(
    # Scripts without blanks between words: each character counts as a word.
    "[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]|[^\\W_\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]+"
)
_ENDINGS = re.compile(r"(?P<y>ies|ied|ying|y)$|(?<=[a-z]{3})(?:ings?|e?s|ed|e|ly|ments?|ers?)$")
_DOUBLED = re.compile(r"([b-df-hj-np-tv-z])\1$")


def words_of(text: str) -> list[str]:
    """Return the words of a text in order, without case and accents."""
    return _TOKEN.findall(strip_accents(fold_case(text)))


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """Return a word without its English ending, such as `bak` of `baked` and `baking`."""
    if len(word) < 4 or not word.isascii() or word.isdigit():
        return word
    stemmed = _ENDINGS.sub(lambda found: "y" if found["y"] else "", word, count=1)
    stemmed = _DOUBLED.sub(r"\1", stemmed)
    return stemmed if len(stemmed) > 2 else word


def content_words(text: str) -> set[str]:
    """Return the stems of the words that carry the meaning of a text."""
    return {stem(word) for word in words_of(text) if word not in STOP_WORDS}
