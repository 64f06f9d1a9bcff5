"""Conversations, turns and their traces."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.store.opened import NOW, ZONE, opened
from tests.store.processes import ROOT
from tests.stored import stored_messages
from todo_tui.domain.errors import NotFound, ValidationError
from todo_tui.domain.events import StepStatus, TraceStep, TurnError, TurnOutcome
from todo_tui.domain.messages import (
    Message,
    MessagePart,
    Role,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    TurnContext,
    TurnStatus,
    Usage,
)
from todo_tui.domain.task import Actor
from todo_tui.domain.when import DateStyle
from todo_tui.store.conversations.records import (
    ModelCall,
    StoredTurn,
    context_to_json,
    message_from_json,
    parts_to_json,
)
from todo_tui.store.store import Store


def said(text: str) -> Message:
    return Message(Role.USER, (Text(text),))


def answered(text: str) -> Message:
    return Message(Role.ASSISTANT, (Text(text),), "scripted:m")


def begin(store: Store, text: str, conversation_id: str | None = None) -> StoredTurn:
    if conversation_id is None:
        conversation_id = store.conversations.start().id
    return store.turns.open(conversation_id, said(text), provider="scripted", model="m")


def test_the_users_message_is_stored_before_anything_else(store: Store) -> None:
    turn = begin(store, "hello")
    assert stored_messages(store, turn.conversation_id) == (said("hello"),)
    (record,) = store.turns.list(turn.conversation_id)
    assert (record.status, record.user_text, record.answer) == (TurnStatus.RUNNING, "hello", "")
    assert record.started_at == datetime(2026, 11, 18, 13, 30, tzinfo=UTC)


def test_a_turn_comes_back_with_all_that_a_screen_draws(store: Store) -> None:
    turn = begin(store, "add a")
    store.tasks.add({"title": "a"}, by=store.new_change_context(Actor.ASSISTANT, turn.id))
    call = ToolCall("c1", "add_task", '{"title": "a"}', {"signature": "s"})
    result = ToolResult("c1", "add_task", '{"status": "success"}')
    step = TraceStep(
        "c1", "add_task", "Added a", call.arguments, result.content, StepStatus.SUCCESS, 3.25
    )
    asked = Message(Role.ASSISTANT, (Text("Let me add it."), call), "scripted:m")
    store.turns.append_round(
        turn.id,
        [asked, Message(Role.TOOL, (result,))],
        calls=[ModelCall("scripted", "m", Usage(10, 2, 3, 1), 0.001, 120.0)],
        steps=[step],
    )
    store.turns.close(
        turn.id,
        TurnStatus.FINISHED,
        messages=[answered("Done.")],
        calls=[ModelCall("scripted", "m", Usage(5, 0, 1, 0), None, 80.0)],
        outcome=TurnOutcome("", (), "scripted", "m", Usage(15, 2, 4, 1), 0.001, 2, 250.5),
    )
    (record,) = store.turns.list(turn.conversation_id)
    assert (record.user_text, record.answer) == ("add a", "Let me add it.\n\nDone.")
    assert record.steps == (step,)
    assert (record.status, record.error) == (TurnStatus.FINISHED, None)
    assert (record.usage, record.cost_usd) == (Usage(15, 2, 4, 1), 0.001)
    assert (record.latency_ms, record.model_calls) == (250.5, 2)
    assert stored_messages(store, turn.conversation_id) == (
        said("add a"), asked, Message(Role.TOOL, (result,)), answered("Done."),
    )  # fmt: skip


def test_a_failed_turn_keeps_its_partial_answer_and_the_next_one_works(store: Store) -> None:
    turn = begin(store, "hello")
    error = TurnError("network", "Groq did not answer.", "Press r to retry.")
    store.turns.close(turn.id, TurnStatus.FAILED, messages=[answered("Let me")], error=error)
    second = begin(store, "again", turn.conversation_id)
    store.turns.close(second.id, TurnStatus.FINISHED, messages=[answered("Hi")])
    first, last = store.turns.list(turn.conversation_id)
    assert (first.answer, first.error, first.status) == ("Let me", error, TurnStatus.FAILED)
    assert (last.answer, last.error) == ("Hi", None)
    assert [message.text for message in stored_messages(store, turn.conversation_id)] == [
        "hello", "Let me", "again", "Hi",
    ]  # fmt: skip


def test_a_turn_can_be_written_message_by_message(store: Store) -> None:
    turn = begin(store, "hello")
    store.turns.append_round(turn.id, [answered("a")])
    store.turns.append_round(turn.id, [], calls=[ModelCall("p", "m", Usage(), None, 1.0)])
    step = TraceStep("c", "t", "s", "{}", "{}", StepStatus.ERROR, 1.0)
    store.turns.append_round(turn.id, [], steps=[step])
    (record,) = store.turns.list(turn.conversation_id)
    assert (record.answer, record.steps) == ("a", (step,))


def test_conversations_come_newest_first_and_are_named_by_their_first_words(store: Store) -> None:
    first = begin(store, "  what is\n due \x1b[31mtoday?  ").conversation_id
    second = begin(store, "x" * 500).conversation_id
    begin(store, "more", first)
    newest = store.conversations.latest()
    assert newest is not None
    assert (newest.id, newest.title) == (first, "what is due today?")
    listed = store.conversations.list()
    assert {entry.id for entry in listed} == {first, second}
    assert store.conversations.get(second).title == f"{'x' * 79}…"
    assert [entry.id for entry in store.conversations.list(limit=1)] == [first]


def test_a_conversation_can_be_renamed(store: Store) -> None:
    conversation = store.conversations.start()
    assert store.conversations.rename(conversation.id, " Plans\n ").title == "Plans"
    with pytest.raises(ValidationError):
        store.conversations.rename(conversation.id, "\x00")
    begin(store, "hello", conversation.id)
    assert store.conversations.get(conversation.id).title == "Plans"


def test_a_conversation_is_renamed_only_in_place_of_the_name_it_should_have(store: Store) -> None:
    turn = begin(store, "hello")
    rename = store.conversations.rename
    assert rename(turn.conversation_id, "One", instead_of="hello").title == "One"
    assert rename(turn.conversation_id, "Two", instead_of="hello").title == "One"


def test_history_is_cut_at_a_user_message(store: Store) -> None:
    turn = begin(store, "question 0")
    for number in range(1, 10):
        store.turns.close(turn.id, TurnStatus.FINISHED, messages=[answered("a"), answered("b")])
        turn = begin(store, f"question {number}", turn.conversation_id)
    history = store.turns.model_history(turn.conversation_id, limit=8).messages
    assert [message.text for message in history] == [
        "question 7", "a", "b", "question 8", "a", "b", "question 9",
    ]  # fmt: skip
    assert len(stored_messages(store, turn.conversation_id)) == 28


def test_a_turn_longer_than_the_limit_is_kept_whole(store: Store) -> None:
    begin_id = begin(store, "old").conversation_id
    turn = begin(store, "long one", begin_id)
    store.turns.append_round(turn.id, [answered(str(number)) for number in range(20)])
    history = store.turns.model_history(begin_id, limit=5).messages
    assert [history[0].text, len(history)] == ["long one", 21]


def test_older_turns_are_read_page_by_page(store: Store) -> None:
    conversation_id = store.conversations.start().id
    for number in range(7):
        begin(store, str(number), conversation_id)
    newest = store.turns.list(conversation_id, limit=3)
    assert [turn.user_text for turn in newest] == ["4", "5", "6"]
    older = store.turns.list(conversation_id, limit=3, before=newest[0].id)
    assert [turn.user_text for turn in older] == ["1", "2", "3"]


def test_turns_of_two_processes_are_branches_and_both_are_kept(path: Path) -> None:
    with opened(path) as one, opened(path) as two:
        first = begin(one, "from one")
        second = begin(two, "from two", first.conversation_id)
        one.conversations.turns.append_round(first.id, [answered("to one")])
        two.conversations.turns.append_round(second.id, [answered("to two")])
        texts = [
            message.text
            for message in one.conversations.turns.model_history(first.conversation_id).messages
        ]
        assert texts == ["from one", "from two", "to two"]
        assert [turn.answer for turn in one.conversations.turns.list(first.conversation_id)] == [
            "to one", "to two",
        ]  # fmt: skip


def test_the_running_turn_of_a_dead_process_becomes_interrupted(path: Path) -> None:
    script = (
        "import os\n"
        "from pathlib import Path\n"
        "from tests.store.opened import opened\n"
        "from tests.store.test_conversations import answered, begin\n"
        f"store = opened(Path({str(path)!r}))\n"
        "turn = begin(store, 'hello')\n"
        "store.turns.append_round(turn.id, [answered('half an ans')])\n"
        "os.kill(os.getpid(), 9)\n"
    )
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=False)
    with opened(path) as store:
        latest = store.conversations.latest()
        assert latest is not None
        (record,) = store.turns.list(latest.id)
        assert (record.status, record.answer) == (TurnStatus.INTERRUPTED, "half an ans")
        begin(store, "again", latest.id)


def test_the_running_turn_of_a_living_process_goes_on(path: Path) -> None:
    with opened(path) as mine, opened(path) as other:
        turn = begin(mine, "hello")
        assert other.conversations.turns.recover() == 0
        (record,) = other.conversations.turns.list(turn.conversation_id)
        assert record.status is TurnStatus.RUNNING


def test_a_process_number_that_was_given_again_is_not_the_owner(path: Path) -> None:
    with opened(path) as store:
        turn = begin(store, "hello")
        raw = sqlite3.connect(path)
        raw.execute("UPDATE turns SET owner_started = 'another boot:1'")
        raw.commit()
        raw.close()
        assert store.turns.recover() == 1
        (record,) = store.turns.list(turn.conversation_id)
        assert record.status is TurnStatus.INTERRUPTED


def test_the_answer_of_a_dead_process_is_kept_as_far_as_it_was_saved(path: Path) -> None:
    with opened(path) as store:
        turn = begin(store, "hello")
        store.turns.save_partial(turn.id, "half an ans")
        with sqlite3.connect(path) as raw:
            raw.execute("UPDATE turns SET owner_started = 'another boot:1'")
        raw.close()
        assert store.turns.recover() == 1
        (record,) = store.turns.list(turn.conversation_id)
        assert (record.status, record.answer) == (TurnStatus.INTERRUPTED, "half an ans")
        *_, last = store.turns.model_history(turn.conversation_id, 10).messages
        assert last.origin == f"{record.provider}:{record.model}"
    with opened(path, user="bob") as bob, pytest.raises(NotFound):
        bob.conversations.turns.save_partial(turn.id, "mine")


def test_unknown_conversations_and_turns_do_not_exist(store: Store) -> None:
    with pytest.raises(NotFound):
        store.turns.model_history("nowhere")
    with pytest.raises(NotFound):
        store.turns.append_round("nowhere", [answered("x")])
    with pytest.raises(NotFound):
        begin(store, "x", "nowhere")


def _metas() -> st.SearchStrategy[dict[str, object]]:
    values = st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner),
        max_leaves=3,
    )
    return st.dictionaries(st.text(max_size=5), values, max_size=2)


def _messages() -> st.SearchStrategy[Message]:
    text = st.text(max_size=20)
    part: st.SearchStrategy[MessagePart] = st.one_of(
        st.builds(Text, text, _metas()),
        st.builds(Thinking, text, _metas()),
        st.builds(ToolCall, text, text, text, _metas()),
        st.builds(ToolResult, text, text, text, st.booleans()),
    )
    context = st.builds(
        TurnContext,
        st.datetimes(),
        st.just(ZONE),
        st.integers(0, 9),
        st.integers(0, 9),
        st.integers(0, 9),
        st.lists(st.tuples(st.integers(1, 9), text), max_size=2).map(tuple),
        st.builds(DateStyle, st.booleans(), st.integers(0, 6), st.just(ZONE)),
    )
    return st.builds(
        Message,
        st.sampled_from(Role),
        st.lists(part, max_size=4).map(tuple),
        st.none() | text,
        st.none() | context,
    )


@settings(max_examples=60, deadline=None)
@given(message=_messages())
def test_a_message_loses_nothing_on_its_way_through_json(message: Message) -> None:
    assert (
        message_from_json(
            message.role.value,
            parts_to_json(message.parts),
            message.origin,
            context_to_json(message.context),
        )
        == message
    )


def test_context_and_halves_of_characters_survive_the_file(store: Store) -> None:
    context = TurnContext(NOW, ZONE, 3, 1, 2, ((3, "Buy milk"),), DateStyle(True, 6, ZONE))
    message = Message(Role.USER, (Text("\ud83d\ude00 and half \ud83d"),), context=context)
    conversation = store.conversations.start()
    store.turns.open(conversation.id, message, provider="p", model="m")
    (read,) = stored_messages(store, conversation.id)
    assert read.context == context
    assert read.text == "😀 and half \ufffd"


@pytest.mark.parametrize("reads", ["history", "turns"])
def test_a_long_conversation_costs_what_a_short_one_costs(store: Store, reads: str) -> None:
    def steps_of_a_read() -> int:
        seen = 0

        def step() -> int:
            nonlocal seen
            seen += 1
            return 0

        with store._db.file.reading() as database:
            database.set_progress_handler(step, 1)
        if reads == "turns":
            assert len(store.turns.list(conversation_id, limit=10)) == 10
        else:
            history = store.turns.model_history(conversation_id, limit=20)
            assert (len(history.messages), history.before) == (20, 2 * turns - 20)
        with store._db.file.reading() as database:
            database.set_progress_handler(None, 1)
        return seen

    conversation_id, costs = store.conversations.start().id, []
    for turns in range(1, 301):
        turn = begin(store, f"question {turns}", conversation_id)
        store.turns.close(turn.id, TurnStatus.FINISHED, messages=[answered(f"answer {turns}")])
        if turns in (20, 300):
            costs.append(steps_of_a_read())
    assert costs[1] <= costs[0] * 1.1
