"""Tests of Secret."""

from __future__ import annotations

import copy
import html
import json
import pickle
from collections.abc import Callable
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rows import each_row
from todo_tui.domain.errors import ConfigError
from todo_tui.domain.secret import DOTS, Secret

keys = st.text(alphabet=st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=8).filter(
    lambda text: text[0] not in "\"'"
)


@given(keys)
def test_secret_prints_as_dots(text: str) -> None:
    secret = Secret(text)
    for printed in (str(secret), repr(secret), f"{secret}", f"{secret!r:>30}", f"{[secret]}"):
        assert text not in printed
        assert DOTS in printed
    assert secret.reveal() == text


@given(keys)
def test_blanks_and_quotes_around_a_key_are_dropped(text: str) -> None:
    assert Secret(f" \t{text}\n").reveal() == text
    assert Secret(f'"{text}"\n').reveal() == Secret(f"'{text} '").reveal() == text
    assert Secret(f"{text} ") == Secret(text)
    assert hash(Secret(f"{text} ")) == hash(Secret(text))


@each_row(
    "text",
    ["", "  ", "''", '" "', "gsk\n12", "gsk 12", "gsk\x0012", "gsk\r\nX: y", "clé", "gsk\x7f12"],
)
def test_invalid_key_is_refused_without_quoting_it(text: str) -> None:
    with pytest.raises(ConfigError) as caught:
        Secret(text, name="GROQ_API_KEY")
    assert str(caught.value).startswith("GROQ_API_KEY ")
    assert not text.strip() or text not in f"{caught.value} {caught.value.hint}"


def test_secret_is_redacted_from_text() -> None:
    assert Secret("gsk_12345").redact("Bearer gsk_12345, gsk_12345") == f"Bearer {DOTS}, {DOTS}"


@pytest.mark.parametrize(
    "escaped",
    [
        repr,
        json.dumps,
        html.escape,
        lambda key: quote(key, safe=""),
        lambda key: quote(key).lower() if key == key.lower() else quote(key),
        lambda key: json.dumps({"error": json.dumps({"message": key})}),
        lambda key: repr({"body": json.dumps(key).encode()}),
        lambda key: json.dumps(key).replace("<", r"\u003C").replace("/", r"\/"),
        lambda key: "".join(f"&#{ord(mark)};" if mark in "<>&'" else mark for mark in key),
    ],
)
@settings(max_examples=40)
@given(st.one_of(keys, st.just("sk-a<b>&'=/+%~")))
def test_escaped_secret_is_redacted(escaped: Callable[[str], str], text: str) -> None:
    assert DOTS in Secret(text).redact(f"refused {escaped(text)} here")


@pytest.mark.parametrize("text", ["\\" * 100, '\\"' * 100, "%5C&amp;" * 50])
def test_redaction_is_fast_for_a_key_of_escapes(text: str) -> None:
    assert Secret(f"{text}x").redact(text * 20) == text * 20


def test_secret_is_not_pickled_or_copied() -> None:
    with pytest.raises(TypeError):
        pickle.dumps(Secret("gsk_12345"))
    with pytest.raises(TypeError):
        copy.copy(Secret("gsk_12345"))
