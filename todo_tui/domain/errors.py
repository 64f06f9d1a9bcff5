"""The one exception tree. Every message is a sentence for a person; `hint` says what to do next."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from todo_tui.domain.messages import Usage


class TodoError(Exception):
    """Base of all errors; `str(error)` is a sentence for users, without keys or stack."""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    @property
    def text(self) -> str:
        """Message and hint."""
        return f"{self.message} {self.hint}" if self.hint else self.message


def error_kind(error: TodoError) -> str:
    """Return the kind of an error for programs: `store_busy` for StoreBusy."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", type(error).__name__).lower()


class ValidationError(TodoError):
    """Invalid or disallowed input."""


class NotFound(TodoError):
    """Missing object of this user."""


class Conflict(TodoError):
    """State of an object that differs from what the caller expected."""


class OpenSubtasks(Conflict):
    """Closing of a task with open subtasks, without a policy for these.

    `parents` are the ids of the tasks to be closed; `subtasks` the (id, title) of the
    open ones below them, parents first.
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
    """Missing or refused key, or missing consent."""


class ConsentNeeded(Unauthorized):
    """Missing consent to send data to a host; nothing was sent.

    `label` and `address` name the provider and its host for users; `places` are
    all `host:port` that a request may go to.
    """

    def __init__(
        self, provider_id: str, label: str, *, address: str, places: tuple[str, ...]
    ) -> None:
        super().__init__(
            f"Nothing was sent: you have not allowed sending to {label} at {address}.",
            hint=f"Allow {label} in the app (F2), or use --provider {provider_id}.",
        )
        self.label = label
        self.address = address
        self.places = places


class NobodyToAsk(Unauthorized):
    """Approval needed, but nobody can be asked."""

    def __init__(self) -> None:
        super().__init__(
            "Not a terminal: cannot ask for approval.", hint="Approve everything with --yes."
        )


class StoreError(TodoError):
    """Failure of the database file, which the message names."""


class StoreBusy(StoreError):
    """Lock by another process for longer than the busy timeout."""


class StoreUnwritable(StoreError):
    """Read-only folder or file, or a full disk: nothing was written."""


class StoreUnreadable(StoreError):
    """Foreign file, newer schema, corrupt or unreadable; left untouched."""


class StoreReplaced(StoreError):
    """The opened file was replaced by another one, which lacks the write.

    With `is_overwritten` it is the same file with other contents.
    """

    def __init__(
        self, message: str, *, hint: str | None = None, is_overwritten: bool = False
    ) -> None:
        super().__init__(message, hint=hint or "Check the file, then try again.")
        self.is_overwritten = is_overwritten


class ConfigError(TodoError):
    """Unusable setting; the message names it and where it comes from."""


class ProviderErrorKind(StrEnum):
    """Kind of failure of a model API, for the retry policy and the screen."""

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
"""Kinds for which sending the same request again may succeed."""


class ProviderError(TodoError):
    """Failure of a model API to give a complete answer.

    `retry_after` is in seconds, from the server's Retry-After; None without one.
    `detail` is the server's own text for the log, keys removed. `usage` is what it cost all
    the same, where the server reported that.
    """

    def __init__(
        self,
        kind: ProviderErrorKind,
        message: str,
        *,
        hint: str | None = None,
        retry_after: float | None = None,
        detail: str = "",
        usage: Usage | None = None,
    ) -> None:
        super().__init__(message, hint=hint)
        self.kind = kind
        self.retry_after = retry_after
        self.detail = detail
        self.usage = usage

    @property
    def retryable(self) -> bool:
        """True if the same request may succeed when sent again."""
        return self.kind in RETRYABLE


class DateNotUnderstood(ValidationError):
    """Text that is not a readable date, recurrence or range, or one that does not exist."""
