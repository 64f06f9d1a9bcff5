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
