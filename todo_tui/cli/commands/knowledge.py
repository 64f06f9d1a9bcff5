"""`todo-tui knowledge`: add, list, remove, refresh and search the user's documents."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from todo_tui.cli.base import TodoGroup
from todo_tui.cli.options import json_option, text_argument
from todo_tui.cli.output.messages import print_json, print_note, print_result
from todo_tui.cli.output.progress import progress_bar
from todo_tui.cli.output.tables import TableColumn, print_columns
from todo_tui.cli.wiring.session import CliSession
from todo_tui.domain.knowledge.evidence import Evidence
from todo_tui.domain.text import format_count
from todo_tui.knowledge.indexing import IndexReport, add_paths, refresh
from todo_tui.knowledge.reader import DocumentReader

if TYPE_CHECKING:
    from todo_tui.knowledge.vectors import VectorIndex

_INTERRUPTED = 130
_SHOWN_ID = 8
_BAR_MINIMUM = 20
"""Files or passages from which on a progress bar is shown."""
_COLUMNS = (
    TableColumn("ID", number=True, whole=True, style="dim"),
    TableColumn("Title", main=True, style="bold"),
    TableColumn("Kind", whole=True, shown_from=60),
    TableColumn("Passages", number=True, whole=True, shown_from=60),
    TableColumn("Path", style="dim"),
    TableColumn("Problem", style="red"),
)


@click.group("knowledge", cls=TodoGroup, no_args_is_help=False)
def knowledge() -> None:
    """Manage documents to search and quote.

    Markdown, text, HTML and PDF files are indexed in the database and stay where they are.
    """


@knowledge.command("add", writes=True, short_help="Add documents and folders.")
@click.argument(
    "paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@json_option
@click.pass_obj
def add(session: CliSession, paths: tuple[Path, ...], as_json: bool) -> int:
    """Add documents, and all documents in folders.

    Hidden folders and node_modules are skipped. Unchanged files are not read again, so after
    Ctrl+C the same command continues.
    """
    with (
        DocumentReader() as reader,
        progress_bar("Reading documents", minimum=_BAR_MINIMUM) as progress,
    ):
        report = add_paths(session.store.knowledge, paths, reader, progress, session.own_paths)
    if not report.is_interrupted:
        _embed(session)
    return _print_report(report, as_json=as_json, is_adding=True)


@knowledge.command("refresh", writes=True, short_help="Update changed documents.")
@json_option
@click.pass_obj
def refresh_documents(session: CliSession, as_json: bool) -> int:
    """Read changed files again, add new files in added folders, remove deleted files."""
    with (
        DocumentReader() as reader,
        progress_bar("Reading documents", minimum=_BAR_MINIMUM) as progress,
    ):
        report = refresh(session.store.knowledge, reader, progress, session.own_paths)
    if not report.is_interrupted:
        _embed(session)
    return _print_report(report, as_json=as_json)


@knowledge.command("list", only_reads=True, short_help="List documents.")
@json_option
@click.pass_obj
def list_documents(session: CliSession, as_json: bool) -> None:
    """List documents, with the reason if one cannot be read."""
    documents = session.store.knowledge.list()
    if as_json:
        print_json([document.to_json() for document in documents])
    elif documents:
        rows = [
            (
                str(document.id),
                document.title,
                document.kind.value,
                str(document.passages),
                document.path,
                document.problem,
            )
            for document in documents
        ]
        print_columns(_COLUMNS, rows)
    else:
        print_note("No documents. Add some: todo-tui knowledge add ~/Documents")
    if documents and (vectors := _open_vectors(session)) is not None:
        _print_reason(vectors.incomplete())


@knowledge.command("remove", writes=True, short_help="Remove a document or folder.")
@click.argument("name", metavar="NAME")
@json_option
@click.pass_obj
def remove(session: CliSession, name: str, as_json: bool) -> None:
    """Remove a document or folder from the database. The files are kept.

    NAME is a path, file name, title or ID. A removed document in an added folder is not added
    again by `refresh`.
    """
    store = session.store.knowledge
    path = os.path.realpath(name)
    removed = [document for document in store.list() if Path(document.path).is_relative_to(path)]
    if not removed and path not in store.folders():
        removed = [store.find(name)]
    conversations = store.quoted_in(document.id for document in removed)
    store.forget_folder(path)
    store.remove([document.id for document in removed], keep_out=bool(store.folders()))
    if (vectors := _open_vectors(session)) is not None:
        _print_reason(vectors.delete_removed())
    if as_json:
        print_json([document.to_json() for document in removed])
    else:
        what = removed[0].title if len(removed) == 1 else format_count(len(removed), "document")
        print_result(f"Removed {what}")
    if conversations:
        number = format_count(len(conversations), "conversation")
        print_note(f"Quotations of it stay in {number}. Erase:")
        for conversation in conversations:
            id, title = conversation.id[:_SHOWN_ID], conversation.title
            print_note(f"  todo-tui conversations delete {id}  # {title}")


@knowledge.command(
    "search", free_words=True, only_reads=True, short_help="Search documents and notes."
)
@text_argument("text", "TEXT", required=True)
@click.option(
    "--limit",
    metavar="N",
    type=click.IntRange(1, 50),
    default=5,
    help="Number of passages (default: 5).",
)
@json_option
@click.pass_obj
def search(session: CliSession, text: str, limit: int, as_json: bool) -> None:
    """Search documents, notes and annotations; show the best passages first."""
    vectors = _open_vectors(session)
    similar, note = vectors.rank(text) if vectors is not None else ((), "")
    passages = session.store.knowledge.search(text, limit, similar)
    _print_reason(note)
    if as_json:
        print_json([passage.to_json() for passage in passages])
    for number, passage in enumerate(() if as_json else passages, 1):
        if number > 1:
            print_result("")
        print_result(f"[{number}] {_place(passage)}")
        for line in passage.text.splitlines():
            print_result(f"    {line}".rstrip())
    if not passages and not as_json:
        print_note(f"No passage matches “{text}”.")


def _open_vectors(session: CliSession) -> VectorIndex | None:
    if session.settings.roles.embed is None or session.is_dry_run:
        return None
    from todo_tui.cli.log_file import open_log
    from todo_tui.cli.wiring.clients import open_vector_index  # 25 ms: few have an embedding model

    open_log(session)
    return open_vector_index(session.settings, session.store)


def _embed(session: CliSession) -> None:
    """Embed new passages, if an embedding model is configured."""
    if (vectors := _open_vectors(session)) is not None:
        with progress_bar("Embedding passages", minimum=_BAR_MINIMUM) as progress:
            reason = vectors.update(progress)
        _print_reason(reason)


def _print_reason(reason: str) -> None:
    if reason:
        print_note(reason)


def _place(passage: Evidence) -> str:
    """Return `Lease › Deposit · page 3 · /home/ann/lease.pdf`, or the task of a note."""
    names = filter(None, (passage.title, passage.heading))
    facts = [" › ".join(names)]
    if passage.task_id is not None:
        return f"#{passage.task_id} {passage.title}"
    if passage.page is not None:
        facts.append(f"page {passage.page}")
    line = "" if passage.line is None else f":{passage.line}"
    return " · ".join((*facts, f"{passage.path}{line}"))


def _print_report(report: IndexReport, *, as_json: bool, is_adding: bool = False) -> int:
    if as_json:
        print_json(report.to_json())
    else:
        print_result(f"{report.summary}{':' if report.skipped else ''}")
        for path, reason in report.skipped.items():
            print_result(f"  {path} {reason}")
        if report.ignored:
            print_note(f"{format_count(report.ignored, 'file')} of other kinds ignored.")
    if report.is_interrupted:
        print_note("Interrupted. Run the command again to continue.")
        return _INTERRUPTED
    return int(not report.documents and (is_adding or bool(report.skipped)))
