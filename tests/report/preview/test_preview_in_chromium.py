"""The preview in a real browser: on a telephone and on a desk, and while somebody types."""

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from lmssync.cli.preview_command import PreviewedCatalog
from lmssync.report.preview import write_preview_site
from tests.patience import kill_if_failed, wait_for_exit
from tests.sandbox import chromium
from tests.served_catalog import COURSE, PROJECT
from tests.support.pages.vectors import VECTORS

pytestmark = chromium.MARKS
EXAMPLE = Path(__file__).parents[3] / "examples" / "catalog"
PAGES = ("index.html", "course-fire-safety.html", "course-privacy-at-work.html")
HOSTILE = '<script>throw new Error()</script><img src="http://127.0.0.1:PORT/x.png">'


@pytest.fixture(scope="module")
def looks(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """What is found of pages of the example catalog, in each window."""
    folder = tmp_path_factory.mktemp("preview")
    write_preview_site(PreviewedCatalog(EXAMPLE, None).make_site(), folder)
    orders = [
        {"path": name, "width": width, "scheme": scheme}
        for name, (width, scheme) in product(PAGES, chromium.WINDOWS)
    ]
    return chromium.look(f"{folder.as_uri()}/", orders)


def test_axe_finds_nothing_in_a_preview(looks: list[Any]) -> None:
    """Contrast, headings, landmarks, names: with every topic opened."""
    assert [] == [look["violations"] for look in looks if look["violations"]]


def test_no_page_of_a_preview_is_wider_than_the_window(looks: list[Any]) -> None:
    assert [] == [look for look in looks if look["overflow"] > 0 or look["clipped"]]


@pytest.fixture
def stranger() -> Iterator[socket.socket]:
    """A server that a body wants something of. It never waits for anybody to connect."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setblocking(False)
        yield listening


@pytest.fixture
def served(tmp_path: Path, stranger: socket.socket) -> Iterator[tuple[str, Path]]:
    """The address of a served preview, and the one file of its catalog."""
    file = tmp_path / "a.yaml"
    body = HOSTILE.replace("PORT", str(stranger.getsockname()[1]))
    file.write_text(COURSE.replace("KEY", "a").replace("Good morning", f"Hi {body}"))
    (tmp_path / "lmssync.yaml").write_text(PROJECT)
    command = [sys.executable, "-m", "lmssync", "preview", "--serve", "--port", "0"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        with kill_if_failed(process):
            yield process.stdout.readline().split()[0], file
        process.terminate()
        wait_for_exit(process)


def test_a_page_follows_what_somebody_types(
    served: tuple[str, Path], stranger: socket.socket
) -> None:
    """It loads itself again with the same topic open; nothing in a body runs or is loaded.

    The stranger is asked, not the browser: that tells of requests which it then refuses to make.
    """
    base, file = served
    order = chromium.tools() | {
        "base": base,
        "path": "course-a.html",
        "file": str(file),
        "old": "Title of a",
        "new": "Another title, typed letter by letter",
    }
    script = str(Path(__file__).with_name("typing.mjs"))
    done = subprocess.run(
        [order["node"], script], input=json.dumps(order), capture_output=True, text=True, check=True
    )

    assert {"errors": [], "open": True} == json.loads(done.stdout)
    with pytest.raises(BlockingIOError):
        stranger.accept()


def test_no_body_opens_a_connection(tmp_path: Path, stranger: socket.socket) -> None:
    """Each vector in a topic, all of them opened: nobody connects to the server that they name."""
    port = str(stranger.getsockname()[1])
    topics = [
        {"title": f"Topic {n}", "type": "text", "body": vector.replace("PORT", port)}
        for n, vector in enumerate(VECTORS)
    ]
    lesson = {"title": "One", "openType": "open", "topics": topics}
    manifest: dict[str, Any] = {
        "resource": "course",
        "key": "a",
        "kind": "courseGroup",
        "title": "A",
    }
    manifest["sections"] = [{"title": "Start", "lessons": [lesson]}]
    (tmp_path / "a.yaml").write_text(json.dumps(manifest))
    (tmp_path / "lmssync.yaml").write_text(PROJECT)
    write_preview_site(PreviewedCatalog(tmp_path, None).make_site(), tmp_path / "pages")

    page = tmp_path / "pages" / "course-a.html"
    assert len(VECTORS) == page.read_text("utf-8").count("<iframe")
    chromium.open_pages((tmp_path / "pages").as_uri(), ["/course-a.html"])
    with pytest.raises(BlockingIOError):
        stranger.accept()
