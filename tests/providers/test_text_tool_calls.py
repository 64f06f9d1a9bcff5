"""Calls and thinking that a model writes as text, however the stream is cut."""

from __future__ import annotations

import json
import re
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.providers.wire import TOOLS
from todo_tui.domain.messages import TextDelta, ThinkingDelta, ToolSpec
from todo_tui.providers.text_tool_calls import (
    AnswerPiece,
    ReclassifiedThinking,
    TextCall,
    TextCallParser,
    TextCallReader,
    occurs_in,
)

MILK = TextCall("add_task", '{"title": "Milk"}')
DONE = TextCall("complete_task", '{"task_ids": [1, 2]}')
ARGUMENTS = '{"title": "Milk"}'
PLAIN = '{"name": "add_task", "arguments": {"title": "Milk"}}'

CALLS: dict[str, tuple[str, tuple[TextCall, ...]]] = {
    PLAIN: ("", (MILK,)),
    f"  \n{PLAIN}\n": ("", (MILK,)),
    f'{{"name": "add_task", "parameters": {ARGUMENTS}}}': ("", (MILK,)),
    f'{{"type": "function", "name": "add_task", "parameters": {ARGUMENTS}}}': ("", (MILK,)),
    f'{{"arguments": {ARGUMENTS}, "name": "add_task"}}': ("", (MILK,)),
    '{"name": "add_task", "arguments": "{\\"title\\": \\"Milk\\"}"}': ("", (MILK,)),
    f"```json\n{PLAIN}\n```": ("", (MILK,)),
    f"```json\n{PLAIN}": ("", (MILK,)),
    f"<tool_call>\n{PLAIN}\n</tool_call>": ("", (MILK,)),
    f"Sure. <tool_call>{PLAIN}</tool_call>\n<tool_call>{PLAIN}</tool_call>": (
        "Sure. ",
        (MILK, MILK),
    ),
    f"<tool_call>{PLAIN}</tool_call>\nThat adds it.": ("That adds it.", (MILK,)),
    f"<tool_call>{PLAIN}": ("", (MILK,)),
    "<tool_call>\n<function=add_task>\n<parameter=title>\nMilk\n</parameter>\n</function>\n"
    "</tool_call>": ("", (MILK,)),
    "<tool_call><function=complete_task><parameter=task_ids>[1, 2]</parameter></function>"
    "</tool_call>": ("", (DONE,)),
    "<tool_call><function=add_task><parameter=title>42</parameter></function></tool_call>": (
        "",
        (TextCall("add_task", '{"title": "42"}'),),
    ),
    f"[TOOL_CALLS][{PLAIN}]": ("", (MILK,)),
    f'[TOOL_CALLS][{PLAIN}, {{"name": "complete_task", "arguments": {{"task_ids": [1, 2]}}}}]': (
        "",
        (MILK, DONE),
    ),
    f"[TOOL_CALLS]add_task[ARGS]{ARGUMENTS}": ("", (MILK,)),
    f"[TOOL_CALLS]add_task[CALL_ID]a1b2c3d4e[ARGS]{ARGUMENTS}[TOOL_CALLS]add_task{ARGUMENTS}": (
        "",
        (MILK, MILK),
    ),
    f'<|python_tag|>{{"name": "add_task", "parameters": {ARGUMENTS}}}': ("", (MILK,)),
    f"<|python_tag|>{PLAIN}; {PLAIN}": ("", (MILK, MILK)),
    '<tool_call>{"name": "add_task", "arguments": {"title": "</tool_call> \\"x"}}</tool_call>.': (
        "",
        (TextCall("add_task", '{"title": "</tool_call> \\"x"}'),),
    ),
    f'<tool_call>{{"name": </tool_call> <tool_call>{PLAIN}</tool_call>': (
        '<tool_call>{"name": </tool_call> ',
        (MILK,),
    ),
}

WORDS = (
    "Both are on your list.",
    '{"title": "Milk"}',
    '{"name": "add_task"',
    '{"name": "delete_everything", "arguments": {}}',
    '{"name": "add_task", "arguments": [1]}',
    f"{PLAIN}. That adds it.",
    f"{PLAIN}\n{PLAIN}",
    f"[{PLAIN}]",
    f"```\n{PLAIN}\n```",
    f"```json\n{PLAIN}\n```\nDone.",
    f"```json\n[{PLAIN}]\n```",
    f"I will add it:\n\n```json\n{PLAIN}\n```",
    f'{{"type": "function", "function": {PLAIN}}}',
    f"<function=add_task>{ARGUMENTS}</function>",
    f"<|tool_call|>[{PLAIN}]",
    '<|python_tag|>add_task.call(title="Milk")',
    f"<tool_calls>[{PLAIN}]</tool_calls>",
    f"<|channel|>commentary to=functions.add_task <|message|>{ARGUMENTS}<|call|>",
    "[x] Milk\n[ ] Eggs",
    "{braces} and ```code```",
    "```python\nprint({})\n```\nThat is how.",
    '```json\n{"title": "Milk"}\n```\nand more',
    "```jsonl\n{}\n```",
    f"You would write {PLAIN} yourself.",
    f"It is called `<tool_call>{PLAIN}</tool_call>`.",
    "On it: “<tool_call>list_tasks</tool_call>”",
    '[add_task(title="Milk")]',
    "add_task('Milk')",
    "I added “Read about <think> tags” and <thinking>.",
    "Ends with </think> and <|end|> and <|return|>.",
    '<tool_call>{"name": "x"</tool_call> and on',
    '<tool_call>{"title": "<function=add_task>{}</function>"}</tool_call>',
    "a < b, `c`, <b>bold</b>, <tool>, 3 [TOOL",
    "<tool_call>not a call</tool_call> and on",
    "<tool_call><function=unknown>{}</function></tool_call>",
    "`",
    "```",
    "```json",
    "<",
    "[",
    "{",
)


def played(text: str, cuts: list[int], tools: tuple[ToolSpec, ...] = TOOLS) -> TextCallParser:
    """Feed the text in pieces; what was shown is kept in `shown`."""
    answer = TextCallParser(TextCallReader(tools))
    edges = [0, *sorted(cuts), len(text)]
    shown.clear()
    for begin, end in pairwise(edges):
        shown.extend(answer.feed(text[begin:end]))
    shown.extend(answer.finish())
    return answer


shown: list[AnswerPiece] = []


def said() -> str:
    return "".join(piece.text for piece in shown if isinstance(piece, TextDelta))


def cuts_of(text: str) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(0, len(text)), max_size=12)


@pytest.mark.parametrize("text", CALLS)
def test_a_call_in_text_is_found_when_it_comes_at_once_and_letter_by_letter(text: str) -> None:
    expected_words, expected_calls = CALLS[text]
    for cuts in ([], list(range(1, len(text)))):
        answer = played(text, cuts)
        assert tuple(answer.calls) == expected_calls
        assert said().strip() == expected_words.strip()


@given(st.sampled_from(sorted(CALLS)).flatmap(lambda text: st.tuples(st.just(text), cuts_of(text))))
def test_a_call_in_text_is_found_however_the_stream_is_cut(case: tuple[str, list[int]]) -> None:
    text, cuts = case
    answer = played(text, cuts)
    assert tuple(answer.calls) == CALLS[text][1]
    assert said().strip() == CALLS[text][0].strip()


@pytest.mark.parametrize("text", WORDS)
def test_words_that_are_no_call_come_through_unchanged(text: str) -> None:
    for cuts in ([], list(range(1, len(text)))):
        assert not played(text, cuts).calls
        assert said() == text


@given(st.text(alphabet="ab{}[]<>/`\"':,= \n|_tolcrikhnguf", max_size=60), st.data())
def test_any_words_come_through_unchanged_but_for_blanks_before_them(
    text: str, data: st.DataObject
) -> None:
    assume(not re.search(r"</?think(ing)?>", text))
    assert not played(text, data.draw(cuts_of(text))).calls
    assert said() == text.lstrip()


def test_plain_words_are_shown_as_they_come() -> None:
    answer = TextCallParser(TextCallReader(TOOLS))
    assert list(answer.feed("Both are ")) == [TextDelta("Both are ")]
    assert list(answer.feed("on your list.")) == [TextDelta("on your list.")]
    assert list(answer.finish()) == []


def test_nothing_of_a_call_is_shown_while_it_may_still_be_one() -> None:
    answer = TextCallParser(TextCallReader(TOOLS))
    assert [piece for letter in PLAIN for piece in answer.feed(letter)] == []
    assert list(answer.finish()) == []
    assert answer.calls == [MILK]


def test_json_that_is_surely_no_call_is_not_held_back() -> None:
    answer = TextCallParser(TextCallReader(TOOLS))
    assert list(answer.feed('{"title":')) == [TextDelta('{"title":')]


def test_what_never_ends_is_shown_after_all() -> None:
    answer = TextCallParser(TextCallReader(TOOLS))
    flood = "<tool_call>" + "x" * 30_000
    assert "".join(piece.text for piece in answer.feed(flood)) == flood


def test_thoughts_in_tags_are_thoughts() -> None:
    for cuts in ([], list(range(1, 60))):
        played(f"<think>\nhm <b>\n</think>\n\nI add it. <tool_call>{PLAIN}</tool_call>", cuts)
        thought = "".join(piece.text for piece in shown if isinstance(piece, ThinkingDelta))
        assert thought == "\nhm <b>\n"
        assert said() == "I add it. "


def test_thoughts_that_never_end_are_still_thoughts() -> None:
    played("<think>hm, </thin", [9])
    assert "".join(piece.text for piece in shown) == "hm, </thin"
    assert all(isinstance(piece, ThinkingDelta) for piece in shown)


@pytest.mark.parametrize(
    ("begin", "end"),
    [("<thinking>", "</thinking>"), ("[THINK]", "[/THINK]"), ("<|channel>thought", "<channel|>")],
)
def test_thoughts_of_other_families_are_thoughts(begin: str, end: str) -> None:
    played(f"{begin}hm{end}\nDone.", list(range(1, 12)))
    assert said() == "Done."
    assert "".join(piece.text for piece in shown if isinstance(piece, ThinkingDelta)) == "hm"


def test_thoughts_whose_beginning_was_not_said_are_thoughts_once_they_end() -> None:
    played(f"I add it.\n</think>\n\n{PLAIN}", list(range(1, 40)))
    assert ReclassifiedThinking() in shown
    assert said() == "I add it."


@pytest.mark.parametrize("text", [text for text in CALLS if text.startswith(("{", "<", "`"))])
def test_what_the_model_was_told_is_no_call_when_it_says_it_again(text: str) -> None:
    told = json.dumps({"title": f"1. {text}"}, ensure_ascii=False)
    answer = TextCallParser(TextCallReader(TOOLS, is_quoted=lambda said: occurs_in(said, [told])))
    pieces = [*answer.feed(text), *answer.finish()]
    assert not answer.calls
    assert pieces


def test_without_tools_nothing_is_a_call() -> None:
    assert not played(PLAIN, [], tools=()).calls
    assert said() == PLAIN


def test_deep_nesting_is_no_crash() -> None:
    deep = '{"name": "add_task", "arguments": ' + "[" * 15_000
    assert not played(deep, []).calls
    assert said() == deep


def test_arguments_keep_what_json_cannot_say_in_ascii() -> None:
    answer = played('{"name": "add_task", "arguments": {"title": "Äpfel 🍏"}}', [])
    assert json.loads(answer.calls[0].arguments) == {"title": "Äpfel 🍏"}


def test_half_a_character_in_a_call_is_replaced() -> None:
    (call,) = played('{"name": "add_task", "arguments": {"title": "\\ud83d"}}', []).calls
    assert json.loads(call.arguments.encode()) == {"title": "\ufffd"}


def test_half_a_character_in_the_name_of_no_tool_is_replaced() -> None:
    reader = TextCallReader(TOOLS, any_name=True)
    (call,) = reader.read('{"name": "x\\ud83d", "arguments": {}}')
    assert call.name == "x\ufffd"
