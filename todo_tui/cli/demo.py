"""`todo-tui --demo`: the app with made-up tasks, in a place that is gone afterwards."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from todo_tui.cli import wiring
from todo_tui.cli.session import Session
from todo_tui.domain.task import Actor, Status, TaskFields
from todo_tui.domain.when import When
from todo_tui.providers.demo_script import DEMO_TASKS, DemoTask
from todo_tui.store.workspace import Store
from todo_tui.tui.app import TodoApp
from todo_tui.tui.workbench import ProviderChoice

_SCRIPTED = "scripted"


def demonstrate(session: Session) -> int:
    """Run the app on made-up tasks; its exit status. The person's own file is not opened."""
    settings = replace(session.settings, provider=_SCRIPTED, model=None)
    with TemporaryDirectory(prefix="todo-tui-demo-") as folder:
        own_place = replace(settings, db=Path(folder) / "tasks.db")
        with wiring.open_store_of(own_place, session.clock) as store:
            _fill(store, session.clock.now())
            workbench = wiring.workbench_of(own_place, store, session.clock)
            choice = ProviderChoice(_SCRIPTED)
            app = TodoApp(replace(workbench, named=choice, demo=True))
            app.run()
            return app.return_code or 0


def _fill(store: Store, now: datetime) -> None:
    gesture = store.gesture(Actor.USER)
    store.tasks.add_many([_fields(task, now) for task in DEMO_TASKS], by=gesture)


def _fields(task: DemoTask, now: datetime) -> TaskFields:
    due = None
    if task.due_in_days is not None:
        due = When(now.date() + timedelta(days=task.due_in_days), task.at)
    return TaskFields(
        title=task.title,
        due=due,
        priority=task.priority,
        project=task.project,
        tags=task.tags,
        recurrence=task.recurrence,
        status=Status.DONE if task.done else Status.TODO,
    )
