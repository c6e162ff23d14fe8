"""`lmssync test`: stories on disk, their mistakes, and what a report shows of them."""

from pathlib import Path
from xml.etree import ElementTree as ET

import orjson
import pytest

from lmssync.vocabulary.enums import CriterionType
from tests.learners.stories.telling import PATH
from tests.making import loaded, put, write

from .conftest import Run

EXAMPLE = Path(__file__).parents[2] / "examples" / "catalog"
COURSE = f"""\
resource: course
key: safety
kind: courseGroup
title: Safety
status: published
sections:
  - {{id: start, title: Start, lessons: [{{id: welcome, title: W, openType: studentsOnly, topics: [
      {{id: hello, title: Hello, type: text, markdown: Hi.}}]}}]}}
completionCriteria:
  - {{id: seen, type: courseTopicViewed, topic: {PATH}}}
"""
STORY = """\
story: reader
course: safety
starts: 2029-03-01
learner:
  - {day: 0, enrolls: safety}
  - {day: 1, views: all}
expect:
  - {done: true}
"""


@pytest.fixture
def judge(run: Run, tmp_path):
    """Judges the stories of a file."""

    def test_story(text: str, *args: str):
        put(write(tmp_path, safety=COURSE), "stories/safety.yaml", text)
        return run("-C", tmp_path, "test", *args)

    return test_story


def test_a_story_passes(judge):
    """It is counted."""
    done = judge(STORY)
    assert (0, "1 passed.\n") == (done.code, done.out)


def test_a_failure_names_two_lines(judge):
    """That of the story and that of the manifest, each with its mark; the exit code is 3."""
    done = judge(STORY.replace("  - {day: 1, views: all}\n", ""))
    assert 3 == done.code
    assert "stories/safety.yaml:7:6: failed[reader] on day 0: `safety` is not completed" in done.out
    assert "decided by safety.yaml:10:" in done.out
    assert 2 == sum("^" in line for line in done.out.splitlines())


def test_mistakes_have_their_places(judge):
    """An unknown field, a name that is not in the catalog, and a step that does two things."""
    assert "did you mean `views`" in judge(STORY.replace("views", "view")).err
    known = judge(STORY.replace("enrolls: safety", "enrolls: safty"))
    assert (3, True) == (known.code, "there is no course `safty`" in known.err)
    assert "stories/safety.yaml:5:14: error[story-name]" in known.err
    both = judge(STORY.replace("views: all", "views: all, passes: all"))
    assert "the step does `views` and `passes`; it must be one thing" in both.err


def test_a_course_with_errors_is_not_called_unknown(judge, run, tmp_path):
    """What is wrong is its manifest, not the word of the story."""
    judge(STORY)
    put(tmp_path, "safety.yaml", COURSE.replace("title: Safety", "titel: Safety"))
    done = run("-C", tmp_path, "test")
    assert (3, True) == (done.code, "error[story-name] course.safety has errors" in done.err)


def test_two_stories_have_two_ids(judge):
    """The second of one id is a mistake."""
    assert "error[story-taken]" in judge(f"{STORY}---\n{STORY}").err


def test_share_and_time_go_with_views(judge):
    """Elsewhere they would mean nothing."""
    wrong = judge(STORY.replace("enrolls: safety", "enrolls: safety, seconds: 5"))
    assert "`seconds` goes with `views` only" in wrong.err


def test_programs_read_them(judge):
    """JSON has both places; JUnit has a test for each story."""
    broken = STORY.replace("true}", "false}")
    report = orjson.loads(judge(broken, "--json").out)
    assert {"passed": 0, "failed": 1} == report["summary"]
    (failure,) = report["stories"][0]["failures"]
    assert (8, "safety.yaml") == (failure["line"], failure["decidedBy"]["file"])
    junit = ET.fromstring(judge(broken, "--format", "junit").out)
    assert ("1", "1") == (junit.get("tests"), junit.get("failures"))


def test_a_catalog_without_stories_is_wrong_use(run: Run, tmp_path):
    """It says where one is written; a file of stories can be named."""
    put(write(tmp_path, safety=COURSE), "stories/one.yaml", STORY)
    put(tmp_path, "stories/two.yaml", STORY.replace("reader", "other"))
    assert "1 passed.\n" == run("-C", tmp_path, "test", "stories/two.yaml").out
    none = run("-C", tmp_path, "test", "safety.yaml")
    assert (64, True) == (none.code, "there are no stories in these files" in none.err)


def test_fmt_puts_a_story_in_order(run: Run, tmp_path):
    """Its id comes first."""
    lines = STORY.splitlines(keepends=True)
    put(
        write(tmp_path, safety=COURSE),
        "stories/one.yaml",
        "".join([lines[1], lines[0], *lines[2:]]),
    )
    run("-C", tmp_path, "fmt")
    assert STORY == (tmp_path / "stories/one.yaml").read_text("utf-8")


def test_the_example_catalog_has_a_story_for_each_rule(run: Run):
    """All of them pass, by the rules and on a sandbox."""
    stories = "".join(file.read_text("utf-8") for file in (EXAMPLE / "stories").glob("*.yaml"))
    courses = {line.removeprefix("course: ") for line in stories.splitlines()}
    rules = [
        one.facts
        for address, one in loaded(EXAMPLE).resources.items()
        if address.kind == "criterion"
    ]
    told = {one["type"] for one in rules if one["course"].removeprefix("course.") in courses}
    assert set(CriterionType) == told
    assert 0 == run("-C", EXAMPLE, "test", "--sandbox").code


def test_a_learner_does_it_on_a_sandbox(judge):
    """Both verdicts are one; a story that fails on both names the same line as without it."""
    assert "1 passed.\n" == judge(STORY, "--sandbox").out
    failed = judge(STORY.replace("  - {day: 1, views: all}\n", ""), "--sandbox")
    assert (3, True) == (failed.code, "`safety` is not completed" in failed.out)


@pytest.mark.parametrize(
    ("starts", "day", "words"),
    [
        ("9999-12-01", 40, "5:5: failed[far] day 40 is after the year 9999"),
        ("9990-01-01", 3600, "1:1: failed[far] the sandbox does not take the story"),
    ],
)
def test_a_story_that_reaches_too_far_does_not_stop_the_others(judge, starts, day, words):
    """It fails with its line."""
    far = STORY.replace("reader", "far").replace("2029-03-01", starts)
    far = far.replace("day: 0", f"day: {day}").replace("day: 1", f"day: {day}")
    done = judge(f"{far}---\n{STORY}", "--sandbox")
    assert (3, True) == (done.code, f"stories/safety.yaml:{words}" in done.out)
    assert "1 passed, 1 failed." in done.out


def test_assertions_run_with_stories(judge):
    """They are counted with them; a failure has its lines, and half an assertion is a mistake."""
    every = "---\nassert: all-licensed\nevery: course\nhas: license\n"
    done = judge(STORY + every)
    assert (3, True) == (done.code, "course.safety has no license" in done.out)
    assert "decided by safety.yaml:1:1:" in done.out
    assert "1 passed, 1 failed." in done.out
    assert "nothing says how much" in judge("assert: a\ncount: course\n").err
    assert "write one of has, field" in judge("assert: a\nevery: course\n").err
