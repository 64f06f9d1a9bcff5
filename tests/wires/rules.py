"""Rules of all wire formats, and the rules of each provider.

A check raises AssertionError with the rule that is broken. The rules are those by which
the servers answer 400, as in their references and the SDKs' types.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tests.wires.chat_rules import (
    judge_chat,
    judge_gemini_compatible,
    judge_groq,
    judge_local,
    unsigned_in_chat,
)
from tests.wires.gemini_rules import judge_gemini, unsigned_in_contents
from tests.wires.messages_rules import judge_messages
from tests.wires.remotes import ORIGINS, Remote
from tests.wires.responses_rules import judge_openai, judge_responses
from tests.wires.stream_parts import encrypted_content_of
from todo_tui.providers.registry import Wire

Body = dict[str, Any]
"""Request body, parsed from JSON."""

_BY_ID: dict[str, Callable[[Body], None]] = {
    "openai": judge_openai,
    "groq": judge_groq,
    "gemini": judge_gemini_compatible,
    "ollama": judge_local,
    "local": judge_local,
}
_BY_WIRE: dict[Wire, Callable[[Body], None]] = {
    Wire.CHAT: judge_chat,
    Wire.RESPONSES: judge_responses,
    Wire.MESSAGES: judge_messages,
    Wire.GEMINI: judge_gemini,
}

_UNSIGNED: dict[str, Callable[[Body], bool]] = {
    "gemini": unsigned_in_chat,
    "gemini-native": unsigned_in_contents,
}


def judge(body: Body, remote: Remote, *, signs: bool = True) -> None:
    """Check a request against the rules of all providers and of that one.

    `signs` is True if its server signs the calls that it makes, as Gemini's does: then all
    that it is sent are signed, those of other models with the placeholder.

    Raises:
        AssertionError: a rule is broken.
    """
    body = {
        key: value
        for key, value in body.items()
        if key != "model" or remote.wire is not Wire.GEMINI
    }
    text = json.dumps(body, ensure_ascii=False, allow_nan=False)
    text.encode("utf-8")  # half a character has no bytes
    for other in ORIGINS:
        if other.origin != remote.origin:
            assert encrypted_content_of(other.origin) not in text, (
                f"thoughts of {other.origin} leave"
            )
    _BY_ID.get(remote.id, _BY_WIRE[remote.wire])(body)
    if signs and (unsigned := _UNSIGNED.get(remote.id)):
        assert not unsigned(body), "the first call of each message is signed"
