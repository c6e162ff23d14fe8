"""`include:` of a section, lesson or topic from a part file that courses share."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from lmssync.catalog.manifests.file_choice import choose_catalog_files
from lmssync.catalog.manifests.format_files import look_at_files
from lmssync.catalog.manifests.formatter import format_manifest
from lmssync.catalog.manifests.schemas.json_schema import make_schema
from lmssync.resource import Address
from tests import making

COURSE = """\
resource: course
key: KEY
kind: courseGroup
title: KEY
sections:
  - id: first
    title: First
    lessons:
      - include: shared/fire.part.yaml
        id: fire
        with: {site: Berlin, minutes: 5}
completionCriteria:
  - {id: pass, type: courseAssessmentPassed, topic: first/fire/quiz}
"""
FIRE = """\
part: lesson
parameters:
  site: {means: Where it burns.}
  minutes: {type: number}
  open: {values: [open, studentsOnly], default: studentsOnly}
content:
  title: Fire in ${site}
  openType: ${open}
  topics:
    - {id: out, title: "Out in ${minutes} min", type: text, bodyFile: out.md}
    - {id: quiz, title: Quiz, type: quiz, attested: {by: Ann, on: 2026-01-01}}
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Two courses that share a lesson, with a body file beside it."""
    texts = {key: COURSE.replace("KEY", key) for key in ("a", "b")}
    making.write(tmp_path, a=texts["a"], b=texts["b"].replace("Berlin", "Rome"))
    making.put(tmp_path, "shared/fire.part.yaml", FIRE)
    making.put(tmp_path, "shared/out.md", "Use the **stairs** of ${site}.")
    return tmp_path


def lesson(root: Path, key: str = "a") -> Any:
    form = making.loaded(root).resources[Address("course", key)].form
    return form["sections"][0]["lessons"][0]


def test_each_use_has_its_own_values_and_id(root: Path):
    """Two courses get the lesson, each with its values; bodies are beside the part file."""
    assert [] == [p for p in making.problems(root) if p.severity == "error"]
    made = lesson(root)
    assert ("fire", "Fire in Berlin", "studentsOnly") == (
        made["id"],
        made["title"],
        made["openType"],
    )
    assert "Out in 5 min" == made["topics"][0]["title"]
    assert "Fire in Rome" == lesson(root, "b")["title"]
    assert "stairs" in str(made["topics"][0]["body"])


def test_a_change_of_the_part_is_seen(root: Path):
    """What was cached of a course is read again when its part file changes."""
    assert "Fire in Berlin" == lesson(root)["title"]
    making.put(root, "shared/fire.part.yaml", FIRE.replace("Fire in", "Smoke in"))
    assert "Smoke in Berlin" == lesson(root)["title"]


def test_a_mistake_in_the_content_has_its_place_there(root: Path):
    """What the part brings is checked like the manifest, and named where it is written."""
    making.put(root, "shared/fire.part.yaml", FIRE.replace("type: quiz", "type: quizz"))
    found = {(p.where.file, p.where.line) for p in making.problems(root) if p.severity == "error"}
    assert {("shared/fire.part.yaml", 11)} == found


NESTED = "part: topic\ncontent: {title: Hello, type: text, body: <p>Hi</p>}\n"


def test_parts_include_parts(root: Path):
    """A part may include another one; one that includes itself is a mistake."""
    inner = "    - {include: hello.part.yaml, id: hello}\n"
    making.put(root, "shared/fire.part.yaml", FIRE + inner)
    making.put(root, "shared/hello.part.yaml", NESTED)
    assert "Hello" == lesson(root)["topics"][2]["title"]
    making.put(root, "shared/hello.part.yaml", NESTED.replace("topic", "lesson"))
    assert "is a lesson, and `topics` takes a topic" in making.problems(root)[0].message


MISTAKES = [
    ("id: fire\n        with", "with", "include", "needs an `id`"),
    ("minutes: 5", "minutes: five", "part-parameter", "the part takes a number"),
    ("minutes: 5", "minutes: true", "part-parameter", "the part takes a number"),
    ("minutes: 5", "minutes: .nan", "part-parameter", "is not a finite number"),
    ("minutes: 5", "minutes: -.inf", "part-parameter", "is not a finite number"),
    (", minutes: 5", "", "part-parameter", "needs a value for `minutes`"),
    ("minutes: 5", "minutes: 5, sight: 1", "part-parameter", "no parameter `sight`"),
    ("minutes: 5", "minutes: 5, open: shut", "part-parameter", "one of open, studentsOnly"),
    ("with:", "title: X\n        with:", "include", "`title` has no meaning"),
    ("fire.part.yaml", "fir.part.yaml", "file-missing", "there is no file"),
    ("fire.part.yaml", "out.md", "include", "ends in .part.yaml"),
]


@pytest.mark.parametrize(("old", "new", "rule", "words"), MISTAKES)
def test_mistakes_of_a_use(root: Path, old: str, new: str, rule: str, words: str):
    """Each is an error at the use in the manifest."""
    making.put(root, "a.yaml", COURSE.replace("KEY", "a").replace(old, new))
    (problem,) = [p for p in making.problems(root) if p.where.file == "a.yaml"]
    assert (rule, True) == (problem.code, words in problem.message)
    assert problem.where.line in {9, 10, 11}


def test_a_parameter_that_nothing_uses(root: Path):
    """It is a mistake in the part file, and the use says that it cannot be included."""
    making.put(root, "shared/fire.part.yaml", FIRE.replace("${minutes}", "five"))
    found = {(p.where.file, p.code) for p in making.problems(root)}
    assert {("shared/fire.part.yaml", "part-parameter"), ("a.yaml", "include")} <= found


def test_a_mistyped_name_in_the_content(root: Path):
    """It is a mistake at its line of the part file, with the name that was meant."""
    making.put(root, "shared/fire.part.yaml", FIRE.replace("Fire in", "${sight}"))
    problem, *_ = [p for p in making.problems(root) if p.where.file == "shared/fire.part.yaml"]
    assert ("part-parameter", 7) == (problem.code, problem.where.line)
    assert "site" in problem.hint


def test_of_several_mistyped_names_the_first_is_shown(root: Path):
    """In every run: the next run shows the next one only where it was repaired."""
    names = " ".join(f"${{{name}}}" for name in "hgfedcba")
    making.put(root, "shared/fire.part.yaml", FIRE.replace("Fire in", names))
    problem, *_ = [p for p in making.problems(root) if p.where.file == "shared/fire.part.yaml"]
    assert "`${h}` names no parameter of the part" == problem.message


def test_a_text_with_two_dollars(root: Path):
    """`$${site}` is the text `${site}`: a lesson may be about such marks."""
    making.put(root, "shared/fire.part.yaml", FIRE.replace("Fire in", "$${site} $${"))
    assert "${site} $${ Berlin" == lesson(root)["title"]


def test_fmt_orders_a_part_file_and_a_use(root: Path):
    """`fmt` gives them the order of manifests; `include` comes before its `id`."""
    making.put(root, "p.part.yaml", "content:\n  topics: []\n  title: A\npart: lesson\n")
    (chosen,) = [one for one in choose_catalog_files(root) if one.name == "p.part.yaml"]
    (look,) = look_at_files([chosen])
    assert b"part: lesson\ncontent:\n  title: A\n  topics: []\n" == look.after
    assert COURSE.encode() == format_manifest(COURSE.encode())


def test_editors_accept_a_use(root: Path):
    """The schema takes an `include` in the place of a lesson, and names what is wrong with it."""
    schema = make_schema("course.json")
    use = {"include": "shared/fire.part.yaml", "id": "fire", "with": {"site": "Berlin"}}
    course = making.course("a", sections=[{"title": "A", "lessons": [use]}])
    jsonschema.validate(json.loads(json.dumps(course)), schema)
    del use["id"]
    with pytest.raises(jsonschema.ValidationError, match="'id' is a required property"):
        jsonschema.validate(course, schema)


def test_parts_that_multiply_are_limited(root: Path):
    """Each includes the next one twice: a thousand are enough to stop."""
    for level in range(20):
        uses = ", ".join(f"{{include: l{level + 1}.part.yaml, id: {id_}}}" for id_ in "ab")
        text = f"part: lesson\ncontent: {{title: A, topics: [], lessons: [{uses}]}}\n"
        making.put(root, f"shared/l{level}.part.yaml", text)
    making.put(root, "shared/l20.part.yaml", "part: lesson\ncontent: {title: A, topics: []}\n")
    course = COURSE.replace("fire.part", "l0.part").replace("site: Berlin, minutes: 5", "")
    making.put(root, "a.yaml", course)
    texts = {one.message for one in making.problems(root)}
    assert "the document includes more than 1,000 parts" in texts
