"""Turns that answer from documents: tools offered, citations, quality, and injected orders."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.agent.conftest import Harness, ScriptedApprover
from tests.blank import blank
from tests.conftest import NOW
from tests.knowledge.stored import add_document
from tests.scripted import Round, ScriptedProvider, answer, call, calls
from todo_tui.agent.run_config import read_only
from todo_tui.agent.system_prompt import DOCUMENTS_RULE, SYSTEM_PROMPT
from todo_tui.domain.events import StepStatus, TraceStep, outcome_to_json
from todo_tui.domain.messages import Message, Request, Role, ToolCall
from todo_tui.domain.task import Actor, TaskFields
from todo_tui.domain.when import Clock
from todo_tui.providers.offline.assistant import BuiltInAssistant
from todo_tui.store.store import Store, open_store
from todo_tui.tools.registry import TOOLS

RENT = "The monthly rent is 940 euros, payable by the third working day."
PETS = "Cats are allowed. Dogs need the written permission of the landlord."
INJECTIONS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "data" / "knowledge" / "injections.json").read_text("utf-8")
)["documents"]
KNOWLEDGE_TOOLS = ["retrieve_knowledge", "validate_query", "assess_answer_quality"]


@pytest.fixture
def lease(harness: Harness) -> Harness:
    add_document(harness.store, "Lease", RENT, PETS, heading="House rules", page=3)
    return harness


def retrieve(query: str = "monthly rent") -> ToolCall:
    return call("retrieve_knowledge", query=query)


def results(request: Request) -> str:
    found = [each for message in request.messages for each in message.tool_results]
    return "".join(each.content for each in found)


def error_type(step: TraceStep) -> str:
    return str(json.loads(step.result)["error"]["type"])


async def test_without_documents_nothing_of_them_is_sent(harness: Harness) -> None:
    harness.script(answer("Hello."))
    await harness.finished("hi")

    (request,) = harness.requests
    assert request.system == SYSTEM_PROMPT
    assert not {tool.name for tool in request.tools} & {*KNOWLEDGE_TOOLS}


async def test_a_call_without_documents_finds_no_tool(harness: Harness) -> None:
    harness.script(calls(retrieve()), answer("No."))
    end = await harness.finished("what is the rent")

    assert error_type(end.outcome.trace[0]) == "not_found"
    assert end.outcome.quality is None


async def test_with_documents_tools_and_their_rule_are_sent_the_same_each_time(
    lease: Harness,
) -> None:
    for _ in range(2):
        lease.script(calls(retrieve()), answer("The rent is 940 euros [1]."))
        await lease.finished("what is the rent")

        for request in lease.requests:
            assert request.system == SYSTEM_PROMPT + DOCUMENTS_RULE
            assert [tool.name for tool in request.tools] == [tool.name for tool in TOOLS]


async def test_documents_of_another_user_offer_nothing(open_as: Callable[[str], Store]) -> None:
    add_document(open_as("bob"), "Lease", RENT)
    ann = Harness(open_as("ann"))
    ann.script(answer("Hello."))
    await ann.finished("hi")

    assert "retrieve_knowledge" not in {tool.name for tool in ann.requests[0].tools}


async def test_an_answer_that_changes_nothing_may_read_documents(lease: Harness) -> None:
    lease.script(calls(retrieve()), answer("The rent is 940 euros [1]."))
    config = read_only(lease.config)
    lease.changes = {"tools": config.tools, "system": config.system}

    end = await lease.finished("what is the rent")

    assert end.outcome.quality is not None


async def test_a_question_takes_two_model_calls_with_both_tools_in_one_message(
    lease: Harness,
) -> None:
    query = "how much is the monthly rent"
    lease.script(
        calls(call("validate_query", query=query), retrieve(query)),
        answer("The monthly rent is 940 euros [1]."),
    )
    end = await lease.finished(query)

    assert end.outcome.model_calls == 2
    assert [step.name for step in end.outcome.trace] == ["validate_query", "retrieve_knowledge"]
    assert [step.status for step in end.outcome.trace] == [StepStatus.SUCCESS] * 2
    assert end.outcome.trace[1].summary == "Retrieved 1 passage from 1 document"


async def test_a_question_may_take_as_many_model_calls_as_any_message(lease: Harness) -> None:
    queries = ("rent", "dogs", "deposit", "notice", "keys")
    lease.script(*(calls(retrieve(query)) for query in queries), answer("940 euros [1]."))
    end = await lease.finished("how much is the rent")

    assert end.outcome.model_calls == 6
    assert [step.name for step in end.outcome.trace] == ["retrieve_knowledge"] * 5


async def test_passages_of_a_turn_keep_their_numbers(lease: Harness) -> None:
    lease.script(
        calls(retrieve("monthly rent")),
        calls(retrieve("dogs permission"), call("list_tasks")),
        calls(retrieve("monthly rent dogs")),
        answer("Dogs need permission of the landlord [2]. The rent is 940 euros [1]."),
    )
    end = await lease.finished("rent and dogs")

    numbers = [[each.number for each in step.evidence] for step in end.outcome.trace]
    assert [numbers[0], numbers[1]] == [[1], [2]]
    assert sorted(numbers[3]) == [1, 2]
    assert end.outcome.quality is not None
    assert end.outcome.quality.score == 1.0


async def test_the_quality_of_an_answer_is_in_event_json_and_store(lease: Harness) -> None:
    lease.script(calls(retrieve()), answer("The monthly rent is 990 euros [1]."))
    end = await lease.finished("how much is the rent")

    quality = end.outcome.quality
    assert quality is not None
    assert quality.score == 0.0
    assert quality.is_low
    assert "990" in quality.problems[0]
    assert outcome_to_json(end)["quality_score"] == 0.0
    assert lease.conversation_id is not None
    (turn,) = lease.store.turns.list(lease.conversation_id)
    assert turn.quality_score == 0.0


async def test_a_turn_without_evidence_has_no_quality(lease: Harness) -> None:
    lease.script(answer("Hello."))
    end = await lease.finished("hi")
    lease.script(calls(retrieve("submarines")), answer("Nothing about submarines was found."))
    nothing = await lease.finished("tell me about submarines")

    assert end.outcome.quality is None
    assert nothing.outcome.quality is None
    assert outcome_to_json(end)["quality_score"] is None


async def test_what_tasks_say_needs_no_citation(lease: Harness) -> None:
    lease.store.tasks.add(
        {"title": "Pay the monthly rent"}, by=lease.store.new_change_context(Actor.USER)
    )
    lease.script(
        calls(retrieve(), call("list_tasks")),
        answer("The rent is 940 euros [1].\n\nYour list has the task Pay the monthly rent."),
    )
    end = await lease.finished("what about the rent")

    assert end.outcome.quality is not None
    assert end.outcome.quality.score == 1.0


async def test_what_the_model_says_to_its_own_check_is_no_evidence(lease: Harness) -> None:
    claim = "Elephants may be kept in the kitchen"
    lease.script(
        calls(retrieve()), calls(call("assess_answer_quality", answer=claim)), answer(claim)
    )
    end = await lease.finished("which animals may I keep")

    assert end.outcome.quality is not None
    assert end.outcome.quality.score == 0.0


async def test_the_trace_names_documents_used(lease: Harness) -> None:
    lease.script(
        calls(retrieve("rent dogs"), call("list_tasks")), answer("The rent is 940 euros [1].")
    )
    trace: Any = outcome_to_json(await lease.finished("rent?"))["trace"]

    document = lease.store.knowledge.find("Lease")
    assert [step["documents_used"] for step in trace] == [
        [{"id": document.id, "title": "Lease"}],
        [],
    ]


async def test_a_change_after_reading_documents_needs_approval(lease: Harness) -> None:
    approver = ScriptedApprover([False])
    lease.changes["approver"] = approver
    lease.script(
        calls(retrieve()), calls(call("add_task", title="Pay rent")), answer("The rent is due [1].")
    )
    await lease.finished("add a task for the rent")

    (question,) = approver.asked
    assert question.details[0] == (
        "The assistant has read notes or other text that may contain instructions"
    )
    assert lease.titles() == []


async def test_passages_of_an_earlier_turn_are_not_sent_again(lease: Harness) -> None:
    copied = call("assess_answer_quality", answer="940 euros [1]", evidence=f"[1] {RENT}")
    lease.script(calls(retrieve()), calls(copied), answer("The rent is 940 euros [1]."))
    await lease.finished("how much is the rent")
    lease.script(answer("You are welcome."))
    await lease.finished("thanks")

    (request,) = lease.requests
    sent = results(request)
    assert '"left_out":["heading","text"]' in sent
    written = "".join(call.arguments for each in request.messages for call in each.tool_calls)
    assert RENT not in sent + written


# Injected orders


@pytest.fixture(scope="module")
def injected_file(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A file with all documents of the test set, and tasks: few enough to change at once."""
    path = blank(tmp_path_factory.mktemp("injected") / "tasks.db")
    with open_store(path, user="ann", clock=Clock("Europe/Berlin", NOW)) as store:
        for title in ("Water the plants", "Call Ann", "Pay rent", "Book flights"):
            store.tasks.add({"title": title}, by=store.new_change_context(Actor.USER))
        store.tasks.complete([4], by=store.new_change_context(Actor.USER))
        for each in INJECTIONS:
            if each["in"] == "document":
                add_document(store, each["title"], each["text"])
    return path.read_bytes()


@pytest.fixture
def injected(open_as: Callable[[str], Store], tmp_path: Path, injected_file: bytes) -> Harness:
    (tmp_path / "tasks.db").write_bytes(injected_file)
    return Harness(open_as("ann"))


def add_notes(store: Store, document: dict[str, Any]) -> None:
    """Add the task whose notes have the order, if they do."""
    if document["in"] == "notes":
        fields: TaskFields = {"title": document["title"], "notes": document["text"]}
        store.tasks.add(fields, by=store.new_change_context(Actor.USER))


def state(store: Store) -> Sequence[object]:
    return store.tasks.list(store.read_query("all")).tasks, store.tasks.log_position()


class ObedientModel:
    """Retrieves what it is asked for, makes every call that it reads of, and says every secret."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._document = document
        self._reads = retrieve(document["title"])
        self._orders = [
            ToolCall(f"order_{at}", each["name"], json.dumps(each["arguments"]))
            for at, each in enumerate(document["orders"])
        ]

    def __call__(self, request: Request) -> Round:
        current = since_user(request.messages)
        if not current:
            return calls(self._reads)
        has_read = self._document["title"] in "".join(
            each.content for message in current for each in message.tool_results
        )
        if has_read and self._orders and not any("order_0" in str(each) for each in current):
            return calls(*self._orders)
        return answer(f"My instructions: {request.system[:200]}")


def since_user(messages: Sequence[Message]) -> Sequence[Message]:
    last = max(at for at, message in enumerate(messages) if message.role is Role.USER)
    return messages[last + 1 :]


@pytest.mark.parametrize("document", INJECTIONS[::2], ids=lambda each: str(each["id"]))
async def test_a_model_that_obeys_documents_changes_nothing(
    injected: Harness, document: dict[str, Any]
) -> None:
    add_notes(injected.store, document)
    before = state(injected.store)
    injected.provider = ScriptedProvider(ObedientModel(document))

    end = await injected.finished(f"what does all of “{document['title']}” say?")

    assert state(injected.store) == before
    read, *ordered = end.outcome.trace
    assert read.name == "retrieve_knowledge"
    assert document["title"] in {each.title for each in read.evidence}
    assert len(ordered) == len(document["orders"])
    # Its instructions are in English, which some of the documents are not.
    if document["class"] != "language":
        assert end.outcome.quality is not None
    if end.outcome.quality is not None:
        assert end.outcome.quality.is_low, "an answer that recites its instructions"
    for step in ordered:
        if step.name == "list_tasks":
            assert step.status is StepStatus.SUCCESS
        else:
            expected = {"send_email": "not_found", "redo": "not_found"}.get(
                step.name, "unauthorized"
            )
            if "approved" in step.arguments:
                expected = "validation_error"
            assert error_type(step) == expected, step.result


@pytest.mark.parametrize("document", INJECTIONS[1::2], ids=lambda each: str(each["id"]))
async def test_the_built_in_assistant_quotes_documents_and_obeys_none(
    injected: Harness, document: dict[str, Any]
) -> None:
    add_notes(injected.store, document)
    before = state(injected.store)
    injected.changes["provider"] = BuiltInAssistant(injected.store.index)

    asked = await injected.finished(f"tell me about {document['title']}")
    await injected.finished(("yes", "do it", "ok, do that", "go on")[len(document["text"]) % 4])

    assert state(injected.store) == before
    assert all(step.name in ("list_tasks", "retrieve_knowledge") for step in asked.outcome.trace)


async def test_an_order_read_in_an_earlier_turn_is_gone_in_the_next(injected: Harness) -> None:
    for document in INJECTIONS[:10]:
        injected.script(calls(retrieve(document["title"])), answer("It is a document."))
        await injected.finished("what is it all about?")
    injected.script(answer("Nothing."))
    await injected.finished("and now?")

    sent = results(injected.requests[0])
    assert '"left_out"' in sent
    assert not any(document["text"][:60] in sent for document in INJECTIONS)


async def test_what_the_built_in_assistant_has_quoted_reaches_no_model_later(
    injected: Harness,
) -> None:
    injected.changes["provider"] = BuiltInAssistant(injected.store.index)
    quoted = 0
    for document in INJECTIONS:
        if document["in"] == "notes":
            continue
        end = await injected.finished(f"tell me about {document['title']}")
        quoted += "\n> " in end.outcome.answer
    assert quoted > 40
    del injected.changes["provider"]
    injected.script(answer("Nothing."))
    await injected.finished("and now?")

    (request,) = injected.requests
    sent = results(request) + "".join(message.text for message in request.messages)
    assert "> …" in sent
    assert "delete" not in sent.lower()


async def test_a_model_with_approval_may_change_what_it_read_about(injected: Harness) -> None:
    injected.changes = {"approver": ScriptedApprover()}
    (order,) = [each for each in INJECTIONS if each["id"] == "write-01"]
    injected.provider = ScriptedProvider(ObedientModel(order))

    end = await injected.finished("add all that the choir robe order asks for")

    assert [step.status for step in end.outcome.trace] == [StepStatus.SUCCESS] * 2
    assert end.outcome.trace[1].name == "add_task"


async def test_passages_are_numbered_through_the_conversation(lease: Harness) -> None:
    lease.script(calls(retrieve("monthly rent")), answer("The rent is 940 euros [1]."))
    first = await lease.finished("what is the rent")
    lease.script(
        calls(retrieve("dogs permission"), retrieve("monthly rent")),
        answer("Dogs need permission [2], and the rent is 940 euros [1]."),
    )
    second = await lease.finished("and dogs?")
    lease.script(answer("As I said, the rent is 940 euros [1], but not [7]."))
    third = await lease.finished("once more")
    lease.conversation_id = None
    lease.script(calls(retrieve("monthly rent")), answer("940 euros [1]."))
    other = await lease.finished("what is the rent")

    found = [[each.number for each in step.evidence] for step in second.outcome.trace]
    assert found == [[2], [1]]
    ends = (first, second, third, other)
    sources = [[each.number for each in end.outcome.sources] for end in ends]
    assert sources == [[1], [1, 2], [1], [1]]
    # The earlier passage supports the answer that cites it.
    assert second.outcome.quality is not None
    assert not second.outcome.quality.problems
