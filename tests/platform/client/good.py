"""An answer of each route that the client uses, as the specification shows it."""

from typing import Any

UUID = "7d1c0000-0000-4000-8000-00000000000"
TOPIC = {"id": f"{UUID}1", "title": "Hello", "type": "text", "updatedAt": "2028-01-01T00:00:00Z"}
CRITERION = {
    "id": f"{UUID}2",
    "course": f"{UUID}3",
    "type": "courseTopicViewed",
    "coursePercentViewed": None,
    "courseTopicViewed": f"{UUID}1",
}
COURSE = {
    "id": f"{UUID}3",
    "courseGroupId": f"{UUID}4",
    "title": "Safety",
    "status": "draft",
    "sku": "SAF-101",
    "sections": [
        {
            "id": f"{UUID}5",
            "title": "Start",
            "releaseAt": None,
            "lessons": [{"id": f"{UUID}6", "title": "One", "accessLevel": None, "topics": [TOPIC]}],
        }
    ],
    "completionCriteria": [CRITERION],
}
PATH = {
    "id": f"{UUID}7",
    "label": "Buy",
    "targetType": "external_url",
    "targetId": None,
    "targetUrl": "https://shop.example.com",
    "targetUrlTitle": "Shop",
}
JOB = {"id": f"{UUID}8", "description": "Cloning", "errorMessage": None, "status": "complete"}
INFO = {"total": 1, "hasMore": False, "cursor": None}
PAGE = {"perPage": 50, "currentPage": 1, "total": 1, "hasMore": False}

READS: dict[str, Any] = {
    "ping": {"valid": True},
    "course.read": COURSE,
    "client.list": {
        "clients": [{"id": f"{UUID}9", "name": "Acme", "slug": "acme"}],
        "pageInfo": INFO,
    },
    "tag.list": {"tags": [{"id": f"{UUID}9", "label": "Safety"}], "pageInfo": PAGE},
    "location.list": {"locations": [{"id": f"{UUID}9", "name": "Bern"}], "pageInfo": INFO},
    "path.list": {"data": [PATH]},
    "job.read": JOB,
}
REFUSED = {"courseId": f"{UUID}3", "type": "courseTopicViewed", "error": "no", "record": "{}"}
WRITES: dict[str, Any] = {
    "course.create": {
        "courseIds": [f"{UUID}3"],
        "courseGroupIds": [f"{UUID}4"],
        "backgroundJob": JOB,
    },
    "course.update": {"backgroundJob": JOB},
    "criteria.update": {
        "createdCount": 1,
        "updatedCount": 0,
        "errors": [REFUSED],
        "warnings": ["criteria[0].x: skipped, no such field"],
    },
    "client.clone": {"data": {"APICloneClient": JOB}},
    "license.create": {"id": f"{UUID}9", "name": "Staff", "courseIds": [f"{UUID}3"]},
    "license.update": {"id": f"{UUID}9", "name": "Staff", "courseIds": [f"{UUID}3"]},
    "client.status": {"id": f"{UUID}9", "disabled": True},
    "content.release": {"id": f"{UUID}3", "status": "published"},
    "sublicense.assign": {
        "data": {"jobId": f"{UUID}8", "totalCount": 1, "unresolvedIdentifiers": ["ann@example.com"]}
    },
    "path.create": {"data": PATH},
    "attempt.forgive": {"id": f"{UUID}9", "grade": 40, "passed": True, "forgiven": True},
    "activity.learningPath": {},
    "activity.assignment": {},
    "activity.course": {},
}
EXTENDED: dict[str, Any] = {
    "course.structure": COURSE,
    "course.full": {
        "id": f"{UUID}3",
        "courseGroupId": f"{UUID}4",
        "title": "Safety",
        "section.0.id": f"{UUID}5",
        "section.0.title": "Start",
        "section.0.lesson.0.id": f"{UUID}6",
        "section.0.lesson.0.title": "Welcome",
        "section.0.lesson.0.topic.0.id": f"{UUID}7",
        "section.0.lesson.0.topic.0.title": "Hello",
        "section.0.lesson.0.topic.0.type": "text",
        "section.0.lesson.0.topic.0.updatedAt": "2026-01-01T00:00:00Z",
        "section.0.lesson.0.topic.0.body": "<p>Hello</p>",
        "section.0.lesson.0.topic.0.language.0.body": "<p>Hallo</p>",
    },
    "learningPath.full": {"id": f"{UUID}9", "title": "Leading", "milestone.0.name": "One"},
    "topic.list": {"topics": [TOPIC], "pageInfo": INFO},
    "criteria.list": {"completionCriteria": [CRITERION], "pageInfo": PAGE},
    "group.list": {
        "courseGroups": [{"id": f"{UUID}4", "title": "Safety", "slug": "safety"}],
        "pageInfo": PAGE,
    },
    "group.read": {"id": f"{UUID}4", "title": "Safety", "slug": "safety"},
    "group.bySlug": {"id": f"{UUID}4", "title": "Safety", "slug": "safety"},
    "group.courses": {
        "courses": [{"id": f"{UUID}3", "courseGroupId": f"{UUID}4", "title": "Safety"}],
        "pageInfo": PAGE,
    },
    "group.displayCourse": {"id": f"{UUID}3", "courseGroupId": f"{UUID}4", "title": "Safety"},
    "content.search": {
        "contentItems": [
            {"id": "x1", "title": "Safety", "sku": None, "tags": [{"id": "t", "label": "A"}]}
        ],
        "pageInfo": INFO,
    },
    "client.read": {"id": f"{UUID}9", "name": "Acme", "licenseEndDate": None},
    "section.list": {"sections": [{"id": f"{UUID}5", "title": "Start"}], "pageInfo": PAGE},
    "lesson.list": {"lessons": [{"id": f"{UUID}6", "title": "One"}], "pageInfo": PAGE},
    "attempt.list": {"assessmentAttempts": [{"id": f"{UUID}9"}], "pageInfo": INFO},
    "meeting.list": {"meetings": [{"id": "m1"}], "pageInfo": INFO},
    "coupon.list": {"coupons": [{"id": "c1"}], "pageInfo": INFO},
    "asset.list": {"items": [{"id": f"{UUID}9", "title": "Logo", "assetType": "image"}]},
    "license.list": {"licenses": [{"id": f"{UUID}9", "name": "Staff"}], "pageInfo": PAGE},
    "user.read": {"id": f"{UUID}9", "email": None, "allocatedLicenses": [{"licenseId": "x"}]},
    "user.list": {
        "users": [{"id": f"{UUID}9", "email": "a@b.example", "allocatedLicenses": []}],
        "pageInfo": INFO,
    },
}
