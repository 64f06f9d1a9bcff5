"""What is said after a deed, of the tasks as they are now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from todo_tui.providers.offline import replies
from todo_tui.providers.offline.toolwork import Item, Seen


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a deed: the tasks as they are now, with the tool's word on each."""

    tasks: Sequence[Seen]
    items: Sequence[Item]
    value: str
    now: datetime
    """The present moment, as a local time."""
    other: Sequence[Seen] = ()
    along: int = 0
    """How many subtasks went along."""
    count: int = 0
    """How many tasks it was done to, where not all of them are told."""

    @property
    def who(self) -> str:
        """The tasks by name, or how many they are."""
        if max(len(self.tasks), self.count) > replies.MOST_NAMED:
            return replies.tasks_word(self.count or len(self.tasks))
        return replies.names(self.tasks)

    @property
    def family(self) -> str:
        """Those subtasks in words, empty where there are none."""
        if not self.along:
            return ""
        whose = "its" if len(self.tasks) == 1 else "their"
        return f" with {whose} {self.along:,} subtask{'' if self.along == 1 else 's'}"

    @property
    def are(self) -> str:
        """`is` of one task, `are` of more."""
        return "is" if len(self.tasks) == 1 else "are"

    @property
    def have(self) -> str:
        """`has` of one task, `have` of more."""
        return "has" if len(self.tasks) == 1 else "have"


def completed_told(done: Done) -> str:
    """What is done, what comes round again and what is free now."""
    nexts = [item.next for item in done.items if item.next and item.next.due_words]
    again = "".join(f" {replies.name(each)} comes round again {each.due_words}." for each in nexts)
    free = [task for item in done.items for task in item.unblocked]
    if free:
        again += f" Nothing blocks {replies.names(free[: replies.MOST_NAMED])} any more."
    return f"Done: {done.who}{done.family}.{again}"


def deleted_told(done: Done) -> str:
    """What went into the trash, and how it comes back."""
    them = "it" if len(done.tasks) == 1 and not done.along else "them"
    return f"Deleted {done.who}{done.family}. “Undo that” brings {them} back."


def due_told(done: Done) -> str:
    """When the tasks are due now."""
    first = done.tasks[0]
    if len({task.due_words for task in done.tasks}) > 1:
        return f"Moved {done.who}:\n\n{replies.lines(done.tasks)}"
    if not first.due_words:
        return f"{done.who} {done.have} no due date any more."
    late = f" ({first.overdue})" if first.overdue else ""
    return f"{done.who} {done.are} now due {first.due_words}{late}."


def weighed_told(done: Done) -> str:
    """Which priority they have now."""
    if len({task.priority for task in done.tasks}) > 1:
        return f"Changed the priority of {done.who}."
    return f"{done.who} {done.have} {done.tasks[0].priority or 'no'} priority now."


def tagged_told(done: Done) -> str:
    """Which tags they were given."""
    return f"{done.who} {done.are} tagged {done.value.replace(',', ', ')} now."


def started_told(done: Done) -> str:
    """Until when they are hidden."""
    if done.value == "none":
        return f"{done.who} {done.are} hidden no more."
    return f"{done.who} {done.are} hidden until {done.value}."


def filed_told(done: Done) -> str:
    """In which project they are now."""
    if done.value == "none":
        return f"{done.who} {done.are} in no project any more."
    return f"{done.who} {done.are} in project {done.value.lstrip('#')} now."


def noted_told(done: Done) -> str:
    """What was noted."""
    if not done.value:
        return f"{done.who} {done.have} no notes any more."
    return f"Noted on {done.who}: {done.value}"


def nested_told(done: Done) -> str:
    """What they are part of now."""
    if not done.other:
        return f"{done.who} {done.are} part of no other task any more."
    return f"{done.who} {done.are} part of {replies.numbered(done.other[0])} now."


def blocked_told(done: Done) -> str:
    """What they wait for now."""
    waits = "waits" if len(done.tasks) == 1 else "wait"
    return f"{done.who} {waits} for {replies.names(done.other, ids=True)} now."


def unblocked_told(done: Done) -> str:
    """What they still wait for."""
    left = sorted({each for task in done.tasks for each in task.blocked_by})
    if left:
        waits = "waits" if len(done.tasks) == 1 else "wait"
        return f"{done.who} still {waits} for {', '.join(f'#{each}' for each in left)} only."
    return f"{done.who} {'waits' if len(done.tasks) == 1 else 'wait'} for nothing any more."


def placed_told(done: Done) -> str:
    """Where they stand in the manual order."""
    if done.other:
        word = done.value.split(" ", 1)[0].casefold()
        return f"{done.who} {done.are} right {word} {replies.name(done.other[0])} now."
    end = "top" if done.value == "top" else "bottom"
    dated = any(task.due for task in done.tasks)
    but = " Where tasks have dates, the list still goes by those." if dated else ""
    return f"{done.who} {done.are} at the {end} of the manual order now.{but}"


def skipped_told(done: Done) -> str:
    """How far was skipped, and the date that comes."""
    extent = "" if done.value == "missed" else f" {done.value.replace('until in ', 'for ')}"
    return "\n\n".join(
        f"Skipped{extent.rstrip()}: {replies.name(task)} is now due {task.due_words}."
        for task in done.tasks
    )


def repeat_told(done: Done) -> str:
    """How they repeat now, with the dates to come."""
    first = done.tasks[0]
    one = len(done.tasks) == 1
    if not first.repeat_words:
        return f"{done.who} {'does' if one else 'do'} not repeat any more."
    following = f", next {first.due_words}" if first.due_words else ""
    if first.next_dates:
        following += f", then {replies.days(first.next_dates[:2], done.now)}"
    return f"{done.who} {'repeats' if one else 'repeat'} {first.repeat_words}{following}."
