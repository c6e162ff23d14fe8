"""Rules whose id is made of the name of a field: `title-length`, `percent-range`."""

import re
from typing import NamedTuple

from ...problems import Rule

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


class Family(NamedTuple):
    """Rules that each field has a version of; their ids have the same ending, and all are fixed."""

    ending: str
    means: str
    remedy: str

    def of(self, field: str) -> Rule:
        """The rule of a field: of `priceInCents` it is `price-in-cents-range`."""
        return Rule(f"{kebab(field)}{self.ending}", self.means, self.remedy)


TYPE = Family(
    "-type",
    "The value is of the wrong type: a number where text belongs, text where true or false "
    "belongs.",
    "Put text that looks like a number in quotes; write true and false without quotes.",
)
RANGE = Family("-range", "The number is outside what the platform allows.", "Stay within it.")
LENGTH = Family("-length", "The text or list is longer than the platform allows.", "Shorten it.")
VALUE = Family(
    "-value",
    "The value is not one that the field allows, or does not have the form that the field needs.",
    "Use one that the hint lists.",
)


def kebab(name: str) -> str:
    """A name as rules spell it: `priceInCents` is `price-in-cents`."""
    return _HUMP.sub("-", name).lower()
