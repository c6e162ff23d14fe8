"""What every handler is: a function of the platform and a call that gives an answer."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from .auth.keys import Key
from .documents import Doc
from .http import Answer
from .platform import Platform


class Call(NamedTuple):
    """A request as a handler sees it: who is known, the body is an object."""

    path: Mapping[str, str]
    query: Mapping[str, list[str]]
    body: Doc
    key: Key

    def last_value(self, name: str) -> str | None:
        """The last value of a query parameter."""
        values = self.query.get(name)
        return values[-1] if values else None


Handler = Callable[[Platform, Call], Answer]
"""The answer to one route. It runs to its end before any other request is looked at, inside a
change of the store unless the route only reads; it raises Refusal to say no, or Wrong for a 400."""
