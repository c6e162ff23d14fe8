"""Releases that are killed while their first create is under way."""

import pytest

from tests.protocol import killing
from tests.protocol.person import answer_waiting
from tests.served_catalog import Platform, Workspace

from .test_releases import release

DONE = 0
LICENSE = """\
resource: license
key: acme
client: acme
name: Acme
courses: []
learningPaths: []
courseTags: [Safety]
"""
STEPS = [
    killing.SENDING,
    "in the middle of that part",
    "request sent, answer there",
    "in the middle of the answer",
]


@pytest.mark.parametrize("step", STEPS)
def test_a_release_that_is_killed_at_its_first_create_is_made_once(
    work: Workspace, platform: Platform, step: str
) -> None:
    """On the core profile no read shows what became of it: a person says so, then it goes on."""
    work.course("fire")
    work.write("acme.yaml", LICENSE)
    release(work, "autumn", "addresses: ['*']")
    assert not killing.run(work.root, step, "apply", "--yes", "--release", "autumn").whole
    assert "autumn: open: its run goes on or was killed" in work.run("status").out

    refused = work.apply("--release", "autumn")
    assert "`lmssync resolve course.fire`" in refused.out
    answer_waiting(work, platform)

    assert DONE == work.apply("--release", "autumn").code
    assert ["Title of fire"] == platform.titles()
    assert 1 == len([one for one in platform.dump("licenses") if one["name"] == "Acme"])
    listed = work.run("release", "list", "--all", "--json").json["releases"]
    assert ["complete"] == [one["stage"] for one in listed]
