"""Any fault at any moment: one final event, each tool once, nothing lost, next turn works."""

from __future__ import annotations

import asyncio
import itertools
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.agent.complete import assert_complete, prepare_history
from tests.agent.conftest import RecordedSleeps
from tests.agent.named_providers import NamedProvider, available_fallback, error, missing
from tests.conftest import NOW
from tests.scripted import Round, Step, answer, call
from tests.stored import stored_calls
from todo_tui.agent.approver import ApprovalAnswer, ApprovalQuestion
from todo_tui.agent.cancellation import TurnHandle
from todo_tui.agent.loop import run_turn
from todo_tui.agent.run_config import ContextWindow, RunConfig
from todo_tui.config.settings import ApprovalMode, ApprovalSettings
from todo_tui.domain.errors import ProviderErrorKind as Kind
from todo_tui.domain.events import (
    StepStatus,
    TurnCancelled,
    TurnEnd,
    TurnFailed,
    TurnFinished,
    TurnStarted,
)
from todo_tui.domain.messages import (
    Completed,
    Message,
    Provider,
    Request,
    Role,
    StopReason,
    Text,
    TextDelta,
    Thinking,
    ToolCall,
    Usage,
)
from todo_tui.domain.when import Clock
from todo_tui.store.store import Store, open_store

Options = dict[str, Any]
"""Fields of RunConfig by name."""

SIGNED = {"signature": "s"}


def spoken(*parts: Text | Thinking | ToolCall, stop: StopReason = StopReason.END) -> Completed:
    return Completed(Message(Role.ASSISTANT, parts), stop, Usage(10, 0, 1))


def odd_calls() -> Round:
    parts = (
        ToolCall("", "list_tasks", ""),
        ToolCall("same", "no_such_tool", "{}"),
        ToolCall("same", "add_task", '{"title": "Br'),
        ToolCall("not valid " * 9, "add_task", "[1]"),
    )
    return [spoken(*parts, stop=StopReason.TOOL_CALLS)]


FAULTS: dict[str, Round] = {
    **{kind.value: [error(kind)] for kind in Kind},
    "words, then a fault": [TextDelta("Half a wo"), error(Kind.NETWORK)],
    "words, then a bad key": [TextDelta("Half a wo"), error(Kind.AUTH)],
    "wait too long": [error(Kind.RATE_LIMIT, retry_after=3600)],
    "broken off": [TextDelta("Half a")],
    "nothing": [],
    "empty": [spoken()],
    "cut": [TextDelta("So"), spoken(Text("So"), stop=StopReason.LENGTH)],
    "cut in a call": [spoken(call("add_task", title="Never"), stop=StopReason.LENGTH)],
    "paused": [TextDelta("Well, "), spoken(Text("Well, "), stop=StopReason.PAUSED)],
    "paused over nothing": [spoken(Thinking("Hm", SIGNED), stop=StopReason.PAUSED)],
    "odd calls": odd_calls(),
    "too much": [TextDelta("x" * 1_000_000)],
    "half characters": [TextDelta("\ud83d"), spoken(Text("\ud83d"))],
    "a bug": [RuntimeError("no provider should")],  # type: ignore[list-item]  # a bug it is
}
GONE_WITH_IT = ("cut", "empty", "half characters")
"""They end the turn before all is done, and yet are answers."""


class Model(NamedProvider):
    """Model that adds two tasks one after the other and answers, apart from its faults.

    What is to be done next it sees from what the request tells, so that it can go on
    where another has stopped. `faults` are played at those of its calls.
    """

    def __init__(self, name: str, faults: dict[int, Round]) -> None:
        super().__init__(name, script=self._play)
        self.faults = faults

    def _play(self, request: Request) -> Round:
        assert_complete([message for message in request.messages if message.parts])
        fault = self.faults.get(len(self.requests) - 1)
        if fault is not None:
            return list(raising(fault))
        start = max(n for n, said in enumerate(request.messages) if said.role is Role.USER)
        results = [r for said in request.messages[start:] for r in said.tool_results]
        added = sum(r.name == "add_task" and not r.is_error for r in results)
        if "add" not in request.messages[start].text or added == 2:
            return answer("All is done.", usage=Usage(10, 0, 1))
        thought = (Thinking("Hm", SIGNED), Text("Adding.", SIGNED))
        asked = call("add_task", title=("One", "Two")[added])
        return [spoken(*thought, replace(asked, meta=SIGNED), stop=StopReason.TOOL_CALLS)]


def raising(fault: Round) -> Iterator[Step]:
    for step in fault:
        if isinstance(step, RuntimeError):
            raise step
        yield step


async def stopped_within(steps: int | None, handle: TurnHandle) -> None:
    """Stop a turn after that many steps of the event loop; never for None."""
    if steps is None:
        return
    for _ in range(steps):
        await asyncio.sleep(0)
    handle.stop()


@dataclass
class PreparedTurn:
    """Conversation of two turns with the options of the third."""

    store: Store
    conversation_id: str = ""
    opened: list[NamedProvider] = field(default_factory=list)

    async def furnish(self) -> None:
        for text in ("first", "second"):
            end = await self.turn(text, Model("groq", {}))
            assert isinstance(end, TurnFinished)

    async def turn(
        self,
        text: str,
        provider: Provider,
        options: Options | None = None,
        *,
        stop_after: int | None = None,
        stop_within: int | None = None,
    ) -> TurnEnd:
        """Run the turn and return its final event; checks the invariants of any turn.

        It may be stopped after so many events, or so many steps of the event loop.
        """
        config = RunConfig(self.store, provider, sleep=RecordedSleeps(), random=lambda: 0.5)
        config = replace(config, **(options or {}))
        handle, events = TurnHandle(), []
        turn = run_turn(text, config, conversation_id=self.conversation_id or None, handle=handle)
        stopping = asyncio.create_task(stopped_within(stop_within, handle))
        async for event in turn:
            events.append(event)
            if stop_after is not None and len(events) > stop_after:
                handle.stop()
        stopping.cancel()
        await asyncio.wait([stopping])
        assert isinstance(events[0], TurnStarted)
        end = events[-1]
        assert isinstance(end, TurnEnd)
        assert [event for event in events if isinstance(event, TurnEnd)] == [end]
        assert asyncio.all_tasks() == {asyncio.current_task()}
        self.conversation_id = end.conversation_id
        self._check(end, text)
        return end

    def _check(self, end: TurnEnd, text: str) -> None:
        stored = self.store.turns.list(self.conversation_id)[-1]
        outcome = end.outcome
        status = type(end).__name__.removeprefix("Turn").lower()
        assert (stored.id, stored.status.value, stored.user_text) == (end.turn_id, status, text)
        assert stored.steps == outcome.trace
        assert stored.answer == outcome.answer.replace("\ud83d", "\ufffd")
        assert (stored.provider, stored.model) == (outcome.provider, outcome.model)
        assert (stored.usage, stored.cost_usd) == (outcome.usage, outcome.cost_usd)
        assert isinstance(end, TurnFailed) == (stored.error is not None)
        calls_made = stored_calls(self.store, end.turn_id)
        assert sum((each.usage for each in calls_made), Usage()) == outcome.usage
        history = self.store.turns.model_history(self.conversation_id).messages
        origins = {message.origin for message in history if message.origin} | {"other:model"}
        for origin in origins:
            asked = Message(Role.USER, (Text("next"),))
            for window in (ContextWindow(), ContextWindow(messages=5, tokens=50)):
                assert_complete(prepare_history([*history, asked], origin=origin, window=window))

    def check_tools_ran_once(self, end: TurnEnd) -> None:
        done = [
            step
            for step in end.outcome.trace
            if step.name == "add_task" and step.status is StepStatus.SUCCESS
        ]
        titles = [task.title for task in self.store.tasks.list().tasks]
        assert titles == ["One", "Two"][: len(done)]
        assert len({step.call_id for step in end.outcome.trace}) == len(end.outcome.trace)

    async def check_goes_on(self) -> None:
        end = await self.turn("thanks", Model("groq", {}))
        assert isinstance(end, TurnFinished)
        assert end.outcome.answer == "All is done."


@pytest.fixture(scope="session")
def template_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Database with two finished turns, copied because creating one takes longer."""
    path = tmp_path_factory.mktemp("furnished") / "tasks.db"
    with open_store(path, user="ann", clock=Clock("UTC", NOW)) as store:
        asyncio.run(PreparedTurn(store).furnish())
    return path


@pytest.fixture
def place(template_store: Path, tmp_path: Path) -> Iterator[PreparedTurn]:
    path = tmp_path / "tasks.db"
    shutil.copy(template_store, path)
    with open_store(path, user="ann", clock=Clock("UTC", NOW)) as store:
        yield PreparedTurn(store, store.conversations.list()[0].id)


# Each fault at each call, alone or with others; and each of the two with and without others.
@pytest.mark.parametrize(
    ("fault", "position", "helped"),
    [
        pytest.param(fault, position, helped, id=f"{fault}-{position}{'-with others' * helped}")
        for number, fault in enumerate(FAULTS)
        for position in (0, 1, 2)
        for helped in [(number + position) % 2 == 1]
    ],
)
async def test_any_fault_at_any_call_ends_well(
    place: PreparedTurn, fault: str, position: int, helped: bool
) -> None:
    gemini, summarizer = Model("gemini", {}), NamedProvider("clerk", answer("They met."))
    options: Options = {}
    if helped:
        options["fallbacks"] = (missing("Nobody"), available_fallback(gemini))
        options["summarizer"] = available_fallback(summarizer)

    end = await place.turn("add two", Model("groq", {position: FAULTS[fault]}), options)

    place.check_tools_ran_once(end)
    survived = isinstance(end, TurnFinished)
    names = [step.name for step in end.outcome.trace]
    passes = error(Kind(fault)).retryable if fault in set(Kind) else None
    if passes or fault == "context_too_long":
        assert survived
        assert "take_over" not in names
    if fault in set(Kind) and not passes and fault != "context_too_long":
        assert survived == (helped and fault != "refused")
        assert ("take_over" in names) == survived
    if fault == "context_too_long":
        assert ("summarise" if helped else "leave_out") in names
    if survived and fault not in GONE_WITH_IT:
        assert len(place.store.tasks.list().tasks) == 2
        assert end.outcome.answer.endswith("All is done.")
    assert gemini.closed == bool(gemini.requests)
    await place.check_goes_on()


@pytest.mark.parametrize("fault", sorted(set(FAULTS) - {"a bug"}))
async def test_a_fault_that_stays_ends_in_one_failure_or_with_another(
    place: PreparedTurn, fault: str
) -> None:
    always: dict[int, Round] = dict.fromkeys(range(1, 99), FAULTS[fault])
    options: Options = {
        "summarizer": available_fallback(NamedProvider("clerk", *([FAULTS[fault]] * 9)))
    }

    end = await place.turn("add two", Model("groq", always), options)

    place.check_tools_ran_once(end)
    assert [task.title for task in place.store.tasks.list().tasks] == ["One"]
    await place.check_goes_on()
    options["fallbacks"] = (available_fallback(Model("gemini", {})),)
    again = await place.turn("add more", Model("groq", always), options)
    assert isinstance(again, TurnEnd)
    await place.check_goes_on()


class AlternatingApprover:
    """Alternates between yes and no, after a moment."""

    def __init__(self) -> None:
        self._answers = itertools.cycle([True, False, True])

    async def decide(self, question: ApprovalQuestion) -> ApprovalAnswer:
        await asyncio.sleep(0)
        return ApprovalAnswer(next(self._answers))


faults_at = st.dictionaries(st.integers(0, 6), st.sampled_from(sorted(FAULTS)), max_size=4)


@settings(max_examples=20)
@given(
    groq=faults_at,
    gemini=faults_at,
    mistral=faults_at,
    summarizer=st.sampled_from([None, "", *sorted(FAULTS)]),
    asks=st.booleans(),
    stop_after=st.none() | st.integers(0, 25),
    stop_within=st.none() | st.integers(0, 400),
)
def test_any_faults_of_anybody_with_a_stop_at_any_moment_end_well(
    template_store: Path,
    groq: dict[int, str],
    gemini: dict[int, str],
    mistral: dict[int, str],
    summarizer: str | None,
    asks: bool,
    stop_after: int | None,
    stop_within: int | None,
) -> None:
    def model(name: str, faults: dict[int, str]) -> Model:
        return Model(name, {at: FAULTS[fault] for at, fault in faults.items()})

    async def one_turn(place: PreparedTurn) -> None:
        others = [model("gemini", gemini), model("mistral", mistral)]
        options: Options = {
            "fallbacks": tuple(map(available_fallback, others)),
            "approver": AlternatingApprover(),
            "approvals": ApprovalSettings(ApprovalMode.ALWAYS if asks else ApprovalMode.NEVER),
        }
        if summarizer is not None:
            round_ = FAULTS[summarizer] if summarizer else answer("They met.")
            options["summarizer"] = available_fallback(NamedProvider("clerk", *([round_] * 9)))
        end = await place.turn(
            "add two",
            model("groq", groq),
            options,
            stop_after=stop_after,
            stop_within=stop_within,
        )
        if stop_after is None and stop_within is None:
            assert not isinstance(end, TurnCancelled)
        done = [step for step in end.outcome.trace if step.status is StepStatus.SUCCESS]
        added = [step for step in done if step.name == "add_task"]
        assert len(place.store.tasks.list().tasks) == len(added)
        assert all(other.closed for other in others if other.requests)
        await place.check_goes_on()

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tasks.db"
        shutil.copy(template_store, path)
        with open_store(path, user="ann", clock=Clock("UTC", NOW)) as store:
            asyncio.run(one_turn(PreparedTurn(store, store.conversations.list()[0].id)))
