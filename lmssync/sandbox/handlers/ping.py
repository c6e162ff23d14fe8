"""`ping`: is the platform there, and is the key good (spec 4)."""

from ..platform import World
from ..serving.exchange import Answer, Call


def ping(_world: World, _call: Call) -> Answer:
    return Answer({"valid": True})
