"""`lmssync explain`."""

import json
import re
from pathlib import Path

import pytest

from lmssync.catalog.manifests.schemas.explanations import explain_name, make_overview
from lmssync.catalog.manifests.schemas.field_descriptions import all_fields, model_schemas
from lmssync.kinds import BY_RESOURCE
from lmssync.report.explain_text import meanings_text
from lmssync.report.terminal_style import TextStyle
from lmssync.support.rulebook import all_rules

from .conftest import Run


def test_a_field(run: Run):
    """A field is explained with its meaning, type, words, effect and an example."""
    shown = (
        "course.sections.lessons.openType\n"
        "  Who may open it.\n"
        "\n"
        "  Type        one of the words below, required\n"
        "  Words\n"
        "    studentsOnly      For enrolled learners.\n"
        "    open              For everybody.\n"
        "    emailCaptureOpen  For everybody who leaves an e-mail address.\n"
        "  A change    access; lmssync makes it with a call\n"
        "  Rules       open-type-value\n"
        "  Example\n"
        "    openType: studentsOnly\n"
    )
    assert (0, shown, "") == run("explain", "course.sections.lessons.openType")


def test_the_page_about_editors_shows_what_is_printed(run: Run):
    """The page about editors shows exactly what `explain` prints."""
    page = (Path(__file__).parents[2] / "docs" / "editors.md").read_text("utf-8")
    (block,) = re.findall(
        r"^```console\n\$ lmssync (.*?)\n(.*?)^```", page, re.DOTALL | re.MULTILINE
    )
    assert block[1] == run(*block[0].split()).out


def test_a_field_that_a_person_changes(run: Run):
    """For a field that only a person can change, `explain` shows the step that plans show."""
    out = run("explain", "license.seatsLimit").out
    assert "access; a person makes it: set `seatsLimit` of the license" in out


def test_the_name_that_the_platform_knows(run: Run):
    """`explain` shows the name under which a field is sent."""
    assert "  API name    tagIds\n" in run("explain", "course.tags").out


def test_a_default_of_the_platform(run: Run):
    """`explain` shows the platform's default for a field that is left out."""
    assert "  Default     draft\n" in run("explain", "course.status").out


def test_the_default_of_a_setting_of_an_environment(run: Run):
    """It is what the project says, whose own default is a word, and each word has its meaning."""
    inherited = "  Default     as `platform.profile` of the project says\n"
    assert inherited in run("explain", "environments.platform.profile").out
    said = run("explain", "lmssync.platform.profile").out
    assert "  Default     core\n" in said
    assert "    core      The routes of the platform's specification.\n" in said


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("priceInCents", "course.priceInCents"),
        ("lessons.openType", "course.sections.lessons.openType"),
        ("sections[0].lessons[start].openType", "course.sections.lessons.openType"),
        ("path.displayOrder", "purchasePath.displayOrder"),
        ("lmssync.state", "lmssync.state"),
        ("environments.live.baseUrl", "lmssync.environments.baseUrl"),
    ],
)
def test_the_end_of_a_path_is_enough(run: Run, name: str, path: str):
    """The end of a path is enough, and it may contain positions and ids."""
    assert f"{path}\n" == run("explain", name).out.splitlines(keepends=True)[0]


def test_a_field_of_many_places(run: Run):
    """A field that exists in several places is listed with all of them."""
    out = run("explain", "title").out
    assert out.startswith("`title` is a field in ")
    assert "\npurchasePath.target.title\n  Text for the address. " in out


def test_a_rule(run: Run):
    """A rule is explained with its meaning, whether it may be changed, and lines that break it."""
    out = run("explain", "no-content").out
    assert out.startswith("no-content  warning\n  The course has no content.")
    assert "lmssync.yaml can change its severity: `rules: {no-content: off}`" in out
    assert "  Wrong in a course\n    sections: []\n" in out


def test_a_rule_of_the_platform(run: Run):
    """A rule of the platform cannot be lowered, and names the section of the specification."""
    out = run("explain", "[field-of-type]").out
    assert "its severity is fixed" in out
    assert "the platform's specification, section 2.2" in out
    assert "](" not in out


def test_a_rule_of_a_family(run: Run):
    """A rule about ranges lists its fields with their limits."""
    out = run("explain", "percent-range").out
    assert "    completionCriterion.percent  1 to 100\n" in out


def test_a_kind(run: Run):
    """A kind is explained with its address, its required fields and a whole manifest."""
    out = run("explain", "completionCriterion").out
    assert "  Address     `criterion.KEY`\n" in out
    assert "  Required    resource, key, course, type\n" in out
    assert "    type: coursePercentViewed\n    percent: 80\n" in out


def test_without_a_name(run: Run):
    """Without a name, `explain` lists what can be explained and shows an example."""
    code, out, err = run("explain")
    assert (0, "") == (code, err)
    assert "  licenseAssignment    " in out or "  license  " in out
    assert "lmssync explain license.seatsLimit" in out


@pytest.mark.parametrize(
    ("name", "guess"),
    [
        ("percnt-range", "`percent-range`"),
        ("seatLimit", "`seatsLimit`"),
        ("licence", "`license`"),
        ("course.titel", "did you mean `course.title`?"),
        ("course.nope", "`lmssync explain course` lists its fields"),
    ],
)
def test_an_unknown_name(run: Run, name: str, guess: str):
    """An unknown name exits with 64 and a suggestion."""
    code, out, err = run("explain", name)
    assert (64, "") == (code, out)
    assert f"nothing is called `{name}`" in err
    assert guess in err


@pytest.mark.parametrize(
    "name", ["", ".", "[]", "course.", "-range", "a" * 999, "\x00", "course..title"]
)
def test_nonsense(run: Run, name: str):
    """A name that makes no sense exits with 64 and a message."""
    code, _, err = run("explain", "--", name)
    assert 64 == code
    assert "error: nothing is called" in err


def test_json(run: Run):
    """`--json` prints a document for programs."""
    document = json.loads(run("explain", "course.tags", "--json").out)
    (found,) = document["found"]
    assert ("lmssync.explain/1", "field", "tagIds", ["at most 10 items"]) == (
        document["format"],
        found["what"],
        found["wire"],
        found["limits"],
    )


def test_json_of_everything(run: Run):
    """`--json` without a name lists everything that can be explained."""
    document = json.loads(run("explain", "--json").out)
    assert {"course", "license", "lmssync"} <= document["kinds"].keys()


def test_the_list_of_everything_makes_no_schemas():
    """What is listed is read from the models; only an explanation needs the schema of each."""
    model_schemas.cache_clear()
    make_overview()
    assert 0 == model_schemas.cache_info().currsize


@pytest.mark.parametrize("rule", make_overview().families.values())
def test_the_examples_of_families_are_rules_of_fields(rule: str):
    """Each rule that stands for its family in the list is explained by the fields that have it."""
    (explained,) = explain_name(rule)
    assert explained.of


def test_eighty_columns():
    """No explanation is wider than 80 columns."""
    names = [*map(str, all_fields()), *all_rules(), *BY_RESOURCE]
    lines = [
        line for name in names for line in meanings_text(name, explain_name(name)).splitlines()
    ]
    assert [] == [line for line in lines if len(line) > 80]


def test_colours_only_colour():
    """With colours the text is the same as without."""
    plain, coloured = (
        meanings_text("status", explain_name("status"), style)
        for style in (TextStyle(), TextStyle(on=True))
    )
    assert plain != coloured
    assert plain == re.sub(r"\x1b\[\d+m", "", coloured)


def test_it_needs_no_catalog(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch):
    """`explain` works in any folder and writes nothing there."""
    monkeypatch.chdir(tmp_path)
    assert 0 == run("explain", "course").code
    assert [] == list(tmp_path.iterdir())


PART = """\
part: lesson
parameters:
  site: {means: Where the course is held.}
  minutes: {type: number, default: 5, values: [5, 10]}
content: {title: "Fire in ${site}, ${minutes} minutes", openType: studentsOnly, topics: []}
"""


def test_a_part_file(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Its parameters are shown: what each means, and which values may be left out."""
    monkeypatch.chdir(tmp_path)
    Path("fire.part.yaml").write_text(PART)
    shown = (
        "fire.part.yaml\n"
        "  a lesson\n"
        "  site  text; required\n"
        "    Where the course is held.\n"
        "  minutes  number, one of 5, 10; default: 5\n"
    )
    assert (0, shown, "") == run("explain", "fire.part.yaml")
    parameters = json.loads(run("explain", "fire.part.yaml", "--json").out)["parameters"]
    assert (5, ["site", "minutes"]) == (parameters["minutes"]["default"], [*parameters])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "none.part.yaml cannot be read: No such file or directory"),
        ("part: page\n", "none.part.yaml: `part` is the text `page`; it is one of section, lesson"),
    ],
)
def test_a_part_file_that_is_none(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str | None, words: str
):
    """A file that is not there, or is no part file, is a wrong command line."""
    monkeypatch.chdir(tmp_path)
    if text is not None:
        Path("none.part.yaml").write_text(text)
    done = run("explain", "none.part.yaml")
    assert (64, "", True) == (done.code, done.out, words in done.err)
