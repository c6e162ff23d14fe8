"""How completion criteria are made, changed, recognised and imported (spec 2.3, 4; O22, O25)."""

from collections.abc import Sequence, Set

from ...kind import (
    Ambiguity,
    CallPart,
    Effect,
    FormChange,
    Ids,
    ImportedManifest,
    Imports,
    Json,
    NameOf,
    Reading,
    ReadRequest,
    Removal,
    Shown,
    UpdatePlan,
)
from ...resource import Address, Form
from ...vocabulary.enums import TOPIC_CRITERIA, CriterionType
from ..reference_fields import left_in_course, own_node
from .criterion_manifest import NEEDS, criterion_title

UPDATE, READ = "criteria.update", "course.read"
BY_HAND = {"course": "a criterion cannot move to another course: give it a new key"}
SENT = frozenset({"type", "percent", "seconds", "topic"})
"""Every update sends the type with what it needs."""
_OTHER_TYPE = (
    "its type on the platform is now `{0}`, which does not fit what git wants: "
    "`--keep git {1}` sends all of it from git, `--keep platform {1}` leaves what is there"
)


def criterion_fields(form: Form) -> dict[str, Json]:
    """The type-named fields that the platform takes (spec 2.3)."""
    kind = CriterionType(form["type"])
    if kind in TOPIC_CRITERIA:
        return {kind.value: form["topic"]}
    if kind is CriterionType.VIDEO_PERCENT_VIEWED:
        return {kind.value: form["percent"], "videoTopicId": form["topic"]}
    return {kind.value: form["seconds"] if "seconds" in form else form["percent"]}


def create_criterion_part(address: Address, form: Form, _marker: str | None) -> CallPart:
    entry = {"courseId": form["course"], "type": form["type"], **criterion_fields(form)}
    return CallPart.describe_part(
        address, UPDATE, {"criteria": [entry]}, adds=True, repeatable=False
    )


def update_criterion(change: FormChange) -> UpdatePlan:
    """The route of a create, with the id; the platform itself clears the fields of an old type."""
    if change.before["course"] != change.after["course"]:
        return UpdatePlan(undecided=BY_HAND["course"])
    if change.before == change.after:
        return UpdatePlan()
    # Somebody may have set another type on the platform, which needs what the form lacks.
    needs = NEEDS.get(change.after["type"])
    if needs is None or any(change.after.get(field) is None for field in needs):
        return UpdatePlan(undecided=_OTHER_TYPE.format(change.after["type"], change.address))
    entry = {
        "id": own_node(change.address),
        "type": change.after["type"],
        **criterion_fields(change.after),
    }
    call = CallPart.describe_part(change.address, UPDATE, {"criteria": [entry]}, change.after)
    if change.before.get("type") == change.after["type"]:
        return UpdatePlan([call])
    # A new type takes the fields of the old one away (spec 4, criteria rule 2).
    return UpdatePlan([call], clears=change.before.keys() - change.after.keys())


def remove_criterion(form: Form) -> Removal:
    what = f"completion criterion “{criterion_title(form)}” (`{form['type']}`)"
    return left_in_course(what, form, Effect.PROGRESS, "learners still have to meet it")


def failed_entries(answer: Json, entries: Sequence[Json]) -> dict[int, str]:
    """Entries named in `errors` of a successful answer: by course, type and record.

    Where more entries fit than were refused and the record does not tell which, none is blamed:
    a read shows which of them was made.
    """
    errors = list(answer.get("errors") or [])
    refused: dict[int, str] = {}
    for number, error in enumerate(errors):
        left = (n for n in range(len(entries)) if n not in refused)
        alike = [n for n in left if _names_entry(error, entries[n])]
        if not alike:
            continue
        blamed = sum(_names_entry(other, entries[alike[0]]) for other in errors[number:])
        named = [n for n in alike if _in_record(error, entries[n])]
        if named or len(alike) <= blamed:
            refused[(named or alike)[0]] = str(error.get("error"))
    return refused


def _names_entry(error: Json, entry: Json) -> bool:
    if "id" in entry:
        return str(entry["id"]) in str(error.get("record"))
    return bool(error.get("courseId") == entry["courseId"] and error.get("type") == entry["type"])


def _in_record(error: Json, entry: Json) -> bool:
    record = str(error.get("record"))
    return all(str(value) in record for value in entry.values())


def criterion_request(_address: Address, form: Form) -> ReadRequest:
    """A criterion is read with its course (O22, O25)."""
    return ReadRequest(READ, {"id": form["course"]})


def match_criterion(
    form: Form, _marker: str | None, live: Json, taken: Set[str], *_: object
) -> Ids | Ambiguity | None:
    """The criterion of the same type and value; `form` has its nodes bound to ids."""
    criteria = live.get("completionCriteria")
    if criteria is None:
        return Ambiguity("a read of its course does not list completion criteria")
    wanted = criterion_fields(form)
    for criterion in criteria:
        same = all(criterion.get(field) == value for field, value in wanted.items())
        # Two criteria of a course may be equal: each of them is taken once.
        if criterion["type"] == form["type"] and same and criterion["id"] not in taken:
            return Ids({"id": criterion["id"]})
    return None


def observe_criterion(form: Form, ids: Ids, live: Json) -> Form | None:
    """The type and the number of a rule; None if its course no longer has the rule."""
    criteria = live.get("completionCriteria")
    # A read without the list proves nothing, not even that the rule is gone.
    if criteria is None:
        return {}
    mine = next((one for one in criteria if one["id"] == ids.own["id"]), None)
    if mine is None:
        return None
    number = "seconds" if "seconds" in form else "percent"
    shown = mine.get(mine["type"])
    return {"type": mine["type"]} | ({number: shown} if isinstance(shown, int) else {})


def show_live_criterion(form: Form, ids: Ids, live: Json) -> Form | None:
    """The rule in the terms of a manifest; None if its course no longer has the rule."""
    criteria = live.get("completionCriteria")
    if criteria is None:
        return {}
    mine = next((one for one in criteria if one["id"] == ids.own["id"]), None)
    if mine is None:
        return None
    kind = mine["type"]
    topic = "videoTopicId" if kind == CriterionType.VIDEO_PERCENT_VIEWED else kind
    needs = NEEDS.get(kind, frozenset())
    # Fields that this type does not have are null, so that a change of the type shows their end.
    values = {
        name: mine.get(field) if name in needs else None
        for name, field in (("seconds", kind), ("percent", kind), ("topic", topic))
    }
    return {"type": kind, **values, "course": form["course"]}


READINGS = (
    Reading(
        route=READ,
        request=criterion_request,
        shows=show_live_criterion,
        proves=frozenset({"type", "percent", "seconds", "topic", "course"}),
        shared=True,
    ),
)


def criterion_manifest(shown: Shown, name_of: NameOf) -> ImportedManifest | str:
    """The manifest of a criterion that the platform shows: its type, with `percent`, `seconds` and
    `topic` as that type needs them."""
    item = shown["item"]
    if item["type"] not in set(CriterionType):
        return f"manifests cannot express its type, {item['type']}"
    kind = CriterionType(item["type"])
    data = {"course": name_of("course", item["course"]), "type": kind.value}
    if kind in TOPIC_CRITERIA:
        data["topic"] = name_of("part", item[kind])
    elif kind is CriterionType.ARTICLE_TIME_VIEWED_IN_SECONDS:
        data["seconds"] = item[kind]
    else:
        data["percent"] = item[kind]
    if kind is CriterionType.VIDEO_PERCENT_VIEWED:
        data["topic"] = name_of("part", item["videoTopicId"])
    return ImportedManifest(data, Ids({"id": item["id"]}))


IMPORTS = Imports(
    owner="course",
    listed=ReadRequest("criteria.list", {"id": ""}, {}, "completionCriteria"),
    ids=lambda item: [item["id"]],
    name=lambda item: item["type"],
    manifest=criterion_manifest,
    answers=lambda shown: {"course.read": {"completionCriteria": [shown["item"]]}},
)
