"""Notes in Markdown as styled text: nothing of it is markup or an escape of the terminal's."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token
from textual.content import Content
from textual.style import Style

from todo_tui.domain.links import links_in
from todo_tui.domain.text import plain_text
from todo_tui.tui.theme import FAINT, MUTED
from todo_tui.tui.widgets.cell_text import steady

LONGEST = 20_000
"""Characters of notes that are drawn; the editor has all of them."""
_LINK = "underline $text-accent"
_STYLES = {
    "strong_open": "bold",
    "em_open": "italic",
    "s_open": "strike",
}
_BOXES = {"[ ] ": "☐ ", "[x] ": "☑ ", "[X] ": "☑ "}
_RULE = "─" * 20


class Links:
    """Addresses that were drawn, by the number under which a click asks for them."""

    def __init__(self) -> None:
        self._urls: list[str] = []

    def style(self, url: str) -> Style:
        """What makes a text open the address when it is clicked."""
        if url not in self._urls:
            self._urls.append(url)
        return Style.from_meta({"@click": f"open_link({self._urls.index(url)})"})

    def url(self, number: int) -> str:
        """The address of a number.

        Raises:
            IndexError: there is none.
        """
        return self._urls[number]


def linked(text: str, links: Links, style: str = "") -> Content:
    """A plain text whose addresses can be clicked."""
    content = Content.styled(text, style) if style else Content(text)
    for start, end, url in links_in(text):
        content = content.stylize(_LINK, start, end).stylize(links.style(url), start, end)
    return content


def markdown_content(text: str, links: Links) -> Content:
    """Headings, lists, quotes, code, emphasis and links; everything else as it stands."""
    shown = steady(plain_text(text[:LONGEST]))
    parser = MarkdownIt("commonmark").enable("strikethrough").disable(["html_block", "html_inline"])
    lines = _Blocks(links).lines(parser.parse(shown))
    if len(text) > LONGEST:
        lines.append(Content.styled("… E shows the rest", MUTED))
    return Content("\n").join(lines)


class _Blocks:
    """Goes over the blocks of a text and draws each below the other."""

    def __init__(self, links: Links) -> None:
        self._links = links
        self._lines: list[Content] = []
        self._prefixes: list[str] = []
        self._marker = ""
        self._numbers: list[int | None] = []
        self._style = ""

    def lines(self, tokens: Sequence[Token]) -> list[Content]:
        """The lines of all blocks, one apart where the blocks are."""
        for token in tokens:
            if token.level == 0 and token.nesting >= 0 and self._lines:
                self._lines.append(Content(""))
            self._draw(token)
        return self._lines

    def _draw(self, token: Token) -> None:
        if token.nesting > 0:
            self._open(token)
        elif token.nesting < 0:
            self._close(token)
        else:
            self._fill(token)

    def _open(self, token: Token) -> None:
        match token.type:
            case "heading_open":
                self._style = "bold underline" if token.tag == "h1" else "bold"
            case "bullet_list_open":
                self._numbers.append(None)
            case "ordered_list_open":
                self._numbers.append(int(token.attrs.get("start", 1)))
            case "list_item_open":
                self._open_item()
            case "blockquote_open":
                self._prefixes.append("▌ ")

    def _close(self, token: Token) -> None:
        match token.type:
            case "heading_close":
                self._style = ""
            case "bullet_list_close" | "ordered_list_close":
                self._numbers.pop()
            case "list_item_close" | "blockquote_close":
                self._prefixes.pop()
                self._marker = ""

    def _fill(self, token: Token) -> None:
        match token.type:
            case "inline":
                self._add(_inline(token.children or (), self._links, self._style))
            case "fence" | "code_block":
                self._add(Content.styled(token.content.rstrip("\n"), "$text-warning"))
            case "hr":
                self._add(Content.styled(_RULE, FAINT))

    def _open_item(self) -> None:
        number = self._numbers[-1]
        self._marker = "• " if number is None else f"{number}. "
        if number is not None:
            self._numbers[-1] = number + 1
        self._prefixes.append(" " * len(self._marker))

    def _add(self, content: Content) -> None:
        for line in content.split("\n", allow_blank=True):
            before = "".join(self._prefixes)
            if self._marker:
                before = before[: -len(self._marker)] + self._marker
                self._marker = ""
            self._lines.append(Content.styled(before, MUTED) + line if before else line)


def _inline(children: Iterable[Token], links: Links, style: str) -> Content:
    pieces: list[Content] = []
    styles: list[str] = [style] if style else []
    href = ""
    for child in children:
        match child.type:
            case "softbreak" | "hardbreak":
                pieces.append(Content("\n"))
            case "link_open":
                href = _opened(str(child.attrs.get("href", "")))
            case "link_close":
                href = ""
            case "code_inline":
                pieces.append(Content.styled(child.content, "$text-warning"))
            case "strong_open" | "em_open" | "s_open":
                styles.append(_STYLES[child.type])
            case "strong_close" | "em_close" | "s_close":
                styles.pop()
            case _:
                text = child.content
                if not pieces:
                    text = _BOXES.get(text[:4], text[:4]) + text[4:]
                piece = (
                    Content.styled(text, _LINK).stylize(links.style(href))
                    if href
                    else linked(text, links)
                )
                for each in styles:
                    piece = piece.stylize(each)
                pieces.append(piece)
    return Content("").join(pieces)


def _opened(href: str) -> str:
    """The address of a link as it would be opened; empty where it is no address."""
    found = links_in(href)
    return found[0].url if len(found) == 1 and found[0].start == 0 else ""
