"""The tools for documents, called as by a model."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.knowledge.stored import add_document
from tests.rows import each_row
from tests.tools.conftest import ToolRunner
from todo_tui.domain.knowledge.evidence import cited_evidence, cited_numbers, read_evidence
from todo_tui.domain.task import Actor
from todo_tui.tools.registry import TOOLS

RENT = "The monthly rent is 940 euros, payable by the third working day."
PETS = "Cats are allowed. Dogs need the written permission of the landlord."


@pytest.fixture
def lease(tools: ToolRunner) -> ToolRunner:
    add_document(tools.store, "Lease", RENT, PETS, heading="House rules", page=3)
    return tools


def passages(tools: ToolRunner, query: str, **arguments: object) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = tools.data("retrieve_knowledge", query=query, **arguments)[
        "passages"
    ]
    return found


def test_passages_come_with_number_document_place_and_text(lease: ToolRunner) -> None:
    (found,) = passages(lease, "how much is the monthly rent")

    document = lease.store.knowledge.find("Lease")
    assert found.pop("passage") > 0
    assert found == {
        "n": 1, "document": document.id, "title": "Lease", "heading": "House rules", "page": 3,
        "line": 1, "text": RENT,
    }  # fmt: skip
    assert lease.summary == "Retrieved 1 passage from 1 document"


def test_notes_and_annotations_of_tasks_are_passages(lease: ToolRunner) -> None:
    task = lease.add("Call the landlord", notes="Ask whether the rent rises in May.")
    lease.store.tasks.annotate(
        task, "He said the rent stays.", by=lease.store.new_change_context(Actor.USER)
    )
    found = passages(lease, "rent landlord")

    (note,) = [each for each in found if "task" in each]
    assert (note["task"], note["title"]) == (task, "Call the landlord")
    assert "rises in May" in note["text"]
    assert "the rent stays" in note["text"]
    assert lease.summary == "Retrieved 3 passages from 1 document and 1 task"


def test_near_duplicates_are_left_out(lease: ToolRunner) -> None:
    add_document(lease.store, "Copy of the lease", RENT, RENT + " ")
    assert len(passages(lease, "monthly rent")) == 1


@pytest.mark.parametrize(("limit", "number"), [(None, 5), (1, 1), (7, 7), (0, 5), (-3, 1), (99, 9)])
def test_the_limit_is_kept_in_bounds(tools: ToolRunner, limit: int | None, number: int) -> None:
    words = ["apple", "pear", "plum", "fig", "lime", "kiwi", "date", "melon", "mango"]
    add_document(tools.store, "Fruit", *(f"The {each} tree has {each * 3} fruit" for each in words))
    assert len(passages(tools, "fruit tree", limit=limit)) == number


def test_a_passage_keeps_its_number_in_a_turn_and_the_next_turn_begins_anew(
    lease: ToolRunner,
) -> None:
    assert [each["n"] for each in passages(lease, "monthly rent")] == [1]
    assert [each["n"] for each in passages(lease, "dogs permission")] == [2]
    assert [each["n"] for each in passages(lease, "monthly rent")] == [1]
    lease.new_turn()
    assert [each["n"] for each in passages(lease, "dogs permission")] == [1]


def test_nothing_found_is_no_error_and_no_foreign_text(lease: ToolRunner) -> None:
    assert passages(lease, "submarine") == []
    assert lease.summary == "Found no passages"
    retrieve = next(tool for tool in TOOLS if tool.name == "retrieve_knowledge")
    assert retrieve.run('{"query": "submarine"}', lease.context).foreign == ()
    assert retrieve.run('{"query": "rent"}', lease.context).foreign == ("title", "heading", "text")


@pytest.mark.parametrize("query", ["", "  ", "?!"])
def test_an_empty_query_is_an_error(lease: ToolRunner, query: str) -> None:
    assert lease.problem("retrieve_knowledge", query=query)["type"] == "validation_error"


def test_an_undeclared_user_is_an_error(lease: ToolRunner) -> None:
    assert lease.problem("retrieve_knowledge", query="x", user="bob")["type"] == "validation_error"


def test_a_clear_question_is_valid(lease: ToolRunner) -> None:
    assert lease.data("validate_query", query="how much is the rent?") == {"valid": True}
    assert lease.summary == "The question is clear"


def test_an_unclear_question_has_reasons_and_a_question(lease: ToolRunner) -> None:
    checked = lease.data("validate_query", query="delete all tasks of other users")
    assert checked["valid"] is False
    assert len(checked["reasons"]) == 2
    assert checked["clarifying_question"].endswith("?")
    assert lease.summary.startswith("Unclear question: ")


def test_an_answer_is_scored_by_what_the_turn_retrieved(lease: ToolRunner) -> None:
    passages(lease, "monthly rent")
    good = lease.data("assess_answer_quality", answer="The monthly rent is 940 euros [1].")
    assert good == {"score": 1.0, "claims": 1, "carried": 1, "problems": []}
    assert lease.summary == "Fact check 1.00"

    bad = lease.data("assess_answer_quality", answer="The monthly rent is 990 euros [1].")
    assert bad["score"] == 0.0
    assert "990" in bad["problems"][0]


@pytest.mark.parametrize(
    "evidence", [f"[1] {RENT}\n[2] {PETS}", f"[1]\n{RENT}\n\n  [2]: {PETS}", RENT + PETS]
)
def test_an_answer_is_scored_by_the_evidence_given(lease: ToolRunner, evidence: str) -> None:
    answer = "The rent is 940 euros [1]."
    assert lease.data("assess_answer_quality", answer=answer, evidence=evidence)["score"] == 1.0


@pytest.mark.parametrize("evidence", [None, "", "  "])
def test_an_answer_without_evidence_cannot_be_scored(
    lease: ToolRunner, evidence: str | None
) -> None:
    error = lease.problem("assess_answer_quality", answer="The rent is 940.", evidence=evidence)
    assert error["type"] == "validation_error"
    assert "retrieve_knowledge" in error["message"]


# Citations


@each_row(
    ("text", "numbers"),
    [
        ("", []),
        ("Rent [2], dogs [1], rent again [2].", [2, 1]),
        ("[1, 2][3;4]", [1, 2, 3, 4]),
        ("[1-3] and [7–8]", [1, 2, 3, 7, 8]),
        ("a [link](1), [1](http://x) and [x] and [ 1 ] and [1234]", []),
        ("[3-1]", []),
    ],
)
def test_citations_are_read(text: str, numbers: list[int]) -> None:
    assert cited_numbers(text) == numbers


def test_only_cited_passages_are_sources(lease: ToolRunner) -> None:
    answer = lease.raw("retrieve_knowledge", json.dumps({"query": "rent dogs landlord"}))
    evidence = read_evidence(json.dumps(answer))
    assert len(evidence) == 2
    assert [each.number for each in cited_evidence("Dogs [2], cats [2], x [9].", evidence)] == [2]
    assert {each.place for each in evidence} == {"Lease, House rules, page 3"}


@each_row("result", ["", "{", "[]", "null", '{"data": 3}', '{"data": {"passages": 1}}'])
def test_a_result_that_cannot_be_read_is_no_evidence(result: str) -> None:
    assert read_evidence(result) == ()
