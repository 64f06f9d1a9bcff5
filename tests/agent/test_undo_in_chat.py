"""Undo and redo in a conversation, with a model and with the built-in assistant."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.agent.conftest import Harness, ScriptedApprover
from tests.scripted import ScriptedProvider, answer, call, calls, in_order
from todo_tui.agent.approver import ApprovalAnswer
from todo_tui.domain.errors import Unauthorized
from todo_tui.domain.events import TurnFinished
from todo_tui.domain.messages import Provider
from todo_tui.domain.task import Actor
from todo_tui.domain.when import Clock
from todo_tui.providers.offline.assistant import BuiltInAssistant
from todo_tui.store.store import Store, open_store
from todo_tui.tools.base import ToolContext, TurnBatch
from todo_tui.tools.registry import TOOLS


def model(text: str) -> Provider:
    """A model that does what the text says and no more."""
    first, _, rest = text.partition(" ")
    if first == "add":
        return ScriptedProvider(in_order(calls(call("add_task", title=rest)), answer("Added.")))
    if first in ("undo", "redo"):
        return ScriptedProvider(in_order(calls(call(first)), answer("As you say.")))
    return ScriptedProvider(in_order(answer("Nothing is due.")))


def built_in(text: str) -> Provider:
    return BuiltInAssistant()


@pytest.fixture(params=[model, built_in], ids=["model", "built-in"])
def speak(request: pytest.FixtureRequest) -> Callable[[str], Provider]:
    answers: Callable[[str], Provider] = request.param
    return answers


class Chat:
    """One conversation; `person` is asked, and says yes unless told otherwise."""

    def __init__(self, harness: Harness, speak: Callable[[str], Provider]) -> None:
        self.harness = harness
        self.speak = speak
        self.approver = ScriptedApprover()
        harness.changes["approver"] = self.approver

    async def __call__(self, *texts: str) -> TurnFinished:
        for text in texts:
            self.harness.changes["provider"] = self.speak(text)
            end = await self.harness.finished(text)
        return end

    @property
    def asked(self) -> list[tuple[str, ...]]:
        return [question.details for question in self.approver.asked]

    @property
    def titles(self) -> list[str]:
        return self.harness.titles()


@pytest.fixture
def chat(harness: Harness, speak: Callable[[str], Provider]) -> Chat:
    return Chat(harness, speak)


def elsewhere(harness: Harness, title: str = "Milk", actor: Actor = Actor.CLI) -> None:
    harness.store.tasks.add({"title": title}, by=harness.store.new_change_context(actor))


async def test_undo_takes_back_the_last_change_then_the_one_before(chat: Chat) -> None:
    await chat("add Eggs", "add Bread", "undo")
    assert chat.titles == ["Eggs"]
    await chat("undo")
    assert chat.titles == []
    await chat("redo", "redo")
    assert chat.titles == ["Eggs", "Bread"]
    assert chat.asked == []


async def test_questions_in_between_are_not_in_its_way(chat: Chat) -> None:
    question = "what is due today?"
    await chat("add Eggs", "add Bread", question, question, "undo")
    assert chat.titles == ["Eggs"]
    await chat(question, "undo")
    assert chat.titles == []
    await chat(question, "redo", question, "redo")
    assert chat.titles == ["Eggs", "Bread"]
    assert chat.asked == []
    # A change from elsewhere is, wherever the questions are.
    elsewhere(chat.harness)
    chat.approver.answers = [False]
    await chat(question, "undo")
    assert chat.asked == [("Today 14:30 from the shell", "Added #3 Milk")]


@pytest.mark.parametrize(
    ("actor", "origin"),
    [
        (Actor.CLI, "from the shell"),
        (Actor.USER, "by you in the app"),
        (Actor.IMPORT, "by an import"),
        (Actor.MCP, "by an MCP client"),
        (Actor.SYNC, "by a sync"),
    ],
)
async def test_a_change_from_elsewhere_is_asked_about_with_its_origin(
    chat: Chat, actor: Actor, origin: str
) -> None:
    await chat("add Eggs")
    elsewhere(chat.harness, actor=actor)
    chat.approver.answers = [False]

    await chat("undo")

    assert chat.asked == [(f"Today 14:30 {origin}", "Added #2 Milk")]
    assert chat.titles == ["Eggs", "Milk"]


async def test_a_yes_takes_back_exactly_what_was_shown(chat: Chat) -> None:
    await chat("add Eggs")
    elsewhere(chat.harness)

    await chat("undo")

    assert chat.titles == ["Eggs"]


async def test_what_came_between_question_and_answer_is_not_undone(chat: Chat) -> None:
    class Slow(ScriptedApprover):
        async def decide(self, question: object) -> ApprovalAnswer:
            elsewhere(chat.harness, "Later")
            return ApprovalAnswer(True)

    elsewhere(chat.harness, actor=Actor.MCP)
    chat.harness.changes["approver"] = Slow()

    await chat("undo")

    assert chat.titles == ["Milk", "Later"]


async def test_without_anybody_to_ask_nothing_is_undone_and_the_command_is_named(
    harness: Harness, speak: Callable[[str], Provider]
) -> None:
    elsewhere(harness, actor=Actor.MCP)
    harness.changes["provider"] = speak("undo")

    (step,) = (await harness.finished("undo")).outcome.trace

    assert '"unauthorized"' in step.result
    assert "todo-tui undo" in step.result
    assert harness.titles() == ["Milk"]


async def test_the_built_in_assistant_names_the_command_in_its_answer(
    harness: Harness,
) -> None:
    elsewhere(harness, actor=Actor.MCP)
    harness.changes["provider"] = BuiltInAssistant()

    assert "todo-tui undo" in (await harness.finished("undo")).outcome.answer


async def test_another_conversation_is_elsewhere(chat: Chat) -> None:
    await chat("add Eggs")
    chat.harness.conversation_id = None
    chat.approver.answers = [False]

    await chat("add Bread", "undo", "undo")

    assert chat.titles == ["Eggs"]
    assert chat.asked == [("Today 14:30 in another conversation", "Added #1 Eggs")]


@pytest.mark.parametrize(
    ("actor", "is_users"),
    [
        (Actor.CLI, True),
        (Actor.USER, True),
        (Actor.ASSISTANT, True),
        (Actor.IMPORT, False),
        (Actor.MCP, False),
        (Actor.SYNC, False),
    ],
)
async def test_in_a_new_conversation_the_user_undoes_own_changes_unasked(
    chat: Chat, actor: Actor, is_users: bool
) -> None:
    """Step by step, and brings them back; a model is asked about each."""
    if actor is Actor.ASSISTANT:
        await chat("add Eggs", "add Milk")
        chat.harness.conversation_id = None
    else:
        elsewhere(chat.harness, "Eggs", actor)
        elsewhere(chat.harness, "Milk", actor)
    chat.approver.answers = [False] * 9
    is_unasked = is_users and chat.speak is built_in

    await chat("undo", "undo")
    assert chat.titles == ([] if is_unasked else ["Eggs", "Milk"])
    assert len(chat.asked) == (0 if is_unasked else 2)
    chat.harness.conversation_id = None
    await chat("redo", "redo")
    assert chat.titles == ["Eggs", "Milk"]
    # After another message the undo may be meant for what that did not do.
    chat.harness.conversation_id, count = None, len(chat.asked)
    await chat("what is due today?", "undo")
    assert len(chat.asked) == count + 1


async def test_an_undo_by_key_is_a_change_from_elsewhere(chat: Chat) -> None:
    await chat("add Eggs", "add Bread")
    chat.harness.store.tasks.undo(by=chat.harness.store.new_change_context(Actor.USER))
    chat.approver.answers = [False]

    await chat("undo")
    assert chat.asked == [("Today 14:30 in this conversation", "Added #1 Eggs")]
    # To redo it is to do again what the conversation did.
    await chat("redo")
    assert len(chat.asked) == 1
    assert chat.titles == ["Eggs", "Bread"]


async def test_what_was_undone_by_hand_is_redone_without_a_question(chat: Chat) -> None:
    await chat("add Eggs")
    first = chat.harness.store.turns.list(chat.harness.conversation_id or "")[0]
    by = chat.harness.store.new_change_context(Actor.USER)
    assert chat.harness.store.tasks.undo_turn(first.id, by=by).changes
    assert chat.titles == []
    await chat("redo")
    assert chat.titles == ["Eggs"]
    assert chat.asked == []


async def test_what_others_have_undone_themselves_is_no_change(chat: Chat) -> None:
    await chat("add Eggs")
    elsewhere(chat.harness)
    chat.harness.store.tasks.undo(by=chat.harness.store.new_change_context(Actor.CLI))

    await chat("undo")

    assert chat.titles == []
    assert chat.asked == []


async def test_it_survives_a_restart(harness: Harness, speak: Callable[[str], Provider]) -> None:
    chat = Chat(harness, speak)
    await chat("add Eggs", "add Bread")
    clock = Clock("Europe/Berlin", harness.store.clock.now())
    with open_store(harness.store.path, user="ann", clock=clock) as harness.store:
        await chat("undo", "undo", "redo")

        assert chat.titles == ["Eggs"]
        assert chat.asked == []


async def test_the_built_in_assistant_undoes_once_per_request(harness: Harness) -> None:
    chat = Chat(harness, built_in)
    elsewhere(harness, "Old")
    chat.approver.answers = [False]
    await chat("add Eggs", "add Bread", "undo 4 times")

    assert chat.titles == ["Old"]
    # There is no fourth change.
    assert chat.asked == [("Today 14:30 from the shell", "Added #1 Old")]


@pytest.mark.parametrize("is_allowed", [True, False])
@pytest.mark.parametrize("others", [0, 1, 2])
async def test_one_question_shows_all_changes_that_will_be_undone(
    harness: Harness, others: int, is_allowed: bool
) -> None:
    """Also those of the conversation itself that lie below one from elsewhere."""
    chat = Chat(harness, built_in)
    chat.approver.answers = [is_allowed]
    await chat("add Eggs", "add Bread")
    for number in range(others):
        elsewhere(harness, f"Milk {number}")
    before = chat.titles

    await chat("undo the last two changes")

    assert chat.titles == (before[:-2] if is_allowed or not others else before)
    titles = [line.split(" ", 4)[-1] for line in (chat.asked or [()])[0] if "Added" in line]
    assert titles == (before[-2:][::-1] if others else [])
    assert len(chat.asked) == min(others, 1)


async def test_redos_in_a_row_are_one_question(harness: Harness) -> None:
    for title in ("Eggs", "Milk"):
        elsewhere(harness, title)
    for _ in range(2):
        harness.store.tasks.undo(by=harness.store.new_change_context(Actor.CLI))
    chat = Chat(harness, model)
    harness.script(calls(call("redo"), call("redo")), answer("Done."))

    await harness.finished()

    assert harness.titles() == ["Eggs", "Milk"]
    assert chat.approver.asked[0].words == "Redo the last 2 changes?"
    assert [line for line in chat.asked[0] if "Added" in line] == [
        "  Added #1 Eggs",
        "  Added #2 Milk",
    ]


async def test_the_change_of_the_turn_itself_is_undone(harness: Harness) -> None:
    harness.script(calls(call("add_task", title="Eggs")), calls(call("undo")), answer("Oops."))

    await harness.finished()

    assert harness.titles() == []


def test_a_tool_without_a_conversation_undoes_nothing_unasked(
    open_as: Callable[[str], Store],
) -> None:
    store = open_as("ann")
    store.tasks.add({"title": "Eggs"}, by=store.new_change_context(Actor.MCP))
    context = ToolContext(store, TurnBatch(lambda: store.new_change_context(Actor.MCP)))
    undo = next(tool for tool in TOOLS if tool.name == "undo")

    outcome = undo.run("{}", context)

    assert isinstance(outcome.error, Unauthorized)
    assert store.tasks.counts().open == 1


async def test_two_chats_at_once_know_their_own_changes(
    harness: Harness, speak: Callable[[str], Provider]
) -> None:
    """As two windows of the app: each has its conversation."""
    chat = Chat(harness, speak)
    await chat("add Eggs")
    first = harness.conversation_id
    harness.conversation_id = None
    await chat("add Bread")
    chat.approver.answers = [False]
    harness.conversation_id = first

    await chat("undo")

    assert chat.asked == [("Today 14:30 in another conversation", "Added #2 Bread")]
