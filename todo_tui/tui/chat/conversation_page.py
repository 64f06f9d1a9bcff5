"""Page of a conversation, as it is opened or scrolled to: turns, title, totals, draft."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

from todo_tui.domain.messages import NO_USAGE, UsageSum
from todo_tui.tui.chat.drafts import read_drafts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from todo_tui.domain.knowledge.evidence import Evidence
    from todo_tui.store.conversations.records import TurnRecord
    from todo_tui.store.store import Store
    from todo_tui.store.tasks.results import TaskCounts
    from todo_tui.tui.chat.session import ChatSession

_PAGE_TURNS = 20


class ConversationPage(NamedTuple):
    """Turns of a conversation, oldest first; `more` is set when there are earlier ones.

    `is_end` is False if there are later ones too.
    """

    conversation_id: str | None = None
    turns: tuple[TurnRecord, ...] = ()
    more: bool = False
    is_end: bool = True
    title: str = ""
    totals: UsageSum = NO_USAGE
    is_first: bool = False
    draft: str = ""
    evidence: tuple[Evidence, ...] = ()
    """Passages that the conversation has retrieved, of turns that are not shown too."""
    counts: TaskCounts | None = None
    """Numbers of tasks that an empty conversation greets with, if they are read."""


def read_page(
    store: Store,
    conversation_id: str | None = None,
    before: str | None = None,
    around: str | None = None,
    *,
    is_first: bool = False,
    unsaved: Mapping[str, str] | None = None,
) -> ConversationPage:
    """Return the newest turns of a conversation, those before a turn or around one; blocks.

    With `is_first`, return the oldest.

    `unsaved` are drafts by key that are newer than the stored ones.
    """
    conversations = store.conversations
    if conversation_id is None:
        latest = conversations.latest()
        if latest is None:
            draft = read_drafts(store.app_state, None, unsaved=unsaved)
            return ConversationPage(is_first=True, draft=draft, counts=store.tasks.counts())
        conversation_id = latest.id
        # Also that of a conversation that was never begun.
        draft = read_drafts(store.app_state, None, conversation_id, unsaved=unsaved)
    else:
        draft = read_drafts(store.app_state, conversation_id, unsaved=unsaved)
    is_end = True
    if is_first:
        turns, is_end = conversations.turns.list_first(conversation_id, _PAGE_TURNS)
    elif around is not None:
        turns, is_end = conversations.turns.list_around(conversation_id, around, _PAGE_TURNS + 1)
    else:
        turns = conversations.turns.list(conversation_id, limit=_PAGE_TURNS + 1, before=before)
    return ConversationPage(
        conversation_id,
        tuple(turns[-_PAGE_TURNS:]),
        more=len(turns) > _PAGE_TURNS,
        is_end=is_end,
        title=conversations.get(conversation_id).title,
        totals=store.usage.conversation(conversation_id),
        draft=draft,
        evidence=store.turns.retrieved(conversation_id),
        counts=None if turns else store.tasks.counts(),
    )


async def read_newest_turns(store: Store, session: ChatSession, limit: int) -> Sequence[TurnRecord]:
    """Return the newest turns of the conversation on screen, newest first; none while one runs."""
    if session.conversation_id is None or session.busy:
        return ()
    turns = await asyncio.to_thread(store.turns.list, session.conversation_id, limit)
    return turns[::-1]
