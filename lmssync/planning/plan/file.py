"""Saves a plan to a file and restores it; a file is accepted only if all of it is intact."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

from ...errors import WrongUse
from ...kind import CallPart, body_entries
from ...support import inside
from ...support.spill import Spill
from ...support.writing import write_whole
from ...vocabulary.routes import ROUTES
from . import agreement, codec, codecs, signing
from .document import FORMAT, digest, digest_of, filed
from .plan import Action, Plan, PlannedChange, Step

_BYTES_MOST = 1024 * 1024 * 1024
_AGAIN = "make it again with `plan --out`"
_PARTS = codec.HEAD | codec.GUARDS | codec.TRUTH | codec.DECISIONS | codec.RECORDS


def save_plan(plan: Plan, file: Path, secret: str = "") -> None:
    """Writes and signs the whole plan or nothing; raises `WrongUse` if that is not possible.

    Without a secret the plan is not signed.
    """
    try:
        write_whole(file, filed(plan, secret), private=True)
    except OSError as error:
        raise WrongUse(f"the plan cannot be written to {file}: {error.strerror}") from None


def restore_plan(file: Path, secret: str = "") -> Plan:
    """Returns the plan in a file as it was saved; raises `WrongUse` for any other file.

    With a secret, it also raises `WrongUse` for a plan that was not signed with it.
    """
    data = _read_plan(file)
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
        signing.check_signature(file, data, secret)
    try:
        restored = _restore_document(data)
        contradiction = agreement.find_contradiction(restored)
        if not contradiction and digest(restored) != stated:
            contradiction = "what it shows does not match its calls"
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise WrongUse(f"{file} is damaged: {error!r}", _AGAIN) from None
    if contradiction:
        raise WrongUse(f"{file} contradicts itself: {contradiction}", _AGAIN)
    return restored


def _read_plan(file: Path) -> dict[str, Any]:
    try:
        data = orjson.loads(inside.read_named(file, _BYTES_MOST))
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


def _restore_document(data: Mapping[str, Any]) -> Plan:
    changes = [_restore_change(change) for change in codecs.require_type(list, data["changes"])]
    listed = sum(planned.action is Action.UNCHANGED for planned in changes)
    planning = codecs.require_type(dict, data["calls"])["planningByRoute"]
    spill = Spill()
    return Plan(
        **codecs.read_fields(_PARTS, data),
        changes=changes,
        steps=[_restore_step(step, spill) for step in codecs.require_type(list, data["steps"])],
        unchanged=codecs.NUMBER.read(data["summary"]["unchanged"]) - listed,
        planning={ROUTES[route].name: codecs.NUMBER.read(n) for route, n in planning.items()},
    )


def _restore_change(data: Any) -> PlannedChange:
    planned = PlannedChange(**codecs.read_fields(codec.CHANGE, data))
    if planned.action is Action.MOVE and planned.was is None:
        raise ValueError(f"{planned.address} moves from nowhere")
    return planned


def _restore_part(data: Any, spill: Spill) -> dict[str, Any]:
    """The fields of a part, whose form is at hand and whose body is not."""
    given = codecs.read_fields(codec.PART, data)
    body, after = spill.keep_bytes(given.pop("spelled_body")), given.pop("packed_after")
    return given | {"kept_body": body, "kept_after": after}


def _restore_step(step: Mapping[str, Any], spill: Spill) -> Step:
    route = ROUTES[codecs.TEXT.read(step["route"])].name
    params = codecs.require_type(dict, step["params"])
    parts = tuple(
        CallPart(
            **_restore_part(part, spill),
            route=route,
            params=params,
            size=len(body_entries(route, part["body"])),
        )
        for part in codecs.require_type(list, step["shares"])
    )
    if not parts:
        raise ValueError("a step without shares")
    return Step(codecs.NUMBER.read(step["slot"]), parts)
