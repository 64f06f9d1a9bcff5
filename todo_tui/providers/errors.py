"""Provider errors.

SDK and HTTP exceptions and error bodies mapped to ProviderError, with Retry-After.
"""

import errno
import html
import json
import math
import re
import socket
import ssl
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from urllib.parse import urlsplit

from todo_tui.config.endpoint import proxy_variable
from todo_tui.domain.errors import ProviderError, ProviderErrorKind, Unauthorized
from todo_tui.providers.json_values import get_items, get_member, get_text, json_or_text
from todo_tui.providers.server import Server

_IN_TEXT = re.compile(
    r"(?:try again|retry) (?:in|after)"
    r" (?:(\d{1,9})(?:h| hours?))?(?:(\d{1,9})(?:m(?!s)| minutes?))?"
    r"(?:(\d{1,9}(?:\.\d+)?)(ms|s| seconds?)\b)?",
    re.IGNORECASE,
)
_DELAY = re.compile(r"(\d{1,12}(?:\.\d+)?)s")
_Kind = ProviderErrorKind
_CREDIT_EXHAUSTED = (
    r"credit balance is too low|insufficient[ _](?:quota|credits?|balance|funds)"
    r"|billing[ _]hard[ _]limit|spend(?:ing)? limit|usage limits"
    r"|(?:used all available|have any) credits"
)
_BY_MESSAGE: tuple[tuple[ProviderErrorKind, str], ...] = (
    # llama.cpp on a history with broken arguments: a retry fails again.
    (_Kind.BAD_REQUEST, r"failed to parse tool call arguments"),
    (
        _Kind.CONTEXT_TOO_LONG,
        r"exceed_context_size|context[ _]?(?:size|window|limit|length)"
        r"|input token count|(?:prompt|input) is too long|maximum prompt length|too many tokens"
        r"|request too large|exceeds max length|exceeded model token limit|max_new_tokens` must be"
        r"|reduce the length of|range of input length|maximum model length|max_model_len"
        r"|must have less than \d+ tokens",
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
    (_Kind.QUOTA, _CREDIT_EXHAUSTED),
    (
        _Kind.AUTH,
        r"invalid[ _]api[ _]key|incorrect api key|unregistered callers"
        r"|api[ _]key[ _](?:not[ _]valid|invalid|expired|was reported as leaked)",
    ),
    (
        _Kind.REFUSED,
        r"content[ _]filter|content_policy|prohibited_content|\b(?:bio|cyber)_policy"
        r"|policy_violation|violating our usage polic|flagged by moderation|input was flagged",
    ),
    (_Kind.LOADING, r"loading (?:the )?model|model is (?:still |currently )?loading"),
    (
        _Kind.MALFORMED,
        r"tool_use_failed|does not match the expected|failed to parse|error parsing tool call"
        r"|malformed_function_call",
    ),
)
"""Kinds by messages and codes of servers; the first match wins."""
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
"""Kinds of errors within a stream, which have no HTTP status."""
_QUOTA_EXHAUSTED = re.compile(rf"{_CREDIT_EXHAUSTED}|perday", re.IGNORECASE)
_MAX_MATCHED_CHARACTERS = 10_000
"""Characters of an error message that are matched; larger bodies add nothing."""
_CAUSES = (
    *("message", "msg", "errormessage", "errordescription", "faultstring", "statusmsg"),
    *("error", "detail", "errors", "response", "fault", "baseresp", "cause", "innererror"),
    *("details", "fieldviolations", "violations", "description"),
    *("metadata", "raw", "reasons"),
)
"""Keys of messages, and of errors that hold them, in lower case without separators."""
_MAX_CAUSE_DEPTH = 8
_CODE_KEY = re.compile(r"code|reason|title|type", re.IGNORECASE)
"""Keys of short names of errors, such as `GEO_BLOCKED`."""
_IN_MARKUP = re.compile(
    r"<(title|message|h1)\b[^<>]*+>\s*+([^<\s][^<]*+(?:<(?!/?\1\b)[^<]*+){0,20})</\1\s*+>", re.I
)
_TAG = re.compile(r"<[^<>]*+>")
_STATUS_PHRASES = {"", *(status.phrase.casefold() for status in HTTPStatus)}
_NO_SUCH_PATH = re.compile(
    r"(?:file|page|route|endpoint|path|url) not found|^not found|invalid url|cannot post"
    r"|unknown (?:request )?(?:url|endpoint|path|route)|no (?:such )?(?:route|endpoint|path)\b"
    r"|unexpected endpoint",
    re.IGNORECASE,
)
_UNREACHABLE = (errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN)
_UNREADABLE = {
    "JSONDecodeError",
    "UnicodeDecodeError",
    "RecursionError",
    "APIResponseValidationError",
    "DecodingError",
}
_CHECK_BASE_URL = "Check the address: set {base_url_variable} to the API's base URL."


def retry_after_from_headers(headers: Mapping[str, str]) -> float | None:
    """Return seconds from `retry-after-ms` or `Retry-After`, a number or an HTTP date."""
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    value = headers.get("retry-after")
    seconds = _number(value)
    if seconds is not None or value is None:
        return seconds
    try:
        return max(0.0, _timestamp(value) - _server_time(headers))
    except (ValueError, OverflowError):
        return None


def retry_after_from_text(text: str) -> float | None:
    """Return seconds from text such as Groq's `Please try again in 1m2.5s`."""
    match = _IN_TEXT.search(text)
    if match is None or not any(match.groups()):
        return None
    hours, minutes, seconds, unit = match.groups()
    last = float(seconds or 0) / (1000 if unit == "ms" else 1)
    return int(hours or 0) * 3600 + int(minutes or 0) * 60 + last


def retry_after_from_duration(text: str) -> float | None:
    """Return seconds from a protobuf duration such as `34s`, as in Gemini's RetryInfo."""
    match = _DELAY.fullmatch(text)
    return float(match[1]) if match else None


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return max(0.0, number) if math.isfinite(number) else None


def _server_time(headers: Mapping[str, str]) -> float:
    """Return the server's own time if sent, so that a wrong clock here does no harm."""
    try:
        return _timestamp(headers["date"])
    except (KeyError, ValueError, OverflowError):
        return time.time()


def _timestamp(date: str) -> float:
    """Return seconds since 1970 of an HTTP date; the asctime form names no zone and means UTC."""
    moment = parsedate_to_datetime(date)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


@dataclass(frozen=True, slots=True)
class ServerError:
    """Error that a server reported, in any form; `status` is 0 if it sent none."""

    status: int
    message: str
    """Error message."""
    codes: str
    """Error types, codes and reasons, joined."""
    retry_after: float | None = None
    """Seconds to wait before the next request."""
    location: str = ""
    """Target of a redirect."""
    failed_generation: str = ""
    """Groq: output of the model that could not be parsed as a tool call."""
    as_json: bool = True
    """True if the body was JSON, as from an API."""
    cause: str = ""
    """Error of another server that the message wraps, or details of it."""

    @property
    def kind(self) -> ProviderErrorKind:
        """Kind of the error, from status, codes and message."""
        if self.status == 429 and "request too large" not in self.message.lower():
            return self._limit()
        if self.status in (401, 402):
            return _BY_STATUS[self.status]
        if self.no_such_path:
            return _Kind.BAD_REQUEST
        text = f"{self.codes} {self.message} {self.cause}"
        for kind, pattern in _BY_MESSAGE:
            if re.search(pattern, text, re.IGNORECASE | re.DOTALL):
                return kind
        if self.status:
            return self._of_status()
        return next((k for k, p in _BY_TYPE if re.search(p, text, re.IGNORECASE)), _Kind.TRUNCATED)

    @property
    def no_such_path(self) -> bool:
        """True if the responding server is not a model API, or has it at another path."""
        missing = self.status in (404, 405)
        return missing and (not self.as_json or bool(_NO_SUCH_PATH.search(self.message)))

    def _limit(self) -> ProviderErrorKind:
        used_up = _QUOTA_EXHAUSTED.search(f"{self.codes} {self.message} {self.cause}") or (
            # Gemini says so for a limit by the minute too, but then with a retry delay.
            self.retry_after is None and "exceeded your current quota" in self.message.lower()
        )
        return _Kind.QUOTA if used_up else _Kind.RATE_LIMIT

    def _of_status(self) -> ProviderErrorKind:
        if self.status == 404:
            return _Kind.UNKNOWN_MODEL
        if self.status < 300:
            return _Kind.MALFORMED
        fallback = _Kind.OVERLOADED if self.status >= 500 else _Kind.BAD_REQUEST
        return _BY_STATUS.get(self.status, fallback)


def parse_error_body(body: object, *, status: int = 0, headers: Mapping[str, str]) -> ServerError:
    """Parse an error body: an object, a list with one (Gemini), a string, or no JSON at all."""
    as_json = isinstance(body, Mapping | list)
    causes = [*dict.fromkeys(_causes(body))] if as_json else []
    if isinstance(body, list):
        body = body[0] if body else {}
    if isinstance(body, Mapping) and isinstance(body.get("error"), Mapping | str):
        body = body["error"]
    details = get_items(body, "details")
    message = get_text(body, "message") or get_text(body, "detail")
    if isinstance(body, str):
        is_markup = not as_json and body.lstrip("\ufeff \t\r\n").startswith("<")
        message = _markup_cause(body) if is_markup else body
    if as_json and not (message or causes):
        causes = [*dict.fromkeys(_sentences(body))]
    cause = "; ".join(text for text in causes if text not in message or not message)
    message, cause = message[:_MAX_MATCHED_CHARACTERS], cause[:_MAX_MATCHED_CHARACTERS]
    code = get_member(body, "code")
    codes = [get_text(body, name) for name in ("type", "status")] + [str(code or "")]
    return ServerError(
        status=status or (code if isinstance(code, int) and 400 <= code <= 599 else 0),
        message=message,
        codes=" ".join([*codes, *(json.dumps(detail, default=str) for detail in details)])[
            :_MAX_MATCHED_CHARACTERS
        ],
        retry_after=_retry_after(headers, details, f"{message} {cause}"),
        location=headers.get("location", ""),
        failed_generation=get_text(body, "failed_generation"),
        as_json=as_json,
        cause=cause,
    )


def _causes(error: object, depth: int = 0) -> Iterator[str]:
    """Yield all messages in an error, in any of the forms that servers use.

    OpenRouter has the error of its provider, as JSON or text, in `metadata.raw`; FastAPI has a
    text or a list of objects in `detail`; Azure nests `innererror`, Google lists
    `fieldViolations`; gateways wrap the error in `fault`, `cause` or `Response.Error`.
    """
    if depth > _MAX_CAUSE_DEPTH:
        return
    if isinstance(error, str):
        value = json_or_text(error)
        if not isinstance(value, str):
            yield from _causes(value, depth + 1)
        elif not error.lstrip().startswith("<"):
            yield error.strip()
    elif isinstance(error, list):
        for each in error:
            yield from _causes(each, depth + 1)
    elif isinstance(error, Mapping):
        field = ".".join(map(str, get_items(error, "loc"))) or get_text(error, "field")
        members = {re.sub("[_-]", "", str(key)).lower(): each for key, each in error.items()}
        for key in _CAUSES:
            for text in _causes(members.get(key), depth + 1):
                yield f"{field}: {text}" if field else text


def _markup_cause(body: str) -> str:
    """Return what a page of HTML or an error in XML says; empty if only the status."""
    found = _IN_MARKUP.search(body[:_MAX_MATCHED_CHARACTERS])
    text = " ".join(html.unescape(_TAG.sub(" ", found[2])).split()) if found else ""
    return "" if text.lstrip("0123456789 :-").casefold() in _STATUS_PHRASES else text


def _sentences(value: object, key: str = "", depth: int = 0) -> Iterator[str]:
    """Yield the texts of several words in an error of no known form, and its codes."""
    if depth > _MAX_CAUSE_DEPTH:
        return
    if isinstance(value, str):
        if " " in value.strip() or _CODE_KEY.search(key):
            yield value.strip()
    elif isinstance(value, list):
        for each in value:
            yield from _sentences(each, key, depth + 1)
    elif isinstance(value, Mapping):
        for name, each in value.items():
            yield from _sentences(each, str(name), depth + 1)


def _retry_after(headers: Mapping[str, str], details: object, message: str) -> float | None:
    seconds = retry_after_from_headers(headers)
    if seconds is None and isinstance(details, list):
        delays = [retry_after_from_duration(get_text(detail, "retryDelay")) for detail in details]
        seconds = next((delay for delay in delays if delay is not None), None)
    return retry_after_from_text(message) if seconds is None else seconds


def server_error_of(error: BaseException) -> ServerError | None:
    """Return the error that the server reported; None if it sent none, for example when down."""
    body = getattr(error, "body", None)
    response = getattr(error, "response", None)
    if response is not None:
        # SDKs keep only a part of the body, or their own version; the response has been read.
        with suppress(RuntimeError):
            body = json_or_text(response.text)
        return parse_error_body(body, status=response.status_code, headers=response.headers)
    return None if body is None else parse_error_body(body, headers={})


def to_provider_error(error: BaseException, server: Server) -> ProviderError:
    """Convert an exception of an SDK or its HTTP client, for `raise … from`."""
    reported = server_error_of(error)
    if reported is not None:
        return provider_error_from(
            reported, server, detail=str(getattr(error, "body", None) or error)
        )
    for each in _chain(error):
        # The command for a token failed before the request was sent.
        if isinstance(each, Unauthorized):
            return ProviderError(_Kind.AUTH, each.message, hint=each.hint)
    names = {kind.__name__ for each in _chain(error) for kind in type(each).__mro__}
    # A number of thousands of digits raises a plain ValueError.
    unreadable = names & _UNREADABLE or any(type(each) is ValueError for each in _chain(error))
    if unreadable and "ProxyError" not in names:
        return server.error(_Kind.MALFORMED, detail=_describe(error))
    return _connection_error(error, names, server)


def provider_error_from(reported: ServerError, server: Server, *, detail: str) -> ProviderError:
    """Convert an error that a server reported."""
    kind = reported.kind
    if 300 <= reported.status < 400:
        return server.error(
            _Kind.BAD_REQUEST,
            message="{label} redirects to another address",
            reason=_without_query(reported.location),
            hint="If you trust that address, set {base_url_variable} to it.",
            detail=detail,
        )
    if reported.no_such_path:
        return server.error(
            kind,
            message="No model API at {address}",
            reason=f"HTTP {reported.status}",
            hint=_CHECK_BASE_URL,
            detail=detail,
        )
    lacks_key = kind is _Kind.AUTH and not server.credential
    reason = ": ".join(filter(None, (_reason(kind, reported).rstrip("."), reported.cause)))
    return server.error(
        kind,
        reason=reason,
        hint="Set an API key in {key_variable}{or_set_key}." if lacks_key else "",
        retry_after=reported.retry_after,
        detail=detail,
    )


def _reason(kind: ProviderErrorKind, reported: ServerError) -> str:
    match kind:
        case _Kind.BAD_REQUEST | _Kind.TRUNCATED | _Kind.CONTEXT_TOO_LONG | _Kind.REFUSED:
            has_text = reported.message or reported.cause or not reported.status
            return reported.message if has_text else f"HTTP {reported.status}"
        case _Kind.PERMISSION | _Kind.OVERLOADED if 400 <= reported.status < 500:
            return ": ".join(filter(None, (f"HTTP {reported.status}", reported.message)))
        case _Kind.OVERLOADED | _Kind.PERMISSION:
            return f"HTTP {reported.status}" if reported.status else reported.message
        case _Kind.RATE_LIMIT if reported.retry_after:
            return f"retry after {reported.retry_after:,.0f} s"
        case _:
            return ""


def _connection_error(error: BaseException, names: set[str], server: Server) -> ProviderError:
    detail, address, hint = _describe(error), server.endpoint.address, ""
    if variable := proxy_variable(server.endpoint):
        address, hint = (
            f"the proxy ({variable})",
            f"Check {variable}, or add {address} to NO_PROXY.",
        )
    if names & {"ConnectTimeout", "PoolTimeout"}:
        reason = f"no connection to {address}"
        return server.error(_Kind.TIMEOUT, reason=reason, hint=hint, detail=detail)
    if "TimeoutException" in names or "APITimeoutError" in names:
        return server.error(_Kind.TIMEOUT, detail=detail)
    if names & {"UnsupportedProtocol", "InvalidURL", "LocalProtocolError"}:
        return server.error(_Kind.BAD_REQUEST, hint=_CHECK_BASE_URL, detail=detail)
    if names & {"RemoteProtocolError", "ReadError", "WriteError", "EndOfStream"}:
        return server.error(
            _Kind.NETWORK,
            message="Connection to {label} lost",
            hint="Try again.",
            detail=detail,
        )
    if "ProxyError" in names:
        return server.error(
            _Kind.NETWORK,
            reason="blocked by the proxy",
            hint=hint or "Check HTTPS_PROXY and ALL_PROXY.",
            detail=detail,
        )
    causes = [_cause(each, address) for each in _chain(error)]
    reason = next(filter(None, causes), "")
    return server.error(_Kind.NETWORK, reason=reason, hint=hint, detail=detail)


def _cause(error: BaseException, address: str) -> str:
    match error:
        case socket.gaierror():
            return f"host name not found: {address}"
        case ssl.SSLCertVerificationError():
            return f"the certificate of {address} is not trusted"
        case ssl.SSLError():
            return f"no secure connection to {address}"
        case ConnectionRefusedError():
            return f"connection refused at {address}"
        case ConnectionError():
            return f"connection lost at {address}"
        case OSError(errno=code) if code in _UNREACHABLE:
            return f"{address} is unreachable"
        case _:
            return ""


def _chain(error: BaseException) -> Iterator[BaseException]:
    waiting: list[BaseException | None] = [error]
    seen: set[int] = set()
    while waiting:
        link = waiting.pop(0)
        if link is None or id(link) in seen:
            continue
        seen.add(id(link))
        yield link
        if isinstance(link, BaseExceptionGroup):
            waiting += link.exceptions
        waiting += [link.__cause__, None if link.__suppress_context__ else link.__context__]
        # httpcore wraps what the socket raised as its argument, not as its cause.
        waiting += [each for each in link.args if isinstance(each, BaseException)]


def _describe(error: BaseException) -> str:
    return " ← ".join(f"{type(each).__name__}: {each}" for each in _chain(error))


def _without_query(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    host = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{host}{parts.path}" if host else parts.path
