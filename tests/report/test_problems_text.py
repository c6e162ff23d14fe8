"""Problems at a terminal."""

from hypothesis import given

from lmssync.problems import Problem, in_order
from lmssync.report.problems import problems_text
from lmssync.resource import Address

from . import listing
from .listing import WARNING, many, problem


def test_an_error_is_not_hidden_by_warnings():
    """Where there are too many, errors are shown before any warning."""
    told = [*many(300, code="no-content", severity=WARNING), problem("z.yaml", message="the one")]
    text = problems_text(told)
    assert "z.yaml:1:1: error[title-length] the one\n" in text
    assert text.endswith("\n… and 101 more\n    101 no-content\n\n1 error, 300 warnings.\n")


def test_a_rule_is_not_hidden_by_another():
    """Each rule is shown once before any is shown again."""
    text = problems_text([*many(500), problem("z.yaml", code="sku-length")])
    assert "z.yaml:1:1: error[sku-length]" in text
    assert 199 == text.count("error[title-length]")


def test_what_is_shown_stays_in_order():
    """By place, also where some are left out."""
    told = [*many(300, code="no-content", severity=WARNING), *many(150)]
    lines = problems_text(told).splitlines()[:200]
    assert "many.yaml:50:1: warning[no-content] title is long" == lines[49]
    assert "many.yaml:1:1: error[title-length] title is long" == lines[50]


def test_one_mistake_of_many_resources_is_in_order():
    """What a part file brings to each course is shown by course, in each run alike."""
    addresses = [Address("course", f"course-{number:02}") for number in range(20)]
    told = [problem("part.yaml", address=address) for address in reversed(addresses)]
    assert addresses == [one.address for one in in_order(told)]


def test_no_problems_at_all():
    """Are counted in words as well."""
    assert "\n0 errors.\n" == problems_text([])


def test_nothing_invisible_reaches_the_terminal():
    """Controls, turns of direction and ends of lines are written out, letters are not."""
    told = problem("a\n.yaml", message="\x1b[31m `é 👩\u200d🏫`", hint="\u202e\x85\t")
    assert problems_text([told]).startswith(
        "a\\n.yaml:1:1: error[title-length] \\x1b[31m `é 👩\u200d🏫`\n    \\u202e\\x85\\t\n"
    )


def test_a_file_name_that_is_no_utf_8():
    """The bytes that make no character are shown as such."""
    assert problems_text([problem("caf\udce9.yaml")]).startswith("caf\\udce9.yaml:1:1: ")


@given(listing.ANY)
def test_a_problem_is_a_line(told: list[Problem]):
    """Whatever is in it: a line each, one for each remedy, a space and the count."""
    lines = problems_text(told).encode("utf-8").decode().splitlines()
    assert len(told) + sum(bool(problem.hint) for problem in told) + 2 == len(lines)
