"""What is purged or deleted is erased from the file, not only from sight."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.store.opened import add, opened, ops, user_context
from tests.stored import stored_messages
from todo_tui.domain.errors import NotFound
from todo_tui.domain.events import StepStatus, TraceStep
from todo_tui.domain.messages import Message, Role, Text, ToolCall, ToolResult, TurnStatus
from todo_tui.domain.task import Actor, JsonValue, TaskFields
from todo_tui.store.conversations.records import Summary
from todo_tui.store.proposals import ProposalState
from todo_tui.store.store import Store

RECIPE = "Zwetschgenkuchen"


def everything(path: Path) -> bytes:
    return b"".join(entry.read_bytes() for entry in path.parent.iterdir())


def tell(store: Store, said: str) -> str:
    """A turn in which a tool added the secret task and then listed it; its conversation."""
    conversation = store.conversations.start()
    turn = store.turns.open(
        conversation.id, Message(Role.USER, (Text(said),)), provider="scripted", model="m"
    )
    store.tasks.add(
        {"title": f"Bake {RECIPE}", "notes": f"{RECIPE} for two"},
        by=store.new_change_context(Actor.ASSISTANT, turn.id),
    )
    arguments = f'{{"title": "bake {RECIPE}", "due": "friday"}}'
    result = f'{{"status":"success","data":{{"tasks":[{{"id":1,"title":"Bake {RECIPE}"}}]}}}}'
    store.turns.append_round(
        turn.id,
        [
            Message(Role.ASSISTANT, (ToolCall("c1", "add_task", arguments),), "scripted:m"),
            Message(Role.TOOL, (ToolResult("c1", "add_task", result),)),
        ],
        steps=[
            TraceStep(
                "c1", "add_task", f"Added Bake {RECIPE} · Fri", arguments, result,
                StepStatus.SUCCESS, 1.0,
            ),
            TraceStep("c2", "broken", "?", f'{{"title": "Bake {RECIPE}', "", StepStatus.ERROR, 1),
        ],
    )  # fmt: skip
    store.turns.close(turn.id, TurnStatus.FINISHED)
    return conversation.id


def test_a_purged_task_leaves_no_text_in_log_traces_and_file(store: Store) -> None:
    conversation_id = tell(store, "bake it on friday")
    store.tasks.update([1], {"title": f"{RECIPE} two"}, by=user_context(store))
    store.tasks.annotate(1, f"about {RECIPE}", by=user_context(store))
    assert RECIPE.encode() in everything(store.path)
    (purged,) = store.tasks.purge([1], by=user_context(store))
    assert purged.title == f"{RECIPE} two"
    assert RECIPE.casefold().encode() not in everything(store.path).lower()
    with pytest.raises(NotFound):
        store.tasks.get(1)
    (turn,) = store.turns.list(conversation_id)
    assert turn.steps[0].arguments == '{"title":"(erased)","due":"friday"}'
    assert turn.steps[0].summary == "Added (erased) · Fri"
    assert [message.role for message in stored_messages(store, conversation_id)] == [
        Role.USER,
        Role.ASSISTANT,
        Role.TOOL,
    ]
    assert [op["kind"] for op in ops(store)][-1] == "purge"
    assert not any(op["old"] or op["new"] for op in ops(store))


def summed_up(store: Store) -> str:
    """A conversation that is told in short, the secret task with it."""
    conversation_id = tell(store, "bake it on friday")
    told = Message(Role.USER, (Text("and now?"),))
    turn = store.turns.open(conversation_id, told, provider="scripted", model="m")
    text = f"They will bake {RECIPE} on friday, and bread."
    step = TraceStep(
        "s1", "summarise", "Summed up 2 older messages", "{}",
        f'{{"status":"success","data":"{text}"}}', StepStatus.SUCCESS, 1.0,
    )  # fmt: skip
    store.turns.append_round(turn.id, [], steps=[step], summary=Summary(text, "scripted:m"))
    return conversation_id


def test_a_purged_task_is_erased_from_summaries_too(store: Store) -> None:
    conversation_id = summed_up(store)
    store.tasks.purge([1], by=user_context(store))
    assert RECIPE.casefold().encode() not in everything(store.path).lower()
    summary = store.turns.model_history(conversation_id).summary
    assert summary is not None
    assert summary.text == "They will (erased) on friday, and bread."


def test_a_purged_task_is_erased_from_passages_that_quote_a_part_of_its_notes(
    store: Store,
) -> None:
    pages = [f"On page {page} the recipe says {RECIPE} {page * 7}." for page in range(80)]
    fields: TaskFields = {"title": "Bake", "notes": " ".join(pages)}
    store.tasks.add(fields, by=store.new_change_context(Actor.USER))
    (passage,) = store.knowledge.search("page 40")
    assert RECIPE in passage.text
    assert len(passage.text) < 1_000
    result = json.dumps({"status": "success", "data": {"passages": [{"text": passage.text}]}})
    turn = store.turns.open(
        None, Message(Role.USER, (Text("what is on page 40"),)), provider="scripted", model="m"
    )
    call = ToolCall("c1", "retrieve_knowledge", "{}")
    step = TraceStep(
        "c1", "retrieve_knowledge", "Retrieved 1", "{}", result, StepStatus.SUCCESS, 1.0
    )
    messages = [
        Message(Role.ASSISTANT, (call,), "scripted:m"),
        Message(Role.TOOL, (ToolResult("c1", "retrieve_knowledge", result),)),
    ]
    store.turns.append_round(turn.id, messages, steps=[step])
    store.turns.close(turn.id, TurnStatus.FINISHED)

    store.tasks.purge([1], by=user_context(store))

    assert RECIPE.encode() not in everything(store.path)


def test_a_deleted_conversation_takes_its_summaries_along(store: Store) -> None:
    conversation_id = summed_up(store)
    store.conversations.erase(conversation_id)
    assert b"and bread" not in everything(store.path)


def test_a_deleted_conversation_leaves_no_text_and_its_tasks_stay(store: Store) -> None:
    said = "a word nobody else says: Quittengelee"
    conversation_id = tell(store, said)
    other = tell(store, "something else")
    store.conversations.erase(conversation_id)
    assert b"Quittengelee" not in everything(store.path)
    assert [kept.id for kept in store.conversations.list()] == [other]
    assert store.tasks.counts().open == 2
    with pytest.raises(NotFound):
        store.turns.model_history(conversation_id)


def test_purging_lets_go_of_those_that_named_the_task(store: Store) -> None:
    for title in "abc":
        add(store, title)
    store.tasks.update([2], {"parent": 1}, by=user_context(store))
    store.tasks.update([3], {"blocked_by": (1, 2)}, by=user_context(store))
    store.tasks.purge([1], by=user_context(store))
    assert store.tasks.get(2).parent is None
    assert store.tasks.get(3).blocked_by == (2,)


def test_traces_of_other_tasks_keep_their_words(store: Store) -> None:
    tell(store, "x")
    add(store, "Bake")
    store.tasks.purge([2], by=user_context(store))
    (conversation,) = store.conversations.list()
    (turn,) = store.turns.list(conversation.id)
    assert RECIPE in turn.steps[0].summary


def test_a_task_is_purged_whatever_the_arguments_of_a_trace_are(store: Store) -> None:
    conversation_id = tell(store, "bake")
    turn = store.turns.open(
        conversation_id, Message(Role.USER, (Text("and"),)), provider="scripted", model="m"
    )
    for depth in (40, 400, 900, 5_000):
        deep = f'{{"title": {"[" * depth}"{RECIPE}"{"]" * depth}}}'
        step = TraceStep(f"d{depth}", "add_task", "?", deep, "{}", StepStatus.ERROR, 1.0)
        asked = Message(Role.ASSISTANT, (ToolCall(f"d{depth}", "add_task", deep),), "scripted:m")
        store.turns.append_round(turn.id, [asked], steps=[step])
    store.tasks.purge([1], by=user_context(store))
    assert f"Bake {RECIPE}".encode() not in everything(store.path)


def test_an_unknown_id_purges_nothing(store: Store) -> None:
    add(store, "a")
    with pytest.raises(NotFound, match="#9"):
        store.tasks.purge([1, 9], by=user_context(store))
    assert store.tasks.get(1).title == "a"


def test_another_users_traces_are_not_touched(path: Path) -> None:
    with opened(path, user="ann") as ann, opened(path, user="bob") as bob:
        tell(ann, "x")
        tell(bob, "x")
        ann.tasks.purge([1], by=user_context(ann))
        (conversation,) = bob.conversations.list()
        (turn,) = bob.conversations.turns.list(conversation.id)
        assert RECIPE in turn.steps[0].summary
        assert RECIPE in bob.tasks.get(1).title


def test_proposals_about_a_purged_task_lose_their_text(store: Store) -> None:
    conversation_id = tell(store, "bake it")
    store.conversations.erase(conversation_id)
    other = add(store, title="Other")
    task, kept = store.tasks.get(1), store.tasks.get(other.id)
    propose = store.proposals.add
    arguments: dict[str, JsonValue] = {"task_ids": [1], "new_title": f"{RECIPE} three"}
    waiting = propose("vibe", [("update_task", arguments)], {task.uuid: 1})
    made = propose("vibe", [("add_task", {"title": f"Bake {RECIPE}"})], {})
    batch = store.change_log.entries()[-1].batch
    store.proposals.decide(made, ProposalState.ACCEPTED, batch)
    spared = propose("vibe", [("delete_task", {"task_ids": [other.id]})], {kept.uuid: 1})
    store.tasks.delete([1], by=user_context(store))
    store.tasks.purge([1], by=user_context(store))
    assert RECIPE.encode() not in everything(store.path)
    found = [store.proposals.get(number) for number in (waiting, made, spared)]
    assert [(each.state, len(each.calls)) for each in found] == [
        (ProposalState.OUTDATED, 0),
        (ProposalState.ACCEPTED, 0),
        (ProposalState.WAITING, 1),
    ]
