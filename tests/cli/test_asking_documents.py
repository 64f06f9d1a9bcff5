"""`ask` with documents: cited sources, quality, JSON."""

from __future__ import annotations

from typing import Any

import pytest
from llmock.pytest_plugin import LLMock

from tests.cli.conftest import Shell

QUESTION = "how much is the monthly rent?"


@pytest.fixture
def lease(shell: Shell) -> Shell:
    path = shell.folder / "lease.md"
    path.write_text(
        "# Lease\n\n## Rent\n\nThe monthly rent is 940 euros.\n\n## Pets\n\nDogs are welcome.\n"
    )
    shell.done("knowledge", "add", str(path))
    return shell


def asked(shell: Shell, *words: str) -> Any:  # noqa: ANN401 - an object
    return shell.done("ask", *words, "--json").json


def use_model(shell: Shell, llmock: LLMock, answer: str) -> None:
    """Let a local model answer after it has retrieved passages."""
    llmock.call_tool("retrieve_knowledge", {"query": "monthly rent dogs"})
    llmock.reply(answer)
    shell.set(LOCAL_BASE_URL=f"{llmock.url}/v1", LOCAL_MODEL="m", TODO_TUI_PROVIDER="local")


def test_the_built_in_assistant_quotes_and_the_sources_follow(lease: Shell) -> None:
    outcome = lease.done("ask", QUESTION)

    assert outcome.out.endswith(
        "> The monthly rent is 940 euros. [1]\n> — Lease, Rent\n\n[1] Lease, Rent\n"
    )
    assert "✓ Retrieved 1 passage from 1 document" in outcome.err
    assert "quality" not in outcome.err


def test_only_cited_sources_are_listed(lease: Shell, llmock: LLMock) -> None:
    use_model(lease, llmock, "The monthly rent is 940 euros [1].")
    outcome = lease.done("ask", QUESTION)

    place = "Lease, Rent" if "[1] Lease, Rent" in outcome.out else "Lease, Pets"
    assert outcome.out == f"The monthly rent is 940 euros [1].\n\n[1] {place}\n"
    assert "✓ Retrieved 2 passages from 1 document" in outcome.err


def test_an_answer_without_citations_has_no_sources(lease: Shell, llmock: LLMock) -> None:
    use_model(lease, llmock, "I found nothing about that.")
    assert lease.done("ask", QUESTION).out == "I found nothing about that.\n"


def test_low_quality_is_said_with_one_reason(lease: Shell, llmock: LLMock) -> None:
    use_model(lease, llmock, "The monthly rent is 990 euros [1]. Parrots are forbidden [8].")
    outcome = lease.done("ask", QUESTION)

    assert outcome.err.splitlines()[-1].startswith("Check the facts (0.00). No passage has")
    assert "quality" not in outcome.out


def test_json_has_the_score_and_the_documents(lease: Shell) -> None:
    turn = asked(lease, QUESTION)

    assert turn["quality_score"] == 1.0
    assert turn["trace"][-1]["documents_used"] == [{"id": 1, "title": "Lease"}]
    assert asked(lease, "hello")["quality_score"] is None


def test_the_score_is_in_the_exported_conversation(lease: Shell) -> None:
    conversation = asked(lease, QUESTION)["conversation_id"]
    exported: Any = lease.done("conversations", "export", conversation, "--format", "json").json

    assert exported["turns"][0]["quality_score"] == 1.0
