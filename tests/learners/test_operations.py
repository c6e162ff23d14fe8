"""Lists of what is done to learners: each row once, whatever breaks, with a right receipt."""

import csv
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from tests.sandbox.school import demo
from tests.served_catalog import EXTENDED, PROJECT, Platform, Workspace, wait_until

DONE, ERROR, INVALID, UNKNOWN, LOCKED, PARTIAL, UNREACHABLE, USAGE = 0, 1, 3, 4, 6, 7, 8, 64
PATH_RECORD = ("activity", "learning-path", "record")
ASSIGNMENT_RECORD = ("activity", "assignment", "record")
COLUMNS = "userId,learningPathId,status,completionDate\n"
LINE_MANAGER = demo(102)
LANDED = {"advanceSeconds": 60}
"""After that time nothing that was sent can take effect any more."""


def row(number: int, path: str = LINE_MANAGER, status: str = "", date: str = "") -> str:
    return f"{demo(number)},{path},{status},{date}\n"


def write(work: Workspace, *rows: str, name: str = "day.csv") -> None:
    work.write(name, COLUMNS + "".join(rows))


def record(work: Workspace, *args: str, name: str = "day.csv") -> Any:
    return work.run(*PATH_RECORD, name, "--yes", *args)


def outcomes(work: Workspace, name: str = "receipt.csv") -> list[str]:
    """The outcome of each line of a receipt, in its order."""
    with (work.root / name).open(encoding="utf-8") as file:
        return [line["outcome"] for line in csv.DictReader(file)]


def recorded(platform: Platform, kind: str = "learningPathAction") -> Counter[str]:
    """How often each person has an activity that came from outside."""
    events = [one for one in platform.dump("events") if one["kind"] == kind]
    return Counter(one["userDetail"]["id"] for one in events)


def sent(platform: Platform, route: str = "activity.learningPath") -> int:
    return len(platform.requests(route=route))


# What would be sent, and what is


def test_a_dry_run_is_the_default(work: Workspace, platform: Platform) -> None:
    """It shows each row by its line, names nobody, and sends nothing."""
    write(work, row(408), row(409, status="started"))

    done = work.run(*PATH_RECORD, "day.csv")

    assert (DONE, 0) == (done.code, sent(platform))
    assert f"day.csv:3  learningPathId “{LINE_MANAGER}”, status “started”" in done.out
    assert demo(409) not in done.out + done.err


def test_each_row_is_recorded_once(work: Workspace, platform: Platform) -> None:
    """A second run of the same list sends nothing, and its receipt says so."""
    write(work, row(408, date="2027-01-31"), row(409))

    assert DONE == record(work, "--out", "receipt.csv").code
    assert ["done", "done"] == outcomes(work)
    assert DONE == record(work, "--out", "receipt.csv").code

    assert (["unchanged"] * 2, 2) == (outcomes(work), sent(platform))
    assert {demo(408): 1, demo(409): 1} == recorded(platform)


def test_a_list_that_has_grown_and_is_sorted_otherwise(work: Workspace, platform: Platform) -> None:
    """Only the new row is sent: a row is known by what it says, not by its line."""
    write(work, row(408), row(409))
    record(work)
    write(work, row(410), row(409), row(408))

    record(work, "--out", "receipt.csv")

    assert ["done", "unchanged", "unchanged"] == outcomes(work)
    assert {demo(408): 1, demo(409): 1, demo(410): 1} == recorded(platform)


def test_another_occasion_is_recorded_again(work: Workspace, platform: Platform) -> None:
    """What is recorded a second time on purpose gets a name, and is then done once as well."""
    write(work, row(408))
    for occasion in ("", "2027", "2027"):
        assert DONE == record(work, "--occasion", occasion).code
    assert {demo(408): 2} == recorded(platform)


def test_one_row_by_options(work: Workspace, platform: Platform) -> None:
    """Without a file, the options are the row; `completed` is what the platform assumes."""
    options = ("--user-id", demo(408), "--learning-path-id", LINE_MANAGER)

    assert DONE == work.run(*PATH_RECORD, *options, "--yes").code

    (activity,) = platform.dump("learningPathActivities")
    assert (demo(408), "completed") == (activity["userId"], activity["status"])


# What is wrong with a list


def test_all_mistakes_at_once_and_nothing_is_sent(work: Workspace, platform: Platform) -> None:
    """Each has its line, nobody is quoted, and the good rows wait as well."""
    wrong = f"ann@example.com,{LINE_MANAGER},done,31.1.2027\n"
    write(work, row(408), wrong, row(409, status="started", date="2027-01-31"), row(408))

    done = record(work)

    assert (INVALID, 0) == (done.code, sent(platform))
    places = [line.split(" ")[0] + line.split("[")[1].split("]")[0] for line in _errors(done.err)]
    assert [
        "day.csv:3:1:date",
        "day.csv:3:1:status-value",
        "day.csv:3:1:uuid",
        "day.csv:4:1:completion-date-status",
        "day.csv:5:1:row-twice",
    ] == places
    assert "ann@" not in done.err


def _errors(text: str) -> list[str]:
    return [line for line in text.splitlines() if ": error[" in line]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "no line that names the columns"),
        (b"userId,learningPathId\n", "has no rows"),
        (b"userId,learningPathId,when\na,b,c\n", "`when` is not a column"),
        ("userId,learningPathId\nä,b\n".encode("latin-1"), "day.csv is not UTF-8: line 2"),
        ("userId,learningPathId\n".encode("utf-16"), "day.csv is UTF-16"),
        (b'userId,learningPathId\n"a,b\n', "not CSV"),
        (b"userId,learningPathId\na\x00,b\n", "which is not a uuid"),
        (b"PK\x03\x04\x14\x00\x00\x00", "is not a column"),
    ],
)
def test_what_is_no_list(work: Workspace, platform: Platform, data: bytes, says: str) -> None:
    """A file of another form is refused in words, and nothing is sent."""
    (work.root / "day.csv").write_bytes(data)
    done = record(work)
    assert done.code in {INVALID, USAGE}
    assert says in done.err
    assert 0 == sent(platform)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_what_spreadsheet_programs_write(
    work: Workspace, platform: Platform, encoding: str, delimiter: str
) -> None:
    """With or without a byte order mark, and with any of three delimiters."""
    text = (COLUMNS + row(408)).replace(",", delimiter).replace("\n", "\r\n")
    (work.root / "day.csv").write_bytes(text.encode(encoding))
    assert DONE == record(work).code
    assert {demo(408): 1} == recorded(platform)


# What the platform says


def test_what_is_refused_is_told_and_may_be_sent_again(work: Workspace, platform: Platform) -> None:
    """The others are done; the reason stands with its line, and in the receipt with the person."""
    write(work, row(408), row(999))

    done = record(work, "--out", "receipt.json")

    assert (PARTIAL, "day.csv:3: refused: userId: ") == (done.code, done.out[:28])
    assert demo(999) not in done.out + done.err
    assert demo(999) in (work.root / "receipt.json").read_text("utf-8")
    assert PARTIAL == record(work).code
    assert 3 == sent(platform)


def test_a_feature_that_is_off_stops_the_list(work: Workspace, platform: Platform) -> None:
    """The first answer says it of all rows, so no other is sent."""
    platform.order("features", {"externalActivity": False})
    write(work, row(408), row(409))

    done = record(work, "--out", "receipt.csv")

    assert (ERROR, ["not-sent", "not-sent"], 1) == (done.code, outcomes(work), sent(platform))
    assert "the account team of the platform switches on `externalActivity`" in done.err


def test_a_key_that_is_refused_stops_the_list(
    work: Workspace, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is sent with a key that the platform does not know."""
    monkeypatch.setenv("LMSSYNC_API_KEY", "no-such-key")
    write(work, row(408))
    assert (UNREACHABLE, 0) == (record(work).code, sent(platform))


def test_a_throttled_row_waits_and_is_done(work: Workspace, platform: Platform) -> None:
    """A 429 did nothing, so the same row is sent again after the time that the platform names."""
    platform.order(
        "faults", {"action": "throttle", "route": "activity.learningPath", "retryAfter": 0}
    )
    write(work, row(408))
    assert DONE == record(work).code
    assert {demo(408): 1} == recorded(platform)


# Never twice


def lose(
    platform: Platform, action: str, route: str = "activity.learningPath", **more: Any
) -> None:
    platform.order("faults", {"seed": 0, "faults": [{"action": action, "route": route, **more}]})


@pytest.mark.parametrize("action", ["drop-after", "cut", "garbage"])
def test_a_lost_answer_is_found_in_the_feed(
    work: Workspace, platform: Platform, action: str
) -> None:
    """The row was recorded: the next run sees it in the feed, and does not send it again."""
    write(work, row(408, status="started"), row(409))
    lose(platform, action)

    assert UNKNOWN == record(work, "--out", "receipt.csv").code
    assert ["unknown", "done"] == outcomes(work)
    platform.order("clock", LANDED)

    assert DONE == record(work).code
    assert {demo(408): 1, demo(409): 1} == recorded(platform)


def test_what_was_not_recorded_is_sent_again(work: Workspace, platform: Platform) -> None:
    """The feed shows the row that was answered and not the other: so that one was not recorded."""
    write(work, row(408, status="started"), row(409, status="started"))
    lose(platform, "drop-before")

    assert UNKNOWN == record(work).code
    platform.order("clock", LANDED)

    assert DONE == record(work).code
    assert {demo(408): 1, demo(409): 1} == recorded(platform)


def test_another_deed_proves_nothing(work: Workspace, platform: Platform) -> None:
    """A feed that shows completions may show beginnings in other words, or not at all."""
    write(work, row(408, status="started"), row(409))
    lose(platform, "drop-before")
    record(work)
    platform.order("clock", LANDED)
    assert (UNKNOWN, 2) == (record(work).code, sent(platform))


def test_a_profile_shows_what_was_not_completed(work: Workspace, platform: Platform) -> None:
    """Where no row was answered the feed proves nothing, but the profile lacks the completion."""
    write(work, row(408))
    lose(platform, "drop-before")

    assert UNKNOWN == record(work).code
    platform.order("clock", LANDED)

    assert DONE == record(work).code
    assert {demo(408): 1} == recorded(platform)


def test_what_nothing_shows_waits_for_a_person(work: Workspace, platform: Platform) -> None:
    """It is never sent again by itself; each of the two answers of a person settles it."""
    write(work, row(408, status="started"), row(409, status="started"))
    lose(platform, "drop-before", times=2)
    record(work)
    platform.order("clock", LANDED)

    assert (UNKNOWN, 2) == (record(work).code, sent(platform))
    assert USAGE == record(work, "--recorded", "7").code
    assert DONE == record(work, "--recorded", "2", "--not-recorded", "3").code

    assert {demo(409): 1} == recorded(platform)


@pytest.mark.slow
def test_two_runs_at_once(work: Workspace, platform: Platform) -> None:
    """The second one says that the state is held, and sends nothing; the lock ends with the process
    that holds it."""
    write(work, row(408))
    work.write("lmssync.yaml", PROJECT)
    platform.hold("ping")
    first = work.start(*PATH_RECORD, "day.csv", "--yes")
    wait_until(lambda: bool(platform.requests(route="ping")), "a ping")

    assert (LOCKED, 0) == (record(work).code, sent(platform))
    platform.kill(first)
    assert DONE == record(work).code


@pytest.mark.slow
def test_a_killed_run_goes_on(work: Workspace, platform: Platform) -> None:
    """kill -9 while a row is on its way: nothing is recorded twice, and nothing is lost."""
    write(work, *(row(number, status="started") for number in range(408, 414)))
    platform.hold("activity.learningPath", nth=3, when="after")
    killed = work.start(*PATH_RECORD, "day.csv", "--yes")
    platform.wait_for("activity.learningPath")
    platform.kill(killed)
    platform.order("clock", LANDED)

    assert DONE == record(work, "--out", "receipt.csv").code
    assert ["unchanged"] * 3 + ["done"] * 3 == outcomes(work)
    assert dict.fromkeys(map(demo, range(408, 414)), 1) == recorded(platform)


# What is told of it


def test_status_and_history_tell_of_a_list(work: Workspace, platform: Platform) -> None:
    """A run is one line of the history; rows without an answer stand in the status, and stop no
    plan."""
    write(work, row(408, status="started"), row(409, status="started"))
    lose(platform, "drop-before")
    record(work, "--occasion", "2027")

    said = "learning-path activity, day.csv, occasion 2027, 1 row of "
    assert said in work.run("status").out
    (open_,) = work.run("status", "--json").json["openRows"]
    assert ("day.csv", "2027", 1) == (open_["list"], open_["occasion"], open_["rows"])
    assert 1 == len(work.run("state", "history").out.splitlines())
    assert "day.csv, occasion 2027: 2 sent, 1 unknown, 1 done" in work.run("state", "history").out
    work.course("a")
    assert (DONE, DONE) == (work.apply().code, work.run("state", "verify").code)


# Courses


def test_courses_completed_elsewhere(work: Workspace, instance: Platform) -> None:
    """A lost answer is found in the feed; an instance without the route is asked nothing."""
    platform = instance
    platform.order("school")
    course = platform.dump("courses")[0]["id"]
    users = [one for one in platform.dump("users") if not one["disabled"]][:2]
    emails = [one["email"] for one in users]
    work.write("done.csv", "".join(["courseId,userEmail\n", *(f"{course},{e}\n" for e in emails)]))
    send = ("activity", "course", "record", "done.csv", "--yes", "--out", "receipt.csv")
    work.write("lmssync.yaml", PROJECT)
    refused = work.run(*send)
    assert (USAGE, True) == (refused.code, "`platform: {capabilities: " in refused.err)
    work.write("lmssync.yaml", EXTENDED)
    lose(platform, "drop-after", "activity.course")
    assert (UNKNOWN, ["unknown", "done"]) == (work.run(*send).code, outcomes(work))
    platform.order("clock", LANDED)

    assert (DONE, ["unchanged"] * 2) == (work.run(*send).code, outcomes(work))

    assert 2 == sent(platform, "activity.course")
    events = [one for one in platform.dump("events") if one["kind"] == "courseAction"]
    external = [one for one in events if one.get("source") == "external"]
    assert dict.fromkeys(emails, 1) == Counter(one["userDetail"]["email"] for one in external)


# Assignments


@pytest.fixture
def report(platform: Platform) -> str:
    """The id of an assignment."""
    platform.order("school")
    return next(t["id"] for t in platform.dump("topics") if t["type"] == "assignment")


def hand_in(work: Workspace, assignment: str, *people: int, more: str = "") -> None:
    rows = (f"completed,{assignment},{demo(number)},85.5,Well done{more}\n" for number in people)
    head = "status,assignmentId,learnerId,grade,gradeFeedback" + (",returnUrl\n" if more else "\n")
    work.write("marks.csv", head + "".join(rows))


@pytest.mark.parametrize("jwt", [(), ("--jwt",)])
@pytest.mark.parametrize("more", ["", ",/learn/größe?a=b"])
def test_a_redirect_is_a_success(
    work: Workspace, platform: Platform, report: str, jwt: Sequence[str], more: str
) -> None:
    """The 302 of an assignment leads to its returnUrl, or home; also for a signed token."""
    hand_in(work, report, 411, more=more)

    assert DONE == work.run(*ASSIGNMENT_RECORD, "marks.csv", "--yes", *jwt).code

    submissions = [s for s in platform.dump("submissions") if s["assignmentId"] == report]
    (one,) = [s for s in submissions if s["learnerId"] == demo(411)]
    assert (85.5, "Well done") == (one["grade"], one["gradeFeedback"])
    assert bool(jwt) == ("" == platform.requests(route="activity.assignment")[-1]["body"])


def test_a_redirect_elsewhere_is_no_success(
    work: Workspace, platform: Platform, report: str
) -> None:
    """A login page redirects as well: then it is unknown whether it was recorded."""
    hand_in(work, report, 411)
    body = {"action": "answer", "route": "activity.assignment", "status": 302, "when": "before"}
    platform.order("faults", body)
    done = work.run(*ASSIGNMENT_RECORD, "marks.csv", "--yes")
    assert (UNKNOWN, True) == (done.code, "in place of `/learn`" in done.out)


def test_a_lost_submission_is_found_in_the_feed(
    work: Workspace, platform: Platform, report: str
) -> None:
    """Of one lost before and one after it was kept, each is there once in the end."""
    before = recorded(platform, "assignmentSubmission")
    hand_in(work, report, 408, 409, 411)
    faults = [
        {"action": "drop-before", "route": "activity.assignment"},
        {"action": "drop-after", "route": "activity.assignment"},
    ]
    platform.order("faults", {"seed": 0, "faults": faults})
    codes = []
    for _ in range(2):
        codes.append(work.run(*ASSIGNMENT_RECORD, "marks.csv", "--yes").code)
        platform.order("clock", LANDED)
    assert [UNKNOWN, DONE] == codes
    more = recorded(platform, "assignmentSubmission") - before
    assert {demo(408): 1, demo(409): 1, demo(411): 1} == more


# Attempts


def fail(platform: Platform, *people: int) -> list[str]:
    """Failed attempts at the quiz of the school's safety course; their ids."""
    quiz = _quiz(platform)["id"]
    wires = [
        {"userId": demo(n), "assessmentId": quiz, "grade": 40, "passed": False} for n in people
    ]
    return [one["id"] for one in platform.order("attempts", {"attempts": wires})["attempts"]]


def _quiz(platform: Platform) -> Any:
    return next(t for t in platform.dump("topics") if t["title"] == "Check: Safety basics")


def forgiven(platform: Platform) -> set[str]:
    return {one["id"] for one in platform.dump("attempts") if one["forgiven"]}


def test_attempts_of_a_list_are_forgiven(work: Workspace, platform: Platform, report: str) -> None:
    """By their ids; one that is unknown is refused, and the others are done."""
    ids = fail(platform, 408, 409)
    work.write("ids.csv", "\n".join(["id", *ids, demo(999)]))

    done = work.run("attempts", "forgive", "--from", "ids.csv", "--yes", "--out", "receipt.csv")

    assert (PARTIAL, ["done", "done", "refused"]) == (done.code, outcomes(work))
    assert set(ids) == forgiven(platform)


def test_attempts_of_a_quiz_and_a_time(work: Workspace, platform: Platform, report: str) -> None:
    """The feed shows who failed it since then; who has passed or was forgiven is left alone."""
    platform.order("clock", {"advanceSeconds": 86_400})
    ids, quiz = fail(platform, 408, 409), _quiz(platform)
    course = _course_of(platform, ids[0])
    window = ("--course", course, "--topic", quiz["id"], "--since", "2026-01-01")

    assert DONE == work.run("attempts", "forgive", *window, "--yes").code

    assert set(ids) <= forgiven(platform)
    failed = [a for a in platform.dump("attempts") if a["assessmentId"] == quiz["id"]]
    assert all(one["passed"] for one in failed)
    nothing = work.run("attempts", "forgive", *window, "--yes")
    assert (USAGE, True) == (nothing.code, "shows no failed attempt" in nothing.err)


@pytest.mark.parametrize(
    ("topic", "words"),
    [
        ("start/one/check", ""),
        ("check", ""),
        ("chek", "course.a has no part `chek` that is recorded"),
    ],
)
def test_attempts_of_a_quiz_of_the_catalog(
    work: Workspace, platform: Platform, report: str, topic: str, words: str
) -> None:
    """The course is named by its address, and the quiz by its path or the last id of it."""
    work.course("a")
    assert DONE == work.apply().code
    quiz = next(one["id"] for one in platform.dump("topics") if one["title"] == "Check")
    wire = {"userId": demo(408), "assessmentId": quiz, "grade": 40, "passed": False}
    (made,) = platform.order("attempts", {"attempts": [wire]})["attempts"]
    platform.order("clock", {"advanceSeconds": 60})
    window = ("--course", "course.a", "--topic", topic, "--since", "2026-01-01")
    done = work.run("attempts", "forgive", *window, "--yes")
    assert (USAGE if words else DONE, True) == (done.code, words in done.err), done.err
    assert (set() if words else {made["id"]}) == forgiven(platform)


def _course_of(platform: Platform, attempt: str) -> str:
    return str(next(a["courseId"] for a in platform.dump("attempts") if a["id"] == attempt))


def test_a_lost_answer_of_a_forgiveness_is_sent_again(
    work: Workspace, platform: Platform, report: str
) -> None:
    """A repeat changes nothing, so nobody is asked."""
    (id_,) = fail(platform, 408)
    lose(platform, "drop-before", "attempt.forgive")
    assert UNKNOWN == work.run("attempts", "forgive", id_, "--yes").code
    assert DONE == work.run("attempts", "forgive", id_, "--yes").code
    assert {id_} == forgiven(platform)


# Many


FAULTS: Sequence[Any] = [
    {"action": "drop-before"},
    {"action": "drop-after"},
    {"action": "cut"},
    {"action": "garbage"},
    {"action": "status", "status": 502, "when": "after"},
    {"action": "status", "status": 500, "when": "before"},
]
"""A row meets one of them with a chance of 20 percent."""


@pytest.mark.parametrize(
    "count",
    [
        pytest.param(300, marks=pytest.mark.slow),
        pytest.param(10_000, marks=pytest.mark.exhaustive),
    ],
)
def test_many_rows_with_faults(work: Workspace, platform: Platform, count: int) -> None:
    """With faults in every fifth call, none is recorded twice and none is lost."""
    users = [{"id": demo(n), "email": f"u{n}@x.example"} for n in range(10_000, 10_000 + count)]
    paths = [{"id": LINE_MANAGER, "title": "Line manager"}]
    platform.order("reset", {"seed": {"users": users, "learningPaths": paths}})
    each = {"route": "activity.learningPath", "times": None, "probability": 0.034}
    platform.order("faults", {"seed": 3, "faults": [fault | each for fault in FAULTS]})
    write(work, *(row(10_000 + n, status="started") for n in range(count)))

    codes = []
    while not codes or (codes[-1] != DONE and len(codes) < 40):
        codes.append(record(work, "--out", "receipt.csv").code)
        platform.order("clock", LANDED)

    assert (UNKNOWN, DONE) == (codes[0], codes[-1])
    assert dict.fromkeys((one["id"] for one in users), 1) == recorded(platform)
    assert {"done", "unchanged"} >= set(outcomes(work))
