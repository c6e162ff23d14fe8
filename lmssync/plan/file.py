"""A plan as JSON, in a file and back: what `plan --json` prints, with its calls."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from .. import __version__
from ..address import Address
from ..diff import FieldChange
from ..errors import WrongUse
from ..kinds.kind import Effect, Manual
from ..resource import canonical, pack, spelling, unpack
from ..writing import write_whole
from .budget import budget
from .plan import Action, Intention, Plan, Share, Step, packed

FORMAT = "lmssync.plan/1"


def document(plan: Plan, *, calls: bool = False) -> dict[str, Any]:
    """The plan as plain data; with `calls` it is enough to apply it."""
    cost = budget(plan)
    found: dict[str, Any] = {
        "format": FORMAT,
        "lmssync": __version__,
        "environment": plan.environment,
        "baseUrl": plan.base_url,
        "lineage": plan.lineage,
        "serial": plan.serial,
        "catalog": plan.catalog,
        "commit": plan.commit,
        "summary": plan.summary,
        "changes": [_change(intention) for intention in plan.intentions],
        "calls": {
            "total": cost.total,
            "byRoute": cost.by_route,
            "least": cost.least,
            "minutes": list(cost.minutes),
        },
    }
    if plan.allowed:
        found["allowed"] = [str(address) for address in plan.allowed]
    if plan.protections:
        found["protections"] = {str(address): on for address, on in plan.protections.items()}
    if calls:
        found["steps"] = [_step(step) for step in plan.steps]
        found["releases"] = {str(a): unpack(form) for a, form in plan.releases.items()}
    return found


def _change(intention: Intention) -> dict[str, Any]:
    """One entry; `from` and `guard` stand only where there is one."""
    found = {
        "address": str(intention.address),
        "action": intention.action,
        "effect": intention.effect,
        "title": intention.title,
        "reasons": list(intention.reasons),
        "fields": [field._asdict() for field in intention.fields],
        "manual": [step._asdict() for step in intention.manual],
        "basis": intention.basis,
    }
    if intention.was:
        found["from"] = str(intention.was)
    if intention.guard:
        found["guard"] = intention.guard
    return found


def _step(step: Step) -> dict[str, Any]:
    return _call(step) | {"shares": [_share(share) for share in step.shares]}


def _call(step: Step) -> dict[str, Any]:
    return {"slot": step.slot, "route": step.route, "params": step.params}


def _share(share: Share) -> dict[str, Any]:
    return {
        "address": str(share.address),
        "body": share.body,
        "after": unpack(share.packed_after),
        "marker": share.marker,
        "adds": share.adds,
        "repeatable": share.repeatable,
        "last": share.last,
        "creates": share.creates,
    }


def digest(plan: Plan) -> str:
    """Names the plan: the same catalog against the same state in the same place."""
    parts = [plan.lineage, str(plan.serial), plan.environment, plan.base_url, plan.catalog]
    parts += [str(address) for address in plan.allowed]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def save(plan: Plan, file: Path) -> None:
    """Writes the plan, whole or not at all; raises `WrongUse` where that cannot be."""
    try:
        write_whole(file, _pieces(plan), mode=0o600)
    except OSError as error:
        raise WrongUse(f"the plan cannot be written to {file}: {error.strerror}") from None


def _pieces(plan: Plan) -> Iterator[bytes]:
    """The document with its calls, a line a share: thousands as one value would fill memory."""
    yield orjson.dumps(document(plan), option=orjson.OPT_INDENT_2).removesuffix(b"\n}")
    yield b',\n  "steps": ['
    for number, step in enumerate(plan.steps):
        yield b",\n    " if number else b"\n    "
        yield orjson.dumps(_call(step)).removesuffix(b"}") + b',"shares":['
        yield from _lines(orjson.dumps(_share(share)) for share in step.shares)
        yield b"]}"
    yield b'],\n  "releases": {'
    yield from _lines(
        orjson.dumps(str(address)) + b":" + spelling(form)
        for address, form in plan.releases.items()
    )
    yield b"}\n}\n"


def _lines(values: Iterable[bytes]) -> Iterator[bytes]:
    for number, value in enumerate(values):
        yield (b",\n      " if number else b"\n      ") + value


def restore(file: Path) -> Plan:
    """The plan in a file; raises `WrongUse` for a file that holds none."""
    try:
        data = orjson.loads(file.read_bytes())
    except OSError as error:
        raise WrongUse(f"the plan {file} cannot be read: {error.strerror}") from None
    except orjson.JSONDecodeError as error:
        raise WrongUse(f"{file} is no plan: it is not JSON ({error})") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT or "steps" not in data:
        raise WrongUse(
            f"{file} is no saved plan of this lmssync ({FORMAT})", "make one with `plan --out FILE`"
        )
    try:
        found = _plan(data)
        budget(found)  # looks into every call: what is damaged shows here, not half-way
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise WrongUse(f"{file} is damaged: {error!r}", "make it again with `plan --out`") from None
    return found


def _plan(data: Mapping[str, Any]) -> Plan:
    releases = {Address.parse(a): pack(canonical(form)) for a, form in data["releases"].items()}
    intentions = [_intention(change) for change in data["changes"]]
    listed = sum(intention.action is Action.UNCHANGED for intention in intentions)
    return Plan(
        environment=str(data["environment"]),
        base_url=str(data["baseUrl"]),
        lineage=str(data["lineage"]),
        serial=int(data["serial"]),
        catalog=str(data["catalog"]),
        commit=str(data["commit"]),
        intentions=intentions,
        steps=[_restored(step) for step in data["steps"]],
        releases=releases,
        unchanged=data["summary"]["unchanged"] - listed,
        allowed=[Address.parse(address) for address in data.get("allowed", ())],
        protections={Address.parse(a): bool(on) for a, on in data.get("protections", {}).items()},
    )


def _intention(change: Mapping[str, Any]) -> Intention:
    action = Action(change["action"])
    was = change["from"] if action is Action.MOVE else change.get("from")
    return Intention(
        Address.parse(change["address"]),
        action,
        Effect(change["effect"]),
        list(change["reasons"]),
        [FieldChange(**field) for field in change["fields"]],
        [Manual(**step) for step in change["manual"]],
        change["basis"],
        str(change["title"]),
        Address.parse(was) if was else None,
        str(change.get("guard", "")),
    )


def _restored(step: Mapping[str, Any]) -> Step:
    shares = tuple(
        Share(
            Address.parse(share["address"]),
            packed(share["body"]),
            pack(canonical(share["after"])),
            share["marker"],
            share["adds"],
            share["repeatable"],
            share["last"],
            share["creates"],
        )
        for share in step["shares"]
    )
    return Step(step["slot"], step["route"], step["params"], shares)
