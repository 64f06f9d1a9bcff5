"""Tables on a terminal: what matters most keeps its room, whatever the width."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Shell
from tests.cli.terminal import on_terminal

TITLE = "Write the quarterly report for the board and send it to everybody"


@pytest.mark.parametrize("columns", [20, 40, 80, 120])
def test_a_title_keeps_a_third_of_the_terminal(shell: Shell, columns: int) -> None:
    shell.done("add", f"{TITLE} friday 5pm #work.reports.yearly @office @writing @urgent !high")
    shell.done("add", "Pay rent every month on the 1st #home @bills")
    lines = on_terminal(columns, "list")
    assert max(map(len, lines)) <= columns
    start, end = lines[0].index("Task"), lines[0].index("Due")
    assert end - start >= columns * 0.3
    if columns >= 40:
        words = " ".join(line[start:end].strip() for line in lines[1:])
        assert TITLE in words


def test_a_terminal_with_room_shows_everything(shell: Shell) -> None:
    shell.done("add", "Call mom friday #home @phone !high")
    assert on_terminal(100, "list") == [
        "ID     Task      Due         Priority  Project  Tags",
        "#1  ○  Call mom  Fri 20 Nov  !high     #home    @phone",
    ]


def test_a_narrow_terminal_has_details_below_the_title_and_splits_no_word(shell: Shell) -> None:
    shell.done(
        "add", f"{TITLE} friday 5pm #work.reports.yearly @office @writing @urgent !high ~30m"
    )
    shell.done("add", "Water plants every 2 weeks on tuesday and friday #house.balcony")
    lines = on_terminal(80, "list")
    assert "#work.reports.yearly · @office" in " ".join(" ".join(lines).split())
    shown = {word for line in lines for word in line.split()}
    assert {*TITLE.split(), "@writing", "@urgent", "!high", "#house.balcony", "Tuesday"} <= shown
    assert "Project" not in lines[0]
    assert "Priority  Project" in on_terminal(160, "list")[0]


ADDRESS = "https://example.com/reports/quarterly/drafts/2026"


@pytest.mark.parametrize(
    ("columns", "command", "words"),
    [
        (80, ["list"], [ADDRESS, "Thursday", "#work.reports"]),
        (80, ["views"], ["due.before:friday", "reports"]),
        (60, ["keys", "list"], ["ANTHROPIC_API_KEY,", "gemini-native"]),
        (80, ["providers"], ["generativelanguage.googleapis.com", "ANTHROPIC_API_KEY"]),
    ],
)
def test_no_word_breaks_where_the_row_has_room(
    shell: Shell, columns: int, command: list[str], words: list[str]
) -> None:
    shell.done("add", f"{TITLE} {ADDRESS} every 2 weeks on tuesday and thursday #work.reports")
    shell.done("ask", f"find {ADDRESS}")
    shell.done("views", "save", "reports", "#work.reports due.before:friday or @writing sort:due")
    lines = on_terminal(columns, *command)
    assert max(map(len, lines)) <= columns
    assert {*words} <= {word for line in lines for word in line.split()}


def test_a_pipe_has_the_titles_of_the_terminal_and_a_line_for_each_row(shell: Shell) -> None:
    shell.done("views", "save", "calls", "@phone sort:due")
    shell.done("ask", "what is due today")
    for command in (["views"], ["conversations", "list"], ["keys", "list"]):
        piped = shell.done(*command).out.splitlines()
        assert piped[0].split() == on_terminal(250, *command)[0].split()
    # A list of tasks has titles on a terminal only.
    shell.done("add", "Call mom friday")
    row = "#1  ○  Call mom  Fri 20 Nov"
    assert shell.done("list").out.splitlines() == [row] == on_terminal(250, "list")[1:]
