"""Actions on a turn: undo of any turn, another model beside it, its model calls, search."""

from __future__ import annotations

from functools import partial

from tests.providers.wire import KEY, http, saying, wire_server
from tests.scripted import Pause, ScriptedProvider, answer, call, calls, in_order
from tests.tui.conftest import NARROW, AppOpener, AppSetup, OpenApp
from tests.tui.driving import wait_until_idle
from tests.tui.test_conversations_kept import tell
from tests.tui.test_on_the_wire import use
from todo_tui.config.settings import ModelName
from todo_tui.domain.messages import (
    Completed,
    Message,
    Role,
    StopReason,
    Text,
    TextDelta,
    TurnStatus,
)
from todo_tui.domain.task import Actor
from todo_tui.providers.registry import Wire
from todo_tui.tui.chat.comparison import ComparisonScreen
from todo_tui.tui.chat.message_lists import FindScreen
from todo_tui.tui.chat.pane import ChatPane
from todo_tui.tui.models.picker import ModelPicker
from todo_tui.tui.screens.inspector import InspectorScreen
from todo_tui.tui.screens.undo_turn import UndoTurnScreen
from todo_tui.tui.widgets.key_bar import KeyBar


def titles(app_setup: AppSetup) -> list[str]:
    return [task.title for task in app_setup.store.tasks.list().tasks]


def notices(running: OpenApp) -> str:
    return "\n".join(running.notified)


async def focus_message(running: OpenApp, place: int) -> None:
    """Enter reading mode at the message of a turn."""
    await running.press("shift+tab")
    running.transcript.turns[place].parts[0].focus()
    await wait_until_idle()


# Undo


async def test_changes_of_an_earlier_turn_are_undone(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.script(
        calls(call("add_task", title="Buy milk")),
        answer("Added."),
        calls(call("add_task", title="Call mom")),
        answer("Added."),
        answer("You are welcome."),
    )
    async with open_app() as running:
        await running.send("add milk")
        await running.send("add call mom")
        await focus_message(running, 0)
        await running.press("u")
        await running.settle()
        assert titles(app_setup) == ["Call mom"]
        assert "Undone: added Buy milk" in notices(running)
        await running.press("u")
        assert "No changes to undo for “add milk”." in notices(running)
        assert "↺ undone" in running.shown()
        await running.send("thanks")
        assert "↺ undone" in running.shown()
        # In the list redo takes this undo back; undo goes on with what is not undone.
        await running.press("tab", "U")
        await running.until(lambda: titles(app_setup) == ["Buy milk", "Call mom"])
        await running.until(lambda: "↺ undone" not in running.shown())
        await running.press("u")
        await running.until(lambda: titles(app_setup) == ["Call mom"])
        await running.until(lambda: "↺ undone" in running.shown())
        await running.press("u")
        await running.until(lambda: titles(app_setup) == [])
        await running.press("U")
        await running.until(lambda: titles(app_setup) == ["Call mom"])
    async with open_app() as running:
        await running.until(lambda: "↺ undone" in running.shown())


async def test_undo_in_the_message_box_is_of_the_last_turn_that_changed_something(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.script(
        calls(call("add_task", title="Buy milk")), answer("Added."),
        calls(call("add_task", title="Call mom")), answer("Added."),
        calls(call("list_tasks")), answer("Both."), answer("You are welcome."),
    )  # fmt: skip
    async with open_app() as running:
        await running.type("/undo\n")
        assert "No assistant changes to undo." in notices(running)
        for message in ("add milk", "add mom", "what is there?", "thanks"):
            await running.send(message)
        await running.type("/undo\n")
        await running.until(lambda: titles(app_setup) == ["Buy milk"])
        # Pressed twice, it does not go on to the one before.
        await running.press("alt+u")
        await running.until(lambda: "No changes to undo for “add mom”." in notices(running))
        assert titles(app_setup) == ["Buy milk"]
        # Of the turn that is read it is no other's, and the key bar does not offer it.
        await running.press("shift+tab")
        keys = str(running.screen.query_one(KeyBar).render())
        assert "u undo" not in keys
        assert "c copy" in keys
        await running.press("u")
        await running.until(lambda: "No changes to undo for “thanks”." in notices(running))
        for offers, number in ((True, 0), (False, 1), (False, 2)):
            running.transcript.turns[number].parts[0].focus()
            await running.settle()
            assert ("u undo" in str(running.screen.query_one(KeyBar).render())) is offers


async def test_a_message_further_back_is_undone_by_its_number(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.script(
        calls(call("add_task", title="Buy milk")), answer("Added."),
        calls(call("add_task", title="Call mom"), call("add_task", title="Call dad")),
        answer("Added."), answer("Hello."),
    )  # fmt: skip
    async with open_app() as running:
        for message in ("milk please", "my 9 parents", "hi"):
            await running.send(message)
        await running.type("/undo ")
        await running.settle()
        # What changed nothing has a number, but is not offered.
        offered = running.composer.completions.candidates
        assert [(each.text, each.about) for each in offered] == [
            ("/undo 2", "my 9 parents · 2 changes"),
            ("/undo 3", "milk please · 1 change"),
        ]
        await running.type("milk")
        await running.settle()
        await running.press("tab", "enter")
        await running.until(lambda: titles(app_setup) == ["Call mom", "Call dad"])
        assert running.shown().count("↺ undone") == 1
        await running.type("/undo ")
        await running.settle()
        assert [each.text for each in running.composer.completions.candidates] == ["/undo 2"]
        await running.type("2\n")
        await running.until(lambda: titles(app_setup) == [])
        await running.type("/undo 2\n")
        await running.settle()
        assert "No changes to undo for “my 9 parents”." in notices(running)
        await running.type("/undo 9")
        await running.settle()
        assert not running.composer.completions.candidates, "a number is no word of a message"
        await running.press("enter")
        await running.settle()
        assert "No message 9: this conversation has 3 messages." in notices(running)
        assert running.composer.text == "/undo 9"


async def test_what_changed_since_is_shown_and_left_to_choose(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    store = app_setup.store
    ways = ((("enter",), "Mine"), (("down", "enter"), "Milk"), (("escape",), "Mine"))
    rounds = []
    for task_id in range(1, len(ways) + 1):
        store.tasks.add({"title": "Milk"}, by=store.new_change_context(Actor.USER))
        update = call("update_task", task_ids=[task_id], new_title="Oat milk", details="!high")
        rounds += [calls(update), answer("Renamed.")]
    app_setup.script(*rounds)
    async with open_app() as running:
        for task_id, (keys, title) in enumerate(ways, start=1):
            await running.send("rename milk")
            by = store.new_change_context(Actor.USER)
            store.tasks.update([task_id], {"title": "Mine"}, by=by)
            await running.settle()
            await running.type("/undo\n")
            await running.until(lambda: isinstance(running.app.screen, UndoTurnScreen))
            assert f"title of Mine (#{task_id})" in running.shown()
            await running.press(*keys)
            await running.settle()
            task = store.tasks.get(task_id)
            assert task.title == title
            assert (task.priority is None) is (keys != ("escape",))


async def test_an_undo_that_can_keep_nothing_offers_to_cancel_first(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    store = app_setup.store
    store.tasks.add({"title": "Milk"}, by=store.new_change_context(Actor.USER))
    update = call("update_task", task_ids=[1], new_title="Oat milk")
    app_setup.script(calls(update), answer("Renamed."))
    async with open_app() as running:
        await running.send("rename milk")
        store.tasks.update([1], {"title": "Mine"}, by=store.new_change_context(Actor.USER))
        await running.settle()
        for keys, title in ((("enter",), "Mine"), (("up", "enter"), "Milk")):
            await running.type("/undo\n")
            await running.until(lambda: isinstance(running.app.screen, UndoTurnScreen))
            await running.press(*keys)
            await running.settle()
            assert store.tasks.get(1).title == title


# Comparison


def shows(running: OpenApp, text: str) -> bool:
    return text in running.shown()


async def compare_focused(running: OpenApp) -> None:
    """Ask the model of Ollama for the focused message too, by the key."""
    await running.press("m")
    await running.until(lambda: len(running.app.screen_stack) > 1)
    await running.type("qwen")
    await running.until(partial(shows, running, "qwen"))
    await running.press("enter")
    await running.until(lambda: isinstance(running.app.screen, ComparisonScreen))
    await running.settle()


async def compare(running: OpenApp, *, model: str = "qwen") -> ComparisonScreen:
    """Ask the model of Ollama for the newest message too."""
    await running.type("/compare\n")
    await running.until(lambda: len(running.app.screen_stack) > 1)
    await running.type(model)
    await running.until(lambda: model in running.shown())
    await running.press("enter")
    await running.until(lambda: isinstance(running.app.screen, ComparisonScreen))
    screen = running.app.screen
    assert isinstance(screen, ComparisonScreen)
    await running.until(lambda: screen.second_is_complete)
    await running.settle()
    return screen


async def test_another_model_answers_beside_the_first_and_one_is_kept(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    def in_order(shown: str) -> bool:
        places = [shown.find(words) for words in ("I look first.", "✓ Found", "The first answer.")]
        return -1 not in places and places == sorted(places)

    parts = (Text("I look first."), call("list_tasks"))
    looked = [Completed(Message(Role.ASSISTANT, parts), StopReason.TOOL_CALLS)]
    app_setup.running["ollama"] = ("qwen",)
    app_setup.script(*[looked, answer("The first answer."), answer("The *second* answer.")] * 2)
    async with open_app() as running:
        for keys, kept in ((("enter",), 2), (("tab", "enter"), 1)):
            running.notified.clear()
            await running.type("/new\n")
            await running.until(lambda: not running.transcript.turns)
            await running.send("how?")
            assert in_order(running.shown()), "text before a call stays before it"
            await compare(running)
            shown = running.shown()
            assert in_order(shown)
            assert "The second answer." in shown
            assert "scripted · qwen" in shown
            sections = await running.help_sections()
            assert sections[0] == "Model comparison"
            assert "Reading mode" not in sections
            await running.press(*keys)
            await running.until(partial(shows, running, f"version {kept} of 2"))
            words = ("first", "second")[kept - 1]
            assert f"The {words} answer." in running.shown()
            key = "]["[kept - 1]
            assert f"Shift+Tab then {key} shows version {3 - kept}." in notices(running)
    async with open_app() as running:
        await running.until(lambda: in_order(running.shown()))


async def test_in_reading_mode_the_other_answer_is_one_key_away(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.running["ollama"] = ("qwen",)
    app_setup.script(answer("The first answer."), answer("The second answer."))
    async with open_app() as running:
        await running.send("how?")
        await focus_message(running, 0)
        await compare_focused(running)
        await running.press("enter")
        await running.until(partial(shows, running, "version 2 of 2"))
        assert running.notified[-1].endswith(". [ shows version 1.")
        await running.settle()
        await running.press("[")
        await running.until(partial(shows, running, "The first answer."))
        # Of three versions the note names the other one that was compared, whichever is kept.
        app_setup.script(answer("The third answer."), answer("The fourth answer."))
        await compare_focused(running)
        await running.press("enter")
        await running.until(partial(shows, running, "version 3 of 3"))
        assert running.notified[-1].endswith(". [ (2 times) shows version 1.")
        await running.press("[", "[")
        await running.until(partial(shows, running, "The first answer."))
        await compare_focused(running)
        await running.press("escape")
        await running.until(partial(shows, running, "version 1 of 4"))
        assert running.notified[-1].endswith("] (3 times) shows version 4.")


class OfOllama(ScriptedProvider):
    """A model of Ollama that plays a script."""

    @property
    def id(self) -> str:
        return "ollama"


async def test_the_model_that_answered_is_not_offered_as_the_other_one(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.running["ollama"] = ("qwen3.5",)
    app_setup.named = ModelName("ollama", "qwen3.5")
    app_setup.provider = OfOllama(in_order(answer("One."), answer("Two.")))
    async with open_app() as running:
        await running.send("how?")
        for typed in ("", "ollama", "wen3"):
            await running.type(f"/compare {typed}")
            await running.press("escape", "enter")
            await running.until(lambda: isinstance(running.app.screen, ModelPicker))
            await running.settle()
            rows = [line for line in running.shown().splitlines() if "│" in line]
            assert not any("qwen3.5" in row and "gave this" not in row for row in rows), typed
            # Nor if its name is typed here.
            await running.type("qwen3.5")
            assert "No matching models." in running.shown(), typed
            await running.press("escape")
        told = running.notified
        assert told == ["qwen3.5 gave this answer. Choose another model."] * 2

        app_setup.running["ollama"] = ("qwen3.5", "gemma4")
        await running.type("/compare\n")
        await running.until(lambda: "gemma4" in running.shown())
        assert "Compare answers to “how?” with" in running.shown()
        await running.press("escape")
        await running.type("/compare ollama")
        await running.press("escape", "enter")
        await running.until(lambda: isinstance(running.app.screen, ComparisonScreen))
        await running.until(partial(shows, running, "gemma4"))
        await running.press("escape")
        await running.until(lambda: any("Kept" in notice for notice in running.notified))


async def test_a_comparison_changes_no_tasks(app_setup: AppSetup, open_app: AppOpener) -> None:
    app_setup.running["ollama"] = ("qwen",)
    app_setup.script(
        answer("First."),
        calls(call("add_task", title="Milk"), call("list_tasks", filter="all")),
        answer("I would add it."),
    )
    async with open_app() as running:
        await running.send("add milk")
        await compare(running)
        await running.until(lambda: "I would add it." in running.shown())
        assert "○ would add Milk" in running.shown()
        assert "changes nothing" in running.shown()
        assert titles(app_setup) == []
        request = app_setup.provider.requests[-1]
        assert "add_task" in [tool.name for tool in request.tools]
        assert "shown to the user, not run" in request.system


async def test_a_comparison_that_is_left_is_stopped_and_stored(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.running["ollama"] = ("qwen",)
    app_setup.script(answer("First."), *[(TextDelta("Second "), Pause(600))] * 2)
    async with open_app() as running:
        await running.send("how?")
        # It is left by Esc, then by closing the app.
        for leaving in (True, False):
            await running.type("/compare qwen")
            await running.press("escape", "enter")
            await running.until(lambda: "Second" in running.shown())
            if leaving:
                await running.press("escape")
                await running.settle()
                assert "version 1 of 2" in running.shown()
    conversations = app_setup.store.conversations
    latest = conversations.latest()
    assert latest is not None
    turn = conversations.turns.list(latest.id)[-1]
    _, *left = conversations.turns.branches(turn.id)
    assert [each.status for each in left] == [TurnStatus.CANCELLED, TurnStatus.INTERRUPTED]
    assert all(each.answer.startswith("Second") for each in left)


# Continue


async def test_a_stopped_answer_is_continued(app_setup: AppSetup, open_app: AppOpener) -> None:
    app_setup.running["ollama"] = ("qwen",)
    app_setup.script((TextDelta("One two "), Pause(600)), answer("three."))
    async with open_app() as running:
        await running.type("/model qwen\n")
        await running.settle()
        await running.type("/continue\n")
        assert "No stopped answer" in notices(running)
        await running.type("count\n")
        await running.until(lambda: "One two" in running.shown())
        await running.press("escape")
        await running.settle()
        await running.type("/continue\n")
        await running.settle()
        assert "three." in running.shown()
        *_, stopped, asked = app_setup.provider.requests[-1].messages
        assert stopped.text.startswith("One two")
        assert "where it stopped" in asked.text


# Inspector


async def test_the_inspector_shows_what_was_sent_and_received_without_the_key(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    async with wire_server(saying("Good day.", Wire.CHAT)) as server:
        use(app_setup, server)
        async with open_app() as running:
            await running.send("hello there")
            await running.type("/inspect\n")
            await running.until(lambda: isinstance(running.app.screen, InspectorScreen))
            await running.settle()
            assert "hello there" in running.shown(), "the newest message, below the prompt"
            await running.press("home")
            shown = running.shown()
            assert "/chat/completions" in shown
            assert "authorization: Bearer •" in shown
            assert KEY not in shown
            await running.press("c")
            assert "hello there" in running.app.clipboard
            await running.press("pagedown", "down")
            await running.until(lambda: "/chat/completions" not in running.shown())
            await running.press("tab")
            assert "HTTP 200" in running.shown()
            await running.press("c")
            assert "[DONE]" in running.app.clipboard
            await running.press("escape")
            assert KEY not in repr(running.screen.query_one(ChatPane).session.calls._calls)


async def test_the_inspector_shows_what_the_server_said_of_a_failure(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    refusal = http({"error": {"message": "Your account is sad."}}, status="403 Forbidden")
    async with wire_server(refusal) as server:
        use(app_setup, server)
        async with open_app((80, 24)) as running:
            await running.send("hello")
            await running.type("/inspect\n")
            await running.until(lambda: isinstance(running.app.screen, InspectorScreen))
            await running.settle()
            assert "HTTP 403" in running.shown()
            assert '"message": "Your account is sad."' in running.shown()


async def test_calls_of_an_earlier_session_are_listed(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.script(answer("Hello."))
    async with open_app() as running:
        await running.send("hi")
        await running.type("/inspect\n")
        await running.until(lambda: isinstance(running.app.screen, InspectorScreen))
        assert "sends no requests" in running.shown()
    async with open_app() as running:
        await running.type("/inspect\n")
        await running.until(lambda: isinstance(running.app.screen, InspectorScreen))
        await running.settle()
        assert "scripted · rules" in running.shown()
        assert "this message is older" in running.shown()


# Search


async def test_keys_act_on_what_was_found_in_reading_mode(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.script(answer("One."), answer("Two."), answer("Three."))
    async with open_app() as running:
        await running.send("about milk")
        await running.send("about bread")
        # The keys below a dialog stay as they are.
        await running.press("shift+tab")
        keys = running.shown().splitlines()[-1]
        assert "compare" in keys
        await running.press("m")
        await running.until(lambda: isinstance(running.app.screen, ModelPicker))
        await running.pilot.resize_terminal(121, 36)
        await running.settle()
        assert running.shown().splitlines()[-1].strip() == keys.strip()
        await running.press("escape", "slash")
        await running.until(lambda: isinstance(running.app.screen, FindScreen))
        await running.type("nothing")
        await running.until(lambda: "No matches." in running.shown())
        await running.press("ctrl+u")
        await running.type("milk")
        await running.until(lambda: "1 turn" in running.shown())
        await running.press("enter")
        await running.settle()
        await running.press("e")
        assert running.composer.text == "about milk"
        await running.type(" again\n")
        await running.settle()
        await running.press("ctrl+f")
        await running.until(lambda: isinstance(running.app.screen, FindScreen))
        await running.type("bread")
        await running.until(lambda: "other version" in running.shown())
        await running.press("enter")
        await running.until(lambda: "Shown in another version" in notices(running))
        assert "about bread" in running.shown()


async def test_a_message_far_back_is_edited_and_the_conversation_goes_on_there(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    """Also one that is not mounted: 20 turns are, around what was found or at the end."""
    tell(app_setup, 45, "Answer")
    app_setup.script(*(answer(f"Answer {number}.") for number in range(45, 49)))
    async with open_app(NARROW) as running:
        await running.press("ctrl+f")
        await running.until(lambda: isinstance(running.app.screen, FindScreen))
        await running.type("question 5")
        await running.until(lambda: "1 turn" in running.shown())
        await running.press("enter")
        await running.until(lambda: "Answer 5" in running.shown())
        await running.press("shift+tab", "e")
        asked = running.composer.text
        assert asked in {f"question {number}" for number in range(4, 8)}
        await running.type(" once more\n")
        await running.until(lambda: "Answer 45." in running.shown())
        assert f"{asked} once more" in running.shown()
        assert "version 2 of 2" in running.shown()
        await running.send("and then?")
        assert [turn.user_text for turn in running.transcript.turns][-2:] == [
            f"{asked} once more",
            "and then?",
        ]

        await running.type("/edit 3")
        await running.settle()
        await running.type("\n")
        await running.settle()
        before = running.composer.text
        await running.type("!\n")
        await running.until(lambda: "Answer 47." in running.shown())
        assert f"{before}!" in running.shown()
        await running.type("/edit x\n")
        await running.settle()
        assert "Type a number after /edit" in notices(running)
        assert running.composer.text == "/edit x"
