"""Completion in the composer: commands, models, task ids, projects and tags."""

from __future__ import annotations

import asyncio
import logging
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from textual.geometry import Size

from todo_tui.domain.errors import StoreError
from todo_tui.domain.filters.completion import Candidate, complete_sign
from todo_tui.domain.filters.terms import ContainsText, Not, TaskState, all_of
from todo_tui.domain.filters.vocabulary import TokenKind
from todo_tui.domain.text import fold_case, format_count, plain_line
from todo_tui.tui.actions.action import ArgumentKind
from todo_tui.tui.actions.hints import format_hint
from todo_tui.tui.actions.registry import SLASH_COMMANDS, SlashCommand
from todo_tui.tui.chat.composer import CompletionContext, Composer, ComposerCompletions
from todo_tui.tui.chat.conversation_page import read_newest_turns
from todo_tui.tui.chat.turn_undo import undo_turn
from todo_tui.tui.fuzzy_search import rank_matches
from todo_tui.tui.models.catalog import ModelCatalog
from todo_tui.tui.services import AppServices
from todo_tui.tui.widgets.line_input import CompletionList, NameCache

if TYPE_CHECKING:
    from todo_tui.domain.task import Task
    from todo_tui.store.store import Store
    from todo_tui.tui.chat.session import ChatSession

_MAX_SHOWN, _WIDEST = 8, 44
_MAX_TASKS = 20
_LONGEST_ID = 9
_REST = re.compile(r"[\w-]*")
_MAX_FILES = 200
_LISTED_MESSAGES = 20
_log = logging.getLogger(__name__)


class NumberedMessage(NamedTuple):
    """Message with its number, counted from the newest, which is 1, and a note on it."""

    number: int
    text: str
    about: str = ""


class ComposerCompletionList(CompletionList):
    """Overlay above a composer with the completions of the word at its cursor."""

    # Mounted with the first completion, so it is not part of the style sheets of the first frame.
    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")

    def __init__(self, composer: Composer) -> None:
        super().__init__(most=_MAX_SHOWN, widest=_WIDEST, names_key=False)
        self._composer = composer

    def on_mount(self) -> None:
        """Show what the composer offers, above it."""
        self.border_subtitle = format_hint(
            self.app, "{write.complete} complete · {write.close_list} close"
        )
        self.watch(self._composer, "completions", self._draw)
        self.watch(self._composer, "chosen", self._draw, init=False)
        self.watch(self._composer, "size", self._place)

    def _draw(self) -> None:
        self.show(self._composer.completions.candidates, self._composer.chosen)

    def _place(self, _size: Size) -> None:
        self.styles.margin = (0, 1, self._composer.outer_size.height, 1)


class CompletionSource:
    """Finds completions of commands and their arguments, task ids, projects, tags and files.

    Names and tasks are read in a thread.
    """

    def __init__(self, services: AppServices, catalog: ModelCatalog, session: ChatSession) -> None:
        self._services = services
        self._catalog = catalog
        self._session = session
        self._names = NameCache(services.store)
        self._word: tuple[int, int] | None = None
        """Row and start of the word for which the names were read."""

    def forget_word(self) -> None:
        """Read the names again for the next word."""
        self._word = None

    async def find(
        self, context: CompletionContext, *, is_card_open: bool = False
    ) -> ComposerCompletions:
        """Return the completions of that text; TodoError if the store cannot be read."""
        if context.is_command:
            return await self._complete_command(context.line, is_card_open=is_card_open)
        if self._word != (context.row, context.start):
            # Cancelled by the next key, this starts over.
            await self._names.refresh()
            self._word = context.row, context.start
        return await asyncio.to_thread(_complete_word, context, self._names)

    async def fetch_models(self) -> None:
        """Have the lists of models fetched, whose names can be completed then."""
        await asyncio.gather(*map(self._catalog.ask, self._catalog.switch.options))

    async def _numbered(self, *, changing: bool) -> list[NumberedMessage]:
        """Return the newest messages; if `changing`, those whose changes can be undone."""
        store = self._services.store
        newest = await read_newest_turns(store, self._session, _LISTED_MESSAGES)
        turns = enumerate(newest, start=1)
        if not changing:
            return [NumberedMessage(number, turn.user_text) for number, turn in turns]
        found: list[NumberedMessage] = []
        for number, turn in turns:
            if not turn.steps:
                continue
            report = await undo_turn(self._services, turn.id, preview=True)
            if report.changes or report.conflicts:
                count = len(report.changes)
                about = format_count(count, "change") if count else "changed since"
                found.append(NumberedMessage(number, turn.user_text, about))
        return found

    async def _complete_command(self, text: str, *, is_card_open: bool) -> ComposerCompletions:
        word, space, argument = text[1:].partition(" ")
        command = SLASH_COMMANDS.get(word.lower())
        if space:
            found = () if command is None else await self._arguments(command, word, argument)
            return ComposerCompletions(0, len(text), found)
        candidates = tuple(
            Candidate(
                f"/{each.name} " if each.slash.argument else f"/{each.name}",
                TokenKind.KEY,
                each.summary,
            )
            for each in SLASH_COMMANDS.values()
            if each.name.startswith(word.lower()) and (is_card_open or not each.slash.answers_card)
        )
        if all(each.text == text for each in candidates):
            candidates = ()
        takes = bool(word) and command is None
        return ComposerCompletions(0, len(text), candidates, takes)

    async def _arguments(
        self, command: SlashCommand, word: str, argument: str
    ) -> tuple[Candidate, ...]:
        """Return the completions of what is typed behind a command, which is written `word`."""
        kind, typed = command.slash.completes, argument.strip()
        match kind:
            case ArgumentKind.PATH:
                return await asyncio.to_thread(_complete_path, f"/{word} ", argument.lstrip())
            case ArgumentKind.MESSAGE | ArgumentKind.CHANGING_MESSAGE:
                changing = kind is ArgumentKind.CHANGING_MESSAGE
                messages = await self._numbered(changing=changing)
                return _complete_number(command.name, argument, messages)
            case ArgumentKind.MODEL:
                found = self._models_like(typed)
            case ArgumentKind.PROVIDER:
                found = self._providers_like(typed)
            case ArgumentKind.CODE:
                found = [("code", "newest code block")]
            case None:
                found = []
        texts = ((f"/{word} {plain_line(name)}", about) for name, *about in found)
        return tuple(
            Candidate(text, TokenKind.KEY, plain_line(" · ".join(filter(None, about))))
            for text, about in texts
            if text != f"/{word} {typed}"
        )

    def _models_like(self, typed: str) -> list[tuple[str, ...]]:
        catalog = self._catalog
        rows = catalog.rows()
        recent = catalog.recent_rows(rows)
        found = catalog.filter_rows(rows, typed) if typed else dict.fromkeys([*recent, *rows])
        return [
            (f"{row.option.row.id}:{row.model}", row.option.row.label, row.state, row.cost)
            for row in found
            if row.ready and row.model
        ]

    def _providers_like(self, typed: str) -> list[tuple[str, ...]]:
        switch = self._catalog.switch
        rows = [option.row for option in switch.options]
        if typed:
            rows = rank_matches(typed, rows, lambda row: f"{row.id} {row.label}")
        states = {option.row.id: switch.status_text(option) for option in switch.options}
        return [(row.id, row.label, states[row.id]) for row in rows]


def _complete_number(
    command: str, argument: str, messages: Sequence[NumberedMessage]
) -> tuple[Candidate, ...]:
    """Complete the number of a message, also by words of it that are no number."""
    typed = argument.strip()
    found = tuple(
        Candidate(
            f"/{command} {each.number}",
            TokenKind.KEY,
            " · ".join(filter(None, (plain_line(each.text), each.about))),
        )
        for each in messages
        if str(each.number).startswith(typed)
        or (not typed.isdecimal() and fold_case(typed) in fold_case(each.text))
    )
    return () if [each.text for each in found] == [f"/{command} {argument}"] else found


def _complete_path(command: str, typed: str) -> tuple[Candidate, ...]:
    """Complete the name of a folder, or of a file that can be added; blocks."""
    folder, slash, beginning = typed.rpartition("/")
    # Not expanded by Path, which raises RuntimeError where there is no home.
    from todo_tui.knowledge.reader import kind_of  # 20 ms, where a path is typed

    path = os.path.expanduser(folder + slash) or "."  # noqa: PTH111
    found: list[Candidate] = []
    try:
        with os.scandir(path) as entries:
            for entry in entries:
                name = entry.name
                if not name.lower().startswith(beginning.lower()) or plain_line(name) != name:
                    continue
                if name.startswith(".") and not beginning:
                    continue
                is_folder = entry.is_dir()
                text = f"{command}{folder}{slash}{name}{'/' if is_folder else ''}"
                if (is_folder or kind_of(Path(name))) and text != f"{command}{typed}":
                    # A long path is clipped before its end.
                    about = name if len(text) > _WIDEST else ""
                    found.append(Candidate(text, TokenKind.KEY, about))
    except (OSError, ValueError):
        _log.debug("cannot list the folder to complete", exc_info=True)
    found.sort(key=lambda each: each.text.lower())
    return tuple(found[:_MAX_FILES])


def _complete_word(context: CompletionContext, names: NameCache) -> ComposerCompletions:
    """Complete `#12`, `#project` or `@tag`, and `#` with words of a title; blocks."""
    word = context.line[context.start : context.column]
    sign, name = word[0], word[1:]
    found: tuple[Candidate, ...] = ()
    if not name.isdecimal():
        # Without the rest of the line, where a comma can follow the name.
        before = context.line[: context.column]
        found = complete_sign(before, context.column, names.names).candidates
    known = names.names.projects_and_above if sign == "#" else names.names.tags or ()
    takes = (
        bool(name and found)
        and fold_case(found[0].text).startswith(fold_case(word))
        and fold_case(name) not in map(fold_case, known)
    )
    if sign == "#":
        try:
            found += tuple(
                Candidate(f"#{task.id}", TokenKind.ID, plain_line(task.title))
                for task in _find_tasks(names.store, name)
            )
        except StoreError:
            _log.warning("could not read the tasks for completion", exc_info=True)
    rest = _REST.match(context.line, context.column)
    end = rest.end() if rest else context.column
    return ComposerCompletions(context.start, end, found, takes)


def _find_tasks(store: Store, text: str) -> list[Task]:
    """Return some tasks whose id begins with these digits, or whose title contains the text."""
    if text.isdecimal():
        number = int(text[:_LONGEST_ID])
        ids = [
            number,
            *range(number * 10, number * 10 + 10),
            *range(number * 100, number * 100 + 100),
        ]
        tasks = [each for each in store.tasks.rows(ids) if each.deleted_at is None]
        tasks.sort(key=lambda each: (each.id != number, not each.is_open, each.id))
        return tasks[:_MAX_TASKS]
    if not text:
        return list(store.tasks.find(limit=_MAX_TASKS))
    wanted = all_of(TaskState.ANY, Not(TaskState.IN_TRASH), ContainsText(text))
    found = store.tasks.find(wanted, limit=4 * _MAX_TASKS)
    tasks = [each for each in found if fold_case(text) in fold_case(each.title)]
    return sorted(tasks, key=lambda each: not each.is_open)[:_MAX_TASKS]
