"""Composer: message box with send, new line, history recall and folded pastes."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from textual import events, on
from textual.actions import SkipAction
from textual.binding import Binding
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widgets import TextArea

from todo_tui.domain.filters.completion import Candidate
from todo_tui.domain.text import plain_text, repair_surrogates
from todo_tui.tui.actions.action import ActionHost
from todo_tui.tui.actions.chat import COMPOSER
from todo_tui.tui.actions.hints import format_hint, join_hints
from todo_tui.tui.background import run_in_background
from todo_tui.tui.chat.external_editor import MESSAGE_LIMIT_BYTES, edit_externally
from todo_tui.tui.errors import shows_errors
from todo_tui.tui.textual_fixes import own_bindings

if TYPE_CHECKING:
    from todo_tui.tui.chat.completion import CompletionSource

_FOLD_LINES = 200
_FOLD_CHARACTERS = 10_000
_CURSOR_ACTIONS = {"up": "cursor_up", "down": "cursor_down"}
"""Cursor actions of arrow keys where message recall is mapped to other keys."""
_WORD_TO_COMPLETE = re.compile(r"(?<!\S)[#@][^\s#@]*$")
_LONGEST_COMPLETED_LINE = 2_000
_WRITING_HINT = "{write.send} send · {write.new_line} new line"
_BROWSING_HINT = " · {chat.read_back} reading mode"
_BROWSING_WIDTHS = range(66, 100)
"""Columns of a terminal in which the box names the key for browsing; in wider ones the key bar."""
_CARD_HINT = "Type yes or no · {chat.to_card} answer · {chat.no} deny"
_PROPOSAL_HINT = "{chat.to_card} answer"
_BACK_HINT = "{chat.read_back} message box"
_READING_HINTS = (
    "{steps.message_up} {steps.message_down} message",
    "{steps.inspect} inspect",
    "{chat.read_back} message box",
)
"""Keys of reading mode beside those in the key bar, which has no room for all of them."""
_CODE_HINT = "{steps.down} code"
_PLACEHOLDER = "Message the assistant…"
_READING_PLACEHOLDER = "Keys act on messages. {chat.read_back} returns here."
_BELOW_CARD = "-below-card"
_FRAME = 6
"""Cells of the border line beside the key hints."""


class FoldedPastes:
    """Full texts of the folded pastes of one message."""

    def __init__(self) -> None:
        self._by_mark: dict[str, str] = {}

    def fold(self, text: str) -> str:
        """Return the text, or a placeholder where it is too large to edit in a small box."""
        lines = text.rstrip("\n").count("\n") + 1
        if lines <= _FOLD_LINES and len(text) <= _FOLD_CHARACTERS:
            return text
        size = f"{lines:,} lines" if lines > 1 else f"{len(text):,} characters"
        mark, again = f"[pasted {size}]", 2
        while self._by_mark.get(mark, text) != text:
            mark, again = f"[pasted {size}, {again}]", again + 1
        self._by_mark[mark] = text
        return mark

    def expand(self, text: str) -> str:
        """Replace each placeholder that is still in the text by its paste, once."""
        for mark, pasted in self._by_mark.items():
            text = text.replace(mark, pasted)
        return text


class CompletionContext(NamedTuple):
    """Word at the cursor that can be completed: `line[start:column]` of a row."""

    row: int
    line: str
    start: int
    column: int

    @property
    def is_command(self) -> bool:
        """True for a slash command with its argument."""
        return self.start == 0 and self.line.startswith("/")


class ComposerCompletions(NamedTuple):
    """Candidates for a line's text from `start` up to `end`, the likeliest first."""

    start: int
    end: int
    candidates: tuple[Candidate, ...] = ()
    enter_takes: bool = False
    """True if Enter takes the first one too: the text is the beginning of a name, not one."""


_NO_COMPLETIONS = ComposerCompletions(0, 0)


class Composer(ActionHost, TextArea):
    """Text area in which Enter sends; keeps its text until it is told to clear it."""

    ACTIONS = COMPOSER

    completions: reactive[ComposerCompletions] = reactive(
        _NO_COMPLETIONS, repaint=False, bindings=True
    )
    chosen: reactive[int] = reactive(0, repaint=False)
    """Index of the candidate that Tab takes."""

    @dataclass
    class Submitted(Message):
        """Posted when a message is to be sent; the composer is empty by then."""

        text: str

    class LinesPasted(Message):
        """Posted when several lines were pasted into the empty box."""

    class EditCancelled(Message):
        """Posted when an earlier message is not edited any more."""

    class EditQueuedRequested(Message):
        """Posted to edit the last queued message."""

    class CompletionsOffered(Message):
        """Posted when there are completions to show."""

    def __init__(self, source: CompletionSource, *, id: str | None = None) -> None:
        super().__init__(
            id=id,
            compact=True,
            highlight_cursor_line=False,
            placeholder=Content(_PLACEHOLDER),
        )
        self.match_cursor_bracket = False
        self.has_queued = False
        self.completed: CompletionContext | None = None
        """Text for which the completions were looked up."""
        self._source = source
        self._has_fetched_models = False
        self._closed_at: tuple[int, int] | None = None
        """Row and start of the word whose list was closed."""
        self._pastes = FoldedPastes()
        self._cleared = ""
        self._sent: list[str] = []
        self._recalled = 0
        """Index of the sent message in the box; the number of sent messages for the draft."""
        self._draft = ""
        self._reading_hints: tuple[str, ...] = ()
        self._before_edit: str | None = None
        """Text that was in the box before an earlier message was edited; None if none is."""
        self._card_hint = _CARD_HINT

    def on_mount(self) -> None:
        """Keep the cursor still where animations are off."""
        self.cursor_blink = self.app.animation_level != "none"
        self.screen.bindings_updated_signal.subscribe(self, lambda _: self._show_key_hints())

    def set_below_card(self, is_below: bool, *, is_proposal: bool = False) -> None:
        """Make room for an approval card and show how to reach it."""
        self._card_hint = _PROPOSAL_HINT if is_proposal else _CARD_HINT
        self.set_class(is_below, _BELOW_CARD)
        self._show_key_hints()

    def set_reading(self, is_reading: bool, *, has_turns: bool, has_code: bool = False) -> None:
        """Show keys of reading mode while that has the focus; `has_code`: on a code block below."""
        hints = _READING_HINTS if has_turns else _READING_HINTS[-1:]
        if has_code:
            hints = _CODE_HINT, *hints
        self._reading_hints = hints if is_reading else ()
        shown = format_hint(self.app, _READING_PLACEHOLDER) if is_reading else _PLACEHOLDER
        self.placeholder = Content(shown)
        self._show_key_hints()

    def watch_has_focus(self, has_focus: bool) -> None:
        """Show the keys; those that lead to a card only while the composer has the focus."""
        super().watch_has_focus(has_focus)
        self._show_key_hints()
        if not has_focus:
            self.close_completions()

    def _show_key_hints(self) -> None:
        if self.has_class(_BELOW_CARD):
            hint = self._card_hint if self.has_focus else _BACK_HINT
        else:
            names_browsing = self.app.size.width in _BROWSING_WIDTHS
            hint = _WRITING_HINT + (_BROWSING_HINT if names_browsing else "")
            if self._reading_hints:
                hint = join_hints(self.app, self._reading_hints, self.outer_size.width - _FRAME)
        self.border_subtitle = format_hint(self.app, hint)

    def on_resize(self) -> None:
        """Name the keys that have room."""
        self._show_key_hints()

    def remember_sent(self, texts: list[str]) -> None:
        """Set the sent messages that Up and Down recall, oldest first."""
        self._sent = texts
        self._recalled = len(texts)

    def begin_edit(self, text: str) -> None:
        """Put an earlier message into the box; what was typed returns when it is sent or left."""
        self.end_edit()
        self._before_edit = self.text
        self.border_title = format_hint(self.app, "Edit message · {write.cancel_edit} cancel")
        self._replace_all(text)

    def end_edit(self) -> None:
        """Put back what was typed before an earlier message was edited; Up brings the edit back."""
        if self._before_edit is not None:
            if self.text.strip():
                self._remember(self.full_text)
            self.border_title = None
            self._replace_all(self._before_edit)
            self._before_edit = None

    def action_cancel_edit(self) -> None:
        """Leave the earlier message as it was."""
        self.end_edit()
        self.post_message(self.EditCancelled())

    @property
    def full_text(self) -> str:
        """Text in the box, with its folded pastes in full."""
        return self._pastes.expand(self.text)

    def replace_text(self, text: str) -> None:
        """Replace what is in the box, which undo brings back; fold a very large text."""
        self._replace_all(self._pastes.fold(text))

    def put_back(self, text: str) -> None:
        """Put unsent text in front of what is in the box."""
        typed, text = self.text, self._pastes.fold(text)
        self._replace_all(f"{text}\n{typed}" if typed.strip() else text)

    async def on_key(self, event: events.Key) -> None:
        """Handle the composer's keys in the order in which they were pressed.

        Otherwise half a message would be sent, or the wrong letter deleted (`own_bindings`).
        """
        keys = self._keys()
        if event.key.startswith("alt+") and event.key not in keys:
            # Old terminals send the letter too, which is not meant as text.
            event.prevent_default()
        for binding in keys.get(event.key, ()):
            if await self.app.run_action(binding.action, self):
                event.prevent_default()
                event.stop()
                return

    def _keys(self) -> dict[str, list[Binding]]:
        """Return the actions of each key of the composer, the first that is enabled first."""
        keys = own_bindings(self)
        for key, action in _CURSOR_ACTIONS.items():
            keys.setdefault(key, []).append(Binding(key, action))
        return keys

    async def on_paste(self, event: events.Paste) -> None:
        """Insert pasted lines without sending; fold a very large paste."""
        event.prevent_default()
        event.stop()
        text = plain_text(repair_surrogates(event.text))
        if self._is_too_large(text, "Paste too long ({} of {}). Nothing was pasted."):
            return
        if not self.text and "\n" in text.strip():
            self.post_message(self.LinesPasted())
        start, end = self.selection
        self._put(self._pastes.fold(text), start, end)

    def _put(self, text: str, start: tuple[int, int], end: tuple[int, int]) -> None:
        """Replace a part of the text and move the cursor behind what is put there."""
        put = self.replace(text, start, end, maintain_selection_offset=False)
        self.move_cursor(put.end_location)

    def clear_text(self) -> str:
        """Empty the box if it has the focus; return its text, which Up brings back too."""
        text = self._cleared = self.full_text if self.has_focus else ""
        if text.strip():
            self._replace_all("")
            self._remember(text)
        return text

    def put_back_cleared(self) -> None:
        """Put the text that was cleared last back into the empty box."""
        if not self.text:
            self.put_back(self._cleared)

    @shows_errors
    async def edit_externally(self) -> None:
        """Edit the text in the user's editor."""
        before = self.full_text
        edited = await edit_externally(self.app, before, os.environ)
        if edited != before:
            # A message may have been put back meanwhile.
            self.replace_text(self.full_text.removesuffix(before) + edited)

    def _remember(self, text: str) -> None:
        if self._sent[-1:] != [text]:
            self._sent.append(text)
        self._recalled = len(self._sent)

    def action_new_line(self) -> None:
        """Insert a line break at the cursor."""
        start, end = self.selection
        self._put("\n", start, end)

    def action_send(self) -> None:
        """Send, or insert a line break where a backslash stands before the cursor."""
        if self._enter_takes:
            self._take_candidate()
            return
        row, column = self.cursor_location
        if self.selection.is_empty and self.document[row][:column].endswith("\\"):
            self._put("\n", (row, column - 1), (row, column))
            return
        text = self.full_text
        reason = "Message too long ({} of {}). Shorten it to send."
        if not text.strip() or self._is_too_large(text, reason):
            return
        self._replace_all("")
        self._pastes = FoldedPastes()
        self._remember(text)
        self.post_message(self.Submitted(text))

    def _is_too_large(self, text: str, reason: str) -> bool:
        """Refuse a text above the limit; `reason` has places for its size and the limit."""
        size = len(text.encode())
        if size > MESSAGE_LIMIT_BYTES:
            sizes = _format_size(size), _format_size(MESSAGE_LIMIT_BYTES)
            self.app.notify(reason.format(*sizes), severity="warning")
        return size > MESSAGE_LIMIT_BYTES

    def action_recall_older(self) -> None:
        """Move up; on the first line, recall the previous message."""
        if self.cursor_at_first_line and self.has_queued and not self.text:
            self.post_message(self.EditQueuedRequested())
        elif self.cursor_at_first_line and self._recalled > 0:
            if self._recalled == len(self._sent):
                self._draft = self.text
            self._recall(self._recalled - 1)
        else:
            self.action_cursor_up()

    def action_recall_newer(self) -> None:
        """Move down; on the last line, recall the next message or the draft."""
        if self.cursor_at_last_line and self._recalled < len(self._sent):
            self._recall(self._recalled + 1)
        else:
            self.action_cursor_down()

    # Completion

    @property
    def completion_context(self) -> CompletionContext | None:
        """The word at the cursor that can be completed; None if there is none."""
        row, column = self.cursor_location
        line = self.document[row]
        if not (self.has_focus and self.selection.is_empty):
            return None
        if len(line) > _LONGEST_COMPLETED_LINE:
            return None
        if line.startswith("/") and not line.startswith("//") and self.document.line_count == 1:
            return CompletionContext(row, line, 0, column) if column == len(line) else None
        word = _WORD_TO_COMPLETE.search(line[:column])
        return CompletionContext(row, line, word.start(), column) if word else None

    @on(TextArea.Changed)
    @on(TextArea.SelectionChanged)
    def _update_completions(self) -> None:
        """Look up completions if the text at the cursor has changed."""
        context = self.completion_context
        if context is None:
            self._source.forget_word()
            self.close_completions()
        elif context != self.completed:
            looking_up = partial(self._look_up, context)
            run_in_background(self, looking_up, group="completion", exclusive=True)

    @shows_errors
    async def _look_up(self, context: CompletionContext) -> None:
        """Find the completions of that text and offer them if it is still at the cursor."""
        if context.is_command and not self._has_fetched_models:
            self._has_fetched_models = True
            run_in_background(self, self._source.fetch_models, group="models")
        found = await self._source.find(context, is_card_open=self.has_class(_BELOW_CARD))
        if context == self.completion_context:
            self._offer(context, found)

    def _offer(self, context: CompletionContext, found: ComposerCompletions) -> None:
        """Offer completions of the word at the cursor, unless its list was closed."""
        if self._closed_at != (context.row, context.start):
            self._closed_at = None
            if found.candidates != self.completions.candidates:
                self.chosen = 0
            self.completed, self.completions = context, found
            if found.candidates:
                self.post_message(self.CompletionsOffered())

    def close_completions(self) -> None:
        """Offer no completions, until there is another word."""
        self.completed, self._closed_at = None, None
        self.completions = _NO_COMPLETIONS

    async def action_complete(self) -> None:
        """Take the chosen completion, after looking it up where the text has just changed."""
        context = self.completion_context
        if context is not None and context != self.completed:
            await self._look_up(context)
        if not self.offers_completions:
            raise SkipAction
        self._take_candidate()

    def action_choose(self, step: int) -> None:
        """Choose the next completion, wrapping around."""
        self.chosen = (self.chosen + step) % len(self.completions.candidates)

    def action_close_list(self) -> None:
        """Close the list of completions until another word begins."""
        closed = self.completed
        self.close_completions()
        if closed is not None:
            self._closed_at = closed.row, closed.start

    @property
    def offers_completions(self) -> bool:
        """True if completions of the very text at the cursor are shown."""
        return bool(self.completions.candidates) and self.completed == self.completion_context

    @property
    def _enter_takes(self) -> bool:
        chooses = self.completions.enter_takes or self.chosen > 0
        return chooses and self.offers_completions

    def _take_candidate(self) -> None:
        context, (start, end, candidates, _) = self.completed, self.completions
        if context is None:
            return
        text = candidates[self.chosen].text
        following = context.line[end:]
        if not context.is_command and not following.startswith((" ", ",", ".")):
            text += " "
        self._put(text, (context.row, start), (context.row, end))

    @property
    def may_complete(self) -> bool:
        """True if completions are shown, or may be found for the text at the cursor."""
        context = self.completion_context
        is_closed = context is not None and self._closed_at == (context.row, context.start)
        may_come = context is not None and context != self.completed and not is_closed
        return self.offers_completions or may_come

    @property
    def is_editing(self) -> bool:
        """True if an earlier message is edited."""
        return self._before_edit is not None

    def action_cursor_page_up(self) -> None:
        """Leave the key to the transcript, which is what the user wants to page through."""
        raise SkipAction

    action_cursor_page_down = action_cursor_page_up

    def _recall(self, index: int) -> None:
        self._recalled = index
        is_sent = index < len(self._sent)
        self._replace_all(self._pastes.fold(self._sent[index]) if is_sent else self._draft)

    def _replace_all(self, text: str) -> None:
        """Replace the text as an edit that undo reverts."""
        text = plain_text(repair_surrogates(text))
        self._put(text, self.document.start, self.document.end)


def _format_size(size: int) -> str:
    if size >= 1_000_000:
        return f"{size / 1_000_000:.1f} MB"
    return f"{round(size / 1000)} kB"
