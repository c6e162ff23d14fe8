"""One project file for instances that differ in their routes."""

import pytest

from tests.served_catalog import Platform, Workspace

FURTHER = {"course.full", "group.read", "content.search"}
PROJECT = """\
version: 1
state: sqlite:///.lmssync/{environment}.db
environments:
  less: {baseUrl: "LESS"}
  more: {baseUrl: "MORE", platform: {profile: extended}}
"""


def test_each_instance_is_asked_by_the_routes_that_it_has(
    work: Workspace, platform: Platform, instance: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What an environment says of its instance counts for that one alone."""
    monkeypatch.delenv("LMSSYNC_BASE_URL")
    there = {"less": platform, "more": instance}
    hosts = (one.base_url.removeprefix("http://") for one in there.values())
    monkeypatch.setenv("LMSSYNC_KEY_HOSTS", " ".join(hosts))
    text = PROJECT.replace("LESS", platform.base_url).replace("MORE", instance.base_url)
    work.write("lmssync.yaml", text)
    work.course(
        "a", "tags: [Safety]\n", edit=("title: Title of KEY", "title: Title of KEY\ndescription: x")
    )
    asked = {}
    for name, one in there.items():
        assert [0, 0] == [work.apply("-e", name).code, work.run("drift", "-e", name).code]
        asked[name] = FURTHER & {request["route"] for request in one.requests()}
    assert {"less": set(), "more": FURTHER} == asked
