"""What is asked for: lists of all where they take fewer calls, and each thing alone elsewhere."""

from collections import Counter

import pytest

from lmssync.kind import InList, Reading, ReadRequest
from lmssync.kinds.course.course_readings import GROUP
from lmssync.platform import live
from lmssync.platform.client import Reader
from lmssync.platform.live.fetch import asked_of, fetch_lists
from lmssync.vocabulary.routes import ROUTES

from .conftest import Seen

ALL = frozenset(ROUTES)
ONE_TO_A_PAGE = GROUP._replace(
    listed=InList("courseGroup", ReadRequest("group.list", {}, {"perPage": 1}, "courseGroups")),
)
TOO_MANY_TO_A_PAGE = GROUP._replace(
    listed=InList("courseGroup", ReadRequest("group.list", {}, {"perPage": 9999}, "courseGroups")),
)

pytestmark = pytest.mark.parametrize("profile", ["extended"], indirect=True)


def calls(seen: Seen, keys: str, reading: Reading = ONE_TO_A_PAGE) -> Counter[str]:
    """Requests that bring the groups of some of five courses."""
    for key in "abcde":
        seen.work.course(key)
    seen.work.apply()
    by_group = {record.ids.own["courseGroup"]: record for record in seen.records.values()}
    oldest_first = [by_group[group["id"]] for group in seen.platform.dump("courseGroups")]
    with Reader(seen.platform.base_url, seen.platform.key) as reader:
        binder = live.Binder(lambda address: seen.records[address].ids, lambda _kind, name: name)
        some = [
            asked_of(binder, record := oldest_first["abcde".index(key)], record.form, reading)
            for key in keys
        ]
        asked = [one for one in some if one]
        found = fetch_lists(reader, asked, ALL)
        assert [one.id for one in asked] == [found.item_of(one)["id"] for one in asked]
        return reader.calls


def test_a_list_is_walked_to_its_end_where_all_of_it_is_wanted(seen: Seen) -> None:
    """Five pages show five groups."""
    assert {"group.list": 5} == calls(seen, "abcde")


def test_a_list_is_left_where_asking_for_each_takes_fewer_calls(seen: Seen) -> None:
    """The first page says how long the list is."""
    assert {"group.list": 1, "group.read": 2} == calls(seen, "de")


def test_one_thing_is_asked_for_alone(seen: Seen) -> None:
    """No list is read for it."""
    assert {"group.read": 1} == calls(seen, "c")


def test_a_list_that_is_refused_is_done_without(seen: Seen) -> None:
    """An instance may not take as many to a page (O47)."""
    assert {"group.list": 1, "group.read": 2} == calls(seen, "ab", TOO_MANY_TO_A_PAGE)
