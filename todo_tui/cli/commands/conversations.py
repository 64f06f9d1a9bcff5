"""`todo-tui conversations`: list, search, show, rename, delete and export conversations."""

import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import click

from todo_tui.cli.base import FILE, TodoGroup
from todo_tui.cli.completers import complete_conversations
from todo_tui.cli.files import atomic_writer, may_write, replace_option
from todo_tui.cli.options import json_option, text_argument
from todo_tui.cli.output.console import open_console
from todo_tui.cli.output.messages import (
    confirm_deletion,
    print_json,
    print_note,
    print_result,
)
from todo_tui.cli.output.tables import TableColumn, print_columns
from todo_tui.cli.wiring.providers import model_label
from todo_tui.cli.wiring.session import CliSession
from todo_tui.domain.dates.text import format_instant
from todo_tui.domain.events import TraceStep
from todo_tui.domain.json_text import format_json
from todo_tui.domain.metrics_text import format_cost
from todo_tui.domain.text import plain_line, plain_text
from todo_tui.domain.when import Clock
from todo_tui.store.backups import backups_with, describe_leftovers
from todo_tui.store.conversations import export
from todo_tui.store.conversations.records import (
    Conversation,
    ConversationEntry,
    TurnRecord,
)

_ALL = 2**31
_SHOWN_ID = 8
"""Characters of an id in a list: enough to tell conversations apart."""
_COLUMNS = (
    TableColumn("ID", whole=True, style="dim"),
    TableColumn("Updated", whole=True, shown_from=60, style="dim"),
    TableColumn("Title", main=True, style="bold"),
    TableColumn("Last words", shown_from=100),
    TableColumn("Model", shown_from=80),
    TableColumn("Turns", number=True, whole=True, shown_from=60),
    TableColumn("Cost", number=True, whole=True, shown_from=60),
)
_MATCH_COLUMNS = (*_COLUMNS[:3], TableColumn("Match"))
_id_argument = click.argument(
    "conversation_id", metavar="ID", shell_complete=complete_conversations
)


@click.group("conversations", cls=TodoGroup, no_args_is_help=False)
def conversations() -> None:
    """Manage conversations. An ID may be shortened as long as it is unique."""


@conversations.command(
    "list", free_words=True, only_reads=True, short_help="List or search conversations."
)
@text_argument("text", "TEXT")
@json_option
@click.pass_obj
def list_conversations(session: CliSession, text: str, as_json: bool) -> None:
    """List conversations: pinned ones first, then newest first.

    With TEXT, search titles and messages for conversations with all of its words, and show the
    matching lines, newest first. The last word may be the beginning of a word.
    """
    store, clock = session.store.conversations, session.clock
    columns: Sequence[TableColumn]
    if text:
        matches = store.search(text, _ALL)
        columns, facts = _MATCH_COLUMNS, [export.match_to_json(match) for match in matches]
        rows = [(*_head(match.conversation, clock), match.line) for match in matches]
    else:
        entries = store.list(_ALL)
        columns, facts = _COLUMNS, [export.entry_to_json(entry) for entry in entries]
        label = _model_label(session)
        rows = [(*_head(entry, clock), *_facts(entry, label)) for entry in entries]
    if as_json:
        print_json([*facts])
    elif rows:
        print_columns(columns, rows)
    elif text:
        print_note(f"No conversation matches “{text}”.")
    else:
        print_note("No conversations. Start one: todo-tui ask what is due this week")


@conversations.command("show", only_reads=True, short_help="Show a conversation.")
@_id_argument
@click.pass_obj
def show(session: CliSession, conversation_id: str) -> None:
    """Show the messages of a conversation, oldest first."""
    conversation, turns = _read(session, conversation_id)
    zone = session.clock.zone
    if sys.stdout.isatty():
        from rich.markdown import Markdown  # 50 ms: not for a pipe

        text = "".join(export.write_markdown(conversation, turns, zone, _model_label(session)))
        open_console().print(Markdown(text, hyperlinks=False))
    else:
        sys.stdout.writelines(f"{line}\n" for line in _plain_lines(conversation, turns, session))


@conversations.command("rename", writes=True, free_words=True, short_help="Rename a conversation.")
@_id_argument
@text_argument("title", "TITLE", required=True)
@click.pass_obj
def rename(session: CliSession, conversation_id: str, title: str) -> None:
    """Rename a conversation."""
    store = session.store.conversations
    renamed = store.rename(store.find(conversation_id).id, title)
    print_result(f"Renamed conversation to {renamed.title}")


@conversations.command("delete", writes=True, short_help="Permanently delete a conversation.")
@_id_argument
@click.option("--yes", is_flag=True, help="Delete without confirmation.")
@click.pass_obj
def delete(session: CliSession, conversation_id: str, yes: bool) -> None:
    """Permanently delete a conversation. Its tasks are kept.

    This cannot be undone. Asks for confirmation.
    """
    store = session.store.conversations
    conversation = store.find(conversation_id)
    question = f"Permanently delete {conversation.title}? This cannot be undone."
    if not yes and not confirm_deletion(question):
        return
    store.erase(conversation.id)
    print_result(f"Permanently deleted {conversation.title}")
    if leftovers := describe_leftovers(backups_with(session.store.path, conversation.id)):
        print_note(leftovers)


@conversations.command("export", only_reads=True, short_help="Export a conversation.")
@_id_argument
@click.option(
    "--format",
    "format_name",
    type=click.Choice(["markdown", "json"]),
    help="File format (default: by the file's name, else markdown).",
)
@click.option(
    "--output",
    metavar="FILE",
    help="Output file (default: standard output).",
    type=FILE,
)
@replace_option
@click.pass_obj
def export_conversation(
    session: CliSession,
    conversation_id: str,
    format_name: str | None,
    output: str | None,
    yes: bool,
) -> None:
    """Export a conversation to a file or standard output, as it is shown in the app.

    Asks before it replaces a file.
    """
    conversation, turns = _read(session, conversation_id)
    target = None if output in (None, "-") else Path(str(output))
    if format_name is None and target is not None and target.suffix.lower() == ".json":
        format_name = "json"
    if format_name == "json":
        text = format_json(export.conversation_to_json(conversation, turns), indent=2)
        pieces: Iterator[str] = iter((text, "\n"))
    else:
        zone = session.clock.zone
        pieces = export.write_markdown(conversation, turns, zone, _model_label(session))
    if target is None:
        sys.stdout.writelines(pieces)
        return
    if not may_write(target, replaces=yes):
        return
    with atomic_writer(target) as file:
        file.writelines(pieces)
    print_note(f"Exported {conversation.title} to {target}")


def _read(session: CliSession, prefix: str) -> tuple[Conversation, tuple[TurnRecord, ...]]:
    conversation = session.store.conversations.find(prefix)
    return conversation, session.store.turns.list(conversation.id, _ALL)


def _plain_lines(
    conversation: Conversation, turns: Sequence[TurnRecord], session: CliSession
) -> Iterator[str]:
    from todo_tui.cli.output.markdown_text import markdown_to_text  # 30 ms: only for a pipe

    label = _model_label(session)
    yield plain_line(conversation.title)
    for turn in turns:
        yield f"\nYou · {format_instant(turn.started_at, session.clock)}"
        yield plain_text(turn.user_text)
        yield f"\n{plain_line(label(turn.provider, turn.model))}"
        for block in turn.shown_blocks:
            if isinstance(block, TraceStep):
                yield export.step_line(block)
            else:
                yield markdown_to_text(block.text_beside_steps)
        if end := export.end_line(turn):
            yield end


def _head(entry: ConversationEntry, clock: Clock) -> tuple[str, ...]:
    title = f"★ {entry.title}" if entry.pinned else entry.title
    return entry.id[:_SHOWN_ID], format_instant(entry.updated_at, clock), title


def _facts(entry: ConversationEntry, label: export.ModelLabel) -> tuple[str, ...]:
    model = label(entry.provider, entry.model)
    return entry.last_words, model, str(entry.turns), format_cost(entry.usage)


def _model_label(session: CliSession) -> export.ModelLabel:
    return partial(model_label, session.settings)
