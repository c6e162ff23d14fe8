"""Seeds: what an item may leave out is filled in; a seed with a mistake is refused whole."""

import json
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from lmssync.sandbox.data.object_kinds import KINDS
from lmssync.sandbox.route_bindings import HANDLERS
from lmssync.sandbox.seeds.seed_planting import TREE, needed_fields_of
from lmssync.sandbox.seeds.seed_rules import SEED_RULES
from lmssync.vocabulary.routes import ROUTES


def id_of(number):
    return f"10000000-0000-4000-8000-{number:012}"


GROUP, COURSE, SECTION, LESSON, TOPIC = (id_of(number) for number in range(1, 6))
CLIENT, USER, PATH, GONE = (id_of(number) for number in range(6, 10))
THERE = {"userId": USER, "courseId": COURSE}
LEAST = {
    "courseGroups": {"id": GROUP, "title": "G"},
    "courses": {"id": COURSE, "title": "C", "courseGroupId": GROUP},
    "sections": {"id": SECTION, "title": "S", "courseId": COURSE},
    "lessons": {"id": LESSON, "title": "L", "sectionId": SECTION},
    "topics": {"id": TOPIC, "title": "T", "type": "quiz", "lessonId": LESSON},
    "completionCriteria": {"id": id_of(10), "type": "scormComplete", "courseId": COURSE},
    "tags": {"label": "Safety"},
    "ribbons": {"slug": "new"},
    "contentTypes": {"label": "Course"},
    "customFields": {"slug": "owner", "level": "group", "type": "text"},
    "clients": {"id": CLIENT, "name": "C", "slug": "c"},
    "licenses": {"id": id_of(11), "name": "L", "clientId": CLIENT},
    "users": {"id": USER, "email": "a@x.example"},
    "locations": {"name": "Here"},
    "learningPaths": {"id": PATH, "title": "P"},
    "collections": {"title": "C"},
    "subscriptions": {"title": "S"},
    "videoAssets": {"title": "V", "source": "hosted"},
    "assets": {"title": "A", "assetType": "image"},
    "purchasePaths": {"courseId": COURSE, "label": "x", "targetType": "external_url"},
    "meetings": {"title": "M"},
    "coupons": {"code": "SAVE"},
    "enrollments": THERE,
    "learningPathEnrollments": {"userId": USER, "learningPathId": PATH},
    "learningPathActivities": {"userId": USER, "learningPathId": PATH},
    "progress": THERE,
    "transcripts": THERE,
    "certificates": THERE,
    "attempts": {"id": id_of(12), **THERE, "assessmentId": TOPIC},
    "scormAttempts": {**THERE, "topicId": TOPIC},
    "submissions": {"learnerId": USER, "courseId": COURSE, "assignmentId": TOPIC},
    "events": {"kind": "courseAction", "timestamp": "2026-01-01"},
    "notifications": {"url": "http://127.0.0.1:9/"},
    "deliveries": {},
    "jobs": {"id": id_of(13)},
    "trash": {"list": "tags", "doc": {"id": GONE, "label": "Gone"}},
}
"""An item of every list with what it must have, and ids where others need them."""
NAMES = (*(item["id"] for item in LEAST.values() if "id" in item), "c", "courseAction")
COMMANDS = [
    ("POST", "/_sandbox/clock", {"advanceSeconds": 10}),
    ("POST", "/_sandbox/learners", {"n": 2}),
    ("POST", "/_sandbox/events", {"kind": "courseCertificate", "events": [THERE]}),
    ("POST", "/_sandbox/edit", {"list": "tags", "id": GONE, "delete": "restore"}),
    ("POST", "/_sandbox/edit", {"list": "courses", "id": COURSE, "set": {"title": "N"}}),
    ("POST", ROUTES["client.clone"].path.format(id=CLIENT), {"name": "Clone"}),
    ("PUT", ROUTES["attempt.forgive"].path.format(id=id_of(12)), {}),
    (
        "POST",
        ROUTES["sublicense.assign"].path,
        {"users": [{"id": USER, "licenseIdsToAdd": [id_of(11)]}]},
    ),
    (
        "POST",
        ROUTES["activity.learningPath"].path,
        {"userId": USER, "learningPathId": PATH},
    ),
    (
        "PUT",
        ROUTES["course.update"].path,
        {
            "courseAttributes": {
                "courseGroups": [{"id": GROUP, "title": "N"}],
                "lessons": [{"sectionId": SECTION, "title": "N"}],
                "topics": [{"id": TOPIC, "title": "N"}],
            }
        },
    ),
]
"""What is asked of things that are there."""
VALUES = st.sampled_from(
    [
        *(None, 5, -1, 1.5, 10**30, True, False, "", "x", "2026-01-01", "soon", "published"),
        *([], [1], ["x"], [{}], {}, {"a": 1}, GONE, "active", "article", "pending"),
    ]
)
CHANGES = st.sampled_from(
    [
        (name, field)
        for name in LEAST
        for field in ("id", *needed_fields_of(name), *SEED_RULES[name])
    ]
)


def planted(platform, seed):
    return platform.http.post("/_sandbox/reset", json={"seed": seed})


def least(**lists):
    """A seed of one item a list, with other items in the lists named."""
    return {**{name: [item] for name, item in LEAST.items()}, **lists}


def failing(platform):
    """The requests, of everything that can be read and some of what can be done, that fail."""
    reads = [ROUTES[name].path for name in HANDLERS if ROUTES[name].reads]
    names = [quote(name) for name in NAMES]
    targets = [
        path.replace(parameter, name)
        for path in (*reads, "/", "/catalog/{id}", "/requests", "/_sandbox/dump")
        for parameter in (path[path.find("{") : path.find("}") + 1] or "-",)
        for name in (names if parameter != "-" else names[:1])
    ]
    headers = {"Authorization": f"Bearer {platform.ready['apiKey']}"}
    asked = [("GET", target, None) for target in targets]
    for method, target, body in [*asked, *COMMANDS, *asked]:
        response = platform.http.request(method, target, json=body, headers=headers)
        if response.status_code >= 500:
            yield method, target, response.text


def test_every_list_is_tried():
    """The least item of each, and rules for each (spec 1)."""
    lists = {*TREE, *KINDS}
    assert [lists, lists] == [set(LEAST), set(SEED_RULES)]
    assert [] == [name for name in LEAST if not set(needed_fields_of(name)) <= set(LEAST[name])]


@pytest.mark.slow
def test_a_seed_of_the_least_is_answered_everywhere(platform):
    """What its items leave out is filled in: no route, page or order fails (spec 1)."""
    assert 200 == planted(platform, least()).status_code
    assert [] == list(failing(platform))


def test_what_an_attempt_leaves_out_is_filled_in(platform):
    """Who was tested, and where, from the rest of the seed (spec 2.6 attempt)."""
    planted(platform, least())
    attempt = platform.call("attempt.forgive", id=id_of(12)).json()
    told = attempt["user"]["email"], attempt["course"]["title"], attempt["assessment"]["type"]
    assert ("a@x.example", "C", "quiz") == told


@pytest.mark.slow
@settings(
    deadline=None, max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.tuples(CHANGES, VALUES), min_size=1, max_size=3))
def test_any_seed_is_refused_in_words_or_answered_everywhere(served, changes):
    """Whatever stands in its fields; what is taken can be dumped and planted again (spec 1)."""
    seed = json.loads(json.dumps(least()))
    for (name, field), value in changes:
        seed[name][0][field] = value
    response = planted(served, seed)
    if response.status_code == 400:
        (error,) = response.json()["errors"]
        assert error.startswith("seed: ")
        assert "]." in error
        return
    assert 200 == response.status_code, response.text
    assert [] == list(failing(served))
    again = planted(served, served.control("dump"))
    assert 200 == again.status_code, again.text


@pytest.mark.parametrize(
    ("lists", "place"),
    [
        ({"courses": [{**LEAST["courses"], "courseGroupId": GONE}]}, "courses[0].courseGroupId"),
        ({"sections": [{**LEAST["sections"], "courseId": GONE}]}, "sections[0].courseId"),
        ({"sections": [{**LEAST["sections"], "courseId": GROUP}]}, "sections[0].courseId"),
        ({"lessons": [{**LEAST["lessons"], "sectionId": GONE}]}, "lessons[0].sectionId"),
        ({"topics": [{**LEAST["topics"], "lessonId": GONE}]}, "topics[0].lessonId"),
        ({"licenses": [{**LEAST["licenses"], "clientId": GONE}]}, "licenses[0].clientId"),
        ({"users": [{**LEAST["users"], "clientId": GONE}]}, "users[0].clientId"),
        ({"progress": [THERE, {**THERE, "courseId": GONE}]}, "progress[1].courseId"),
        ({"certificates": [{**THERE, "userId": GONE}]}, "certificates[0].userId"),
    ],
)
def test_orphans_are_refused(platform, lists, place):
    """An item whose parent or reference is missing is refused (spec 2)."""
    (error,) = platform.errors(planted(platform, least(**lists)))
    assert error.startswith(f"seed: {place}: no item of ")


@pytest.mark.parametrize(
    ("lists", "place"),
    [
        ({"tags": [{"label": "A"}, {"label": "B"}, {"label": "A"}]}, "tags[2].label"),
        ({"topics": [LEAST["topics"], LEAST["topics"]]}, "topics[1].id"),
        ({"sections": [LEAST["sections"], {**LEAST["sections"], "id": COURSE}]}, "sections[1].id"),
        ({"users": [LEAST["users"], {"id": USER.upper(), "email": "b"}]}, "users[1].id"),
        ({"ribbons": [{"slug": "a"}, {"id": GONE, "slug": "A"}]}, "ribbons[1].slug"),
        (
            {"courseGroups": [{**LEAST["courseGroups"], "slug": "s"},
                              {"id": GONE, "title": "x", "slug": "s"}]},
            "courseGroups[1].slug",
        ),
        (
            {"courses": [{**LEAST["courses"], "sku": "s"},
                         {**LEAST["courses"], "id": GONE, "sku": "s"}]},
            "courses[1].sku",
        ),
    ],
)  # fmt: skip
def test_doubles_are_refused(platform, lists, place):
    """The error names the second item, then the first (spec 2)."""
    (error,) = platform.errors(planted(platform, least(**lists)))
    assert error.startswith(f"seed: {place}: ")
    assert error.endswith("[0] has the same")


def test_what_stands_inside_another_is_refused(platform):
    """Sections of a seed stand in their own list: inside a course they would vanish (spec 2)."""
    courses = [{**LEAST["courses"], "sections": [{"title": "Lost"}]}]
    (error,) = platform.errors(planted(platform, least(courses=courses)))
    assert error.startswith("seed: courses[0].sections: go in a list of their own")


def test_ids_in_capitals_are_found(platform):
    """A uuid means the same in any case (spec 2)."""
    group, course = GROUP.replace("1000", "ABCD"), COURSE.replace("1000", "ABCD")
    groups = [{"id": group, "title": "G"}]
    courses = [{"id": course, "title": "C", "courseGroupId": group.lower()}]
    platform.control("reset", {"seed": {"courseGroups": groups, "courses": courses}})
    assert "C" == platform.read(course)["title"]
    assert "C" == platform.read(course.lower())["title"]


def test_what_a_person_deleted_may_be_named(platform):
    """A dump can be a seed, even after deletions by hand (O11)."""
    platform.control("school", {})
    for name in ("users", "clients", "learningPaths", "tags", "sections", "topics"):
        first = platform.dump(name)[0]["id"]
        platform.control("edit", {"list": name, "id": first, "delete": True})
    dump = platform.control("dump")
    platform.control("reset", {"seed": dump})
    again = platform.control("dump")
    assert {**dump, "deliveries": []} == {**again, "deliveries": []}


def test_what_came_back_under_its_id_is_not_restored_over(platform):
    """A tag that was added again under its id is not restored over (spec 7)."""
    made = platform.control("edit", {"list": "tags", "add": {"label": "A"}})["id"]
    platform.control("edit", {"list": "tags", "id": made, "delete": True})
    platform.control("edit", {"list": "tags", "add": {"label": "A"}})
    order = {"list": "tags", "id": made, "delete": "restore"}
    response = platform.http.post("/_sandbox/edit", json=order)
    assert "has the id" in platform.errors(response)[0]
