"""The language of a text, by its most frequent words."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

_WORDS = {
    "en": """the of and is are to in that for with be on by it not this from you your must at an or
        as may which was can within per no will""",
    "de": """der die das und ist sind den dem ein eine einer einem einen zu nicht mit von für auf im
        bis muss wird werden sie sich nach bei am an oder als zum zur es pro darf kann vom""",
    "fr": """le la les et est sont des du un une dans pour que qui pas sur avec au aux vous ce par
        ne il elle doit ou sans votre être""",
    "es": """el la los las y es son del un una en para que no con por se su al lo como debe o más
        usted sin entre""",
    "it": """il lo la i gli le e è sono di del della un una in per che non con da si al dei deve o
        nel alla entro""",
    "pt": """o a os as e é são do da um uma em para que não com por se no na ao dos das deve ou sem
        mais""",
    "nl": """de het een en is zijn van te niet met voor op in dat die bij aan wordt moet of u uw
        naar kan binnen""",
    "pl": "i w na z jest do nie się że o dla przez od po są oraz lub za musi to",
    "sv": "och är det att ett en som på av för med inte den till har ska i från eller måste",
}
_FREQUENT = {
    language: frozenset(each for each in words.split() if len(each) > 1)
    for language, words in _WORDS.items()
}
_MIN_WORDS, _MIN_LEAD = 3, 1.5
"""Frequent words of a language that a text needs, and how many times those of another one."""
_MIN_LETTERS = 0.5
"""Share of the letters of a text that are of one script, if that is not Latin."""


def language_of(text: str) -> str:
    """Return `en` and the like, the name of a script such as `CYRILLIC`, or nothing if unclear."""
    sample = text[:4_000]
    if (script := _script_of(sample)) != "LATIN":
        return script
    words = Counter(re.findall(r"[^\W\d_]+", sample.lower()))
    counts = sorted(
        (sum(words[word] for word in frequent), language)
        for language, frequent in _FREQUENT.items()
    )
    (second, _), (most, language) = counts[-2:]
    return language if most >= _MIN_WORDS and most >= _MIN_LEAD * second else ""


def is_in_other_language(answer: str, passages: str) -> bool:
    """Return True if two texts are clearly in different languages."""
    found = language_of(answer), language_of(passages)
    return all(found) and found[0] != found[1]


def _script_of(text: str) -> str:
    letters = [each for each in text if each.isalpha()]
    scripts = Counter(unicodedata.name(each, "?").split()[0] for each in letters if each > "\u024f")
    # Japanese mixes scripts, which no other language does.
    for kana in ("HIRAGANA", "KATAKANA"):
        scripts["CJK"] += scripts.pop(kana, 0)
    name, count = max(scripts.items(), key=lambda item: item[1])
    return name if count > _MIN_LETTERS * len(letters) else "LATIN"
