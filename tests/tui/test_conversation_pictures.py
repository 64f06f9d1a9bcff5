"""Pictures of the list of conversations; each was looked at."""

from __future__ import annotations

from tests.tui.conftest import AppOpener, AppSetup, ComparePicture
from todo_tui.domain.messages import Message, Role, Text, TurnStatus
from todo_tui.tui.screens.conversations import ConversationsScreen

_TALKS = (
    ("Budget 2027", "Nine hundred for rent, sixty for power, and the rest is food."),
    (
        "Plan the move to the new flat with the whole family in March",
        "The deposit is three months' rent.",
    ),
    ("what's due this week?", "Two tasks: **Pay rent** and Call mom."),
    ("Draft the mail for the report", "Dear all,\n\nplease find the report attached."),
)


def seed_conversations(app_setup: AppSetup) -> None:
    conversations = app_setup.store.conversations
    for asked, told in _TALKS:
        said = Message(Role.USER, (Text(asked),))
        turn = conversations.turns.open(None, said, provider="groq", model="openai/gpt-oss-120b")
        answer = Message(Role.ASSISTANT, (Text(told),), origin="groq:openai/gpt-oss-120b")
        conversations.turns.close(turn.id, TurnStatus.FINISHED, messages=[answer])
    conversations.set_pinned(conversations.list()[-1].id, True)


async def test_conversations(
    app_setup: AppSetup, open_app: AppOpener, snap_both_sizes: ComparePicture
) -> None:
    seed_conversations(app_setup)
    async with open_app() as running:
        await running.press("f5")
        await running.until(lambda: isinstance(running.app.screen, ConversationsScreen))
        await running.press("down", "down")
        await running.settle()
        await snap_both_sizes(running)


async def test_found_conversations(
    app_setup: AppSetup, open_app: AppOpener, snap_both_sizes: ComparePicture
) -> None:
    seed_conversations(app_setup)
    async with open_app() as running:
        await running.press("f5")
        await running.until(lambda: isinstance(running.app.screen, ConversationsScreen))
        await running.type("rent")
        await running.settle()
        await snap_both_sizes(running)
