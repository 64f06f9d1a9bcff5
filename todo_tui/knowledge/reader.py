"""Reading of files into documents: checks, decoding, structure."""

from __future__ import annotations

import codecs
import errno
import importlib.util
import os
import re
import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from hashlib import blake2b
from operator import or_
from pathlib import Path
from typing import IO

from todo_tui.domain.errors import ValidationError
from todo_tui.domain.extras import install_command
from todo_tui.domain.knowledge.documents import DocumentKind, FileVersion, Passage, ReadDocument
from todo_tui.domain.knowledge.line_breaks import (
    BREAK,
    join_line_ends,
    words_of_document,
)
from todo_tui.domain.text import plain_line, plain_text
from todo_tui.knowledge.excluded_files import PrivateFiles, is_of_system
from todo_tui.knowledge.parser_process import (
    PARSE_SECONDS,
    ParserProcess,
    UnreadableContent,
)
from todo_tui.knowledge.passages import Block, split_passages
from todo_tui.knowledge.plain_text import text_blocks, without_running_heads

KINDS = {
    ".md": DocumentKind.MARKDOWN,
    ".markdown": DocumentKind.MARKDOWN,
    ".txt": DocumentKind.TEXT,
    ".text": DocumentKind.TEXT,
    ".html": DocumentKind.HTML,
    ".htm": DocumentKind.HTML,
    ".xhtml": DocumentKind.HTML,
    ".pdf": DocumentKind.PDF,
}
"""Kinds by the end of a file's name."""
LARGEST_TEXT = 32 * 1024 * 1024
LARGEST_PDF = 256 * 1024 * 1024
"""Bytes of a file that is read; larger ones are refused."""
BEHIND_LINK = "is a link now, or in a folder that is one: add it again"
OWN_FILE = "belongs to todo-tui"
NO_PRIVATE_FILES = PrivateFiles()
_LONGEST_HEADING = 200
_LIBRARIES = {DocumentKind.HTML: "selectolax", DocumentKind.PDF: "pypdfium2"}
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CHARSET = re.compile(
    r"charset\s*+=\s*+[\"']?+"
    r"((?:iso-|windows-|utf-|koi8|shift_jis|euc-|gb|big5|us-ascii|macintosh)[\w-]{0,20})",
    re.IGNORECASE,
)
_CONTROLS = bytes({*range(32), 127} - {*b"\t\n\r\x0c\x1b"})
_INVISIBLE = re.compile("[\u200b\u2060\ufeff\U000e0000-\U000e007f]+")
_DATA_LINK = re.compile(r"\(data:[^)\s]++")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]++|$)(.*)")
_UNDERLINE = re.compile(r" {0,3}(=++|-{2,}+)[ \t]*+$")
_FRONT_TITLE = re.compile(r"title:[ \t]*+[\"']?+([^\"'\n]++)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LoadedFile:
    """The content of a file; or why it cannot be a document, as the end of a sentence."""

    path: Path
    kind: DocumentKind
    version: FileVersion
    data: bytes = b""
    problem: str = ""


class FileUnreadable(ValidationError):
    """A file that cannot be opened now, or needs a library; may succeed later."""


def kind_of(path: Path) -> DocumentKind | None:
    """Return the kind by the file's name; None for other kinds."""
    return KINDS.get(path.suffix.lower())


def load_file(path: Path, private: PrivateFiles = NO_PRIVATE_FILES) -> LoadedFile:
    """Read a file, unless it is too large; a name of no known kind is taken for text.

    `path` has no links in it, else the file is refused: one may have been put there since.

    Raises:
        FileUnreadable: it is not an ordinary file, one of ours, vanished, or may not be read.
    """
    kind = kind_of(path) or DocumentKind.TEXT
    largest = LARGEST_PDF if kind is DocumentKind.PDF else LARGEST_TEXT
    try:
        str(path).encode()
        with _open_file(path, private) as file:
            found = os.fstat(file.fileno())
            data = b"" if found.st_size > largest else file.read(largest + 1)
    except OSError as error:
        raise FileUnreadable(_reason(error)) from error
    except ValueError as error:
        raise FileUnreadable("has a name that is not text: rename it") from error
    if data and not found.st_size:
        # The kernel's answers have no size.
        raise FileUnreadable("is not an ordinary file")
    if max(found.st_size, len(data)) > largest:
        problem = f"is larger than {largest // 1024 // 1024} MB"
        return LoadedFile(
            path, kind, FileVersion(found.st_size, found.st_mtime_ns, ""), b"", problem
        )
    content_hash = blake2b(data, digest_size=16).hexdigest()
    return LoadedFile(path, kind, FileVersion(found.st_size, found.st_mtime_ns, content_hash), data)


def _open_file(path: Path, private: PrivateFiles) -> IO[bytes]:
    """Open an ordinary file; the handle is checked too, as another file may replace it.

    Raises:
        FileUnreadable: it is not a file, has a link in its path, or is one of ours.
    """
    path.stat()  # names links that lead nowhere
    # Opening a FIFO or a device can block or do something, so it is looked at before.
    _require_ordinary(path.lstat())
    flags = (
        os.O_RDONLY | getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY")
    )
    handle = os.open(path, reduce(or_, flags))
    file = open(handle, "rb")  # noqa: PTH123, SIM115 - of a handle; the caller closes it
    try:
        found = os.fstat(handle)
        _require_ordinary(found)
        if os.path.realpath(path) != str(path) or not os.path.samestat(path.lstat(), found):
            raise FileUnreadable(BEHIND_LINK)
        if private.covers(path, found):
            raise FileUnreadable(OWN_FILE)
    except BaseException:
        file.close()
        raise
    return file


def _require_ordinary(found: os.stat_result) -> None:
    if stat.S_ISLNK(found.st_mode):
        raise FileUnreadable(BEHIND_LINK)
    if not stat.S_ISREG(found.st_mode) or is_of_system(found):
        raise FileUnreadable("is not an ordinary file")


def _reason(error: OSError) -> str:
    match error.errno:
        case errno.ENOENT | errno.ENOTDIR:
            return "does not exist"
        case errno.EACCES | errno.EPERM:
            return "may not be read: check its permissions"
        case errno.ELOOP:
            return "is a link that leads to itself"
        case errno.ENXIO | errno.EISDIR:
            return "is not an ordinary file"
        case _:
            return f"cannot be read ({error.strerror})"


class DocumentReader:
    """Parses files; HTML and PDF in a ParserProcess."""

    def __init__(self, seconds: float = PARSE_SECONDS) -> None:
        self._parser = ParserProcess(seconds)

    def parse(self, file: LoadedFile) -> ReadDocument:
        """Return the document with its passages, or with the problem that its content has.

        Raises:
            FileUnreadable: a library is missing.
        """
        title, passages, problem = _title(file.path.stem), list[Passage](), file.problem
        if not problem:
            try:
                title, blocks = self._blocks(file)
                if file.kind is not DocumentKind.HTML:
                    blocks = _join_line_ends([*blocks])
                passages = split_passages(title, blocks)
                if not passages:
                    problem = "is empty"
            except UnreadableContent as error:
                problem = str(error)
        return ReadDocument(str(file.path), file.kind, title, file.version, passages, problem)

    def cancel(self) -> None:
        """Interrupt a `parse` in another thread: it raises KeyboardInterrupt, as for Ctrl+C."""
        self._parser.cancel()

    def close(self) -> None:
        """End the parser process, if there is one."""
        self._parser.close()

    def __enter__(self) -> DocumentReader:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def _blocks(self, file: LoadedFile) -> tuple[str, Iterable[Block]]:
        """Return the title and blocks."""
        name = _title(file.path.stem)
        match file.kind:
            case DocumentKind.TEXT:
                return name, text_blocks(_decode(file.data))
            case DocumentKind.MARKDOWN:
                title, blocks = _markdown_blocks(_decode(file.data))
                return title or name, blocks
            case DocumentKind.HTML:
                text = _decode(file.data, _CHARSET.search(file.data[:2048].decode("latin-1")))
                # A browser breaks lines by itself, so these are not ends of lines.
                title, blocks = self._parse_apart(file.kind, text.replace(BREAK, "").encode())
            case DocumentKind.PDF:
                if b"%PDF-" not in file.data[:1024]:
                    raise UnreadableContent("is not a PDF")
                title, blocks = self._parse_apart(file.kind, file.data)
                return title or name, _without_running_heads(blocks)
        # A page without a title is named by its first heading.
        return title or next((each.text for each in blocks if each.level), "") or name, blocks

    def _parse_apart(self, kind: DocumentKind, data: bytes) -> tuple[str, list[Block]]:
        library = _LIBRARIES[kind]
        if importlib.util.find_spec(library) is None:
            raise FileUnreadable(f"needs {library}: {install_command('knowledge')}")
        title, parsed = self._parser.parse(kind, data)
        blocks = (Block(level, _clean(text), page) for level, text, page in parsed)
        named = [each._replace(text=_title(each.text)) if each.level else each for each in blocks]
        return _title(_clean(title)), named


def _decode(data: bytes, charset: re.Match[str] | None = None) -> str:
    """Decode by its mark, declared charset, as UTF-8, or as Western European.

    Raises:
        UnreadableContent: it is binary, or in an unknown encoding.
    """
    encoding = next((each for mark, each in _MARKS if data.startswith(mark)), "")
    if not encoding:
        controls = len(data) - len(data.translate(None, _CONTROLS))
        if b"\0" in data or controls > 0.02 * len(data):
            raise UnreadableContent("contains binary data")
    for each in filter(None, (encoding, charset and charset[1], "utf-8")):
        try:
            return _clean(data.decode(each))
        except (UnicodeError, LookupError):
            continue
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError as error:
        raise UnreadableContent("has an unknown encoding: save it as UTF-8") from error
    # Of text in another alphabet most characters would be accented.
    sample = data[: 1 << 16]
    if encoding or sum(byte > 127 for byte in sample) > 0.4 * len(sample):
        raise UnreadableContent("has an unknown encoding: save it as UTF-8")
    return _clean(text)


def _clean(text: str) -> str:
    """Remove control, escape and bidi characters, and those that cannot be seen."""
    text = text.replace("\r\n", "\n")
    # Nearly all texts; the patterns below take as long as all the rest.
    if text.replace("\n", " ").replace("\t", " ").replace("\xa0", " ").isprintable():
        return text
    return _INVISIBLE.sub("", plain_text(text))


def _without_running_heads(blocks: Sequence[Block]) -> list[Block]:
    pages = iter(without_running_heads([each.text for each in blocks if not each.level]))
    return [each if each.level else each._replace(text=next(pages)) for each in blocks]


def _title(text: str) -> str:
    return plain_line(" ".join(text.replace(BREAK, "").split()))[:_LONGEST_HEADING]


def _markdown_blocks(text: str) -> tuple[str, list[Block]]:
    """Return the title (of the front matter, or the first heading) and the blocks."""
    text = _without_comments(text)
    lines = (_DATA_LINK.sub("(", text) if "(data:" in text else text).split("\n")
    title, start = "", 0
    if lines[0].rstrip() == "---" and "---" in (rest := [line.rstrip() for line in lines[1:200]]):
        start = rest.index("---") + 2
        named = (_FRONT_TITLE.match(line) for line in rest[: start - 2])
        title = next((_title(each[1]) for each in named if each), "")
    blocks = list(_markdown_parts(lines, start))
    first = next((block.text for block in blocks if block.level), "")
    return title or first, blocks


def _markdown_parts(lines: list[str], at: int) -> Iterator[Block]:
    """Yield headings, paragraphs and blocks of code from the line with that index on."""
    paragraph: list[str] = []
    while at <= len(lines):
        # A blank line at the end ends the last paragraph.
        line = lines[at] if at < len(lines) else ""
        mark = line.lstrip(" ")[:1]
        heading = _HEADING.match(line) if mark == "#" else None
        fence = _FENCE.match(line) if mark in ("`", "~") else None
        if mark in ("=", "-") and len(paragraph) == 1 and (under := _UNDERLINE.match(line)):
            yield _heading(1 if under[1][0] == "=" else 2, paragraph.pop(), at - 1)
            line = ""
        elif paragraph and (heading or fence or not mark or line.isspace()):
            yield Block(0, "\n".join(paragraph), None, at - len(paragraph) + 1)
            paragraph = []
        if heading:
            yield _heading(len(heading[1]), heading[2], at)
        elif fence:
            end = _end_of_code(lines, at + 1, fence[1])
            yield Block(0, "\n".join(lines[at:end]), None, at + 1)
            at = end - 1
        elif mark and line and not line.isspace():
            paragraph.append(line)
        at += 1


def _end_of_code(lines: list[str], at: int, fence: str) -> int:
    """Return the index after the line that closes a block of code."""
    while at < len(lines) and not lines[at].lstrip(" ").startswith(fence):
        at += 1
    return min(at + 1, len(lines))


def _heading(level: int, text: str, at: int) -> Block:
    return Block(level, _title(text.strip().rstrip("#")), None, at + 1)


def _without_comments(text: str) -> str:
    """Remove HTML comments, which no reader sees; their line ends stay."""
    pieces: list[str] = []
    at = 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        pieces += (text[at:start], "\n" * text.count("\n", start, end))
        at = end + 3
    return "".join((*pieces, text[at:])) if pieces else text


def _join_line_ends(blocks: list[Block]) -> list[Block]:
    """Join the words that line ends divide, but not in blocks of code."""
    words = words_of_document("\n".join(each.text for each in blocks))
    return [
        each
        if _FENCE.match(each.text)
        else each._replace(text=join_line_ends(each.text, words, keep_lines=each.line is not None))
        for each in blocks
    ]
