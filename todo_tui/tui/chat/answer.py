"""Answer of the model: Markdown while it streams, drawn up to a limit; redraws are throttled."""

import asyncio
import re
import time
from collections.abc import Container
from dataclasses import dataclass
from itertools import cycle
from urllib.parse import quote

from markdown_it import MarkdownIt
from markdown_it.common.normalize_url import normalizeLink, normalizeLinkText
from markdown_it.rules_inline import StateInline
from textual import on
from textual.app import App
from textual.content import Content, Span
from textual.message import Message
from textual.style import Style
from textual.timer import Timer
from textual.widgets import Markdown, Static
from textual.widgets.markdown import MarkdownFence

from todo_tui.domain.knowledge.evidence import CITATION, cited_numbers
from todo_tui.domain.text import plain_text
from todo_tui.tui.actions.action import ActionHost
from todo_tui.tui.actions.chat import ANSWER, REPLY
from todo_tui.tui.actions.hints import format_hint
from todo_tui.tui.chat.conversation_part import ConversationPart
from todo_tui.tui.clipboard import copy_to_clipboard
from todo_tui.tui.links import can_open
from todo_tui.tui.theme import MUTED

# Answers are parsed in threads, several at once when a conversation is opened, and mdurl fills its
# tables on first use: a thread that finds one half filled raises IndexError.
normalizeLink("a")
normalizeLinkText("a")

MAX_CHARACTERS = 20_000
"""Limit per message. 20,000 are laid out in 0.1 s, ten times as many in 2 s."""
MAX_LINES = 500
_REDRAW_SECONDS = 0.07
"""Minimum interval between redraws; each lays out the transcript again."""
_SHARE_OF_TIME = 3
"""Pause after a redraw, in multiples of its duration with the layout, so that keys are handled."""
_RICH_CHARACTERS, _RICH_WIDGETS, _RICH_MARKS, _RICH_DEPTH = 8_000, 500, 1_000, 8
"""Limits beyond which text is drawn as plain text instead of Markdown.

Measured with textual 8.2 and markdown-it 4: a list of 100 items is 400 widgets and takes 0.8 s
to mount, one of 1,250 items 23 s; 20,000 times `[` are parsed in 1.3 s, and in four times that
with each doubling; 2,500 nested quotes are laid out in 2 s.
"""
_MARKS = "[!*_~`<&|"
CITATION_LINK = "citation:"
"""Scheme of links to passages, before their numbers."""
CITATION_META = "citation"
"""Key of the number of a passage in the style of a citation in plain text."""
_SUGGESTION = re.compile(r"“([^”\n]{1,80})”")
_SUGGESTION_LINK = "say:"
"""Scheme of links to messages that an answer suggests."""


@dataclass
class MessageSuggested(Message):
    """Posted when a suggested message was clicked, or chosen by Enter: it goes into the box.

    The answer to a question is sent at once.
    """

    text: str
    is_reply: bool = False


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Beginning of a text, without control characters."""

    text: str
    hidden: int

    @property
    def note(self) -> str:
        """Line that reports the hidden characters; empty where the text is complete."""
        return f"… {self.hidden:,} more characters (not shown)" if self.hidden else ""

    @property
    def lines(self) -> str:
        """Text with the note below it."""
        return "\n".join(filter(None, (self.text, self.note)))


def excerpt(text: str, *, characters: int = MAX_CHARACTERS, lines: int = MAX_LINES) -> Excerpt:
    """Cut a text to the part that is drawn."""
    beginning = plain_text(text[:characters])
    drawn = "\n".join(beginning.split("\n", lines)[:lines])
    if not beginning[len(drawn) :].strip():
        drawn = beginning
    return Excerpt(drawn, len(text[characters:]) + len(beginning) - len(drawn))


def link_citations(text: str, citable: Container[int]) -> Content:
    """Return plain text in which citations of these passages can be clicked."""
    links = []
    for found in CITATION.finditer(text):
        if (number := _cited_number(found, citable)) is not None:
            link = Style(underline=True) + Style.from_meta({CITATION_META: number})
            links.append(Span(found.start(), found.end(), link))
    return Content(text, spans=links)


def _suggested(found: re.Match[str] | None) -> str:
    """Return the message that a match suggests; a title between quotation marks is not one."""
    from todo_tui.providers.offline.replies import SUGGESTIONS  # 50 ms, in the parser's thread

    return found[1] if found is not None and found[1] in SUGGESTIONS else ""


def _cited_number(found: re.Match[str], citable: Container[int]) -> int | None:
    """Return the first passage that a citation such as `[1, 3]` leads to."""
    return next((each for each in cited_numbers(found[0]) if each in citable), None)


class CodeBlock(ConversationPart, MarkdownFence, can_focus=True):
    """Code block of an answer."""

    FOCUS_ON_CLICK = False
    noun = "code block"

    @property
    def copied_text(self) -> str:
        """Code without its fence."""
        return self.code.rstrip("\n")


class StreamingAnswer(ActionHost, ConversationPart, Markdown, can_focus=True):
    """Markdown widget that draws fragments as they arrive, and all of it again at the end.

    The last update repairs code fences that were open meanwhile. HTML is not parsed, so that tags
    in an answer are shown as text. Text that is long or expensive to draw as Markdown is drawn as
    plain text up to a limit. Citations of the passages with the numbers `citable` are links, and
    so are messages that the built-in assistant suggests.

    Only this widget's own messages and `settle` draw. Textual's `MarkdownStream` draws in a task of
    its own: stopping one that has not begun raises CancelledError in the caller, which ends the
    message loop of the screen.
    """

    BLOCKS = {  # noqa: RUF012 - no ClassVar in the base class
        **Markdown.BLOCKS,
        "fence": CodeBlock,
        "code_block": CodeBlock,
    }
    FOCUS_ON_CLICK = False
    ACTIONS = ANSWER
    noun = "answer"

    def __init__(self, text: str = "", citable: Container[int] = ()) -> None:
        self._fragments = [text]
        self._citable = citable
        super().__init__(self._markdown_text(), parser_factory=self._make_parser, open_links=False)
        self._parser: MarkdownIt | None = None
        self._plain: Static | None = None
        self._needs_full_update = False
        """True once a drawn text was not a prefix of the answer: Textual appends to an updated text
        by its last line, not by its last block."""
        self._draw_lock = asyncio.Lock()
        self._is_stale = False
        self._is_due = False
        self._pause: Timer | None = None

    def _make_parser(self) -> MarkdownIt:
        """Return the widget's one parser: building one costs more than most fragments do."""
        if self._parser is None:
            self._parser = MarkdownIt("gfm-like", {"html": False})
            if self._citable:
                self._parser.inline.ruler.before("link", "citation", self._parse_citation)
            self._parser.inline.add_terminator_char("“")
            self._parser.inline.ruler.before("link", "suggestion", self._parse_suggestion)
        return self._parser

    def _parse_suggestion(self, state: StateInline, silent: bool) -> bool:
        """Parse a suggested message as a link, as a rule of the parser."""
        found = None if state.linkLevel else _SUGGESTION.match(state.src, state.pos)
        message = _suggested(found)
        if found is None or not message:
            return False
        if not silent:
            state.push("text", "", 0).content = "“"
            href = quote(f"{_SUGGESTION_LINK}{message}")
            state.push("link_open", "a", 1).attrs = {"href": href}
            state.push("text", "", 0).content = message
            state.push("link_close", "a", -1)
            state.push("text", "", 0).content = "”"
        state.pos = found.end()
        return True

    @property
    def suggested(self) -> str:
        """First message that the answer suggests, or empty."""
        text = self.text[-MAX_CHARACTERS:]
        return next(filter(None, map(_suggested, _SUGGESTION.finditer(text))), "")

    def suggest(self) -> None:
        """Put the first suggested message into the box."""
        self.post_message(MessageSuggested(self.suggested))

    def _parse_citation(self, state: StateInline, silent: bool) -> bool:
        """Parse a citation as a link, as a rule of the parser."""
        found = None if state.linkLevel else CITATION.match(state.src, state.pos)
        number = _cited_number(found, self._citable) if found is not None else None
        if found is None or number is None:
            return False
        if not silent:
            state.push("link_open", "a", 1).attrs = {"href": f"{CITATION_LINK}{number}"}
            state.push("text", "", 0).content = found[0]
            state.push("link_close", "a", -1)
        state.pos = found.end()
        return True

    @property
    def text(self) -> str:
        """Full text received so far."""
        self._fragments = ["".join(self._fragments)]
        return self._fragments[0]

    @property
    def copied_text(self) -> str:
        """Full text as Markdown, as the model wrote it."""
        return self.text

    def _markdown_text(self) -> str | None:
        """Return the text to draw as Markdown; None where it is to be drawn as plain text."""
        text = self.text
        markdown = plain_text(text) if len(text) <= _RICH_CHARACTERS else text
        return markdown if is_cheap(markdown) else None

    async def on_mount(self) -> None:
        """Draw initial text that is not drawn as Markdown."""
        if self._markdown_text() is None:
            await self._draw_plain()

    def write(self, fragment: str) -> None:
        """Append a fragment; redraws are throttled."""
        self._fragments.append(fragment)
        self._is_stale = True
        if not self._is_due:
            self._is_due = True
            self.call_later(self._draw_next)

    async def settle(self) -> None:
        """Draw the complete text once more as a whole."""
        if self._pause is not None:
            self._pause.stop()
        async with self._draw_lock:
            await self._draw(whole=True)

    async def _draw_next(self) -> None:
        self._is_due = self._is_stale
        if not self._is_due:
            return
        began = time.perf_counter()
        async with self._draw_lock:
            await self._draw(whole=False)
        # Most of the time goes into the layout, which follows.
        self.call_after_refresh(self._pause_after_redraw, began)

    def _pause_after_redraw(self, began: float) -> None:
        took = time.perf_counter() - began
        self._pause = self.set_timer(max(_REDRAW_SECONDS, took * _SHARE_OF_TIME), self._draw_next)

    async def _draw(self, *, whole: bool) -> None:
        self._is_stale = False
        text = self._markdown_text() if self._plain is None else None
        if text is None:
            await self._draw_plain()
            return
        self._needs_full_update |= not text.startswith(self.source)
        if whole or self._needs_full_update:
            await self.update(text)
        elif more := text[len(self.source) :]:
            await self.append(more)

    async def _draw_plain(self) -> None:
        part = excerpt(self.text)
        if self._plain is None:
            await self.update("")
            self._plain = Static(classes="plain-answer", markup=False)
            await self.mount(self._plain)
        note = f"\n\n{part.note}" if part.note else ""
        text = link_citations(part.text, self._citable)
        self._plain.update(Content.assemble(text, (note, MUTED)))

    @on(Markdown.TableOfContentsUpdated)
    def align_tables(self) -> None:
        """Align the cells of tables as their source says, which Textual leaves out."""
        tables = self.query("MarkdownTableContent")
        columns: list[list[str]] = []
        for token in self._make_parser().parse(self.source) if tables else ():
            if token.type == "table_open":
                columns.append([])
            elif token.type == "th_open":
                columns[-1].append(str(token.attrs.get("style", "")).replace("text-align:", "-"))
        for table, sides in zip(tables, columns, strict=False):
            for cell, side in zip(table.children, cycle(sides), strict=False):
                cell.add_class(*filter(None, [side]))

    @on(Markdown.LinkClicked)
    def open_web_links_only(self, event: Markdown.LinkClicked) -> None:
        """Open web and mail links; ignore every other scheme, since a model wrote the text.

        Links of citations are left to the view of the turn.
        """
        if event.href.startswith(CITATION_LINK):
            return
        event.stop()
        if event.href.startswith(_SUGGESTION_LINK):
            self.post_message(MessageSuggested(event.href.removeprefix(_SUGGESTION_LINK)))
        elif can_open(event.href):
            self.app.open_url(event.href)


class ReplyRow(ActionHost, ConversationPart, Static, can_focus=True):
    """Row below a question that sends one of its answers, by a click or Enter."""

    FOCUS_ON_CLICK = False
    noun = "reply"
    ACTIONS = REPLY

    def __init__(self, text: str) -> None:
        super().__init__(Content.styled(f"▸ {text}", "$text-accent"))
        self._text = text

    @property
    def copied_text(self) -> str:
        """The reply itself."""
        return self._text

    def choose(self) -> None:
        """Send the reply; a second press sends nothing."""
        self.disabled = True
        self.post_message(MessageSuggested(self._text, is_reply=True))

    def on_click(self) -> None:
        """Send the reply."""
        self.choose()


def is_cheap(text: str) -> bool:
    """Return whether drawing the text as Markdown takes at most about a second.

    Longer words that begin in the same way are never cheaper.
    """
    if len(text) > _RICH_CHARACTERS or sum(map(text.count, _MARKS)) > _RICH_MARKS:
        return False
    if text.count("://") * 10 > _RICH_MARKS:
        return False
    widgets = text.count("|")
    for line in text.splitlines():
        body = line.lstrip(" \t>-*+.)0123456789")
        markers = line[: len(line) - len(body)]
        depth = sum(map(markers.count, (">", "- ", "* ", "+ ", ". ", ") ")))
        if depth > _RICH_DEPTH:
            return False
        widgets += (1 + 3 * depth) if line.strip() else 0
        if widgets > _RICH_WIDGETS:
            return False
    return True


def copy_part(app: App[object], part: object, noun: str = "answer") -> None:
    """Copy a part of the conversation; without one, notify that there is none."""
    if not isinstance(part, ConversationPart):
        app.notify(f"No {noun} to copy{' yet' if noun == 'answer' else ''}.", timeout=3)
        return
    hint = ""
    if isinstance(part, StreamingAnswer) and part.query(CodeBlock):
        keys = "{steps.down} then {steps.copy} copies" if part.has_focus else "/copy code copies"
        hint = format_hint(app, f"{keys} only its code block.")
    copy_to_clipboard(app, part.copied_text, part.noun, hint)
