"""Session of one turn: known tasks, look-ups, small talk, undo and redo, the time."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from todo_tui.domain.dates.reader import read_range
from todo_tui.domain.errors import DateNotUnderstood
from todo_tui.domain.task import JsonValue
from todo_tui.providers.offline import replies
from todo_tui.providers.offline import replies as wording
from todo_tui.providers.offline.dates import Dates
from todo_tui.providers.offline.dialogue import Past, Question, Speech
from todo_tui.providers.offline.grammar import Grammar
from todo_tui.providers.offline.intents import StepBack, TellTime
from todo_tui.providers.offline.tool_results import Call, Outcome, Plan, Seen
from todo_tui.providers.offline.words import Quoted, content

_MOST = 200
"""Tasks that are looked at in one go; beyond that, they are searched for by word."""
_PREFIX = 3
_CHANGES = {
    "added": "is back",
    "updated": "is as it was",
    "completed": "is done again",
    "reopened": "is open again",
    "deleted": "is off the list",
    "restored": "is back",
    "purged": "is gone",
}


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
        """Return True if there are more than are shown."""
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
    """Return True if the person has answered a question about the tasks that are to be changed."""
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
        """Return True if a task is due in days that are named: `this week`, `friday`."""
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


def decline(session: Session) -> None:
    """Say that this is beyond the assistant, and what is not."""
    session.speech.say(wording.DECLINE)


def explain(session: Session, topic: str) -> None:
    """Say what can be done, or how to do what was asked about."""
    if not topic:
        session.speech.say(wording.HELP)
        return
    session.speech.say(wording.help_on(topic) or wording.DECLINE)


def doubt(session: Session, text: str, clause: str, tasks: Sequence[Seen], words: str) -> None:
    """Ask before something is done that was not quite said.

    A yes does `clause`, in which `words` then mean `tasks`.
    """
    session.speech.ask(text, Question("confirm", clause, words, tuple(tasks)), tasks)


def step_back(session: Session, intent: StepBack) -> Plan[None]:
    """Undo or redo, once for each time that was asked for."""
    tool, verb = ("redo", "Redone") if intent.redo else ("undo", "Undone")
    # In one message: the same call in a later one would count as a repeat of the first.
    outcomes = yield tuple(Call(tool, ordered=True) for _ in range(intent.times))
    session.forget()
    for outcome in outcomes:
        if outcome.error:
            session.say(replies.escaped(outcome.error))
            return
        session.say(
            f"{verb}: {_changes(outcome.changes, redo=intent.redo)}",
            [task for _, task in outcome.changes],
            deed=tool,
        )
        for conflict in outcome.conflicts:
            session.speech.say(f"I left {replies.quoted(conflict)} as it is: it was changed since.")


def _changes(changes: Sequence[tuple[str, Seen]], *, redo: bool) -> str:
    reopened = {task.title for kind, task in changes if kind == "reopened"}
    phrases = [
        f"the next {replies.name(task)} is taken away"
        if kind == "purged" and task.title in reopened
        else f"{replies.name(task)} {_state(kind, redo=redo)}"
        for kind, task in changes[:5]
    ]
    if len(changes) > 5:
        phrases.append(f"and {len(changes) - 5} more")
    return f"{', '.join(phrases)}." if phrases else "there was nothing to change."


def _state(kind: str, *, redo: bool) -> str:
    again = redo and kind == "updated"
    return "is changed again" if again else _CHANGES.get(kind, "is changed back")


def tell_time(session: Session, intent: TellTime) -> Plan[None]:
    """The date and the time of day, or which date a day is."""
    if intent.day:
        day = session.dates.when(re.sub(r"^(?:on |the )", "", intent.day))
        if day is not None:
            session.speech.say(
                f"{intent.day[:1].upper()}{replies.escaped(intent.day[1:])} is "
                f"{_long(datetime.combine(day.day, datetime.min.time()))}"
                f"{_away((day.day - session.dates.now.date()).days)}."
            )
            return
        session.speech.say(f"I did not understand {replies.quoted(intent.day)} as a day.")
        return
    outcome = yield from session.call("current_time")
    try:
        now = datetime.fromisoformat(outcome.words("now"))
    except ValueError:
        now = session.dates.now
    session.speech.say(f"It is {_long(now)}, {now:%H:%M}.")


def _away(days: int) -> str:
    return f", in {days:,} days" if days > 1 else ""


def _long(day: datetime) -> str:
    return f"{day:%A}, {day.day} {day:%B %Y}"
