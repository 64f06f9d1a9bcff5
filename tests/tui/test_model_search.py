"""Finding a model by some letters of its name."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.growth import count_calls
from tests.rows import each_row
from todo_tui.domain.text import similar
from todo_tui.tui.fuzzy_search import contains_words, match_score, rank_matches

MODELS = [
    "openai:gpt-6-luna OpenAI",
    "groq:openai/gpt-oss-120b Groq",
    "groq:openai/gpt-oss-20b Groq",
    "anthropic:claude-haiku-5-5 Anthropic",
    "ollama:qwen3.5:4b Ollama",
]


@each_row(
    ("typed", "found"),
    [
        ("luna", [0]),
        ("groq 120", [1]),
        ("120 groq", [1]),
        ("gptoss", [1, 2]),
        ("GPT-OSS", [1, 2]),
        ("qwen", [4]),
        ("haiku", [3]),
        ("openai", [0, 1, 2]),
        ("zebra", []),
        ("groq zebra", []),
    ],
)
def test_every_word_must_be_found_somewhere(typed: str, found: list[int]) -> None:
    assert rank_matches(typed, MODELS, str) == [MODELS[place] for place in found]


def test_a_whole_word_is_better_than_its_beginning_and_that_than_its_inside() -> None:
    texts = ["xgroqx", "groqx", "a groq b", "g-r-o-q"]
    assert rank_matches("groq", texts, str) == ["a groq b", "groqx", "xgroqx", "g-r-o-q"]


def test_equals_keep_their_order() -> None:
    assert rank_matches("a", ["a 1", "a 2", "a 3"], str) == ["a 1", "a 2", "a 3"]


def test_letters_that_are_far_apart_are_not_a_match() -> None:
    assert match_score("gml", "a gate that a man locks") == 0


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("gpt-6-lunna", "gpt-6-luna"), ("haiku-55", "claude-haiku-5-5"), ("qwn3.5", "qwen3.5:4b")],
)
def test_a_slip_leads_to_what_is_near(typed: str, meant: str) -> None:
    names = [name.partition(":")[2].partition(" ")[0] for name in MODELS]
    assert similar(typed, names)[0] == meant


@settings(max_examples=60)
@given(st.text(max_size=20), st.text(max_size=40))
def test_what_contains_every_word_fits(query: str, text: str) -> None:
    if contains_words(query, text):
        assert match_score(query, text) > 0
    assert match_score(query, text) >= 0


def test_searching_costs_each_model_the_same() -> None:
    names = [f"vendor-{number % 40}/model-{number}-instruct-ooooo" for number in range(3000)]
    work = count_calls(lambda: rank_matches("vendor 29 oo struct", names, str))
    assert work < 100 * len(names)
