"""The ways to read a course: what each proves (O22, O26 to O28), and which ids its parts have.

`course.full` and `course.read` show the session with its tree, the group is read apart, and only
content search shows tags.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set

from ...kind import Ambiguity, Ids, InList, Json, Reading, ReadRequest, Search
from ...resource import Address, Form
from ...vocabulary.enums import SessionStatus
from ...vocabulary.normalisers import strip_markup
from ..platform_values import as_instant, as_page, as_rows, as_unordered, drop_empty_values
from ..reference_fields import label_nodes, own_node
from ..shared_fields import WAYS
from .course_form import (
    BELOW,
    MAIN,
    ONE_TOPIC,
    REFERENCES,
    Item,
    all_topics,
    list_sibling_lists,
    list_topics,
    part_types,
    rebuild_form,
    spell_path,
    walk_parts,
)
from .course_manifest import (
    DATE_FIELDS,
    GROUP_FIELDS,
    KIND_FIELDS,
    SESSION_FIELDS,
    ArticleVariant,
    Topic,
)
from .course_pairing import pair_parts

READ = "course.read"
_PROVEN = ("title", "type", "lessons", "topics")
"""Fields of a part that a read shows, if the part has them."""
_PAGE = 200
"""Items per page of content search: as many as it was seen to return."""


def course_request(address: Address, _form: Form) -> ReadRequest:
    return ReadRequest(READ, {"id": own_node(address, id="course")})


def match_course(
    form: Form, marker: str | None, live: Json, _taken: Set[str], known: Ids | None = None
) -> Ids | Ambiguity | None:
    """Returns the ids of the course and its parts, if `live` is this course.

    Known ids are tried first, then the marker, then title and structure: order alone proves nothing
    (O16), and a title may have been changed by hand since its id was recorded.
    """
    if known and known.own["course"] != live["id"]:
        return None
    if not known and not is_this(form, marker, live):
        return None
    paired = pair_parts(form, live, known.parts if known else {})
    if paired.ambiguity:
        return Ambiguity(paired.ambiguity)
    if paired.absent:
        return None
    return Ids((known.own if known else {}) | _own_ids(form, live), paired.ids)


def _own_ids(form: Form, live: Json) -> dict[str, str]:
    ids = {"course": live["id"], "courseGroup": live["courseGroupId"]}
    lesson = None if "sections" in form else _only_lesson(live)
    return ids | ({"lesson": lesson["id"]} if lesson else {})


def pair_course(form: Form, own: Ids, live: Json | None) -> Ids | Ambiguity:
    """All ids of a course whose own id is known. A part that people have renamed before it was read
    for the first time is known by its place; one that they have taken away has an empty id."""
    parts = dict.fromkeys(part_types(form), "")
    if live is None:
        return own._replace(parts=parts)
    paired = pair_parts(form, live, {}, by_place=True)
    if paired.ambiguity:
        return Ambiguity(paired.ambiguity)
    return Ids(own.own | _own_ids(form, live), parts | paired.ids)


def is_this(form: Form, marker: str | None, live: Json) -> bool:
    """Whether a course carries the mark; its title decides where no mark is shown."""
    field, _, value = (marker or "").partition("=")
    if live.get(field):
        return bool(live[field] == value)
    return course_appearance(live) == course_appearance(form)


def course_appearance(course: Form) -> str:
    """The title: if a read does not show the mark, no other field is certain to differ."""
    return " ".join(course["title"].split()).casefold()


def _only_lesson(live: Json) -> Json | None:
    lessons = [one for path, _, items in walk_parts(live) if path[-1] == "lessons" for one in items]
    return lessons[0] if len(lessons) == 1 else None


def search_course(_form: Form, marker: str | None) -> Search | None:
    """How to find it by its mark among all courses, if the instance has content search (O27).

    Searching by sku, or for all courses with one word, is not evidenced everywhere (O48), so every
    item is looked at.
    """
    field, _, value = (marker or "").partition("=")
    if not field:
        return None
    request = ReadRequest("content.search", {}, {"perPage": _PAGE}, "contentItems")
    return Search(request, lambda item: item["id"] if item.get(field) == value else None)


def adopt_course(form: Form, ids: Ids, live: Json) -> Form:
    """The form that a read proves and the fields that a course must have; others are sent again."""
    return {"kind": form["kind"]} | (observe_course(form, ids, live) or {})


def observe_course(form: Form, ids: Ids, live: Json) -> Form | None:
    """The form that a read proves, in the manifest's terms: titles, status, sku, types, order.

    None for a session that reads as deleted (O38).
    """
    if live.get("status") == SessionStatus.DELETED:
        return None
    names = {part_id: path for path, part_id in ids.parts.items()}
    proven: Form = {"title": live["title"]}
    proven |= {key: live[key] for key in ("status", "sku") if key in live and key in form}
    lists = {
        "sections": live.get("sections") or [],
        "topics": [t[-1] for _, t in list_topics(live)],
    }
    shown = {level: items for level, items in lists.items() if form.get(level)}
    return proven | rebuild_form(
        shown, lambda _level, items, above: _known_parts(items, names, above)
    )


def _known_parts(items: Sequence[Item], names: Mapping[str, str], above: str) -> Iterator[Item]:
    """Parts that are recorded here, as far as reads prove them."""
    for item in items:
        path = names.get(item["id"], "")
        name = path.rpartition("/")[2]
        # Others have added or moved the rest here.
        if name and path == f"{above}{name}":
            yield {key: item[key] for key in _PROVEN if key in item} | {"id": name}


WRITTEN = {
    "releaseAt": "releaseDate",
    "accessLevel": "openType",
    "seatsLimit": "enrollmentLimit",
    **{declared.wire: field for field, declared in REFERENCES.items()},
}
"""Names of reads, and the names of the same fields in a manifest (O23)."""
_UNKNOWN_IF_NULL = frozenset({"accessLevel", "status"})
_HIDDEN = frozenset({"id", "updatedAt"})
_GROUPS_PER_PAGE = 1000
"""O47."""
_PAGES = ("body", "preTextBlock", "postTextBlock")
_SETS = ("tags", "relatedCourses", "prerequisiteCourses", "prerequisiteLearningPaths")
ON_WIRE: Mapping[str, Callable[[Json], Json]] = {
    **dict.fromkeys((*sorted(DATE_FIELDS), "*.releaseDate"), as_instant),
    **dict.fromkeys(_SETS, as_unordered),
    **dict.fromkeys(("metaTitle", "metaDescription"), lambda text: strip_markup(text or "")),
    **dict.fromkeys(("customFields", "sessionCustomFields"), drop_empty_values),
    **dict.fromkeys(("*.languages", "articleVariant.languages"), as_rows),
    **dict.fromkeys(("articleVariant.body", *(f"*.{field}" for field in _PAGES)), as_page),
}
CONTENT = Topic.model_fields.keys() - {"id", "title", "type", "attested", *WAYS} | {"body"}
"""Fields that hold what learners see of a topic."""
_GROUP = GROUP_FIELDS - {"tags"}
_GROUP_SHOWN = {
    name: field for name in (*_GROUP, *WRITTEN) if (field := WRITTEN.get(name, name)) in _GROUP
}
"""The names of reads, and those of the manifest."""
_SESSION = SESSION_FIELDS | {"title", "kind"}
_TREE = frozenset({"*.title", "*.type", "*.openType", "*.releaseDate"})


def read_session_form(form: Form, ids: Ids, live: Json) -> Form | None:
    """The form that the read of a session shows; None for one that reads as deleted (O38)."""
    if live.get("status") == SessionStatus.DELETED:
        return None
    fields = _manifest_fields(live)
    shown = {key: fields[key] for key in _SESSION if key in fields}
    if form.get("futurePublishDate"):
        # The platform itself makes it pending, and publishes it on its date (spec 3).
        if shown.get("status") == SessionStatus.PENDING:
            shown["status"] = form.get("status")
        elif shown.get("status") == SessionStatus.PUBLISHED:
            shown = {k: v for k, v in shown.items() if k not in {"status", "futurePublishDate"}}
    return shown | (read_tree_form(form, ids, live) if shows_part_ids(live) else {})


WITHOUT_IDS = "the read of the whole course does not show the ids of its parts"


def shows_part_ids(course: Json) -> bool:
    """Whether the ids of all parts are shown: without them, nobody knows which part is which."""
    return all(part.get("id") for items in list_sibling_lists(course) for part in items)


def shape_as_read(course: Json) -> Json | None:
    """A whole course as the plain read shows it (O22), if it shows as much of each part."""
    titled = all("title" in part for items in list_sibling_lists(course) for part in items)
    return course if titled and shows_part_ids(course) and "courseGroupId" in course else None


def read_tree_form(form: Form, ids: Ids, live: Json) -> Form:
    """The recorded parts, in the order and with the fields that the read shows."""
    if form.get("kind") in ONE_TOPIC:
        mine = (topic for _, (*_, topic) in list_topics(live) if topic["id"] == ids.parts.get(MAIN))
        return next((_main_topic_form(form["kind"], topic) for topic in mine), {})
    names = {part_id: path for path, part_id in ids.parts.items()}
    shown: Form = {}
    if "sections" in form:
        shown["sections"] = list(_known_part_forms(live.get("sections") or [], "sections", names))
    if "topics" in form:
        there = [row[-1] for _, row in list_topics(live)]
        shown["topics"] = list(_known_part_forms(there, "topics", names))
    return shown


def _main_topic_form(kind: str, topic: Item) -> Form:
    shown = _manifest_fields(topic)
    if kind == "article":
        # The title of a topic that the platform has made itself may be that of the variant or of
        # the course (O19, O20): no read shows the title of a variant.
        return {"articleVariant": {name: shown[name] for name in shown if name != "title"}}
    variant = {"articleVariant": {"body": shown["body"]}} if "body" in shown else {}
    return {name: shown[name] for name in KIND_FIELDS[kind] if name in shown} | variant


def _known_part_forms(
    items: Sequence[Item], level: str, names: Mapping[str, str], above: str = ""
) -> Iterator[Form]:
    """Parts that are recorded here; those that others have added or moved here are left out."""
    for item in items:
        parent, _, name = names.get(item["id"], "/").rpartition("/")
        if not name or parent != above:
            continue
        part = _manifest_fields(item)
        part["id"] = name
        if below := BELOW[level]:
            part[below] = list(
                _known_part_forms(item.get(below) or [], below, names, names[item["id"]])
            )
        yield part


def _manifest_fields(item: Item) -> Form:
    """The fields of what a read shows, under the names of the manifest."""
    return {
        WRITTEN.get(name, name): value
        for name, value in item.items()
        if name not in _HIDDEN and not (value is None and name in _UNKNOWN_IF_NULL)
    }


def topic_change_times(form: Form, ids: Ids, live: Json) -> dict[str, str]:
    """When each topic was last changed (O24)."""
    stamps = {
        topic["id"]: stamp
        for topic in all_topics(live)
        if "id" in topic and (stamp := topic.get("updatedAt"))
    }
    named = [(name, stamps[id_]) for name, id_ in ids.parts.items() if id_ in stamps]
    if form.get("kind") in ONE_TOPIC:
        fields = [field for field in KIND_FIELDS[form["kind"]] if field in form]
        return {field: stamp for _, stamp in named for field in fields}
    return {spell_path(form, name): stamp for name, stamp in named}


def read_group_form(form: Form, _ids: Ids, live: Json) -> Form:
    """The catalog item; its ribbon may be an object (O48)."""
    shown = {field: live[name] for name, field in _GROUP_SHOWN.items() if name in live}
    if isinstance(shown.get("ribbon"), dict):
        shown["ribbon"] = shown["ribbon"].get("slug")
    if form.get("contentType") is None:  # it is derived from the kind then
        shown.pop("contentType", None)
    return shown


def read_tags_form(_form: Form, _ids: Ids, item: Json) -> Form:
    """The tags of a course, which no other read shows."""
    listed = item.get("tags")
    if listed is None or not all("id" in tag for tag in listed):
        return {}
    return {"tags": [tag["id"] for tag in listed]}


def _by_ids(ids: Sequence[str]) -> Mapping[str, Json]:
    """The query of content search for some sessions (O48)."""
    return {"query": f"({' OR '.join(f'_id:{id_}' for id_ in ids)})"}


_WHOLE_PARTS = frozenset(f"*.{field}" for field in CONTENT)
_WHOLE_VARIANT = {
    f"articleVariant.{field}" for field in ArticleVariant.model_fields.keys() - {"title", *WAYS}
} | {"articleVariant.body"}
_OF_MAIN_TOPIC = (KIND_FIELDS[kind] for kind in ONE_TOPIC)
_WHOLE_MAIN = frozenset[str]().union(*_OF_MAIN_TOPIC) - {"articleVariant"} | _WHOLE_VARIANT
FULL = Reading(
    route="course.full",
    request=lambda address, _form: ReadRequest(
        "course.full", {"id": own_node(address, id="course")}
    ),
    shows=read_session_form,
    proves=_SESSION | _TREE | _WHOLE_PARTS | _WHOLE_MAIN,
    holder="session",
    marks=topic_change_times,
    shape=shape_as_read,
)
GROUP = Reading(
    route="group.read",
    request=lambda address, _form: ReadRequest(
        "group.read", {"id": own_node(address, id="courseGroup")}
    ),
    listed=InList(
        "courseGroup",
        whole=ReadRequest("group.list", {}, {"perPage": _GROUPS_PER_PAGE}, "courseGroups"),
    ),
    shows=read_group_form,
    proves=_GROUP,
    apart=frozenset({"title"}),
    holder="course group",
    shape=None,
)
TAGS = Reading(
    route="content.search",
    request=lambda _address, _form: ReadRequest(
        "content.search", {}, {"perPage": _PAGE}, "contentItems"
    ),
    listed=InList("course", query=_by_ids),
    shows=read_tags_form,
    proves=frozenset({"tags"}),
    nodes=lambda item: label_nodes("tag", item.get("tags")),
    lags=True,
    dated=True,
    shape=None,
)
BY_ID = Reading(
    route=READ,
    request=course_request,
    shows=read_session_form,
    proves=frozenset({"title", "status", "sku"}) | _TREE,
    notices=_WHOLE_PARTS | _WHOLE_MAIN,
    holder="session",
    marks=topic_change_times,
)
READINGS = (FULL, GROUP, TAGS, BY_ID)
