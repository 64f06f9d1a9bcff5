"""The one exception tree. Every message is a sentence for a person; `hint` says what to do next."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from todo_tui.domain.messages import Usage


class TodoError(Exception):
    """Base of all; `str(error)` is a sentence for a person, without key or stack."""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


def error_kind(error: TodoError) -> str:
    """`store_busy` for StoreBusy: the kind of an error, as programs are told it."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", type(error).__name__).lower()


class ValidationError(TodoError):
    """What was asked for cannot be understood or is not allowed."""


class NotFound(TodoError):
    """There is no such thing for this user."""


class Conflict(TodoError):
    """The thing is not what the caller believed it to be."""


class OpenSubtasks(Conflict):
    """A task is to be closed and has open subtasks, of which nobody said what becomes.

    `parents` are the ids of the tasks to be closed; `subtasks` the (id, title) of what
    is open below them, parents first.
    """

    def __init__(
        self,
        message: str,
        *,
        parents: tuple[int, ...],
        subtasks: tuple[tuple[int, str], ...],
        hint: str | None = None,
    ) -> None:
        super().__init__(message, hint=hint)
        self.parents = parents
        self.subtasks = subtasks


class Unauthorized(TodoError):
    """A key is missing or refused, or the person has not agreed."""


class ConsentNeeded(Unauthorized):
    """Nothing was sent, since the person has not agreed to send anything to that host.

    `label` and `address` are the provider and its host as people know them; `places` are
    all `host:port` that a request may go to.
    """

    def __init__(
        self, provider_id: str, label: str, *, address: str, places: tuple[str, ...]
    ) -> None:
        super().__init__(
            f"Nothing was sent: you have not allowed sending to {label} at {address}.",
            hint=f"Choose {label} in the app (F2) and allow it, or name it: "
            f"--provider {provider_id}",
        )
        self.label = label
        self.address = address
        self.places = places


class NobodyToAsk(Unauthorized):
    """An approval is needed, and there is no person who could give it."""

    def __init__(self) -> None:
        super().__init__("There is no terminal to ask on.", hint="--yes approves everything.")


class StoreError(TodoError):
    """The database file cannot do what was asked; the message names the file."""


class StoreBusy(StoreError):
    """Another process held the database longer than the busy timeout."""


class StoreUnwritable(StoreError):
    """Read-only folder or file, or a full disk: nothing was written."""


class StoreUnreadable(StoreError):
    """Not our database, a newer schema, corrupt, or not readable; left untouched."""


class StoreReplaced(StoreError):
    """The file at the path is not the one that was opened; it has nothing of the write.

    `is_overwritten` says that it is the same file with other contents.
    """

    def __init__(
        self, message: str, *, hint: str | None = None, is_overwritten: bool = False
    ) -> None:
        super().__init__(message, hint=hint or "Check the file, then try again.")
        self.is_overwritten = is_overwritten


class ConfigError(TodoError):
    """A setting cannot be used; the message names it and where it comes from."""


class ProviderErrorKind(StrEnum):
    """What went wrong at a model API, as the retry policy and the screen need it."""

    AUTH = "auth"
    PERMISSION = "permission"
    RATE_LIMIT = "rate_limit"
    QUOTA = "quota"
    OVERLOADED = "overloaded"
    TIMEOUT = "timeout"
    NETWORK = "network"
    BAD_REQUEST = "bad_request"
    UNKNOWN_MODEL = "unknown_model"
    CONTEXT_TOO_LONG = "context_too_long"
    REFUSED = "refused"
    TRUNCATED = "truncated"
    MALFORMED = "malformed"
    TOOLS_UNSUPPORTED = "tools_unsupported"
    LOADING = "loading"


RETRYABLE = frozenset(
    {
        ProviderErrorKind.RATE_LIMIT,
        ProviderErrorKind.OVERLOADED,
        ProviderErrorKind.TIMEOUT,
        ProviderErrorKind.NETWORK,
        ProviderErrorKind.TRUNCATED,
        ProviderErrorKind.MALFORMED,
        ProviderErrorKind.LOADING,
    }
)
"""Kinds that the same request may survive when it is sent again."""


class ProviderError(TodoError):
    """A model API did not give a complete answer.

    `retry_after` is in seconds, from the server's Retry-After; None where it said
    nothing. `detail` is the server's own words for the log, keys removed.
    `may_be_too_long` marks a failure by which this server also says, at times, that
    the request is too long. `usage` is what it cost all the same, where the server
    reported that.
    """

    def __init__(
        self,
        kind: ProviderErrorKind,
        message: str,
        *,
        hint: str | None = None,
        retry_after: float | None = None,
        detail: str = "",
        may_be_too_long: bool = False,
        usage: Usage | None = None,
    ) -> None:
        super().__init__(message, hint=hint)
        self.kind = kind
        self.retry_after = retry_after
        self.detail = detail
        self.may_be_too_long = may_be_too_long
        self.usage = usage

    @property
    def retryable(self) -> bool:
        """Whether the same request may succeed when sent again."""
        return self.kind in RETRYABLE


class DateNotUnderstood(ValidationError):
    """Words that are no date, repeat or range that can be read, or one that does not exist."""
