"""The assistant as a provider: what it makes of a request, whatever the request holds."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from todo_tui.domain.messages import (
    Completed,
    Message,
    Request,
    Role,
    StopReason,
    Text,
    TextDelta,
    ToolCall,
    ToolCallStarted,
    ToolMode,
    ToolResult,
    ToolSpec,
    TurnContext,
)
from todo_tui.domain.task import JsonValue, Task
from todo_tui.domain.task_index import IndexedTask, IndexPage
from todo_tui.providers.offline.assistant import LONGEST_MESSAGE, BuiltInAssistant

NAMES = (
    *("add_task", "list_tasks", "update_task", "complete_task", "reopen_task", "delete_task"),
    *("undo", "redo", "current_time"),
)
TOOLS = tuple(ToolSpec(name, "", {}) for name in NAMES)
CONTEXT = TurnContext(datetime(2026, 11, 18, 14, 30), "Europe/Berlin")
MILK: JsonValue = {"id": 1, "title": "Buy milk", "status": "todo"}
RENT: JsonValue = {"id": 2, "title": "Pay rent", "status": "todo"}


class Two:
    """An index of two tasks, or of so many that only the first are told."""

    def __init__(self, total: int = 2) -> None:
        self._total = total
        self.wanted: list[str] = []

    def find(self, words: str, limit: int) -> IndexPage:
        self.wanted.append(words)
        at = datetime(2026, 11, 1, tzinfo=UTC)
        tasks = (Task(1, "a", "Buy milk", at, at), Task(2, "b", "Pay rent", at, at))
        is_named = re.fullmatch(r"#\d", words)
        found = [each for each in tasks if not is_named or words == f"#{each.id}"]
        return IndexPage(tuple(map(IndexedTask, found)), 1 if is_named else self._total)

    def projects(self) -> Sequence[str]:
        return ()

    def tags(self) -> Sequence[str]:
        return ()


ASSISTANT = BuiltInAssistant(Two())


def user(text: str) -> Message:
    return Message(Role.USER, (Text(text),), context=CONTEXT)


def result(call: ToolCall, data: JsonValue) -> ToolResult:
    content = json.dumps({"status": "success", "data": data})
    return ToolResult(call.id, call.name, content)


def listed(*tasks: JsonValue) -> JsonValue:
    return {"tasks": list(tasks), "total": len(tasks), "shown": len(tasks)}


async def ask(*messages: Message, tools: tuple[ToolSpec, ...] = TOOLS) -> Message:
    return await ask_request(Request("", messages, tools))


async def ask_request(request: Request) -> Message:
    events = [event async for event in ASSISTANT.stream(request)]
    completed = events[-1]
    assert isinstance(completed, Completed)
    deltas = [event.text for event in events if isinstance(event, TextDelta)]
    started = [event.name for event in events if isinstance(event, ToolCallStarted)]
    assert "".join(deltas) == completed.message.text
    assert started == [call.name for call in completed.message.tool_calls]
    assert completed.stop is (StopReason.TOOL_CALLS if started else StopReason.END)
    return completed.message


async def test_it_calls_a_tool_for_each_of_several_items() -> None:
    asked = await ask(user("add buy milk tomorrow 5pm and call mom on friday"))
    assert [json.loads(call.arguments) for call in asked.tool_calls] == [
        {"title": "Buy milk", "details": "tomorrow 5pm"},
        {"title": "Call mom", "details": "on friday"},
    ]


async def test_call_ids_are_unique_and_fit_every_wire() -> None:
    asked = await ask(user("add milk, eggs and bread"))
    ids = [call.id for call in asked.tool_calls]
    assert len(set(ids)) == 3
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,40}", each) for each in ids)


async def test_what_follows_a_list_is_a_paragraph_of_its_own() -> None:
    said = user("add buy milk and pay rent")
    act = await ask(said)
    added = zip(act.tool_calls, (MILK, RENT), strict=True)
    seen = Message(Role.TOOL, tuple(result(call, {"task": task}) for call, task in added))
    last = (await ask(said, act, seen)).text.split("\n\n")[-1]
    assert last == "Say “undo” to remove them."


async def test_it_finds_the_task_without_a_call() -> None:
    act = await ask(user("I bought the milk"))
    assert [(call.name, json.loads(call.arguments)) for call in act.tool_calls] == [
        ("complete_task", {"task_ids": [1]})
    ]


async def test_it_speaks_from_the_result() -> None:
    said = user("done #2")
    act = await ask(said)
    done: JsonValue = {"results": [{"id": 2, "status": "success", "task": RENT}]}
    ended = Message(Role.TOOL, (result(act.tool_calls[0], done),))
    answer = await ask(said, act, ended)
    assert "Pay rent" in answer.text
    assert not answer.tool_calls


async def test_what_a_tool_refuses_is_said() -> None:
    said = user("undo")
    asked = await ask(said)
    error = {"status": "error", "error": {"type": "not_found", "message": "Nothing to undo."}}
    call = asked.tool_calls[0]
    refused = Message(Role.TOOL, (ToolResult(call.id, call.name, json.dumps(error), True),))
    assert "Nothing to undo." in (await ask(said, asked, refused)).text


@pytest.mark.parametrize("content", ["", "[]", "null", "{", '{"status": "success"}', '"words"'])
async def test_unreadable_results_do_not_upset_it(content: str) -> None:
    said = user("what's on my list?")
    asked = await ask(said)
    call = asked.tool_calls[0]
    odd = Message(Role.TOOL, (ToolResult(call.id, call.name, content),))
    assert (await ask(said, asked, odd)).text


async def test_where_tools_are_refused_it_says_so() -> None:
    request = Request("", (user("add milk"),), TOOLS, ToolMode.NONE)
    answer = await ask_request(request)
    assert not answer.tool_calls
    assert "limit of tool calls" in answer.text


async def test_it_calls_only_tools_that_are_offered() -> None:
    few = tuple(tool for tool in TOOLS if tool.name != "add_task")
    answer = await ask(user("add milk"), tools=few)
    assert not answer.tool_calls
    assert answer.text


async def test_rounds_of_another_model_end_in_words() -> None:
    other = Message(Role.ASSISTANT, (ToolCall("x1", "list_tasks", '{"limit": 3}'),), "groq:big")
    seen = Message(Role.TOOL, (result(other.tool_calls[0], listed(MILK)),))
    answer = await ask(user("add milk"), other, seen)
    assert answer.text
    assert not answer.tool_calls


async def test_it_knows_what_another_model_named() -> None:
    look = ToolCall("x1", "list_tasks", "{}")
    history = (
        user("what do I have?"),
        Message(Role.ASSISTANT, (look,), "groq:big"),
        Message(Role.TOOL, (result(look, listed(MILK, RENT)),)),
        Message(Role.ASSISTANT, (Text("You should Pay rent, then buy milk."),), "groq:big"),
    )
    asked = await ask(*history, user("complete the second one"))
    assert json.loads(asked.tool_calls[0].arguments) == {"task_ids": [1]}


async def test_this_is_what_is_selected() -> None:
    selected = replace(CONTEXT, selection=((7, "Mow the lawn"),))
    asked = await ask(Message(Role.USER, (Text("move this to friday"),), context=selected))
    assert json.loads(asked.tool_calls[0].arguments)["task_ids"] == [7]


async def test_a_long_list_is_searched_by_word() -> None:
    index = Two(total=5_000)
    request = Request("", (user("complete the zebra"),), TOOLS)
    assert [event async for event in BuiltInAssistant(index).stream(request)]
    assert any("zebra" in words for words in index.wanted)


async def test_titles_are_text_and_never_markup() -> None:
    wild: JsonValue = {"id": 3, "title": "*bold* [link](x) `code` <b> _under_", "status": "todo"}
    said = user("what's on my list?")
    look = await ask(said)
    seen = Message(Role.TOOL, (result(look.tool_calls[0], listed(wild)),))
    answer = (await ask(said, look, seen)).text
    assert r"\*bold\* \[link\](x) \`code\` \<b\> \_under\_" in answer


async def test_control_characters_of_a_title_are_not_said() -> None:
    wild: JsonValue = {"id": 3, "title": "a\x1b[31mred\x00\u202e", "status": "todo"}
    said = user("what's on my list?")
    look = await ask(said)
    seen = Message(Role.TOOL, (result(look.tool_calls[0], listed(wild)),))
    assert "ared" in (await ask(said, look, seen)).text


async def test_a_message_beyond_the_limit_is_declined_as_a_whole() -> None:
    for unit in ("x", " ", "a, ", " and", "\x9d"):
        answer = await ask(user("add " + unit * LONGEST_MESSAGE + "x"))
        assert not answer.tool_calls
        assert "of 2,000 characters). Nothing was changed." in answer.text
    assert (await ask(user("add " + "x" * (LONGEST_MESSAGE - 4)))).tool_calls


async def test_a_long_note_is_kept_whole() -> None:
    words = "bring the card, the form and all the papers. " * 40
    asked = await ask(user(f"add a note to the milk: {words}"))
    assert json.loads(asked.tool_calls[0].arguments)["notes"] == f"+ {words.strip('. ')}"


async def test_an_empty_request_gets_an_answer() -> None:
    assert (await ask_request(Request("", (), TOOLS))).text


async def test_the_same_request_gets_the_same_answer() -> None:
    assert (await ask(user("what can you do?"))).text == (await ask(user("what can you do?"))).text
