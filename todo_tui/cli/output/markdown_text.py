"""Markdown as plain text for pipes, without marks and escapes."""

from collections.abc import Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from todo_tui.domain.text import plain_text

_MAX_CHARACTERS, _MAX_MARKS = 50_000, 3_000
"""Texts beyond are printed as they are: the time to parse marks grows with their square.

Measured with markdown-it 4: 3,000 times `[` take 0.07 s, 20,000 times 1.3 s; 50,000 characters
in short lines 0.6 s.
"""
_MARKS = "[!*_~`<&|"
_DEPTH = 50
"""Levels of lists and quotes; the parser leaves out what is deeper."""
_BLOCK_MARKS = " \t>-+*.)0123456789"
_GAP = "  "


def markdown_to_text(markdown: str) -> str:
    """Return the text of Markdown: lists and quotes with marks, links with addresses.

    Control characters are removed after parsing too: `&#8238;` stands for one.
    """
    text = plain_text(markdown).strip("\n")
    is_long = len(text) > _MAX_CHARACTERS or sum(map(text.count, _MARKS)) > _MAX_MARKS
    if is_long or _is_deep(text):
        return text
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": _DEPTH})
    root = SyntaxTreeNode(parser.enable(["table", "strikethrough"]).parse(text))
    return plain_text("\n".join(_join_blocks(root.children)))


def _is_deep(markdown: str) -> bool:
    """Return True if a line begins with more marks of quotes and lists than the parser reads."""
    for line in markdown.splitlines():
        text = line.lstrip(_BLOCK_MARKS)
        if text and len("".join(line.removesuffix(text).split())) > _DEPTH // 2:
            return True
    return False


def _join_blocks(blocks: Sequence[SyntaxTreeNode]) -> Iterator[str]:
    """Yield the lines of blocks, with an empty line between those that are apart."""
    before: SyntaxTreeNode | None = None
    for block in blocks:
        # The paragraphs of a list without empty lines are hidden, in the words of HTML.
        is_tight = before is not None and before.type == "paragraph" and before.hidden
        if before is not None and not is_tight:
            yield ""
        yield from _block_lines(block)
        before = block


def _block_lines(block: SyntaxTreeNode) -> Iterator[str]:
    match block.type:
        case "bullet_list" | "ordered_list":
            yield from _list_lines(block)
        case "blockquote":
            for line in _join_blocks(block.children):
                yield f"> {line}".rstrip()
        case "fence" | "code_block":
            yield from block.content.rstrip("\n").split("\n")
        case "hr":
            yield "---"
        case "table":
            yield from _table_lines(block)
        case _:
            yield from _inline_text(block).split("\n")


def _list_lines(block: SyntaxTreeNode) -> Iterator[str]:
    is_ordered = block.type == "ordered_list"
    first = int(block.attrs.get("start", 1)) if is_ordered else 0
    for number, item in enumerate(block.children):
        is_loose = any(child.type == "paragraph" and not child.hidden for child in item.children)
        if number and is_loose:
            yield ""
        mark = f"{first + number}{item.markup} " if is_ordered else f"{item.markup} "
        lines = list(_join_blocks(item.children)) or [""]
        yield f"{mark}{lines[0]}".rstrip()
        for line in lines[1:]:
            yield f"{' ' * len(mark)}{line}".rstrip()


def _table_lines(table: SyntaxTreeNode) -> Iterator[str]:
    rows = [
        [_inline_text(cell) for cell in row.children]
        for part in table.children
        for row in part.children
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield _GAP.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _inline_text(node: SyntaxTreeNode) -> str:
    return "".join(map(_inline_piece, node.children))


def _inline_piece(node: SyntaxTreeNode) -> str:
    match node.type:
        case "text" | "code_inline" | "html_inline":
            return node.content
        case "softbreak" | "hardbreak":
            return "\n"
        case "image":
            return node.content
        case "link":
            label, address = _inline_text(node), str(node.attrs.get("href", ""))
            return label if address in ("", label, f"mailto:{label}") else f"{label} ({address})"
        case _:
            return _inline_text(node)
