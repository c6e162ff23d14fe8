"""Every field that is sent: a manifest with it, and how a person changes it on the platform.

A resource stands for each field, so that nothing but that field differs of it.
"""

from collections.abc import Mapping
from copy import deepcopy
from typing import NamedTuple

from lmssync.kinds import BY_RESOURCE
from lmssync.kinds.course.course_form import MAIN, ONE_TOPIC
from lmssync.kinds.course.course_manifest import GROUP_FIELDS
from lmssync.platform.live import Binder
from lmssync.resource import Address
from lmssync.state import Record

from .values_by_hand import ALONE, ALWAYS, DOCUMENTS, FIELDS, Edit, Json, Values


class Case(NamedTuple):
    """A field of a kind, with its values."""

    resource: str
    label: str
    """As docs/live.md names it."""
    values: Values

    @property
    def key(self) -> str:
        name = f"f-{self.resource}-{self.label}".lower().replace(".", "-")
        return (
            f"x.{name}"
            if self.resource in {"completionCriterion", "purchasePath", "session"}
            else name
        )

    @property
    def address(self) -> str:
        return f"{BY_RESOURCE[self.resource].name}.{self.key}"

    @property
    def path(self) -> str:
        """As `FieldChange.path` spells it."""
        part, _, name = self.label.rpartition(".")
        return f"{_PARTS[part]}.{name}" if part in _PARTS else self.label

    @property
    def alike(self) -> bool:
        """Whether the person sets what git wants."""
        hand = self.values.hand
        name = self.label.rpartition(".")[2]
        return bool((hand.fields.get(name) if isinstance(hand, Edit) else hand) == self.values.git)

    def manifest(self, *, git: bool = False, other: "Case | None" = None) -> Json:
        """The manifest with our value of the field, or that of git; if there is another field in
        it, git changes that one."""
        document = deepcopy(DOCUMENTS[self.values.of or self.resource])
        document |= {"resource": self.resource, "key": self.key}
        document |= {name: self.key for name in _NAMES if name in document}
        self.put(document, git=git and other is None)
        if other is not None:
            other.put(document, git=git)
        return document

    def put(self, document: Json, *, git: bool) -> None:
        """Sets the field in a manifest."""
        part, _, name = self.label.rpartition(".")
        value = {name: self.values.git, **self.values.along} if git else {name: self.values.ours}
        _holder(document, part).update(value)

    def edit(self, records: Mapping[Address, Record], address: str = "") -> Json:
        """The order to the control plane; `records` have the ids. The field may stand in another
        resource than its own."""
        record = records[Address.parse(address or self.address)]
        binder = Binder(lambda address: records[address].ids, _no_name, records.__contains__)
        hand = self.values.hand
        name = self.label.rpartition(".")[2]
        fields = hand.fields if isinstance(hand, Edit) else {name: hand}
        where, id_ = _place(self, record)
        return {"list": where, "id": id_, "set": binder.bind_value(dict(fields))}


_SECTION = "sections[s]"
_LESSON = f"{_SECTION}.lessons[l]"
_PARTS = {"section": _SECTION, "lesson": _LESSON, "topic": f"{_LESSON}.topics[t]"}
_LISTS = {
    "section": ("sections", "s"),
    "lesson": ("lessons", "s/l"),
    "topic": ("topics", "s/l/t"),
}
_OWN = {
    "completionCriterion": "completionCriteria",
    "purchasePath": "purchasePaths",
    "license": "licenses",
    "client": "clients",
}


_NAMES = ("title", "name", "slug", "label")
"""Fields by which people tell resources apart."""


def _no_name(kind: str, name: str) -> str:
    raise LookupError(f"{kind} {name}")


def _holder(document: Json, part: str) -> Json:
    """The mapping of a document in which a field stands."""
    if part in _PARTS:
        section = document["sections"][0]
        lesson = section["lessons"][0]
        return {"section": section, "lesson": lesson, "topic": lesson["topics"][0]}[part]
    return document.setdefault(part, {}) if part else document


def _place(case: Case, record: Record) -> tuple[str, str]:
    """The list and the id of what a person edits."""
    own, part = record.ids.own, case.label.partition(".")[0]
    if case.resource in _OWN:
        return _OWN[case.resource], own["id"]
    if part in _LISTS:
        list_, path = _LISTS[part]
        return list_, record.ids.parts[path]
    if record.form.get("kind") in ONE_TOPIC and case.values.of:
        return "topics", record.ids.parts[MAIN]
    if part in GROUP_FIELDS - {"title"}:
        return "courseGroups", own["courseGroup"]
    return "courses", own["course"]


CASES = [
    Case(resource, label, values)
    for resource, fields in FIELDS.items()
    for label, values in fields.items()
    if isinstance(values, Values)
]


def apart(case: Case) -> Case | None:
    """A field that each document of the kind has, if an update of it sends nothing of `case`."""
    label = ALWAYS.get(case.resource)
    if label == case.label or case.path in BY_RESOURCE[case.resource].calls.along:
        return None
    return next((one for one in CASES if (one.resource, one.label) == (case.resource, label)), None)


def beside(case: Case) -> Case | None:
    """The next field of the same document, if there is one."""
    alike = [
        one
        for one in CASES
        if (one.resource, one.values.of) == (case.resource, case.values.of)
        and one is not case
        and one.label.rpartition(".")[2] not in ALONE
    ]
    alike.sort(key=lambda one: CASES.index(one) < CASES.index(case))
    return alike[0] if alike else apart(case)
