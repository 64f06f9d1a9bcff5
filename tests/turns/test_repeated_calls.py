"""Model that repeats one call: the last request forbids more of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.turns.conversation import open_conversation
from tests.wires.model_messages import ModelCall, ModelMessage
from tests.wires.remotes import REMOTES, Remote
from tests.wires.rules import Body
from tests.wires.server import fake_server

ONE_A_WIRE = {remote.wire: remote for remote in reversed(REMOTES)}.values()


def _insists(body: Body) -> ModelMessage:
    if "none" in str(body.get("tool_choice") or body.get("toolConfig") or "").casefold():
        return ModelMessage("There is no such task.")
    return ModelMessage(calls=(ModelCall.with_arguments("complete_task", task_ids=[999]),))


@pytest.mark.parametrize("remote", ONE_A_WIRE, ids=lambda remote: remote.id)
async def test_a_call_that_is_repeated_is_answered_soon(remote: Remote, database: Path) -> None:
    async with fake_server(remote, _insists) as server:
        async with open_conversation(remote.at(server.url), database) as talk:
            end = await talk.finished("Complete the last one")
        bodies = server.received
    assert end.outcome.answer == "There is no such task."
    assert len(bodies) == 4
    assert bodies[-1]["tools"] == bodies[0]["tools"]
