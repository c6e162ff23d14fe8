"""The seats that a plan counts are those that the platform then gives."""

from itertools import product
from typing import Any, NamedTuple

import pytest

from tests.covering import cover_pairs
from tests.served_catalog import Platform, Workspace

PARTIAL = 7
PEOPLE = ("chloe.dubois", "gita.rao", "ida.berg", "jack.muller")
"""Learners of Brightwater who hold nothing that these tests make."""
OPTIONS = {
    "all kept": "{preserveEnrollments: true, preserveProgress: true}",
    "access lost": "{preserveEnrollments: false, preserveProgress: true}",
    "all lost": "{preserveEnrollments: false, preserveProgress: false}",
}


class Case(NamedTuple):
    """Who is in which list before and after, by number; `left` left the catalog with its list."""

    seats: int
    options: str
    left: tuple[int, ...]
    first: tuple[tuple[int, ...], tuple[int, ...]]
    second: tuple[tuple[int, ...], tuple[int, ...]]


LISTS: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = (
    ((), ()),
    ((0,), (0, 1)),
    ((0, 1), (1,)),
    ((0,), (1,)),
)
CASES = [
    Case(seats, options, left, first, ((), second))
    for seats, options, left, first, second in product(
        (0, 1, 2, 3), OPTIONS, ((), (2,)), LISTS, ((), (3,))
    )
    if not seats or max(len(left) + len(first[0]), len(first[1]) + len(second)) <= seats
]
"""What validation lets pass: the lists alone never ask for more than there are."""


def write(work: Workspace, key: str, options: str, *people: int) -> None:
    named = "".join(f"\n  - {{email: {PEOPLE[one]}@brightwater.example}}" for one in people)
    head = f"resource: licenseAssignment\nkey: {key}\nlicenses: [crew]\nusers:{named or ' []'}\n"
    work.write(f"{key}.yaml", f"{head}enrollmentOptions: {OPTIONS[options]}\n")


def license_of(seats: int) -> str:
    return (
        "resource: license\nkey: crew\nclient: brightwater\nname: Crew\ncourses: [safety]\n"
        f"learningPaths: []\ncourseTags: []\nseatsLimit: {seats or 'null'}\n"
    )


def holders(platform: Platform) -> int:
    """How many people hold the license."""
    (crew,) = (one["id"] for one in platform.dump("licenses") if one["name"] == "Crew")
    held = [
        one["licenseId"] for user in platform.dump("users") for one in user["allocatedLicenses"]
    ]
    return held.count(crew)


def prepare(work: Workspace, case: Case) -> None:
    """Applies what was before the change, and writes the change."""
    work.course("safety")
    work.write("crew.yaml", license_of(case.seats))
    for key, people in (("left", case.left), ("a", case.first[0]), ("b", case.second[0])):
        write(work, key, case.options, *people)
    assert 0 == work.apply().code
    (work.root / "left.yaml").unlink()
    write(work, "a", case.options, *case.first[1])
    write(work, "b", case.options, *case.second[1])


def said(plan: Any) -> list[str]:
    """What a plan says of seats."""
    meanings = (change.get("consequence") or {"says": []} for change in plan["changes"])
    return [text for one in meanings for text in one["says"] if "seats" in text]


@pytest.mark.parametrize("case", cover_pairs(CASES), ids=str)
def test_seats_are_counted_as_the_platform_counts_them(
    work: Workspace, platform: Platform, case: Case
) -> None:
    """A call is refused where the plan says so, and else there are as many holders as it says."""
    prepare(work, case)
    told = said(work.plan())
    refused = [text for text in told if "refuses" in text]

    assert (PARTIAL if refused else 0) == work.apply().code
    if told and not refused:
        assert f"→ {holders(platform)} of {case.seats} seats" in told[-1]


def test_an_overflow_is_told_before_it_happens(work: Workspace, platform: Platform) -> None:
    """People whose list has left the catalog still hold their seats, so one is missing."""
    prepare(work, Case(2, "all kept", (2,), ((0,), (0, 1)), ((), ())))

    (told,) = said(work.plan())

    assert told.startswith("license.crew has 2 seats and 3 people would hold it: the platform ref")
    assert (PARTIAL, 2) == (work.apply().code, holders(platform))


def test_the_text_says_it_below_the_change(work: Workspace) -> None:
    """A plan for people has the seats as well."""
    prepare(work, Case(3, "all kept", (2,), ((0,), (0, 1)), ((), ())))
    assert "license.crew: 2 → 3 of 3 seats are taken" in work.run("plan").out


def test_holders_whom_no_list_names_count(work: Workspace, instance: Platform) -> None:
    """Where an instance lists its accounts, everybody who holds the license has a seat."""
    prepare(work, Case(2, "all kept", (), ((0,), (0, 1)), ((), ())))
    (crew,) = (one["id"] for one in instance.dump("licenses") if one["name"] == "Crew")
    (ida,) = (one for one in instance.dump("users") if one["email"].startswith(PEOPLE[2]))
    held = [*ida["allocatedLicenses"], {"licenseId": crew}]
    instance.order("edit", {"list": "users", "id": ida["id"], "set": {"allocatedLicenses": held}})

    (told,) = said(work.plan())

    assert told.startswith("license.crew has 2 seats and 3 people would hold it")
    assert (PARTIAL, 2) == (work.apply().code, holders(instance))


def test_fewer_seats_than_holders_are_told(work: Workspace, instance: Platform) -> None:
    """A license that changes says who holds it, and whether those are more than its seats."""
    prepare(work, Case(3, "all kept", (), ((0, 1), (0, 1)), ((2,), ())))
    assert 0 == work.apply().code
    assert 2 == holders(instance)
    work.write("crew.yaml", license_of(1).replace("seatsLimit: 1", "seatsLimit: 2"))
    assert "2 people hold it" in work.run("plan").out
    write(work, "a", "all kept", 0)
    work.write("crew.yaml", license_of(1))
    assert "2 people hold it, more than its limit of 1" in work.run("plan").out
