"""`show ADDRESS`: one resource, as it is desired and as it is recorded."""

from typing import Any

import pytest

from tests.served_catalog import Platform, Workspace

LICENSE = """\
resource: license
key: staff
client: acme
name: Staff
courses: []
learningPaths: []
courseTags: [Safety]
"""

PRICE = "priceInCents: 400\n"


@pytest.fixture
def applied(work: Workspace) -> Workspace:
    """A course that was applied, and then edited in git."""
    work.course("a", PRICE)
    assert 0 == work.apply().code
    work.course("a", PRICE.replace("400", "500"))
    return work


def fields(work: Workspace, address: str = "course.a") -> dict[str, Any]:
    """By path, what `show --json` says of each field."""
    return {one["path"]: one for one in work.run("show", address, "--json").json["fields"]}


def test_a_resource_begins_with_its_title(applied: Workspace):
    """The first line has the address and the title, the next where it is written."""
    lines = applied.run("show", "course.a").out.splitlines()
    assert ["course.a  “Title of a”", "  a.yaml:1"] == lines[:2]


def test_a_field_that_differs_has_both_values(applied: Workspace):
    """A field is shown with what is recorded and what the catalog wants."""
    (line,) = [one for one in applied.run("show", "course.a").out.splitlines() if "price" in one]
    assert ["~", "price", "unverifiable", "4.00", "→", "5.00"] == line.split()
    price = fields(applied)["priceInCents"]
    assert (400, 500, True) == (price["recorded"], price["desired"], price["differs"])


def test_fields_of_a_part_stand_below_its_title(applied: Workspace):
    """A path leads through titles: the fields of a page follow its name and that of its lesson."""
    page = applied.run("show", "course.a").out.partition("\n  page “Hello” in “One”\n")[2]
    assert ["text", "title", "type"] == [line.split()[0] for line in page.splitlines()[:3]]


def test_fields_say_how_far_they_are_known(applied: Workspace):
    """After a look, what was compared is proven, and what no route shows is unverifiable."""
    assert 0 == applied.run("drift").code
    known = fields(applied)
    body = "sections[start].lessons[one].topics[hello].body"
    assert ["proven", "unverifiable"] == [known[path]["evidence"] for path in ("title", body)]


def test_a_long_text_is_shown_by_the_words_that_differ(work: Workspace):
    """Of a long body the words that differ are shown, and with `--full` all of it."""
    long = "Good morning to everybody who has come early and to those who come late as well"
    work.course("a", edit=("Good morning", long))
    assert 0 == work.apply().code
    work.course("a", edit=("Good morning", long.replace("early", "soon")))
    short, whole = (work.run("show", "course.a", *more).out for more in ([], ["--full"]))
    assert "come [-early-]{+soon+} and" in short
    assert f"      ~{long.replace('early', '[-early-]{+soon+}')}\n" in whole


def test_a_new_resource_is_shown_before_it_is_recorded(work: Workspace):
    """What was never applied is shown as the catalog wants it."""
    work.course("a")
    out = work.run("show", "course.a").out
    assert "not recorded" in out
    assert "  + title" in out


def test_what_left_the_catalog_is_shown_as_recorded(applied: Workspace):
    """What is no longer in the catalog is shown as it was applied."""
    (applied.root / "a.yaml").unlink()
    done = applied.run("show", "course.a")
    assert (0, True) == (done.code, "not in the catalog" in done.out)
    assert fields(applied)["priceInCents"]["desired"] is None


def test_showing_a_resource_asks_nobody(applied: Workspace, platform: Platform):
    """No request is sent."""
    before = len(platform.requests())
    assert 0 == applied.run("show", "course.a").code
    assert before == len(platform.requests())


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("course.b", "course.b is neither in the catalog nor recorded"),
        ("plan.json", "there is no file plan.json, and it is not an address"),
        ("nothing", "there is no file nothing, and it is not an address"),
    ],
)
def test_what_is_not_there_is_named(applied: Workspace, name: str, message: str):
    """A name that is neither a plan nor a resource is refused, with exit code 64."""
    done = applied.run("show", name)
    assert (64, "") == (done.code, done.out)
    assert message in done.err


def test_a_file_is_taken_for_a_plan(applied: Workspace):
    """An argument that is the name of a file is a plan, whatever it is called."""
    assert 0 == applied.run("plan", "--out", "course.a").code
    assert applied.run("show", "course.a").out.startswith("Plan for sandbox")


def test_what_no_route_shows_is_not_to_be_compared(work: Workspace):
    """A license that was applied on an instance without lists of licenses is shown as it is."""
    work.write("l.yaml", LICENSE)
    assert 0 == work.apply().code
    done = work.run("show", "license.staff")
    assert (0, True) == (done.code, "not compared: no route of this instance shows" in done.out)
    assert work.run("show", "license.staff", "--json").json["provedAt"] is None
