"""`plan`, `review` and `dump` in the shell."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Shell


@pytest.fixture
def busy(shell: Shell) -> Shell:
    """Nine tasks of today, one of them overdue, one at a time of day, one with an estimate."""
    lines = ["Late due:2026-11-16", "Meet today 3pm ~45m", *(f"Today {n} today" for n in range(7))]
    shell.done("add", "-", stdin="\n".join(lines).encode())
    return shell


def test_a_plan_is_an_order_and_an_offer_to_move(busy: Shell) -> None:
    outcome = busy.done("plan")
    assert outcome.out.splitlines()[:4] == [
        "Today · 7 tasks · 45 min", "  1. #1 Late · 2 days late", "  2. #2 Meet · 15:00 · 45 min",
        "  3. #3 Today 0",
    ]  # fmt: skip
    assert outcome.out.splitlines()[-3:] == [
        "Does not fit:", "  #8 Today 5 · today → tomorrow", "  #9 Today 6 · today → tomorrow",
    ]  # fmt: skip
    assert outcome.err == "Move 2 tasks with: todo-tui plan day --apply\n"
    assert [task["due"] for task in busy.done("list", "id:8-9", "--json").tasks] == [
        "2026-11-18", "2026-11-18",
    ]  # fmt: skip
    plan = busy.done("plan", "week", "--json").json
    assert isinstance(plan, dict)
    assert [move["id"] for move in plan["moves"]] == [8, 9]  # type: ignore[index, union-attr, call-overload]
    assert len(plan["days"]) == 7  # type: ignore[arg-type]


def test_moving_is_one_batch(busy: Shell) -> None:
    assert "Moved 2 tasks" in busy.done("plan", "--dry-run").err
    assert busy.done("list", "due:tomorrow", "--json").tasks == []
    assert "Moved 2 tasks" in busy.done("plan", "--apply").err
    assert len(busy.done("list", "due:tomorrow", "--json").tasks) == 2
    assert "Does not fit" not in busy.done("plan").out
    busy.done("undo")
    assert busy.done("list", "due:tomorrow", "--json").tasks == []


def test_what_fits_into_some_minutes(busy: Shell) -> None:
    assert busy.done("plan", "--in", "1h").out == "#2 Meet · 45 min\n"
    assert [task["id"] for task in busy.done("plan", "--in", "45 min", "--json").tasks] == [2]
    assert "No task with an estimate" in busy.done("plan", "--in", "30").err
    assert "is not an estimate" in busy.fails("plan", "--in", "soon").err
    assert busy.done("plan").status == 0


def test_an_empty_list_has_an_empty_plan(shell: Shell) -> None:
    assert shell.done("plan").out == "Today · free\n"
