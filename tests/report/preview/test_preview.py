"""A preview shows the catalog as learners will see it, and marks what differs from the record."""

import re

import pytest

from tests.flows.test_main_job import example
from tests.served_catalog import PROJECT, Platform, Workspace

NASTY = "<script>alert(1)</script>"


def shown(work: Workspace, file: str = "course-a.html") -> str:
    """A page of a new preview."""
    done = work.run("preview")
    assert 0 == done.code, done.err
    return (work.root / "preview" / file).read_text("utf-8")


def for_learners(html: str) -> str:
    """What a page says up to the facts beside the course, without where its links lead.

    Left out too: the label on the picture, of which the platform has a list, and whether a person
    has filled a topic, which the catalog may attest.
    """
    part = re.split("<dl>|</article>", html[html.index("<article>") :])[0]
    part = re.sub(r"(\s*</div>)+\s*$", "", part)  # a page without facts ends here
    for left_out in (
        r'href="[^"]*"',
        r"leads to <span>.*?</span>",
        r'<span class="label">.*?</span>',
    ):
        part = re.sub(left_out, "", part)
    part = re.sub(r'<span class="badge[^>]*>(empty shell|filled)</span>', "", part)
    return " ".join(part.split())


def test_a_page_is_what_the_sandbox_shows_after_an_apply(
    work: Workspace, platform: Platform
) -> None:
    """Texts, bodies, criteria, price and buttons of the example catalog, to the letter."""
    example(work)
    assert 0 == work.run("preview").code
    assert 0 == work.apply().code
    records = work.run("state", "list", "--json").json["resources"]
    ids = {one["address"]: one["ids"].get("course") for one in records}

    for file in sorted((work.root / "preview").glob("course-*.html")):
        course = ids[f"course.{file.stem.removeprefix('course-')}"]
        page = platform.http.get(f"/catalog/{course}").text
        assert for_learners(page) == for_learners(file.read_text("utf-8")), file.name


def test_prices_have_the_currency_of_the_project_file(work: Workspace) -> None:
    """On the tile and on the page of the course; in a plan's page as well."""
    work.write("lmssync.yaml", f"{PROJECT}currency: EUR\n")
    work.course("a", "priceInCents: 1900\n")
    assert "19.00 EUR" in shown(work)
    assert "19.00 EUR" in shown(work, "index.html")
    assert "19.00 EUR" in work.run("plan", "--format", "html").out


def test_nothing_is_marked_where_nothing_is_recorded(work: Workspace) -> None:
    work.course("a")

    page = shown(work)

    assert "nothing recorded" in page
    assert "<ins>" not in page


@pytest.mark.parametrize(
    ("old", "new", "marked"),
    [
        (
            "title: Title of KEY",
            "title: New title of KEY",
            "<del>Title of a</del> <ins>New title of a</ins>",
        ),
        ("title: Hello", "title: Good day", "<ins>Good day</ins>"),
    ],
)
def test_what_differs_from_the_record_is_marked(
    work: Workspace, old: str, new: str, marked: str
) -> None:
    work.course("a")
    assert 0 == work.apply().code
    work.course("a", edit=(old, new))

    assert marked in shown(work)


def test_the_courses_that_differ_have_a_page(work: Workspace) -> None:
    """What is new, what changed, and what left the catalog; nothing else."""
    for key in ("a", "b", "c"):
        work.course(key)
    assert 0 == work.apply().code
    (work.root / "a.yaml").unlink()
    work.course("b", "description: Another.\n")
    work.course("d")

    done = work.run("preview", "--json")

    marks = {"course.a": "removed", "course.b": "changed", "course.d": "new"}
    assert marks == done.json["marks"]
    assert 3 == (work.root / "preview/changes.html").read_text("utf-8").count('<a href="course-')


def test_a_preview_needs_neither_key_nor_platform(
    work: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    work.course("a")
    monkeypatch.delenv("LMSSYNC_API_KEY")
    monkeypatch.setenv("LMSSYNC_BASE_URL", "http://127.0.0.1:1")

    assert "Title of a" in shown(work)


def test_no_text_of_an_author_becomes_markup(work: Workspace) -> None:
    work.course("a", edit=("title: Title of KEY", f"title: '{NASTY}'"))

    page = shown(work)

    assert NASTY not in page
    assert "&lt;script&gt;" in page


def test_pages_of_before_are_removed(work: Workspace) -> None:
    work.course("a")
    work.course("b")
    shown(work)
    (work.root / "b.yaml").unlink()

    shown(work)

    assert not (work.root / "preview/course-b.html").exists()


def test_a_folder_with_something_else_is_left_alone(work: Workspace) -> None:
    work.course("a")
    work.write("preview/mine.html", "<p>Mine.</p>")

    done = work.run("preview")

    assert 64 == done.code
    assert "preview contains mine.html, which is not a page of a preview" in done.err
    assert ["mine.html"] == [file.name for file in (work.root / "preview").iterdir()]


def test_a_catalog_without_errors_has_nothing_above_it(work: Workspace) -> None:
    work.course("a", "status: published\n")

    assert 'class="banner"' not in shown(work)


def test_courses_with_errors_are_named_above_the_rest(work: Workspace) -> None:
    work.course("a")
    work.course("b", "tilte: Wrong\n")

    page = shown(work, "index.html")

    assert "1 error" in page
    assert "b.yaml:15:1: there is no field `tilte` here" in page
    assert "Title of a" in page


def test_a_recorded_course_with_a_mistake_is_not_called_removed(work: Workspace) -> None:
    work.course("a")
    assert 0 == work.apply().code
    work.course("a", "tilte: Wrong\n")

    page = shown(work, "index.html")

    assert ("Title of a" in page, "removed" in page) == (True, False)


def test_each_session_of_a_course_has_a_page(work: Workspace) -> None:
    """They lead to each other, and each shows its own dates and pages."""
    lesson = (
        "{id: l, title: L, openType: open, topics: [{id: t, title: T, type: text, body: Hall B}]}"
    )
    section = f"sections: [{{id: s, title: S, lessons: [{lesson}]}}]"
    work.course("a", f"sessions: [{{id: may, title: In May, enrollmentLimit: 7, {section}}}]\n")

    first, further = shown(work), shown(work, "course-a.may.html")

    assert 'href="course-a.may.html" class="chip">In May</a>' in first
    assert ("Hall B" in further, "<dd>7</dd>" in further) == (True, True)
    assert "Hall B" not in first
