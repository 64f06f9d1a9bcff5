"""What is done with texts of other hands takes work that grows with them, not with their square."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime
from io import StringIO

import pytest
from rich.console import Console

from tests.growth import seconds_of_work, too_steep
from tests.providers.wire import TOOLS
from tests.rows import each_row
from todo_tui.cli.output.streamed_markdown import StreamedMarkdown
from todo_tui.domain.change_words.signs import find_literals, find_signs
from todo_tui.domain.text import plain_text
from todo_tui.formats import csv_table, json_array, markdown, todotxt, vtodo
from todo_tui.formats.parsed_file import FormatContext
from todo_tui.providers.wire_formats.answer_marks import AnswerMarks
from todo_tui.providers.wire_formats.tool_calls import ToolCallAssembler
from todo_tui.tools.arguments import read_ids

_CONTEXT = FormatContext("Europe/Berlin", datetime(2026, 11, 18, 14, 30))
_DELTA = 4
"""Characters of a piece of a stream."""


def repeated(unit: str, begin: str = "") -> Callable[[int], str]:
    """Texts of any length that consist of it."""
    return lambda length: begin + unit * (length // len(unit))


def _ids(text: str) -> None:
    with pytest.raises(ValueError, match="whole number"):
        read_ids(text + "x")


_READERS: dict[str, tuple[Callable[[str], object], tuple[str, ...]]] = {
    "text": (plain_text, ("\x9d", "\x90", "\x90\x9d", "\x1b]", "\x1bP\x9b", "\x9d\x07\x90")),
    "signs": (
        lambda text: find_signs(text, find_literals(text)),
        ("@a `b` ", "“a” #b ", "“ ", '"@a '),
    ),
    "ids": (_ids, ("1 ", "1,", "#1 , ", "1" + " " * 900)),
    "Markdown": (
        lambda text: markdown.read(f"- [ ] {text}\n# {text}\n", _CONTEXT),
        ("<!-- todo-tui ", "@a `b` ", "a\n  b\n", " ", " #"),
    ),
    "todo.txt": (lambda text: todotxt.read(text, _CONTEXT), ("+a ", "a:", "due:x ", "\x9d")),
    "CSV": (lambda text: csv_table.read(f"title,notes\n{text}", _CONTEXT), ('"', ",", "=")),
    "iCalendar": (
        lambda text: vtodo.read(f"BEGIN:VCALENDAR\nBEGIN:VTODO\nSUMMARY:{text}", _CONTEXT),
        ("\\,", "\n ", "a;b=c:", "\nBEGIN:VTODO"),
    ),
    "JSON": (lambda text: json_array.read(f'[{{"title": "{text}"}}]', _CONTEXT), ("\\u009d", "a")),
}


@each_row("name", _READERS)
def test_reading_takes_work_that_grows_with_the_text(name: str) -> None:
    read, units = _READERS[name]
    for unit in units:
        slow = too_steep(read, repeated(unit))
        assert not slow, f"{unit!r}: {slow}"


@each_row(
    ("begin", "unit"),
    [
        ("", "word "),
        ("", "<think>"),
        ("", "</tool_call>"),
        ("```", " "),
        ("```json\n{", '"a", '),
        ('{"name": "', "a"),
        ("[TOOL_CALLS]", "add_task[ARGS]"),
        ("<tool_call>", "{"),
        ('<tool_call>{"name": "', "</tool_call>"),
        ("<tool_call>", "<function=add_task>"),
        ("<tool_call><function=add_task>", "<parameter=title>"),
    ],
)
def test_streaming_an_answer_takes_work_that_grows_with_it(begin: str, unit: str) -> None:
    def stream(text: str) -> None:
        answer = AnswerMarks([tool.name for tool in TOOLS])
        for at in range(0, len(text), _DELTA):
            list(answer.feed(text[at : at + _DELTA]))
        list(answer.finish())

    # Text that may become a call is held back, and costs less than what is shown.
    lengths = (4_000, 8_000)
    assert not too_steep(stream, repeated(unit, begin), lengths)


@each_row("unit", ["a", '\\"', "{"])
def test_streaming_arguments_takes_work_that_grows_with_them(unit: str) -> None:
    def stream(text: str) -> None:
        calls = ToolCallAssembler()
        for at in range(0, len(text), _DELTA):
            # Some servers say the name with every piece.
            function = {"name": "add_task", "arguments": text[at : at + _DELTA]}
            calls.feed({"index": 0, "function": function})

    assert not too_steep(stream, repeated(unit, '{"title": "'))


@pytest.mark.parametrize(("begin", "unit"), [("", "word "), ("", "\n"), ("```\n", "a\n\nb")])
def test_drawing_a_stream_takes_work_that_grows_with_it(
    begin: str, unit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Between two drawings lies a pause, the longer the more there was to draw.
    monkeypatch.setattr(time, "monotonic", seconds_of_work)

    def stream(text: str) -> None:
        drawn = StreamedMarkdown(Console(file=StringIO(), width=80))
        for at in range(0, len(text), _DELTA):
            drawn.feed(text[at : at + _DELTA])

    assert not too_steep(stream, repeated(unit, begin))
