"""Random conversations: stored turns of random providers that end in random ways."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass

from hypothesis import strategies as st

from tests.turns.conversation import free
from tests.turns.in_process_provider import InProcessProvider
from tests.wires.model_messages import ModelCall, ModelMessage
from tests.wires.remotes import ORIGINS, Remote
from todo_tui.agent.cancellation import TurnHandle
from todo_tui.agent.loop import run_turn
from todo_tui.agent.retry import RetryPolicy
from todo_tui.agent.run_config import Fallback, Limits, RunConfig
from todo_tui.domain.events import TurnEnd, TurnFailed
from todo_tui.domain.messages import Provider
from todo_tui.store.store import Store
from todo_tui.tools.registry import TOOLS

_HURRIED = Limits(max_iterations=4, retry=RetryPolicy(tries=1))
_SUMMARY = (ModelMessage("They spoke of milk."),)

words = st.sampled_from(
    ["", " ", "\n", "Ok.", "Two\n\nparagraphs", "half \ud83d", "\ude00 half", "\ud83d\ude00",
     "\x00\x1b[2J", "naïve – 日本語", "<think>no</think>", "long " * 60]
) | st.text(max_size=12)  # fmt: skip
arguments = st.sampled_from(
    ["{}", "", "null", "[]", '"text"', "{broken", '{"title": "Milk"}', '{"title": "\\ud83d"}',
     '{"title": "Eggs", "due": "tomorrow"}', '{"filter": "today"}', '{"task_ids": [1]}',
     '{"n": NaN}', '{"n": 1e400}', "{" * 40, '{"title": "a", "title": "b"}']
)  # fmt: skip
names = st.sampled_from(
    [*(tool.spec.name for tool in TOOLS), "no_such_tool", "functions.add_task", "add task",
     "1st", "naïve", "x" * 90]
)  # fmt: skip
call_ids = st.sampled_from(["", "call_1", "call_2", "toolu_01A", "odd id!", "é", "x" * 90])
calls = st.lists(st.builds(ModelCall, names, arguments, call_ids), min_size=1, max_size=3)
asking = st.builds(
    ModelMessage, text=words, thinking=words, calls=calls.map(tuple), usage=st.booleans()
)
answering = st.builds(
    ModelMessage, text=words, thinking=words, usage=st.booleans(), cut=st.booleans()
)


@dataclass(frozen=True, slots=True)
class RandomTurn:
    """Random turn: some rounds of calls, then an answer, or an end before it.

    Each number counts what comes before the event that it is named for; None: no such event.
    """

    remote: Remote
    text: str
    rounds: tuple[ModelMessage, ...]
    breaks_after: int | None
    """Events of the last message until its stream fails for good."""
    too_long: int | None
    """Model calls until one is refused as too long, once."""
    fallback: Remote | None
    """Provider that takes over after a failed stream."""
    compacts: Remote | None
    """Provider that summarises a history that is too long."""
    stops_after: int | None
    """Events of the turn until the user stops it."""
    dies_after: int | None
    """Messages stored until the process is killed."""


def _at_times(most: int) -> st.SearchStrategy[int | None]:
    return st.none() | st.none() | st.integers(0, most)


turns = st.builds(
    RandomTurn,
    st.sampled_from(ORIGINS),
    words.filter(lambda text: bool(text.strip())),
    st.tuples(st.lists(asking, max_size=2), answering).map(lambda said: (*said[0], said[1])),
    breaks_after=_at_times(6),
    too_long=_at_times(2),
    fallback=st.none() | st.sampled_from(ORIGINS),
    compacts=st.none() | st.sampled_from(ORIGINS),
    stops_after=_at_times(8),
    dies_after=_at_times(4),
)
conversations = st.lists(turns, min_size=1, max_size=4)


async def run_random_turn(turn: RandomTurn, store: Store, conversation_id: str) -> None:
    """Run the turn and store it, however it ends."""
    provider = InProcessProvider(turn.remote, turn.rounds, turn.breaks_after, turn.too_long)
    desk = RunConfig(
        store,
        provider,
        fallbacks=tuple(_at_hand(each, turn.rounds) for each in (turn.fallback,) if each),
        summarizer=_at_hand(turn.compacts, _SUMMARY) if turn.compacts else None,
        limits=_HURRIED,
        pricing=free,
    )
    handle, seen = TurnHandle(), 0
    async for event in run_turn(turn.text, desk, conversation_id=conversation_id, handle=handle):
        seen += 1
        if turn.stops_after is not None and seen > turn.stops_after:
            handle.stop()
        if isinstance(event, TurnFailed):
            assert event.error.kind != "internal_error"
    assert isinstance(event, TurnEnd)
    if turn.dies_after is not None:
        _forget_the_rest(store, event.turn_id, turn.dies_after)


def _at_hand(remote: Remote, script: Sequence[ModelMessage]) -> Fallback:
    async def opened() -> Provider:
        return InProcessProvider(remote, script)

    return Fallback(remote.id, remote.row.label, opened)


def _forget_the_rest(store: Store, turn_id: str, kept: int) -> None:
    """Keep of the turn what a killed process would have stored."""
    with closing(sqlite3.connect(store.path)) as database, database:
        database.execute("PRAGMA foreign_keys = OFF")
        rows = database.execute(
            "SELECT id FROM messages WHERE turn_id = ? ORDER BY seq", (turn_id,)
        )
        ids = [row[0] for row in rows]
        head = ids[min(kept, len(ids) - 1)]
        database.execute("UPDATE conversations SET head = ? WHERE head = ?", (head, ids[-1]))
        database.execute("UPDATE turns SET status = 'interrupted' WHERE id = ?", (turn_id,))
        database.executemany(
            "DELETE FROM messages WHERE id = ?", [(each,) for each in ids[kept + 1 :]]
        )
