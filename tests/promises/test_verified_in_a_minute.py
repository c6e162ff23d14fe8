"""By default as much is verified at once as fits into a minute at the pace of the instance."""

import time

import pytest

from lmssync.platform.client import Reader
from tests.answer_proxy import AnswerProxy
from tests.planning.plan.test_forecast import LICENSE
from tests.platform.client.answering import Asked, Said
from tests.served_catalog import Platform, Workspace

from .test_read_later import KEYS, UNIT, edit, reads, unread
from .test_twins import bodies

LIMIT = 4


@pytest.fixture(autouse=True)
def _six(
    work: Workspace,
    platform: Platform,
    way: AnswerProxy,
    _profile: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Six courses, the default of `platform.verify`, and an instance of four calls a minute, whose
    window is new at each answer and for each run, so that nobody waits."""
    monkeypatch.setattr(Reader, "share_limits", lambda *_: None)
    platform.order("switches", {"idOrder": "request"})
    project = (work.root / "lmssync.yaml").read_text()
    for verify in ("needed", "minute"):
        project = project.replace(f"verify: {verify}, ", "")
    work.write("lmssync.yaml", project)
    for key in KEYS:
        work.write(f"{key}.yaml", UNIT.format(key=key))

    def limited(asked: Asked) -> Said:
        said = way.pass_on(asked)
        told = {"X-RateLimit-Limit": LIMIT, "X-RateLimit-Remaining": LIMIT}
        told["X-RateLimit-Reset"] = round(time.time()) + 60
        return said._replace(headers=said.headers | {name: str(n) for name, n in told.items()})

    way.answer_by(limited)


def test_as_much_as_fits_into_a_minute(work: Workspace, platform: Platform) -> None:
    """The report, its JSON and the status say how much that was, and what becomes of the rest."""
    done = work.apply()

    assert (0, LIMIT, "ef") == (done.code, reads(platform), unread(work))
    assert "6 created; 4 verified. The remaining 2 are verified at first use, or by" in done.out
    assert "compares 2 resources, 2 of them new" in work.run("status").out
    assert 2 == work.run("status", "--json").json["truth"]["unread"]


def test_what_is_still_to_be_sent_has_its_place(work: Workspace, platform: Platform) -> None:
    """The license is sent last, in the same minute: one course less is read back."""
    work.write("license.yaml", LICENSE)

    assert (0, LIMIT - 1, "def") == (work.apply().code, reads(platform), unread(work))


def test_the_document_of_an_apply_counts_both(work: Workspace) -> None:
    shown = work.run("apply", "--yes", "--json").json
    assert (LIMIT, 2) == (shown["verified"], shown["unread"])


def test_a_look_verifies_the_rest(work: Workspace, platform: Platform) -> None:
    """Also with few calls at a time; until then its last line says how many are left."""
    work.apply()
    first = work.run("drift", "--budget", "2")
    assert "not verified yet" in first.out
    for _ in range(6):
        work.run("drift", "--budget", "3")

    assert "not verified yet" not in work.run("drift").out
    assert {f"{key}/t": f"<p>{key}</p>" for key in KEYS} == bodies(work, platform)


def test_a_change_verifies_what_it_changes(work: Workspace, platform: Platform) -> None:
    work.apply()
    edit(work, "f")

    assert (0, "e") == (work.apply().code, unread(work))
    work.run("drift")
    assert "<p>New f</p>" == bodies(work, platform)["f/t"]


@pytest.mark.parametrize("switch", [{"skuOnRead": False}, {"idOrder": "reversed"}])
def test_what_is_uncertain_is_read_at_once(
    work: Workspace, platform: Platform, switch: dict[str, object]
) -> None:
    """Reads that show no mark, or an answer in another order: the minute does not matter."""
    platform.order("switches", switch)

    assert (0, "") == (work.apply().code, unread(work))
    assert {f"{key}/t": f"<p>{key}</p>" for key in KEYS} == bodies(work, platform)
