from typing import Any, Mapping, Optional

_RETRIED = frozenset({408, 429, 500, 502, 503, 504})
_RETRIED_CODES = frozenset({"IDEMPOTENCY_CONFLICT", "TIMEOUT", "CONNECTION_FAILED"})


class VitrineError(Exception):
    """A call that failed; nothing was charged for an error that the service answered.

    Attributes:
        code: the service's, as INSUFFICIENT_CREDITS, or one of the client: TIMEOUT, CONNECTION_FAILED,
            UNEXPECTED_RESPONSE. A newer service may answer with codes that are not documented yet.
        status: of the answer; None where none came.
        details: by code, as the service's reference says; empty where there are none.
        hint: what can be done, or None.
        request_id: names the request in the logs of the service, or None.
        retry_after: seconds that the service asks to wait, or None.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: Optional[int] = None,
        details: Optional[Mapping[str, Any]] = None,
        hint: Optional[str] = None,
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        self.details: Mapping[str, Any] = details if details is not None else {}
        self.hint = hint
        self.request_id = request_id
        self.retry_after = retry_after

    def __str__(self) -> str:
        return f"{self.code}: {self.args[0]}"

    @property
    def retryable(self) -> bool:
        """Whether the same request may succeed later without a change."""
        return self.code in _RETRIED_CODES or self.status in _RETRIED
