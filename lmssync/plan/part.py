"""One resource's piece on its way into a call: packed, with what the scheduler needs to know."""

from collections.abc import Mapping
from typing import NamedTuple

import orjson

from ..address import Address
from ..kinds import KINDS
from ..kinds.kind import Json, Piece
from ..resource import canonical, pack
from .plan import Share, entries


class Part(NamedTuple):
    """A share and how it travels. The body is packed: a plan may hold thousands."""

    route: str
    params: Mapping[str, Json]
    wave: int
    entries: int
    """How many entries it counts against the limit of its route (O5)."""
    weight: int
    """Bytes of its body."""
    look: str
    """What reads show of it beside its mark: two of a look never share a call."""
    share: Share


def part(
    piece: Piece,
    address: Address,
    *,
    after: bytes | None = None,
    mark: str | None = None,
    last: bool = True,
    creates: bool = False,
) -> Part:
    """A piece made ready; `after` saves packing a form that is packed already."""
    body = orjson.dumps(piece.body)
    share = Share(
        address,
        pack(body),
        after or pack(canonical(piece.after)),
        mark,
        piece.adds,
        piece.repeatable,
        last,
        creates,
    )
    return Part(
        piece.route,
        piece.params,
        piece.wave,
        len(entries(piece.route, piece.body)),
        len(body),
        KINDS[address.kind].reads.appearance(piece.after) if creates else "",
        share,
    )
