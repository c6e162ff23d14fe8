"""Learners made at once: plausible, repeatable, and as the routes would have left them."""

from collections import Counter

import pytest

UNTIL = "2026-03-01T00:00:00.000Z"
TOPICS = [
    {"title": "Read", "type": "text"},
    {"title": "Quiz", "type": "quiz"},
    {"title": "Hand in", "type": "assignment"},
    {"title": "Package", "type": "xApiObject", "scormUrl": "https://x.example/a.zip"},
]
LISTS = "users,enrollments,progress,attempts,submissions,scormAttempts,transcripts,certificates"


@pytest.fixture
def school(platform):
    """Four courses, one a draft, under a tag that licenses of every client lead to."""
    platform.control("reset", {"idSeed": 7})
    platform.control("clock", {"advanceSeconds": 366 * 86400})  # whatever year it is: past UNTIL
    lesson = {"title": "L", "openType": "studentsOnly", "topics": TOPICS}
    tags = [platform.tag(label) for label in ("Safety", "Onboarding", "First aid")]
    courses = [
        {
            "title": title,
            "kind": "courseGroup",
            "status": "draft" if title == "Draft" else "published",
            "tagIds": tags,
            "sections": [{"title": "S", "lessons": [lesson]}],
        }
        for title in ("One", "Two", "Three", "Draft")
    ]
    response = platform.call("course.create", {"courseAttributes": courses})
    assert 200 == response.status_code, response.text
    return platform


def fill(platform, **wish):
    return platform.control("learners", {"n": 80, "seed": 3, "until": UNTIL, **wish})["made"]


def made(platform, *names):
    """The documents of those lists that belong to simulated learners, all lists if none named."""
    lists = platform.control("dump", only=LISTS)
    ours = {user["id"] for user in lists["users"] if str(user["externalCustomerId"])[:2] == "L-"}
    found = [
        [doc for doc in lists[name] if {doc["id"], doc.get("userId"), doc.get("learnerId")} & ours]
        for name in names
    ]
    return found[0] if len(names) == 1 else found


def feed(platform, kind):
    """Every event of the learners in a feed."""
    ours = {user["id"] for user in made(platform, "users")}
    events, query = [], {}
    while query is not None:
        answer = platform.call("event.list", query=query, kind=kind).json()
        events += answer["events"]
        cursor = answer["pageInfo"].get("cursor")
        query = {"cursor": cursor} if cursor else None
    return [event for event in events if event["userDetail"]["id"] in ours]


def test_the_answer_counts_what_was_made(school):
    """The answer has counts by the names of the dump (spec 2.4, 2.6, 6)."""
    counts = fill(school)
    assert 80 == counts["users"]
    for name in ("enrollments", "progress", "attempts", "certificates"):
        assert counts[name] == len(made(school, name))


def test_the_same_seed_makes_the_same_learners(school):
    """On the same platform: the same documents and events, ids included (spec 6)."""
    before, runs = school.control("dump"), []
    for seed in (3, 3, 4):
        school.control("reset", {"seed": before, "idSeed": 7})
        fill(school, seed=seed)
        runs.append([made(school, "users"), made(school, "attempts"), school.dump("events")])
    assert runs[0] == runs[1]
    assert runs[0] != runs[2]


def test_profiles_are_whole(school):
    """Every learner has the fields of the profile and an address of its own (spec 2.4)."""
    fill(school)
    learners = made(school, "users")
    wire = school.call("user.read", id=learners[0]["id"]).json()
    assert 80 == len({user["email"] for user in learners})
    assert {"student"} == {user["roleKey"] for user in learners}
    assert ("roleKey", "ref10", "language") == tuple(
        n for n in ("roleKey", "ref10", "language") if n in wire
    )


def test_seats_are_kept(school):
    """No license has more holders than seats (spec 2.5)."""
    fill(school, n=300)
    held = Counter(
        one["licenseId"] for user in school.dump("users") for one in user["allocatedLicenses"]
    )
    limits = {one["id"]: one.get("seatsLimit") for one in school.dump("licenses")}
    assert [] == [id_ for id_, number in held.items() if limits[id_] and number > limits[id_]]


def test_licenses_are_those_of_the_own_client(school):
    """A learner holds licenses of its client only (spec 4, bulk sublicense rule 7)."""
    fill(school)
    clients = {one["id"]: one["clientId"] for one in school.dump("licenses")}
    holders = [user for user in made(school, "users") if user["allocatedLicenses"]]
    assert holders
    for user in holders:
        held = {clients[one["licenseId"]] for one in user["allocatedLicenses"]}
        assert {user["clientId"]} == held


def test_one_enrollment_a_course(school):
    """A learner is enrolled in a course once (spec 2.7)."""
    fill(school)
    pairs = [(one["userId"], one["courseId"]) for one in made(school, "enrollments")]
    assert len(pairs) == len(set(pairs))


def test_only_published_courses_are_started(school):
    """No learner starts a draft (spec 3)."""
    fill(school)
    drafts = {one["id"] for one in school.dump("courses") if one["status"] != "published"}
    progress, enrollments = made(school, "progress", "enrollments")
    assert drafts & {one["courseId"] for one in enrollments}
    assert set() == drafts & {one["courseId"] for one in progress}


def test_who_completed_has_everything(school):
    """100 percent, a passed attempt, a submission, a transcript entry, a certificate (spec 2.6)."""
    fill(school)
    names = ("progress", "attempts", "submissions", "transcripts", "certificates")
    progress, attempts, submissions, transcripts, certificates = made(school, *names)
    completed = {pair(one) for one in progress if one["completedAt"]}
    assert completed == {pair(one) for one in progress if one["percent"] == 100}
    assert completed == {pair(one) for one in transcripts}
    assert completed == {pair(one) for one in certificates}
    assert completed <= {pair(one) for one in attempts if one["passed"]}
    assert completed <= {pair(one) for one in submissions}


def pair(doc):
    return doc.get("userId") or doc["learnerId"], doc["courseId"]


def test_there_is_every_kind_of_learner(school):
    """Some never start, some are on their way, some fail, some finish (spec 3)."""
    fill(school, n=200)
    enrollments, progress, attempts = made(school, "enrollments", "progress", "attempts")
    percents = {one["percent"] for one in progress}
    assert len(progress) < len(enrollments)
    assert {100} < percents
    assert {True, False} == {one["passed"] for one in attempts}


def test_failed_attempts_can_be_forgiven(school):
    """A simulated attempt is one like any other (spec 2.6, 4)."""
    fill(school)
    failed = next(one for one in made(school, "attempts") if not one["passed"])
    answer = school.call("attempt.forgive", {}, id=failed["id"]).json()
    assert (True, True, failed["grade"]) == tuple(
        answer[name] for name in ("passed", "forgiven", "grade")
    )


@pytest.mark.parametrize(
    ("kind", "list_"),
    [
        ("courseEnrollment", "enrollments"),
        ("courseCompletion", "transcripts"),
        ("courseCertificate", "certificates"),
        ("quizAttempt", "attempts"),
        ("assignmentSubmission", "submissions"),
    ],
)
def test_feeds_tell_what_is_kept(school, kind, list_):
    """One event for each document, about the same learner and course (spec 6)."""
    fill(school)
    told = Counter((one["userDetail"]["id"], one["notifiableId"]) for one in feed(school, kind))
    assert Counter(pair(one) for one in made(school, list_)) == told


def test_feeds_stand_in_time(school):
    """Events fall from the last day on; nobody completes before starting (spec 6, O40)."""
    fill(school)
    actions = feed(school, "courseAction")
    stamps = [event["timestamp"] for event in actions]
    assert stamps == sorted(stamps, reverse=True)
    assert stamps[0] < UNTIL
    order = ["enrolled", "started", "progress", "completed", "certificateGranted"]
    seen = {}
    for event in reversed(actions):
        seen.setdefault((event["userDetail"]["id"], event["notifiableId"]), []).append(
            event["type"]
        )
    assert all(types == sorted(types, key=order.index) for types in seen.values())


def test_learning_paths_are_told(school):
    """Enrollments, starts and completions of the licenses' learning paths (spec 2.4, 6)."""
    fill(school)
    learners = made(school, "users")
    statuses = Counter(
        entry["status"] for user in learners for entry in user["allocatedLearningPaths"]
    )
    types = Counter(event["type"] for event in feed(school, "learningPathAction"))
    assert sum(statuses.values()) == len(feed(school, "learningPathEnrollment"))
    assert statuses["completed"] == types["completed"]
    assert statuses["completed"] + statuses["started"] == types["started"]


def test_history_is_not_pushed(school):
    """Simulated history is not pushed to anybody (spec 6)."""
    school.control("notifications", {"url": "http://127.0.0.1:9/"})
    fill(school)
    assert [] == school.control("notifications")["deliveries"]


def test_a_second_order_adds_others(school):
    """Learners of another order have other addresses (spec 2.4)."""
    fill(school)
    fill(school)
    emails = [user["email"] for user in school.dump("users") if user["email"]]
    assert 160 == len({user["email"] for user in made(school, "users")})
    assert len({*emails}) >= 160


def test_a_company_of_nobody_and_nothing(platform):
    """Without clients and courses there are learners who do nothing (spec 2.4)."""
    platform.control("reset", {"seed": {}})
    assert {"users": 5, "events": 0} == platform.control("learners", {"n": 5})["made"]


@pytest.mark.parametrize(
    "body",
    [
        {"n": -1},
        {"n": 10_001},
        {"seed": "x"},
        {"days": 0},
        {"until": "soon"},
        {"until": "9999-01-01"},
        {"until": "1970-01-02"},
        {"colour": 1},
    ],
)
def test_bad_wishes_are_refused(platform, body):
    """Bad orders are refused with what is allowed, and nobody is made (spec 2.4)."""
    before = len(platform.dump("users"))
    response = platform.http.post("/_sandbox/learners", json=body)
    assert (400, before) == (response.status_code, len(platform.dump("users")))


def refusal(school, **wish):
    answer = school.http.post("/_sandbox/learners", json=wish)
    assert 400 == answer.status_code
    return answer.json()["errors"][0]


def test_learners_can_be_those_of_a_course(school):
    """All of them learn in the course that `ids` names, besides what their licenses lead to."""
    (one,) = [course["id"] for course in school.dump("courses") if course["title"] == "One"]
    assert 80 == fill(school, ids=[one])["users"]
    assert 80 == len([row for row in made(school, "enrollments") if row["courseId"] == one])


def test_learners_can_be_those_of_a_license(school):
    """All of them hold the license that `ids` names, and belong to its client."""
    (license_, *_) = school.dump("licenses")
    fill(school, n=5, ids=[license_["id"]])
    users = made(school, "users")
    assert {license_["clientId"]} == {user["clientId"] for user in users}
    held = {"licenseId": license_["id"]}
    assert 5 == len([user for user in users if held in user["allocatedLicenses"]])


def test_no_license_gets_more_learners_than_seats(school):
    """The order is refused as a whole, and says how many seats are left (spec 2.5)."""
    (license_, *_) = school.dump("licenses")
    school.control("edit", {"list": "licenses", "id": license_["id"], "set": {"seatsLimit": 3}})
    assert "seats left" in refusal(school, n=4, ids=[license_["id"]])
    assert [] == made(school, "users")


def test_what_nobody_can_learn_in_is_refused(school):
    """A draft is no course to learn in (spec 3)."""
    (draft,) = [course for course in school.dump("courses") if course["title"] == "Draft"]
    assert "is no published course" in refusal(school, ids=[draft["id"]])
