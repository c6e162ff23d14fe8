"""The OpenAPI document: complete, true to the rules, true to the answers (spec 4, spec 7).

That every answer of every other test fits the document is required where those tests call the
platform (`described`).
"""

import os
import subprocess
import sys

import httpx
import jsonschema_rs
import pytest

from lmssync.sandbox import run_sandbox
from lmssync.sandbox.handlers import course_create, course_update, criteria_routes, license_routes
from lmssync.sandbox.openapi.openapi_document import ANSWERS
from lmssync.sandbox.openapi.openapi_requests import BODIES, QUERIES
from lmssync.sandbox.route_bindings import HANDLERS
from lmssync.vocabulary.routes import ROUTES, Capability

from .. import patient_http
from .described import checker

PRINTED = """
import httpx
from lmssync.sandbox import run_sandbox
with run_sandbox() as at:
    document = httpx.get(at["baseUrl"] + "/_sandbox/openapi.json").text
    print(document.replace(at["baseUrl"], "http://sandbox"))
"""
UNKNOWN = "00000000-0000-4000-8000-000000000000"
TREE = {
    "title": "T",
    "kind": "courseGroup",
    "priceInCents": 100,
    "sections": [
        {
            "title": "S",
            "lessons": [
                {
                    "title": "L",
                    "openType": "studentsOnly",
                    "topics": [
                        {"title": "A", "type": "text", "body": "<p>x</p>"},
                        {"title": "B", "type": "quiz"},
                    ],
                }
            ],
        }
    ],
}


@pytest.fixture
def document(platform):
    return platform.control("openapi.json")


def operation(document, name):
    route = ROUTES[name]
    return document["paths"][route.path][route.method.lower()]


def fits(document, name, body):
    """True if the document says that the body may be sent."""
    return checker(operation(document, name)["requestBody"], document).is_valid(body)


def entry(**fields):
    return {"courseAttributes": [{**TREE, **fields}]}


def test_every_bound_route_is_described(document):
    """The document has every route with its method, and no other (spec 4)."""
    described = {
        (method.upper(), path) for path, routes in document["paths"].items() for method in routes
    }
    assert {(ROUTES[name].method, ROUTES[name].path) for name in HANDLERS} == described
    assert set(HANDLERS) == set(ANSWERS)
    assert set(QUERIES) | set(BODIES) <= set(HANDLERS)


def test_core_profile_describes_core_routes(tmp_path):
    """The document of the core profile has the core routes only (spec 4)."""
    with run_sandbox(profile="core") as ready:
        paths = patient_http.get(ready["baseUrl"] + "/_sandbox/openapi.json").json()["paths"]
    core = {ROUTES[n].path for n in HANDLERS if ROUTES[n].capability is Capability.CORE}
    assert core == set(paths)


@pytest.mark.parametrize("name", sorted(n for n in HANDLERS if not ROUTES[n].reads))
def test_every_body_is_described(name):
    """Every route that writes takes a body, but the one that deletes (spec 4)."""
    assert (name in BODIES) == (ROUTES[name].method != "DELETE")


@pytest.mark.parametrize("name", sorted(HANDLERS))
def test_every_route_says_what_it_is(document, name):
    """Every route has a summary and a description of each status (spec 4)."""
    described = operation(document, name)
    assert name == described["operationId"]
    assert described["summary"]
    assert all(answer["description"] for answer in described["responses"].values())


@pytest.mark.parametrize("name", sorted(n for n in HANDLERS if ROUTES[n].windows))
def test_throttled_routes_describe_their_headers(document, name):
    """Throttled routes describe three headers, and two on a 429 (spec 8)."""
    responses = operation(document, name)["responses"]
    done = next(answer for code, answer in responses.items() if code < "300")
    assert {"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"} == set(
        done["headers"]
    )
    assert {"X-RateLimit-Reset", "Retry-After"} == set(responses["429"]["headers"])


def test_the_document_says_where_it_is_served(platform, document):
    """`servers` holds the address of this sandbox (spec 4)."""
    assert [{"url": platform.ready["baseUrl"]}] == document["servers"]


@pytest.mark.parametrize(
    ("name", "schema"),
    [
        ("course.read", {"type": "string", "format": "uuid"}),
        ("topic.list", {"type": "string", "format": "uuid"}),
        ("group.bySlug", {"type": "string", "minLength": 1}),
        ("user.read", {"type": "string", "minLength": 1}),
    ],
)
def test_ids_in_paths_have_a_format(document, name, schema):
    """Uuids, but for slugs and for users, who may be named by e-mail (spec 4; O35)."""
    parameter = operation(document, name)["parameters"][0]
    assert schema == parameter["schema"]


def test_schemas_have_known_words_only(document):
    """A word that JSON Schema does not have would demand nothing (spec 4)."""
    draft = "https://json-schema.org/draft/2020-12/schema"
    strict = {"$dynamicAnchor": "meta", "$ref": draft, "unevaluatedProperties": False}
    check = jsonschema_rs.Draft202012Validator({"$id": "urn:strict", "$schema": draft, **strict})
    schemas = document["components"]["schemas"]
    assert [] == [name for name, schema in schemas.items() if not check.is_valid(schema)]
    assert not check.is_valid({"items": {"minLenght": 1}})


def test_objects_are_components(document):
    """No object with fields of its own stands inside another schema, nor a type that is only null
    beside anything but what it makes nullable (spec 4)."""
    schemas = document["components"]["schemas"]
    assert {"$ref": "#/components/schemas/ArticleLanguage"} == (
        schemas["ArticleTopic"]["properties"]["languages"]["items"]
    )
    bare = {"type": "null"}
    alone = [
        (name, field)
        for name, schema in schemas.items()
        for field, held in schema.get("properties", {}).items()
        if bare in (held, held.get("items"))
    ]
    assert [] == alone


def test_objects_say_whether_they_have_other_fields(document):
    """What generates clients takes silence for a yes or for a no (spec 4)."""

    def silent(schema):
        inner = schema.values() if isinstance(schema, dict) else schema
        found = [one for value in inner if isinstance(value, dict | list) for one in silent(value)]
        is_silent = "required" in schema and "additionalProperties" not in schema
        return [*found, schema] if is_silent and "properties" in schema else found

    assert [] == silent(document)


@pytest.mark.parametrize(
    ("name", "body", "path"),
    [
        ("license.update", {"courseIds": None}, "licenses"),
        ("license.update", {"name": None}, "licenses"),
        ("user.change", {"email": None}, "users"),
        ("client.status", {"status": None}, "clients"),
        ("client.status", {"status": []}, "clients"),
        ("client.clone", {"name": ""}, "clients"),
    ],
)
def test_null_and_nothing_described_and_answered_alike(platform, document, name, body, path):
    """What cannot be cleared may not be null in the document either (spec 4)."""
    response = platform.call(name, body, id=platform.dump(path)[0]["id"])
    assert (False, 400) == (fits(document, name, body), response.status_code)


@pytest.mark.parametrize(
    ("list_", "fields", "right"),
    [
        ("courseGroups", {"title": None}, False),
        ("courseGroups", {"ribbon": None}, True),
        ("courses", {"title": None}, False),
        ("courses", {"status": "published"}, False),
        ("courses", {"sku": None}, True),
        ("sections", {"title": None}, False),
        ("lessons", {"openType": None}, False),
        ("topics", {"title": None}, False),
    ],
)
def test_changes_described_and_answered_alike(platform, document, list_, fields, right):
    """So for each level of a course (spec 4; O2, O8)."""
    course = platform.course(sections=TREE["sections"])
    id_ = platform.dump(list_)[0]["id"] if list_ != "courses" else course
    body = {"courseAttributes": {list_: [{"id": id_, **fields}]}}
    response = platform.call("course.update", body)
    assert (right, 200 if right else 400) == (
        fits(document, "course.update", body),
        response.status_code,
    )


def test_whole_numbers_may_have_a_point(platform):
    """5.0 is an integer in JSON Schema and for the sandbox (spec 2.2)."""
    assert 200 == platform.create(priceInCents=500.0).status_code
    (price,) = [course["priceInCents"] for course in platform.dump("courses")]
    assert (500, int) == (price, type(price))


def test_switches_change_what_may_be_sent(platform):
    """The document says what an update takes as the sandbox is switched now (spec 4; O21, O39)."""
    body = {"courseAttributes": {"courses": [{"id": UNKNOWN, "status": "published"}]}}
    created_ = entry(source="S")
    seen = []
    for wanted in ({}, {"statusOnUpdate": True, "sourceRefused": True}):
        platform.control("switches", wanted)
        document = platform.control("openapi.json")
        seen.append(
            (fits(document, "course.update", body), fits(document, "course.create", created_))
        )
    assert [(False, True), (True, False)] == seen


def test_references_lead_somewhere(document):
    """Every `$ref` has its schema (spec 7)."""
    text = httpx.Response(200, json=document).text
    used = {part.split('"')[0] for part in text.split('"#/components/schemas/')[1:]}
    assert used <= set(document["components"]["schemas"])


@pytest.mark.parametrize(
    ("body", "right"),
    [
        (entry(), True),
        (entry(priceInCents=-1), False),
        (entry(priceInCents=100_000_000), False),
        (entry(description="x" * 5001), False),
        (entry(tagIds=[UNKNOWN] * 11), False),
        (entry(authors=[" "]), False),
        (entry(kind="webinar"), False),
        (entry(status="archived"), False),
        (entry(colour="red"), False),
        (entry(title=None), False),
        (entry(ribbon=None), True),
        ({"courseAttributes": []}, False),
        ({"courseAttributes": {}}, False),
        ({"courseAttributes": [TREE] * 101}, False),
    ],
)
def test_described_and_answered_alike(platform, document, body, right):
    """What the document forbids is refused, what it allows is taken (spec 2.2)."""
    response = platform.call("course.create", body)
    assert (right, 200 if right else 400) == (
        fits(document, "course.create", body),
        response.status_code,
    )


def fields(document, schema):
    """The names of the fields of a schema, or of each of its forms."""
    if "$ref" in schema:
        return fields(document, document["components"]["schemas"][schema["$ref"].split("/")[-1]])
    return set(schema["properties"])


def taken(document, name, *path):
    """The schema of what a route takes at a place of its body."""
    found = operation(document, name)["requestBody"]["content"]["application/json"]["schema"]
    for word in path:
        found = found["items"] if word == "[]" else found["properties"][word]
        if "$ref" in found:
            found = document["components"]["schemas"][found["$ref"].split("/")[-1]]
    return found


def test_rules_and_document_have_the_same_fields(document):
    """Fields come from the rules themselves (spec 2.2, 2.3, 2.5)."""
    assert {"clientId", *license_routes.FIELD_RULES} == fields(
        document, taken(document, "license.create")
    )
    group = taken(document, "course.update", "courseAttributes", "courseGroups", "[]")
    assert set(course_update.UPDATE_GROUP_RULES) == fields(document, group)
    entries = taken(document, "course.create", "courseAttributes", "[]")["anyOf"]
    assert [set(rules) for rules in course_create.CREATE_RULES.values()] == [
        fields(document, form) for form in entries
    ]
    criterion = taken(document, "criteria.update", "criteria", "[]")
    assert set(criteria_routes.VALUE_RULES) < fields(document, criterion)


@pytest.mark.parametrize("form", ["key", "bare", "data"])
def test_lists_in_each_envelope(platform, form):
    """The document follows the switch, and the answers follow the document (O44)."""
    platform.control("switches", {"listEnvelope": form})
    course = platform.course(sections=TREE["sections"])
    lesson = platform.read(course)["sections"][0]["lessons"][0]["id"]
    for name in ("tag.list", "client.list", "location.list", "group.list", "content.search"):
        assert 200 == platform.call(name).status_code
    assert 200 == platform.call("topic.list", lessonId=lesson).status_code
    assert 200 == platform.call("event.list", kind="courseAction").status_code


@pytest.mark.parametrize(
    "switch",
    [
        {"fullContent": "nested"},
        {"missingUser": "errors"},
        {"cloneStatus": "202"},
        {"unknownFields": "ignore"},
        {"emptyUnauthorized": ["ping", "asset.list"]},
        {"accountFigures": "standard"},
    ],
)
def test_other_switches_are_described(platform, switch):
    """Each changes an answer; none makes the document untrue (spec 7)."""
    platform.control("switches", switch)
    more = {"colour": "red"} if "unknownFields" in switch else {}
    course = platform.course(sections=TREE["sections"], **more)
    platform.call("course.full", id=course)
    platform.call("user.read", id=UNKNOWN)
    golden = platform.client("golden")
    platform.call("client.clone", {"name": "New", "slug": "new"}, id=golden)
    platform.key = "nobody"
    platform.call("ping")
    platform.call("asset.list")


def test_demo_records_fit(platform):
    """Every user, client, license, asset and event of the demo company (spec 2)."""
    for user in platform.dump("users"):
        platform.call("user.read", id=user["id"])
    for client in platform.dump("clients"):
        platform.call("license.list", id=client["id"])
    for kind in ("courseAction", "quizAttempt", "assignmentSubmission", "learningPathAction"):
        platform.call("event.list", kind=kind)
    assert 200 == platform.call("asset.list", query={"limit": 200}).status_code


@pytest.mark.slow
def test_the_document_is_the_same_in_every_process():
    """Its order does not depend on the hash seed of the process, so that it can be compared."""
    made = {
        subprocess.run(
            [sys.executable, "-c", PRINTED],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in "123"
    }
    assert 1 == len(made)


def test_only_one_way_to_sign_sets_the_header(platform):
    """A client that tries each way in turn would overwrite the key with an empty token (spec 5)."""
    described = platform.control("openapi.json")
    schemes = described["components"]["securitySchemes"]
    named = [name for way in described["security"] for name in way]
    assert ["bearer"] == [name for name in named if schemes[name]["type"] in {"http", "oauth2"}]
