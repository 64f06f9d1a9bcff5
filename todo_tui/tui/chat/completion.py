"""Completion in the composer: commands, models, task ids, projects and tags."""

from __future__ import annotations

import asyncio
import logging
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual.geometry import Size

from todo_tui.domain.errors import StoreError
from todo_tui.domain.filters.completion import Candidate, complete_sign
from todo_tui.domain.filters.terms import ContainsText, Not, TaskState, all_of
from todo_tui.domain.filters.vocabulary import TokenKind
from todo_tui.domain.text import fold_case, plain_line
from todo_tui.knowledge.reader import kind_of
from todo_tui.tui.actions.action import ArgumentKind
from todo_tui.tui.actions.hints import format_hint
from todo_tui.tui.actions.registry import SLASH_COMMANDS, SlashCommand
from todo_tui.tui.background import LazyCoroutine
from todo_tui.tui.chat.approval import ApprovalController
from todo_tui.tui.chat.composer import CompletionContext, ComposerCompletions
from todo_tui.tui.chat.pane import ChatPane
from todo_tui.tui.fuzzy_search import rank_matches
from todo_tui.tui.models.controller import ModelController
from todo_tui.tui.widgets.line_input import CompletionList, NameCache

if TYPE_CHECKING:
    from todo_tui.domain.task import Task
    from todo_tui.store.store import Store
    from todo_tui.tui.chat.turn_actions import NumberedMessage, TurnActions

_MAX_SHOWN, _WIDEST = 8, 44
_MAX_TASKS = 20
_LONGEST_ID = 9
_REST = re.compile(r"[\w-]*")
_MAX_FILES = 200
_log = logging.getLogger(__name__)


class ComposerCompletionList(CompletionList):
    """Overlay above the composer with the completions of the word at the cursor."""

    # Mounted with the first completion, so it is not part of the style sheets of the first frame.
    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")

    def __init__(self) -> None:
        super().__init__(most=_MAX_SHOWN, widest=_WIDEST, names_key=False)


@dataclass(slots=True)
class ComposerCompleter:
    """Finds the completions at the composer's cursor and shows them in a list above it.

    Names and tasks are read in a thread, for the newest text only.
    """

    chat: ChatPane
    models: ModelController
    approvals: ApprovalController
    turns: TurnActions
    names: NameCache
    _list: ComposerCompletionList | None = None
    _has_asked: bool = False
    _word: tuple[int, int] | None = None
    """Row and start of the word for which the names were read."""

    def update(self) -> None:
        """Look up completions if the text at the cursor has changed."""
        composer = self.chat.composer
        context = composer.completion_context
        if context is None:
            self._word = None
            composer.close_completions()
        elif context != composer.completed:
            look_up = LazyCoroutine(partial(self.look_up, context))
            self.chat.run_worker(look_up, group="completion", exclusive=True)

    async def look_up(self, context: CompletionContext) -> None:
        """Find the completions of that text and show them if it is still at the cursor."""
        composer = self.chat.composer
        if context.is_command:
            found = await self._complete_command(context.line)
        else:
            if self._word != (context.row, context.start):
                # Cancelled by the next key, this starts over.
                await self.names.refresh()
                self._word = context.row, context.start
            found = await asyncio.to_thread(_complete_word, context, self.names)
        if context == composer.completion_context:
            composer.show_completions(context, found)
            if self._list is None and found.candidates:
                await self._mount_list()

    async def _mount_list(self) -> None:
        composer = self.chat.composer
        self._list = ComposerCompletionList()
        self._list.border_subtitle = format_hint(
            self.chat.app, "{write.complete} complete · {write.close_list} close"
        )
        await self.chat.mount(self._list)
        self._list.watch(composer, "completions", self._draw)
        self._list.watch(composer, "chosen", self._draw, init=False)
        self._list.watch(composer, "size", self._place)

    def _draw(self) -> None:
        if self._list is not None:
            composer = self.chat.composer
            self._list.show(composer.completions.candidates, composer.chosen)

    def _place(self, _size: Size) -> None:
        if self._list is not None:
            # Above the composer.
            self._list.styles.margin = (0, 1, self.chat.composer.outer_size.height, 1)

    def _ask_for_models(self) -> None:
        """Have the lists of models fetched, whose names can be completed then."""
        if not self._has_asked:
            self._has_asked = True
            for option in self.models.switch.options:
                self.chat.run_worker(self.models.catalog.ask(option), group="models")

    async def _complete_command(self, text: str) -> ComposerCompletions:
        word, space, argument = text[1:].partition(" ")
        command = SLASH_COMMANDS.get(word.lower())
        if space:
            found = () if command is None else await self._arguments(command, word, argument)
            return ComposerCompletions(0, len(text), found)
        self._ask_for_models()
        candidates = tuple(
            Candidate(
                f"/{each.name} " if each.slash.argument else f"/{each.name}",
                TokenKind.KEY,
                each.summary,
            )
            for each in SLASH_COMMANDS.values()
            if each.name.startswith(word.lower())
            and (self.approvals.is_open or not each.slash.answers_card)
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
                messages = await self.turns.numbered(changing=changing)
                return _complete_number(command.name, argument, messages)
            case ArgumentKind.MODEL:
                self._ask_for_models()
                found = self._models_like(typed)
            case ArgumentKind.PROVIDER:
                self._ask_for_models()
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
        catalog = self.models.catalog
        rows = catalog.rows()
        recent = catalog.recent_rows(rows)
        found = catalog.filter_rows(rows, typed) if typed else dict.fromkeys([*recent, *rows])
        return [
            (f"{row.option.row.id}:{row.model}", row.option.row.label, row.state, row.cost)
            for row in found
            if row.ready and row.model
        ]

    def _providers_like(self, typed: str) -> list[tuple[str, ...]]:
        switch = self.models.switch
        rows = [option.row for option in switch.options]
        if typed:
            rows = rank_matches(typed, rows, lambda row: f"{row.id} {row.label}")
        states = {option.row.id: switch.status_text(option) for option in switch.options}
        return [(row.id, row.label, states[row.id]) for row in rows]


def _complete_number(
    command: str, argument: str, messages: Sequence[NumberedMessage]
) -> tuple[Candidate, ...]:
    """Complete the number of a message, also by words of it."""
    typed = argument.strip()
    found = tuple(
        Candidate(
            f"/{command} {each.number}",
            TokenKind.KEY,
            " · ".join(filter(None, (plain_line(each.text), each.about))),
        )
        for each in messages
        if str(each.number).startswith(typed) or fold_case(typed) in fold_case(each.text)
    )
    return () if [each.text for each in found] == [f"/{command} {argument}"] else found


def _complete_path(command: str, typed: str) -> tuple[Candidate, ...]:
    """Complete the name of a folder, or of a file that can be added; blocks."""
    folder, slash, beginning = typed.rpartition("/")
    # Not expanded by Path, which raises RuntimeError where there is no home.
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
