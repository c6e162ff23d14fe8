"""Ids in the place of nodes: what the catalog manages, and what only has a name."""

import pytest

from lmssync.kind import Ids
from lmssync.platform.live import Binder, Nameless, Unbound
from lmssync.resource import Address

ACME = Address("client", "acme")
NODE = {"$ref": "client.acme", "id": "id"}


def binder(*, recorded: bool, managed: bool | None = None) -> Binder:
    """One that knows a client by name, and perhaps one of that key."""
    ids = {ACME: Ids({"id": "recorded"})} if recorded else {}
    known = None if managed is None else (lambda _address: managed)
    return Binder(ids.get, lambda _kind, name: f"named {name}", known)


@pytest.mark.parametrize(
    ("recorded", "managed", "found"),
    [
        (True, True, "recorded"),
        (True, False, "named acme"),
        (False, False, "named acme"),
        (True, None, "recorded"),
        (False, None, "named acme"),
    ],
)
def test_a_key_of_the_catalog_wins_over_a_name(recorded: bool, managed: bool | None, found: str):
    """And what has left the catalog is a name again."""
    assert found == binder(recorded=recorded, managed=managed).bind_value(NODE)


def test_what_is_managed_is_never_looked_up():
    """A client that is not made yet is not the one that has its key for a slug."""
    with pytest.raises(Unbound):
        binder(recorded=False, managed=True).bind_value(NODE)


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ([["a", "b"], ["b"]], ["a"]),
        ([["a"], []], ["a"]),
        ([["a"], ["a"]], []),
        ([[NODE, "b"], ["recorded"]], ["b"]),
    ],
)
def test_less_is_what_is_left(value: object, found: list[str]):
    """Ids are compared, not what they were called by."""
    assert found == binder(recorded=True).bind_value({"$less": value})


def test_a_person_is_named_when_it_is_sent():
    """By whoever is behind the code; the rest of the entry stays as it is."""
    named = Binder({}.get, lambda _kind, name: name, named={"9f2c": "ann@x.example"}.get)
    entry = {"email": {"$person": "9f2c"}, "licenseIdsToAdd": ["b"]}
    assert {"email": "ann@x.example", "licenseIdsToAdd": ["b"]} == named.bind_value(entry)


def test_a_person_whom_nobody_knows_is_not_sent():
    """Neither by code nor without a name."""
    with pytest.raises(Nameless):
        binder(recorded=True).bind_value([{"email": {"$person": "9f2c"}}])
