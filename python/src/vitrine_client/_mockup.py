import base64
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, List, Mapping, Optional, Union

from ._files import write_whole
from ._send import Answer

# The mockups have a field of this name.
_Bytes = bytes


@dataclass(frozen=True)
class Charge:
    """What an answer says of its charge.

    Attributes:
        credits_used: 0 where an earlier answer was delivered again.
        replayed: whether it is the answer of an earlier call with the same idempotency key.
        request_id: names the request in the logs of the service.
        idempotency_key: that the call was sent with, None without one.
    """

    credits_used: int
    credits_remaining: int
    replayed: bool
    request_id: str
    idempotency_key: Optional[str]


@dataclass(frozen=True)
class Mockup(Charge):
    """A finished picture.

    Attributes:
        content_type: image/jpeg or image/png.
        duration_ms: of the render alone.
        artwork_density: artwork pixels per pixel of the mockup, where the artwork is seen densest; below 1
            it was enlarged.
        url: where the picture can be fetched without a key, for a day; None without an idempotency key.
    """

    template: str
    content_type: str
    bytes: _Bytes = field(repr=False)
    duration_ms: float
    artwork_density: float
    url: Optional[str]
    url_expires_at: Optional[datetime]

    def save(self, path: Union[str, Path]) -> None:
        """Writes the picture beside its place and then into it. Folders are made; an older file is replaced."""
        write_whole(Path(path), self.bytes)


@dataclass(frozen=True)
class BatchMockup:
    """One mockup of a batch."""

    template: str
    content_type: str
    bytes: _Bytes = field(repr=False)
    url: Optional[str]
    url_expires_at: Optional[datetime]
    artwork: List[Mapping[str, Any]]

    def save(self, path: Union[str, Path]) -> None:
        """As `Mockup.save`."""
        write_whole(Path(path), self.bytes)


@dataclass(frozen=True)
class Batch(Charge):
    """The mockups of a batch, in the order of its templates. `duration_ms` is of the renders alone."""

    mockups: List[BatchMockup]
    duration_ms: float


def to_mockup(answer: Answer, key: Optional[str]) -> Mockup:
    headers = answer.headers
    return Mockup(
        **_charge(headers, key),
        template=headers.get("x-template-id", ""),
        content_type=headers.get("content-type", ""),
        bytes=answer.content,
        duration_ms=float(headers.get("x-duration-ms", "nan")),
        artwork_density=float(headers.get("x-artwork-density", "nan")),
        url=headers.get("x-mockup-url"),
        url_expires_at=_to_time(headers.get("x-mockup-url-expires")),
    )


def to_batch(answer: Answer, key: Optional[str]) -> Batch:
    body = answer.json("results")
    mockups = [
        BatchMockup(
            template=result["template_id"],
            content_type=result["content_type"],
            bytes=base64.b64decode(result["image"]),
            url=result.get("url"),
            url_expires_at=_to_time(result.get("url_expires_at")),
            artwork=result.get("artwork", []),
        )
        for result in body["results"]
    ]
    return Batch(**_charge(answer.headers, key), mockups=mockups, duration_ms=body["duration_ms"])


def _charge(headers: Mapping[str, str], key: Optional[str]) -> Mapping[str, Any]:
    return {
        "credits_used": int(headers.get("x-credits-used", "0")),
        "credits_remaining": int(headers.get("x-credits-remaining", "0")),
        "replayed": headers.get("idempotency-replayed") == "true",
        "request_id": headers.get("x-request-id", ""),
        "idempotency_key": key,
    }


def _to_time(text: Optional[str]) -> Optional[datetime]:
    # Python 3.9 and 3.10 do not read the Z.
    return None if text is None else datetime.fromisoformat(text.replace("Z", "+00:00"))
