"""On an instance that shows every field, what people set by hand is never overwritten unasked."""

from typing import Any

import pytest

from ..live.conftest import _sandboxes, platform, profile
from .conftest import PROJECT, Platform, Workspace

__all__ = ["_sandboxes", "platform", "profile"]  # fixtures
pytestmark = pytest.mark.parametrize("profile", ["extended"], indirect=True)

MANIFEST = {
    "description": "Text",
    "metaTitle": "Meta",
    "priceInCents": 1900,
    "enrollmentEndDate": "2030-05-01",
    "tags": ["Safety"],
}
EDITS = {
    "description": ("courseGroups", "By hand", "From git"),
    "metaTitle": ("courseGroups", "By hand", "From git"),
    "priceInCents": ("courses", 2500, 2900),
    "enrollmentEndDate": ("courses", "2030-06-01", "2030-07-01"),
}


def write(work: Workspace, **fields: Any) -> None:
    """A course with some fields of the group and of the session."""
    lines = "".join(f"{name}: {value}\n" for name, value in (MANIFEST | fields).items())
    work.course("a", lines)


@pytest.fixture
def applied(work: Workspace) -> Workspace:
    work.write("lmssync.yaml", PROJECT.replace("{license", "{profile: extended, license"))
    write(work)
    assert 0 == work.apply().code
    return work


def by_hand(platform: Platform, field: str) -> None:
    list_, value, _ = EDITS[field]
    id_ = next(one["id"] for one in platform.dump(list_) if one.get("title") == "Title of a")
    platform.order("edit", {"list": list_, "id": id_, "set": {field: value}})


def live(platform: Platform, field: str) -> Any:
    return next(one for one in platform.dump(EDITS[field][0]) if one.get("title") == "Title of a")[
        field
    ]


@pytest.mark.parametrize("field", EDITS)
def test_an_edit_is_drift_and_survives_other_changes(
    applied: Workspace, platform: Platform, field: str
) -> None:
    """A field set by hand is told, and an apply of another field leaves it."""
    by_hand(platform, field)
    before = live(platform, field)
    write(applied, isbn="'9783161484100'")

    (change,) = applied.plan()["changes"]

    assert [(field, "kept")] == [(one["path"], one["decision"]) for one in change["drift"]]
    assert ["isbn"] == [one["path"] for one in change["fields"]]
    assert (0, before) == (applied.apply().code, live(platform, field))


@pytest.mark.parametrize("field", EDITS)
def test_an_edit_of_what_git_changes_is_a_conflict(
    applied: Workspace, platform: Platform, field: str
) -> None:
    """A field set by hand and changed in git waits, and is sent once git is to win."""
    by_hand(platform, field)
    before = live(platform, field)
    write(applied, **{field: EDITS[field][2]})

    assert (7, before) == (applied.apply().code, live(platform, field))
    assert 0 == applied.apply("--keep", "git", f"course.a:{field}").code
    assert [] == applied.run("plan", "--json", "--refresh", "all").json["changes"]


@pytest.mark.parametrize("field", EDITS)
def test_an_edit_between_plan_and_apply_is_told(
    applied: Workspace, platform: Platform, field: str
) -> None:
    """A field set by hand after the plan was saved makes it stale, by name."""
    write(applied, **{field: EDITS[field][2]})
    applied.run("plan", "--out", "p.json")
    by_hand(platform, field)
    before = live(platform, field)

    done = applied.run("apply", "p.json")

    assert (5, before) == (done.code, live(platform, field))
    assert f"course.a: {field}" in done.err
