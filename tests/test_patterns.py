"""No regular expression takes time that grows with the square of its text."""

from __future__ import annotations

import re

from tests.growth import seconds, skip_if_busy, too_steep
from tests.patterns import Hard, Use, hard_texts, strings_in, uses
from todo_tui.config import file as config_file
from todo_tui.providers import embeddings, registry
from todo_tui.providers import errors as complaints
from todo_tui.providers import traits as model_traits

_RUN_TIME = {
    "config/model_choice.py pattern": registry,
    "config/file.py pattern": config_file,
    "providers/embeddings.py _FAMILIES": embeddings,
    "providers/errors.py p": complaints,
    "providers/errors.py pattern": complaints,
    "providers/traits.py pattern": model_traits,
    "tui/models/catalog.py pattern": registry,
    # Of a key, or of words that a person or a scenario wrote, taken literally.
    "config/edit.py example": None,
    "cli/title_search.py patterns": None,
    "providers/answer_marks.py '|'.join(map(re.escape, longest_first))": None,
    "domain/filters/search_words.py re.escape(word)": None,
    "evaluation/expectations.py pattern": None,
    "domain/secret.py ''.join(map(_escaped_forms, _split_characters(secret)))": None,
    "store/conversations/search.py literal": None,
    "store/operations/purge.py text": None,
}
"""Where patterns are used that stand in tables, and whose."""
_SHORT, _LONG = 200, 2_000
_SUSPICIOUS = 0.0005
"""Seconds for a text of the second length: several times what the square-free ones take."""
_HOPELESS = 0.05
"""Seconds for a text of the first length, beyond which longer ones might take for ever."""


def test_four_times_the_text_takes_at_most_six_times_the_time() -> None:
    found, at_run_time = uses(without=("todo_tui.providers.offline",))
    assert set(at_run_time) == set(_RUN_TIME)
    in_tables = [
        Use(place, re.compile(text, re.IGNORECASE | re.DOTALL), at_run_time[place])
        for place, module in _RUN_TIME.items()
        for text in dict.fromkeys(strings_in(module))
        if _is_pattern(text)
    ]
    assert [problem for use in (*found, *in_tables) for problem in _problems(use)] == []


def test_texts_that_are_hard_for_a_pattern_are_found() -> None:
    for pattern in (r"x[^y]*y", r"#(.*?)\s*\.", r"\[?1(?:\s*[,\s]\s*1)*"):
        assert _problems(Use("", re.compile(pattern), "finditer")), pattern
    for pattern in (r"(?<!a)a++b", r"\(([^()]*)\)"):
        assert not _problems(Use("", re.compile(pattern), "finditer")), pattern


def _problems(use: Use) -> list[str]:
    """What is too slow; judged by the texts that take longest when they are short."""
    timed: list[tuple[float, Hard]] = []
    for hard in hard_texts(use.pattern):
        for length, most in ((_SHORT, _HOPELESS), (_LONG, _HOPELESS * 10)):
            took = seconds(use.run, hard.text(length))
            if took > most and (took := seconds(use.run, hard.text(length), tries=3)) > most:
                skip_if_busy()
                return [f"{use.place}, {use.method}, {hard}: {took * 1000:.1f} ms for {length}"]
        timed.append((took, hard))
    timed.sort(key=lambda each: -each[0])
    suspicious = [hard for took, hard in timed[:3] if took > _SUSPICIOUS]
    lengths = (2_500, 10_000, 40_000, 160_000) if suspicious else (10_000, 40_000)
    for hard in suspicious or [timed[0][1]]:
        if problem := too_steep(use.run, hard.text, lengths):
            return [f"{use.place}, {use.method}, {hard}: {problem}"]
    return []


def _is_pattern(text: str) -> bool:
    """Whether it has a meaning as a pattern: the other texts of a table are words."""
    if re.escape(text) == text:
        return False
    try:
        re.compile(text)
    except re.error:
        return False
    return True
