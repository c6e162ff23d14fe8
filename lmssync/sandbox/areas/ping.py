"""`ping`: is the platform there, and is the key good (spec 4)."""

from ..serving.exchange import Answer, Call
from ..world import World


def ping(_world: World, _call: Call) -> Answer:
    return Answer({"valid": True})
