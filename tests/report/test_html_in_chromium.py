"""A report in a real browser, on a telephone and on a desk."""

import re
import socket
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from lmssync.applying.apply import ApplyOutcome, Report
from lmssync.planning.plan import Plan
from lmssync.report.html_pages import receipt_html
from lmssync.resource import Address
from lmssync.state import Store, open_store
from tests import making
from tests.making import topic
from tests.planning.plan.planning import planned
from tests.sandbox import chromium
from tests.support.pages.vectors import VECTORS

from .test_html import NASTY, a_plan, text_of

pytestmark = chromium.MARKS
FILTERS: list[dict[str, str]] = [{}, {"text": "license.staff"}, {"Action": "create"}]


def done(made: Plan) -> Report:
    """A report in which one change was made, and one refused."""
    report = Report()
    report.note(Address("course", "new"), ApplyOutcome.CREATED)
    report.note(Address("course", "a"), ApplyOutcome.FAILED, f"no such ribbon: {NASTY}")
    return report


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """What is found of a page in each window."""
    folder = tmp_path_factory.mktemp("html")
    with closing(open_store("sqlite:///state.db", folder, "sandbox")) as store:
        made = a_plan(store)
        (folder / "plan.html").write_text(text_of(made), "utf-8")
        (folder / "receipt.html").write_bytes(b"".join(receipt_html(done(made), made, {}, "test")))
    plan: dict[str, Any] = {"path": "/plan.html", "filters": FILTERS}
    receipt = {"path": "/receipt.html", "filters": [{}]}
    looks = [
        page | {"width": width, "scheme": scheme}
        for page in (plan, receipt)
        for width, scheme in chromium.WINDOWS
    ]
    looks.append({"path": "/plan.html", "width": 800, "scheme": "dark", "media": "print"})
    return chromium.look(folder.as_uri(), looks)


def test_axe_finds_nothing(seen: list[Any]):
    """Contrast, names, landmarks: with everything unfolded, on a screen and on paper (WCAG)."""
    assert [[]] * 9 == [one["violations"] for one in seen]


def test_a_report_is_not_wider_than_the_window(seen: list[Any]):
    """However long a word is, nobody scrolls sideways."""
    assert [0] * 9 == [one["overflow"] for one in seen]


def test_nothing_leaves_the_file(seen: list[Any]):
    """It asks for nothing but itself and what it holds, and logs nothing."""
    heard = [line for one in seen for line in one["heard"]]
    assert [] == [line for line in heard if not line.startswith(("file:", "about:", "data:"))]


def test_the_filter_works(seen: list[Any]):
    """Text and action choose what is shown."""
    everything, by_text, by_action = seen[2]["left"]
    assert ["license.staff"] == [re.findall(r"license\.\w+", line)[0] for line in by_text]
    assert ["course.new"] == [re.findall(r"course\.\w+", line)[0] for line in by_action]
    assert len(everything) > 3


def test_a_receipt_begins_with_what_was_not_done(seen: list[Any]):
    """What failed comes first, and is told with its outcome."""
    everything, *_ = seen[4]["left"]
    assert ["failed", "course.a"] == re.findall(r"failed|course\.a", everything[0])
    assert any("created" in line for line in everything)


def test_no_body_in_a_report_opens_a_connection(tmp_path: Path, store: Store):
    """Each vector in a body, all of them opened: nobody connects to the server that they name."""
    with socket.create_server(("127.0.0.1", 0)) as stranger:
        stranger.setblocking(False)
        port = str(stranger.getsockname()[1])
        bodies = [vector.replace("PORT", port) for vector in VECTORS]
        made = planned(
            store,
            [
                making.micro(f"c{n}", topic(body=f"<p>Read</p>{body}"))
                for n, body in enumerate(bodies)
            ],
        )
        (tmp_path / "plan.html").write_text(text_of(made), "utf-8")
        (tmp_path / "receipt.html").write_bytes(
            b"".join(receipt_html(done(made), made, {}, "test"))
        )

        assert len(VECTORS) == text_of(made).count("<iframe")
        chromium.open_pages(tmp_path.as_uri(), ["/plan.html", "/receipt.html"])
        with pytest.raises(BlockingIOError):
            stranger.accept()
