"""Another user's tasks and conversations do not exist."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.store.opened import add, opened, titles, user_context
from tests.stored import stored_messages
from todo_tui.domain.errors import NotFound
from todo_tui.domain.messages import Message, Role, Text, TurnStatus
from todo_tui.store.store import Store

TASK_ACTS: list[Callable[[Store], object]] = [
    lambda store: store.tasks.get(2),
    lambda store: store.tasks.update([2], {"title": "x"}, by=user_context(store)),
    lambda store: store.tasks.complete([2], by=user_context(store)),
    lambda store: store.tasks.reopen([2], by=user_context(store)),
    lambda store: store.tasks.delete([2], by=user_context(store)),
    lambda store: store.tasks.restore([2], by=user_context(store)),
    lambda store: store.tasks.purge([2], by=user_context(store)),
    lambda store: store.tasks.annotate(2, "x", by=user_context(store)),
    lambda store: store.tasks.update([1], {"parent": 2}, by=user_context(store)),
    lambda store: store.tasks.update([1], {"blocked_by": (2,)}, by=user_context(store)),
    lambda store: store.tasks.add({"title": "x", "parent": 2}, by=user_context(store)),
]


@pytest.mark.parametrize("act", TASK_ACTS)
def test_another_users_task_does_not_exist(path: Path, act: Callable[[Store], object]) -> None:
    with opened(path, user="ann") as ann, opened(path, user="bob") as bob:
        add(ann, "first")
        hers = add(ann, "hers", project="p", tags=("t",))
        assert add(bob, "his").id == 1
        with pytest.raises(NotFound, match="#2"):
            act(bob)
        assert titles(bob, "all or trash") == ["his"]
        assert bob.tasks.rows([1, 2]) == (bob.tasks.get(1),)
        assert (bob.tasks.projects(), bob.tasks.tags()) == ((), ())
        assert bob.tasks.counts().open == 1
        assert [list(ids) for _, ids in bob.tasks.listing().groups] == [[1]]
        assert ann.tasks.get(2) == hers


def test_another_users_conversation_does_not_exist(path: Path) -> None:
    with opened(path, user="ann") as ann, opened(path, user="bob") as bob:
        conversation = ann.conversations.start()
        message = Message(Role.USER, (Text("hello"),))
        turn = ann.conversations.turns.open(conversation.id, message, provider="p", model="m")
        assert bob.conversations.latest() is None
        assert bob.conversations.list() == ()
        acts: list[Callable[[], object]] = [
            lambda: bob.conversations.get(conversation.id),
            lambda: bob.conversations.turns.model_history(conversation.id),
            lambda: bob.conversations.turns.list(conversation.id),
            lambda: bob.conversations.rename(conversation.id, "x"),
            lambda: bob.conversations.delete(conversation.id),
            lambda: bob.conversations.turns.append_round(turn.id, [message]),
            lambda: bob.conversations.turns.close(turn.id, TurnStatus.FINISHED),
            lambda: bob.conversations.turns.open(conversation.id, message, provider="p", model="m"),
        ]
        for act in acts:
            with pytest.raises(NotFound):
                act()
        assert stored_messages(ann, conversation.id) == (message,)


def test_memory_is_kept_for_each_user(path: Path) -> None:
    with opened(path, user="ann") as ann, opened(path, user="bob") as bob:
        ann.app_state.set("provider", "groq")
        ann.app_state.set("provider", "ollama")
        assert (ann.app_state.get("provider"), bob.app_state.get("provider")) == ("ollama", None)
        ann.app_state.set("provider", None)
        assert ann.app_state.get("provider") is None
