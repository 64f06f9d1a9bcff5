"""What a server says is wrong: error objects read, and sorted into kinds by one table."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from todo_tui.domain.errors import ProviderErrorKind
from todo_tui.providers.foreign import items_of, member, text_of
from todo_tui.providers.retry_after import wait_in_delay, wait_in_headers, wait_in_words

_Kind = ProviderErrorKind

_NO_MORE_CREDIT = (
    r"credit balance is too low|insufficient[ _](?:quota|credits?|balance|funds)"
    r"|billing[ _]hard[ _]limit|spend(?:ing)? limit|usage limits"
    r"|(?:used all available|have any) credits"
)
_BY_WORDS: tuple[tuple[ProviderErrorKind, str], ...] = (
    # llama.cpp on a history with broken arguments: sent again it fails again.
    (_Kind.BAD_REQUEST, r"failed to parse tool call arguments"),
    (
        _Kind.CONTEXT_TOO_LONG,
        r"context_length_exceeded|exceed_context_size|context (?:size|window|limit|length)"
        r"|input token count|(?:prompt|input) is too long|maximum prompt length|too many tokens"
        r"|request too large|exceeds max length|exceeded model token limit|max_new_tokens` must be"
        r"|reduce the length of|range of input length",
    ),
    (
        _Kind.TOOLS_UNSUPPORTED,
        r"(?:not|n't) support (?:tools|tool|function)"
        r"|\btool(?:s|[ _]?(?:calling|use|choice))?[`'\"]? (?:is|are) not supported"
        r"|function calling is (?:not enabled|unsupported)|requires --jinja"
        r"|enable-auto-tool-choice|no endpoints found that support tool",
    ),
    (
        _Kind.UNKNOWN_MODEL,
        r"model_not_found|model_decommissioned|model_not_active|unknown model|no such model"
        r"|no models loaded|not a valid model|\binvalid[ _]model\b"
        r"|models?\b.{0,120}(?:not found|not exist|decommissioned)",
    ),
    (_Kind.QUOTA, _NO_MORE_CREDIT),
    (
        _Kind.AUTH,
        r"invalid[ _]api[ _]key|incorrect api key|unregistered callers"
        r"|api[ _]key[ _](?:not[ _]valid|invalid|expired|was reported as leaked)",
    ),
    (
        _Kind.REFUSED,
        r"content[ _]filter|content_policy|prohibited_content|\b(?:bio|cyber)_policy"
        r"|policy_violation|violating our usage polic|flagged by moderation",
    ),
    (_Kind.LOADING, r"loading (?:the )?model|model is (?:still |currently )?loading"),
    (
        _Kind.MALFORMED,
        r"tool_use_failed|does not match the expected|failed to parse|error parsing tool call"
        r"|malformed_function_call",
    ),
)
"""Kinds told by a server's words and codes, the first match wins."""

_BY_STATUS: dict[int, ProviderErrorKind] = {
    401: _Kind.AUTH,
    402: _Kind.QUOTA,
    403: _Kind.PERMISSION,
    408: _Kind.TIMEOUT,
    409: _Kind.OVERLOADED,
    413: _Kind.CONTEXT_TOO_LONG,
    425: _Kind.OVERLOADED,
    429: _Kind.RATE_LIMIT,
    498: _Kind.OVERLOADED,
    504: _Kind.TIMEOUT,
}
_BY_TYPE: tuple[tuple[ProviderErrorKind, str], ...] = (
    (_Kind.QUOTA, r"insufficient_quota|billing_hard_limit|billing_error"),
    (_Kind.RATE_LIMIT, r"rate_limit|resource_exhausted|too_many_requests"),
    (_Kind.OVERLOADED, r"overloaded|unavailable|server_error|internal|slow_down"),
    (_Kind.TIMEOUT, r"timeout_error"),
    (_Kind.AUTH, r"authentication_error"),
    (_Kind.PERMISSION, r"permission_error"),
    (_Kind.BAD_REQUEST, r"invalid_prompt|invalid_request|data_residency_mismatch"),
)
"""For errors in mid-stream, which have no status."""

_USED_UP = re.compile(rf"{_NO_MORE_CREDIT}|perday", re.IGNORECASE)
_READ = 10_000
"""Characters of a complaint: a body of megabytes says nothing new behind them."""
_NO_SUCH_PATH = re.compile(
    r"(?:file|page|route|endpoint|path|url) not found|^not found|invalid url|cannot post"
    r"|unknown (?:request )?(?:url|endpoint|path|route)|no (?:such )?(?:route|endpoint|path)\b"
    r"|unexpected endpoint",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Complaint:
    """An error that a server reported, in whatever form; `status` is 0 where it gave none."""

    status: int
    words: str
    """Its message to people."""
    codes: str
    """Its types, codes and reasons, joined."""
    wait: float | None = None
    """Seconds after which it wants to be asked again."""
    location: str = ""
    """Where a redirect leads."""
    failed_generation: str = ""
    """Groq: what the model wrote that was no tool call."""
    as_json: bool = True
    """Whether it was JSON, as an API's answer would be."""

    @property
    def kind(self) -> ProviderErrorKind:
        """What went wrong."""
        if self.status == 429 and "request too large" not in self.words.lower():
            return self._limit()
        if self.status in (401, 402):
            return _BY_STATUS[self.status]
        if self.no_such_path:
            return _Kind.BAD_REQUEST
        text = f"{self.codes} {self.words}"
        for kind, pattern in _BY_WORDS:
            if re.search(pattern, text, re.IGNORECASE | re.DOTALL):
                return kind
        if self.status:
            return self._of_status()
        return next((k for k, p in _BY_TYPE if re.search(p, text, re.IGNORECASE)), _Kind.TRUNCATED)

    @property
    def no_such_path(self) -> bool:
        """Whether something answered that is no API, or an API at another path."""
        missing = self.status in (404, 405)
        return missing and (not self.as_json or bool(_NO_SUCH_PATH.search(self.words)))

    def _limit(self) -> ProviderErrorKind:
        used_up = _USED_UP.search(f"{self.codes} {self.words}") or (
            # Gemini says so of a limit by the minute too, but then tells how long to wait.
            self.wait is None and "exceeded your current quota" in self.words.lower()
        )
        return _Kind.QUOTA if used_up else _Kind.RATE_LIMIT

    def _of_status(self) -> ProviderErrorKind:
        if self.status == 404:
            return _Kind.UNKNOWN_MODEL
        if self.status < 300:
            return _Kind.MALFORMED
        fallback = _Kind.OVERLOADED if self.status >= 500 else _Kind.BAD_REQUEST
        return _BY_STATUS.get(self.status, fallback)


def read_complaint(body: object, *, status: int = 0, headers: Mapping[str, str]) -> Complaint:
    """Read an error body: an object, a list with one (Gemini), a string, or no JSON at all."""
    as_json = isinstance(body, Mapping | list)
    if isinstance(body, list):
        body = body[0] if body else {}
    if isinstance(body, Mapping) and isinstance(body.get("error"), Mapping | str):
        body = body["error"]
    details = items_of(body, "details")
    words = text_of(body, "message") or text_of(body, "detail")
    if isinstance(body, str) and (as_json or "<" not in body):
        words = body
    words = words[:_READ]
    code = member(body, "code")
    codes = [text_of(body, name) for name in ("type", "status")] + [str(code or "")]
    return Complaint(
        status=status or (code if isinstance(code, int) and 400 <= code <= 599 else 0),
        words=words,
        codes=" ".join([*codes, *(json.dumps(detail, default=str) for detail in details)])[:_READ],
        wait=_wait(headers, details, words),
        location=headers.get("location", ""),
        failed_generation=text_of(body, "failed_generation"),
        as_json=as_json,
    )


def _wait(headers: Mapping[str, str], details: object, words: str) -> float | None:
    asked = wait_in_headers(headers)
    if asked is None and isinstance(details, list):
        delays = [wait_in_delay(text_of(detail, "retryDelay")) for detail in details]
        asked = next((delay for delay in delays if delay is not None), None)
    return wait_in_words(words) if asked is None else asked
