"""Nonsense: whatever is sent, the sandbox answers as the platform does, never with a failure."""

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from lmssync.sandbox.control.control_plane import COMMANDS
from lmssync.sandbox.handlers.course_create import CREATE_RULES
from lmssync.sandbox.handlers.course_fields import TOPIC_UPDATE_RULES
from lmssync.sandbox.route_bindings import HANDLERS
from lmssync.vocabulary.enums import CriterionType, TopicType
from lmssync.vocabulary.routes import ROUTES

WORDS = sorted(
    {name for rules in (*CREATE_RULES.values(), *TOPIC_UPDATE_RULES.values()) for name in rules}
    | {"courseAttributes", "courseGroups", "courses", "lessons", "lessonId", "id", "criteria"}
    | {"courseId", "clientId", "name", "label", "targetType", "targetId", *CriterionType}
)
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
    | st.sampled_from(
        [
            *("courseGroup", "video", "external_url", "catalog_item", *TopicType),
            *("2026-02-30", "9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00+23:59"),
            *("https://[x", "7d1c0000-0000-4000-8000-000000000301"),
        ]
    )
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(WORDS) | st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=12,
)
WRAPPED = st.fixed_dictionaries(
    {}, optional={"courseAttributes": VALUES, "criteria": VALUES, "label": VALUES}
)
ENTRIES = st.fixed_dictionaries(
    {"title": LEAVES, "kind": st.sampled_from(sorted(CREATE_RULES))},
    optional={word: VALUES for word in WORDS if word not in ("title", "kind")},
)
ORDER_WORDS = [
    *("seed", "idSeed", "advanceSeconds", "faults", "action", "path", "nth", "times", "when"),
    *("permissions", "scope", "clientIds", "externalActivity", "idOrder", "readLagSeconds"),
    *("probability", "emptyUnauthorized", "jobSeconds", "company", "tags"),
    *("kind", "events", "url", "kinds", "n", "days", "until", "eventAPI"),
]
RELAXED = settings(
    max_examples=min(15, settings.default.max_examples),  # of each route and order
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def failures(platform):
    return [e for e in platform.control("requests", limit="10")["requests"] if e["failure"]]


@pytest.mark.parametrize("name", sorted(n for n in HANDLERS if not ROUTES[n].reads))
@RELAXED
@given(body=WRAPPED | VALUES)
def test_any_body_gets_an_answer(served, name, body):
    """No body makes the sandbox fail."""
    response = served.call(name, body, id="x", contentId="x")
    assert response.status_code < 500, (response.text, failures(served))


@pytest.mark.parametrize("order", sorted(COMMANDS))
@RELAXED
@given(body=st.dictionaries(st.sampled_from(ORDER_WORDS), VALUES, max_size=4))
def test_any_order_gets_an_answer(platform, order, body):
    """No order makes the control plane fail."""
    response = platform.http.post(f"/_sandbox/{order}", json=body)
    assert response.status_code < 500, response.text
    platform.http.delete("/_sandbox/faults")


@RELAXED
@given(entry=ENTRIES)
def test_any_create_entry_gets_an_answer(served, entry):
    """No entry makes create fail."""
    response = served.call("course.create", {"courseAttributes": [entry]})
    assert response.status_code < 500, (response.text, failures(served))


@RELAXED
@given(
    lists=st.fixed_dictionaries(
        {},
        optional={
            name: st.lists(st.dictionaries(st.sampled_from(WORDS), VALUES, max_size=4), max_size=2)
            for name in ("courseGroups", "courses", "sections", "lessons", "topics")
        },
    ),
    data=st.data(),
)
def test_any_update_gets_an_answer(served, lists, data):
    """No entry makes update fail, also where it names things that are there."""
    topics = [{"title": "T", "type": data.draw(st.sampled_from(TopicType))}]
    course = served.read(served.course(kind="microCourse", topics=topics))
    section = course["sections"][0]
    lesson = section["lessons"][0]
    ids = {
        "courseGroups": course["courseGroupId"],
        "courses": course["id"],
        "sections": section["id"],
        "lessons": lesson["id"],
        "topics": lesson["topics"][0]["id"],
    }
    for name, entries in lists.items():
        for entry in entries[:1]:
            entry["id"] = ids[name]
    response = served.call("course.update", {"courseAttributes": lists})
    assert response.status_code < 500, (response.text, failures(served))


@RELAXED
@given(
    name=st.sampled_from(sorted(n for n in HANDLERS if ROUTES[n].reads)),
    text=st.text(min_size=1),
    query=st.dictionaries(
        st.sampled_from(
            [
                "cursor",
                "perPage",
                "page",
                "sort",
                "query",
                "filters",
                "filters[label]",
                "startDate",
                "endDate",
                "notifiableId",
                "userId",
            ]
        ),
        st.text(max_size=12),
    ),
)
def test_any_query_gets_an_answer(served, name, text, query):
    """No path and no query makes a read fail."""
    from urllib.parse import quote

    path = quote(text, safe="")
    names = ("id", "lessonId", "contentId", "slug", "kind")
    response = served.call(name, query=query, **dict.fromkeys(names, path))
    assert response.status_code < 500, (response.text, failures(served))
