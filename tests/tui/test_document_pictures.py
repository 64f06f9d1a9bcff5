"""Pictures of documents in the app; each was looked at."""

from __future__ import annotations

from pathlib import Path

from tests.knowledge.stored import add_document
from tests.scripted import answer, call, calls
from tests.tui.conftest import AppOpener, AppSetup, ComparePicture, OpenApp
from todo_tui.domain.knowledge.documents import DocumentKind, FileVersion, Passage, ReadDocument
from todo_tui.store.store import Store
from todo_tui.tui.chat.activity_line import ActivityLine
from todo_tui.tui.chat.trace_rows import TraceRow
from todo_tui.tui.screens.documents import DocumentsScreen
from todo_tui.tui.screens.source import SourceScreen

SECTIONS = {
    "Rent": (
        "The monthly rent is 900 euros. It is paid by the third working day of each month to "
        "the account of the landlord. Heating and water are paid in advance with 150 euros.",
    ),
    "Deposit": (
        "The tenant pays a deposit of 1,800 euros, which is two months' rent. It may be paid in "
        "three equal parts; the first is due when the lease begins.",
        "The landlord keeps the deposit in an account of its own. It is returned with interest "
        "six months after the tenant has moved out, less what is owed.",
    ),
    "Notice": (
        "The tenant may end the lease with three months' notice to the end of a month. The "
        "notice has to be in writing.",
    ),
}


def add_lease(store: Store) -> int:
    passages = [
        Passage(("Lease", heading), page, None, text)
        for page, (heading, texts) in enumerate(SECTIONS.items(), 1)
        for text in texts
    ]
    path, version = "/home/ann/Documents/house/lease.pdf", FileVersion(1, 1, "a")
    store.knowledge.put([ReadDocument(path, DocumentKind.PDF, "Lease", version, passages)])
    return store.knowledge.find(path).id


def prepare(setup: AppSetup) -> int:
    """Add two documents, and script an answer from them; return the id of one."""
    add_document(
        setup.store,
        "House rules",
        "The deposit for the key of the bicycle cellar is 20 euros.",
        heading="Cellar",
    )
    setup.script(
        calls(call("retrieve_knowledge", query="deposit returned notice")),
        answer(
            "The deposit is **1,800 euros**, two months' rent [2, 3].\n\n"
            "- Cats and dogs are not allowed in the house [4]\n"
            "- The heating was replaced in 2019 and the windows in 2021 [4]\n"
            "- The garden belongs to the flat on the ground floor [1]"
        ),
    )
    return add_lease(setup.store)


async def ask(running: OpenApp) -> None:
    """Ask about the deposit, and show the documents of the answer."""
    await running.send("when do I get my deposit back?")
    row = running.transcript.query_one(TraceRow)
    row.opened = True
    running.still()
    await running.settle()


async def test_answer_with_citations(
    app_setup: AppSetup, open_app: AppOpener, snap_both_sizes: ComparePicture
) -> None:
    prepare(app_setup)
    async with open_app() as running:
        await ask(running)
        await snap_both_sizes(running)


async def test_source(
    app_setup: AppSetup, open_app: AppOpener, snap_both_sizes: ComparePicture
) -> None:
    prepare(app_setup)
    async with open_app() as running:
        await ask(running)
        await running.press("shift+tab", "o")
        await running.settle()
        assert isinstance(running.app.screen, SourceScreen)
        await snap_both_sizes(running)


async def test_documents(
    app_setup: AppSetup, open_app: AppOpener, snap_both_sizes: ComparePicture
) -> None:
    store = app_setup.store
    add_lease(store)
    for number in range(3):
        add_document(store, f"Minutes {number + 1}", "They met.", "They left.")
    broken = "/home/ann/Documents/house/scan.pdf"
    version = FileVersion(1, 1, "b")
    problem = "has no text: its pages may be scanned pictures"
    store.knowledge.put([ReadDocument(broken, DocumentKind.PDF, "scan", version, (), problem)])
    async with open_app() as running:
        await running.send("/documents")
        assert isinstance(running.app.screen, DocumentsScreen)
        running.screen.query_one(ActivityLine).indexing = "Reading documents… 12 of 40"
        await snap_both_sizes(running)


async def test_attaching(
    open_app: AppOpener, snap_both_sizes: ComparePicture, tmp_path: Path
) -> None:
    folder = tmp_path / "house"
    folder.mkdir()
    (folder / "lease.md").write_text("# Lease\n\nThe rent is 900 euros.\n")
    (folder / "scan.txt").write_bytes(b"\0" * 100)
    async with open_app() as running:
        running.composer.insert(f"/attach {folder}")
        await running.press("enter")
        await running.settle()
        running.screen.query_one(ActivityLine).indexing = "Reading documents… 12 of 40"
        await snap_both_sizes(running)
