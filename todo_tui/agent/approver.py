"""Approver: who is asked for approvals, the question, the answer; choices that outlive a turn."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Protocol

from todo_tui.config.settings import ApprovalMode, ApprovalSettings
from todo_tui.domain.errors import NobodyToAsk
from todo_tui.store.decisions import Decisions

_MODE = "approvals.ask"
_TYPED_ANSWERS = {"y": True, "yes": True, "n": False, "no": False}
"""Lines that answer a question, in the app and on the command line; all others do not."""


class ReasonKind(StrEnum):
    """Kind of reason why a tool call needs approval."""

    MODE = "mode"
    """`approvals.ask` names it."""
    TOOL = "tool"
    """`approvals.tools` names it."""
    LIMIT = "limit"
    """Too many tasks in one turn."""
    FOREIGN_TEXT = "foreign_text"
    """The model has read text that others may have written."""
    REPEATED_UNDO = "repeated_undo"
    """A second undo or redo in one turn."""
    OTHERS_CHANGE = "others_change"
    """An undo of a change that was not made in this conversation."""


ALLOWABLE = frozenset({ReasonKind.MODE, ReasonKind.TOOL, ReasonKind.LIMIT, ReasonKind.FOREIGN_TEXT})
"""Reasons for which a tool can be allowed for the rest of a conversation."""
_ANY_TOOL = ""


@dataclass(frozen=True, slots=True)
class ApprovalQuestion:
    """A question for the user; all text is plain lines.

    `call_id` is empty if it is not about tool calls; `details` say what would change.
    `host` is set for consent to send messages there. Sent data cannot be taken back, so
    only the answer of a person, or naming the host, is a yes.
    """

    words: str
    details: tuple[str, ...] = ()
    call_id: str = ""
    host: str = ""
    reasons: int = 0
    """Number of details that say why; they come first."""
    is_proposal: bool = False
    """True for a change that an agent proposed, which waits for as long as the user likes."""
    allowable: bool = False
    """True if the answer may hold for the rest of the conversation."""


@dataclass(frozen=True, slots=True)
class ApprovalAnswer:
    """Answer to a question; `reason` says to the model why the user denied."""

    approves: bool
    for_conversation: bool = False
    reason: str = ""


def read_typed_answer(text: str) -> bool | None:
    """Return true for a plain yes, false for a plain no, None for any other text."""
    return _TYPED_ANSWERS.get(text.strip().rstrip(".!").lower())


class Approver(Protocol):
    """Asks the user; all approvals go through it."""

    async def decide(self, question: ApprovalQuestion) -> ApprovalAnswer:
        """Wait for the answer; cancelled when the turn is stopped.

        Raises:
            NobodyToAsk: There is nobody to answer.
        """
        ...


class ApproveAll:
    """Approves everything but consent without asking, for `--yes`."""

    async def decide(self, question: ApprovalQuestion) -> ApprovalAnswer:
        """Approve, except for sending messages to another host."""
        return ApprovalAnswer(not question.host)


class ApproveNone:
    """Refuses everything, where there is nobody to ask."""

    async def decide(self, question: ApprovalQuestion) -> ApprovalAnswer:
        """Refuse.

        Raises:
            NobodyToAsk: Always.
        """
        raise NobodyToAsk


@dataclass(slots=True)
class SessionApprovals:
    """Choices of the user about approvals while the program runs; they outlive a turn."""

    mode: ApprovalMode | None = None
    """Used in place of `approvals.ask`, from the next tool call on; None: as configured."""
    _allowed: set[tuple[str, str, ReasonKind]] = field(default_factory=set)
    """Conversation id, tool and reason of what was allowed for the rest of a conversation."""

    def choose(self, mode: ApprovalMode) -> None:
        """Use another mode; what was allowed before has to be allowed again."""
        self.mode = mode
        self._allowed.clear()

    def apply(self, settings: ApprovalSettings) -> ApprovalSettings:
        """Return the settings in force."""
        return settings if self.mode is None else replace(settings, ask=self.mode)

    def allow(self, conversation_id: str, tool: str, kinds: Iterable[ReasonKind]) -> None:
        """Allow a tool for the rest of a conversation, where one of these is the reason to ask.

        Where the reason is text of others, which any tool may follow, all tools are allowed.
        """
        self._allowed |= {
            _allowance(conversation_id, tool, kind) for kind in kinds if kind in ALLOWABLE
        }

    def allows(self, conversation_id: str, tool: str, kind: ReasonKind) -> bool:
        """Return whether the tool was allowed for this conversation and reason."""
        return _allowance(conversation_id, tool, kind) in self._allowed


def _allowance(conversation_id: str, tool: str, kind: ReasonKind) -> tuple[str, str, ReasonKind]:
    return conversation_id, _ANY_TOOL if kind is ReasonKind.FOREIGN_TEXT else tool, kind


def with_last_mode(settings: ApprovalSettings, decisions: Decisions) -> ApprovalSettings:
    """Return the settings with the mode that the user chose last, if none is configured. Blocks.

    Raises:
        StoreError: The database failed.
    """
    stored = decisions.get(_MODE) if settings.ask_is_default else None
    return replace(settings, ask=ApprovalMode(stored)) if stored in _MODES else settings


def remember_mode(mode: ApprovalMode, decisions: Decisions) -> None:
    """Store the mode for later runs. Blocks.

    Raises:
        StoreError: The database failed.
    """
    decisions.set(_MODE, mode)


_MODES = frozenset(ApprovalMode)
