"""Jobs that nobody can read, and calls whose end could not be written down."""

from typing import Any

import pytest

from lmssync.applying.apply.confirm import confirm_call
from tests.served_catalog import Platform, Workspace

UNKNOWN, UNHANDLED = 4, 70
CLIENT = "resource: client\nkey: river\ncloneOf: acme\nname: Riverside\nslug: river\n"
UNREADABLE: list[dict[str, Any]] = [
    {"status": 404, "body": {"errors": ["not found"]}},
    {"status": 200},
    {"status": 200, "body": {}},
    {"status": 200, "body": {"id": None, "status": 7}},
]


@pytest.mark.parametrize("answer", UNREADABLE, ids=["404", "empty", "{}", "another shape"])
def test_a_clone_whose_job_cannot_be_read_is_sent_once(
    work: Workspace, platform: Platform, answer: dict[str, Any]
) -> None:
    """The client is found by its slug if its job cannot be read."""
    work.write("c.yaml", CLIENT)
    platform.fault("answer", "job.read", times=100, **answer)

    codes = [work.apply().code for _ in range(2)]

    assert 0 == codes[-1]
    assert 1 == len(platform.requests(route="client.clone"))
    assert 1 == sum(client["slug"] == "river" for client in platform.dump("clients"))


def test_a_clone_that_never_comes_waits_for_a_person(
    work: Workspace, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A clone whose job and client are missing is not sent again unasked."""
    monkeypatch.setitem(confirm_call.__kwdefaults__, "patience", 0.2)
    platform.order("switches", {"jobSeconds": 3000})
    work.write("c.yaml", CLIENT)
    platform.fault("answer", "job.read", times=100, status=404, body={"errors": ["no"]})

    assert [UNKNOWN, UNKNOWN] == [work.apply().code, work.apply().code]
    assert 1 == len(platform.requests(route="client.clone"))


@pytest.mark.parametrize("job", [{"id": None}, {"id": ""}, {"id": 7}, {}, None])
@pytest.mark.parametrize("name", ["backgroundJob", "backgroundJobs"])
def test_a_job_without_an_id_stops_no_run(
    work: Workspace, platform: Platform, name: str, job: Any
) -> None:
    """An update is done whatever it says of the jobs that it has left, and later runs go on."""
    work.course("a")
    assert 0 == work.apply().code
    work.course("a", edit=("Good morning", "Good evening"))
    body = {name: [job] if name.endswith("s") else job}
    platform.fault("answer", "course.update", when="after", body=body)

    codes = [work.apply().code for _ in range(2)]

    assert UNHANDLED not in codes
    assert 0 == codes[-1]
    assert [] == work.plan()["changes"]


def test_a_disk_that_fills_between_sending_and_writing_down_converges(
    work: Workspace, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A clone that could not be recorded is found by the next run."""
    work.write("c.yaml", CLIENT)
    with monkeypatch.context() as full:
        full.setattr("lmssync.state.state_store.Store.write_outcome", _full)
        assert 1 == work.apply().code

    assert 0 == work.apply().code
    assert 1 == len(platform.requests(route="client.clone"))
    assert [] == [c for c in work.plan()["changes"] if c["action"] != "manual"]


def _full(*_: object, **__: object) -> None:
    from lmssync.errors import StateError

    raise StateError("the state cannot be written: database or disk is full")
