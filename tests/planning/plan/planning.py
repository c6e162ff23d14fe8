"""Plans for tests: what is recorded, what is desired, and what a read has shown."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from lmssync.catalog.manifests.catalog import Catalog
from lmssync.kind import CallPart, Ids
from lmssync.planning import diff, plan
from lmssync.planning.plan import Plan, PlanContext
from lmssync.platform.live import LiveState
from lmssync.resource import Address
from lmssync.settings import Platform
from lmssync.state import JournaledCall, Store
from lmssync.support.decisions import Decisions
from tests.making import catalog, course, lesson, record, resource, section, topic

NOTHING: Mapping[str, Any] = {}


def planned(
    store: Store,
    desired: Iterable[Mapping[str, Any]],
    recorded: Iterable[Mapping[str, Any]] = (),
    *,
    seen: Mapping[str, LiveState] = NOTHING,
    platform: Platform | None = None,
    allow: str = "",
    planning: Mapping[str, int] = NOTHING,
) -> Plan:
    """The plan for `desired`, where `recorded` has been applied before."""
    with store.hold_state():
        store.put_records([record(data, _ids(data)) for data in recorded], reason="test")
    resources = catalog(*desired)
    changes = [
        diff.with_live(change, seen.get(str(change.address)))
        for change in diff.find_changes(resources, store)
    ]
    decided = Decisions(allow=frozenset(map(Address.parse, allow.split())))
    base_url, settings = "http://127.0.0.1:1", platform or Platform()
    where = PlanContext("test", base_url, settings, decided, planning=planning)
    return plan.make_plan(Catalog(Path(), resources, 1), store, changes, where)


def _ids(data: Mapping[str, Any]) -> Ids | None:
    """Ids of a course with those of its parts."""
    if "sections" not in data:
        return None
    parts: dict[str, str] = {}
    for part in data["sections"]:
        parts[part["id"]] = f"id of {part['id']}"
        for inner in part["lessons"]:
            path = f"{part['id']}/{inner['id']}"
            parts[path] = f"id of {path}"
            parts |= {f"{path}/{item['id']}": f"id of {item['id']}" for item in inner["topics"]}
    return Ids({"course": f"C {data['key']}", "courseGroup": f"G {data['key']}"}, parts)


def open_call(store: Store, data: Mapping[str, Any]) -> None:
    """A create whose outcome nobody knows."""
    made = resource(data)
    with store.hold_state():
        store.write_intent(
            JournaledCall(
                "1",
                "course.create",
                {},
                (CallPart(made.address, made.packed_form, adds=True, repeatable=False),),
                "",
                "",
                "",
            )
        )


def calls(made: Plan) -> list[tuple[int, str, list[str]]]:
    """Phase, route and keys of each step."""
    return [
        (step.phase, step.route, [part.address.key for part in step.parts]) for step in made.steps
    ]


def actions(made: Plan) -> dict[str, str]:
    """The planned action of each address."""
    return {str(change.address): change.action.value for change in made.changes}


def topics(*names: str) -> list[dict[str, Any]]:
    """Sections of a course with these topics."""
    return [section("s", lesson("l", *(topic(name) for name in names)))]


def numbered(count: int, **fields: Any) -> list[dict[str, Any]]:
    """Courses c000, c001, ..."""
    return [course(f"c{n:03}", **{"title": f"Course {n}"} | fields) for n in range(count)]


def document(made: Plan, *, calls: bool = False) -> Any:
    """The plan as it is printed, read again."""
    return json.loads(b"".join(plan.spell_printed_plan(made, calls=calls)))
