"""One mistake hides no other, and none is told that is there only because of another."""

from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from lmssync.catalog.manifests.schemas.example_manifests import example_documents
from lmssync.catalog.manifests.yaml.yaml_writer import write_yaml_document
from lmssync.problems import Problem
from tests import making

CATALOG = Path(__file__).parents[3] / "examples" / "catalog"
DOCUMENTS = [data for known in example_documents().values() for data in known]
Steps = tuple[str | int, ...]
Known = set[tuple[str, str]]


def spots(value: Any, path: Steps = ()) -> Iterator[Steps]:
    """The path of every value of a document, but for its kind."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for step, below in inner:
        if (*path, step) != ("resource",):
            yield (*path, step)
        if isinstance(below, (dict, list)):
            yield from spots(below, (*path, step))


def put(data: Any, path: Steps, value: Any) -> Any:
    """The document with another value at a path."""
    changed = deepcopy(data)
    here = changed
    for step in path[:-1]:
        here = here[step]
    here[path[-1]] = value
    return changed


def misspelled(data: Any, path: Steps) -> Any:
    """The document with another name for the field at a path."""
    changed = deepcopy(data)
    here = changed
    for step in path[:-1]:
        here = here[step]
    here[f"{path[-1]}{str(path[-1])[-1]}"] = here.pop(path[-1])
    return changed


@pytest.fixture
def root(tmp_path: Path) -> Path:
    making.put(tmp_path, "hello.md", "Hello.")
    return tmp_path


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Known:
    """What is wrong with the examples as they are."""
    root = tmp_path_factory.mktemp("examples")
    making.put(root, "hello.md", "Hello.")
    return {(problem.code, problem.message) for problem in _problems(root, DOCUMENTS)}


def told(root: Path, known: Known, number: int, broken: Any) -> Iterator[Problem]:
    """What is wrong with the examples only where one of them is broken."""
    documents = [*DOCUMENTS[:number], broken, *DOCUMENTS[number + 1 :]]
    for problem in _problems(root, documents):
        if (problem.code, problem.message) not in known:
            yield problem


def _problems(root: Path, documents: list[Any]) -> list[Problem]:
    text = "---\n".join(write_yaml_document(data) for data in documents)
    return making.problems(making.write(root, a=text))


SPOTS = [(number, path) for number, data in enumerate(DOCUMENTS) for path in spots(data)]
FIELDS = [spot for spot in SPOTS if isinstance(spot[1][-1], str)]


@pytest.mark.parametrize(("number", "path"), SPOTS, ids=str)
@pytest.mark.parametrize(
    "value",
    [{"no": ["such"]}, pytest.param(3.5, marks=pytest.mark.slow)],
    ids=["mapping", "number"],
)
def test_a_refused_value_is_told_alone(
    root: Path, known: Known, number: int, path: Steps, value: Any
):
    """Nothing is said of what follows from it only."""
    found = list(told(root, known, number, put(DOCUMENTS[number], path, value)))
    about = [path, path[:-1]] if path[-1] == "id" else [path]
    assert found
    assert {(number, True)} == {
        (p.origin.document, any(p.origin.path[: len(one)] == one for one in about)) for p in found
    }


@pytest.mark.parametrize(("number", "path"), FIELDS, ids=str)
def test_a_misspelled_field_is_told_alone(root: Path, known: Known, number: int, path: Steps):
    """And what is missing by it, if it must be there."""
    found = list(told(root, known, number, misspelled(DOCUMENTS[number], path)))
    assert {"unknown-field", "missing-field", "short-form-id"} >= {p.code for p in found}
    assert found


COURSE = """\
resource: course
key: a
kind: courseGroup
title: A
sections:
  - id: s
    title: S
    lessons:
      - id: l
        title: L
        openType: open
        topics:
          - {id: t, title: T, type: quiz}
          - {id: u, title: U, type: text, body: Hello}
"""
LICENSE = """\
resource: license
key: l
client: acme
name: L
courses: []
learningPaths: []
courseTags: [Safety]
"""
PATH = """\
resource: purchasePath
key: p
course: 7d1c0000-0000-4000-8000-000000000001
label: L
target: {url: "https://x.example", title: T}
"""
CRITERION = """\
resource: completionCriterion
key: c
course: a
type: courseAssessmentPassed
topic: s/l/t
"""
ASSIGNMENT = "resource: licenseAssignment\nkey: m\nlicenses: [l]\n"
CLIENT = "resource: client\nkey: acme\ncloneOf: golden\nname: Acme\n"


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        (COURSE + "showProgress: maybe\npurchasable: true\n",
         {"show-progress-type", "purchasable-without-price"}),
        (COURSE + "isbn: 5\ncourseStartDate: 2027-02-01\ncourseEndDate: 2027-01-01\n",
         {"isbn-type", "window"}),
        (COURSE + "isbn: 5\nrelatedCourses: [nobody]\n", {"isbn-type", "unknown-reference"}),
        (COURSE + "isbn: 5\nprerequisiteCourses: [a]\n", {"isbn-type", "reference-circle"}),
        (COURSE + "isbn: 5\ndescription: 'TODO: say it'\n", {"isbn-type", "placeholder"}),
        (COURSE.replace("type: quiz", "type: quizz") + "sku: 5\n", {"type-value", "sku-type"}),
        (COURSE.replace("type: quiz", "type: quizz, scormUrl: x").replace("Hello", "'<b>'"),
         {"type-value", "url", "html-unbalanced"}),
        (COURSE.replace("openType: open", "openType: opn").replace("id: u", "id: t"),
         {"open-type-value", "id-twice"}),
        (COURSE.replace("key: a", "key: a b") + "isbn: 5\nmoved: [{from: course.a b}]\n",
         {"key-value", "isbn-type"}),
        (COURSE.replace("kind: courseGroup", "kind: courseGruop") + "sku: X\npriceInCents: 5\n"
         "freeWithRegistration: true\n", {"kind-value", "price-and-free"}),
        (COURSE + "isbn: 5\nlifecycle: {ignore: [kind]}\n", {"isbn-type", "ignore-identity"}),
        (COURSE + "isbn: 5\ncompletionCriteria:\n  - {id: x, type: scormComplete}\n"
         "  - {type: coursePercentViewed}\npurchasePaths:\n  - {id: p, label: L, target: {}}\n",
         {"isbn-type", "criterion-needs", "short-form-id", "one-target"}),
        (COURSE + "isbn: 5\nstatus: published\ncompletionCriteria:\n"
         "  - {id: x, type: courseAssessmentPassed, topic: s/l/t}\n"
         "  - {id: y, type: courseTopicViewed, topic: s/l/v}\n",
         {"isbn-type", "hollow-topic", "hollow-content", "unknown-topic"}),
        (COURSE.replace("key: a\n", "") + "completionCriteria:\n  - {id: x, type: scormComplete}\n",
         {"missing-field", "criterion-needs"}),
        (COURSE + "---\n" + CRITERION + "percent: many\nseconds: 5\n",
         {"percent-type", "criterion-field", "hollow-draft"}),
        (COURSE + "---\n" + CRITERION.replace("course: a", "course: b") + "percent: many\n",
         {"percent-type", "unknown-reference"}),
        (LICENSE + "seatsLimit: many\nreplaceCourseIds: true\nparentLicense: nobody\n",
         {"seats-limit-type", "license-replaces", "unknown-reference"}),
        (PATH.replace("label: L", "label: <x></x>") + "displayOrder: first\n",
         {"display-order-type", "label-empty"}),
        (PATH.replace(", title: T", "") + "displayOrder: first\n",
         {"display-order-type", "target-title"}),
        (CLIENT.replace("cloneOf: golden", "cloneOf: acme") + "slug: A B\n",
         {"client-slug", "client-of-itself"}),
        (LICENSE + "---\n" + ASSIGNMENT + "users:\n  - {email: ann}\n  - {}\n"
         "enrollmentOptions: {preserveProgress: false}\n",
         {"email", "person-unnamed", "options-contradict"}),
        (LICENSE + "seatsLimit: 1\nsku: 5\n---\n" + ASSIGNMENT
         + "users: [{email: a@b}, {email: c@d}]\n", {"sku-type", "seats-exceeded"}),
        (COURSE + "sku: X\nisbn: 5\n---\n" + COURSE.replace("key: a", "key: b")
         + "sku: X\nisbn: 5\n", {"isbn-type", "value-taken"}),
        (COURSE + "isbn: 5\n---\n" + COURSE + "isbn: 6\n", {"isbn-type", "key-twice"}),
    ],
)  # fmt: skip
def test_mistakes_of_several_sorts(tmp_path: Path, text: str, codes: set[str]):
    """A field, the rules of its document, of its short forms and between documents: all at once."""
    found = making.problems(making.write(tmp_path, a=text))
    assert codes == {problem.code for problem in found}


def test_a_bad_row_hides_no_other(tmp_path: Path):
    """Nor what is wrong with all rows together, even where the file ends in the middle of one."""
    rows = 'email\nann@b.example\nann\nann@b.example\n"open'
    making.put(tmp_path, "staff.csv", rows)
    making.write(tmp_path, a=LICENSE, b=ASSIGNMENT + "usersFile: staff.csv\n")
    codes = {problem.code for problem in making.problems(tmp_path)}
    assert {"email", "person-twice", "table-syntax"} == codes


@pytest.mark.parametrize(
    "text",
    [
        COURSE + "title: again\n",
        COURSE.replace("resource: course", "resource: coruse"),
        COURSE.replace("resource: course\n", ""),
        COURSE.replace("key: a", "key: {a: b}"),
        COURSE + "sections: {\n",
    ],
)
def test_what_names_a_course_with_a_mistake_is_right(tmp_path: Path, text: str):
    """The course is there: only its own mistake is told, whatever that is."""
    making.write(tmp_path, a=text, b=LICENSE.replace("courses: []", "courses: [a]"))
    assert {"a.yaml"} == {problem.where.file for problem in making.problems(tmp_path)}


def test_a_file_that_changes_leaves_the_mistakes_of_others(tmp_path: Path):
    """What is remembered of a refused document takes part again."""
    making.write(tmp_path, a=COURSE + "isbn: 5\n", b=CRITERION + "moved: [{from: criterion.d}]\n")
    before = making.problems(tmp_path)
    making.put(tmp_path, "c.yaml", LICENSE)
    assert before == making.problems(tmp_path)
    assert {"isbn-type", "hollow-draft"} == {problem.code for problem in before}


def test_a_key_that_nobody_wrote_is_not_told(tmp_path: Path):
    """What stands in for it is neither in an address nor in a message."""
    more = "completionCriteria:\n  - {type: courseTopicViewed, topic: s/l/v}\n"
    making.write(tmp_path, a=COURSE.replace("key: a\n", "") + more)
    found = making.problems(tmp_path)
    assert ["missing-field", "short-form-id"] == sorted(problem.code for problem in found)
    assert {None} == {problem.address for problem in found}


def test_a_field_that_nobody_knows_may_be_any_that_is_not_there(tmp_path: Path):
    """It is not said that its mapping is empty."""
    text = (
        LICENSE + "---\n" + ASSIGNMENT + "users: [{email: a@b}]\nenrollmentOptions: {keep: true}\n"
    )
    found = making.problems(making.write(tmp_path, a=text))
    assert ["unknown-field"] == [problem.code for problem in found]
