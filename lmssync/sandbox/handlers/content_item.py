"""What content search shows of a course, a learning path, a collection or a subscription (O48)."""

from lmssync.vocabulary.enums import SessionStatus

from ..sandbox_documents import Doc

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


def of_course(group: Doc, course: Doc, labels: dict[str, str]) -> Doc:
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


def of_other(doc: Doc, kind: str, labels: dict[str, str]) -> Doc:
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
    """`catalog` holds what is the same for all sessions of a group."""
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
