"""The names that somebody allows, checked: they become a part of the decisions of a run."""

from collections.abc import Iterable
from typing import TypedDict

from .address import Address
from .errors import WrongUse
from .plan import OF_PLAN
from .problems import suggest_near

ENVIRONMENT = "environment."
"""Before the name of a protected environment."""


class Allowed(TypedDict):
    """Fields of `Decisions`."""

    allow: frozenset[Address]
    lifted: frozenset[str]


def parse_address(text: str) -> Address:
    """The address that somebody wrote; raises `WrongUse` for what cannot be one."""
    parsed = Address.parse(text)
    if not parsed.key:
        raise WrongUse(
            f"`{text}` is not an address", "an address is a kind and a key: course.safety-101"
        )
    return parsed


def parse_allowed(names: Iterable[str], environment: str) -> Allowed:
    """Resources, guards over a plan, and the environment of the run; raises `WrongUse`."""
    names = list(names)
    lifted = {name for name in names if name in OF_PLAN or name.startswith(ENVIRONMENT)}
    others = {name for name in lifted if name.startswith(ENVIRONMENT)} - {
        f"{ENVIRONMENT}{environment}"
    }
    if others:
        raise WrongUse(
            f"`--allow {min(others)}` names another environment: this run is for {environment}",
            f"choose it with -e {min(others).removeprefix(ENVIRONMENT)}",
        )
    for name in names:
        if "." not in name and name not in OF_PLAN:
            hint = suggest_near(name, OF_PLAN) or f"there are: {', '.join(sorted(OF_PLAN))}"
            raise WrongUse(f"--allow: `{name}` is not an address, nor a guard over a plan", hint)
    resources = frozenset(parse_address(name) for name in names if name not in lifted)
    return {"allow": resources, "lifted": frozenset(lifted)}
