"""What went wrong at a server, from the exceptions of any SDK to one ProviderError.

Exceptions are told by their shape and class names, since they come from packages
of which most are never loaded: openai, anthropic and google-genai on httpx2, groq
on httpx.
"""

from __future__ import annotations

import errno
import json
import socket
import ssl
from collections.abc import Iterator
from urllib.parse import urlsplit

from todo_tui.domain.errors import ProviderError, ProviderErrorKind, Unauthorized
from todo_tui.providers.complaints import Complaint, read_complaint
from todo_tui.providers.endpoint import proxy_variable
from todo_tui.providers.server import Server

_Kind = ProviderErrorKind

_UNREACHABLE = (errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN)
_UNREADABLE = {
    "JSONDecodeError",
    "UnicodeDecodeError",
    "RecursionError",
    "APIResponseValidationError",
    "DecodingError",
}
_CHECK_BASE_URL = "Check the address: set {base_url_variable} to the API's base URL."


def complaint_of(error: BaseException) -> Complaint | None:
    """What the server itself said; None where it said nothing, as when it is down."""
    body = getattr(error, "body", None)
    response = getattr(error, "response", None)
    if response is not None:
        if body is None and hasattr(error, "details"):
            # google-genai keeps what it makes of the body; the response has been read.
            body = _json_or_words(response.text)
        return read_complaint(body, status=response.status_code, headers=response.headers)
    return None if body is None else read_complaint(body, headers={})


def failure(error: BaseException, server: Server) -> ProviderError:
    """An exception of an SDK or its HTTP client as a ProviderError, to be raised from it."""
    complaint = complaint_of(error)
    if complaint is not None:
        return complained(complaint, server, detail=str(getattr(error, "body", None) or error))
    for each in _chain(error):
        # The command for a token failed as the request was about to leave.
        if isinstance(each, Unauthorized):
            return ProviderError(_Kind.AUTH, each.message, hint=each.hint)
    names = {name for each in _chain(error) for name in _class_names(each)}
    # A number of thousands of digits is refused as a mere ValueError.
    unreadable = names & _UNREADABLE or any(type(each) is ValueError for each in _chain(error))
    if unreadable and "ProxyError" not in names:
        return server.error(_Kind.MALFORMED, detail=_described(error))
    return _not_reached(error, names, server)


def complained(complaint: Complaint, server: Server, *, detail: str) -> ProviderError:
    """The error for what a server said."""
    kind = complaint.kind
    if 300 <= complaint.status < 400:
        return server.error(
            _Kind.BAD_REQUEST,
            message="{label} redirects to another address, which is not followed",
            reason=_without_query(complaint.location),
            hint="If you trust that address, set {base_url_variable} to it.",
            detail=detail,
        )
    if complaint.no_such_path:
        return server.error(
            kind,
            message="Nothing at {address} answers as a model API",
            reason=f"HTTP {complaint.status}",
            hint=_CHECK_BASE_URL,
            detail=detail,
        )
    return server.error(
        kind,
        reason=_reason(kind, complaint),
        hint=_hint(kind, server),
        retry_after=complaint.wait,
        detail=detail,
        may_be_too_long=complaint.status in server.long_statuses,
    )


def _json_or_words(text: str) -> object:
    try:
        body: object = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return body


def _reason(kind: ProviderErrorKind, complaint: Complaint) -> str:
    match kind:
        case _Kind.BAD_REQUEST | _Kind.TRUNCATED | _Kind.CONTEXT_TOO_LONG:
            return complaint.words or (f"HTTP {complaint.status}" if complaint.status else "")
        case _Kind.OVERLOADED | _Kind.PERMISSION:
            return f"HTTP {complaint.status}" if complaint.status else complaint.words
        case _Kind.RATE_LIMIT if complaint.wait:
            return f"it asks to wait {complaint.wait:,.0f} s"
        case _:
            return ""


def _hint(kind: ProviderErrorKind, server: Server) -> str:
    if kind is _Kind.AUTH and not server.credential:
        return "It wants a key: set {key_variable}."
    return ""


def _not_reached(error: BaseException, names: set[str], server: Server) -> ProviderError:
    detail, address, hint = _described(error), server.endpoint.address, ""
    if variable := proxy_variable(server.endpoint):
        address, hint = (
            f"the proxy ({variable})",
            f"Check {variable}, or name {address} in NO_PROXY.",
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
            message="The connection to {label} broke off",
            hint="Try again.",
            detail=detail,
        )
    if "ProxyError" in names:
        return server.error(
            _Kind.NETWORK,
            reason="the proxy did not let it through",
            hint=hint or "Check HTTPS_PROXY and ALL_PROXY.",
            detail=detail,
        )
    causes = [_cause(each, address) for each in _chain(error)]
    reason = next(filter(None, causes), "")
    return server.error(_Kind.NETWORK, reason=reason, hint=hint, detail=detail)


def _cause(error: BaseException, address: str) -> str:
    match error:
        case socket.gaierror():
            return f"the name of {address} was not found"
        case ssl.SSLCertVerificationError():
            return f"the certificate of {address} is not trusted"
        case ssl.SSLError():
            return f"no secure connection to {address}"
        case ConnectionRefusedError():
            return f"connection refused at {address}"
        case ConnectionError():
            return f"connection lost at {address}"
        case OSError(errno=code) if code in _UNREACHABLE:
            return f"no way to {address} through the network"
        case _:
            return ""


def _chain(error: BaseException) -> Iterator[BaseException]:
    """The error and everything that it came from, groups opened."""
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


def _class_names(error: BaseException) -> set[str]:
    return {each.__name__ for each in type(error).__mro__}


def _described(error: BaseException) -> str:
    return " ← ".join(f"{type(each).__name__}: {each}" for each in _chain(error))


def _without_query(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    host = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{host}{parts.path}" if host else parts.path
