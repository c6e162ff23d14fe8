"""Lists for `adopt --from`, as people and spreadsheets write them."""

import pytest

from tests.served_catalog import Platform, Workspace

from .platform_import.filled_courses import create_course

MANIFEST = """\
resource: course
key: unit
kind: microCourse
title: Unit
topics: [{title: a, type: text, body: <p>x</p>}]
"""
PARTIAL, USAGE = 7, 64


@pytest.mark.parametrize(
    "text",
    [
        "ID,ADDRESS\n{id},course.unit\n",
        "course.unit;{id};Unit, the first\n",
        "# found\n\nCourse key;Platform id\ncourse.unit;{id}\n",
        "course.unit,{id}\n",
    ],
)
def test_a_list_has_addresses_and_ids(work: Workspace, platform: Platform, text: str) -> None:
    """Whichever column comes first, with headings, and with semicolons."""
    work.write("unit.yaml", MANIFEST)
    work.write("ids.csv", text.format(id=create_course(platform)))

    done = work.run("adopt", "--from", "ids.csv")
    assert (0, True) == (done.code, done.out.startswith("course.unit: adopted")), done.err


def test_bad_lines_are_listed_and_the_rest_is_adopted(work: Workspace, platform: Platform) -> None:
    """Each with its number; the exit code says that something was left."""
    work.write("unit.yaml", MANIFEST)
    work.write("ids.csv", f"course.safety\nunit,17\ncourse.unit,{create_course(platform)}\n")

    done = work.run("adopt", "--from", "ids.csv")
    assert (PARTIAL, True) == (done.code, done.out.startswith("course.unit: adopted"))
    assert "ids.csv:1: there is no id beside `course.safety`" in done.err
    assert "ids.csv:2: `unit`" in done.err
    assert "2 of 3 were not adopted" in done.err


def test_a_list_without_a_good_line_is_refused(work: Workspace) -> None:
    """Nothing is asked of the platform for it."""
    work.write("ids.csv", "key,id\ncourse.safety\n")

    done = work.run("adopt", "--from", "ids.csv")
    assert (USAGE, True) == (done.code, "ids.csv:2: there is no id" in done.err)
