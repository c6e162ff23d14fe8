"""Plain requests to a host that is not the platform: a code host, or where tokens come from."""

from collections.abc import Mapping
from typing import Any, Self

from .http_answer import HttpAnswer


class OtherHost:
    """Connections to one host, with headers that go to no other; raises `WrongUse` for a proxy."""

    def __init__(self, base_url: str, headers: Mapping[str, str], timeout: float) -> None:
        from .plain_wire import PlainWire  # and httpx with it, which most runs do without

        self._wire = PlainWire(base_url, headers, timeout)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._wire.close()

    def send(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        form: Mapping[str, str] | None = None,
    ) -> HttpAnswer:
        """Sends one request, with a body of JSON or a form; raises `NoAnswer`, with words for a
        person."""
        return self._wire.send(method, path, query, body, form)
