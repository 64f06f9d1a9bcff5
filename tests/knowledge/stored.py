"""Documents put into a store without files."""

from __future__ import annotations

from todo_tui.domain.knowledge.documents import DocumentKind, FileVersion, Passage, ReadDocument
from todo_tui.store.store import Store


def add_document(store: Store, title: str, *texts: str, heading: str = "", page: int = 0) -> int:
    """Store a document with these passages; return its id."""
    headings = (title, heading) if heading else (title,)
    passages = [
        Passage(headings, page or None, line, text) for line, text in enumerate(texts, start=1)
    ]
    path = f"/documents/{title}.md"
    version = FileVersion(len(title), 1, title)
    store.knowledge.put([ReadDocument(path, DocumentKind.MARKDOWN, title, version, passages)])
    return store.knowledge.find(path).id
