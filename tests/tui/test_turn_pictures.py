"""Pictures of the screens that act on a turn; each was looked at."""

from __future__ import annotations

import re
from dataclasses import replace

from tests.scripted import answer, call, calls
from tests.tui.conftest import AppOpener, AppSetup, ComparePicture
from tests.tui.test_turn_actions import compare
from todo_tui.domain.messages import Exchange, Usage
from todo_tui.domain.task import Actor
from todo_tui.store.conversations.records import ModelCall
from todo_tui.tui.chat.message_lists import FindScreen
from todo_tui.tui.screens.inspector import InspectorScreen
from todo_tui.tui.screens.undo_turn import UndoTurnScreen


async def test_comparison(
    app_setup: AppSetup, open_app: AppOpener, snap_both_sizes: ComparePicture
) -> None:
    app_setup.running["ollama"] = ("qwen3.5",)
    app_setup.script(
        calls(call("add_task", title="Collect the numbers", details="tuesday")),
        answer("1. Collect the numbers by Tuesday.\n2. Write on Wednesday.\n3. Let Ann read it."),
        calls(
            call("update_task", task_ids=[1], details="wednesday"),
            call("add_task", title="Write the report", details="friday #work"),
        ),
        answer("Three blocks of two hours:\n\n- numbers\n- text\n- pictures"),
    )
    async with open_app() as running:
        await running.send("how should I split the report?")
        screen = await compare(running, model="qwen3.5")
        for column in screen.query("AnswerColumn"):
            # Without how long it took, where that was more than a second.
            column.border_title = re.sub(r" · [\d.]+ s\b", "", str(column.border_title))
        await snap_both_sizes(running)


async def test_inspector(
    app_setup: AppSetup, open_app: AppOpener, snap_both_sizes: ComparePicture
) -> None:
    sent = Exchange(
        "POST https://api.groq.com/openai/v1/chat/completions",
        {"content-type": "application/json", "authorization": "Bearer ••••••••"},
        '{"model": "openai/gpt-oss-120b", "stream": true, "messages": [{"role": "system", '
        '"content": "You are the assistant in todo-tui, a to-do list in the terminal."}, '
        '{"role": "user", "content": "what is due?"}]}',
        200,
        {"content-type": "text/event-stream"},
        "data: {}",
    )
    model = ("groq", "openai/gpt-oss-120b")
    used = Usage(input_tokens=1234, output_tokens=56)
    refused = replace(sent, status=429, response='{"error": {"message": "Slow down."}}')
    made = (
        ModelCall(*model, Usage(), None, 80.0, "failed", "Groq is over its rate limit.", [refused]),
        ModelCall(*model, used, 0.0004, 1240.0, exchanges=[sent]),
    )
    app_setup.script(answer("Nothing is due."))
    async with open_app() as running:
        await running.send("what is due?")
        screen = InspectorScreen(made, lambda *_: "Groq · gpt-oss-120b", is_recorded=True)
        running.app.push_screen(screen)
        await running.press("tab")
        await running.settle()
        await snap_both_sizes(running)


async def test_undo_of_a_turn(
    app_setup: AppSetup, open_app: AppOpener, snap_both_sizes: ComparePicture
) -> None:
    store = app_setup.store
    app_setup.script(
        calls(
            call("add_task", title="Pay rent", details="every month on the 1st #home"),
            call("add_task", title="Call mom", details="friday"),
            call("add_task", title="Buy milk"),
        ),
        answer("Added three tasks."),
    )
    async with open_app() as running:
        await running.send("add rent, mom and milk")
        store.tasks.update([2], {"title": "Call mum"}, by=store.new_change_context(Actor.USER))
        await running.settle()
        await running.press("shift+tab", "u")
        await running.until(lambda: isinstance(running.app.screen, UndoTurnScreen))
        assert "Undo removes 2 tasks:" in running.shown()
        await snap_both_sizes(running)


async def test_find_in_conversation(
    app_setup: AppSetup, open_app: AppOpener, snap_both_sizes: ComparePicture
) -> None:
    app_setup.script(
        answer("The rent is due on the 1st, and the deposit is three months' rent."),
        answer("Nothing else."),
    )
    async with open_app() as running:
        await running.send("when is the rent due?")
        await running.send("and what else?")
        await running.press("ctrl+f")
        await running.until(lambda: isinstance(running.app.screen, FindScreen))
        await running.type("rent")
        await running.settle()
        await snap_both_sizes(running)


async def test_an_answer_with_headings_a_quote_a_table_and_code(
    app_setup: AppSetup, open_app: AppOpener, snap_both_sizes: ComparePicture
) -> None:
    app_setup.script(
        answer(
            "# Friday\n\nStart with [the dentist](https://example.org), then `todo-tui list`.\n\n"
            "> Well begun is half done.\n\n"
            "| Task | Minutes |\n|:--|--:|\n| Call the dentist | 5 |\n| Write the report | 120 |"
            "\n\n## In code\n\n```python\n"
            'open_tasks = [task for task in store.tasks.list(order="urgency").tasks if task.due]'
            "\n```\n"
        )
    )
    async with open_app() as running:
        await running.send("plan my friday")
        await snap_both_sizes(running)
        # Code wraps, so that none of it is cut.
        assert "if task.due]" in " ".join(running.shown().split())
