"""Documents in the app: retrieval in the trace, citations and their sources, low quality."""

from __future__ import annotations

from textual.geometry import Offset

from tests.knowledge.stored import add_document
from tests.tui.conftest import AppOpener, AppSetup, OpenApp
from todo_tui.domain.task import Actor
from todo_tui.providers.scripted import answer, call, calls
from todo_tui.tui.chat.rows import TraceRow
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


async def test_the_row_of_a_retrieval_counts_documents_and_lists_their_passages(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    add_lease(app_setup)
    add_document(app_setup.store, "House rules", "Notice of repairs is given a week before.")
    app_setup.store.tasks.add(
        {"title": "Call landlord", "notes": "ask about the deposit"},
        by=app_setup.store.new_change_context(Actor.USER),
    )
    ask_script(app_setup, "The deposit is 1,800 euros [1].")
    async with open_app() as running:
        await running.send("how big is the deposit?")
        running.still()
        row = running.transcript.query_one(TraceRow)
        row.opened = True
        await running.settle()
        shown = running.shown()
    assert "Retrieved 5 passages from 2 documents and 1" in shown
    assert "3 ms" in shown
    assert "Notes of #1 Call landlord" in shown
    assert "Rent and deposit, page 3" in shown
    assert "[3] ask about the deposit" in shown


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
    ask_script(app_setup, "Notice is three months [1], the deposit 1,800 euros [2].")
    async with open_app() as running:
        await running.send("how big is the deposit?")
        await open_first_source(running)
        shown = running.shown()
        assert "Source [1] · 1 of 2" in shown
        assert "/documents/Lease.md:3" in shown
        assert all(text[:30] in shown for text in LEASE)
        await running.press("n")
        await running.settle()
        assert "Source [2] · 2 of 2" in running.shown()
        await running.press("escape")
        assert not isinstance(running.app.screen, SourceScreen)


async def test_a_click_on_a_citation_opens_its_source(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    add_lease(app_setup)
    ask_script(app_setup, "The deposit is 1,800 euros [1], not [9].\n\nNotice [2]; `code[1]`")
    async with open_app() as running:
        await running.send("how big is the deposit?")
        lines = running.shown().splitlines()
        for citation, is_link in (("[9]", False), ("code[1]", False), ("[2]", True), ("[1]", True)):
            y = next(y for y, line in enumerate(lines) if citation in line)
            await running.pilot.click(offset=Offset(lines[y].index(citation) + 1, y))
            await running.settle()
            assert isinstance(running.app.screen, SourceScreen) is is_link, citation
            if is_link:
                assert f"Source {citation}" in running.shown()
                await running.press("escape")


async def test_a_removed_and_a_changed_document_are_said_so_and_the_passage_is_shown(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    document_id = add_lease(app_setup)
    ask_script(app_setup, "The deposit is 1,800 euros [2].")
    async with open_app() as running:
        await running.send("how big is the deposit?")
        add_document(app_setup.store, "Lease", "The deposit is gone.")
        await open_first_source(running)
        assert "This document has changed." in running.shown()
        await running.press("escape")
        app_setup.store.knowledge.remove([document_id])
        await open_first_source(running)
        assert "This document was removed." in running.shown()
        assert "The deposit is two months' rent" in running.shown()


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
    reason = "Low confidence: 2 of 3 claims are not in the cited"
    async with open_app() as running:
        await running.send("how big is the deposit?")
        assert reason in running.shown()
        await running.send("and now?")
        assert running.shown().count("Low confidence") == 1
    async with open_app() as running:
        assert reason in running.shown()
        assert running.shown().count("Low confidence") == 1
