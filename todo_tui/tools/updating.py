"""The tool that changes tasks: their fields, where they stand, how they go on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from todo_tui.domain.errors import OpenSubtasks, ValidationError
from todo_tui.domain.task import Annotation, Status, Task
from todo_tui.tools import summaries
from todo_tui.tools.base import Answer, ToolContext, tool
from todo_tui.tools.choosing import Chosen, choose
from todo_tui.tools.closing import children_of, subtasks_question
from todo_tui.tools.given import GivenFields, read_fields
from todo_tui.tools.items import Done, Outcome, answer
from todo_tui.tools.parameters import (
    Blockers,
    Guard,
    Ids,
    MoreIds,
    Names,
    NewDue,
    NewParent,
    NewRepeat,
    Notes,
    Position,
    Remark,
    State,
    Subtasks,
    Those,
    Weight,
    Words,
)
from todo_tui.tools.placing import read_place
from todo_tui.tools.skipping import is_skip, skip
from todo_tui.tools.task_data import tasks_data


@tool("Changing tasks…")
def update_task(
    context: ToolContext,
    task_ids: Ids = None,
    title: Guard = None,
    filter: Those = None,  # the name that models know
    new_title: Words = None,
    due: NewDue = None,
    start: Words = None,
    priority: Weight = None,
    project: Words = None,
    add_tags: Names = None,
    remove_tags: Names = None,
    notes: Notes = None,
    annotation: Remark = None,
    repeat: NewRepeat = None,
    status: State = None,
    subtasks: Subtasks = None,
    parent: NewParent = None,
    add_blockers: Blockers = None,
    remove_blockers: MoreIds = None,
    position: Position = None,
) -> Answer:
    """Change tasks. What is not given stays; "none" clears."""
    words = {
        "due": due,
        "start": start,
        "repeat": repeat,
        "priority": priority,
        "project": project,
        "notes": notes,
    }
    links = Links(
        tuple(add_tags or ()),
        tuple(remove_tags or ()),
        tuple(add_blockers or ()),
        tuple(remove_blockers or ()),
    )
    wish = Wish(
        words,
        links,
        (new_title or "").strip(),
        status,
        parent,
        (annotation or "").strip(),
        (position or "").strip(),
    )
    wish.check()
    return _granted(context, choose(context, task_ids, filter, title), wish, subtasks)


@dataclass(frozen=True, slots=True)
class Links:
    """What is added to tasks and taken from them: tags, and the tasks that they wait for."""

    add_tags: tuple[str, ...] = ()
    remove_tags: tuple[str, ...] = ()
    add_blockers: tuple[int, ...] = ()
    remove_blockers: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return any((self.add_tags, self.remove_tags, self.add_blockers, self.remove_blockers))


@dataclass(frozen=True, slots=True)
class Wish:
    """What shall become of tasks; `words` are those of the fields that are read by code."""

    words: dict[str, str | None] = field(default_factory=dict)
    links: Links = Links()
    renames: str = ""
    status: str | None = None
    parent: int | None = None
    annotation: str = ""
    position: str = ""

    def check(self) -> None:
        """Make sure that something is wanted.

        Raises:
            ValidationError: nothing is.
        """
        if not (self._sets or self._told):
            raise ValidationError("Nothing to change was given.")

    @property
    def _told(self) -> list[str]:
        return [name for name, said in self.words.items() if said is not None]

    @property
    def _sets(self) -> bool:
        given = (self.renames, self.status, self.links, self.annotation, self.position)
        return any(given) or self.parent is not None

    @property
    def only_repeats(self) -> bool:
        """Whether nothing but the repeat is spoken of."""
        return self._told == ["repeat"] and not self._sets

    def fields_of(self, context: ToolContext, task: Task) -> GivenFields:
        """The fields to set of one task.

        Raises:
            ValidationError: names the words that were not understood.
        """
        given = GivenFields(context.now, context.style, task)
        read_fields(given, **self.words)
        if self.renames:
            given.fields["title"] = self.renames
        if self.status:
            given.fields["status"] = Status(self.status)
        if self.parent is not None:
            given.fields["parent"] = self.parent or None
        if self.annotation:
            remark = Annotation(context.store.clock.utc(), self.annotation)
            given.fields["annotations"] = (*task.annotations, remark)
        return given


def _granted(context: ToolContext, chosen: Chosen, wish: Wish, subtasks: str | None) -> Answer:
    if wish.renames and len(chosen.ids) > 1:
        raise ValidationError("new_title is for one task; call once for each.")
    repeat = wish.words.get("repeat")
    if repeat is not None and is_skip(repeat):
        if not wish.only_repeats:
            raise ValidationError("Skip in a call of its own; nothing was done.")
        return skip(context, chosen, repeat)
    try:
        return _changed(context, chosen, wish, subtasks)
    except OpenSubtasks as question:
        return subtasks_question(question)


Plan = tuple[Task, GivenFields]
"""A task as it is, and what is to be set of it."""


def _changed(context: ToolContext, chosen: Chosen, wish: Wish, subtasks: str | None) -> Answer:
    plans = [(task, wish.fields_of(context, task)) for task in chosen.tasks]
    place = None
    if wish.position and chosen.tasks:
        place = read_place(context, wish.position, chosen.tasks)
    _write(context, plans, wish.links, subtasks)
    if place is not None and any(place):
        context.store.tasks.move(
            [task.id for task in chosen.tasks],
            by=context.batch.gesture(),
            before=place.before,
            after=place.after,
        )
    outcomes: dict[int, Outcome] = dict(chosen.errors)
    after = context.store.tasks.rows([task.id for task, _ in plans])
    described = tasks_data(context, after)
    for (before, given), task, data in zip(plans, after, described, strict=True):
        phrase = summaries.changed(before, task, context.now)
        outcomes[task.id] = Done({"task": data, **given.understood()}, phrase)
    return answer(chosen, outcomes, summaries.all_changed)


def _write(context: ToolContext, plans: Sequence[Plan], links: Links, subtasks: str | None) -> None:
    """Write what is planned, in one transaction for all that become alike."""
    alike: list[list[Plan]] = []
    for plan in plans:
        group = next((each for each in alike if each[0][1].fields == plan[1].fields), None)
        if group is None:
            alike.append([plan])
        else:
            group.append(plan)
    for group in alike:
        fields = group[0][1].fields
        if not (fields or links):
            continue
        context.store.tasks.update(
            [task.id for task, _ in group],
            fields,
            by=context.batch.gesture(),
            add_tags=links.add_tags,
            remove_tags=links.remove_tags,
            add_blockers=links.add_blockers,
            remove_blockers=links.remove_blockers,
            children=children_of(subtasks),
        )
