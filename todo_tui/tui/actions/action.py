"""Action: one row of a table, with its key bindings and how it is performed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from enum import Enum, auto
from functools import cache, partial
from inspect import isawaitable
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

from textual.actions import SkipAction
from textual.binding import Binding, BindingType
from textual.dom import DOMNode

from todo_tui.tui.background import run_in_background
from todo_tui.tui.errors import shows_errors

if TYPE_CHECKING:
    from textual.binding import ActiveBinding

    _Node = DOMNode
else:
    # Textual takes the style of a class from its first base that is a node.
    _Node = object

Owner = TypeVar("Owner", bound="ActionHost", contravariant=True)
"""Class whose table has the row, and which performs it."""
NOT_NOW = "Not available right now."
REASON_SECONDS = 3
"""Time that the reason why an action did nothing is shown."""
UNBOUND = "unbound"
"""Key of the bindings of actions without one, as Textual remaps bindings; no terminal sends it."""


class ArgumentKind(Enum):
    """What completes the argument of a slash command."""

    MODEL = auto()
    PROVIDER = auto()
    PATH = auto()
    CODE = auto()
    MESSAGE = auto()
    """The number of a message."""
    CHANGING_MESSAGE = auto()
    """The number of a message whose answer changed tasks."""


@dataclass(frozen=True, slots=True)
class Need(Generic[Owner]):
    """Condition without which an action does nothing, and the reason to show then."""

    is_met: Callable[[Owner], bool]
    reason: str = NOT_NOW
    """Keys in it are written `{chat.stop}`."""


@dataclass(frozen=True, slots=True)
class Slash(Generic[Owner]):
    """Slash command of an action."""

    name: str
    argument: str = ""
    """What can follow, as shown in help; empty: nothing."""
    run: Callable[[Owner, str], object] | None = None
    """Performs the action with what was typed behind the command; None: like the key."""
    _: KW_ONLY
    needs: tuple[Need[Owner], ...] | None = None
    """What the command needs, if that is less than its key does; None: the same."""
    rank: int = 9
    """Commands of a lower rank are listed first; of one rank in the order of the tables."""
    summary: str = ""
    """Label in the list of commands; empty: that of the action."""
    completes: ArgumentKind | None = None
    answers_card: bool = False
    """True if the command is offered only while an approval card is open."""


@dataclass(frozen=True, slots=True)
class Action(Generic[Owner]):
    """Action of the app; `run` is called with the object whose table has the row.

    Rows with the same `id` are one action for the user, who sees one label and all their keys.
    """

    id: str
    """Name in `[keys]`: the place where the key works, and the action there."""
    label: str
    keys: str
    """Default keys in Textual's names, with commas between; empty: none."""
    run: Callable[[Owner], object]
    _: KW_ONLY
    hint: str = ""
    """Short label beside the key in the key bar or a line of hints; empty: not shown there."""
    hint_now: Callable[[Owner], str] | None = None
    """Label in the key bar where it depends on the state, in place of `hint`."""
    hint_rank: int = 0
    """Actions of a lower rank are named first; those of a higher one are left out first."""
    needs: tuple[Need[Owner], ...] = ()
    """Without one of these the key is left to others, and the palette says why."""
    explains: bool = False
    """True if its key says why it does nothing too; the reasons then name no keys."""
    words: str = ""
    """Other words under which the palette finds it."""
    slash: Slash[Owner] | None = None
    section: str = ""
    """Heading in the help; empty: that of the place."""
    in_palette: bool = True
    acts_on_task: bool = False
    """True if it acts on the selected tasks, or the one under the cursor."""
    applies: Callable[[Owner], bool] | None = None
    """False: the palette shows it as unavailable, the key bar leaves it out; its key says why."""
    priority: bool = False
    """True if its key works even where a focused input uses that."""
    key_display: str | None = None
    worker: str = ""
    """Group of the worker that runs it, as what writes or waits does; empty: none."""
    is_exclusive: bool = False
    """True if it cancels the workers of its group that still run."""

    @property
    def place(self) -> str:
        """Place in which the key works: the part of the id before the dot."""
        return self.id.partition(".")[0]

    def why_not(self, owner: Owner) -> str:
        """Return why the action does nothing now; empty if it does something."""
        return _why_not(self.needs, owner)

    def why_no_command(self, owner: Owner) -> str:
        """Return why its slash command, or the palette, does nothing now."""
        needs = self.slash.needs if self.slash is not None else None
        return _why_not(self.needs if needs is None else needs, owner)

    async def perform(self, owner: Owner) -> None:
        """Run the action as its key does."""
        await self._call(owner, partial(self.run, owner))

    async def perform_command(self, owner: Owner, argument: str = "") -> str:
        """Run the action by its slash command or from the palette; return why not, if not."""
        if reason := self.why_no_command(owner):
            return reason
        run = self.slash.run if self.slash is not None else None
        try:
            command = partial(self.run, owner) if run is None else partial(run, owner, argument)
            await self._call(owner, command)
        except SkipAction:
            return NOT_NOW
        return ""

    async def _call(self, owner: Owner, function: Callable[[], object]) -> None:
        """Call a function of the row and wait for its result, unless a worker does."""
        if not self.worker:
            await _finish(function)
        else:
            run = partial(owner.finish, function)
            run_in_background(owner, run, group=self.worker, exclusive=self.is_exclusive)


@dataclass(frozen=True, slots=True)
class KeyAction(Action[Owner]):
    """Action that only its key performs: the palette does not list it."""

    in_palette: bool = False


def _why_not(needs: tuple[Need[Owner], ...], owner: Owner) -> str:
    return next((need.reason for need in needs if not need.is_met(owner)), "")


async def _finish(function: Callable[[], object]) -> None:
    if isawaitable(result := function()):
        await result


class ActionHost(_Node):
    """Widget, screen or app with a table of actions, which its bindings perform.

    A class that names no bindings has those of its whole table.
    """

    ACTIONS: ClassVar[Sequence[Action[Self]]] = ()

    def __init_subclass__(cls, **options: Any) -> None:  # noqa: ANN401 - Textual's
        # Before Textual reads them, which it does once.
        if "ACTIONS" in cls.__dict__ and "BINDINGS" not in cls.__dict__:
            cls.BINDINGS = bindings(cls.ACTIONS)
        super().__init_subclass__(**options)

    @classmethod
    def actions_by_id(cls) -> Mapping[str, Action[Any]]:
        """Return the rows of the class and of those it derives from."""
        return _actions_by_id(cls)

    async def action_perform(self, action_id: str) -> None:
        """Perform an action of the table; show why not, or the error if it fails."""
        row = self.actions_by_id()[action_id]
        if reason := row.why_not(self):
            self.app.notify(reason, timeout=REASON_SECONDS)
        else:
            await self.finish(partial(row.perform, self))

    @shows_errors
    async def finish(self, function: Callable[[], object]) -> None:
        """Call a function and wait for its result; show the error if it fails."""
        await _finish(function)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enable only actions that do something now, or say why not."""
        if action == "perform":
            row = self.actions_by_id()[str(parameters[0])]
            return row.explains or not row.why_not(self)
        return super().check_action(action, parameters)


@cache
def _actions_by_id(host: type[ActionHost]) -> Mapping[str, Action[Any]]:
    rows = (row for base in host.__mro__ for row in base.__dict__.get("ACTIONS", ()))
    found: dict[str, Action[Any]] = {}
    for row in rows:
        found.setdefault(row.id, row)
    return found


def perform_text(action_id: str, namespace: str = "") -> str:
    """Return the action as Textual writes it, in that namespace, such as `screen`."""
    return f"{namespace}{'.' * bool(namespace)}perform({action_id!r})"


def bindings(
    actions: Iterable[Action[Any]], namespace: str = "", *, is_hinted: bool = True
) -> list[BindingType]:
    """Return the bindings of a table; `namespace` is where it is performed, if not by the node.

    Unless `is_hinted`, the key bar leaves them out. Actions without a key can be given one.
    """
    return [
        Binding(
            row.keys or UNBOUND,
            perform_text(row.id, namespace),
            row.hint,
            show=is_hinted and bool(row.hint and row.keys),
            key_display=row.key_display,
            priority=row.priority,
            tooltip=row.label,
            id=row.id,
        )
        for row in actions
    ]


def performer(active: ActiveBinding) -> tuple[ActionHost, Action[Any]] | None:
    """Return the host that performs a binding, and its row; None if it is of no table."""
    node, binding = active.node, active.binding
    host = node.screen if binding.action.startswith("screen.") else node
    if not isinstance(host, ActionHost):
        return None
    row = host.actions_by_id().get(binding.id or "")
    return None if row is None else (host, row)


def find_host(row: Action[Any], nodes: Iterable[DOMNode]) -> ActionHost | None:
    """Return the node that has the action in its table."""
    hosts = (node for node in nodes if isinstance(node, ActionHost))
    return next((host for host in hosts if host.actions_by_id().get(row.id) is row), None)
