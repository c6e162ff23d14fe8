"""Whatever a person changes on the platform is told, and not overwritten unasked: field by field.

What is proven or noticed is told. What is unverifiable is said to be that wherever a plan sends it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pytest

from lmssync.catalog.manifests.yaml.yaml_writer import write_yaml_document
from lmssync.kinds import BY_RESOURCE
from lmssync.kinds.license.license_manifest import REPLACES
from lmssync.platform.live import Certainty, evidence_of_field
from lmssync.platform.live.readable_fields import pattern_of
from lmssync.resource import is_within
from lmssync.settings import Platform

from .by_hand import CASES, Case, apart, beside
from .conftest import Seen
from .values_by_hand import DOCUMENTS, HELD, HELPERS

LATER = {"advanceSeconds": 60}
"""What people do comes after what lmssync did, by the platform's clock."""
SOME = 20
"""One in so many fields in each run; all of them among the slow tests, in the extended profile."""
CORE = 4
"""One in so many fields there: of the core, an extended instance has every route."""
Pairs = Sequence[tuple[Case, Case]]
every = pytest.mark.parametrize("cases", [1], indirect=True, ids=["every"])


@pytest.fixture(params=[SOME, pytest.param(1, marks=pytest.mark.slow)], ids=["some", "every"])
def cases(request: pytest.FixtureRequest, profile: str) -> Sequence[Case]:
    """Fields that are changed, one of a resource: of what an instance of the profile can have."""
    if profile == "extended":
        return CASES[:: request.param]
    return [one for one in CASES if one.resource != "session"][:: max(request.param, CORE)]


def write(seen: Seen, documents: Iterable[Any]) -> None:
    """Writes manifests, and those that they name."""
    for one in (*HELPERS, *documents):
        seen.work.write(f"{one['key']}.yaml", write_yaml_document(one))


def applied(seen: Seen, documents: Iterable[Any]) -> None:
    """Applies manifests, and lets a while pass."""
    write(seen, documents)
    done = seen.work.apply()
    assert 0 == done.code, (done.out, done.err)
    seen.platform.order("clock", LATER)


def by_hand(seen: Seen, cases: Iterable[Case]) -> Mapping[str, Any]:
    """Has a person change each field; returns what the platform holds then."""
    for case in cases:
        seen.platform.order("edit", case.edit(seen.records))
    return held(seen, cases)


def held(seen: Seen, cases: Iterable[Case]) -> Mapping[str, Any]:
    """What the platform holds of each field."""
    orders = {case.address: case.edit(seen.records) for case in cases}
    lists = {order["list"] for order in orders.values()}
    known = {one["id"]: one for name in lists for one in seen.platform.dump(name)}
    return {
        address: {name: known[order["id"]].get(name) for name in order["set"]}
        for address, order in orders.items()
    }


def planned(seen: Seen, *args: str) -> Mapping[str, Any]:
    """The changes of a plan, by address."""
    done = seen.work.run("plan", "--json", *args)
    assert 0 == done.code, done.err
    return {change["address"]: change for change in done.json["changes"]}


def writes(seen: Seen) -> int:
    """How many requests could have changed something."""
    return sum(request["method"] != "GET" for request in seen.platform.requests())


def readable(seen: Seen, case: Case) -> Certainty:
    """What docs/live.md says of a field."""
    routes = Platform(profile=seen.profile).routes
    return evidence_of_field(BY_RESOURCE[case.resource], pattern_of(case.path), routes)[0]


def readable_ones(seen: Seen, cases: Iterable[Case]) -> list[Case]:
    """Those of which an instance shows something."""
    return [one for one in cases if readable(seen, one) is not Certainty.UNVERIFIABLE]


def drift_of(changes: Mapping[str, Any], case: Case) -> Any:
    """What a plan, or `drift`, tells of a field; nothing if it does not."""
    fields = changes.get(case.address, {}).get("drift") or ()
    return next((one for one in fields if is_within(one["path"], case.path)), {})


def untold(seen: Seen, cases: Iterable[Case], changes: Mapping[str, Any]) -> list[Any]:
    """Fields of which something else is told than the reference says."""
    wrong = []
    for case in cases:
        drift = drift_of(changes, case)
        word = Certainty.NOTICED if drift.get("noticedAt") else Certainty.PROVEN
        told = word if drift else Certainty.UNVERIFIABLE
        if told is not readable(seen, case):
            wrong.append((case.address, told, readable(seen, case)))
    return wrong


def decided(side: str, cases: Iterable[Case]) -> list[str]:
    """The decision for one side, about all of these."""
    return [word for case in cases for word in ("--keep", side, case.address)]


def test_an_edit_before_the_plan_is_told_and_left(seen: Seen, cases: Sequence[Case]) -> None:
    """Neither a plan nor `drift` lacks anything that the reference calls proven or noticed."""
    applied(seen, [one.manifest() for one in cases])
    values = by_hand(seen, cases)

    assert [] == untold(seen, cases, planned(seen, "--refresh", "all"))
    findings = seen.work.run("drift", "--json").json["findings"]
    assert [] == untold(seen, cases, {one["address"]: {"drift": one["fields"]} for one in findings})
    before = writes(seen)
    assert 0 == seen.work.apply("--refresh", "all").code
    assert (before, values) == (writes(seen), held(seen, cases))


def conflicting(seen: Seen, cases: Sequence[Case]) -> Mapping[str, Any]:
    """Changes each field on both sides; returns what the platform holds then."""
    applied(seen, [one.manifest() for one in cases])
    values = by_hand(seen, cases)
    write(seen, [one.manifest(git=True) for one in cases])
    return values


@pytest.mark.slow
@every
def test_what_both_sides_have_changed_waits(seen: Seen, cases: Sequence[Case]) -> None:
    """A conflict is not applied, and one that is decided for the platform sends nothing."""
    values, known = conflicting(seen, cases), readable_ones(seen, cases)

    changes = planned(seen)

    for case in known:
        drift = drift_of(changes, case)
        converged = case.alike and not drift.get("noticedAt")
        assert ("converged" if converged else "conflict") == drift["decision"], case
    seen.work.apply()
    before = writes(seen)
    assert 0 == seen.work.apply(*decided("platform", known)).code
    assert before == writes(seen)
    assert {one.address: values[one.address] for one in known} == held(seen, known)


@pytest.mark.slow
@every
def test_what_a_plan_would_overwrite_unseen_is_called_unverifiable(
    seen: Seen, cases: Sequence[Case]
) -> None:
    """Whoever reads the plan knows of which fields nobody can say what the platform holds."""
    conflicting(seen, cases)
    known = {one.address for one in readable_ones(seen, cases)}

    changes = planned(seen)

    unseen = [one for one in cases if one.address not in known]
    evidence = [
        (one.address, path, word)
        for one in unseen
        for path, word in changes[one.address]["evidence"].items()
        if is_within(path, one.path)
    ]
    assert [] == [one for one in evidence if one[-1] != "unverifiable"]
    assert {one.address for one in unseen} == {address for address, *_ in evidence}


def test_a_decision_for_git_sends_the_value_from_git(seen: Seen, cases: Sequence[Case]) -> None:
    """What is left then are steps for people, where no route changes a field."""
    values, known = conflicting(seen, cases), readable_ones(seen, cases)
    keep = decided("git", known)
    manual = {address for address, one in planned(seen, *keep).items() if one.get("manual")}

    assert 0 == seen.work.apply(*keep).code

    assert manual == planned(seen, "--refresh", "all").keys()
    now = held(seen, known)
    as_before = {one.address for one in known if values[one.address] == now[one.address]}
    assert {one.address for one in known if one.alike} - manual == as_before - manual


def test_an_edit_between_plan_and_apply_makes_the_plan_stale(
    seen: Seen, cases: Sequence[Case]
) -> None:
    """Nothing is sent, and each resource that the plan would overwrite is named."""
    applied(seen, [one.manifest() for one in cases])
    write(seen, [one.manifest(git=True) for one in cases])
    assert 0 == seen.work.run("plan", "--out", "p.json").code
    changes = seen.work.run("show", "p.json", "--json").json["changes"]
    updates = {one["address"] for one in changes if one["action"] == "update"}
    values, before = by_hand(seen, cases), writes(seen)

    done = seen.work.run("apply", "p.json")

    assert (5, before, values) == (done.code, writes(seen), held(seen, cases))
    message = done.err.partition("since the plan was made: ")[2].splitlines()[0]
    named = dict(one.split(": ") for one in message.split("; "))
    sent = {one.address: one.path for one in readable_ones(seen, cases) if one.address in updates}
    assert sent.keys() == named.keys()
    for address, path in sent.items():
        assert any(is_within(one, path) for one in named[address].split(", ")), address


def pairs(cases: Iterable[Case], other: Callable[[Case], Case | None]) -> Pairs:
    """Each field with another one, where there is one."""
    return [(case, found) for case in cases if (found := other(case))]


@pytest.mark.slow
@every
def test_an_edit_beside_a_change_in_git_is_told_and_left(seen: Seen, cases: Sequence[Case]) -> None:
    """The field next to it is sent, and that of the person is drift before and after."""
    both = pairs(cases, beside)
    cases = [one for one, _ in both]
    applied(seen, [one.manifest(other=other) for one, other in both])
    values = by_hand(seen, cases)
    write(seen, [one.manifest(other=other, git=True) for one, other in both])

    assert [] == untold(seen, cases, planned(seen))
    assert seen.work.apply().code in {0, 7}
    assert values == held(seen, cases)
    assert [] == untold(seen, cases, planned(seen, "--refresh", "all"))


def test_an_edit_apart_from_a_saved_plan_is_left_and_told_later(
    seen: Seen, cases: Sequence[Case]
) -> None:
    """A person changes one field while a plan that changes another waits to be applied."""
    both = pairs(cases, apart)
    cases = [one for one, _ in both]
    applied(seen, [one.manifest(other=other) for one, other in both])
    write(seen, [one.manifest(other=other, git=True) for one, other in both])
    assert 0 == seen.work.run("plan", "--out", "p.json").code
    values = by_hand(seen, cases)

    assert 0 == seen.work.run("apply", "p.json").code
    assert values == held(seen, cases)
    assert [] == untold(seen, cases, planned(seen, "--refresh", "all"))


@pytest.mark.slow
@every
def test_a_pull_brings_home_what_is_proven(seen: Seen, cases: Sequence[Case]) -> None:
    """What it cannot bring home it names; nothing else differs afterwards.

    A title is in two places, and a manifest can only say what one of them has: a person decides.
    """
    applied(seen, [one.manifest() for one in cases])
    by_hand(seen, cases)

    asked = {one.address for one in readable_ones(seen, cases)}
    done = seen.work.run("pull", *sorted(asked), "--json")

    assert done.code in {0, 7}, done.err
    refused = {(one["address"], one["path"]) for one in done.json["refused"]}
    changes = planned(seen, "--refresh", "all")
    left = {(a, one["path"]) for a in asked & changes.keys() for one in changes[a].get("drift", ())}
    assert refused == left
    proven = [one for one in cases if readable(seen, one) is Certainty.PROVEN]
    not_pulled = {one.label for one in proven if (one.address, one.path) in refused}
    assert {"status", "title", "type"} >= not_pulled


def test_what_no_route_keeps_is_called_unverifiable(seen: Seen) -> None:
    """Orders to the platform, where a client comes from, and in the core profile who holds which
    licenses: elsewhere `drift` reads that."""
    license_ = DOCUMENTS["license"] | dict.fromkeys(REPLACES, False) | {"key": "n", "name": "N"}
    documents = [
        {"resource": "license", **license_},
        {"resource": "client", "key": "c", **DOCUMENTS["client"]},
        {"resource": "licenseAssignment", "key": "a", **HELD},
    ]
    applied(seen, documents)

    words = {
        f"{address} {field['path']}": field["evidence"]
        for address in ("license.n", "client.c", "assignment.a")
        for field in seen.work.run("show", address, "--json").json["fields"]
    }

    unread = {path for path, word in words.items() if word == "unverifiable"}
    options = (f"enrollmentOptions.{name}" for name in HELD["enrollmentOptions"])
    orders = {*(f"license.n {name}" for name in REPLACES), *(f"assignment.a {n}" for n in options)}
    assert {"client.c cloneOf", *orders} <= unread
    held = {words[f"assignment.a {name}"] for name in ("licenses", "users")}
    assert {"unread" if seen.profile == "extended" else "unverifiable"} == held


@pytest.mark.parametrize(
    ("list_", "field", "value"),
    [("licenses", "clientId", "clients"), ("purchasePaths", "courseId", "courses")],
)
@pytest.mark.parametrize("profile", ["extended"], indirect=True)
def test_what_went_elsewhere_is_gone(seen: Seen, list_: str, field: str, value: str) -> None:
    """A license of another client, or a path of another course, is not where it was."""
    cases = [one for one in CASES if one.label in {"label", "displayOrder"}]
    applied(seen, [one.manifest() for one in cases])
    case = next(one for one in cases if one.edit(seen.records)["list"] == list_)
    order = case.edit(seen.records)
    elsewhere = next(one["id"] for one in seen.platform.dump(value) if one.get("slug") != "acme")
    seen.platform.order("edit", {**order, "set": {field: elsewhere}})

    change = planned(seen, "--refresh", "all")[case.address]

    assert ("blocked", True) == (change["action"], "no longer on" in change["reasons"][0])
