"""Branches of a conversation: other turns after the same message."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.store.opened import opened
from tests.store.test_conversations import answered, said
from todo_tui.domain.errors import NotFound
from todo_tui.domain.messages import TurnStatus
from todo_tui.store.conversations.records import Summary, TurnRecord
from todo_tui.store.store import Store


def ask(
    store: Store, text: str, conversation_id: str | None, *, replaces: str | None = None
) -> TurnRecord:
    """A whole turn, as stored."""
    turn = store.turns.open(
        conversation_id, said(text), provider="scripted", model="m", replaces=replaces
    )
    store.turns.close(turn.id, TurnStatus.FINISHED, messages=[answered(f"A {text}")])
    return store.turns.list(turn.conversation_id)[-1]


def shown(store: Store, conversation_id: str) -> list[str]:
    return [turn.user_text for turn in store.turns.list(conversation_id)]


def sent(store: Store, conversation_id: str) -> list[str]:
    return [each.text for each in store.turns.model_history(conversation_id).messages]


def test_an_edited_message_is_a_branch_that_is_shown_and_sent_from_then_on(store: Store) -> None:
    first = ask(store, "one", None)
    second = ask(store, "two", first.conversation_id)
    ask(store, "three", first.conversation_id)
    edited = ask(store, "two again", first.conversation_id, replaces=second.id)
    assert shown(store, first.conversation_id) == ["one", "two again"]
    assert sent(store, first.conversation_id) == ["one", "A one", "two again", "A two again"]
    assert (edited.branch, edited.branches) == (2, 2)
    assert [turn.id for turn in store.turns.branches(second.id)] == [
        second.id,
        edited.id,
    ]
    assert [turn.branch for turn in store.turns.branches(second.id)] == [1, 2]


def test_a_branch_is_selected_with_what_came_last_on_it(store: Store) -> None:
    first = ask(store, "one", None)
    conversation_id = first.conversation_id
    second = ask(store, "two", conversation_id)
    third = ask(store, "three", conversation_id)
    ask(store, "three again", conversation_id, replaces=third.id)
    ask(store, "four", conversation_id)
    edited = ask(store, "two again", conversation_id, replaces=second.id)
    store.turns.select_branch(second.id)
    assert shown(store, conversation_id) == ["one", "two", "three again", "four"]
    store.turns.select_branch(third.id)
    assert shown(store, conversation_id) == ["one", "two", "three"]
    assert sent(store, conversation_id)[-2:] == ["three", "A three"]
    store.turns.select_branch(edited.id)
    ask(store, "five", conversation_id)
    assert shown(store, conversation_id) == ["one", "two again", "five"]


def test_a_branch_is_selected_as_it_was_shown_last(store: Store) -> None:
    first = ask(store, "one", None)
    conversation_id = first.conversation_id
    second = ask(store, "two", conversation_id)
    ask(store, "two compared", conversation_id, replaces=second.id)
    store.turns.select_branch(second.id)
    edited = ask(store, "one again", conversation_id, replaces=first.id)
    store.turns.select_branch(first.id)
    assert shown(store, conversation_id) == ["one", "two"]
    store.turns.select_branch(edited.id)
    store.turns.select_branch(first.id)
    assert shown(store, conversation_id) == ["one", "two"]


def test_the_first_message_of_a_conversation_has_branches_too(store: Store) -> None:
    ask(store, "another conversation", None)
    first = ask(store, "one", None)
    edited = ask(store, "one again", first.conversation_id, replaces=first.id)
    assert shown(store, first.conversation_id) == ["one again"]
    assert (edited.branch, edited.branches) == (2, 2)
    assert [each.user_text for each in store.turns.branches(first.id)] == [
        "one",
        "one again",
    ]


def test_older_turns_of_a_branch_are_read_page_by_page(store: Store) -> None:
    first = ask(store, "0", None)
    second = ask(store, "1", first.conversation_id)
    ask(store, "1 again", first.conversation_id, replaces=second.id)
    for number in range(2, 6):
        ask(store, str(number), first.conversation_id)
    newest = store.turns.list(first.conversation_id, limit=3)
    assert [turn.user_text for turn in newest] == ["3", "4", "5"]
    older = store.turns.list(first.conversation_id, limit=9, before=newest[0].id)
    assert [turn.user_text for turn in older] == ["0", "1 again", "2"]


def test_a_summary_holds_on_its_own_branch_only(store: Store) -> None:
    first = ask(store, "one", None)
    conversation_id = first.conversation_id
    second = ask(store, "two", conversation_id)
    summary = Summary("They spoke of milk.", "groq:oss")
    third = store.turns.open(conversation_id, said("three"), provider="scripted", model="m")
    store.turns.append_round(third.id, [answered("A three")], summary=summary)
    edited = ask(store, "two again", conversation_id, replaces=second.id)
    history = store.turns.model_history(conversation_id)
    assert (history.summary, history.before) == (None, 0)
    assert sent(store, conversation_id) == ["one", "A one", "two again", "A two again"]
    store.turns.select_branch(second.id)
    ask(store, "four", conversation_id)
    history = store.turns.model_history(conversation_id)
    assert (history.summary, history.before) == (summary, 0)
    assert sent(store, conversation_id) == ["three", "A three", "four", "A four"]
    store.turns.select_branch(edited.id)
    assert store.turns.model_history(conversation_id).summary is None


def test_a_turn_that_runs_beside_another_keeps_its_own_branch(store: Store) -> None:
    first = ask(store, "one", None)
    left = store.turns.open(first.conversation_id, said("two"), provider="scripted", model="m")
    right = store.turns.open(
        first.conversation_id, said("two"), provider="other", model="m", replaces=left.id
    )
    store.turns.close(right.id, TurnStatus.FINISHED, messages=[answered("right")])
    store.turns.close(left.id, TurnStatus.FINISHED, messages=[answered("left")])
    assert [each.answer for each in store.turns.branches(left.id)] == [
        "left",
        "right",
    ]
    assert sent(store, first.conversation_id)[-1] == "right"
    history = store.turns.model_history(first.conversation_id, turn_id=left.id)
    assert [each.text for each in history.messages] == ["one", "A one", "two", "left"]


def test_a_turn_that_ends_after_one_of_another_window_leaves_that_one_shown(path: Path) -> None:
    with opened(path) as one, opened(path) as two:
        first = one.conversations.turns.open(None, said("from one"), provider="p", model="m")
        second = two.conversations.turns.open(
            first.conversation_id, said("from two"), provider="p", model="m"
        )
        two.conversations.turns.append_round(second.id, [answered("to two")])
        one.conversations.turns.append_round(first.id, [answered("to one")])
        turns = one.conversations.turns.list(first.conversation_id)
        assert [turn.answer for turn in turns] == ["to one", "to two"]


def test_turns_of_another_conversation_are_not_read_by_their_id(path: Path) -> None:
    with opened(path) as ann, opened(path, user="bob") as bob:
        secret = ask(bob, "secret", None)
        later = ask(bob, "later", secret.conversation_id)
        own = ask(ann, "one", None)
        conversations, given = ann.conversations, own.conversation_id
        assert conversations.turns.list(given, before=later.id) == ()
        assert conversations.turns.model_history(given, turn_id=later.id).messages == ()


def test_only_turns_of_the_conversation_can_be_replaced_or_selected(path: Path) -> None:
    with opened(path) as ann, opened(path, user="bob") as bob:
        first = ask(ann, "one", None)
        other = ask(ann, "other", None)
        with pytest.raises(NotFound):
            ask(ann, "x", first.conversation_id, replaces=other.id)
        for refused in (
            lambda: bob.conversations.turns.branches(first.id),
            lambda: bob.conversations.turns.select_branch(first.id),
            lambda: ann.conversations.turns.select_branch("nowhere"),
        ):
            with pytest.raises(NotFound):
                refused()
