"""How a changed course is changed on the platform: entries in calls, and steps for a person.

A child of something new cannot be named in the same call (O4), so a deep addition takes a
call a level, with a read-back between. Nothing can be deleted (O11): what left the manifest
stays in the recorded form, and in every plan, until a person has said that it is gone.
"""

from collections.abc import Iterator, Mapping, Set
from functools import partial
from typing import Any, NamedTuple

from ...kind import CallPart, FormChange, ManualStep, UpdatePlan
from ...resource import Form
from ..body import WAYS
from ..references import own_node, rename_references
from . import languages, release
from .draft import Draft, UpdateEntry, by_hand
from .form import MAIN, ONE_TOPIC, REFERENCES, part_types
from .outline import SECTION, TOPIC, merge_siblings
from .spec import GROUP_FIELDS, PACKAGE_FIELDS, SESSION_FIELDS, VIDEO_FIELDS, ArticleVariant
from .tree import prune_parts
from .twins import first_ones

UPDATE = "course.update"
JOB_FIELDS = frozenset(
    {"asset", "detailAsset", "scormUrl", "pdfUrl", "videoUrl", "posterImageAsset"}
)
"""Fields whose URLs the platform fetches in a job: sending them again queues it again."""
UNWRITABLE = {
    "kind": "the kind of a course cannot change: make a new course under a new key",
    "source": "set the source label in the admin interface{change}; no route changes it",
    "status": release.STEP,
    "resetSessionAfterComplete": "set it in the authoring interface; no route changes it",
}
_VARIANT = "edit it in the authoring interface; no route changes it"
PARTS_BY_HAND = {
    **{f"*.{name}": text for name, text in TOPIC.fixed.items()},
    "*": "a person deletes what is removed from the list",
}
BY_HAND = {
    **UNWRITABLE,
    **{
        f"articleVariant.{name}": _VARIANT
        for name in ArticleVariant.model_fields.keys() - set(WAYS)
    },
    "articleVariant.languages": languages.STEP,
    **PARTS_BY_HAND,
}
FURTHER = {"status": release.RELEASE}
_MAIN_TOPIC = VIDEO_FIELDS | PACKAGE_FIELDS
"""Fields of a one-topic kind that the topic holds once the course is made (O9)."""


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
    way = release.choose_release(change)
    if way:
        return release.describe_release(change, way, partial(update_course, levels=levels))
    first = first_ones(change.after, part_types(change.before))
    described = _at_once(change._replace(after=first), levels)
    if first == change.after:
        return described
    reached = described.calls[-1].after if described.calls else change.before
    rest = update_course(change._replace(before=reached), levels)
    return rest._replace(calls=[*described.calls, *rest.calls])


def _at_once(change: FormChange, levels: Levels) -> UpdatePlan:
    draft = Draft(change.address)
    if change.before.get("kind") != change.after.get("kind"):
        return UpdatePlan(manual=[ManualStep("kind", UNWRITABLE["kind"])])
    merged = _draft_fields(draft, change, levels)
    _main_topic(draft, change, merged)
    _draft_structure(draft, change, merged)
    calls = list(_make_calls(draft, change, merged))
    return UpdatePlan(calls, draft.manual, release.list_retirement_reasons(change))


def _draft_fields(draft: Draft, change: FormChange, levels: Levels) -> Form:
    """Entries for the group and the session; the form as it will be afterwards."""
    fixed = UNWRITABLE | {"status": release.describe_status_step(change)}
    merged, changed = draft.settle_fields(change.before, change.after, fixed)
    for level, (id_name, allowed) in levels.items():
        fields = {key: value for key, value in changed.items() if key in allowed}
        if fields:
            draft.set_fields_of(
                level, own_node(draft.address, id=id_name), rename_references(REFERENCES, fields)
            )
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
    managed = before.keys() if change.after["articleVariant"] is None else after.keys()
    changed = {key for key in managed if before.get(key) != after.get(key)}
    rest = changed - writable
    if not changed:
        return {}
    for field in sorted(rest):
        draft.ask_person(f"articleVariant.{field}", by_hand(field, _VARIANT, before, after))
    kept = {key: before[key] for key in rest if key in before}
    left = {k: v for k, v in after.items() if k not in rest} | kept
    merged["articleVariant"] = left or change.after["articleVariant"]
    return {key: after.get(key) for key in changed & writable}


def _draft_structure(draft: Draft, change: FormChange, merged: dict[str, Any]) -> None:
    """Sections of a courseGroup, topics of a microCourse."""
    for field, level, parent in (
        ("sections", SECTION, own_node(draft.address, id="course")),
        ("topics", TOPIC, own_node(draft.address, id="lesson")),
    ):
        before, after = change.before.get(field) or [], change.after.get(field) or []
        if field in change.after and before != after:
            merged[field] = merge_siblings(draft, level, parent, (before, after))


def _make_calls(draft: Draft, change: FormChange, merged: Form) -> Iterator[CallPart]:
    missing = {entry.adds for entry in draft.entries if entry.adds is not None}
    changes = sum(entry.adds is None for entry in draft.entries)
    for call in draft.list_calls():
        missing -= {entry.adds for entry in call if entry.adds is not None}
        changes -= sum(entry.adds is None for entry in call)
        yield CallPart.describe_part(
            change.address,
            UPDATE,
            {"courseAttributes": _entries_by_list(call)},
            # While changes are still to come, what was before is the honest record.
            change.before if changes else prune_parts(merged, missing) if missing else merged,
            adds=any(entry.adds is not None for entry in call),
            repeatable=not any(entry.adds or JOB_FIELDS & entry.value.keys() for entry in call),
        )


def _entries_by_list(call: list[UpdateEntry]) -> dict[str, list[Any]]:
    lists: dict[str, list[Any]] = {}
    for entry in call:
        lists.setdefault(entry.level, []).append(entry.value)
    return lists
