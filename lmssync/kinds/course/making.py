"""The call that makes a course, described as a value (spec 2.2, 4)."""

from ...address import Address
from ...resource import Form
from ..kind import Piece
from ..references import rewire
from .form import REFERENCES
from .twins import first_ones
from .wire import CREATE, plain

STRUCTURE = ("sections", "topics", "articleVariant")


def create(_address: Address, form: Form, marker: str | None) -> Piece:
    """One entry of `courseAttributes`; the marker, `sku=...`, goes in where the author set none.

    Parts that must wait for their twins are left to `update`.
    """
    after = first_ones(form)
    entry = {key: value for key, value in rewire(REFERENCES, after).items() if value is not None}
    entry |= {key: plain(entry[key]) for key in STRUCTURE if key in entry}
    if marker:
        field, _, value = marker.partition("=")
        entry.setdefault(field, value)
    return Piece(CREATE, {"courseAttributes": [entry]}, after=after, adds=True, repeatable=False)
