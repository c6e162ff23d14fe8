"""Homes: the clients that learners belong to, and the licenses that still have seats."""

from dataclasses import dataclass
from random import Random
from typing import Any

from ..people.seats import used
from ..platform import Platform

Doc = dict[str, Any]
_CHANCE_OF_MORE = 0.35
"""That a learner holds a license besides the client's default."""


@dataclass
class Home:
    """A client; `left` counts the seats of its licenses, None where they have no limit."""

    client: Doc
    licenses: list[Doc]
    left: dict[str, int | None]

    def take(self, random: Random) -> list[Doc]:
        """The licenses that one more learner gets; their seats are taken."""
        taken = [one for one in self.licenses if self._has_seat(one) and _gets(random, one)]
        for license_ in taken:
            seats = self.left[license_["id"]]
            if seats is not None:
                self.left[license_["id"]] = seats - 1
        return taken

    def _has_seat(self, license_: Doc) -> bool:
        return self.left[license_["id"]] != 0


def _gets(random: Random, license_: Doc) -> bool:
    drawn = random.random()  # drawn for every license, so that one more does not change the others
    return bool(license_.get("isDefault")) or drawn < _CHANCE_OF_MORE


def homes(platform: Platform, *, moment: str) -> list[Home]:
    """The clients that are not disabled, oldest first, with the licenses not over at `moment`."""
    return [
        _home(platform, one, moment)
        for one in platform.objects.all("clients")
        if not one["disabled"]
    ]


def _home(platform: Platform, client: Doc, moment: str) -> Home:
    held = used(platform, client["id"])
    licenses = [
        one
        for one in platform.objects.owned("licenses", client["id"])
        if (one.get("expirationDate") or moment) >= moment
    ]
    return Home(client, licenses, {one["id"]: _left(one, held[one["id"]]) for one in licenses})


def _left(license_: Doc, held: int) -> int | None:
    limit = license_.get("seatsLimit")
    return max(int(limit) - held, 0) if limit else None
