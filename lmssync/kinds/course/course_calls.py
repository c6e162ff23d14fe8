"""How a course is made and changed: entries in calls, and steps for a person (spec 2.2, 4; O39).

A child of something new cannot be named in the same call (O4), so a deep addition takes a
call a level, with a read-back between. Nothing can be deleted (O11): what left the manifest
stays in the recorded form, and in every plan, until a person has said that it is gone. The status
is changed by a call of its own, where the instance has one for it (O39).
"""

from collections.abc import Callable, Iterator, Mapping, Set
from functools import partial
from typing import Any, NamedTuple

from ...kind import CallPart, Effect, FormChange, ManualStep, Removal, UpdatePlan
from ...resource import Address, Form
from ...vocabulary.enums import CreateStatus, ReleaseType
from ..reference_fields import own_node, rename_references
from ..shared_fields import WAYS
from .course_changes import (
    LANGUAGE_STEP,
    SECTION,
    TOPIC,
    Draft,
    describe_field_step,
    merge_siblings,
)
from .course_form import MAIN, ONE_TOPIC, REFERENCES, drop_part_ids, part_types, prune_parts
from .course_manifest import (
    GROUP_FIELDS,
    PACKAGE_FIELDS,
    SESSION_FIELDS,
    VIDEO_FIELDS,
    ArticleVariant,
)
from .course_pairing import first_ones

RELEASE = "content.release"
_OPEN = (None, CreateStatus.DRAFT, CreateStatus.PUBLISHED)
_BY_HAND = "set the status in the admin interface{change}; "
STATUS_STEP = f"{_BY_HAND}no route of the specification changes it"
"""What a person does about the status."""
_STEP_OR_CALL = f"{_BY_HAND}`--allow ADDRESS` lets lmssync do it by a call"
_REASON = "learners see the course once it is published"
_RETIRED = (
    "nothing shows what enrolled learners still see, so they may lose access; licenses, "
    "purchase paths and completion criteria stay as they are"
)
"""No read and no text of the platform shows more about a course that is a draft again."""


def choose_release(change: FormChange) -> ReleaseType | None:
    """Which call changes the status; None if none does, or nobody has allowed it.

    A course that is to be published on a date is pending: its status is left to a person.
    """
    if not _can_release(change):
        return None
    if change.after["status"] == CreateStatus.PUBLISHED:
        return ReleaseType.RELEASE
    return ReleaseType.UNRELEASE if change.allowed else None


def describe_status_step(change: FormChange) -> str:
    """What a person does about the status, and the call that may be allowed instead."""
    if _can_release(change) and _is_retired(change):
        return _STEP_OR_CALL.replace("ADDRESS", str(change.address))
    return STATUS_STEP


def list_retirement_reasons(change: FormChange) -> tuple[str, ...]:
    """What is known of a course that becomes a draft again, whoever changes its status."""
    return (_RETIRED,) * _is_retired(change)


def _is_retired(change: FormChange) -> bool:
    before, after = change.before.get("status"), change.after.get("status")
    return after == CreateStatus.DRAFT != before


def _can_release(change: FormChange) -> bool:
    before, after = change.before, change.after
    dated = any(form.get("futurePublishDate") for form in (before, after))
    return (
        RELEASE in change.routes
        and before.get("kind") == after.get("kind")
        and before.get("status") in _OPEN
        and after.get("status") not in {None, before.get("status")}
        and not dated
    )


def describe_release(
    change: FormChange, way: ReleaseType, update: Callable[[FormChange], UpdatePlan]
) -> UpdatePlan:
    """The call, after all other changes where learners will see them, and before them where they
    no longer should; `update` describes the others."""
    status = {"status": change.after["status"]}
    if way is ReleaseType.UNRELEASE:
        # First out of sight, then the rest: learners must not see it half changed.
        hidden = {**change.before, **status}
        rest = update(change._replace(before=hidden))
        calls = [_release_call(change, way, hidden), *rest.calls]
        return rest._replace(calls=calls, reasons=list_retirement_reasons(change))
    unpublished = {key: value for key, value in change.after.items() if key != "status"}
    if "status" in change.before:
        unpublished["status"] = change.before["status"]
    rest = update(change._replace(after=unpublished))
    # Where a person still has to do something, the form after our calls is not the wanted one.
    reached = change.before if rest.manual else unpublished
    if rest.calls:
        reached = rest.calls[-1].after
    call = _release_call(change, way, {**reached, **status})
    return rest._replace(calls=[*rest.calls, call], reasons=[_REASON])


def _release_call(change: FormChange, way: ReleaseType, after: dict[str, object]) -> CallPart:
    params = {"id": own_node(change.address, id="course")}
    return CallPart.describe_part(
        change.address, RELEASE, {"releaseType": way.value}, after, params=params
    )


CREATE = "course.create"
STRUCTURE = ("sections", "topics", "articleVariant")
_RETIREMENT = "to retire it, see “Retire a course” in docs/guide.md"


def create_course_part(address: Address, form: Form, marker: str | None) -> CallPart:
    """One entry of `courseAttributes`; the marker, `sku=...`, goes in where the author set none.

    Parts that must wait for their twins are left to `update`.
    """
    # The ids of two new twins could not be told apart in one answer (O15).
    after = first_ones(form)
    fields = rename_references(REFERENCES, after)
    entry = {key: value for key, value in fields.items() if value is not None}
    entry |= {key: drop_part_ids(entry[key]) for key in STRUCTURE if key in entry}
    if marker:
        field, _, value = marker.partition("=")
        entry.setdefault(field, value)
    body = {"courseAttributes": [entry]}
    part_of_it = None if after == form else after
    return CallPart.describe_part(address, CREATE, body, part_of_it, adds=True, repeatable=False)


def remove_course(form: Form) -> Removal:
    """No route deletes one (O11): it stays, and if it has a price, it keeps that too."""
    is_sold = form.get("priceInCents") and form.get("purchasable") is not False
    price = ", for the same price" if is_sold else ""
    way = "" if form.get("status") == CreateStatus.DRAFT else f"; {_RETIREMENT}"
    stays = f"everybody who can see it still can{price}{way}"
    return Removal(Effect.COMMERCE if is_sold else Effect.ACCESS, stays)


UPDATE = "course.update"
JOB_FIELDS = frozenset(
    {"asset", "detailAsset", "scormUrl", "pdfUrl", "videoUrl", "posterImageAsset"}
)
"""Fields whose URLs the platform fetches in a job: sending them again queues it again."""
UNWRITABLE = {
    "kind": "the kind of a course cannot change: make a new course under a new key",
    "source": "set the source label in the admin interface{change}; no route changes it",
    "status": STATUS_STEP,
    "resetSessionAfterComplete": "set `resetSessionAfterComplete` in the authoring interface"
    "{change}; no route changes it",
}
_VARIANT = "edit the {} of the article in the authoring interface; no route changes it"
PARTS_BY_HAND = {
    **{f"*.{name}": text for name, text in TOPIC.fixed.items()},
    "*": "a person deletes what is removed from the list",
}
BY_HAND = {
    **UNWRITABLE,
    **{
        f"articleVariant.{name}": _VARIANT.format(name)
        for name in ArticleVariant.model_fields.keys() - set(WAYS)
    },
    "articleVariant.languages": LANGUAGE_STEP,
    **PARTS_BY_HAND,
}
FURTHER = {"status": RELEASE}
_MAIN_TOPIC = VIDEO_FIELDS | PACKAGE_FIELDS
"""Fields of a one-topic kind that belong to its topic once the course is made (O9)."""


class Written(NamedTuple):
    """The fields that an entry of an update takes, and which id of the resource it names."""

    id_name: str
    fields: Set[str]


Levels = Mapping[str, Written]
"""By the list of an update."""
SESSION_LEVEL: Levels = {"courses": Written("course", SESSION_FIELDS | {"title"})}
LEVELS = {"courseGroups": Written("courseGroup", GROUP_FIELDS), **SESSION_LEVEL}
"""A create gives its title to the session as well, and reads show that one (O22)."""


def update_course(change: FormChange, levels: Levels = LEVELS) -> UpdatePlan:
    """The calls and manual steps that lead from `before` to `after`; twins come one by one."""
    way = choose_release(change)
    if way:
        return describe_release(change, way, partial(update_course, levels=levels))
    # Two new parts that look alike never share a call: nothing would tell their ids apart.
    first = first_ones(change.after, part_types(change.before))
    described = _at_once(change._replace(after=first), levels)
    if first == change.after:
        return described
    reached = described.calls[-1].after if described.calls else change.before
    # Each turn adds the next of the twins, and the recursion ends when the form that is reached has
    # all of them.
    rest = update_course(change._replace(before=reached), levels)
    return rest._replace(calls=[*described.calls, *rest.calls])


def _at_once(change: FormChange, levels: Levels) -> UpdatePlan:
    draft = Draft(change.address)
    if change.before.get("kind") != change.after.get("kind"):
        # Nothing else is sent: the other fields may be those of the new kind alone.
        return UpdatePlan(manual=[ManualStep("kind", UNWRITABLE["kind"])])
    merged = _draft_fields(draft, change, levels)
    _main_topic(draft, change, merged)
    for field, level, parent in (
        ("sections", SECTION, own_node(draft.address, id="course")),
        ("topics", TOPIC, own_node(draft.address, id="lesson")),
    ):
        before, after = change.before.get(field) or [], change.after.get(field) or []
        if field in change.after and before != after:
            merged[field] = merge_siblings(draft, level, parent, (before, after))
    calls = list(_make_calls(draft, change, merged))
    return UpdatePlan(calls, draft.manual, list_retirement_reasons(change))


def _draft_fields(draft: Draft, change: FormChange, levels: Levels) -> Form:
    """Entries for the group and the session; the form as it will be afterwards."""
    fixed = UNWRITABLE | {"status": describe_status_step(change)}
    merged, changed = draft.settle_fields(change.before, change.after, fixed)
    for level, (id_name, allowed) in levels.items():
        if fields := {key: value for key, value in changed.items() if key in allowed}:
            node = own_node(draft.address, id=id_name)
            draft.set_fields_of(level, node, rename_references(REFERENCES, fields))
    return merged


def _main_topic(draft: Draft, change: FormChange, merged: dict[str, Any]) -> None:
    """Content of the kinds that have one topic: it is changed through that topic (O9)."""
    if change.after.get("kind") not in ONE_TOPIC:
        return
    fields = {
        key: value
        for key, value in change.after.items()
        if key in _MAIN_TOPIC and change.before.get(key) != value
    }
    fields |= _draft_variant(draft, change, merged)
    if fields:
        draft.set_fields_of("topics", own_node(draft.address, part=MAIN), fields)


def _draft_variant(draft: Draft, change: FormChange, merged: dict[str, Any]) -> dict[str, Any]:
    """The body of an article goes to its topic; a variant's other fields are left to a person."""
    if "articleVariant" not in change.after:
        return {}
    before = change.before.get("articleVariant") or {}
    after = change.after["articleVariant"] or {}
    writable = {"body"} if change.after["kind"] == "article" else set()
    # Null clears the variant: then every field that it had is to be changed.
    managed = before.keys() if change.after["articleVariant"] is None else after.keys()
    changed = {key for key in managed if before.get(key) != after.get(key)}
    rest = changed - writable
    if not changed:
        return {}
    for field in sorted(rest):
        text = describe_field_step(field, _VARIANT.format(field), before, after)
        draft.ask_person(f"articleVariant.{field}", text)
    kept = {key: before[key] for key in rest if key in before}
    left = {k: v for k, v in after.items() if k not in rest} | kept
    merged["articleVariant"] = left or change.after["articleVariant"]
    return {key: after.get(key) for key in changed & writable}


def _make_calls(draft: Draft, change: FormChange, merged: Form) -> Iterator[CallPart]:
    missing = {entry.adds for entry in draft.entries if entry.adds is not None}
    changes = sum(entry.adds is None for entry in draft.entries)
    for call in draft.list_calls():
        missing -= {entry.adds for entry in call if entry.adds is not None}
        changes -= sum(entry.adds is None for entry in call)
        lists: dict[str, list[Any]] = {}
        for entry in call:
            lists.setdefault(entry.level, []).append(entry.value)
        yield CallPart.describe_part(
            change.address,
            UPDATE,
            {"courseAttributes": lists},
            # While changes are still to come, what was before is the honest record.
            change.before if changes else prune_parts(merged, missing) if missing else merged,
            adds=any(entry.adds is not None for entry in call),
            repeatable=not any(entry.adds or JOB_FIELDS & entry.value.keys() for entry in call),
        )
