"""`todo-tui --demo`: the app with made-up tasks in a temporary database."""

import asyncio
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from todo_tui.agent.config import RunConfig
from todo_tui.agent.loop import run_turn
from todo_tui.cli.provider_options import build_provider_option
from todo_tui.cli.services import build_app_services
from todo_tui.cli.session import CliSession, open_user_store
from todo_tui.domain.task import Actor
from todo_tui.providers.registry import provider_row
from todo_tui.providers.scripted import (
    DEMO_LINES,
    ScriptedProvider,
    demo_round,
    demo_tasks,
)
from todo_tui.store.store import Store
from todo_tui.tui.app import TodoApp


def run_demo(session: CliSession) -> int:
    """Run the app on made-up tasks; its exit status. The person's own file is not opened."""
    with TemporaryDirectory(prefix="todo-tui-demo-") as folder:
        db = Path(folder) / "tasks.db"
        settings = replace(session.settings, db=db, provider="scripted", model=None)
        with open_user_store(settings, session.clock) as store:
            today = session.clock.now().date()
            context = store.new_change_context(Actor.USER)
            store.tasks.add_many(demo_tasks(today), by=context)
            asyncio.run(_add_turn(store, DEMO_LINES[0]))
            # The script is all there is: nobody leaves the demo for a real model.
            only_option = build_provider_option(settings, provider_row("scripted"))
            services = build_app_services(settings, store, session.clock)
            app = TodoApp(replace(services, options=(only_option,), demo=True))
            app.run()
            return app.return_code or 0


async def _add_turn(store: Store, line: str) -> None:
    """Let the conversation begin with a turn that is over already."""
    # Nobody watches yet: without pauses.
    provider = ScriptedProvider(demo_round, sleep=lambda seconds: asyncio.sleep(0))
    async with aclosing(run_turn(line, RunConfig(store, provider))) as turn:
        async for _ in turn:
            pass
