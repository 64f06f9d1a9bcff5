"""The session of one turn: what the assistant knows, looks up and says while it works."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from todo_tui.domain.dates.reader import read_range
from todo_tui.domain.errors import DateNotUnderstood
from todo_tui.domain.task import JsonValue
from todo_tui.providers.offline.dating import Dates
from todo_tui.providers.offline.dialogue import Past, Speech
from todo_tui.providers.offline.grammar import Grammar
from todo_tui.providers.offline.quoted import Quoted
from todo_tui.providers.offline.toolwork import Call, Outcome, Plan, Seen
from todo_tui.providers.offline.words import content

_MOST = 200
"""Tasks that are looked at in one go; beyond that, they are searched for by word."""

_PREFIX = 3


@dataclass(frozen=True, slots=True)
class Listing:
    """Tasks that a filter gave; `total` counts those left out too."""

    tasks: tuple[Seen, ...]
    total: int
    error: str = ""
    groups: tuple[tuple[str, int, tuple[int, ...]], ...] = ()
    """Headings with how many tasks are under each, and the ids of those that are told."""

    @property
    def cut(self) -> bool:
        """Whether there are more than are shown."""
        return self.total > len(self.tasks)


@dataclass(slots=True)
class Session:
    """What one turn works with. `focus` is what was named last, by anybody."""

    dates: Dates
    grammar: Grammar
    past: Past
    quoted: Quoted
    selection: tuple[Seen, ...] = ()
    speech: Speech = field(default_factory=Speech)
    focus: tuple[Seen, ...] = ()
    settled: dict[str, tuple[Seen, ...]] = field(default_factory=dict)
    confirmed: bool = False
    approved: bool = False
    """Whether the person has answered a question about the tasks that are to be changed."""
    subtasks: str = ""
    """What the person said becomes of open subtasks: `close` or `leave`."""
    overdue: int = 0
    _listings: dict[str, Listing] = field(default_factory=dict)

    def shown(self, words: str) -> str:
        """The person's words with quoted parts opened, the quotes gone."""
        return self.quoted.shown(words)

    def kept(self, words: str) -> str:
        """The person's words as they were, quotes and all."""
        return self.quoted.kept(words)

    def look(
        self, filter_words: str = "", limit: int = _MOST, *, show: bool = False
    ) -> Plan[Listing]:
        """List tasks, or remember them from before; `show` puts them into the person's list."""
        if show or filter_words not in self._listings:
            arguments: dict[str, JsonValue] = {"limit": limit}
            if filter_words:
                arguments = {"filter": filter_words, "limit": limit}
            if show:
                arguments["show"] = True
            outcome = yield from self.call("list_tasks", arguments)
            total = outcome.data.get("total")
            tasks = outcome.tasks
            self._listings[filter_words] = Listing(
                tasks,
                total if isinstance(total, int) else len(tasks),
                outcome.error,
                outcome.groups,
            )
        return self._listings[filter_words]

    def call(self, name: str, arguments: dict[str, JsonValue] | None = None) -> Plan[Outcome]:
        """Run one tool."""
        outcomes = yield (Call(name, arguments or {}),)
        return outcomes[0]

    def pool(self, words: str, scope: str = "") -> Plan[tuple[Seen, ...]]:
        """The tasks of a scope among which words are to be found.

        Of a list too long to be seen whole, those that have one of the words, or begin
        as one does.
        """
        listing = yield from self.look(scope)
        if not listing.cut:
            return listing.tasks
        found = list(listing.tasks)
        stems = [word for word in content(words) if len(word) > 1][:6]
        for size in (None, _PREFIX):
            parts = [f'"{word[:size]}"' for word in stems]
            if parts:
                more = yield from self.look(f"{scope} ({' or '.join(parts)})".strip())
                found += more.tasks
                if more.tasks:
                    break
        return tuple({task.id: task for task in found}.values())

    def is_due_in(self, task: Seen, days: str) -> bool:
        """Whether a task is due in days that are named: `this week`, `friday`."""
        try:
            stretch = read_range(days, self.dates.now, self.dates.style)
        except DateNotUnderstood:
            return False
        return task.due is not None and stretch.first <= task.due.day <= stretch.last

    def learn(self, tasks: Collection[Seen]) -> None:
        """Take over what tools said of tasks, so that later clauses see it."""
        news = {task.id: task for task in tasks}
        for key, listing in self._listings.items():
            kept = tuple(news.get(task.id, task) for task in listing.tasks)
            if key == "":
                kept = tuple(task for task in kept if task.is_open)
            total = listing.total - len(listing.tasks) + len(kept)
            self._listings[key] = replace(listing, tasks=kept, total=total)

    def forget(self) -> None:
        """Look at everything anew: more has changed than was told."""
        self._listings.clear()

    def say(self, text: str, tasks: Sequence[Seen] = (), *, deed: str = "") -> None:
        """Say something about tasks; they become what `it` means."""
        self.speech.say(text, tasks, deed=deed)
        if tasks:
            self.focus = tuple(tasks)

    def known_groups(self, tasks: Collection[Seen]) -> tuple[dict[str, str], dict[str, str]]:
        """Projects and tags of tasks, each by its folded name."""
        projects = {task.project.casefold(): task.project for task in tasks if task.project}
        for path in tuple(projects.values()):
            for part in _parents(path):
                projects.setdefault(part.casefold(), part)
        tags = {tag.casefold(): tag for task in tasks for tag in task.tags}
        return projects, tags


def _parents(path: str) -> list[str]:
    parts = path.split(".")
    return [".".join(parts[:count]) for count in range(1, len(parts))]


def group_named(words: str, names: dict[str, str]) -> str | None:
    """The group that words name, whether written `errand` or `Errands`."""
    plain = re.sub(r"[\s_]+", "-", words.strip().lstrip("#@").casefold())
    for form in (plain, plain.removesuffix("s"), plain + "s"):
        if form in names:
            return names[form]
    return None
