"""Saves a plan to a file and restores it; a file is trusted only as a whole."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

from .. import inside
from ..diff import FieldChange
from ..errors import WrongUse
from ..kinds.call_part import CallPart
from ..kinds.kind import Effect, Ids, Manual
from ..resource import pack, pack_form
from ..vocabulary.routes import ROUTES
from ..writing import write_whole
from . import agreement, signing, typed
from .document import FORMAT, digest, digest_of, filed
from .plan import Action, Adoption, Plan, PlannedChange, Step

_BYTES_MOST = 1024 * 1024 * 1024
_AGAIN = "make it again with `plan --out`"


def save(plan: Plan, file: Path, secret: str = "") -> None:
    """Writes the plan, whole or not at all, and signs it; raises `WrongUse` where that cannot be.

    Without a secret it is not signed.
    """
    try:
        write_whole(file, filed(plan, secret), private=True)
    except OSError as error:
        raise WrongUse(f"the plan cannot be written to {file}: {error.strerror}") from None


def restore(file: Path, secret: str = "") -> Plan:
    """The plan in a file, as it was saved; raises `WrongUse` for any other file.

    With a secret, also for one that was not signed with it.
    """
    data = _read(file)
    stated = data.get("digest")
    if stated is None:
        raise WrongUse(
            f"{file} has no digest, so lmssync cannot check whether it was altered", _AGAIN
        )
    try:
        fits = stated == digest_of(data)
    except TypeError as error:  # it is nested deeper than any plan
        raise WrongUse(f"{file} is damaged: {error}", _AGAIN) from None
    if not fits:
        raise WrongUse(
            f"{file} was altered or damaged: it does not match its own digest ({stated})", _AGAIN
        )
    if secret:
        signing.check(file, data, secret)
    try:
        found = _plan(data)
        contradiction = agreement.contradiction(found)
        if not contradiction and digest(found) != stated:
            contradiction = "what it shows does not match its calls"
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise WrongUse(f"{file} is damaged: {error!r}", _AGAIN) from None
    if contradiction:
        raise WrongUse(f"{file} contradicts itself: {contradiction}", _AGAIN)
    return found


def _read(file: Path) -> dict[str, Any]:
    try:
        data = orjson.loads(inside.named(file, _BYTES_MOST))
    except OSError as error:
        raise WrongUse(f"the plan {file} cannot be read: {error.strerror}") from None
    except orjson.JSONDecodeError as error:
        raise WrongUse(f"{file} is not a plan: it is not JSON ({error})") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT or "steps" not in data:
        raise WrongUse(
            f"{file} is not a saved plan of this lmssync ({FORMAT})",
            "make one with `plan --out FILE`",
        )
    return data


def _plan(data: Mapping[str, Any]) -> Plan:
    changes = [_planned(typed.mapping(change)) for change in typed.items(data["changes"])]
    listed = sum(planned.action is Action.UNCHANGED for planned in changes)
    releases = typed.mapping(data["releases"])
    protections = typed.mapping(data.get("protections", {}))
    planning = typed.mapping(typed.mapping(data["calls"])["planningByRoute"])
    return Plan(
        environment=typed.text(data["environment"]),
        base_url=typed.text(data["baseUrl"]),
        lineage=typed.text(data["lineage"]),
        serial=typed.number(data["serial"]),
        catalog=typed.text(data["catalog"]),
        commit=typed.text(data["commit"]),
        changes=changes,
        steps=[_step(typed.mapping(step)) for step in typed.items(data["steps"])],
        releases={typed.address(a): _form(form) for a, form in releases.items()},
        unchanged=typed.number(typed.mapping(data["summary"])["unchanged"]) - listed,
        adoptions={
            typed.address(a): _adoption(typed.mapping(one))
            for a, one in typed.mapping(data["adoptions"]).items()
        },
        keep=[typed.text(one) for one in typed.items(data.get("keep", []))],
        made_again=[typed.address(one) for one in typed.items(data.get("madeAgain", []))],
        allowed=[typed.address(address) for address in typed.items(data.get("allowed", []))],
        protections={typed.address(a): typed.flag(on) for a, on in protections.items()},
        planning={ROUTES[route].name: typed.number(n) for route, n in planning.items()},
        version=typed.text(data["lmssync"]),
    )


def _adoption(one: Mapping[str, Any]) -> Adoption:
    own, inner = typed.mapping(one["ids"]), typed.mapping(one["parts"])
    ids = Ids(
        {name: typed.text(id_) for name, id_ in own.items()},
        {path: typed.text(id_) for path, id_ in inner.items()},
    )
    return Adoption(ids, _form(one["form"]))


def _planned(change: Mapping[str, Any]) -> PlannedChange:
    action = Action(change["action"])
    was = change["from"] if action is Action.MOVE else change.get("from")
    return PlannedChange(
        typed.address(change["address"]),
        action,
        Effect(change["effect"]),
        [typed.text(reason) for reason in typed.items(change["reasons"])],
        [_field(**typed.mapping(field)) for field in typed.items(change["fields"])],
        [_manual(**typed.mapping(step)) for step in typed.items(change["manual"])],
        None if change["basis"] is None else typed.text(change["basis"]),
        typed.text(change["title"]),
        typed.address(was) if was is not None else None,
        typed.text(change.get("guard", "")),
        typed.flag(change.get("stillOpen", False)),
    )


def _field(path: Any, before: Any, after: Any) -> FieldChange:
    return FieldChange(typed.text(path), before, after)


def _manual(field: Any, text: Any) -> Manual:
    return Manual(typed.text(field), typed.text(text))


def _step(step: Mapping[str, Any]) -> Step:
    route = ROUTES[typed.text(step["route"])].name
    params = typed.mapping(step["params"])
    parts = [typed.mapping(part) for part in typed.items(step["shares"])]
    if not parts:
        raise ValueError("a step without shares")
    return Step(typed.number(step["slot"]), tuple(_part(part, route, params) for part in parts))


def _part(part: Mapping[str, Any], route: str, params: Mapping[str, Any]) -> CallPart:
    return CallPart(
        typed.address(part["address"]),
        _form(part["after"]),
        None if part["marker"] is None else typed.text(part["marker"]),
        typed.flag(part["adds"]),
        typed.flag(part["repeatable"]),
        typed.flag(part["last"]),
        typed.flag(part["creates"]),
        route,
        params,
        pack(orjson.dumps(typed.mapping(part["body"]))),
    )


def _form(form: Any) -> bytes:
    return pack_form(dict(typed.mapping(form)))
