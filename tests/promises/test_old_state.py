"""A state that was put back whole, or is gone, makes nothing twice that no read would show."""

import shutil
from pathlib import Path

import pytest

from tests.answer_proxy import AnswerProxy
from tests.platform.client.answering import Asked, Said
from tests.served_catalog import Platform, Workspace

from .conftest import extended
from .test_state import ERROR, LICENSE, PARTIAL, counts, lose

UNKNOWN = 4
OTHER = LICENSE.replace("key: staff", "key: guests").replace("Staff", "Guests")


def keep(work: Workspace) -> Path:
    """A copy of the whole folder of the state, as a cache of a pipeline keeps it."""
    kept: Path = work.root / "kept"
    shutil.copytree(work.root / ".lmssync", kept)
    return kept


def put_back(work: Workspace, kept: Path) -> None:
    lose(work)
    shutil.copytree(kept, work.root / ".lmssync")


def old_state(work: Workspace) -> None:
    """A course and a license were made since the state that is there."""
    work.course("a")
    work.apply()
    kept = keep(work)
    work.course("b")
    work.write("l.yaml", LICENSE)
    assert 0 == work.apply().code
    put_back(work, kept)


def license_of(platform: Platform) -> str:
    return next(str(one["id"]) for one in platform.dump("licenses") if one["name"] == "Staff")


def name_licenses(_asked: Asked, said: Said) -> Said:
    """The list of clients, with no more than the names of licenses: their shape is not shown."""
    clients = [
        client
        | {"licenses": [{"id": one["id"], "name": one["name"]} for one in client["licenses"]]}
        for client in said.body["clients"]
    ]
    return said._replace(body=said.body | {"clients": clients})


def test_an_old_folder_that_was_put_back_makes_no_second_license(
    work: Workspace, platform: Platform, request: pytest.FixtureRequest, way: AnswerProxy
) -> None:
    """A mark that is taken shows that the state is old: no run makes a license then."""
    way.bend("client.list", name_licenses)
    old_state(work)
    before = counts(platform)

    for _ in range(3):
        done = work.apply()
        assert before == counts(platform)
        assert (
            extended(request)
            or "may be on the platform already" in done.out
            or ("may be there already" in done.out)
        )


def test_the_way_out_of_an_old_state(
    work: Workspace, platform: Platform, request: pytest.FixtureRequest, way: AnswerProxy
) -> None:
    """What a person adopts is recorded; then everything is as it should be."""
    way.bend("client.list", name_licenses)
    old_state(work)
    before = counts(platform)
    work.apply()
    course = next(c["id"] for c in platform.dump("courses") if c["sku"].startswith("ls-b"))
    if not extended(request):
        assert 0 == work.run("adopt", f"course.b={course}").code
        assert PARTIAL == work.apply().code  # the license is asked about all the same
        id_ = license_of(platform)
        assert 0 == work.run("adopt", f"license.staff={id_}", "--unverified").code

    assert 0 == work.apply().code
    assert before == counts(platform)
    assert [] == work.plan()["changes"]


def test_a_license_of_a_lost_state_is_asked_about(work: Workspace, platform: Platform) -> None:
    """A license that names no new course, with an empty state: the run stops before it."""
    work.write("l.yaml", LICENSE)
    work.apply()
    before = counts(platform)
    lose(work)

    done = work.apply()

    assert (ERROR, True) == (done.code, "--new-state" in done.err)
    assert before == counts(platform)


def test_what_new_state_has_left_open_stays_open(work: Workspace, platform: Platform) -> None:
    """A run without the flag does not make what the run with it has asked about."""
    work.course("a")
    work.write("l.yaml", LICENSE)
    work.apply()
    before = counts(platform)
    lose(work)
    course = platform.dump("courses")[0]["id"]
    work.run("adopt", f"course.a={course}")

    for more in ((), ("--new-state",), ()):
        work.apply(*more)
        assert before == counts(platform)


def test_a_first_apply_asks_nothing(work: Workspace, platform: Platform) -> None:
    """With an empty state, licenses of a client that has none like them are made at once."""
    work.course("a")
    work.write("l.yaml", LICENSE)
    work.write("m.yaml", OTHER)

    assert 0 == work.apply().code
    assert {"Staff", "Guests"} <= {one["name"] for one in platform.dump("licenses")}


def test_an_old_state_is_noticed_by_what_the_list_of_clients_names(
    work: Workspace, platform: Platform, request: pytest.FixtureRequest, way: AnswerProxy
) -> None:
    """Without any other sign, a license that its client has already is not made again."""
    way.bend("client.list", name_licenses)
    work.course("a")
    work.apply()
    kept = keep(work)
    work.write("l.yaml", LICENSE)
    work.apply()
    put_back(work, kept)
    before = counts(platform)

    done = work.apply()

    assert (0 if extended(request) else PARTIAL) == done.code
    assert before == counts(platform)


def test_an_old_state_takes_a_license_over_by_its_mark(work: Workspace, platform: Platform) -> None:
    """The list of clients shows a license with its mark: without any flag, it is taken over."""
    work.course("a")
    work.apply()
    kept = keep(work)
    work.write("l.yaml", LICENSE)
    work.apply()
    put_back(work, kept)
    before = counts(platform)

    assert 0 == work.apply().code
    assert before == counts(platform)
    assert [] == work.plan()["changes"]


def test_an_open_license_is_not_taken_over_by_a_plan(
    work: Workspace, platform: Platform, request: pytest.FixtureRequest
) -> None:
    """A call whose answer was lost is settled by a person, or by the list of the licenses."""
    platform.order("faults", {"action": "drop-after", "route": "license.create"})
    work.write("l.yaml", LICENSE)
    work.apply()
    before = counts(platform)

    done = work.apply()

    assert (0 if extended(request) else UNKNOWN) == done.code, done.out
    assert before == counts(platform)
