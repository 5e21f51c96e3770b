import http.client
import json
import random
import re
import socket
import ssl
import threading
import time
from dataclasses import dataclass, field
from typing import Any, Mapping, Optional
from urllib.parse import urlsplit

from ._artwork import Body
from ._errors import VitrineError

# Seconds. A wait of which the service says that it takes longer is the caller's.
_WAIT = 0.5
_WAIT_MAX = 8.0
_RETRY_AFTER_MAX = 60.0
# Share of a wait by which it differs by chance, so that clients do not return together.
_JITTER = 0.25


@dataclass(frozen=True)
class Settings:
    """Where the service is and who calls. The key is in no text of this object."""

    base_url: str
    api_key: str = field(repr=False)
    ssl_context: Optional[ssl.SSLContext] = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if re.fullmatch(r"[!-~]+", self.api_key) is None:
            raise ValueError("Expected an API key of printable characters without spaces")
        url = urlsplit(self.base_url)
        if url.scheme not in ("http", "https") or not url.hostname or "@" in url.netloc or url.query:
            raise ValueError("Expected an http(s) address without user name and query as base_url")


@dataclass(frozen=True)
class Answer:
    """A good answer, read whole."""

    status: int
    headers: Mapping[str, str]
    content: bytes

    def json(self, needed: str) -> Any:
        """Its JSON, an object with the needed field. Raises VitrineError UNEXPECTED_RESPONSE."""
        body = _parse(self.content)
        if needed in body:
            return body
        message = f"Expected {needed} in the answer of the service but received something else."
        raise VitrineError("UNEXPECTED_RESPONSE", message, status=self.status)


def wait_before(tries: int, retry_after: Optional[float]) -> float:
    """Seconds before the next try: what the service asks for, at least a wait that grows."""
    growing: float = min(_WAIT_MAX, _WAIT * 2 ** (tries - 1)) * random.uniform(1 - _JITTER, 1 + _JITTER)
    return max(retry_after or 0.0, growing)


def send(
    settings: Settings,
    method: str,
    path: str,
    *,
    headers: Optional[Mapping[str, str]] = None,
    body: Optional[Body] = None,
    timeout: float,
    max_retries: int,
) -> Answer:
    """Sends a request until it succeeds, cannot succeed, or was tried often enough.

    Raises:
        VitrineError: of the last try.
    """
    tries = 1
    while True:
        try:
            return _send_once(settings, method, path, headers or {}, body, timeout)
        except VitrineError as error:
            wait = wait_before(tries, error.retry_after)
            too_long = (error.retry_after or 0.0) > _RETRY_AFTER_MAX
            if tries > max_retries or not error.retryable or too_long:
                raise
        time.sleep(wait)
        tries += 1


class _Deadline:
    """Breaks a connection when its time is over, however slowly bytes come."""

    def __init__(self, connection: http.client.HTTPConnection, seconds: float) -> None:
        self._connection = connection
        self.is_over = False
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True
        self._timer.start()

    def _end(self) -> None:
        self.is_over = True
        opened = self._connection.sock
        if opened is not None:
            try:
                # Not SSLSocket.shutdown, which takes the session from the thread that reads.
                socket.socket.shutdown(opened, socket.SHUT_RDWR)
            except OSError:
                pass  # It ended by itself.

    def cancel(self) -> None:
        self._timer.cancel()


def _send_once(
    settings: Settings,
    method: str,
    path: str,
    headers: Mapping[str, str],
    body: Optional[Body],
    timeout: float,
) -> Answer:
    url = urlsplit(settings.base_url)
    connection = _connect(settings, timeout)
    sent = {**headers, "Authorization": f"Bearer {settings.api_key}", "Connection": "close"}
    if body is not None:
        sent["Content-Type"] = body.content_type
        sent["Content-Length"] = str(body.length())
    deadline = _Deadline(connection, timeout)
    try:
        try:
            connection.connect()
            connection.request(method, f"{url.path}{path}", body=body, headers=sent)
        except (BrokenPipeError, ConnectionResetError):
            if connection.sock is None:
                raise
            # The service may have answered before it had the whole body.
        response = connection.getresponse()
        content = response.read()
        received = {name.lower(): value for name, value in response.getheaders()}
        if deadline.is_over:
            # Without a length, an answer that was cut reads as a whole one.
            raise socket.timeout
    except (OSError, http.client.HTTPException) as cause:
        if deadline.is_over or isinstance(cause, socket.timeout):
            raise VitrineError("TIMEOUT", f"No answer came within {timeout:g} s.") from cause
        raise VitrineError("CONNECTION_FAILED", "The service could not be reached.") from cause
    finally:
        deadline.cancel()
        connection.close()
    if not 200 <= response.status < 300:
        raise _to_error(response.status, received, content)
    return Answer(response.status, received, content)


def _connect(settings: Settings, timeout: float) -> http.client.HTTPConnection:
    url = urlsplit(settings.base_url)
    host = url.hostname or ""
    if url.scheme == "http":
        return http.client.HTTPConnection(host, url.port, timeout=timeout)
    context = settings.ssl_context or ssl.create_default_context()
    return http.client.HTTPSConnection(host, url.port, timeout=timeout, context=context)


def _parse(content: bytes) -> Mapping[str, Any]:
    try:
        body = json.loads(content)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def _to_error(status: int, headers: Mapping[str, str], content: bytes) -> VitrineError:
    if 300 <= status < 400:
        # Not followed, as the key is for the service alone.
        target = headers.get("location")
        leads = f" to {target}" if target else ""
        return VitrineError(
            "UNEXPECTED_RESPONSE",
            f"Expected an answer of the service but received a redirect{leads}.",
            status=status,
            hint="Give the client the address that the service itself has, with https:// where it has that.",
        )
    body = _parse(content)
    code, message = body.get("code"), body.get("error")
    details, hint = body.get("details"), body.get("hint")
    seconds = headers.get("retry-after", "").strip()
    return VitrineError(
        code if isinstance(code, str) else "UNEXPECTED_RESPONSE",
        message if isinstance(message, str) else f"The answer has the status {status} and is not the service's.",
        status=status,
        details=details if isinstance(details, dict) else None,
        hint=hint if isinstance(hint, str) else None,
        request_id=headers.get("x-request-id"),
        retry_after=float(seconds) if re.fullmatch(r"[0-9]{1,9}", seconds) else None,
    )
