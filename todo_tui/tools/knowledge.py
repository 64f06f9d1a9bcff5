"""The tools that answer from documents: retrieve passages, check questions and answers."""

import re
from typing import Annotated

from todo_tui.domain.errors import ValidationError
from todo_tui.domain.knowledge.evidence import count_sources
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import format_count
from todo_tui.tools.base import ToolContext, ToolResponse, tool

_FOREIGN = ("title", "heading", "text")
"""Fields of a passage; whoever wrote the document chose them."""
_MAX_PASSAGES = 20
_NUMBERED = re.compile(r"^[ \t]{0,8}\[(\d{1,3})\]", re.MULTILINE)


@tool(
    "Searching your documents…",
    reads_only=True,
    needs_documents=True,
    question="Search your documents?",
)
def retrieve_knowledge(
    context: ToolContext,
    query: Annotated[str, "Words of the question"],
    limit: Annotated[int | None, "Passages"] = 5,
) -> ToolResponse:
    """Find passages in the user's documents and notes; cite each by its n, as [n]."""
    if not any(each.isalnum() for each in query):
        raise ValidationError("The query is empty.")
    similar, note = context.vectors.rank(query) if context.vectors is not None else ((), "")
    most = max(1, min(limit or 5, _MAX_PASSAGES))
    passages = context.evidence.add(context.store.knowledge.search(query, most, similar))
    remark: dict[str, JsonValue] = {"note": note} if note else {}
    if not passages:
        return ToolResponse({"passages": [], **remark}, "Found no passages")
    summary = f"Retrieved {format_count(len(passages), 'passage')} from {count_sources(passages)}"
    if note:
        summary += " by words only"
    data: JsonValue = {"passages": [each.to_tool_data() for each in passages], **remark}
    return ToolResponse(data, summary, foreign=_FOREIGN)


@tool(
    "Checking the question…",
    reads_only=True,
    needs_documents=True,
    question="Check the question?",
)
def validate_query(context: ToolContext, query: str) -> ToolResponse:
    """Check that a question is clear and safe; may run together with retrieve_knowledge."""
    from todo_tui.domain.knowledge.query_rules import check_query  # 20 ms, for users with documents

    checked = check_query(query)
    if checked.is_valid:
        return ToolResponse({"valid": True}, "The question is clear")
    data: dict[str, JsonValue] = {
        "valid": False,
        "reasons": list(checked.reasons),
        "clarifying_question": checked.clarifying_question,
    }
    return ToolResponse(data, f"Unclear question: {checked.reasons[0]}")


@tool("Checking the facts…", reads_only=True, needs_documents=True, question="Check the facts?")
def assess_answer_quality(
    context: ToolContext,
    answer: str,
    evidence: Annotated[
        str | None, "Passages, each after its [n]; without it, those retrieved"
    ] = None,
) -> ToolResponse:
    """Check the facts of a draft by its passages; optional: each answer is checked anyway."""
    from todo_tui.domain.knowledge.answer_quality import (
        assess_answer,  # 25 ms, for users with documents
        is_comparable,
    )

    passages = (
        {number: each.searchable for number, each in context.evidence.behind(answer).items()}
        if evidence is None
        else _read_passages(evidence)
    )
    if not passages:
        raise ValidationError("There are no passages.", hint="Call retrieve_knowledge first.")
    if not is_comparable(answer, passages):
        reason = "The answer is in another language than the passages, so it cannot be checked."
        return ToolResponse({"score": None, "problems": [reason]}, "Facts not checked")
    quality = assess_answer(answer, passages)
    return ToolResponse(quality.to_json(), f"Fact check {quality.score:.2f}")


def _read_passages(evidence: str) -> dict[int, str]:
    """Split a text at `[1]`, `[2]` at the beginnings of lines; without any it is passage 1."""
    first, *parts = _NUMBERED.split(evidence)
    numbers, texts = parts[::2], parts[1::2]
    numbered = {int(number): text for number, text in zip(numbers, texts, strict=True)}
    return numbered or ({1: first} if first.strip() else {})
