"""The receipt of an apply: what became of each person in a list, right to the last line."""

import csv
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import orjson
import pytest

from lmssync.kinds.license_assignment import assignment_calls
from lmssync.vocabulary.limits import USERS_PER_SUBLICENSE
from tests.kinds.test_assignments_applied import (
    CHLOE,
    GITA,
    IDA,
    KEEP,
    PLANT,
    assign,
    holders,
    sent,
)
from tests.served_catalog import PROJECT, Platform, Workspace

PARTIAL = 7
RECEIPT = ("--receipt", "people.csv")
CLIENT, LICENSE = (f"7d1c0000-0000-4000-8000-0000000009{n:02}" for n in (1, 2))


def lines(work: Workspace) -> list[dict[str, str]]:
    with (work.root / "people.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def ends(work: Workspace) -> list[tuple[str, str, str]]:
    """Line, person and outcome of each line of the receipt."""
    return [(one["line"], one["person"].partition("@")[0], one["outcome"]) for one in lines(work)]


def test_each_line_says_what_became_of_it(work: Workspace) -> None:
    """Who came, stayed, left, and is unknown to the platform; those who left have no line."""
    assign(work, CHLOE, GITA)
    work.apply()
    assign(work, GITA, IDA, "nobody", more=KEEP)

    assert PARTIAL == work.apply(*RECEIPT).code

    assert [
        ("5", GITA, "unchanged"),
        ("6", IDA, "done"),
        ("7", "nobody", "refused"),
        ("", CHLOE, "done"),
    ] == ends(work)
    assert "unknown to the platform" == lines(work)[2]["reason"]


def test_an_overflow_is_told_before_and_after(work: Workspace, platform: Platform) -> None:
    """Before, by the plan; then nobody of the call has it, and each line says why."""
    assign(work, CHLOE, GITA, licenses=PLANT)

    assert PARTIAL == work.apply("--receipt", "people.json").code

    receipt = orjson.loads((work.root / "people.json").read_bytes())
    assert {"refused": 2} == {k: n for k, n in receipt["summary"].items() if n}
    assert all("has 5 seats; 6 would be taken" in one["reason"] for one in receipt["people"])
    assert [] == holders(platform, PLANT)


def test_what_was_not_reached_is_not_sent(work: Workspace, platform: Platform) -> None:
    """A stopped run leaves a receipt as well."""
    assign(work, CHLOE)
    platform.order("features", {"advancedClients": False})
    assert PARTIAL == work.apply(*RECEIPT).code
    assert [("5", CHLOE, "refused")] == ends(work)


def company(platform: Platform, people: Iterable[str], seats: int) -> None:
    """A company of these people, with one license."""
    users = [{"email": one, "clientId": CLIENT} for one in people]
    license_ = {"id": LICENSE, "clientId": CLIENT, "name": "All", "seatsLimit": seats}
    seed = {"clients": [{"id": CLIENT, "name": "Co", "slug": "co"}], "licenses": [license_]}
    platform.order("reset", {"seed": {**seed, "users": users}})
    platform.order("switches", {"jobSeconds": 0})


@pytest.fixture
def patient(work: Workspace) -> None:
    """A call about 5,000 people takes its time on a busy machine."""
    work.write("lmssync.yaml", PROJECT)


def holding(platform: Platform) -> Counter[str]:
    return Counter(u["email"] for u in platform.dump("users") if u["allocatedLicenses"])


CREW = f"""\
resource: license
key: crew
client: {CLIENT}
name: Crew
courses: []
learningPaths: []
courseTags: []
seatsLimit: SEATS
"""


def listed(work: Workspace, people: Iterable[str], license_: str = LICENSE) -> None:
    work.write("staff.csv", "\n".join(["email", *people]) + "\n")
    head = f"resource: licenseAssignment\nkey: staff\nlicenses: [{license_}]\n"
    work.write("staff.yaml", f"{head}usersFile: staff.csv\n{KEEP}")


@pytest.mark.parametrize(
    "count",
    [
        pytest.param(6_000, marks=pytest.mark.slow),
        pytest.param(25_000, marks=pytest.mark.exhaustive),
    ],
)
@pytest.mark.usefixtures("patient")
def test_many_people_and_a_kill(work: Workspace, platform: Platform, count: int) -> None:
    """Killed while a job is under way: the next run goes on, and its receipt is right to the last
    line; whom the platform does not know stay in the plan."""
    people = [f"p{n:05}@co.example" for n in range(count)]
    strangers = set(people[1::1_000])
    company(platform, (one for one in people if one not in strangers), seats=count)
    listed(work, people)
    calls = -(-count // 5_000)
    _kill(work, platform, at=calls // 2)

    assert PARTIAL == work.apply(*RECEIPT).code

    ended = {one["person"]: one["outcome"] for one in lines(work)}
    assert [(f"{n + 2}", one) for n, one in enumerate(people)] == [
        (one["line"], one["person"]) for one in lines(work)
    ]
    assert strangers == {one for one, outcome in ended.items() if outcome == "refused"}
    assert {"done", "unchanged", "refused"} >= set(ended.values())
    assert dict.fromkeys(set(people) - strangers, 1) == holding(platform)
    assert calls + 1 >= sum(body.count('"email"') > len(strangers) for body in sent(platform))
    assert f"(+{len(strangers)})" in _waiting(work)


def _kill(work: Workspace, platform: Platform, *, at: int) -> None:
    """Kills an apply while the job of one of its calls is asked for."""
    platform.hold("job.read", when="after", nth=at)
    process = work.start("apply", "--yes")
    for _ in range(10):  # a plan for many people takes a while
        with suppress(AssertionError):
            platform.wait_for("job.read")
            break
    platform.kill(process)


def _waiting(work: Workspace) -> Any:
    (change,) = work.plan()["changes"]
    return change["fields"][0]["after"]


@pytest.mark.parametrize(
    "most",
    [
        pytest.param(500, marks=pytest.mark.slow),
        pytest.param(USERS_PER_SUBLICENSE, marks=pytest.mark.exhaustive),
    ],
)
@pytest.mark.usefixtures("patient")
def test_an_overflow_in_the_middle_of_many(
    work: Workspace, platform: Platform, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """A check says it of a license in the catalog. Forced, the calls before it are done, it is
    refused, those after it are not sent, and each line says which."""
    monkeypatch.setattr(assignment_calls, "USERS_PER_SUBLICENSE", most)
    people, seats = [f"p{n:05}@co.example" for n in range(3 * most)], most + most // 2
    company(platform, people, seats=seats)
    work.write("license.yaml", CREW.replace("SEATS", str(seats)))
    listed(work, people, "crew")
    told = work.run("validate").out
    (work.root / "license.yaml").unlink()
    listed(work, people)

    assert PARTIAL == work.apply(*RECEIPT).code

    assert f"license.crew has {seats:,} seats, but is assigned to {3 * most:,} people" in told
    counts = Counter(one["outcome"] for one in lines(work))
    assert {"done": most, "refused": most, "not-sent": most} == counts
    assert {one["person"] for one in lines(work) if one["outcome"] == "done"} == {
        *holding(platform)
    }
