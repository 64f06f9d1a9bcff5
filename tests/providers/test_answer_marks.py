"""Thinking, template marks and printed calls in the text of an answer, however it is cut."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.providers.wire import collect, completed, http, request, thoughts, wire_server, words
from tests.rows import each_row
from tests.wires.encoders import encoder_of
from tests.wires.model_messages import ModelCall, ModelMessage
from tests.wires.remotes import REMOTES, Remote
from todo_tui.domain.errors import ProviderError, ProviderErrorKind
from todo_tui.domain.messages import (
    Message,
    Request,
    Role,
    StreamEvent,
    Text,
    TextDelta,
    ThinkingDelta,
    ToolCall,
    ToolMode,
    ToolResult,
)
from todo_tui.providers.wire_formats.answer_marks import (
    AnswerMarks,
    AnswerPiece,
    ReclassifiedThinking,
)

TOOLS = ("add_task", "list_tasks", "complete_task", "undo")
COHERE = '{"tool_name": "add_task", "parameters": {"title": "Milk"}}'
HARMONY = "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>"
CALL = '{"name": "add_task", "arguments": {"title": "Milk"}}'

ANSWERS: dict[str, tuple[str, str]] = {
    # Ends of turns.
    "Hello!<|im_end|>": ("Hello!", ""),
    "Hello!<|im_end|>\n<|im_start|>user\nadd bread": ("Hello!", ""),
    'Say "hi"<|im_end|>\n<|im_start|>user\nadd bread': ('Say "hi"', ""),
    "Run `ls`<|eot_id|>\n<|start_header_id|>user": ("Run `ls`", ""),
    "(done)<|end_of_text|>": ("(done)", ""),
    "Hello! <|endoftext|> ": ("Hello! ", ""),
    "Hello!\n<|end|>\n": ("Hello!\n", ""),
    "Hello!</s>": ("Hello!", ""),
    "Hello! [/INST]": ("Hello! ", ""),
    "Done.\n</tool_call>": ("Done.\n", ""),
    "<|START_RESPONSE|>Hello!<|END_RESPONSE|>": ("Hello!", ""),
    "Hello!<end_of_turn>\n<start_of_turn>user": ("Hello!", ""),
    "Hello!<｜end▁of▁sentence｜>": ("Hello!", ""),
    "Code:\n```\nprint(1)\n<|im_end|>": ("Code:\n```\nprint(1)\n", ""),
    "So:\n\n    code\n\nEnd.<|im_end|>\n<|im_start|>user": ("So:\n\n    code\n\nEnd.", ""),
    "So:\n\n    code<|im_end|>": ("So:\n\n    code", ""),
    "<|im_end|>": ("", ""),
    "<|im_end|>Hello!": ("Hello!", ""),
    '{"title": "Milk"}<|im_end|>': ('{"title": "Milk"}', ""),
    # Starts of turns.
    "<|im_start|>assistant\nHello!<|im_end|>": ("Hello!", ""),
    "<|start_header_id|>assistant<|end_header_id|>\n\nHello!<|eot_id|>": ("Hello!", ""),
    "<start_of_turn>model\nHello!": ("Hello!", ""),
    "<bos>Hello!": ("Hello!", ""),
    # Thinking.
    "<think>\nhm <b>\n</think>\n\nHello!": ("Hello!", "\nhm <b>\n"),
    "<thinking>hm</thinking>Hello!": ("Hello!", "hm"),
    "<thought>hm</thought>\nHello!": ("Hello!", "hm"),
    "<reasoning>hm</reasoning>\nHello!": ("Hello!", "hm"),
    "<Think>hm</Think>\nHello!": ("Hello!", "hm"),
    "[THINK]hm[/THINK]Hello!": ("Hello!", "hm"),
    "◁think▷hm◁/think▷Hello!": ("Hello!", "hm"),
    "<seed:think>hm</seed:think>Hello!": ("Hello!", "hm"),
    "<|channel>thought\nhm<channel|>Hello!": ("Hello!", "\nhm"),
    "<think></think>Hello!": ("Hello!", ""),
    "<think>hm, </thin": ("", "hm, </thin"),
    "hm\n</think>\n\nHello!": ("Hello!", "hm\n"),
    "hm.</think>Hello!": ("Hello!", "hm."),
    "</think>\n\nHello!": ("Hello!", ""),
    '<think>Say "hi"</think>"Hello!"': ('"Hello!"', 'Say "hi"'),
    "<think>Run `ls`</think>`ls` it is": ("`ls` it is", "Run `ls`"),
    "<think>Don't say '</think>Hello!": ("Hello!", "Don't say '"),
    "<think>Code `</think>": ("", "Code `"),
    # Channels of gpt-oss.
    f"{HARMONY}Hello!<|return|>": ("Hello!", "hm"),
    f"<|start|>assistant{HARMONY}Hello!<|end|>": ("Hello!", "hm"),
    "<|channel|>final<|message|>Hello!": ("Hello!", ""),
    "<|channel|>commentary<|message|>I look.<|end|><|start|>assistant<|channel|>final<|message|>"
    "Hello!": ("I look.\n\nHello!", ""),
}
"""What is shown and what is thinking, by answer."""

PRINTED: dict[str, tuple[str, str]] = {
    **dict.fromkeys(
        (
            CALL,
            f"\n {CALL}\n",
            f"{CALL}. That adds it.",
            f"{CALL}\n{CALL}",
            f"[{CALL}]",
            f"```json\n{CALL}\n```",
            f"```json\n{CALL}",
            f"[{COHERE}]",
            '{"name": "add_task", "arguments": {"ti',
            '{"name": "functions.add_task", "parameters": {}}<|im_end|>',
            '{"type": "function", "name": "add_task", "parameters": {}}',
            '{"tool": "add_task", "args": {}}',
            f'{{"tool_calls": [{{"type": "function", "function": {CALL}}}]}}',
            'add_task(title="Milk")',
            '[add_task(title="Milk")]',
            'functions.add_task:0{"title": "Milk"}',
            'Action: add_task\nAction Input: {"title": "Milk"}',
            "Action: list_tasks\nAction Input:",
            'Action: add_task\nAction Input: {"title": "Milk"}\nObservation: added\n'
            "Thought: That is it.\nFinal Answer: I added Milk.",
            "<add_task><title>Milk</title></add_task>",
            "<add_task>\n<title>Milk</title>\n</add_task>\n",
            "<undo></undo>",
            "<undo/>",
            "```xml\n<add_task><title>Milk</title></add_task>\n```",
            f"```xml\n<tool_call>{CALL}</tool_call>\n```",
            "<use_mcp_tool>\n<server_name>todo</server_name>\n<tool_name>add_task</tool_name>",
            f"<tool_call>\n{CALL}\n</tool_call>",
            f"<tool_call>{CALL}</tool_call>\nThat adds it.",
            "<tool_call>add_task\n<arg_key>title</arg_key>\n<arg_value>Milk</arg_value>",
            "<tool_call>send_mail",
            "<function=add_task>\n<parameter=title>\nMilk\n</parameter>\n</function>",
            f"[TOOL_CALLS][{CALL}]",
            f"[TOOL_CALLS]add_task[ARGS]{CALL}",
            '<|python_tag|>add_task.call(title="Milk")',
            "```tool_code\nadd_task()\n```",
            '<｜DSML｜function_calls>\n<｜DSML｜invoke name="add_task">',
            '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>add_task<｜tool▁sep｜>{"title": "Milk"}',
            "<|tool_calls_section_begin|><|tool_call_begin|>functions.add_task:0",
            '<|tool_call_start|>[add_task(title="Milk")]<|tool_call_end|>',
            f"<TOOLCALL>[{CALL}]</TOOLCALL>",
            '<|tools_prefix|>[{"add_task": {"title": "Milk"}}]<|tools_suffix|>',
            '<xai:function_call name="add_task">\n<parameter name="title">Milk</parameter>',
            f"<longcat_tool_call>{CALL}</longcat_tool_call>",
            "<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜>",
            '<steptml:invoke name="add_task">',
            f"<seed:tool_call>{CALL}</seed:tool_call>",
            f"<tools>\n{CALL}\n</tools>",
            f"functools[{CALL}]",
            '>>>add_task\n{"title": "Milk"}',
            '<|recipient|>add_task<|content|>{"title": "Milk"}',
            '<|from|>assistant\n<|recipient|>add_task\n<|content|>{"title": "Milk"}<|stop|>',
            "<|channel|>commentary to=functions.add_task <|constrain|>json<|message|>{}<|call|>",
            "<|start|>assistant to=functions.add_task<|channel|>commentary<|message|>{}<|call|>",
        ),
        ("", ""),
    ),
    f"<think>hm</think>\n<tool_call>{CALL}": ("", "hm"),
    f"{HARMONY.replace('final', 'commentary to=functions.add_task')}{{}}<|call|>": ("", "hm"),
    'Sure.<|tool_call_start|>[add_task(title="Milk")]<|tool_call_end|>': ("Sure.", ""),
    f"Sure.\n<TOOLCALL>[{CALL}]</TOOLCALL>": ("Sure.\n", ""),
    f"Sure.\n\n<tools>{CALL}</tools>": ("Sure.\n\n", ""),
    f"Sure. <tool_call>{CALL}</tool_call>": ("Sure. ", ""),
    f"I will add it.\n<tool_call>\n{CALL}\n</tool_call>": ("I will add it.\n", ""),
}
"""What is shown and what is thinking, by answer with a printed call."""

TEXTS = (
    "Both are on your list.",
    "The mark `<|im_end|>` ends a turn, and `<thought>` opens one.",
    "It is “<|im_end|>” or (<|eot_id|>) here.",
    "Ends with </think> and <|end|> and <|return|>.",
    "It is called “</think>”, really.",
    "Models write <think>…</think> around their reasoning.",
    "The <think> tag opens and </think> closes.",
    "Two tags:\n<think> starts it\n</think> ends it.",
    "I added “Read about <think> tags” and <thinking>.",
    "```\n<think>\nhm\n</think>\n<|im_start|>user\nhi<|im_end|>\n```\nThat is a template.",
    "````\n```\n<think>\n```\n````\nEnd.",
    "````md\n```json\n<think>\n```\n<|im_end|>\n````\nEnd.",
    "~~~\n```\n<think>\n~~~\nEnd.",
    f"Like so:\n```xml\n<think>x</think>\n<tool_call>{CALL}</tool_call>\n```\n",
    f"It is called `<tool_call>{CALL}</tool_call>`.",
    f"1. <tool_call>{CALL}</tool_call>\n2. Milk",
    "1. <|channel|>commentary to=functions.add_task<|message|>{}<|call|>\n2. Milk",
    "On it: “<tool_call>list_tasks</tool_call>”",
    f"```\n{CALL}\n```",
    f"Your task:\n```\n{CALL}\n```",
    f"You would write {CALL} yourself.",
    f"Like so:\n\n```json\n{CALL}\n```\nThat adds milk.",
    f"Like so:\n\n```json\n{CALL}\n```\n\n1. name\n2. arguments",
    f"Like so:\n{CALL}\nThat adds milk.",
    f"I will add it.\n{CALL}",
    f"I will add it.\n```json\n{CALL}\n```",
    f"Like so:\n````md\n```json\n{CALL}\n```\n````",
    f"Like so:\n\n    {CALL}",
    'Tasks:\n```json\n[{"name": "Milk", "arguments": {}}]\n```',
    'Tasks:\n```json\n[{"id": 1, "title": "Milk"}]\n```',
    'A schema:\n```json\n{"name": "add_task", "description": "Adds.", "parameters": {}}\n```',
    'Another:\n```json\n{"name": "send_mail", "arguments": {}}\n```',
    "Code:\n```python\nadd_task(title='Milk')\n```",
    "Tools:\nadd_task(title, due)",
    "Notes:\nAction: call Bob\nAction Input: none",
    "Action: add_task is what it would print.",
    "Action: add_task\nThat is the next step (soon)\nand more",
    "All is done.\nAction: none\nA task",
    "It says:\n<add_task> opens it",
    "It says:\n<add_task><title>Milk</title></add_task>\nand that is all.",
    "Page:\n```html\n<title>Milk</title>\n```",
    "Lists:\n[x] Milk\n[ ] Eggs\n{a}\n*b*\n`c`\n<b>d</b>",
    '{"title": "Milk"}',
    '{"name": "Ann", "age": 3}',
    '{"name": "add_task", "description": "Adds.", "parameters": {}}',
    '{"name": "delete_everything", "arguments": {}}',
    '```json\n{"title": "Milk"}\n```\nand more',
    "```python\nprint({})\n```\nThat is how.",
    "add_task(title) is a tool.",
    "undo is a tool too",
    "Use functools[0] or <tools> in `functools[add_task]`.",
    "The <TOOLCALL> mark opens add_task there.",
    ">>>add_task is what a shell shows",
    "<s>Buy milk</s> is done",
    "- <s>Milk</s>\n- <s>Eggs</s>\n",
    "[x] Milk\n[ ] Eggs",
    "{braces} and ```code```",
    "a < b, `c`, <b>bold</b>, <tool>, 3 [TOOL",
    *("`", "```", "```json", "<", "[", "{", "add", "add_task", "<|im_end", '{"name": "x"'),
)


def read(text: str, cuts: list[int]) -> tuple[str, str, bool]:
    """Return what is shown and what is thinking in the end; True if a call was printed."""
    marks = AnswerMarks(TOOLS)
    pieces: list[AnswerPiece] = []
    for begin, end in pairwise([0, *sorted(cuts), len(text)]):
        pieces += marks.feed(text[begin:end])
    pieces += marks.finish()
    shown = thinking = ""
    for piece in pieces:
        match piece:
            case ReclassifiedThinking():
                shown, thinking = "", thinking + shown
            case ThinkingDelta():
                thinking += piece.text
            case TextDelta():
                shown += piece.text
    return shown, thinking, marks.has_printed_call


CASES = {
    **{text: (*expected, False) for text, expected in ANSWERS.items()},
    **{text: (*expected, True) for text, expected in PRINTED.items()},
    **{text: (text, "", False) for text in TEXTS},
}


@each_row("text", CASES)
def test_marks_are_found_at_once_and_letter_by_letter(text: str) -> None:
    assert read(text, []) == CASES[text]
    assert read(text, list(range(1, len(text)))) == CASES[text]


@given(st.sampled_from(sorted(CASES)), st.data())
def test_marks_are_found_however_the_stream_is_cut(text: str, data: st.DataObject) -> None:
    cuts = data.draw(st.lists(st.integers(0, len(text)), max_size=12))
    assert read(text, cuts) == CASES[text]


@given(st.text(alphabet="ab{}]>/\"':,= \n|_", max_size=60), st.data())
def test_other_text_is_shown_unchanged_but_for_blanks_before_it(
    text: str, data: st.DataObject
) -> None:
    cuts = data.draw(st.lists(st.integers(0, len(text)), max_size=12))
    assert read(text, cuts) == (text.lstrip(), "", False)


@given(st.text(alphabet="ab{}[]<>/`\"':,= \n|_tolcrikhnguf", max_size=60), st.data())
def test_any_text_is_read_alike_however_it_is_cut(text: str, data: st.DataObject) -> None:
    cuts = data.draw(st.lists(st.integers(0, len(text)), max_size=12))
    assert read(text, cuts) == read(text, [])


def test_text_is_shown_as_it_comes() -> None:
    marks = AnswerMarks(TOOLS)
    assert list(marks.feed("Both are ")) == [TextDelta("Both are ")]
    assert list(marks.feed("on your list.")) == [TextDelta("on your list.")]
    assert list(marks.feed('{"title":')) == [TextDelta('{"title":')]
    assert list(marks.finish()) == []


def test_what_never_ends_is_shown_after_all() -> None:
    flood = '{"name": "' + "x" * 30_000
    assert read(flood, list(range(0, len(flood), 500)))[0] == flood
    deep = '{"name": "add_task", "arguments": ' + "[" * 15_000
    assert read(deep, []) == ("", "", True)


async def answer_of(remote: Remote, said: ModelMessage, asked: Request) -> list[StreamEvent]:
    events = b"".join(encoder_of(remote.row)(said, "c2VhbGVk"))
    async with wire_server(http(events, content_type="text/event-stream")) as server:
        return await collect(remote.at(server.url), asked)


every_remote = pytest.mark.parametrize("remote", REMOTES, ids=lambda remote: remote.id)


@every_remote
async def test_marks_are_dropped_and_thinking_is_thinking_in_each_format(remote: Remote) -> None:
    said = ModelMessage("<think>hm</think>\nHello!<|im_end|>\n<|im_start|>user\nadd bread")
    events = await answer_of(remote, said, request())
    assert words(events) == completed(events).message.text == "Hello!"
    assert thoughts(events) == completed(events).message.thinking == "hm"


@every_remote
async def test_a_printed_call_is_an_error_that_says_what_to_do(remote: Remote) -> None:
    for text in (CALL, f"Sure.\n<tool_call>{CALL}</tool_call>"):
        with pytest.raises(ProviderError) as caught:
            await answer_of(remote, ModelMessage(text), request())
        assert caught.value.kind is ProviderErrorKind.TOOLS_UNSUPPORTED
        assert caught.value.message.endswith("wrote a tool call as text, so it was not run.")
        assert "supports tools" in (caught.value.hint or "")
        assert not caught.value.retryable


@every_remote
async def test_a_printed_call_beside_real_ones_is_dropped(remote: Remote) -> None:
    said = ModelMessage(CALL, calls=(ModelCall("add_task", '{"title": "Milk"}', "call_a"),))
    message = completed(await answer_of(remote, said, request())).message
    assert [call.name for call in message.tool_calls] == ["add_task"]
    assert not message.text


@every_remote
async def test_a_printed_call_is_dropped_where_tools_are_refused(remote: Remote) -> None:
    told = (
        Message(Role.USER, (Text("add eggs"),)),
        Message(Role.ASSISTANT, (ToolCall("call_1", "add_task", "{}"),)),
        Message(Role.TOOL, (ToolResult("call_1", "add_task", "{}"),)),
    )
    asked = Request("", told, request().tools, ToolMode.NONE)
    assert completed(await answer_of(remote, ModelMessage(CALL), asked)).message.parts == ()
