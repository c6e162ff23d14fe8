"""Unexpected answers end a run with a message and an exit code, never with a traceback."""

from typing import Any

import pytest

from tests.answer_proxy import AnswerProxy
from tests.served_catalog import Done, Platform, Workspace

ERROR, UNKNOWN, PARTIAL, UNREACHABLE = 1, 4, 7, 8
CRITERION = "completionCriteria: [{id: most, type: coursePercentViewed, percent: 80}]\n"
PATH = "purchasePaths: [{id: p, label: Buy, target: {url: 'https://example.com', title: Shop}}]\n"
LICENSE = (
    "resource: license\nkey: all\nclient: acme\nname: All\ncourses: [a]\n"
    "learningPaths: []\ncourseTags: []\n"
)
CLIENT = "resource: client\nkey: new\ncloneOf: acme\nname: New\n"


def told(done: Done) -> str:
    said = done.out + done.err
    assert "Traceback" not in said
    assert "a bug in lmssync" not in said
    return said


@pytest.mark.parametrize("answer", [None, 5, "text", [], {}, {"valid": None}], ids=str)
def test_something_else_at_the_address(work: Workspace, way: AnswerProxy, answer: Any) -> None:
    """A server that answers but is not the platform is reported as such."""
    work.course("a")
    way.bend("ping", answer)

    done = work.run("plan")

    assert UNREACHABLE == done.code
    assert "answers, but not like the platform" in told(done)


@pytest.mark.parametrize(
    ("route", "manifest", "answer"),
    [
        ("tag.list", "tags: [Safety]\n", {"tags": [{"id": None, "label": "Safety"}]}),
        ("tag.list", "tags: [Safety]\n", {"tags": {"Safety": "1"}}),
        ("tag.list", "tags: [Safety]\n", {"tags": [], "pageInfo": {"hasMore": True}}),
        ("course.read", "priceInCents: 5\n", {}),
        ("course.read", "priceInCents: 5\n", {"id": 5, "sections": {}}),
        ("course.read", "priceInCents: 5\n", b""),
    ],
)
def test_a_plan_from_reads_that_cannot_be_read(
    work: Workspace, way: AnswerProxy, route: str, manifest: str, answer: Any
) -> None:
    """The error says which reads could not be understood; nothing is concluded from them."""
    work.course("a")
    assert 0 == work.apply().code
    work.course("a", manifest)
    way.bend(route, answer)

    done = work.run("plan")

    assert ERROR == done.code
    assert "the answer does not match the specification" in told(done)


@pytest.mark.parametrize(
    ("route", "manifest"),
    [
        ("course.create", ""),
        ("criteria.update", CRITERION),
        ("path.create", PATH),
        ("license.create", f"---\n{LICENSE}"),
        ("client.clone", f"---\n{CLIENT}"),
    ],
)
@pytest.mark.parametrize(
    "answer", [None, [], {}, {"id": None}, {"id": 5, "data": 5, "errors": [None]}], ids=str
)
def test_a_create_whose_answer_cannot_be_read_is_never_made_twice(
    work: Workspace, platform: Platform, way: AnswerProxy, route: str, manifest: str, answer: Any
) -> None:
    """A create with an unreadable answer is not repeated; the next run finds it or asks."""
    work.course("a", manifest)
    way.bend(route, answer)

    done = work.apply()
    way.straighten()
    again = work.apply()

    assert UNKNOWN == done.code, told(done)
    assert again.code in {0, UNKNOWN}, told(again)
    assert 1 == len(platform.requests(route=route))


@pytest.mark.parametrize("answer", [None, [], {}, {"id": None}, {"status": "done"}], ids=str)
def test_what_a_job_that_cannot_be_read_makes_is_found(
    work: Workspace, platform: Platform, way: AnswerProxy, answer: Any
) -> None:
    """A client whose job cannot be read is found, and made only once."""
    work.write("c.yaml", CLIENT)
    way.bend("job.read", answer)

    assert 0 == work.apply().code
    assert 1 == len(platform.requests(route="client.clone"))


def test_a_field_that_the_platform_skipped_is_told(work: Workspace, way: AnswerProxy) -> None:
    """A criterion is made, and the field that the platform skipped is reported (spec 4)."""
    work.course("a", CRITERION)
    warning = "criteria[0].percent: skipped, no such field"
    way.bend(
        "criteria.update",
        lambda _asked, said: said._replace(body=said.body | {"warnings": [warning]}),
    )

    done = work.apply()

    assert 0 == done.code
    assert f"the platform warns about criterion.a.most: {warning}" in done.err
