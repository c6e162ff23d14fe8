"""License assignments (spec 2.7, 3, 4)."""

from pathlib import Path
from typing import Any

import pytest

from lmssync.kind import CallPart, Effect, FormChange, Ids
from lmssync.kinds import KINDS
from lmssync.resource import Form
from lmssync.vocabulary.limits import USERS_PER_SUBLICENSE as MOST
from tests import making
from tests.making import UUID, codes, described

ASSIGNMENT = KINDS["assignment"]
ANN, BOB, EVE = ({"email": f"{name}@example.com"} for name in ("ann", "bob", "eve"))
KEEP = {"preserveEnrollments": True, "preserveProgress": True}
LICENSE = {"$ref": "license.all", "id": "id"}
OTHER = {"$ref": "license.other", "id": "id"}


def assignment(*users: dict[str, Any], key: str = "staff", **fields: Any) -> dict[str, Any]:
    """The document of an assignment; `None` takes a field away."""
    plain = {"resource": "licenseAssignment", "key": key, "licenses": ["all"], "users": [*users]}
    return {name: value for name, value in (plain | fields).items() if value is not None}


def options(enrollments: Any = None, progress: Any = None) -> dict[str, Any]:
    given = {"preserveEnrollments": enrollments, "preserveProgress": progress}
    return {name: value for name, value in given.items() if value is not None}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, []),
        ({"licenses": None}, ["missing-field"]),
        ({"licenses": []}, ["assignment-empty"]),
        ({"licenses": ["all", "all"]}, ["named-twice"]),
        ({"licenses": [UUID]}, []),
        ({"users": []}, ["assignment-empty"]),
        ({"users": None}, ["users-missing"]),
        ({"usersFile": "staff.csv"}, ["file-missing", "users-twice"]),
        ({"users": [{}]}, ["person-unnamed"]),
        ({"users": [{"name": "Ann"}]}, ["unknown-field"]),
        ({"users": [{"email": "ann"}]}, ["email"]),
        ({"users": [{"email": "ann @x"}]}, ["email"]),
        ({"users": [{"email": "ann@x\n"}]}, ["email"]),
        ({"users": [{"email": "ann@x@y"}]}, ["email"]),
        ({"users": [{"id": "ann"}]}, ["uuid"]),
        ({"users": [{"id": UUID}]}, []),
        ({"users": [{"externalCustomerId": " "}]}, ["blank"]),
        ({"users": [{"externalCustomerId": 7}]}, ["external-customer-id-type"]),
        ({"users": [ANN, {"email": "ANN@example.com"}]}, ["person-twice"]),
        ({"users": [{"id": UUID}, {"id": UUID.upper()}]}, ["person-twice"]),
        ({"users": [{"id": UUID, **ANN}, ANN]}, ["person-twice"]),
        ({"users": [{"externalCustomerId": "a"}, {"externalCustomerId": "A"}]}, []),
        ({"users": [{"id": UUID}, ANN]}, []),
        ({"enrollmentOptions": KEEP}, []),
        ({"enrollmentOptions": {}}, ["options-empty"]),
        ({"enrollmentOptions": options(progress=True)}, []),
        ({"enrollmentOptions": options(enrollments=False)}, []),
        ({"enrollmentOptions": options(False, False)}, []),
        ({"enrollmentOptions": options(True, False)}, ["options-contradict"]),
        ({"enrollmentOptions": options(progress=False)}, ["options-contradict"]),
        ({"enrollmentOptions": options(progress="false")}, ["option-not-boolean"]),
        ({"enrollmentOptions": options(enrollments="")}, ["option-not-boolean"]),
        ({"enrollmentOptions": options(progress=0)}, ["option-not-boolean"]),
        ({"enrollmentOptions": {"keep": True}}, ["unknown-field"]),
    ],
)
def test_rules_on_both_sides(fields: dict[str, Any], expected: list[str]):
    """An assignment that the platform would refuse or misunderstand is reported."""
    assert expected == codes(assignment(**{"users": [ANN], **fields}))


def test_a_quoted_false_is_explained():
    """A quoted "false" is explained, since the platform would take it for true."""
    data = assignment(ANN, enrollmentOptions=options(progress="false"))
    (problem,) = making.found(data)[1]
    assert 'is the text "false"' in problem.message
    assert "true or false, without quotes" in problem.hint


def between(root: Path, *documents: str) -> list[str]:
    """Codes of what is wrong between documents, beside references to what is not there."""
    making.write(root, **{f"f{n}": text for n, text in enumerate(documents)})
    found = [problem.code for problem in making.problems(root)]
    return sorted(set(found) - {"unknown-reference"})


def text(key: str, licenses: str, *people: str) -> str:
    users = ", ".join(f"{{email: {person}@x.example}}" for person in people)
    head = f"resource: licenseAssignment\nkey: {key}\n"
    return f"{head}licenses: [{licenses}]\nusers: [{users}]\n"


def license_(key: str, client: str = "acme", more: str = "") -> str:
    head = f"resource: license\nkey: {key}\nclient: {client}\nname: {key}\n"
    return f"{head}courses: []\nlearningPaths: []\ncourseTags: [Safety]\n{more}"


def test_nobody_has_a_license_by_two_assignments(tmp_path: Path):
    """A person may have a license by one assignment only, or leaving one would take it away."""
    one, other = text("a", "all", "ann", "bob"), text("b", "all", "BOB")
    assert ["license-given-twice"] == between(tmp_path, one, other, license_("all"))


def test_a_clash_is_told_where_it_stands(tmp_path: Path):
    """The clash is reported at the first shared person in the later list, without a name."""
    one, other = text("a", "all", "ann", "bob"), text("b", "all", "eve", "BOB", "ann")
    making.write(
        tmp_path, a=one, b=other.replace("users: [", "users: [\n  ").replace("},", "},\n ")
    )
    (problem,) = (p for p in making.problems(tmp_path) if p.code == "license-given-twice")
    assert "assignment.a gives the license `license.all` to this person and 1 more too" == (
        problem.message
    )
    assert ("b.yaml", 6) == problem.where[:2]


@pytest.mark.parametrize(
    "user",
    [
        {"externalCustomerId": 4711},
        {"email": "ann 4711"},
        {"id": "4711"},
        {"id": "4711", "email": ["4711"]},
    ],
)
def test_what_is_wrong_with_a_person_is_not_quoted(user: dict[str, Any]):
    """Problems with a person give the place and do not quote the identifier."""
    problems = making.found(assignment(user))[1]
    assert problems
    assert not any("4711" in f"{problem.message} {problem.hint}" for problem in problems)


def test_two_assignments_may_share_people_or_licenses(tmp_path: Path):
    """Two assignments may share people or licenses, but not both."""
    documents = text("a", "all", "ann"), text("b", "all", "bob"), text("c", "other", "ann")
    assert [] == between(tmp_path, *documents, license_("all"), license_("other"))


def test_licenses_of_two_clients_help_nobody(tmp_path: Path):
    """The licenses of an assignment must belong to one client, as learners do."""
    documents = license_("all"), license_("other", "hillside")
    assert ["licenses-of-two-clients"] == between(
        tmp_path, text("a", "all, other", "x"), *documents
    )


@pytest.mark.parametrize(("limit", "expected"), [(2, []), (1, ["seats-exceeded"])])
def test_seats_are_counted(tmp_path: Path, limit: int, expected: list[str]):
    """Seats are counted over all assignments of a license."""
    documents = text("a", "all", "ann"), text("b", "all", "bob")
    seats = f"seatsLimit: {limit}\n"
    assert expected == between(tmp_path, *documents, license_("all", more=seats))


def test_the_form_is_a_set():
    """The form ignores order, capitals and repeated licenses."""
    one = assignment(ANN, BOB, licenses=["all", "other", "all"])
    other = assignment(BOB, {"email": "ANN@Example.com"}, licenses=["other", "all"])
    assert making.form(one) == making.form(other)


def test_a_form_can_be_written_again():
    """A form written as a manifest gives the same form."""
    form = making.form(assignment(BOB, ANN, enrollmentOptions=KEEP))
    assert form == ASSIGNMENT.authoring.normalise("staff", form | {"licenses": ["all"]})


def test_what_a_create_sends():
    """A create gives every license to everybody, and has no options for enrollments."""
    assert {
        "users": [{**ANN, "licenseIdsToAdd": [LICENSE]}, {**BOB, "licenseIdsToAdd": [LICENSE]}]
    } == making.created(assignment(BOB, ANN, enrollmentOptions=KEEP))


@pytest.mark.parametrize("empty", [assignment(), assignment(ANN, licenses=[])])
def test_nothing_to_give_is_nothing_to_send(empty: dict[str, Any]):
    """Without people or licenses nothing is sent, since the platform would refuse it."""
    assert {"users": []} == making.created(empty)


def one(before: dict[str, Any], after: dict[str, Any]) -> CallPart:
    (piece,) = described(before, after).calls
    return piece


def test_only_the_difference_is_sent():
    """An update sends only people whose licenses change."""
    piece = one(assignment(ANN, BOB), assignment(BOB, EVE, enrollmentOptions=KEEP))
    assert {
        "users": [{**ANN, "licenseIdsToRemove": [LICENSE]}, {**EVE, "licenseIdsToAdd": [LICENSE]}],
        "enrollmentOptions": KEEP,
    } == piece.body


def test_what_is_left_out_of_the_options_is_true():
    """An option that is left out is sent as true, as the platform takes it (spec 2.7)."""
    kept = options(enrollments=False)
    piece = one(assignment(ANN), assignment(enrollmentOptions=kept))
    assert kept | {"preserveProgress": True} == piece.body["enrollmentOptions"]


def test_options_are_sent_only_where_somebody_loses_something():
    """Options are sent only if somebody loses a license."""
    piece = one(assignment(ANN), assignment(ANN, BOB, enrollmentOptions=KEEP))
    assert "enrollmentOptions" not in piece.body


def test_a_license_that_is_replaced():
    """If a license is replaced, one entry removes the old one and adds the new one."""
    after = assignment(ANN, licenses=["other"], enrollmentOptions=KEEP)
    (user,) = one(assignment(ANN), after).body["users"]
    assert [OTHER] == user["licenseIdsToAdd"]
    assert {"$less": [[LICENSE], [OTHER]]} == user["licenseIdsToRemove"]


def test_options_alone_need_no_call():
    """Changed options alone need no call."""
    found = described(assignment(ANN), assignment(ANN, enrollmentOptions=KEEP))
    assert ([], [], "") == (list(found.calls), list(found.manual), found.undecided)


def test_nobody_is_taken_out_without_options():
    """If people would lose licenses without options, the reason says what to write."""
    found = described(assignment(ANN, BOB), assignment(BOB))
    assert "1 person will lose licenses" in found.undecided
    assert "enrollmentOptions: {preserveEnrollments: true" in found.undecided


@pytest.mark.parametrize(
    ("chosen", "effect", "word"),
    [
        ((True, True), None, "access and progress stay"),
        ((False, True), None, "progress stays"),
        ((False, False), Effect.PROGRESS, "permanently deleted"),
    ],
)
def test_the_fate_of_enrollments_is_told(
    chosen: tuple[bool, bool], effect: Effect | None, word: str
):
    """The effect and the reason say what becomes of enrollments (spec 3)."""
    found = described(assignment(ANN), assignment(enrollmentOptions=options(*chosen)))
    assert (effect, True) == (found.effect, word in found.reasons[0])


def test_a_person_is_known_by_any_identifier():
    """A row with more or fewer identifiers of the same person changes nothing."""
    found = described(assignment({"id": UUID, **ANN}), assignment(ANN))
    assert ([], "") == (list(found.calls), found.undecided)


def test_two_rows_of_one_person_become_one():
    """Two rows of a person that become one take nothing away."""
    before = assignment(ANN, {"externalCustomerId": "7"})
    found = described(before, assignment({**ANN, "externalCustomerId": "7"}))
    assert ([], "") == (list(found.calls), found.undecided)


def crowd(count: int) -> list[dict[str, str]]:
    return [{"email": f"p{n:05}@example.com"} for n in range(count)]


def test_a_create_takes_as_many_as_a_call_does():
    """A create holds as many people as a call takes, and an update adds the rest."""
    made = making.resource(assignment(*crowd(MOST + 1)))
    piece = ASSIGNMENT.calls.create(made.address, made.form, None)
    assert (MOST, MOST) == (len(piece.body["users"]), len(piece.after["users"]))


def test_a_large_change_takes_several_calls():
    """Each call has at most 5,000 people, and those who lose something come first."""
    found = described(
        assignment(*crowd(10)), assignment(*crowd(MOST + 20)[15:], enrollmentOptions=KEEP)
    )
    assert [MOST, 15] == [len(piece.body["users"]) for piece in found.calls]
    assert ["enrollmentOptions" in piece.body for piece in found.calls] == [True, False]


def settled(before: Form, piece: CallPart, *unknown: str) -> Any:
    answer = {"data": {"jobId": "1", "totalCount": 1, "unresolvedIdentifiers": [*unknown]}}
    return ASSIGNMENT.calls.result(before, piece.after, answer)


def test_halfway_the_others_hold_what_they_held():
    """After the first of two calls, a plan finds exactly the rest."""
    before = making.resource(assignment(*crowd(MOST + 5)))
    after = making.resource(assignment(*crowd(MOST + 5), licenses=["all", "other"]))
    first, _ = ASSIGNMENT.calls.update(FormChange(before.address, before.form, after.form)).calls
    halfway = settled(before.form, first).form
    rest = ASSIGNMENT.calls.update(FormChange(before.address, halfway, after.form)).calls
    assert [5] == [len(piece.body["users"]) for piece in rest]


def test_who_is_unknown_holds_what_they_held():
    """Unknown people keep what is recorded, and new ones are left out until the next plan."""
    before, after = assignment(ANN, BOB), assignment(ANN, BOB, EVE, licenses=["all", "other"])
    came = settled(making.form(before), one(before, after), "bob@example.com", "eve@example.com")
    assert [ANN, {**BOB, "holds": [LICENSE]}] == came.form["users"]
    assert "person bob@example.com, person eve@example.com: unknown" in came.left


def test_who_is_unknown_and_was_to_lose_is_gone():
    """An unknown person who would lose a license is removed from the record."""
    before, after = assignment(ANN, BOB), assignment(ANN, enrollmentOptions=KEEP)
    came = settled(making.form(before), one(before, after), "bob@example.com")
    assert ([ANN], "", True) == (came.form["users"], came.left, "bob@example.com" in came.note)


def test_an_answer_without_surprises_is_the_form():
    """Without unknown people, the desired form is recorded."""
    before, after = assignment(ANN), assignment(ANN, BOB)
    assert making.form(after) == settled(making.form(before), one(before, after)).form


def test_the_platform_has_no_id_for_it():
    """An assignment has no id of its own, only a job."""
    assert ["1"] == list(ASSIGNMENT.calls.jobs({"data": {"jobId": "1"}}))
    assert Ids({}) == ASSIGNMENT.reads.match({}, None, {"data": {"jobId": "1"}}, set())


@pytest.mark.parametrize(
    ("fields", "effect"),
    [({}, "access"), ({"users": []}, "cosmetic"), ({"licenses": []}, "cosmetic")],
)
def test_people_keep_what_an_assignment_gave_them(fields: dict[str, Any], effect: str):
    """An assignment that leaves the catalog takes nothing away from its people."""
    assert effect == ASSIGNMENT.calls.removal(making.form(assignment(ANN, **fields))).effect
