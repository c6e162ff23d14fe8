"""The calls that make and change a course, described as values (spec 4; O1 to O14)."""

from typing import Any

from ...address import Address
from ...resource import Form
from ..kind import Piece
from ..refers import rewire
from .form import REFERS

CREATE, UPDATE, READ = "course.create", "course.update", "course.read"
STRUCTURE = ("sections", "topics", "articleVariant")
JOB_FIELDS = frozenset(
    {"asset", "detailAsset", "scormUrl", "pdfUrl", "videoUrl", "posterImageAsset"}
)
"""Fields whose URLs the platform fetches in a job: sending them again queues it again."""


def create(_address: Address, form: Form, marker: str | None) -> Piece:
    """One entry of `courseAttributes`; the marker, `sku=...`, goes in where the author set none."""
    entry = {key: value for key, value in rewire(REFERS, form).items() if value is not None}
    entry |= {key: plain(entry[key]) for key in STRUCTURE if key in entry}
    if marker:
        field, _, value = marker.partition("=")
        entry.setdefault(field, value)
    return Piece(CREATE, {"courseAttributes": [entry]}, after=form, adds=True, repeatable=False)


def plain(value: Any) -> Any:
    """`value` without the ids of parts, which are the author's and mean nothing there."""
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items() if key != "id" and item is not None}
    return value
