"""What users can read about a rule."""

from typing import NamedTuple

from ..problems import Severity


class Rule(NamedTuple):
    """One rule: the code of its problems, what a problem means, and what to do about it."""

    id: str
    means: str
    remedy: str
    severity: Severity = Severity.ERROR
    fixed: bool = True
    """The platform would refuse the value, or nothing can be made of the document: such a rule
    can be neither lowered nor switched off by `rules:` of the project file."""
    source: str = ""
    """Section of the specification (`spec 2.2`) or observation (`O18`) that it comes from."""


class Family(NamedTuple):
    """Rules that each field has a version of; their ids have the same ending, and all are fixed."""

    ending: str
    means: str
    remedy: str
