"""The app on a temporary database: `todo-tui --demo`, and a scenario of `todo-tui eval`."""

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import replace
from datetime import date, time, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from todo_tui.agent.loop import run_turn
from todo_tui.agent.run_config import RunConfig
from todo_tui.cli.wiring.clients import ProviderClients
from todo_tui.cli.wiring.providers import build_provider_option
from todo_tui.cli.wiring.session import CliSession, open_user_store
from todo_tui.cli.wiring.tui_services import build_tui_services
from todo_tui.config.settings import RoleSettings, Settings
from todo_tui.domain.events import TurnEnd
from todo_tui.domain.task import Actor, Priority, Status, TaskFields
from todo_tui.domain.when import When
from todo_tui.evaluation.scenarios import USER, ZONE, Scenario, write_database
from todo_tui.providers.registry import provider_row
from todo_tui.store.store import Store
from todo_tui.tui.actions.keymap import read_keymap
from todo_tui.tui.app import TodoApp
from todo_tui.tui.chat.drafts import DRAFT

_DEMO_MESSAGE = "add buy milk tomorrow 5pm and call mom on friday"
"""Message that the built-in assistant has answered when the demo opens."""


def run_demo(session: CliSession) -> int:
    """Run the app with sample tasks and the built-in assistant, without the user's database.

    Return its exit status.
    """
    with TemporaryDirectory(prefix="todo-tui-demo-") as folder:
        db = Path(folder) / "tasks.db"
        # Nothing is sent, not for titles or embeddings either.
        settings = replace(
            session.settings,
            db=db,
            provider="offline",
            model=None,
            fallback=(),
            roles=RoleSettings(),
        )
        with open_user_store(settings, session.clock) as store:
            today = session.clock.now().date()
            context = store.new_change_context(Actor.USER)
            store.tasks.add_many(_demo_tasks(today), by=context)
            asyncio.run(_add_turns(settings, store, (_DEMO_MESSAGE,)))
            only_option = build_provider_option(settings, provider_row("offline"))
            services = build_tui_services(
                settings,
                store,
                session.clock,
                own_paths=session.own_paths,
                keymap=read_keymap(settings),
            )
            app = TodoApp(replace(services, options=(only_option,), demo=True))
            app.run()
            return app.return_code or 0


def _demo_tasks(today: date) -> tuple[TaskFields, ...]:
    """Return the sample tasks in the order of their ids, starting with #1."""

    def due(days: int, at: time | None = None) -> When:
        return When(today + timedelta(days), at)

    high, medium = Priority.HIGH, Priority.MEDIUM
    return (
        {"title": "Call the dentist", "due": due(-1)},
        {"title": "Water the plants", "due": due(0), "recurrence": "FREQ=DAILY;INTERVAL=3"},
        {"title": "Pay rent", "due": due(2), "priority": high, "project": "home"},
        {
            "title": "Write the quarterly report",
            "due": due(9),
            "priority": medium,
            "project": "work",
        },
        {"title": "Book a table for Saturday", "due": due(1, time(18, 0)), "tags": ("family",)},
        {"title": "Fix the dripping tap", "project": "home"},
        {"title": "Renew the passport", "due": due(25), "tags": ("errands",)},
        {
            "title": "Return the library books",
            "due": due(-2),
            "tags": ("errands",),
            "status": Status.DONE,
        },
    )


def run_replay(settings: Settings, scenario: Scenario) -> int:
    """Run the app on the tasks of a scenario, with its last message as draft.

    The provider of the settings answers the earlier messages first. Return the exit status.
    """
    with TemporaryDirectory(prefix="todo-tui-replay-") as folder:
        db = Path(folder) / "tasks.db"
        write_database(scenario, db)
        settings = replace(settings, db=db, user=USER, now=scenario.now, zone=ZONE)
        with open_user_store(settings, scenario.clock) as store:
            *earlier, last = scenario.say
            if earlier:
                asyncio.run(_add_turns(settings, store, earlier))
            store.app_state.set(DRAFT, last)
            app = TodoApp(
                build_tui_services(settings, store, scenario.clock, keymap=read_keymap(settings))
            )
            app.run()
            return app.return_code or 0


async def _add_turns(settings: Settings, store: Store, lines: Sequence[str]) -> None:
    """Have the provider answer these messages in one conversation."""
    clients = ProviderClients.with_consents(settings, store)
    provider = await asyncio.to_thread(clients.open, settings.provider or "")
    conversation_id: str | None = None
    for line in lines:
        turn = run_turn(line, RunConfig(store, provider), conversation_id=conversation_id)
        async with aclosing(turn):
            async for event in turn:
                if isinstance(event, TurnEnd):
                    conversation_id = event.conversation_id
    await provider.aclose()
