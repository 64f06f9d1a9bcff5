"""Sums of tokens and money: by local day, by conversation, whatever becomes of either."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from pathlib import Path

import pytest

from tests.store.opened import NOW, opened
from tests.stored import stored_calls
from todo_tui.domain.errors import NotFound
from todo_tui.domain.events import TurnOutcome
from todo_tui.domain.messages import Message, Role, Text, TurnStatus, Usage, UsageSum
from todo_tui.store.conversations.records import DayUsage, ModelCall, StoredTurn
from todo_tui.store.store import Store

USAGE = Usage(100, 40, 20, 5, 30)


def begin(store: Store) -> StoredTurn:
    conversation = store.conversations.start()
    said = Message(Role.USER, (Text("hello"),))
    return store.turns.open(conversation.id, said, provider="groq", model="oss")


def call(cost: float | None = 0.25, usage: Usage = USAGE, status: str = "finished") -> ModelCall:
    return ModelCall("groq", "oss", usage, cost, 10.0, status)


def test_a_call_comes_back_with_all_its_tokens(store: Store) -> None:
    turn = begin(store)
    failed = ModelCall("gemini", "flash", Usage(7), None, 3.5, "failed", "It is down.")
    store.turns.append_round(turn.id, (), calls=(call(), failed))
    assert stored_calls(store, turn.id) == (call(), failed)


def test_a_turn_comes_back_with_what_it_wrote_to_caches_and_who_answered_last(
    store: Store,
) -> None:
    turn = begin(store)
    outcome = TurnOutcome(provider="gemini", model="flash", usage=USAGE, model_calls=1)
    store.turns.close(turn.id, TurnStatus.FINISHED, outcome=outcome)
    (record,) = store.turns.list(turn.conversation_id)
    assert record.usage == USAGE
    assert (record.provider, record.model) == ("gemini", "flash")


def test_a_day_is_the_sum_of_its_calls(store: Store) -> None:
    for _ in range(3):
        store.turns.append_round(begin(store).id, (), calls=(call(), call()))
    total = Usage(600, 240, 120, 30, 180)
    today = DayUsage(total, 1.5, 0, 6, date(2026, 11, 18))
    assert store.usage.today() == today
    assert store.usage.days() == (today,)


def test_a_day_without_a_call_is_empty_and_left_out(store: Store) -> None:
    assert store.usage.today() == DayUsage(Usage(), 0.0, 0, 0, date(2026, 11, 18))
    assert store.usage.days() == ()


def test_calls_without_a_price_are_counted_and_cost_nothing(store: Store) -> None:
    turn = begin(store)
    nothing_came = call(None, Usage(), "failed")
    broke_off = call(None, Usage(50), "failed")
    store.turns.append_round(
        turn.id, (), calls=(call(), call(None), call(None, Usage()), nothing_came, broke_off)
    )
    spent = store.usage.conversation(turn.conversation_id)
    assert (spent.cost_usd, spent.unpriced_calls, spent.model_calls) == (0.25, 3, 5)


@pytest.mark.parametrize(
    ("zone", "local", "day"),
    [
        # Midnight there is not midnight in UTC, nor always a whole hour away from it.
        ("Europe/Berlin", "2026-11-18T00:10", "2026-11-18"),
        ("America/Los_Angeles", "2026-11-18T23:50", "2026-11-18"),
        ("Asia/Kathmandu", "2026-11-18T00:05", "2026-11-18"),
        ("Pacific/Kiritimati", "2026-11-18T01:00", "2026-11-18"),
    ],
)
def test_a_day_is_a_local_day(path: Path, zone: str, local: str, day: str) -> None:
    with opened(path, zone=zone, now=datetime.fromisoformat(local)) as store:
        store.turns.append_round(begin(store).id, [], calls=[call()])
        assert [spent.day for spent in store.usage.days()] == [date.fromisoformat(day)]
        assert store.usage.today().model_calls == 1


@pytest.mark.parametrize("change", ["2026-03-29", "2026-10-25"])
def test_days_on_which_clocks_change_lose_and_double_nothing(path: Path, change: str) -> None:
    begins = datetime.fromisoformat(change)
    hours = [begins + timedelta(hours=hour) for hour in range(-2, 27)]
    for moment in hours:
        with opened(path, now=moment) as store:
            store.turns.append_round(begin(store).id, [], calls=[call()])
    with opened(path) as store:
        days = store.usage.days()
    assert [(spent.day.isoformat(), spent.model_calls) for spent in reversed(days)] == [
        ((begins - timedelta(days=1)).date().isoformat(), 2),
        (change, 24),
        ((begins + timedelta(days=1)).date().isoformat(), 3),
    ]


def test_days_come_newest_first_and_no_more_than_asked_for(path: Path) -> None:
    for age in (0, 1, 5, 40):
        with opened(path, now=NOW - timedelta(days=age)) as store:
            store.turns.append_round(begin(store).id, [], calls=[call()])
    with opened(path) as store:
        assert [spent.day.day for spent in store.usage.days(3)] == [18, 17, 13]
        assert len(store.usage.days()) == 4


def test_what_was_spent_is_not_forgotten_with_its_conversation(store: Store) -> None:
    turn = begin(store)
    complaint = ModelCall("groq", "oss", Usage(), None, 1.0, "failed", "Zwetschgenkuchen refused")
    store.turns.append_round(turn.id, (), calls=(call(), complaint))
    before = store.usage.today()
    store.conversations.erase(turn.conversation_id)
    assert store.usage.today() == before
    assert b"Zwetschgenkuchen" not in b"".join(
        entry.read_bytes() for entry in store.path.parent.iterdir()
    )
    with pytest.raises(NotFound):
        store.usage.conversation(turn.conversation_id)


def test_the_spending_of_another_user_is_not_seen(path: Path) -> None:
    with opened(path) as ann, opened(path, user="bob") as bob:
        turn = begin(ann)
        ann.conversations.turns.append_round(turn.id, [], calls=[call()])
        assert bob.usage.days() == ()
        assert bob.usage.today().model_calls == 0
        with pytest.raises(NotFound):
            bob.usage.conversation(turn.conversation_id)


def test_ten_thousand_calls_are_summed(path: Path) -> None:
    for age in range(20):
        with opened(path, now=NOW - timedelta(days=age)) as store:
            turn = begin(store)
            store.turns.append_round(turn.id, (), calls=(call(),) * 500)
    with opened(path) as store:
        assert store.usage.today().model_calls == 500
        assert sum(spent.model_calls for spent in store.usage.days()) == 10_000
        assert store.usage.conversation(turn.conversation_id) == UsageSum(
            Usage(50_000, 20_000, 10_000, 2_500, 15_000), 125.0, 0, 500
        )
