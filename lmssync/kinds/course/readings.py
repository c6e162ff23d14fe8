"""What reads of a course prove, and which of its fields they show under which names (O22, O23)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ...kind import Ids, Json, Reading
from ...resource import Form
from ...vocabulary.enums import SessionStatus
from ...vocabulary.rules import strip_markup
from ..on_wire import given, instant, unordered
from .form import MAIN, ONE_TOPIC
from .live import request
from .spec import PACKAGE_FIELDS, VIDEO_FIELDS, ArticleVariant, Topic
from .tree import BELOW, ROOTS, Item, topics

WRITTEN = {"releaseAt": "releaseDate", "accessLevel": "openType"}
"""Names of reads, and the names of the same fields in a manifest (O23)."""
UNKNOWN_IF_NULL = frozenset({"accessLevel"})
_HIDDEN = frozenset({"id", "updatedAt"})
_DATES = (
    "publishDate",
    "futurePublishDate",
    "enrollmentStartDate",
    "enrollmentEndDate",
    "courseStartDate",
    "courseEndDate",
    "gracePeriodEndDate",
    "*.releaseDate",
)
_SETS = ("tags", "relatedCourses", "prerequisiteCourses", "prerequisiteLearningPaths")
ON_WIRE: Mapping[str, Callable[[Json], Json]] = {
    **dict.fromkeys(_DATES, instant),
    **dict.fromkeys(_SETS, unordered),
    **dict.fromkeys(("metaTitle", "metaDescription"), lambda text: strip_markup(text or "")),
    **dict.fromkeys(("customFields", "sessionCustomFields"), given),
}
MAIN_FIELDS = {
    "article": frozenset({"articleVariant"}),
    "video": VIDEO_FIELDS | {"articleVariant"},
    "shareableContentObject": PACKAGE_FIELDS,
}
"""Fields of a one-topic kind that its topic holds (O19)."""
CONTENT = frozenset(Topic.model_fields) - {
    "id",
    "title",
    "type",
    "attested",
    "markdown",
    "bodyFile",
}
_TREE = frozenset({"*.title", "*.type", "*.openType", "*.releaseDate", "articleVariant.title"})


def session(form: Form, ids: Ids, live: Json) -> Form | None:
    """What the read of a session shows; None for one that reads as deleted (O38)."""
    if live.get("status") == SessionStatus.DELETED:
        return None
    shown = {key: live[key] for key in ("title", "sku") if key in live}
    return shown | _status(form, live) | tree(form, ids, live)


def _status(form: Form, live: Json) -> Form:
    """The status, unless the platform has changed it itself on the date for that (spec 3)."""
    status = live.get("status")
    due = form.get("futurePublishDate") and status == SessionStatus.PUBLISHED
    if status is None or due:
        return {}
    as_sent = form.get("futurePublishDate") and status == SessionStatus.PENDING
    return {"status": form.get("status") if as_sent else status}


def tree(form: Form, ids: Ids, live: Json) -> Form:
    """The parts that are recorded, in the order and with the fields that the read shows."""
    if form["kind"] in ONE_TOPIC:
        mine = (topic for _, (*_, topic) in topics(live) if topic["id"] == ids.parts.get(MAIN))
        return next((_main(form["kind"], topic) for topic in mine), {})
    names = {part_id: path for path, part_id in ids.parts.items()}
    below = {"sections": live.get("sections") or [], "topics": [r[-1] for _, r in topics(live)]}
    return {level: list(_parts(below[level], level, names)) for level in ROOTS if level in form}


def _main(kind: str, topic: Item) -> Form:
    """The fields of a one-topic kind that its topic shows; its title is the variant's."""
    shown = _fields(topic)
    if kind == "article":
        return {"articleVariant": shown}
    variant = {"articleVariant": {"body": shown["body"]}} if "body" in shown else {}
    return {name: shown[name] for name in MAIN_FIELDS[kind] if name in shown} | variant


def _parts(items: Sequence[Item], level: str, names: Mapping[str, str]) -> Iterator[Form]:
    """Parts whose ids are known; those that others have added are left out."""
    for item in items:
        if item["id"] not in names:
            continue
        below = BELOW[level]
        parts = {below: list(_parts(item.get(below) or [], below, names))} if below else {}
        yield _fields(item) | parts | {"id": names[item["id"]].rpartition("/")[2]}


def _fields(item: Item) -> Form:
    """Its fields under the names of the manifest."""
    return {
        WRITTEN.get(name, name): value
        for name, value in item.items()
        if name not in _HIDDEN and not (value is None and name in UNKNOWN_IF_NULL)
    }


def marks(form: Form, ids: Ids, live: Json) -> dict[str, str]:
    """When each topic was last changed (O24)."""
    stamps = {topic["id"]: topic.get("updatedAt") for _, (*_, topic) in topics(live)}
    return {
        path: stamp
        for name, part_id in ids.parts.items()
        if (stamp := stamps.get(part_id))
        for path in _paths(form, name)
    }


def _paths(form: Form, name: str) -> Sequence[str]:
    """`start/welcome/hello` as `FieldChange.path` spells it; of a one-topic kind, its fields."""
    if form["kind"] in ONE_TOPIC:
        return [field for field in MAIN_FIELDS[form["kind"]] if field in form]
    levels = list(BELOW) if "sections" in form else ["topics"]
    steps: list[Any] = list(zip(levels, name.split("/"), strict=False))
    return [".".join(f"{level}[{part}]" for level, part in steps)]


BY_ID = Reading(
    request=request,
    shows=session,
    proves=frozenset({"title", "status", "sku"}) | _TREE,
    notices=frozenset(f"*.{field}" for field in CONTENT)
    | VIDEO_FIELDS
    | PACKAGE_FIELDS
    | {f"articleVariant.{field}" for field in ArticleVariant.model_fields},
    marks=marks,
)
READINGS = (BY_ID,)
