"""What stands under another address now."""

from collections.abc import Mapping
from typing import Any

from lmssync.kind import CallPart
from lmssync.planning import diff
from lmssync.planning.diff import Change, Difference
from lmssync.resource import Address
from lmssync.state import JournaledCall, Store
from tests.making import catalog, course, criterion, license_, record, resource

SHORT = {"id": "most", "type": "coursePercentViewed", "percent": 80}


def moved(*keys: str, **fields: Any) -> dict[str, Any]:
    """Course `new`, which had these keys before."""
    return course("new", moved=[{"from": f"course.{key}"} for key in keys], **fields)


def changes(store: Store, recorded: list[Any], desired: list[Any]) -> dict[str, Change]:
    with store.hold_state():
        store.put_records([record(data) for data in recorded], reason="test")
    return {str(change.address): change for change in diff.find_changes(catalog(*desired), store)}


def opened(store: Store, data: Mapping[str, Any]) -> None:
    """A call for a resource, of which nobody knows the end."""
    made = resource(data)
    part = CallPart(made.address, made.packed_form, adds=True, repeatable=False)
    with store.hold_state():
        store.write_intent(JournaledCall("1", "course.create", {}, (part,), "", "", ""))


def test_a_move_has_the_record_of_the_old_address(store: Store):
    """Nothing differs but the address, and nothing is gone."""
    found = changes(store, [course("old")], [moved("old")])
    change = found["course.new"]
    assert (["course.new"], Difference.SAME) == (list(found), change.difference)
    assert change.recorded
    assert change.was == change.recorded.address == Address("course", "old")


def test_what_names_it_is_the_same(store: Store):
    """A criterion and a license of the course are left out."""
    found = changes(
        store,
        [course("old"), criterion("own", course="old"), license_(courses=["old"])],
        [moved("old"), criterion("own", course="new"), license_(courses=["new"])],
    )
    assert ["course.new"] == list(found)


def test_what_names_it_may_differ_besides(store: Store):
    """The record says the new address, so only the real change is shown."""
    found = changes(
        store,
        [course("old"), criterion("own", course="old", percent=80)],
        [moved("old"), criterion("own", course="new", percent=90)],
    )
    change = found["criterion.own"]
    assert [("percent", 80, 90)] == [tuple(field) for field in change.fields]
    assert "course.new" == change.before["course"]["$ref"]


def test_short_forms_move_along(store: Store):
    """By the beginning of their keys."""
    found = changes(
        store,
        [course("old"), criterion("old.most", course="old")],
        [moved("old", completionCriteria=[SHORT])],
    )
    assert {"course.new": "course.old", "criterion.new.most": "criterion.old.most"} == {
        address: str(change.was) for address, change in found.items()
    }


def test_a_document_of_its_own_does_not_move_along(store: Store):
    """However its key begins: it has an identity of its own."""
    found = changes(
        store,
        [course("old"), criterion("old.most", course="old")],
        [moved("old"), criterion("new.most", course="new")],
    )
    assert {"course.new": "same", "criterion.new.most": "new", "criterion.old.most": "gone"} == {
        address: change.difference for address, change in found.items()
    }


def test_a_short_form_may_have_an_older_name(store: Store):
    """Its own `moved` says the name, the one of its course says where."""
    short = {**SHORT, "id": "best", "moved": [{"from": "criterion.new.most"}]}
    found = changes(
        store,
        [course("old"), criterion("old.most", course="old")],
        [moved("old", completionCriteria=[short])],
    )
    assert "criterion.old.most" == str(found["criterion.new.best"].was)


def test_any_link_of_a_chain_is_found(store: Store):
    """A state may have seen each of the addresses last."""
    found = changes(store, [course("b")], [moved("a", "b")])
    assert "course.b" == str(found["course.new"].was)


def test_what_was_never_recorded_is_new(store: Store):
    """The word has no effect."""
    found = changes(store, [], [moved("old")])
    assert (Difference.NEW, None) == (found["course.new"].difference, found["course.new"].was)


def test_what_has_moved_is_the_same(store: Store):
    """The word may stay for ever."""
    assert {} == changes(store, [moved("old")], [moved("old")])


def test_two_records_cannot_become_one(store: Store):
    """Neither is gone, and both are named."""
    found = changes(store, [course("old"), moved()], [moved("old")])
    assert ["course.new"] == list(found)
    assert "course.new and course.old are recorded" in found["course.new"].move_conflict


def test_two_old_records_cannot_become_one(store: Store):
    """Which of them it was, nobody can say."""
    found = changes(store, [course("a"), course("b")], [moved("a", "b")])
    assert ["course.new"] == list(found)
    assert "course.a and course.b are recorded" in found["course.new"].move_conflict


def test_an_open_call_for_the_old_address_is_a_conflict(store: Store):
    """Else it would be made a second time, under the new address."""
    opened(store, course("old"))
    found = changes(store, [], [moved("old")])
    assert "`lmssync resolve course.old`" in found["course.new"].move_conflict


def test_what_was_forgotten_moves_as_well(store: Store):
    """It is still there, and comes back under the new address."""
    with store.hold_state():
        store.put_records([record(course("old"))], reason="test")
        store.forget_addresses([record(course("old")).address], reason="left the catalog")
    change = changes(store, [], [moved("old")])["course.new"]
    assert ("course.old", True) == (str(change.was), change.returned)


def test_a_text_that_looks_like_an_address_stays(store: Store):
    """Only references are read anew."""
    text = 'Not "$ref":"course.old", nor course.old'
    found = changes(
        store,
        [course("old"), course("other", description=text)],
        [moved("old"), course("other", description=text, isbn="1")],
    )
    assert text == found["course.other"].before["description"]
