"""Content of all kinds: `content.search` and `content.release` (O27, O39, O48).

The search index is a little behind the writes; it holds courses, learning paths, collections and
subscriptions.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set

from ...vocabulary.enums import CourseKind, RefusedKind, ReleaseType, SessionStatus
from ..http_messages import Answer, Refusal, bad_request
from ..people.enrollments import ACTIVE
from ..sandbox_documents import Doc
from ..sandbox_platform import Call, Platform
from ..value_checks import quote_value
from .id_lookup import course_of_path
from .list_pages import PAGE_DEFAULT, PAGE_MOST, page_by_cursor, read_number, require_choice

RELEASED_FROM = (SessionStatus.DRAFT, SessionStatus.PENDING, SessionStatus.AUTHORING)
UNRELEASED_FROM = (SessionStatus.PUBLISHED, SessionStatus.LOGIN_RESTRICTION, SessionStatus.PENDING)


def release_content(platform: Platform, call: Call) -> Answer:
    """By a course's id or its group's; saying it twice does no harm (the answer is not shown)."""
    wanted = _read_release_type(call)
    course = course_of_path(platform, call)
    froms, to = {
        ReleaseType.RELEASE: (RELEASED_FROM, SessionStatus.PUBLISHED),
        ReleaseType.UNRELEASE: (UNRELEASED_FROM, SessionStatus.DRAFT),
    }[wanted]
    if course["status"] in froms:
        course.pop("futurePublishDate", None)
        course["status"] = to
        platform.courses.change_document(course)
    elif course["status"] == SessionStatus.ARCHIVED:
        raise Refusal(409, "The session is archived; restore it in the admin interface first")
    return Answer({"id": course["id"], "status": course["status"]})


def _read_release_type(call: Call) -> ReleaseType:
    given = call.body.get("releaseType")
    if not isinstance(given, str) or given not in list(ReleaseType):
        allowed = ", ".join(ReleaseType)
        raise bad_request(
            f"releaseType: {quote_value(given)} is not accepted; it must be one of {allowed}"
        )
    return ReleaseType(given)


ITEM_KINDS = {
    "learningPaths": "learningPath",
    "collections": "collection",
    "subscriptions": "subscription",
}
"""What is found besides courses: the list it is kept in, and its kind."""
OF_GROUP = (
    "slug", "description", "source", "asset", "assetAltText", "metaTitle", "metaDescription",
)  # fmt: skip
OF_SESSION = (
    "sku", "priceInCents", "courseStartDate", "courseEndDate", "enrollmentStartDate",
    "enrollmentEndDate",
)  # fmt: skip


def show_course_item(group: Doc, course: Doc, labels: dict[str, str]) -> Doc:
    """A session with the catalog fields of its group; its id is the session's."""
    return {
        **_common_fields(course, group, labels=labels),
        "courseGroupId": group["id"],
        "type": group["kind"],
        "kind": group["kind"],
        "status": course["status"],
        "authorsAndInstructors": group.get("authors") or [],
        "contentTypeLabel": group.get("contentType"),
        "customFields": group.get("customFields") or {},
        "freeWithRegistration": bool(course.get("freeWithRegistration")),
        "seatsLimit": course.get("enrollmentLimit"),
        "url": f"/catalog/{course['id']}",
        "updatedAt": max(course["updatedAt"], group["updatedAt"]),
    }


def show_other_item(doc: Doc, kind: str, labels: dict[str, str]) -> Doc:
    """A learning path, a collection or a subscription: it has no page and no seats."""
    return {
        **_common_fields(doc, doc, labels=labels),
        "courseGroupId": None,
        "type": kind,
        "kind": kind,
        "status": SessionStatus.PUBLISHED if doc.get("active") else SessionStatus.DRAFT,
        "authorsAndInstructors": [],
        "contentTypeLabel": None,
        "customFields": {},
        "freeWithRegistration": False,
        "seatsLimit": None,
        "url": None,
        "updatedAt": doc.get("updatedAt"),
    }


def _common_fields(doc: Doc, catalog: Doc, *, labels: dict[str, str]) -> Doc:
    """The fields of courses and other items; `catalog` holds what all sessions of a group share."""
    tag_ids = catalog.get("tagIds") or []
    return {
        "id": doc["id"],
        "title": doc["title"],
        "language": catalog.get("language"),
        **{name: catalog.get(name) for name in OF_GROUP},
        **{name: doc.get(name) for name in OF_SESSION},
        "ribbon": {"slug": catalog["ribbon"]} if catalog.get("ribbon") else None,
        "tags": [{"id": id_, "label": labels[id_]} for id_ in tag_ids if id_ in labels],
        "createdAt": doc.get("createdAt"),
    }


Terms = Set[tuple[str, str]]
"""Fields of an item, each with a value that is asked for."""

_COURSES = tuple(str(kind) for kind in (*CourseKind, *RefusedKind))
KINDS = (*_COURSES, *ITEM_KINDS.values())
TYPES: Mapping[str, frozenset[str]] = {
    "courses": frozenset(_COURSES),
    **{f"{kind}s": frozenset((kind,)) for kind in KINDS},
    **{kind: frozenset((kind,)) for kind in KINDS},
}
"""The words of `types[]` with the kinds that each finds: plural words (O48), of which `courses` is
every course, and the kinds themselves."""
FIELDS = {"_id": "id", "slug": "slug", "sku": "sku"}
"""What can be asked for exactly, as `slug:x`, and the field of an item that is meant."""
_SEARCHED = ("title", "description", "slug", "sku")


def search_content(platform: Platform, call: Call) -> Answer:
    """By cursor, oldest first: one item a session of a course group, so that every sku can be
    found, and one a learning path, collection and subscription."""
    kinds = _read_kinds(call)
    size = read_number(call, "perPage", default=PAGE_DEFAULT, most=PAGE_MOST)
    query = (call.last_value("query") or "").strip()
    terms = _read_terms(query, by_sku=platform.switches.searchBySku)
    with platform.recent.read_as_index():
        items = [
            item
            for item in _find_candidates(platform, terms)
            if (not kinds or item["kind"] in kinds) and _fits_query(item, query, terms)
        ]
        rows = platform.objects.list_objects("enrollments") if items else []
    enrolled = Counter(row.get("courseId") for row in rows if row.get("status") == ACTIVE)
    return page_by_cursor(
        platform,
        call,
        "contentItems",
        items=items,
        place=lambda item: [item["createdAt"] or "", item["id"]],
        size=size,
        show=lambda item: {**item, "enrollmentCount": enrolled[item["id"]]},
    )


def _read_kinds(call: Call) -> frozenset[str]:
    """The kinds that `types[]` names; none where it names nothing."""
    types = [*call.query.get("types[]", ()), *call.query.get("types", ())]
    for type_ in types:
        require_choice("types", type_, TYPES)
    return frozenset[str]().union(*(TYPES[type_] for type_ in types))


def _find_candidates(platform: Platform, terms: Terms) -> Iterator[Doc]:
    """Every item that may be meant."""
    labels = {tag["id"]: tag["label"] for tag in platform.objects.list_objects("tags")}
    for course in _find_courses(platform, terms):
        group = platform.groups.find_by_id(course["courseGroupId"])
        if group is not None:
            yield show_course_item(group, course, labels)
    for list_, kind in ITEM_KINDS.items():
        for doc in platform.objects.list_objects(list_):
            yield show_other_item(doc, kind, labels)


def _find_courses(platform: Platform, terms: Terms) -> list[Doc]:
    """Every course; those with the ids, if only ids are asked for; the one with the sku, if that is
    asked for and the index is not behind."""
    names, values, courses = {one for one, _ in terms}, {one for _, one in terms}, platform.courses
    found: Iterable[Doc | None] = courses.list_documents()
    if names == {"id"}:
        found = map(courses.find_by_id, values)
    elif names == {"sku"} and len(values) == 1 and not platform.recent.is_noting:
        serial = courses.find_value_holder(values.pop())
        found = [courses.get_by_serial(serial)] if serial is not None else []
    return [one for one in found if one and one["status"] != SessionStatus.DELETED]


def _read_terms(query: str, *, by_sku: bool) -> Terms:
    """What a query asks for exactly: `field:value`, several of them as `(_id:a OR _id:b)` (O48);
    nothing if it is text. The switch `searchBySku` decides whether a sku can be asked for."""
    in_parentheses = query.startswith("(") and query.endswith(")")
    bare = query[1:-1].strip() if in_parentheses else query
    terms = [term.partition(":") for term in bare.split(" OR ")]
    pairs = [(name.strip(), value.strip()) for name, colon, value in terms if colon]
    known = FIELDS if by_sku else FIELDS.keys() - {"sku"}
    if len(pairs) < len(terms) or not all(name in known for name, _ in pairs):
        return frozenset()
    return {(FIELDS[name], value.lower() if name == "_id" else value) for name, value in pairs}


def _fits_query(item: Doc, query: str, terms: Terms) -> bool:
    if terms:
        return any((field, item[field]) in terms for field in FIELDS.values())
    return any(query.lower() in (item[name] or "").lower() for name in _SEARCHED)
