"""Fifty documents, and questions whose right passage is known: `tests/data/knowledge`.

In the file a document begins with `=== name`. A line `? …` is a question that the section before
it answers, in words that people use; a line `~ …` one that shares no word of meaning with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from todo_tui.domain.knowledge.evidence import Evidence
from todo_tui.knowledge.indexing import add_paths
from todo_tui.knowledge.reader import DocumentReader
from todo_tui.store.knowledge import KnowledgeStore

_FOLDER = Path(__file__).parents[1] / "data" / "knowledge"


@dataclass(frozen=True, slots=True)
class Question:
    """A question, the document that answers it, and words of the right passage."""

    text: str
    document: str
    answer: str

    def is_answered_by(self, passage: Evidence) -> bool:
        """Return True if this is the right passage."""
        return Path(passage.path).name == self.document and self.answer in passage.text


def write_documents(folder: Path, source: str = "documents") -> None:
    """Write the documents of a file in `tests/data/knowledge` as files of their own."""
    for name, lines in _documents(source):
        text = "\n".join(line for line in lines if line[:2] not in ("? ", "~ "))
        (folder / name).write_text(text, encoding="utf-8")


def questions(sign: str = "? ") -> list[Question]:
    """Return the questions in words of the documents; with `~ ` those in other words."""
    found = []
    for name, lines in _documents():
        section = ""
        for line in lines:
            if line.startswith(sign):
                found.append(Question(line[2:], name, section[:60]))
            elif line and line[:2] not in ("? ", "~ ", "# ", "##"):
                section = line
    return found


def right_among_first(store: KnowledgeStore, asked: list[Question], first: int = 5) -> int:
    """Return for how many questions the right passage is among the first ones."""
    return sum(any(map(each.is_answered_by, store.search(each.text, first))) for each in asked)


def add_documents(store: KnowledgeStore, folder: Path) -> None:
    """Write the documents into a folder and add it."""
    write_documents(folder)
    with DocumentReader() as reader:
        add_paths(store, [folder], reader)


def _documents(source: str = "documents") -> list[tuple[str, list[str]]]:
    parts = (_FOLDER / f"{source}.md").read_text(encoding="utf-8").split("=== ")[1:]
    return [(lines[0], lines[1:]) for lines in map(str.splitlines, parts)]
