"""Answers and notes in a pipe: plain text, with no Markdown, no escapes and no tool names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from llmock.pytest_plugin import LLMock

from tests.cli.conftest import Shell
from tests.growth import count_calls
from tests.rows import each_row
from todo_tui.cli.output.markdown_text import markdown_to_text
from todo_tui.domain.text import plain_text


@each_row(
    ("markdown", "text"),
    [
        ("Added **Buy milk** (#1).", "Added Buy milk (#1)."),
        (r"Deleted **a\*b \#2 \[x\]**.", "Deleted a*b #2 [x]."),
        ("# Plan\n\n*now* or `a*b`", "Plan\n\nnow or a*b"),
        ("one\ntwo  \nthree\\\nfour", "one\ntwo\nthree\nfour"),
        ("- a\n- b\n  - c\n    d", "- a\n- b\n  - c\n    d"),
        ("1) a\n2) b", "1) a\n2) b"),
        ("* a\n\n* b", "* a\n\n* b"),
        ("> said **x**\n> and y", "> said x\n> and y"),
        ("```py\nx = '**'\n\n    y\n```\n", "x = '**'\n\n    y"),
        ("| a | **b** |\n|---|---|\n| long | c |", "a     b\nlong  c"),
        ("[docs](https://x.org/a_b)", "docs (https://x.org/a_b)"),
        ("<https://x.org> [a@b.org](mailto:a@b.org)", "https://x.org a@b.org"),
        ("![alt](x.png) ~~old~~", "alt old"),
        ("5 * 3 = 15, snake_case_name, C++", "5 * 3 = 15, snake_case_name, C++"),
        ("<b>x</b> &amp; &#8238;y &#27;[31m", "<b>x</b> & y \ufffd[31m"),
        ("a\n\n---\n\nb", "a\n\n---\n\nb"),
        ("日本 **語** 👩‍👧", "日本 語 👩‍👧"),
        ("", ""),
        ("\n\n", ""),
        ("\x1b[31mred\u202e", "red"),
    ],
)
def test_markdown_becomes_text(markdown: str, text: str) -> None:
    assert markdown_to_text(markdown) == text


@given(st.lists(st.sampled_from(["one", "**two**", "- ", "> ", "1. ", "#", "`", "\n", " ", "\\*"])))
def test_no_word_is_lost(pieces: list[str]) -> None:
    markdown = "".join(pieces)
    text = markdown_to_text(markdown)
    assert plain_text(text) == text
    # What stands behind the marks of a code block is its language.
    if "```" not in markdown:
        for word in ("one", "two"):
            assert text.count(word) == markdown.count(word)


@each_row(
    ("unit", "count"),
    [("[", 5_000), ("- ", 50), ("> ", 50), ("a\n", 25_000), ("`", 2_500), ("<", 2_500)],
)
def test_the_work_of_hostile_markdown_grows_with_it(unit: str, count: int) -> None:
    short, long = (unit * each + "x" for each in (count, 4 * count))
    assert markdown_to_text(long)
    assert count_calls(lambda: markdown_to_text(long)) < 8 * count_calls(
        lambda: markdown_to_text(short)
    )


@pytest.fixture
def model(shell: Shell, llmock: LLMock) -> LLMock:
    shell.set(LOCAL_BASE_URL=f"{llmock.url}/v1", LOCAL_MODEL="m")
    return llmock


def test_an_answer_in_a_pipe_has_no_markdown(shell: Shell, model: LLMock) -> None:
    model.reply("# Plan\n\n1. **Buy** `milk`\n2. a \\* b \\#3\n")
    outcome = shell.done("ask", "plan it", "--provider", "local")
    assert outcome.out == "Plan\n\n1. Buy milk\n2. a * b #3\n"
    shown = shell.done("conversations", "show", conversation_id(shell)).out
    assert "\nPlan\n\n1. Buy milk\n2. a * b #3\n" in shown


def conversation_id(shell: Shell) -> str:
    (found,) = shell.done("conversations", "list", "--json").tasks
    return str(found["id"])


def test_the_title_of_a_task_is_told_as_it_is(shell: Shell) -> None:
    shell.done("add", "--words-only", "a*b*c #1 **x** [y](z)")
    assert "a*b*c #1 **x** [y](z)" in shell.done("ask", "what is open?").out


def test_no_tool_name_reaches_the_terminal(shell: Shell, model: LLMock) -> None:
    shell.done("add", "Buy milk")
    shell.done("delete", "1")
    model.call_tool("complete_task", {"task_ids": [1]})
    model.call_tool("complete_task", {"task_ids": [1], "filter": "milk"})
    model.call_tool("complete_task", {})
    model.call_tool("imagined_tool", {"x": 1})
    model.reply("That did not work.")
    outcome = shell.done("ask", "complete Buy milk #1", "--provider", "local")
    lines = outcome.err.splitlines()
    assert lines[0].startswith("✗ #1 “Buy milk” is in the trash.")
    assert "✗ The model called a tool that does not exist." in outcome.err
    assert "_task" not in outcome.err
    assert "imagined" not in outcome.err
    assert "_task" not in shell.done("conversations", "show", conversation_id(shell)).out


def test_notes_are_shown_without_markdown(shell: Shell) -> None:
    shell.done("add", "x", "--notes", "# Where\n\n- a \\* b **c**\n- see [l](http://x.org)")
    lines = [line.strip() for line in shell.done("show", "1").out.splitlines()]
    start = next(number for number, line in enumerate(lines) if line.startswith("notes"))
    assert lines[start : start + 4] == [
        "notes      Where", "", "- a * b c", "- see l (http://x.org)",
    ]  # fmt: skip
    note = str(shell.done("show", "1", "--json").json["notes"])  # type: ignore[index,call-overload]
    assert note.startswith("# Where")
