"""Outbox: messages that are not sent yet, in the box and in the queue, kept as a draft.

Whether a message waits, and when it goes out, decides `ChatPane` in pane.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.timer import Timer

from todo_tui.agent.approver import read_typed_answer
from todo_tui.tui.chat.activity_line import ActivityLine
from todo_tui.tui.chat.composer import Composer
from todo_tui.tui.chat.drafts import DraftSaver
from todo_tui.tui.chat.message_lists import QueueChange
from todo_tui.tui.chat.slash_commands import escape_message

if TYPE_CHECKING:
    from todo_tui.tui.chat.conversation_page import ConversationPage
    from todo_tui.tui.chat.session import ChatSession
    from todo_tui.tui.services import AppServices

_SECONDS_BETWEEN_SAVES = 1.0


class Outbox:
    """What is not sent yet: the text in the composer and the queue, which the activity line shows.

    Both are saved, at most once a second, as the draft of the conversation on screen.
    """

    def __init__(
        self, services: AppServices, session: ChatSession, composer: Composer, line: ActivityLine
    ) -> None:
        self._session = session
        self._composer = composer
        self._line = line
        self._drafts = DraftSaver(composer, services.store.app_state, services.writer)
        self._due: Timer | None = None
        self.edited: str | None = None
        """Turn whose message is edited in the composer; sent, it begins a branch."""

    # The composer

    @property
    def text(self) -> str:
        """Text in the composer."""
        return self._composer.full_text

    def replace_text(self, text: str) -> None:
        """Replace the text in the composer, if it is another."""
        if text != self.text:
            self._composer.replace_text(text)

    def put_back(self, message: str) -> None:
        """Return a message to the composer, in front of what is in it."""
        if message:
            self._composer.put_back(escape_message(message))

    def begin_edit(self, turn_id: str, message: str) -> None:
        """Put the message of a turn into the composer."""
        self.edited = turn_id
        self._composer.begin_edit(escape_message(message))

    def end_edit(self) -> str | None:
        """Send the next message as a new one again; return the turn that was edited, if any."""
        edited, self.edited = self.edited, None
        self._composer.end_edit()
        return edited

    def leave_edit(self) -> None:
        """End an edit for a message that is not its text, which stays in the composer."""
        if self.edited is not None:
            text = self._composer.text
            self.end_edit()
            self._composer.put_back(text)

    def remember_sent(self, page: ConversationPage) -> None:
        """Let the composer recall the messages of a page."""
        if page.turns:
            self._composer.remember_sent([escape_message(each.user_text) for each in page.turns])

    # The queue

    @property
    def queue(self) -> tuple[str, ...]:
        """Messages that wait for the end of the turn, the next one first."""
        return self._line.queued

    @property
    def begins_with_answer(self) -> bool:
        """True if the next message is a yes or no; it answers no question that it came before."""
        return any(read_typed_answer(each) is not None for each in self.queue[:1])

    def add(self, message: str) -> None:
        """Queue a message."""
        self._set_queue(*self.queue, message)

    def take_next(self) -> str:
        """Remove the next message from the queue and return it."""
        message, *others = self.queue
        self._set_queue(*others)
        return message

    def edit_last(self) -> None:
        """Move the message added last back to the composer."""
        self.change(QueueChange.EDIT, len(self.queue) - 1)

    def change(self, change: QueueChange, place: int) -> None:
        """Change the message at that place of the queue, if there is one."""
        if not 0 <= place < len(self.queue):
            return
        message, others = self.queue[place], [*self.queue]
        del others[place]
        match change:
            case QueueChange.EDIT:
                self.put_back(message)
            case QueueChange.SEND_FIRST:
                others.insert(0, message)
        self._set_queue(*others)

    def return_all(self) -> None:
        """Move the queue to the composer: after a failure none is sent without the user."""
        self.put_back("\n".join(self.queue))
        self._set_queue()

    def _set_queue(self, *messages: str) -> None:
        self._line.queued = messages
        self._composer.has_queued = bool(messages)
        self.save_soon()

    # The draft

    @property
    def unsent(self) -> str:
        """Messages that are not stored yet, and the text in the composer."""
        messages = map(escape_message, (self._session.unstored, *self.queue))
        return "\n".join(filter(None, (*messages, self._composer.full_text)))

    @property
    def unsaved(self) -> dict[str, str]:
        """Drafts that are newer than the stored ones, by key."""
        return {**self._drafts.unsaved}

    def show_draft(self, page: ConversationPage) -> None:
        """Show the draft of a conversation in place of the former one's, which is saved.

        A text that belongs to no conversation yet goes along, and so does any to a new one. For the
        conversation that is shown the box is newer than its stored draft.
        """
        composer, shown = self._composer, self._session.conversation_id
        stays = shown is not None and page.conversation_id not in (None, shown)
        is_same = shown is not None and page.conversation_id == shown
        if not stays and not is_same and page.draft and page.draft != composer.full_text:
            composer.put_back(page.draft)
        self._drafts.follow(page.conversation_id, page.draft, self.unsent, takes_text=not stays)
        if stays:
            composer.replace_text(page.draft)

    def follow(self, conversation_id: str) -> None:
        """Keep the draft for a conversation that has just begun."""
        self._drafts.follow(conversation_id, "", self.unsent, takes_text=True)

    def save_soon(self) -> None:
        """Save the draft within a second."""
        if self._due is None and self._drafts.is_followed:
            self._due = self._composer.set_timer(_SECONDS_BETWEEN_SAVES, self.save)

    def save(self) -> None:
        """Begin to save the draft."""
        if self._due is not None:
            self._due.stop()
            self._due = None
        self._drafts.save(self.unsent)

    async def finish(self) -> str:
        """Save the draft and wait for that; return the texts that could not be saved."""
        self.save()
        return await self._drafts.finish()
