"""An answer that streams is drawn as Markdown, and nothing in it is obeyed."""

from __future__ import annotations

import io

from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from todo_tui.cli.output.streamed_markdown import StreamedMarkdown
from todo_tui.domain.text import plain_text


def drawn(*chunks: str) -> str:
    """What is left on a screen 60 columns wide, blanks at line ends aside."""
    file = io.StringIO()
    console = Console(file=file, width=60, highlight=False, markup=False, emoji=False)
    answer = StreamedMarkdown(console)
    for chunk in chunks:
        answer.feed(chunk)
    answer.finish()
    return "\n".join(line.rstrip() for line in file.getvalue().splitlines())


def test_marks_become_looks() -> None:
    text = "Two **tasks**:\n\n- Buy `milk`\n- Call mom\n\nThat is all."
    assert drawn(*text) == "Two tasks:\n\n • Buy milk\n • Call mom\n\nThat is all."


def test_what_belongs_together_is_not_torn_at_a_blank_line() -> None:
    assert drawn(*"1. one\n\n2. two\n\nend") == drawn("1. one\n\n2. two\n\nend")
    code = drawn(*"```\na\n\nb = [1]\n```\n\nend")
    assert "a" in code
    assert "b = [1]" in code
    assert "```" not in code


def test_what_markdown_makes_of_an_entity_is_checked_too() -> None:
    assert drawn("a &#27;[31m &#8238;b &#155;1m [x](javascript:y)").isprintable()


@settings(max_examples=30)
@given(chunks=st.lists(st.text(max_size=25), max_size=6))
def test_streamed_text_is_not_obeyed_by_the_terminal(chunks: list[str]) -> None:
    out = drawn(*chunks)
    assert plain_text(out) == out
