"""Whatever a catalog holds: imported or pulled, it leaves nothing for the next plan."""

import shutil
from typing import Any

import pytest
from hypothesis import given, strategies as st

from tests.served_catalog import Platform, Workspace, few

from .test_nothing_left import COURSE, EXAMPLES, HTML, TEXT, lay_out

CATALOGS = few(EXAMPLES)
COURSES = st.lists(COURSE, min_size=1, max_size=2)


def nothing_left(work: Workspace) -> None:
    assert [] == work.plan("--refresh", "all")["changes"]
    done = work.run("drift")
    assert 0 == done.code, done.out


@CATALOGS
@given(courses=COURSES)
def test_a_plan_after_an_import_is_empty(
    work: Workspace, instance: Platform, courses: list[Any]
) -> None:
    """What others made reads the same from the manifests that were written for it."""
    instance.renew()
    lay_out(work, courses)
    assert 0 == work.apply().code
    lay_out(work, [])

    done = work.run("import", "--all")

    assert 0 == done.code, done.err
    assert 0 == work.run("validate").code
    nothing_left(work)
    for folder in ("courses", "licenses"):
        shutil.rmtree(work.root / folder)


@pytest.mark.slow
@CATALOGS
@given(courses=COURSES, title=TEXT, body=HTML, price=st.integers(0, 500))
def test_a_plan_after_a_pull_is_empty(
    work: Workspace, instance: Platform, courses: list[Any], title: str, body: str, price: int
) -> None:
    """Whatever people changed: it stands in the manifests, and nobody changes it back."""
    instance.renew()
    lay_out(work, courses)
    assert 0 == work.apply().code
    edits = {"courses": {"priceInCents": price}, "topics": {"title": title}}
    for kind, fields in edits.items():
        for one in instance.dump(kind):
            order = {"list": kind, "id": one["id"], "set": fields}
            instance.order("edit", order)
    texts = [topic for topic in instance.dump("topics") if topic["type"] == "text"]
    for one in texts:
        instance.order("edit", {"list": "topics", "id": one["id"], "set": {"body": body}})

    done = work.run("pull", *(f"course.c{n}" for n in range(len(courses))))

    assert 0 == done.code, done.out
    nothing_left(work)
