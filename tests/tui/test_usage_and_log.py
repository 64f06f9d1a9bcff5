"""What was spent, what is in the log, and what a conversation is called."""

from __future__ import annotations

from pathlib import Path

from tests.scripted import ScriptedProvider, answer, in_order
from tests.tui.conftest import AppOpener, AppSetup
from todo_tui.agent.loop import run_turn
from todo_tui.domain.events import TurnFinished
from todo_tui.domain.messages import NO_USAGE, Provider, Usage, UsageSum
from todo_tui.domain.metrics_text import format_cost
from todo_tui.tui.chat.conversation_title import ConversationTitle
from todo_tui.tui.screens.log_file import LogFileScreen
from todo_tui.tui.screens.usage import UsageScreen
from todo_tui.tui.widgets.status_bar import StatusBar

LOG = """\
2026-11-18 14:29:58,001 INFO todo_tui.store opened
2026-11-18 14:30:01,120 WARNING todo_tui.agent.loop model call failed: no answer [red]
2026-11-18 14:30:02,000 ERROR todo_tui.tui.turn_runner internal error in a turn
Traceback (most recent call last):
ValueError: \x1b[31mbad\x1b[0m
"""


def priced(cost: float | None) -> object:
    async def price(_provider: Provider, _usage: Usage) -> float | None:
        return cost

    return price


def test_a_cost_has_two_significant_digits_and_a_dash_if_unknown() -> None:
    def shown(cost: float, unpriced: int = 0) -> str:
        return format_cost(UsageSum(Usage(), cost, unpriced, 1))

    assert shown(1.239) == "$1.24"
    assert shown(0.00421) == "$0.0042"
    assert shown(0.0000183) == "$0.000018"
    assert shown(0.0, unpriced=2) == "–"
    assert shown(0.5, unpriced=1) == "$0.50+"


def test_a_tally_adds_up_and_counts_what_has_no_price() -> None:
    totals = NO_USAGE.plus(Usage(100, 50, 10, 4), 0.5).plus(Usage(1, 0, 1), None)
    assert totals == UsageSum(Usage(101, 50, 11, 4), 0.5, 1, 2)


async def test_the_status_line_counts_the_whole_conversation_after_a_restart(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.changes["pricing"] = priced(0.01)
    app_setup.script(*(answer(f"{number}.", usage=Usage(1000, 0, 10)) for number in range(22)))
    config = app_setup.services().make_run_config(app_setup.provider)
    conversation_id: str | None = None
    for number in range(21):
        async for event in run_turn(f"say {number}", config, conversation_id=conversation_id):
            if isinstance(event, TurnFinished):
                conversation_id = event.conversation_id
    async with open_app() as running:
        assert "21,210 tokens · $0.21" in running.screen.query_one(StatusBar).render().plain
        await running.send("say 21")
        assert "22,220 tokens · $0.22" in running.screen.query_one(StatusBar).render().plain


async def test_f3_tells_the_turn_the_conversation_and_the_day_apart(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.changes["pricing"] = priced(0.02)
    app_setup.budget = 1.0
    app_setup.script(
        answer("One.", usage=Usage(1830, 1200, 31, 12)), answer("Two.", usage=Usage(2000, 0, 9))
    )
    async with open_app() as running:
        await running.send("one")
        await running.press("ctrl+n")
        await running.send("two")
        await running.press("f3")
        await running.until(lambda: "Last turn" in running.shown())
        lines = {
            line.split("│")[1].strip().split("  ")[0]: line.split()
            for line in running.shown().splitlines()
            if line.count("│") > 1
        }
        assert lines["Last turn"][3:9] == ["2,000", "0", "9", "0", "1", "$0.0200"]
        assert lines["This conversation"][3:9] == ["2,000", "0", "9", "0", "1", "$0.0200"]
        assert lines["Today"][2:8] == ["3,830", "1,200", "40", "12", "2", "$0.0400"]
        assert "Today's budget: $0.0400 of $1.00 used" in running.shown()
        # A narrow terminal leaves out columns, and breaks no row.
        await running.pilot.resize_terminal(40, 16)
        await running.settle()
        today = next(line for line in running.shown().splitlines() if "Today " in line)
        assert today.split()[1:-1] == ["Today", "$0.0400"]
        await running.press("escape")
        assert not isinstance(running.app.screen, UsageScreen)


async def test_f3_shows_a_dash_where_no_price_is_known(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.changes["pricing"] = priced(None)
    app_setup.provider = ScriptedProvider(
        in_order(answer("Hm.", usage=Usage(10, 0, 1))), local=False
    )
    async with open_app() as running:
        await running.send("hello")
        # Without a model that names conversations the first words stay.
        assert running.screen.query_one(ConversationTitle).title == "hello"
        assert "11 tokens · –" in running.screen.query_one(StatusBar).render().plain
        await running.press("f3")
        await running.until(lambda: "Last turn" in running.shown())
        assert "–" in next(line for line in running.shown().splitlines() if "Last turn" in line)


async def test_f8_follows_the_log_and_shows_its_end_and_its_errors_alone(
    app_setup: AppSetup, open_app: AppOpener, tmp_path: Path
) -> None:
    app_setup.log_path = tmp_path / "todo-tui.log"
    async with open_app() as running:
        await running.press("f8")
        await running.until(lambda: "No log entries yet." in running.shown())
        app_setup.log_path.write_text(LOG)
        await running.until(lambda: "internal error in a turn" in running.shown())

        assert "no answer [red]" in running.shown()
        assert "opened" in running.shown()
        assert "\x1b" not in running.shown()
        await running.press("e")
        assert "todo_tui.store opened" not in running.shown()
        assert "ValueError" in running.shown(), "a stack belongs to its error"
        await running.press("c")
        assert running.app.clipboard.startswith("2026-11-18 14:30:01,120 WARNING")


async def test_a_conversation_is_called_by_its_first_words_and_then_by_its_name(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.titles += ["Milk and bread", "never asked for"]
    app_setup.script(answer("One."), answer("Two."))
    async with open_app() as running:
        title = running.screen.query_one(ConversationTitle)
        assert title.title == ""
        await running.send("add milk and bread please")
        await running.until(lambda: title.title == "Milk and bread")
        await running.send("and butter")
        assert title.title == "Milk and bread"
        await running.press("ctrl+n")
        assert title.title == ""
    assert app_setup.titles == ["never asked for"]
    async with open_app() as running:
        assert "Milk and bread" in running.shown().splitlines()[1]


async def test_tabs_go_round_and_can_be_clicked(app_setup: AppSetup, open_app: AppOpener) -> None:
    async with open_app() as running:
        await running.press("f8")
        await running.until(lambda: "No log is kept" in running.shown())
        await running.press("f8")
        assert not isinstance(running.app.screen, LogFileScreen)
        await running.press("f3")
        await running.until(lambda: "Last turn" in running.shown())
        assert "none yet" in running.shown()
        await running.press("tab")
        await running.until(lambda: "No messages in the last 30 days." in running.shown())
        await running.press("right")
        await running.until(lambda: "No tool calls in the last 30 days." in running.shown())
        await running.press("tab")
        await running.until(lambda: "Last turn" in running.shown())
        await running.press("shift+tab")
        await running.until(lambda: "No tool calls" in running.shown())
        await running.pilot.click("TabBar", offset=(3, 0))
        await running.until(lambda: "Last turn" in running.shown())
        await running.press("f3")
        assert not isinstance(running.app.screen, UsageScreen)
