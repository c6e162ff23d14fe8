"""Every field of every kind, changed by hand: the live form shows it, or its part is noticed, or no
route of the instance shows the field, and then the reference says so."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

from lmssync.diff import compare
from lmssync.kinds import KINDS
from lmssync.kinds.course.form import MAIN, ONE_TOPIC, REFERENCES
from lmssync.kinds.course.spec import GROUP_FIELDS, SESSION_FIELDS
from lmssync.kinds.license.spec import REFERENCES as LICENSE_REFERENCES
from lmssync.live import Certainty, LiveState, evidence
from lmssync.live.fields import leaves, pattern, within
from lmssync.settings import Platform
from lmssync.state import Record

from .conftest import Seen

SAMPLED = 4
"""One in so many fields; all of them among the slow tests."""
MORE = """\
resource: course
key: more-video
kind: video
title: One more
videoAsset: VIDEO
postAsset: VIDEO
---
resource: client
key: more
cloneOf: golden
name: One more
slug: one-more
disabled: false
---
resource: license
key: more
client: acme
name: More
courses: []
learningPaths: []
courseTags: [Safety]
replaceCourseIds: false
replaceLearningPathIds: false
replaceCourseTagIds: false
""" + "".join(f"ref{n}: Of ours\n" for n in range(3, 10))
RULES = """\
completionCriteria:
  - {id: m, type: coursePercentViewed, percent: 80}
  - {id: t, type: courseTopicViewed, topic: start/one/hello}
"""
LISTS = {"path": "purchasePaths", "license": "licenses", "client": "clients"}
WIRE = {
    **{field: one.wire for field, one in (REFERENCES | LICENSE_REFERENCES).items()},
    "target.item": "targetId",
    "target.url": "targetUrl",
    "target.title": "targetUrlTitle",
}
OTHER: Mapping[str, Any] = {
    "status": "archived",
    "contentType": "Video",
    "openType": "emailCaptureOpen",
    "parentLicense": None,
    "assetType": "hosted",
    "item": "7d1c0000-0000-4000-8000-000000000101",
    "ribbon": "updated",
    "languages": [{"language": "fr", "body": "<p>By hand</p>"}],
    "audience": ["managers"],
    "review-cycle": "none",
    "authors": ["By hand"],
    "body": "<p>By hand</p>",
}
"""Values of fields in which not every text can stand."""
FIXED = {"kind", "type", "course", "client", "cloneOf", "seconds", "percent", "topic"}
"""Fields that nobody can change by hand, and those of criteria, which are tried below."""
DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def other(field: str, value: Any, videos: Sequence[str]) -> Any:
    """Another value of a field, as a person might choose it."""
    name = field.rpartition(".")[2]
    if name in OTHER:
        return OTHER[name]
    if name in {"videoAsset", "preAsset", "postAsset"}:
        return next(one for one in videos if one != value)
    if isinstance(value, bool | int):
        return not value if isinstance(value, bool) else value + 1
    if isinstance(value, list):
        return []
    if DATE.match(value):
        return "2035-05-05"
    return "https://media.example.com/by-hand.png" if "://" in value else "By hand"


def place(record: Record, path: str) -> tuple[str, str, str]:
    """The list and the id of what a person edits, and the name of the field there."""
    ids, form, name = record.ids, record.form, path.rpartition("].")[2]
    if record.address.kind != "course":
        return LISTS[record.address.kind], ids.own["id"], WIRE.get(name, name)
    parts = re.findall(r"(\w+)\[([^]]*)\]", path)
    if parts:
        part = "/".join(step for _, step in parts)
        return parts[-1][0], ids.parts[part], name
    field = name.partition(".")[0]
    if field in SESSION_FIELDS | {"title"}:
        return "courses", ids.own["course"], WIRE.get(field, field)
    if field in GROUP_FIELDS:
        return "courseGroups", ids.own["courseGroup"], WIRE.get(field, field)
    assert form["kind"] in ONE_TOPIC
    return "topics", ids.parts[MAIN], name.removeprefix("articleVariant.")


def fields(records: Mapping[Any, Record]) -> Iterator[tuple[Record, str]]:
    """One record with each field that a person can change, and the path of the field."""
    found = {
        (record.address.kind, pattern(path)): (record, path)
        for record in records.values()
        if record.address.kind in {"course", *LISTS}
        for path in leaves(record.form)
        if path.rpartition(".")[2] not in FIXED
        if not (record.address.kind == "license" and path.startswith("replace"))
        if value_at(record.form, path) not in (None, [])
    }
    return iter(found.values())


def value_at(form: Any, path: str) -> Any:
    """The value of a field."""
    here = form
    for step in re.findall(r"[^.\[\]]+(?=[.\[]|$)|\[[^]]*\]", path):
        if step.startswith("["):
            here = next(item for item in here if item["id"] == step[1:-1])
        else:
            here = here[step]
    return here


def told(record: Record, found: LiveState, path: str) -> set[str]:
    """How a change of a field is told."""
    drift = [change.path for change in compare(record.form, found.form)]
    words = {"proven"} if any(within(one, path) or within(path, one) for one in drift) else set()
    return words | ({"noticed"} if any(within(path, part) for part in found.noticed) else set())


def run(seen: Seen, step: int) -> None:
    """Changes one in `step` fields, one after the other, and compares what is told."""
    seen.work.write("more.yaml", MORE.replace("VIDEO", video(seen)[0]))
    seen.apply_examples()
    seen.platform.order("clock", {"advanceSeconds": 60})
    videos = video(seen)
    routes = Platform.model_validate({"profile": seen.profile}).routes
    wrong = []
    for record, path in list(fields(seen.records))[::step]:
        list_, id_, name = place(record, path)
        value = other(path, value_at(record.form, path), videos)
        if name in {"customFields", "sessionCustomFields"}:
            value = record.form[name] | {path.partition(".")[2]: value}
        seen.edit(list_, id_, **{name: value})
        expected = evidence(KINDS[record.address.kind], record.form, routes)[path]
        shown = told(record, seen.one(str(record.address))[1], path)
        if expected.value not in (shown or {Certainty.UNVERIFIABLE.value}):
            wrong.append((str(record.address), path, expected.value, shown))
    assert [] == wrong


def video(seen: Seen) -> list[str]:
    """Ids of hosted videos."""
    return [one["id"] for one in seen.platform.dump("videoAssets") if one["source"] == "hosted"]


def test_some_fields_changed_by_hand_are_told(seen: Seen) -> None:
    """A change by hand is proven or noticed, as the reference says."""
    run(seen, SAMPLED)


@pytest.mark.slow
def test_every_field_changed_by_hand_is_told(seen: Seen) -> None:
    """A change by hand is proven or noticed, as the reference says."""
    run(seen, 1)


@pytest.mark.parametrize(
    ("key", "wire", "field"),
    [("m", "coursePercentViewed", "percent"), ("t", "courseTopicViewed", "topic")],
)
def test_a_rule_changed_by_hand_is_told(seen: Seen, key: str, wire: str, field: str) -> None:
    """Number and topic of a completion criterion are read in both profiles."""
    seen.work.course("a", RULES)
    seen.work.apply()
    course, _ = seen.one("course.a")
    value = {"m": 90, "t": course.ids.parts["start/one/check"]}[key]
    record, _ = seen.one(f"criterion.a.{key}")
    fields = {"type": wire, wire: value}
    seen.edit("completionCriteria", record.ids.own["id"], **fields)
    assert value == seen.one(f"criterion.a.{key}")[1].form[field]


@pytest.mark.parametrize("profile", ["extended"], indirect=True)
def test_the_title_of_the_item_is_read_beside_that_of_the_session(seen: Seen) -> None:
    """A course has its title twice, and people see that of the catalog item."""
    seen.work.course("a")
    seen.work.apply()
    record, _ = seen.one("course.a")
    seen.edit("courseGroups", record.ids.own["courseGroup"], title="By hand")
    assert "By hand" == seen.one("course.a")[1].form["title"]
