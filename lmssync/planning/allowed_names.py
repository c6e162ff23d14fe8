"""The names that somebody allows, checked: they become a part of the decisions of a run."""

import re
from collections.abc import Iterable
from typing import TypedDict

from ..errors import WrongUse
from ..kinds import KINDS
from ..problems import suggest_near
from ..resource import Address
from .plan import OF_PLAN

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
    if parsed.kind not in KINDS:
        hint = suggest_near(parsed.kind, KINDS) or f"there are: {', '.join(KINDS)}"
        raise WrongUse(f"`{text}` is not an address: there is no kind `{parsed.kind}`", hint)
    return parsed


def require_field(text: str) -> None:
    """Raises `WrongUse` unless `text` is an address, or an address with a field that its kind has:
    `course.a`, `course.a:title`, `course.a:sections[start].lessons[one].title`."""
    name, _, path = text.partition(":")
    kind = KINDS[parse_address(name).kind]
    field = re.split(r"[.\[]", path)[0]
    if field and field not in kind.spec.model_fields:
        hint = suggest_near(field, kind.spec.model_fields) or (
            f"`lmssync explain {kind.resource}` shows the fields that there are"
        )
        raise WrongUse(f"`{text}`: a {kind.noun} has no field `{field}`", hint)


def parse_allowed(names: Iterable[str], environment: str) -> Allowed:
    """Resources, guards over a plan, and the environment of the run; raises `WrongUse`."""
    names = list(names)
    lifted = {name for name in names if name in OF_PLAN or name.startswith(ENVIRONMENT)}
    named = {name for name in lifted if name.startswith(ENVIRONMENT)}
    if others := named - {f"{ENVIRONMENT}{environment}"}:
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
