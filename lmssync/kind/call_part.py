"""One resource's part of a call: a kind describes it, a plan has it, the journal keeps it."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import orjson

from ..resource import Address, Form, canonical_text, pack_form, unpack_form
from ..support.disk_buffer import KeptBytes, read_kept_bytes
from ..vocabulary.routes import ROUTES

Body = Any


class CallPart(NamedTuple):
    """One resource's part of a call; parts of one route travel together, up to its limit.

    Body and form are fetched when they are asked for: a plan may hold thousands. The journal keeps
    the first six fields.
    """

    address: Address
    kept_after: KeptBytes = b""
    """The form once this part of the call is done, packed; empty for a create that makes all of
    it."""
    marker: str | None = None
    adds: bool = False
    """True if it makes something new: sent twice, it is made twice, unless it is `repeatable`."""
    repeatable: bool = True
    """True if sending it again does no harm."""
    last: bool = True
    """False if more calls must follow before the resource is as desired."""
    creates: bool = False
    """True if it makes the resource itself, not a part of it."""
    route: str = ""
    params: Mapping[str, Any] = MappingProxyType({})
    kept_body: KeptBytes = b""
    """The canonical text of the whole body of a call with only this part, with `$ref` and
    `$markdown` nodes in it."""
    size: int = 0
    """How many entries it counts against the limit of its route (O5)."""
    look: int = 0
    """The hash of what reads show of it besides its mark, 0 where that does not matter: two parts
    with one look never share a call. A text would need twice the memory."""

    rank: int = 1
    """Parts of a phase go in this order: 0 if it only frees what others may need, as seats, 2 if it
    only takes such things, 1 for the rest."""

    @classmethod
    def describe_part(
        cls, address: Address, route: str, body: Body, after: Form | None = None, **how: Any
    ) -> "CallPart":
        """The part that a kind describes; `how` are further fields."""
        packed, text = b"" if after is None else pack_form(after), canonical_text(body)
        size = len(body_entries(route, body))
        return cls(address, packed, route=route, kept_body=text, size=size, **how)

    @property
    def weight(self) -> int:
        """Bytes of its body."""
        return len(self.kept_body)

    @property
    def packed_after(self) -> bytes:
        return read_kept_bytes(self.kept_after)

    @property
    def spelled_body(self) -> bytes:
        return read_kept_bytes(self.kept_body)

    @property
    def body(self) -> Body:
        return orjson.loads(self.spelled_body)

    @property
    def after(self) -> Form:
        return unpack_form(self.packed_after)

    def sent_values(self) -> tuple[Any, ...]:
        """The values that a part sends: two parts with equal values ask for one thing."""
        return self.route, dict(self.params), self.body, self.adds, self.repeatable


def body_entries(route: str, body: Body) -> Sequence[Body]:
    """The entries of a body; the whole body if the route takes no batch."""
    batch = ROUTES[route].batch
    if batch is None:
        return [body]
    listed = body[batch.field]
    if isinstance(listed, list):
        return listed
    return [entry for level in listed.values() for entry in level]


def merge_bodies(route: str, bodies: Sequence[Body]) -> Body:
    """The bodies of several parts as one, their entries one after the other."""
    batch = ROUTES[route].batch
    if batch is None or len(bodies) == 1:
        return bodies[0]
    lists = [body[batch.field] for body in bodies]
    if all(isinstance(entries, list) for entries in lists):
        return {batch.field: [entry for entries in lists for entry in entries]}
    together: dict[str, list[Any]] = {}
    for levels in lists:
        for level, entries in levels.items():
            together.setdefault(level, []).extend(entries)
    return {batch.field: together}
