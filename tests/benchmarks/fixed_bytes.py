"""What a fresh turn costs before anything is said, as each provider is really sent it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from tests.wires.remotes import REMOTES, Remote
from todo_tui.agent.system_prompt import DOCUMENTS_RULE, SYSTEM_PROMPT
from todo_tui.domain.messages import Message, Request, Role, Text
from todo_tui.providers.json_values import JsonObject
from todo_tui.providers.registry import Wire
from todo_tui.tools.registry import TOOLS

_WORD = "x"


@dataclass(frozen=True, slots=True)
class FixedBytes:
    """Bytes of a request's body less the one word that was said in it."""

    asked: Remote
    whole: int
    instructions: int
    tools: int

    @property
    def rest(self) -> int:
        """The model's name, options, the shell around the message."""
        return self.whole - self.instructions - self.tools


def fixed_bytes(*, with_documents: bool = False) -> Iterator[FixedBytes]:
    """One row for each provider that is reached over a network."""
    return (_measured(each, with_documents) for each in REMOTES)


def table() -> str:
    """The rows as the README would show them."""
    lines = [
        "| a fresh turn, before anything is said | bytes | instructions | tools | the rest |",
        "|---|---|---|---|---|",
    ]
    lines += [
        f"| {row.asked.row.label}, `{row.asked.model}` | {row.whole:,} "
        f"| {row.instructions:,} | {row.tools:,} | {row.rest:,} |"
        for row in fixed_bytes()
    ]
    return "\n".join(lines)


def _measured(asked: Remote, with_documents: bool) -> FixedBytes:
    specs = tuple(tool.spec for tool in TOOLS if with_documents or not tool.needs_documents)
    instructions = SYSTEM_PROMPT + (DOCUMENTS_RULE if with_documents else "")
    said = Message(Role.USER, (Text(_WORD),))
    wire, server = asked.wire_format(), asked.server()

    def sent(request: Request) -> int:
        return _bytes(wire.body(request, server, asked.origin), asked.wire) - len(_WORD)

    whole = sent(Request(instructions, (said,), specs))
    without_tools = sent(Request(instructions, (said,)))
    bare = sent(Request("", (said,)))
    return FixedBytes(asked, whole, without_tools - bare, whole - without_tools)


def _bytes(body: JsonObject, wire: Wire) -> int:
    """As the SDKs write JSON: without blanks, characters as they are; but for Google's."""
    if wire is Wire.GEMINI:
        del body["model"]  # it stands in the path
        return len(json.dumps(body))
    return len(json.dumps(body, separators=(",", ":"), ensure_ascii=False).encode())
