"""Parsing of HTML and PDF in a process of its own, run as a script by parser_process.py.

A broken or hostile file may take hours, gigabytes or the whole process down, in any library: 1 MB
of nested `<div>` takes selectolax two minutes. The process can be killed, and ends by itself when
standard input ends or the seconds of a request are used up.

It reads requests from standard input: a line `{"kind": …, "size": …, "seconds": …}` and as many
bytes. It answers each with one line: `{"title": …, "blocks": [[level, text, page], …]}` or
`{"problem": …}`. The level of a heading is 1 to 6, of a paragraph 0.
"""

from __future__ import annotations

import json
import math
import os
import re
import sys
from collections.abc import Iterator
from queue import SimpleQueue
from threading import Thread
from typing import IO, TYPE_CHECKING, Any

if sys.platform != "win32":
    import resource

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

Blocks = list[tuple[int, str, int | None]]
_MEMORY = 2 * 1024**3
_MAX_TEXT = 32 * 1024 * 1024
_TOO_MUCH_TEXT = f"has more than {_MAX_TEXT // 1024 // 1024} MB of text"
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_ITEMS = frozenset({"li", "tr", "dt", "dd"})
"""Blocks that are lines of one paragraph."""
_BLOCKS = (
    frozenset(
        """address article aside blockquote body caption center details dialog div dl fieldset
        figcaption figure footer form header hr legend main menu nav ol p pre section summary
        table tbody tfoot thead ul""".split()
    )
    | _HEADINGS.keys()
    | _ITEMS
)
_DROPPED = frozenset(
    """audio button canvas datalist embed head iframe noembed noframes noscript object rp script
    select style svg template textarea title video""".split()
)
"""Elements whose text is not text of the page."""
_CELLS = frozenset({"td", "th"})
_LINE_END_HYPHEN = re.compile("[\ufffe\x02]\n?")
"""What PDFium makes of a hyphen at the end of a line, of whatever kind, and of the line end."""


class UnreadableError(Exception):
    """Content without text that could be read; the message is the end of a sentence."""


def serve(requests: IO[bytes], answers: IO[str]) -> None:
    """Answer requests until there are no more; then end at once, whatever is being parsed."""
    waiting: SimpleQueue[tuple[dict[str, Any], bytes]] = SimpleQueue()

    def receive() -> None:
        while line := requests.readline():
            request = json.loads(line)
            waiting.put((request, requests.read(request["size"])))
        # Whoever asks is gone. Parsers run without Python's lock, so this thread gets its turn.
        os._exit(0)

    Thread(target=receive, daemon=True).start()
    while True:
        request, data = waiting.get()
        _limit_seconds(request["seconds"])
        parse = {"html": parse_html, "pdf": parse_pdf}[request["kind"]]
        try:
            title, blocks = parse(data)
            answer: dict[str, Any] = {"title": title, "blocks": blocks}
        except UnreadableError as error:
            answer = {"problem": str(error)}
        except MemoryError:
            answer = {"problem": "needs too much memory"}
        except Exception:  # whatever a parser makes of a broken file
            answer = {"problem": "is broken"}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def parse_html(data: bytes) -> tuple[str, Blocks]:
    """Return title and blocks of a page in UTF-8, without anything that a browser hides."""
    from selectolax.lexbor import LexborHTMLParser

    page = LexborHTMLParser(data)
    blocks: Blocks = []
    lines: list[str] = []
    last = ""
    for tag, text in _html_texts(page):
        if text := text if tag == "pre" else _one_space(text):
            if lines and not (tag in _ITEMS and tag == last):
                blocks.append((_HEADINGS.get(last, 0), "\n".join(lines), None))
                lines = []
            lines.append(text)
            last = tag
    if lines:
        blocks.append((_HEADINGS.get(last, 0), "\n".join(lines), None))
    title = page.css_first("title")
    return _one_space(title.text()) if title is not None else "", blocks


def _html_texts(page: LexborHTMLParser) -> Iterator[tuple[str, str]]:
    """Yield tag and text of each block in the order of the page."""
    from todo_tui.knowledge.html_styles import Look, Styles

    styles = Styles(page)
    # By element: the block that its text belongs to, None where it is not text of the page; and
    # how it looks.
    owners: dict[int, tuple[tuple[int, str] | None, Look]] = {}
    outside = (0, ""), styles.root
    root = page.root
    current, parts = (0, ""), list[str]()
    for node in () if root is None else root.traverse(include_text=True):
        parent = node.parent
        owner, look = outside if parent is None else owners.get(parent.mem_id, outside)
        tag = node.tag or ""
        if node.is_element_node:
            if tag in _DROPPED or (tag == "dialog" and "open" not in node.attributes):
                owner = None
            elif owner is not None:
                look = styles.look(node, tag, look)
                if tag in _BLOCKS:
                    owner = (node.mem_id, tag)
            owners[node.mem_id] = owner, look
            if owner is not None and tag in _CELLS | {"br"}:
                parts.append("\n" if tag == "br" else "  ")
        elif owner is not None and node.is_text_node and not look.is_hidden:
            if owner != current:
                yield current[1], "".join(parts)
                current, parts = owner, []
            parts.append(node.text_content or "")
    yield current[1], "".join(parts)


def _one_space(text: str) -> str:
    """Return the text with single spaces, but for the line ends of `<br>`."""
    return "\n".join(filter(None, (" ".join(line.split()) for line in text.split("\n"))))


def parse_pdf(data: bytes) -> tuple[str, Blocks]:
    """Return title and pages of a PDF, with the headings of its outline.

    Raises:
        UnreadableError: it is encrypted or broken, or has no text.
    """
    from pypdfium2 import (  # type: ignore[import-untyped]  # it has no stubs
        PdfDocument,
        PdfiumError,
    )

    try:
        with PdfDocument(data) as document:
            blocks = _pdf_blocks(document)
            title = str(document.get_metadata_value("Title") or "").strip()
    except PdfiumError as error:
        if "password" in str(error).lower():
            raise UnreadableError("is encrypted: save a copy without a password") from error
        raise UnreadableError("is a broken PDF") from error
    if not any(level == 0 for level, _, _ in blocks):
        raise UnreadableError("has no text: its pages may be scanned pictures")
    return title, blocks


def _pdf_blocks(document: Any) -> Blocks:  # noqa: ANN401 - the library has no types
    headings: dict[int, list[tuple[int, str]]] = {}
    for entry in document.get_toc(max_depth=6):
        place = entry.get_dest()
        if place is not None and (at := place.get_index()) is not None:
            headings.setdefault(at, []).append((entry.level + 1, entry.get_title()))
    blocks: Blocks = []
    length = 0
    for at in range(len(document)):
        blocks += ((level, text, at + 1) for level, text in headings.get(at, ()))
        page = document[at]
        lines = page.get_textpage().get_text_bounded().splitlines()
        page.close()
        text = _LINE_END_HYPHEN.sub("-\n", "\n".join(lines)).strip()
        length += len(text)
        if length > _MAX_TEXT:
            raise UnreadableError(_TOO_MUCH_TEXT)
        if text:
            blocks.append((0, text, at + 1))
    return blocks


def _limit_memory() -> None:
    if sys.platform != "win32":
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if sys.platform == "linux":  # macOS refuses it
            resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


def _limit_seconds(seconds: float) -> None:
    """End this process when it has computed that much longer, even if nobody ends it."""
    if sys.platform != "win32":
        used = resource.getrusage(resource.RUSAGE_SELF)
        most = math.ceil(used.ru_utime + used.ru_stime + seconds)
        resource.setrlimit(resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))


if __name__ == "__main__":
    _limit_memory()
    serve(sys.stdin.buffer, sys.stdout)
