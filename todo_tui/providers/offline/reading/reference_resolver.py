"""Find the tasks that words refer to.

Nothing older than the last turn is referred to. Words must be accounted for whole: a name with a
date, `yoga tomorrow`, is the task of that name due on that day.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType

from todo_tui.domain.errors import ValidationError
from todo_tui.domain.task_index import TaskIndex
from todo_tui.providers.offline import replies
from todo_tui.providers.offline.dialogue import Question
from todo_tui.providers.offline.language.change_phrases import Dates
from todo_tui.providers.offline.language.filters import EXCEPT, TaskDescription, read_description
from todo_tui.providers.offline.language.pattern import regex
from todo_tui.providers.offline.language.phrases import THE_OTHER
from todo_tui.providers.offline.language.reference_words import (
    ById,
    ByKind,
    ByName,
    ByPlace,
    ByPointing,
    BySubtree,
    parts_of,
    read_reference,
)
from todo_tui.providers.offline.language.words import (
    ARTICLES,
    KINDS,
    NUMBERS,
    Quoted,
    base_form,
    content,
    folded,
    is_past,
    tokens,
)
from todo_tui.providers.offline.reading.sets import named_set
from todo_tui.providers.offline.reading.title_matching import (
    bare,
    find_strictly,
    may_complete,
    mentioned,
    reported,
    reported_exactly,
    stems,
    touched,
)
from todo_tui.providers.offline.requests import FoundTasks
from todo_tui.providers.offline.tool_results import Listing, ShownTask, shown_task

_SOME = regex(r"^(the|my|our|all|every|each|any|those|these|both) ")
_BULK = regex(
    r"(?P<all>everything|every|all( of)?|each|anything|what('s| is| are|ever"
    r"( is)?)?)\b ?(?P<what>.*)"
)
_SEARCHED = re.compile(r'(?<!:)"([^"]*)"')
"""Words that a filter searches for."""
_SEVERAL = regex(r"(the |all )?(?P<count>both|all|every|each|two|three|four|five)\b")
_COUNTS = {"both": 2, **NUMBERS}
_REST_OF = regex(
    r"(the )?(rest|remainder|others?) of (?!(them|those|these|it)\b)((the|my) )?(?P<all>.+)"
)
"""What is left of a set without the tasks that were named."""
_PLURAL = regex(r"\b(tasks|todos|to-dos|items|things|ones|reminders|stuff|dates?)\b")
_KIND = regex(
    r" (tasks?|to-?dos?|items?|reminders?|things?|stuff|project|list|folder)$"
    r"|^(project|list|folder) (?=\S+$)"
)
_FILLERS = regex(
    r"(?<!\bno)(?<!without)(?<!without a)\s(that('s| is| are)|which (is|are)|due dates?|deadlines?"
    r"|belong(s|ing)? to( the)?)(?=\s)"
)
"""Words of a description that are no condition."""
_ANY_PROJECT = regex(r"(the|this|that|my) (project|folder)")
"""A project without a name, which is not the task last spoken of."""
_UNDER = regex(r"(under|below|beneath|underneath) (the |my )?(?P<root>.+)")
_LAST_DELETED = regex(
    r"(the )?((last|most recently|latest) deleted( (one|task))?|(one"
    r"|task) (that )?i (just )?deleted( last)?)"
)
_OR = regex(r"\bor\b")
_KINDS = regex(r"(?<![\w#@])(chores|errands|jobs|reminders|deadlines)\b")
"""Words for tasks that are also names of projects and tags."""
_PARTICLE = regex(r"\b(?P<what>that|them|it) (on|to|at|as|in|for|with)(?= except\b|$)")
"""What stands between `put all of that` and a value."""
_MARKED = re.compile(r"(?<!\S)[@#]\S")
_JOINED = re.compile(r"([@#][\w.-]+) (?:and|or) ([\w.-]+)|([\w.-]+) (?:and|or) ([@#][\w.-]+)")
_MAX_WORDS = 6
_MAX_LISTED = 50
_MAX_IN_POOL = 200
"""Tasks that are looked at one by one; of more, those that have a word of the message."""
_PREFIX = 4
_MAX_RECENT = 4
"""Tasks written one after the other of which nobody can say which one is the first."""
_PROJECT = re.compile(r"#([^\W\d][\w-]*)")


@dataclass(frozen=True, slots=True)
class Problem:
    """Reason why a request cannot be carried out, with the tasks and the question that it names."""

    reply: str
    tasks: tuple[ShownTask, ...] = ()
    question: Question | None = None
    is_unread: bool = False
    """True where words have no meaning or fit no task, so that they may be read in another way."""
    is_guess: bool = False
    """True where the tasks are only the nearest to a question, which documents may answer."""

    @property
    def kind(self) -> str:
        """Kind of the question; empty for none."""
        return self.question.kind if self.question else ""

    @property
    def is_final(self) -> bool:
        """True where an answer settles what is meant, so that no other reading is tried."""
        return self.kind in ("which", "confirm", "offer", "lacks")


Resolved = FoundTasks | Problem


_EACH = regex(r"\b(all|each|lot)\b")
"""In words that point: every one of what was shown."""


@dataclass(slots=True)
class Resolver:
    """Finds tasks for one message. `focus` are the tasks that the last turn or clause named."""

    message: str
    index: TaskIndex
    dates: Dates
    quoted: Quoted
    focus: tuple[ShownTask, ...] = ()
    selection: tuple[ShownTask, ...] = ()
    shown: tuple[ShownTask, ...] = ()
    """The tasks among which `the other one` and, of one task, `the second one` are."""
    recent: tuple[ShownTask, ...] = ()
    """The tasks that the turns before wrote, one each."""
    settled: dict[str, tuple[ShownTask, ...]] = field(default_factory=dict)
    """Tasks that the person chose for certain words."""
    listings: dict[str, Listing] = field(default_factory=dict)
    """Tasks that were looked up, by filter; readings of one message share them."""

    def list(self, words: str, most: int = _MAX_LISTED) -> Listing:
        """Return the tasks of a filter; a message looks for the same ones in many readings."""
        if words not in self.listings:
            self.listings[words] = self._listed(words, most)
        return self.listings[words]

    def _listed(self, words: str, most: int) -> Listing:
        try:
            page = self.index.find(words, most)
        except ValidationError as error:
            return Listing(error=error.message)
        return Listing(tuple(shown_task(each, self.dates) for each in page.tasks), page.total)

    def list_ids(self, ids: Iterable[int]) -> Listing:
        """Return the tasks of these numbers."""
        return self.list(" or ".join(f"#{number}" for number in ids))

    def question(
        self,
        kind: str,
        words: str = "",
        tasks: tuple[ShownTask, ...] = (),
        settled: Mapping[str, tuple[ShownTask, ...]] = MappingProxyType({}),
    ) -> Question:
        """Return a question whose answer makes the message be read again."""
        known = {**self.settled, **settled}
        return Question(kind, self.message, words, tasks, tuple(known.items()))

    def forget(self) -> None:
        """Forget look-ups after a change."""
        self.listings.clear()

    def resolve(self, words: str, scope: str = "") -> Resolved:
        """Find the tasks that words refer to; `scope` is `done`, `trash` or empty for open ones."""
        shown = self.quoted.shown(words)
        if (settled := self.settled.get(folded(shown))) is not None:
            return FoundTasks(settled)
        if shown != words:
            return self._by_name(words, scope)
        words = _PARTICLE.sub(r"\g<what>", words)
        spared = EXCEPT.search(words)
        if spared and isinstance(read_reference(spared["x"], self.dates), ByPlace):
            # `all but the first` of those that were named
            return self._all_but("them", spared["x"], scope)
        if spared and (
            len(parts_of(words[: spared.start()])) > 1
            or isinstance(read_reference(words[: spared.start()], self.dates), ByPointing)
        ):
            return self._all_but(words[: spared.start()], spared["x"], scope)
        return self._referred(words, scope)

    def _referred(self, words: str, scope: str) -> Resolved:
        words = self._with_groups(words)
        if spoken := self._by_what_was_shown(words, scope):
            return spoken
        match read_reference(words, self.dates):
            case ById(ids):
                return self._by_ids(ids)
            case ByPlace(places):
                return self._by_place(places)
            case ByPointing() as pointing:
                return self._by_pointing(pointing)
            case BySubtree(root, with_root):
                return self._by_subtree(root, scope, with_root=with_root)
            case ByKind(description):
                return self._by_kind(words, description, scope)
            case ByName(name):
                if bulk := _BULK.fullmatch(name):
                    return self._by_kind(words, bulk["what"] or "", scope)
                return self._by_name(name, scope)

    def _by_what_was_shown(self, words: str, scope: str) -> Resolved | None:
        """Find the other tasks, or the rest of them; None for words that point to no such."""
        if match := THE_OTHER.fullmatch(words):
            return self._others(match)
        if rest := _REST_OF.fullmatch(words):
            return self._rest_of(rest["all"], scope)
        return Problem(replies.WHICH_TASK) if _ANY_PROJECT.fullmatch(words) else None

    def _others(self, match: re.Match[str]) -> Resolved:
        """Find the tasks that were shown beside those spoken of: `the other two`."""
        known = {task.id for task in self.focus}
        others = tuple(task for task in self.shown if task.id not in known)
        wanted = len(others) if match["all"] else NUMBERS[(match["count"] or "one").casefold()]
        is_meant = others and len(others) == wanted
        return FoundTasks(others, is_bulk=wanted > 1) if is_meant else Problem(replies.WHICH_TASK)

    def _rest_of(self, words: str, scope: str) -> Resolved:
        """Find the tasks of a reference without those spoken of: `the rest of the chores`."""
        named = " and ".join(f"#{task.id}" for task in self.focus)
        return self._all_but(words, named, scope) if named else Problem(replies.WHICH_TASK)

    def _all_but(self, words: str, spared: str, scope: str) -> Resolved:
        """Find the tasks of several references without those that are spared: of none just one."""
        every, out = self.resolve(words, scope), self.resolve(spared, scope)
        if not isinstance(every, FoundTasks) or not isinstance(out, FoundTasks):
            return out if isinstance(every, FoundTasks) else every
        ids = {task.id for task in out.tasks}
        kept = tuple(task for task in every.tasks if task.id not in ids)
        is_known = len(kept) < len(every.tasks) and not every.filter
        return FoundTasks(kept, is_bulk=True) if kept and is_known else Problem(replies.WHICH_TASK)

    def resolve_report(self, verb: str, said: str, scope: str = "") -> Resolved:
        """Find the task that something done, `bought the milk`, completes."""
        shown = self.quoted.shown(said)
        if (settled := self.settled.get(folded(shown))) is not None:
            return FoundTasks(settled)
        several = _SEVERAL.match(said)
        if several or not isinstance(read_reference(said, self.dates), ByName):
            meant = self.resolve(said, scope)
            if not isinstance(meant, FoundTasks):
                return meant
            if not all(may_complete(verb, task) for task in meant.tasks):
                return Problem(replies.DECLINED)
            wanted = _COUNTS.get(several["count"].lower()) if several else None
            return self._which(said, meant.tasks) if wanted not in (None, meant.count) else meant
        pool = self.pool(shown, scope)
        if found := reported_exactly(verb, shown, pool):
            return self._one_of(said, found)
        parts = [part for part in parts_of(said) if part != said]
        found_parts = [reported(verb, self.quoted.shown(part), pool) for part in parts]
        if len(parts) > 1 and all(len(each) == 1 for each in found_parts):
            return FoundTasks(tuple({each[0].id: each[0] for each in found_parts}.values()))
        if found := reported(verb, shown, pool):
            return self._one_of(said, found)
        if parts:
            find = partial(self.resolve_report, verb, scope=scope)
            return _each_of(parts, find)
        near = touched(shown, pool)
        closed = () if near or scope else self._closed(lambda tasks: reported(verb, shown, tasks))
        return self.closed(closed) if closed else self._no_match(shown, near)

    def described(self, words: str) -> TaskDescription:
        """Read a description of tasks into conditions and names."""
        words = self._with_groups(_FILLERS.sub(" ", f" {words} ").strip())
        asked, names = read_description(words, self.dates), self._group_names()
        # A project or tag may be called as a day is: `what's left for xmas?`
        conditions = (
            names.get(each.removeprefix("due:").casefold(), each) for each in asked.conditions
        )
        return replace(asked, conditions=tuple(conditions))

    def _group_names(self) -> dict[str, str]:
        """Return the projects and tags as a filter names them, by their folded names."""
        names = {name.casefold(): f"@{name}" for name in self.index.tags()}
        return names | {name.casefold(): f"#{name}" for name in self.index.projects()}

    def _with_groups(self, words: str) -> str:
        """Return `all @chores` for `all chores`, where a tag has that name."""
        if not _KINDS.search(words):
            return words
        names = self._group_names()
        marked = _KINDS.sub(lambda match: names.get(match[0].casefold(), match[0]), words)
        # `chores and work` are the tasks of either.
        return _JOINED.sub(lambda match: _either(match, names), marked)

    def filter_of(self, asked: TaskDescription) -> str:
        """Return the filter that finds what a description means."""
        parts = []
        for condition in asked.conditions:
            named = _PROJECT.fullmatch(condition)
            projects = self.index.projects() if named else ()
            parts.append(_with_subprojects(named[1], projects) if named else condition)
        for name in (asked.group, asked.rest):
            if name:
                either = re.split(r"\s+or\s+", self.quoted.shown(name))
                if self._group_names().keys() >= {each.casefold() for each in name.split()}:
                    # `work and travel`
                    either = name.split()
                projects, tags = self.index.projects(), self.index.tags()
                each = [_group_filter(word, projects, tags) for word in either]
                parts.append(f"({' or '.join(each)})" if len(each) > 1 else each[0])
        if asked.search:
            parts.append(_search(self.quoted.shown(asked.search)))
        for spared in parts_of(asked.except_for) if asked.except_for else ():
            kind = self.described(spared)
            if kind.conditions and not (kind.rest or kind.group or kind.search):
                parts += [f"not ({condition})" for condition in kind.conditions]
                continue
            resolved = self.resolve(spared)
            if not isinstance(resolved, FoundTasks):
                return ""
            parts += [f"not #{task.id}" for task in resolved.tasks]
        return " ".join(filter(None, (*parts, asked.order)))

    def _by_ids(self, ids: Sequence[int]) -> Resolved:
        wanted = " or ".join(f"#{number}" for number in ids)
        outcome = self.list(wanted)
        tasks = {task.id: task for task in outcome.tasks}
        if missing := [number for number in ids if number not in tasks]:
            trashed = self.list(f"trash ({wanted})")
            tasks |= {task.id: task for task in trashed.tasks}
            missing = [number for number in missing if number not in tasks]
        if missing:
            return Problem(replies.no_number(missing))
        return FoundTasks(tuple(tasks[number] for number in ids))

    def _by_place(self, places: Sequence[int]) -> Resolved:
        # Those that were named together, else a few that were written one after the other
        recent = self.recent if len(self.recent) < _MAX_RECENT else ()
        named = (each for each in (self.focus, self.shown, recent) if len(each) > 1)
        tasks = next(named, self.focus)
        count = len(tasks)
        chosen = tuple(tasks[place] for place in places if -count <= place < count)
        return FoundTasks(chosen) if len(chosen) == len(places) else Problem(replies.WHICH_TASK)

    def _by_pointing(self, pointing: ByPointing) -> Resolved:
        tasks = self.selection if pointing.selected and self.selection else self.focus
        counts = {_COUNTS[word] for word in pointing.words.lower().split() if word in _COUNTS}
        if counts and len(tasks) < max(counts) <= len(self.recent):
            # `both of those`, added one after the other
            tasks = self.recent[-max(counts) :]
        is_all = pointing.many and not pointing.selected and _EACH.search(pointing.words)
        if is_all and len(tasks) < 2 <= len(self.shown):
            # `all of them` after a question about the first of several
            tasks = self.list_ids(task.id for task in self.shown).tasks
            return FoundTasks(tasks, is_bulk=True, is_everything=True)
        if not tasks or (pointing.many and counts - {len(tasks)}):
            return Problem(replies.WHICH_TASK)
        return FoundTasks(tasks) if pointing.many else self._one_of(pointing.words, tasks)

    def _by_subtree(self, root: str, scope: str, *, with_root: bool) -> Resolved:
        resolved = self.resolve(root, scope)
        if not isinstance(resolved, FoundTasks):
            return resolved
        tasks: list[ShownTask] = list(resolved.tasks) if with_root else []
        for task in resolved.tasks:
            below = self.list(f"under:{task.id}")
            tasks += [each for each in below.tasks if each not in tasks]
        if not tasks:
            return Problem(replies.no_subtasks(resolved.tasks))
        return FoundTasks(tuple(tasks), is_bulk=True, roots=resolved.tasks if with_root else ())

    def _by_kind(self, words: str, description: str, scope: str) -> Resolved:
        """All tasks of a description; every word of it must be a condition, a group or a word."""
        description = re.sub(
            r"^(?:that(?:'s| is| are)?|of|the|my|which (?:is|are)) ", "", description
        )
        bare = re.sub(
            r"^(?:everything|anything|all)(?: (?:the )?tasks)? (?:that is )?", "", description
        )
        if match := _UNDER.fullmatch(bare):
            subtree = self._by_subtree(match["root"], scope, with_root=False)
            if isinstance(subtree, FoundTasks):
                return subtree
        asked = self.described(description)
        if len(asked.rest.split()) > 1 or len(asked.group.split()) > 1:
            return self._by_name(words, scope)
        filter_words = self.filter_of(asked)
        if asked.except_for and not filter_words:
            return self._no_match(self.quoted.shown(words))
        base = filter_words if asked.sets_scope else f"{scope} {filter_words}".strip()
        outcome = self.list(base)
        if outcome.error:
            return Problem(replies.escaped(outcome.error))
        if not outcome.tasks:
            if both := _set(words, self.pool(words, scope), self.dates):
                return FoundTasks(both, is_bulk=True)
            # The words were read: nothing else can be meant by them.
            return replace(self._no_match(self.quoted.shown(words)), is_unread=bool(asked.rest))
        if not outcome.is_whole:
            more = base or "open"
            return FoundTasks(
                outcome.tasks, outcome.total, more, is_bulk=True, is_everything=asked.is_plain
            )
        tasks = self._with_words(asked, outcome.tasks)
        if not tasks:
            return self._no_match(self.quoted.shown(words))
        return FoundTasks(tasks, is_bulk=True, is_everything=asked.is_plain)

    def _with_words(
        self, asked: TaskDescription, tasks: Sequence[ShownTask]
    ) -> tuple[ShownTask, ...]:
        """Return the tasks that have what was searched for as words: no `scarf` for `car`."""
        filter_words = self.filter_of(replace(asked, except_for=""))
        wanted = [set(stems(each)) for each in _SEARCHED.findall(filter_words)]
        suffices = any if " or " in filter_words else all
        return tuple(
            task
            for task in tasks
            if not wanted
            or suffices(
                map({*stems(" ".join((task.title, task.project, *task.tags)))}.issuperset, wanted)
            )
        )

    def _by_name(self, name: str, scope: str) -> Resolved:
        """The task that a title, words of it, or a project or tag with a plural noun mean."""
        shown = self.quoted.shown(name).strip(" ,.;:!?")
        if _LAST_DELETED.fullmatch(shown):
            trash = self.list("trash sort:updated-").tasks
            roots = [task for task in trash if task.parent not in {each.id for each in trash}]
            return FoundTasks(tuple(roots[:1])) if roots else self._no_match(shown)
        scopes = (scope, "all") if scope == "" else (scope, "trash", "done", "all")
        parts = parts_of(name)
        # Of `@chores and yoga` the one word means a group.
        is_whole = len(parts) < 2 or not _MARKED.search(name)
        for each in dict.fromkeys(scopes):
            pool = self.pool(shown, each)
            if is_whole and (found := find_strictly(shown, pool)):
                return self._decide(name, found)
            if is_whole and (found := _with_date(shown, pool, self.dates)):
                return self._decide(name, found)
            if group := _group(shown, pool) or (_set(shown, pool, self.dates) if is_whole else ()):
                return FoundTasks(group, is_bulk=True)
            if len(parts) > 1:
                if any(_tells(part, pool) for part in parts):
                    break
                found_all = _each_of(parts, partial(self.resolve, scope=each))
                is_choice = _OR.search(name) and isinstance(found_all, FoundTasks)
                return self._which(name, found_all.tasks) if is_choice else found_all
        if not scope and (closed := self._closed(lambda tasks: find_strictly(shown, tasks))):
            return self.closed(closed)
        pool = self.pool(shown, "")
        near = mentioned(tokens(shown), pool)[0] or mentioned(tokens(shown), pool, by_verb=True)[0]
        if kinds := KINDS.intersection(tokens(shown)):
            # A `staff meeting` is no *Write staff rota*.
            near = tuple(task for task in near if _has_time(task) or kinds & {*tokens(task.title)})
        return self._no_match(shown, near[:2], self.quoted.shown(name))

    def _decide(self, words: str, found: tuple[ShownTask, ...]) -> Resolved:
        """One task, all where a plural asks for them, or a question."""
        if len(found) > 1 and _PLURAL.search(words):
            return FoundTasks(found, is_bulk=True)
        return self._one_of(words, found)

    def _one_of(self, words: str, found: tuple[ShownTask, ...]) -> Resolved:
        return FoundTasks(found) if len(found) == 1 else self._which(words, found)

    def _which(self, words: str, tasks: tuple[ShownTask, ...]) -> Problem:
        question = self.question("which", self.quoted.shown(words), tasks)
        return Problem(replies.which(tasks), tasks, question)

    def _no_match(self, words: str, near: tuple[ShownTask, ...] = (), said: str = "") -> Problem:
        question = self.question("near", said or words, near) if near else None
        return Problem(replies.no_match(words, near), near, question, is_unread=True)

    def _closed(
        self, find: Callable[[Sequence[ShownTask]], tuple[ShownTask, ...]]
    ) -> tuple[ShownTask, ...]:
        """Return the tasks that words name among those that are closed, else in the trash."""
        scopes = ("done sort:done-", "cancelled", "trash sort:updated-")
        found = (find(self.list(each, _MAX_IN_POOL).tasks) for each in scopes)
        return next(filter(None, found), ())[:1]

    def closed(self, tasks: tuple[ShownTask, ...]) -> Problem:
        """Return that tasks are closed already, or in the trash."""
        return Problem(replies.closed_already(tasks, self.dates.now), tasks, is_unread=True)

    def pool(self, words: str, scope: str = "") -> tuple[ShownTask, ...]:
        """The tasks of a scope among which words may be found; by words if there are many."""
        outcome = self.list(scope, _MAX_IN_POOL)
        if outcome.is_whole:
            return outcome.tasks
        phrase = self.list(f"{scope} {_search(bare(words))}".strip())
        if phrase.tasks:
            return phrase.tasks
        found = {task.id: task for task in outcome.tasks}
        telling = [word for word in content(words) if len(word) > 1] or list(tokens(words))
        for size in (None, _PREFIX):
            parts = [f'"{word[:size]}"' for word in telling[:_MAX_WORDS]]
            for joint in (" ", " or "):
                more = self.list(f"{scope} ({joint.join(parts)})".strip())
                found |= {task.id: task for task in more.tasks}
                if more.tasks:
                    return tuple(found.values())
        return tuple(found.values())


def _has_time(task: ShownTask) -> bool:
    return bool(task.due and task.due.at)


def _tells(part: str, tasks: Sequence[ShownTask]) -> bool:
    """Return True for `called the landlord` and `invoice sent`, unless a title has that word."""
    words = tokens(part)
    told = [word for word in (words[:1] + words[-1:]) if is_past(word) and base_form(word) != word]
    return any(not any(word in tokens(task.title) for task in tasks) for word in told)


def _either(match: re.Match[str], names: Mapping[str, str]) -> str:
    """Return `@chores or #work` for `@chores and work`, if both are names of groups."""
    both = [names.get(each.casefold().lstrip("@#"), "") for each in match.groups() if each]
    return " or ".join(both) if all(both) else match[0]


def _is_in(project: str, name: str) -> bool:
    return project == name or project.startswith(f"{name}.") or project.endswith(f".{name}")


def _search(words: str) -> str:
    plain = words.replace('"', " ").strip()
    return f'"{plain}"'


def _with_subprojects(name: str, projects: Sequence[str]) -> str:
    """Return the filter of a project, by its last part too: `backend` of `app.backend`."""
    below = [each for each in projects if each.casefold().endswith(f".{name.casefold()}")]
    either = " or ".join(f"#{each}" for each in (name, *below))
    return f"({either})" if below else either


def _group_filter(word: str, projects: Sequence[str], tags: Sequence[str]) -> str:
    """Return the filter of a word for a group: its project and tag, else what has the word.

    `calls` are what has *call*. A word that names a group means no task that only has it in its
    title.
    """
    bare = _SOME.sub("", word.strip()).lstrip("#@")
    single = re.sub(r"(?<=\w{3}[^s\W])s$", "", bare)
    names = _spellings(bare.casefold().replace(" ", "-"))
    groups = [f"#{each}" for each in projects if any(_is_in(each.casefold(), n) for n in names)]
    groups += [f"@{each}" for each in tags if each.casefold() in names]
    either = " or ".join(groups or [_search(single)])
    return f"({either})" if len(groups) > 1 else either


def _spellings(name: str) -> set[str]:
    """Return the names that a project or tag so called may have."""
    return {name, name.replace("-", "."), name.removesuffix("s"), f"{name}s"}


def _each_of(parts: Sequence[str], find: Callable[[str], Resolved]) -> Resolved:
    """Find each part, as of `milk and plants`; one that fails makes the whole fail."""
    tasks: dict[int, ShownTask] = {}
    for part in parts:
        resolved = find(part)
        if not isinstance(resolved, FoundTasks):
            return resolved
        tasks |= {task.id: task for task in resolved.tasks}
    return FoundTasks(tuple(tasks.values()))


def _with_date(words: str, pool: Sequence[ShownTask], dates: Dates) -> tuple[ShownTask, ...]:
    """`yoga tomorrow`, `tomorrow's yoga`: the task of that name due in those days."""
    parts = words.split()
    for cut in range(1, len(parts)):
        for name, days in ((parts[:cut], parts[cut:]), (parts[cut:], parts[:cut])):
            due = re.sub(r"^(?:on|for|due|in|by|the) |'s$", "", " ".join(days))
            if not (stretch := dates.stretch(due)):
                continue
            fits = tuple(
                task
                for task in find_strictly(_SOME.sub("", " ".join(name)), pool)
                if task.due and stretch.first <= task.due.day <= stretch.last
            )
            if fits:
                return fits
    return ()


def _set(words: str, pool: Sequence[ShownTask], dates: Dates) -> tuple[ShownTask, ...]:
    """Return the tasks that all words name together: `both calls`."""
    low = words.casefold().split()
    named = named_set(low, pool, dates)
    others = {word for at, word in enumerate(low) if named and at not in named.places}
    return named.tasks if named and others <= ARTICLES else ()


def _group(words: str, pool: Sequence[ShownTask]) -> tuple[ShownTask, ...]:
    """The tasks of the project (subprojects included) or tag of that name."""
    bare = _KIND.sub("", _SOME.sub("", words)).strip().lstrip("#@").casefold().replace(" ", "-")
    names = _spellings(bare)
    return tuple(
        task
        for task in pool
        if names & {tag.casefold() for tag in task.tags}
        or any(_is_in(task.project.casefold(), name) for name in names if task.project)
    )
