"""A served preview answers this machine only, and says when the catalog has changed."""

import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from lmssync.cli.preview_command import PreviewedCatalog
from lmssync.report.preview import Preview, make_preview_server
from tests.served_catalog import COURSE, PROJECT

from ... import patient_http


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "lmssync.yaml").write_text(PROJECT)
    file = tmp_path / "a.yaml"
    file.write_text(COURSE.replace("KEY", "a"))
    return file


@pytest.fixture
def http(file: Path) -> Iterator[httpx.Client]:
    source = PreviewedCatalog(file.parent, None)
    with make_preview_server(Preview(source.read_version, source.make_site), 0) as served:
        threading.Thread(target=served.serve_forever, args=[0.02]).start()
        with patient_http.client(base_url=f"http://127.0.0.1:{served.server_address[1]}") as client:
            yield client
        served.shutdown()


def test_a_page_shows_the_catalog_as_it_is_now(http: httpx.Client, file: Path) -> None:
    assert "Title of a" in http.get("/course-a.html").text

    file.write_text(file.read_text().replace("Title of a", "Another"))

    assert "Another" in http.get("/course-a.html").text


def test_who_waits_is_told_of_a_change(http: httpx.Client, file: Path) -> None:
    known = http.get("/version").text

    file.write_text(file.read_text() + "description: More.\n")

    assert known != http.get("/version", params={"not": known}).text


def test_a_course_with_a_mistake_is_shown_as_it_was(http: httpx.Client, file: Path) -> None:
    http.get("/")
    file.write_text(file.read_text().replace("title: Title", "titel: Title"))

    page = http.get("/course-a.html").text

    assert "there is no field `titel` here" in page
    assert "Title of a" in page


def test_errors_and_warnings_come_with_their_remedies(http: httpx.Client, file: Path) -> None:
    """An author who types sees both, and what to do about each."""
    good = file.read_text()
    file.write_text(good.replace("Title of a", "'TODO: say it'"))
    (file.parent / "b.yaml").write_text(good.replace("key: a", "key: b") + "titel: x\n")

    page = http.get("/").text

    assert "1 error</b>. Affected pages show their last valid version, or are missing." in page
    assert "did you mean `title`?" in page
    assert "1 warning" in page
    assert "replace it, or delete the field if it is optional" in page


def test_the_terminal_shows_problems_as_they_come_and_go(
    http: httpx.Client, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each once, with its line, and one line when they are repaired."""
    good = file.read_text()
    for text in (good.replace("title: Title", "titel: Title"), good):
        file.write_text(text)
        http.get("/")
        http.get("/course-a.html")
    shown = capsys.readouterr().err
    assert 1 == shown.count("| titel: Title of a\n")
    assert shown.endswith("\nAll problems are repaired.\n")


def test_a_page_that_is_gone_waits_for_the_course_to_come_back(
    http: httpx.Client, file: Path
) -> None:
    """Some editors empty a file before they write it."""
    file.write_text("")

    page = http.get("/course-a.html")

    assert 404 == page.status_code
    assert "There is no such page in this preview now." in page.text
    assert "version?not=" in page.text


@pytest.mark.parametrize("host", ["lms.example.com", "127.0.0.1.example.com:80"])
def test_other_names_of_this_machine_are_refused(http: httpx.Client, host: str) -> None:
    """A page elsewhere could otherwise read the catalog through the author's browser."""
    assert 403 == http.get("/", headers={"Host": host}).status_code


@pytest.mark.parametrize("path", ["/nothing.html", "/../a.yaml", "/%2e%2e/a.yaml", "/a.yaml"])
def test_nothing_but_pages_is_served(http: httpx.Client, path: str) -> None:
    assert 404 == http.get(path).status_code
