"""Tests of links in texts."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rows import each_row
from todo_tui.domain.links import find_links, find_task_links
from todo_tui.domain.task import Annotation, Task


@each_row(
    ("text", "urls"),
    [
        ("see https://example.org/a?b=c#d.", ["https://example.org/a?b=c#d"]),
        ("(http://example.org/x)", ["http://example.org/x"]),
        ("https://en.wikipedia.org/wiki/Set_(mathematics)", [
            "https://en.wikipedia.org/wiki/Set_(mathematics)"]),
        ("[Docs](https://example.org/a_(b)), *www.example.org*", [
            "https://example.org/a_(b)", "https://www.example.org"]),
        ("<https://example.org> “https://example.com”", [
            "https://example.org", "https://example.com"]),
        ("HTTPS://EXAMPLE.ORG/Ä and mailto:bob@example.org?subject=hi, tel:+49-30-1", [
            "HTTPS://EXAMPLE.ORG/Ä", "mailto:bob@example.org?subject=hi", "tel:+49-30-1"]),
        ("http://[::1]:8000/ file:///tmp/a.sh", ["http://[::1]:8000/"]),
        ("a https:// b www. c http://. d javascript:alert(1) e.www.x foohttp://x y@www.z", []),
        ("", []),
        ("two https://a.example/1\nhttps://b.example/2!", [
            "https://a.example/1", "https://b.example/2"]),
    ],
)  # fmt: skip
def test_addresses_are_found(text: str, urls: list[str]) -> None:
    assert [link.url for link in find_links(text)] == urls


def test_link_has_its_position() -> None:
    text = "go to www.example.org."
    (link,) = find_links(text)
    assert text[link.start : link.end] == "www.example.org"


def test_task_links_are_unique() -> None:
    now = datetime(2026, 11, 18, tzinfo=UTC)
    task = Task(
        1, "u", "https://a.example", now, now,
        notes="https://b.example https://a.example",
        annotations=(Annotation(now, "https://c.example"),),
    )  # fmt: skip
    assert find_task_links(task) == ("https://a.example", "https://b.example", "https://c.example")


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="htps:/w.()[]<>ab @\n\"'", max_size=200) | st.text(max_size=100))
def test_links_of_any_text_are_within_it(text: str) -> None:
    for link in find_links(text):
        address = text[link.start : link.end]
        assert link.url in (address, f"https://{address}")
        assert not any(sign.isspace() for sign in address)


def test_long_text_is_searched_fast() -> None:
    for piece in ("http://", "((((", "www.", "https://a.b)", "http://" + "." * 500):
        assert len(find_links(piece * (100_000 // len(piece)))) < 20_000
    assert find_links(f"https://a{')' * 100_000}") == ()
