"""Summaries that stand for the older part of a conversation."""

from __future__ import annotations

from pathlib import Path

from tests.store.opened import opened
from tests.store.test_conversations import answered, begin
from tests.stored import stored_messages
from todo_tui.domain.messages import TurnStatus
from todo_tui.store.conversations.records import ModelHistory, StoredTurn, Summary
from todo_tui.store.store import Store

SUMMARY = Summary("They spoke of milk.", "groq:oss")


def ask(store: Store, text: str, conversation_id: str | None = None) -> StoredTurn:
    """A whole turn: a question and its answer."""
    turn = begin(store, text, conversation_id)
    store.turns.close(turn.id, TurnStatus.FINISHED, messages=[answered(f"A {text}")])
    return turn


def told(recollection: ModelHistory) -> list[str]:
    return [message.text for message in recollection.messages]


def test_a_summary_replaces_the_messages_before_its_turn(path: Path) -> None:
    with opened(path) as store:
        first = ask(store, "one")
        ask(store, "two", first.conversation_id)
        third = begin(store, "three", first.conversation_id)
        store.turns.append_round(third.id, [answered("A three")], summary=SUMMARY)
        ask(store, "four", first.conversation_id)
    with opened(path) as store:
        recollection = store.turns.model_history(first.conversation_id)
        assert told(recollection) == ["three", "A three", "four", "A four"]
        assert (recollection.summary, recollection.before) == (SUMMARY, 0)
        assert len(stored_messages(store, first.conversation_id)) == 8


def test_a_summary_may_come_with_the_end_of_its_turn(store: Store) -> None:
    first = ask(store, "one")
    second = begin(store, "two", first.conversation_id)
    store.turns.close(second.id, TurnStatus.FAILED, summary=SUMMARY)
    recollection = store.turns.model_history(first.conversation_id)
    assert (told(recollection), recollection.summary) == (["two"], SUMMARY)


def test_a_later_summary_takes_the_place_of_the_first(store: Store) -> None:
    conversation_id = ask(store, "one").conversation_id
    for number in (2, 3):
        turn = begin(store, str(number), conversation_id)
        later = Summary(f"Summary {number}", "groq:oss")
        store.turns.append_round(turn.id, [answered("yes")], summary=later)
    recollection = store.turns.model_history(conversation_id)
    assert (told(recollection), recollection.summary) == (["3", "yes"], later)


def test_what_a_window_leaves_out_behind_a_summary_is_counted(store: Store) -> None:
    conversation_id = ask(store, "one").conversation_id
    turn = begin(store, "two", conversation_id)
    store.turns.append_round(turn.id, [answered("yes")], summary=SUMMARY)
    for number in range(10):
        ask(store, str(number), conversation_id)
    recollection = store.turns.model_history(conversation_id, 6)
    assert told(recollection) == ["7", "A 7", "8", "A 8", "9", "A 9"]
    assert (recollection.before, recollection.summary) == (16, SUMMARY)


def test_nothing_stands_before_a_first_turn(store: Store) -> None:
    turn = begin(store, "one")
    store.turns.append_round(turn.id, [answered("yes")], summary=SUMMARY)
    recollection = store.turns.model_history(turn.conversation_id)
    assert recollection.summary is None
    assert told(recollection) == ["one", "yes"]


def test_a_branch_that_does_not_come_from_the_summary_does_without_it(path: Path) -> None:
    with opened(path) as one, opened(path) as two:
        conversation_id = ask(one, "old").conversation_id
        mine = begin(one, "mine", conversation_id)
        theirs = begin(two, "theirs", conversation_id)
        one.conversations.turns.append_round(mine.id, [answered("summed up")], summary=SUMMARY)
        history = one.conversations.turns.model_history(conversation_id, turn_id=mine.id)
        assert (told(history), history.summary) == (["mine", "summed up"], SUMMARY)
        two.conversations.turns.append_round(theirs.id, [answered("not summed up")])
        recollection = one.conversations.turns.model_history(conversation_id)
    assert recollection.summary is None
    assert told(recollection) == ["old", "A old", "mine", "theirs", "not summed up"]


def test_an_empty_conversation_has_nothing_to_tell(store: Store) -> None:
    conversation = store.conversations.start()
    assert store.turns.model_history(conversation.id) == ModelHistory(())
