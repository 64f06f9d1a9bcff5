"""Intents: what one clause asks for, as values, before anything is looked up."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from todo_tui.providers.offline.toolwork import Seen


class Deed(StrEnum):
    """What can be done to tasks that exist."""

    COMPLETE = "complete"
    CALL_OFF = "cancelled"
    """Close it as what will not be done."""
    REOPEN = "reopen"
    DELETE = "delete"
    RENAME = "rename"
    DUE = "due"
    """Set the due date; the value is in words, `none` clears it."""
    ALL_DAY = "all day"
    """Take the hour off the due date."""
    SHIFT = "shift"
    """Move the due date by a span; the value is `1 week later`."""
    START = "start"
    """Hide until a day."""
    PRIORITY = "priority"
    """The value is high, medium, low, none, raise or lower."""
    TAG = "tag"
    UNTAG = "untag"
    FILE = "file"
    """Put into a project; the value is its name, `none` takes it out."""
    UNFILE = "unfile"
    """Take out of the group that the value names: a project or a tag."""
    NOTE = "note"
    REPEAT = "repeat"
    BEGIN = "begin"
    NEST = "nest"
    """Make part of the task that the value names; `none` takes it out."""
    BLOCK = "block"
    """Let wait for the tasks that the value names."""
    UNBLOCK = "unblock"
    """Let wait no more for the tasks that the value names, or for any: `*`."""
    PLACE = "place"
    """Put elsewhere in the manual order: `before …`, `after …`, `top`, `bottom`."""
    CANCEL = "cancel"
    """Skip the date of what repeats, delete what does not; the value is as for a skip."""
    SKIP = "skip"
    """Go on to the next date; with `missed` past all that have gone by, or `3 times`, or
    `until friday`."""
    ENDING = "ending"
    """Let the series end: `until friday`, or after so many times more."""
    REMARK = "remark"
    """Add a dated remark."""


@dataclass(frozen=True, slots=True)
class Act:
    """Do something to the tasks that `ref` names, in the person's words."""

    deed: Deed
    ref: str
    value: str = ""
    otherwise: str = ""
    """What to add to the list where no task fits: `schedule a haircut for friday`."""
    ask: bool = False
    """Whether to ask first, because it was said in a roundabout way."""
    other: tuple[Seen, ...] = ()
    """The tasks at the other end, once the value is looked up."""


@dataclass(frozen=True, slots=True)
class Move:
    """`move X to Y`, where Y is no date: a project, which may be new if `sure`."""

    ref: str
    place: str
    sure: bool = False


@dataclass(frozen=True, slots=True)
class Claim:
    """A deed reported in the past tense; `verb` is its base form.

    `others` when somebody else did it; `undone` when it was said not to have happened.
    """

    verb: str
    object: str
    text: str
    others: bool = False
    undone: bool = False


@dataclass(frozen=True, slots=True)
class Add:
    """Put the items of `text` on the list; `extra` holds attributes for all of them."""

    text: str
    extra: str = ""
    parent: str = ""
    """The task that the items are to be part of, in the person's words."""
    listed: bool = False
    """Whether the text is surely a list: each comma and each “and” parts two items."""


@dataclass(frozen=True, slots=True)
class Offer:
    """It sounds like a task, but nobody said to add it: ask.

    `intended` when the speaker means to do it; with a date it need not be asked.
    """

    text: str
    intended: bool = False


class Shape(StrEnum):
    """The form of an answer about many tasks."""

    LIST = "list"
    COUNT = "count"
    SEARCH = "search"
    FIRST = "first"
    """Only the one that stands first."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A question about many tasks; `what` is their description in the person's words."""

    shape: Shape
    what: str
    raw: str = ""
    """A filter that was given as such."""
    show: bool = False
    """Whether the list beside the chat shall show it."""


@dataclass(frozen=True, slots=True)
class Groups:
    """Which `projects` or `tags` there are."""

    kind: str


@dataclass(frozen=True, slots=True)
class Show:
    """A question about one task."""

    ref: str
    aspect: str = ""


class LinkSide(StrEnum):
    """Which of the tasks around another one a question is about."""

    BLOCKERS = "blockers"
    WAITING = "waiting"
    BELOW = "below"


@dataclass(frozen=True, slots=True)
class Links:
    """A question about the tasks that hang together with one."""

    ref: str
    side: LinkSide
    doubtful: bool = False
    """Whether it may be no question about tasks: `what is under the bed?`."""


@dataclass(frozen=True, slots=True)
class Why:
    """Why a task presses as it does; with `other`, which of the two presses more."""

    ref: str
    other: str = ""


@dataclass(frozen=True, slots=True)
class Swap:
    """Let two tasks trade places, or their `dates`; `ref` names both where `other` is empty."""

    ref: str
    other: str = ""
    dates: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """Move a task so many lines down in the manual order, or up where they are negative."""

    ref: str
    lines: int


@dataclass(frozen=True, slots=True)
class Regroup:
    """Call the project `old` by the name `new`; only where there are both, if not `sure`."""

    old: str
    new: str
    sure: bool = False
    tag: bool = False
    """Whether they are tags."""


@dataclass(frozen=True, slots=True)
class RestoreLast:
    """Take out of the trash what went there last."""


@dataclass(frozen=True, slots=True)
class WhatNext:
    """What to do first."""


@dataclass(frozen=True, slots=True)
class StepBack:
    """Undo (or redo) some batches."""

    times: int = 1
    redo: bool = False


@dataclass(frozen=True, slots=True)
class TellTime:
    """The date or the time of day; `day` is a day that was asked about."""

    day: str = ""


@dataclass(frozen=True, slots=True)
class Help:
    """What can be done, or how; `topic` is what was asked about."""

    topic: str = ""


@dataclass(frozen=True, slots=True)
class Talk:
    """Small talk; `kind` is a key of the replies."""

    kind: str


@dataclass(frozen=True, slots=True)
class Leave:
    """Something that shall not be done."""

    ref: str = ""


@dataclass(frozen=True, slots=True)
class Incomplete:
    """A command that lacks a part; the answer to `question` goes into `template`."""

    question: str
    template: str
    """The command with `{}` where the part goes."""
    ref: str = ""
    """What it is done to; where no task fits, it was no command but perhaps a task."""


@dataclass(frozen=True, slots=True)
class BadDate:
    """A date that could not be understood."""

    words: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """Anything else."""

    text: str


Change = Act | Move | Claim | Add | Offer | Incomplete | BadDate | RestoreLast
"""What may write."""

Enquiry = Ask | Groups | Show | WhatNext | TellTime | Links | Why
"""What only reads."""

Intent = Change | Enquiry | Swap | Step | Regroup | StepBack | Help | Talk | Leave | Unknown
