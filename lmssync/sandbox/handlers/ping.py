"""`ping`: is the platform there, and is the key good (spec 4)."""

from ..call import Call
from ..http import Answer
from ..platform import Platform


def ping(_platform: Platform, _call: Call) -> Answer:
    return Answer({"valid": True})
