"""Evidence of an answer: passages with the numbers that cite them, and citations in a text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from threading import Lock

from todo_tui.domain.foreign_json import parse_json
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import format_count, plain_line

RETRIEVAL_TOOL = "retrieve_knowledge"
"""Name of the tool whose results are evidence."""
ASSESSMENT_TOOL = "assess_answer_quality"
"""Name of the tool that is given passages and the draft of an answer."""
CITATION = re.compile(r"\[(\d{1,3}(?:\s?[,;–-]\s?\d{1,3})*)\](?!\()")
"""`[1]`, `[1, 2]` or `[1-3]`, but no link."""
_LONGEST_RANGE = 50
_RANGE = re.compile(r"(\d+)(?:\s?[–-]\s?(\d+))?")


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage that a search found, best with the highest `score`, and the number that cites it.

    It belongs to a document, or to the notes and annotations of the task `task_id`; then
    `document_id` is None and `path` empty.
    """

    passage_id: int
    document_id: int | None
    task_id: int | None
    title: str
    path: str
    heading: str
    page: int | None
    line: int | None
    text: str
    score: float = 0.0
    number: int = 0
    """Number in its conversation; 0 until a turn has retrieved it."""

    @property
    def place(self) -> str:
        """One plain line: `Lease, Rent and deposit, page 3`; of a task `Notes of #5 Call Ann`."""
        return ", ".join(filter(None, (self.source, self.place_in_source)))

    @property
    def source(self) -> str:
        """One plain line: `Lease`, or `Notes of #5 Call Ann`."""
        task = "" if self.task_id is None else f"Notes of #{self.task_id} "
        return plain_line(f"{task}{self.title}")

    @property
    def place_in_source(self) -> str:
        """One plain line: `Rent and deposit, page 3`; empty if nothing is known."""
        page = f"page {self.page}" if self.page else ""
        return plain_line(", ".join(filter(None, (self.heading, page))))

    @property
    def searchable(self) -> str:
        """Title, heading and text."""
        return f"{self.title}\n{self.heading}\n{self.text}"

    def to_json(self) -> dict[str, JsonValue]:
        """Return the fields for programs."""
        return {
            "passage_id": self.passage_id,
            "document_id": self.document_id,
            "task_id": self.task_id,
            "title": self.title,
            "path": self.path or None,
            "heading": self.heading or None,
            "page": self.page,
            "line": self.line,
            "text": self.text,
            "score": float(f"{self.score:.4g}"),
        }

    def to_tool_data(self) -> dict[str, JsonValue]:
        """Return the fields that are set, for a model."""
        fields: dict[str, JsonValue] = {
            "n": self.number,
            "document": self.document_id,
            "task": self.task_id,
            "title": self.title,
            "heading": self.heading or None,
            "page": self.page,
            "line": self.line,
            "text": self.text,
            "passage": self.passage_id,
        }
        return {name: value for name, value in fields.items() if value is not None}


def read_evidence(result: str) -> tuple[Evidence, ...]:
    """Read the passages in a result of the retrieval tool; none where it cannot be read."""
    try:
        response = parse_json(result)
    except ValueError:
        return ()
    data = response.get("data") if isinstance(response, dict) else None
    return evidence_in(data) if isinstance(data, dict) else ()


def evidence_in(data: Mapping[str, JsonValue]) -> tuple[Evidence, ...]:
    """Read the passages in the data of a result of the retrieval tool."""
    passages = data.get("passages")
    found = passages if isinstance(passages, list) else []
    return tuple(_read_passage(each) for each in found if isinstance(each, dict))


def _read_passage(fields: Mapping[str, JsonValue]) -> Evidence:
    def number(name: str) -> int | None:
        value = fields.get(name)
        return value if isinstance(value, int) else None

    def text(name: str) -> str:
        return str(fields.get(name) or "")

    return Evidence(
        number("passage") or 0, number("document"), number("task"), text("title"), "",
        text("heading"), number("page"), number("line"), text("text"), number=number("n") or 0,
    )  # fmt: skip


def count_sources(passages: Iterable[Evidence]) -> str:
    """Return `3 documents`, or `1 document and 2 tasks`."""
    found = [*passages]
    documents = {each.document_id for each in found if each.document_id is not None}
    tasks = {each.task_id for each in found if each.task_id is not None}
    counts = ((len(documents), "document"), (len(tasks), "task"))
    return " and ".join(format_count(count, one) for count, one in counts if count)


@dataclass(slots=True)
class TurnEvidence:
    """Evidence of one turn, numbered through its conversation.

    A passage that is retrieved again, with the same text, keeps its number.
    """

    earlier: Mapping[int, Evidence] = field(default_factory=dict)
    """Evidence of the conversation's other turns, by number."""
    _by_passage: dict[tuple[int, str], Evidence] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def add(self, passages: Iterable[Evidence]) -> tuple[Evidence, ...]:
        """Number these passages; calls that run together may add at the same time."""
        added = []
        known = {(each.passage_id, each.text): number for number, each in self.earlier.items()}
        with self._lock:
            for each in passages:
                key = each.passage_id, each.text
                number = known.get(key) or max((0, *self.earlier, *self.by_number())) + 1
                added.append(self._by_passage.setdefault(key, replace(each, number=number)))
        return tuple(added)

    def by_number(self) -> dict[int, Evidence]:
        """Return all passages by their numbers."""
        return {each.number: each for each in self._by_passage.values()}

    def behind(self, answer: str) -> dict[int, Evidence]:
        """Return all passages of the turn, and those of earlier ones that an answer cites."""
        cited = (number for number in cited_numbers(answer) if number in self.earlier)
        return {number: self.earlier[number] for number in cited} | self.by_number()


def cited_numbers(text: str) -> list[int]:
    """Return the numbers that a text cites, each once, in the order in which they first occur."""
    numbers: dict[int, None] = {}
    for group in CITATION.finditer(text):
        for first, last in _RANGE.findall(group[1]):
            end = min(int(last or first), int(first) + _LONGEST_RANGE)
            numbers |= dict.fromkeys(range(int(first), end + 1))
    return [*numbers]


def cited_evidence(answer: str, evidence: Iterable[Evidence]) -> list[Evidence]:
    """Return the passages that an answer cites, by their numbers."""
    cited = set(cited_numbers(answer))
    by_number = {each.number: each for each in evidence if each.number in cited}
    return [by_number[number] for number in sorted(by_number)]
