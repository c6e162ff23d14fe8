"""`ping`: is the platform there, and is the key good (spec 4)."""

from ..platform import Platform
from ..serving.exchange import Answer, Call


def ping(_platform: Platform, _call: Call) -> Answer:
    return Answer({"valid": True})
