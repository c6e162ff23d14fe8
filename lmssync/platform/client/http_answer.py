"""What a host that is not the platform has answered, and that it has not."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from . import answers
from .waits import retry_after


class NoAnswer(Exception):
    """No answer that can be used. The request may have been carried out all the same."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class HttpAnswer(NamedTuple):
    """An answer of any status."""

    status: int
    headers: Mapping[str, str]
    """By their names in small letters."""
    body: Any
    """The JSON of it, without secrets; nothing if it has none."""

    @property
    def wait(self) -> float:
        """Seconds that the host asks to wait."""
        return retry_after(self.headers)

    @property
    def words(self) -> str:
        """What it says is wrong."""
        return answers.describe_refusal(self.body) or f"HTTP {self.status}"
