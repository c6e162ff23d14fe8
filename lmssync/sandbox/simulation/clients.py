"""The clients that learners belong to, and the licenses that still have seats."""

from dataclasses import dataclass
from random import Random

from ..documents import Doc
from ..people.license_change import seats_used
from ..platform import Platform

_CHANCE_OF_MORE = 0.35
"""That a learner holds a license besides the client's default."""


@dataclass
class Client:
    """A client; `left` counts the seats of its licenses, infinite where they have no limit."""

    doc: Doc
    licenses: list[Doc]
    left: dict[str, float]

    def take_seats(self, random: Random) -> list[Doc]:
        """The licenses that one more learner gets; their seats are taken."""
        taken = [
            one for one in self.licenses if self.left[one["id"]] and _draws_license(random, one)
        ]
        for license_ in taken:
            self.left[license_["id"]] -= 1
        return taken


def _draws_license(random: Random, license_: Doc) -> bool:
    drawn = random.random()  # drawn for every license, so that one more does not change the others
    return bool(license_.get("isDefault")) or drawn < _CHANCE_OF_MORE


def clients_of(platform: Platform, *, moment: str) -> list[Client]:
    """The clients that are not disabled, oldest first, with the licenses not over at `moment`."""
    return [
        _make_client(platform, doc, moment)
        for doc in platform.objects.list_objects("clients")
        if not doc["disabled"]
    ]


def _make_client(platform: Platform, doc: Doc, moment: str) -> Client:
    held = seats_used(platform, doc["id"])
    owned = platform.objects.list_owned("licenses", doc["id"])
    licenses = [one for one in owned if (one.get("expirationDate") or moment) >= moment]
    limits = {one["id"]: one.get("seatsLimit") or float("inf") for one in licenses}
    return Client(doc, licenses, {id_: max(limits[id_] - held[id_], 0) for id_ in limits})
