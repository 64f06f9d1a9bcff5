"""Tables on a terminal: what matters most keeps its room, whatever the width."""

from __future__ import annotations

from tests.cli.conftest import Shell
from tests.cli.terminal import on_terminal, on_terminals

TITLE = "Write the quarterly report for the board and send it to everybody"


def test_a_title_keeps_a_third_of_the_terminal(shell: Shell) -> None:
    shell.done("add", f"{TITLE} friday 5pm #work.reports.yearly @office @writing @urgent !high")
    shell.done("add", "Pay rent every month on the 1st #home @bills")
    widths = (20, 40, 80, 120)
    tables = on_terminals(*((columns, "list") for columns in widths))
    for columns, lines in zip(widths, tables, strict=True):
        assert max(map(len, lines)) <= columns
        start, end = lines[0].index("Task"), lines[0].index("Due")
        assert end - start >= columns * 0.3, columns
        if columns >= 40:
            words = " ".join(line[start:end].strip() for line in lines[1:])
            assert TITLE in words, columns


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
    lines, wide = on_terminals((80, "list"), (160, "list"))
    assert "#work.reports.yearly · @office" in " ".join(" ".join(lines).split())
    shown = {word for line in lines for word in line.split()}
    assert {*TITLE.split(), "@writing", "@urgent", "!high", "#house.balcony", "Tuesday"} <= shown
    assert "Project" not in lines[0]
    assert "Priority  Project" in wide[0]


ADDRESS = "https://example.com/reports/quarterly/drafts/2026"


def test_no_word_breaks_where_the_row_has_room(shell: Shell) -> None:
    shell.done("add", f"{TITLE} {ADDRESS} every 2 weeks on tuesday and thursday #work.reports")
    shell.done("ask", f"find {ADDRESS}")
    shell.done("views", "save", "reports", "#work.reports due.before:friday or @writing sort:due")
    rows = {
        (80, "list"): {ADDRESS, "Thursday", "#work.reports"},
        (80, "views"): {"due.before:friday", "reports"},
        (60, "keys", "list"): {"ANTHROPIC_API_KEY,", "gemini-native"},
        (80, "providers"): {"generativelanguage.googleapis.com", "ANTHROPIC_API_KEY"},
    }
    for command, lines in zip(rows, on_terminals(*rows), strict=True):
        assert max(map(len, lines)) <= int(command[0]), command
        assert rows[command] <= {word for line in lines for word in line.split()}, command


def test_a_pipe_has_the_titles_of_the_terminal_and_a_line_for_each_row(shell: Shell) -> None:
    shell.done("views", "save", "calls", "@phone sort:due")
    shell.done("ask", "what is due today")
    shell.done("add", "Call mom friday")
    *tables, tasks = on_terminals(
        (250, "views"), (250, "conversations", "list"), (250, "keys", "list"), (250, "list")
    )
    for command, shown in zip(("views", "conversations list", "keys list"), tables, strict=True):
        piped = shell.done(*command.split()).out.splitlines()
        assert piped[0].split() == shown[0].split()
    # A list of tasks has titles on a terminal only.
    row = "#1  ○  Call mom  Fri 20 Nov"
    assert shell.done("list").out.splitlines() == [row] == tasks[1:]
