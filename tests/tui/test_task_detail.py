"""The details of a task: notes drawn as text, links that open, and what hangs on it."""

from __future__ import annotations

from textual.content import Content

from tests.rows import each_row
from tests.tui.conftest import AppSetup
from tests.tui.pane import OpenPane, add, open_pane
from todo_tui.domain.task import Actor, Priority, Status, TaskFields
from todo_tui.domain.when import When
from todo_tui.tui.task_list.detail import (
    TaskDetail,
    format_related_tasks,
    read_related_tasks,
    render_markdown,
)

WIDE = (90, 50)


def drawn(text: str) -> str:
    return render_markdown(text).plain


@each_row(
    ("text", "expected"),
    [
        ("plain", "plain"),
        ("one\ntwo", "one\ntwo"),
        ("# Head\ntext", "Head\n\ntext"),
        ("- a\n- b\n  - c", "• a\n• b\n  • c"),
        ("3. a\n4. b", "3. a\n4. b"),
        ("- [ ] to do\n- [x] done", "• ☐ to do\n• ☑ done"),
        ("> said", "▌ said"),
        ("**a** *b* ~~c~~ `d`", "a b c d"),
        ("```\nx = [1]\n```", "x = [1]"),
        ("[bold]x[/bold] [red on", "[bold]x[/bold] [red on"),
        ("<b>x</b> <script>", "<b>x</b> <script>"),
        ("a\x1b[31m\x07b\u202e", "ab"),
        ("see [here](https://x.example/a)", "see here"),
    ],
)
def test_markdown_becomes_text(text: str, expected: str) -> None:
    assert drawn(text) == expected


def clickable(content: Content) -> dict[str, str]:
    """Each text that can be clicked, with its action."""
    return {
        content.plain[span.start : span.end]: str(span.style.meta["@click"])
        for span in content.spans
        if not isinstance(span.style, str) and span.style.meta.get("@click")
    }


def test_addresses_can_be_clicked_and_nothing_else_can() -> None:
    text = "https://a.example [b](https://b.example) [c](javascript:alert) [d](file:///etc)"
    content = render_markdown(text)
    actions = clickable(content)
    assert actions == {
        "https://a.example": "open_link('https://a.example')",
        "b": "open_link('https://b.example')",
    }


def test_a_book_of_notes_is_cut() -> None:
    assert drawn("x" * 1_000_000).endswith("… E shows all")


async def details(running: OpenPane, task_id: int) -> str:
    running.task_list.move_cursor_to(task_id)
    await running.press("v")
    await running.settle()
    return running.shown()


async def test_what_hangs_on_a_task_is_shown_with_it(app_setup: AppSetup) -> None:
    add(app_setup.store, "House", "Roof", "Buy tiles", "Move in", "Town")
    by = app_setup.store.new_change_context(Actor.CLI)
    tasks = app_setup.store.tasks
    tasks.update([2], TaskFields(parent=1), by=by)
    tasks.update([3], TaskFields(parent=2), by=by)
    tasks.update([1], TaskFields(parent=5), by=by, add_blockers=[3])
    tasks.update([4], TaskFields(blocked_by=(1,)), by=by)
    tasks.update([1], TaskFields(notes="## Plan\n\n- *soon*"), by=by)
    tasks.annotate(1, "It rains in", by=by)
    tasks.update([1], TaskFields(title="Villa"), by=by)
    async with open_pane(app_setup, WIDE) as running:
        shown = await details(running, 1)
        assert "• soon" in shown
        assert "today: It rains in" in shown
        assert "subtask of #5 Town" in shown
        assert "blocked by #3 Buy tiles" in shown
        assert "blocks #4 Move in" in shown
        assert "  ☐ #2 Roof" in shown
        assert "    ☐ #3 Buy tiles" in shown
        assert "today 14:30 · shell · title: House → Villa" in shown
        assert "title: none" not in shown


async def test_what_repeats_shows_the_dates_to_come(app_setup: AppSetup) -> None:
    add(app_setup.store, "Water the plants every 3 days")
    async with open_pane(app_setup, WIDE) as running:
        shown = await details(running, 1)
        assert "then Sat 21 Nov, Tue 24 Nov, Fri 27 Nov" in shown
        assert "repeat counts from" not in shown, "what came with the task is no change"


async def test_a_click_on_an_address_opens_it(app_setup: AppSetup) -> None:
    add(app_setup.store, "Read https://example.com/a?b=[1]")
    async with open_pane(app_setup, WIDE) as running:
        await details(running, 1)
        opened: list[str] = []
        running.app.open_url = lambda url, *, new_tab=True: opened.append(url)  # type: ignore[method-assign]  # no browser here
        detail = running.app.query_one(TaskDetail)
        await detail.run_action("open_link('https://example.com/a?b=[1]')")
        assert opened == ["https://example.com/a?b=[1]"]


def test_recent_changes_have_values_as_the_task_shows_them(app_setup: AppSetup) -> None:
    tasks = app_setup.store.tasks
    add(app_setup.store, "Paint", "Masking")

    def change(fields: TaskFields) -> None:
        tasks.update([1], fields, by=app_setup.store.new_change_context(Actor.USER))

    def newest(count: int) -> list[str]:
        related = read_related_tasks(tasks, tasks.get(1))
        lines = format_related_tasks(related, app_setup.clock.now(), app_setup.clock.zone)
        changes = [line.plain for line in lines if " · you · " in line.plain]
        return [line.removeprefix("today 14:30 · you · ") for line in changes[:count]]

    for fields, line in (
        (TaskFields(due=When.parse("2026-11-30T11:00")), "due date: none → Mon 30 Nov 11:00"),
        (TaskFields(due=When.parse("2026-11-19")), "due date: Mon 30 Nov 11:00 → tomorrow"),
        (TaskFields(start=When.parse("2027-01-02")), "start: none → 2 Jan 2027"),
        (TaskFields(recurrence="FREQ=WEEKLY"), "recurrence: none → every week"),
        (TaskFields(estimate=75), "estimate: none → 1 h 15"),
        (TaskFields(parent=2), "parent: none → #2"),
        (TaskFields(parent=None), "parent: #2 → none"),
        (TaskFields(blocked_by=(2,)), "blockers: added #2"),
        (TaskFields(priority=Priority.HIGH), "priority: none → high"),
        (TaskFields(title="Paint " * 9), "title: Paint → Paint Paint Paint Paint…"),
        (
            TaskFields(title="Ask Petra about the blue bicycle"),
            "title: Paint Paint Paint Paint… → Ask Petra about the blu…",
        ),
        (TaskFields(title="Ask Petra about the blue boat"), "title: …bicycle → …boat"),
        (TaskFields(notes="Two coats"), "notes"),
        (TaskFields(recurrence=None, status=Status.DONE), "status: todo → done"),
    ):
        change(fields)
        assert line in newest(2), line
    assert tasks.undo(by=app_setup.store.new_change_context(Actor.USER)).changes
    assert "status: done → todo (undo or redo)" in newest(3)
    tasks.delete([1], by=app_setup.store.new_change_context(Actor.USER))
    assert newest(1) == ["deleted"]
    tasks.restore([1], by=app_setup.store.new_change_context(Actor.USER))
    assert newest(1) == ["restored"]
