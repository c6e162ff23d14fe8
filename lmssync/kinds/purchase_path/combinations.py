"""Which fields of a purchase path go together (spec 4)."""

from ...kind import Companion, Either, Together
from .spec import Target

URL_OR_ITEM = Either(
    "url",
    "item",
    none="A target is either `item`, or `url` with a `title`.",
    both="A target is either `item`, or `url` with a `title`.",
    companions=[
        Companion("title", "url", "`title` goes with `url` only.", "A `url` needs a `title`.")
    ],
)
"""Exactly one target, and a title for an address only (spec 4)."""
TOGETHER: Together = {Target: [URL_OR_ITEM]}
