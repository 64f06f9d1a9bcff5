"""A key shows its text to nobody but who asks for it by name."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from todo_tui.domain.errors import ConfigError
from todo_tui.domain.secret import DOTS, Secret

keys = st.text(alphabet=st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=8)


@given(keys)
def test_it_prints_as_dots_however_it_is_printed(text: str) -> None:
    secret = Secret(text)
    for printed in (str(secret), repr(secret), f"{secret}", f"{secret!r:>30}", f"{[secret]}"):
        assert text not in printed
        assert DOTS in printed
    assert secret.reveal() == text


@given(keys)
def test_blanks_around_a_key_are_dropped(text: str) -> None:
    assert Secret(f" \t{text}\n").reveal() == text
    assert Secret(f"{text} ") == Secret(text)
    assert hash(Secret(f"{text} ")) == hash(Secret(text))


@pytest.mark.parametrize(
    "text", ["", "  ", "gsk\n12", "gsk 12", "gsk\x0012", "gsk\r\nX: y", "clé", "gsk\x7f12"]
)
def test_what_no_header_may_carry_is_refused_without_being_quoted(text: str) -> None:
    with pytest.raises(ConfigError) as caught:
        Secret(text, name="GROQ_API_KEY")
    assert str(caught.value).startswith("GROQ_API_KEY ")
    assert not text.strip() or text not in f"{caught.value} {caught.value.hint}"


def test_it_is_redacted_from_texts() -> None:
    assert Secret("gsk_12345").redact("Bearer gsk_12345, gsk_12345") == f"Bearer {DOTS}, {DOTS}"


def test_it_is_neither_pickled_nor_copied_into_the_open() -> None:
    with pytest.raises(TypeError):
        pickle.dumps(Secret("gsk_12345"))
    with pytest.raises(TypeError):
        copy.copy(Secret("gsk_12345"))
