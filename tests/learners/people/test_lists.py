"""The catalog with codes in the place of people."""

from contextlib import closing
from pathlib import Path

from lmssync.learners.people import Lists
from lmssync.resource import Address, Resource
from lmssync.state import Store, open_store
from tests.making import UUID, course, resource

STAFF = Address("assignment", "staff")
ANN = "ann@x.example"


def staff(*emails: str) -> Resource:
    users = [{"email": email} for email in emails]
    return resource(
        {"resource": "licenseAssignment", "key": "staff", "licenses": [UUID], "users": users}
    )


def lists(store: Store, *resources: Resource) -> Lists:
    return Lists({one.address: one for one in resources}, store.codes)


def unopened() -> bytes:
    raise AssertionError("it was opened")


def test_a_list_holds_codes(store: Store):
    """And its fingerprint is that of what it holds."""
    found = lists(store, staff(ANN))
    assert [{"email": {"$person": store.codes.code_of(ANN)}}] == found[STAFF].form["users"]
    assert found.fingerprints[STAFF] == found[STAFF].fingerprint != staff(ANN).fingerprint


def test_other_resources_are_as_they_were(store: Store):
    """The very same."""
    one = resource(course())
    found = lists(store, one, staff(ANN))
    assert (one, one.fingerprint) == (found[one.address], found.fingerprints[one.address])


def test_what_is_unchanged_is_not_opened(store: Store):
    """Its fingerprint is remembered."""
    before = lists(store, staff(ANN))
    with store.hold_state():
        store.remember_forms(before.forms)
    again = lists(store, staff(ANN)._replace(body=unopened))
    assert before.fingerprints == again.fingerprints


def test_what_is_remembered_does_not_tell_who(store: Store):
    """The fingerprint of a short list could be tried with one address after the other."""
    assert staff(ANN).fingerprint not in str(lists(store, staff(ANN)).forms)


def test_two_states_call_nobody_the_same(store: Store, tmp_path: Path):
    """Each has a key of its own."""
    with closing(open_store("sqlite:///other.db", tmp_path, "sandbox")) as other:
        assert store.codes.code_of(ANN) != other.codes.code_of(ANN)
