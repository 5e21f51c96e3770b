import os
import re
import ssl
import uuid
from typing import Any, Dict, Iterator, Mapping, Optional, Sequence, Union, cast
from urllib.parse import urlencode

from ._artwork import Artwork, build_body
from ._contract_types import Balance, Placement, Template, Usage
from ._mockup import Batch, Mockup, to_batch, to_mockup
from ._send import Answer, Settings, send

_PAGE_SIZE = 100

# Hosts of this machine and its network, which have no certificates as a rule.
_LOCAL_HOST = re.compile(r"(?:localhost|\d+(?:\.\d+){3}|\[[\da-f:]+\]|[^.:/]+)(?::|/|$)", re.IGNORECASE)


def make_key() -> str:
    """A new idempotency key. The service forgets answers of `auto-` keys before those that a caller chose."""
    return f"auto-{uuid.uuid4()}"


def _from_environment(name: str) -> str:
    value = os.environ.get(name, "")
    if not value:
        raise TypeError(f"Expected {name} in the environment, or as an argument")
    return value


class Vitrine:
    """A service of mockups, as one of its accounts. Threads may share one.

    Args:
        api_key: default: the environment's VITRINE_API_KEY.
        base_url: where the service is, as https://mockups.example.com. Default: VITRINE_URL.
        max_retries: tries after the first one.
        timeout: seconds for each try; the service answers within 28.
        ssl_context: for a service with a certificate of its own.

    Every call takes `timeout` and `max_retries` in place of these, and raises VitrineError.
    """

    def __init__(
        self,
        api_key: Optional[str] = None,
        base_url: Optional[str] = None,
        *,
        max_retries: int = 2,
        timeout: float = 30.0,
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        address = (base_url or _from_environment("VITRINE_URL")).rstrip("/")
        if "://" not in address:
            scheme = "http" if _LOCAL_HOST.match(address) else "https"
            raise ValueError(
                "Expected the address of the service, with https:// or http://, as base_url"
                f" but received {address!r}: write {scheme}://{address.lstrip('/')}"
            )
        if not address.endswith("/api/v1"):
            address += "/api/v1"
        self._settings = Settings(address, api_key or _from_environment("VITRINE_API_KEY"), ssl_context)
        self._max_retries = max_retries
        self._timeout = timeout

    def __repr__(self) -> str:
        return f"Vitrine(base_url={self._settings.base_url!r})"

    def generate(
        self,
        template: str,
        artwork: Artwork,
        *,
        format: Optional[str] = None,
        quality: Optional[int] = None,
        width: Optional[int] = None,
        placement: Optional[Placement] = None,
        placements: Optional[Mapping[Union[int, str], Placement]] = None,
        colors: Optional[Mapping[str, str]] = None,
        idempotency_key: Union[str, bool, None] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Mockup:
        """Renders artwork into a template. Costs a credit; an error costs nothing.

        Args:
            artwork: a path, bytes, a file opened as "rb", or an http(s) address as str; a list or a dict by
                the index of the frame has one for each frame. JPEG, PNG, WebP or GIF of at most 20 MB.
            idempotency_key: repeats with the same key are charged once, for 24 hours. Without one a key is
                made for this call and its retries; False sends none.
        """
        output = _given(format, quality, width, placement, placements, colors)
        key = _choose_key(idempotency_key)
        fields = {"template_id": template, **output}
        return to_mockup(self._generate(fields, artwork, key, timeout, max_retries), key)

    def generate_batch(
        self,
        templates: Sequence[str],
        artwork: Artwork,
        *,
        format: Optional[str] = None,
        quality: Optional[int] = None,
        width: Optional[int] = None,
        placement: Optional[Placement] = None,
        placements: Optional[Mapping[Union[int, str], Placement]] = None,
        colors: Optional[Mapping[str, str]] = None,
        idempotency_key: Union[str, bool, None] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Batch:
        """Renders artwork into up to twelve templates. Costs a credit each; an error costs nothing."""
        output = _given(format, quality, width, placement, placements, colors)
        key = _choose_key(idempotency_key)
        fields = {"template_ids": list(templates), "response_format": "json", **output}
        return to_batch(self._generate(fields, artwork, key, timeout, max_retries), key)

    def templates(
        self,
        *,
        type: Optional[str] = None,
        category: Optional[str] = None,
        search: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[Template]:
        """Every template that the account may use, page by page. `type` is print or product."""
        page, pages = 1, 1
        while page <= pages:
            query = {"type": type, "category": category, "search": search, "page": page, "limit": _PAGE_SIZE}
            body = self._get("/templates", query, timeout, max_retries).json("templates")
            yield from body["templates"]
            pages = body["pagination"]["total_pages"]
            page += 1

    def balance(self, *, timeout: Optional[float] = None, max_retries: Optional[int] = None) -> Balance:
        """What the account can spend now."""
        answer = self._get("/billing/balance", {}, timeout, max_retries)
        return cast(Balance, answer.json("balance_credits"))

    def usage(
        self,
        *,
        period: Optional[str] = None,
        scope: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Usage:
        """What was done in the last days: `period` as "7d", `scope` key or account."""
        answer = self._get("/billing/usage", {"period": period, "scope": scope}, timeout, max_retries)
        return cast(Usage, answer.json("total_requests"))

    def _generate(
        self,
        fields: Mapping[str, Any],
        artwork: Artwork,
        key: Optional[str],
        timeout: Optional[float],
        max_retries: Optional[int],
    ) -> Answer:
        return send(
            self._settings,
            "POST",
            "/mockups/generate",
            headers={} if key is None else {"Idempotency-Key": key},
            body=build_body(fields, artwork),
            timeout=self._timeout if timeout is None else timeout,
            max_retries=self._max_retries if max_retries is None else max_retries,
        )

    def _get(
        self, path: str, query: Mapping[str, object], timeout: Optional[float], max_retries: Optional[int]
    ) -> Answer:
        given = {name: value for name, value in query.items() if value is not None}
        return send(
            self._settings,
            "GET",
            f"{path}?{urlencode(given)}" if given else path,
            timeout=self._timeout if timeout is None else timeout,
            max_retries=self._max_retries if max_retries is None else max_retries,
        )


def _choose_key(key: Union[str, bool, None]) -> Optional[str]:
    if key is False:
        return None
    return key if isinstance(key, str) else make_key()


def _given(
    format: Optional[str],
    quality: Optional[int],
    width: Optional[int],
    placement: Optional[Placement],
    placements: Optional[Mapping[Union[int, str], Placement]],
    colors: Optional[Mapping[str, str]],
) -> Dict[str, Any]:
    fields = {
        "format": format,
        "quality": quality,
        "width": width,
        "placement": placement,
        "placements": placements,
        "colors": colors,
    }
    return {name: value for name, value in fields.items() if value is not None}
