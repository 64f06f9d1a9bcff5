"""The marks that models put around calls and thoughts, where no chat template takes them away.

Each family was trained on its own; a new one is a row here, and its calls are mostly in
one of the forms that `printed_calls` reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

FENCE = "```"
WHOLE_BLOCKS = ("<function=", "<invoke name=", "functools[")
"""Those that say with their first mark what is called."""
CLOSERS: dict[str, str | None] = {
    "<tool_call>": "</tool_call>",  # Hermes, Qwen, GLM, Hunyuan
    "<function_call>": "</function_call>",
    "<function=": "</function>",  # Llama, Qwen-Coder, Seed
    "<invoke name=": "</invoke>",  # MiniMax and Claude's kin
    "<function_calls>": "</function_calls>",  # OLMo
    "<tool_calls>": "</tool_calls>",  # Jamba, Hunyuan
    "<TOOLCALL>": "</TOOLCALL>",  # Nemotron
    "[TOOL_CALLS]": None,  # Mistral
    "<|python_tag|>": None,  # Llama 3
    "<|python_start|>": "<|python_end|>",  # Llama 4
    "<|tool_call|>": None,  # Granite, Phi
    "<|tool_call_start|>": "<|tool_call_end|>",  # LFM
    "<|tool_calls_section_begin|>": "<|tool_calls_section_end|>",  # Kimi
    "<｜tool▁calls▁begin｜>": "<｜tool▁calls▁end｜>",  # DeepSeek
    "<｜DSML｜function_calls>": "</｜DSML｜function_calls>",  # DeepSeek from 3.2
    "<|START_ACTION|>": "<|END_ACTION|>",  # Command
    "<|action_start|>": "<|action_end|>",  # InternLM
    "<start_function_call>": "<end_function_call>",  # FunctionGemma
    "<|tool_call>": "<tool_call|>",  # Gemma 4
    "functools[": None,  # Phi
    FENCE: FENCE,
}
"""What ends each kind of block; None: the end of the answer."""
CALL_FENCE = re.compile(
    r"```[ \t]*+(?:(?:json|tools?|tool_calls?|xml)?[ \t]*+\r?\n\s*+(?=[\[{<])"
    r"|tool_code[ \t]*+\r?\n\s*+)"
)
"""A fence that may hold a call: of JSON, of tags, or Gemma's of Python."""
FENCE_SO_FAR = re.compile(r"```[ \t]*+[\w+-]*+[ \t]*+(?:\r?\n\s*+)?")

THOUGHTS = {
    "<think>": "</think>",
    "<thinking>": "</thinking>",
    "[THINK]": "[/THINK]",  # Magistral
    "<seed:think>": "</seed:think>",
    "<|START_THINKING|>": "<|END_THINKING|>",  # Command
    "<|channel>thought": "<channel|>",  # Gemma 4
}
"""What begins thoughts, and what ends them."""
THOUGHTS_OVER = "\n</think>\n"
"""The end of thoughts that the chat template has begun, so that nothing said it."""

HARMONY = ("<|start|>", "<|channel|>")
"""What begins a message of gpt-oss: a header that names its channel, and who is called."""
HARMONY_BODY = "<|message|>"
HARMONY_ENDS = ("<|end|>", "<|call|>", "<|return|>")
LONGEST_HEADER = 200
"""Characters."""

OPENERS = (*CLOSERS, *THOUGHTS, THOUGHTS_OVER, *HARMONY, *HARMONY_ENDS)
OPENER = re.compile("|".join(re.escape(opener) for opener in OPENERS))


def beginnings(marks: Iterable[str]) -> frozenset[str]:
    """What may become one of the marks if more comes."""
    return frozenset(mark[:length] for mark in marks for length in range(1, len(mark)))


def unfinished(text: str, begun: frozenset[str]) -> int:
    """How many characters at the end of the text may be the beginning of a mark."""
    for length in range(min(len(text), _LONGEST_MARK), 0, -1):
        if text[-length:] in begun:
            return length
    return 0


OPENERS_BEGUN = beginnings(OPENERS)
_LONGEST_MARK = max(map(len, (*OPENERS, *THOUGHTS.values(), *HARMONY_ENDS))) - 1
