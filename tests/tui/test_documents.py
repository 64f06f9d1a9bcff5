"""Documents in the app: adding, the list, retrieval, citations and their sources, low quality."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from textual.geometry import Offset

from tests.knowledge.embedding_server import embedding_server
from tests.knowledge.stored import add_document
from tests.scripted import answer, call, calls
from tests.tui.conftest import AppOpener, AppSetup, OpenApp
from todo_tui.domain.task import Actor
from todo_tui.knowledge.indexing import add_paths
from todo_tui.knowledge.reader import DocumentReader
from todo_tui.tui.chat.activity_line import ActivityLine
from todo_tui.tui.chat.documents import typed_paths
from todo_tui.tui.chat.trace_rows import TraceRow
from todo_tui.tui.screens.documents import DocumentsScreen
from todo_tui.tui.screens.source import SourceScreen

LEASE = (
    "The tenant pays the rent by the third working day of each month.",
    "The deposit is two months' rent, which is 1,800 euros, and is kept in an account.",
    "The tenant may end the lease with three months' notice.",
)


def add_lease(setup: AppSetup) -> int:
    return add_document(setup.store, "Lease", *LEASE, heading="Rent and deposit", page=3)


def ask_script(setup: AppSetup, *answers: str) -> None:
    for_each = (
        part
        for text in answers
        for part in (calls(call("retrieve_knowledge", query="deposit notice")), answer(text))
    )
    setup.script(*for_each)


async def open_first_source(running: OpenApp) -> None:
    if running.writes():
        await running.press("shift+tab")
    await running.press("o")
    await running.settle()
    assert isinstance(running.app.screen, SourceScreen)


async def test_a_key_opens_the_cited_passage_among_its_neighbours(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    add_lease(app_setup)
    app_setup.script(
        calls(call("retrieve_knowledge", query="deposit notice")),
        answer("Notice is three months [1], the deposit 1,800 euros [2]."),
        answer("As I said, 1,800 euros [2]."),
    )
    async with open_app() as running:
        await running.send("how big is the deposit?")
        await open_first_source(running)
        shown = running.shown()
        assert "Source [1] ─" in shown
        assert "/documents/Lease.md" in shown
        assert all(text[:30] in shown for text in LEASE)
        assert (await running.help_sections())[0] == "Cited source"
        await running.press("n")
        await running.settle()
        assert "Source [2] ─" in running.shown()
        await running.press("c")
        await running.until(lambda: "the passage to" in running.notified[-1])
        await running.press("escape")
        assert not isinstance(running.app.screen, SourceScreen)
        lines = "[1] Lease, Rent and deposit, page 3", "[2] Lease, Rent and deposit, page 3"
        assert all(line in running.shown() for line in lines)

        # A later answer may cite them without looking again.
        await running.press("shift+tab")
        await running.send("how big?")
        assert running.shown().count(lines[1]) == 2
        await open_first_source(running)
        assert "Source [2]" in running.shown()
        await running.press("escape")

    # So it is when the conversation is shown again, also by a click on the line of the source.
    async with open_app() as running:
        rows = running.shown().splitlines()
        y = max(y for y, row in enumerate(rows) if lines[1] in row)
        await running.pilot.click(offset=Offset(rows[y].index(lines[1]) + 5, y))
        await running.settle()
        assert "Source [2]" in running.shown()
        await running.press("escape")


async def test_a_key_opens_nothing_for_an_answer_without_citations(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    add_lease(app_setup)
    app_setup.script(
        calls(call("retrieve_knowledge", query="deposit notice")), answer("I do not know.")
    )
    async with open_app() as running:
        await running.send("how big is the deposit?")
        await running.press("shift+tab")
        assert "source" not in running.shown().splitlines()[-1]
        await running.press("o")
        assert not isinstance(running.app.screen, SourceScreen)


async def test_a_click_on_a_citation_opens_its_source(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    add_lease(app_setup)
    ask_script(
        app_setup,
        "The deposit is 1,800 euros [1], not [9].\n\nNotice [2]; `code[1]`; [x](citation:9)",
    )
    async with open_app() as running:
        await running.send("how big is the deposit?")
        lines = running.shown().splitlines()
        for citation, is_link in (
            ("[9]", False),
            ("code[1]", False),
            ("; x", False),
            ("[2]", True),
            ("[1]", True),
        ):
            y = next(y for y, line in enumerate(lines) if citation in line)
            await running.pilot.click(
                offset=Offset(lines[y].index(citation) + len(citation) - 1, y)
            )
            await running.settle()
            assert isinstance(running.app.screen, SourceScreen) is is_link, citation
            if is_link:
                assert f"Source {citation}" in running.shown()
                await running.press("escape")


async def test_a_removed_and_a_changed_document_are_said_so_and_the_passage_is_shown(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    add_lease(app_setup)
    ask_script(app_setup, "The deposit is 1,800 euros [2].")
    async with open_app() as running:
        await running.send("how big is the deposit?")
        add_document(app_setup.store, "Lease", "The deposit is gone.")
        await open_first_source(running)
        assert "This document has changed." in running.shown()
        await running.press("escape")
        running.composer.focus()
        running.composer.insert("/documents")
        await running.press("enter")
        await running.settle()
        await running.press("d")
        await running.settle()
        assert not app_setup.store.knowledge.list()
        assert "Quotations of it stay in 1" in running.shown()
        await running.press("escape")
        await open_first_source(running)
        assert "This document was removed." in running.shown()
        assert "The deposit is two months' rent" in running.shown()


@pytest.fixture
def short_path() -> Iterator[Path]:
    """A folder whose path is shown in one line of a narrow dialog."""
    with TemporaryDirectory() as folder:
        yield Path(folder)


async def test_a_file_that_changed_or_went_since_it_was_read_is_said_so(
    app_setup: AppSetup, open_app: AppOpener, short_path: Path
) -> None:
    file = short_path / "lease.md"
    text = "# Lease\n\nThe deposit is 1,800 euros.\n"
    file.write_text(text)
    with DocumentReader() as reader:
        add_paths(app_setup.store.knowledge, [file], reader)
    ask_script(app_setup, "The deposit is 1,800 euros [1].")
    async with open_app() as running:
        await running.send("how big is the deposit?")

        async def look() -> str:
            await open_first_source(running)
            shown = running.shown()
            assert "The deposit is 1,800 euros." in shown
            await running.press("escape")
            return shown

        assert "lease.md:3" in await look()
        file.write_text(text)
        os.utime(file, ns=(1, 1))
        shown = await look()
        assert "lease.md:3" in shown, "only its time is another"
        assert "The file has changed" not in shown
        file.write_text("\n\n\n" + text.replace("1,800", "900"))
        shown = await look()
        assert "The file has changed since it was read. /documents refreshes it." in shown
        assert "lease.md:3" not in shown
        file.unlink()
        shown = await look()
        assert "The file is no longer there." in shown
        assert "lease.md:3" not in shown


async def test_the_notes_of_a_task_are_shown_around_a_citation(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    notes = "\n".join([*(f"Line {n} about the garden." for n in range(80)), "The deposit is 5."])
    app_setup.store.tasks.add(
        {"title": "Call landlord", "notes": notes},
        by=app_setup.store.new_change_context(Actor.USER),
    )
    add_lease(app_setup)
    ask_script(app_setup, "The deposit is 5 [1].")
    async with open_app() as running:
        await running.send("how big is the deposit?")
        evidence = running.transcript.turns[0].evidence
        number = next(each.number for each in evidence if each.task_id is not None)
        running.transcript.turns[0].request_source(number)
        await running.settle()
        assert "Notes of #1 Call landlord" in running.shown()
        assert "The deposit is 5." in running.shown()


async def test_a_low_quality_is_shown_with_a_reason_after_a_restart_too(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    add_lease(app_setup)
    good = "The deposit is two months' rent, which is 1,800 euros [2]."
    bad = (
        f"{good} The heating was replaced in 2019 [1]. Cats and dogs are forbidden in 7 flats [1]."
    )
    ask_script(app_setup, bad, good)
    reason = "Check the facts: 2 of 3 claims are not in the cited"
    async with open_app() as running:
        await running.send("how big is the deposit?")
        assert reason in running.shown()
        await running.send("and now?")
        assert running.shown().count("Check the facts") == 1
    async with open_app() as running:
        assert reason in running.shown()
        assert running.shown().count("Check the facts") == 1


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two documents, a broken one, and a file of another kind."""
    path = tmp_path / "house papers"
    path.mkdir()
    (path / "lease.md").write_text("# Lease\n\n## Rent\n\nThe rent is 900 euros.\n")
    (path / "rules.txt").write_text("No music after ten in the evening.")
    (path / "broken.md").write_bytes(b"\x00\x01\x02" * 100)
    (path / "picture.png").write_bytes(b"png")
    return path


async def attach(running: OpenApp, typed: str) -> None:
    running.composer.insert(f"/attach {typed}")
    await running.press("enter")
    await running.settle()


async def test_attached_documents_are_embedded_and_removed_ones_forgotten(
    app_setup: AppSetup, open_app: AppOpener, folder: Path
) -> None:
    with embedding_server() as server:
        index = server.index(app_setup.store)
        app_setup.open_vectors = lambda: index
        async with open_app() as running:
            await attach(running, str(folder))
            ids = app_setup.store.knowledge.passage_ids()
            similar, note = await asyncio.to_thread(index.rank, "rent")
            assert set(similar) == ids
            assert note == ""

            running.composer.insert("/documents")
            await running.press("enter")
            await running.settle()
            await running.press("down", "d")
            await running.settle()
            kept = app_setup.store.knowledge.passage_ids()
            assert len(kept) == 1
            await running.until(lambda: set(index.rank("rent")[0]) == kept)

            await running.press("escape")
            await running.settle()
            server.status = 503
            await attach(running, str(folder))
            assert "Not all passages are embedded." in running.shown()


def test_paths_may_have_spaces_or_quotes(folder: Path) -> None:
    lease, rules = folder / "lease.md", folder / "rules.txt"
    assert typed_paths(str(lease)) == [lease]
    assert typed_paths(f"'{lease}' \"{rules}\"") == [lease, rules]
    assert typed_paths(str(lease).replace(" ", "\\ ")) == [lease]
    assert typed_paths("it's gone.md") == [Path("it's gone.md")]
    assert typed_paths("~nobody-here/a\0b") == [Path("~nobody-here/a\0b")]


async def begin_to_attach(running: OpenApp, folder: Path) -> None:
    """Attach 1,500 documents, and wait until some of them are read."""
    for number in range(1_500):
        (folder / f"{number}.txt").write_text(f"This is note {number}.")
    running.composer.insert(f"/attach {folder}")
    running.composer.action_send()
    activity = running.screen.query_one(ActivityLine)
    # Pilot would wait until all are read.
    while " of 1,500" not in activity.indexing:  # noqa: ASYNC110 - a reactive
        await asyncio.sleep(0.002)


async def test_escape_stops_adding_and_what_was_read_stays(
    app_setup: AppSetup, open_app: AppOpener, tmp_path: Path
) -> None:
    async with open_app() as running:
        await begin_to_attach(running, tmp_path)
        assert "Esc stop" in str(running.screen.query_one(ActivityLine).render())
        await running.press("escape")
        await running.settle()
        shown = running.shown()
        assert "Stopped. Added" in shown
        assert "Reading documents" not in shown
        assert 0 < len(app_setup.store.knowledge.list()) < 1_500


async def test_closing_the_app_stops_adding(
    app_setup: AppSetup, open_app: AppOpener, tmp_path: Path
) -> None:
    async with open_app() as running:
        await begin_to_attach(running, tmp_path)
    assert 0 < len(app_setup.store.knowledge.list()) < 1_500


async def test_documents_are_listed_removed_restored_and_refreshed(
    app_setup: AppSetup, open_app: AppOpener, folder: Path
) -> None:
    knowledge = app_setup.store.knowledge
    async with open_app() as running:
        # A path that does not exist goes back to the message box.
        await attach(running, str(folder / "my lease.pdf"))
        assert "my lease.pdf does not exist" in running.shown()
        assert running.composer.text.endswith("my lease.pdf")

        # Names of folders and documents are completed.
        running.composer.replace_text(f"/attach {folder.parent}/ho")
        await running.type("u")
        await running.until(lambda: running.composer.completions.candidates)
        await running.press("tab")
        assert running.composer.text == f"/attach {folder}/"
        await running.until(lambda: len(running.composer.completions.candidates) == 3)
        names = [each.text.rpartition("/")[2] for each in running.composer.completions.candidates]
        assert names == ["broken.md", "lease.md", "rules.txt"]
        running.composer.replace_text("")

        await attach(running, str(folder))
        shown = running.shown()
        assert "Added 2 documents (2 passages), 1 skipped:" in shown
        assert "broken.md contains binary data" in shown
        assert running.composer.text == ""
        assert not running.transcript.turns
        assert [each.title for each in knowledge.list() if each.passages] == ["Lease", "rules"]
        await attach(running, str(folder))
        assert "2 documents unchanged" in running.shown()
        running.composer.insert("/documents")
        await running.press("enter")
        await running.settle()
        assert isinstance(running.app.screen, DocumentsScreen)
        assert "Documents · 3" in running.shown()
        assert "broken.md contains binary data" in running.shown()

        await running.press("down", "d")
        await running.settle()
        assert [each.title for each in knowledge.list()] == ["broken", "rules"]
        await running.until(lambda: "Removed “Lease”" in running.shown())
        assert "r refresh · u undo · Esc close" in running.shown()
        await running.press("u")
        await running.settle()
        assert "Removed “Lease”" not in running.shown()
        assert "r refresh · Esc close" in running.shown()
        assert [each.title for each in knowledge.list()] == ["broken", "Lease", "rules"]

        (folder / "rules.txt").unlink()
        await running.press("r")
        await running.settle()
        assert [each.title for each in knowledge.list()] == ["broken", "Lease"]
        assert "Documents · 2" in running.shown()

        await running.press("a")
        await running.settle()
        assert running.composer.text == "/attach "
        assert running.writes()


HOSTILE = (
    "[bold red]markup[/] \x1b[31mred\x1b[0m \x1b]0;title\x07 \u202eright to left "
    "[link](javascript:alert(1)) [1] <script>x</script> " + "endless" * 2_000
)


async def test_hostile_text_of_a_document_is_drawn_as_plain_text(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    title = "[blink]Lease[/] \x1b[2J"
    add_document(app_setup.store, title, f"The deposit is {HOSTILE}", heading="[u]a[/]\x1b[1m")
    ask_script(app_setup, f"The deposit is [1].\n\n> {HOSTILE[:400]}")
    async with open_app() as running:
        await running.send("how big is the deposit?")
        running.transcript.query_one(TraceRow).opened = True
        await running.settle()
        shown = running.shown()
        assert "[blink]Lease[/]" in shown
        await open_first_source(running)
        shown += running.shown()
        assert "[u]a[/]" in shown
        assert "[bold red]markup[/] red" in shown
        await running.press("escape")
        running.composer.insert("/documents")
        running.composer.focus()
        await running.press("enter")
        await running.settle()
        shown += running.shown()
    assert not {"\x1b", "\x07", "\u202e"} & {*shown}


async def test_a_citation_in_an_answer_that_is_drawn_as_plain_text_is_a_link_too(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    add_lease(app_setup)
    ask_script(app_setup, "\n\n".join([*["The deposit."] * 300, "It is 1,800 euros [2]."]))
    async with open_app() as running:
        await running.send("how big is the deposit?")
        lines = running.shown().splitlines()
        y = next(y for y, line in enumerate(lines) if "[2]" in line)
        await running.pilot.click(offset=Offset(lines[y].index("[2]") + 1, y))
        await running.settle()
        assert isinstance(running.app.screen, SourceScreen)
        assert "Source [2]" in running.shown()
