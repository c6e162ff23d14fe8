"""A long plan at a terminal: what is folded, and how wide it is."""

import re
from contextlib import closing
from dataclasses import replace

import pytest

from lmssync.planning.plan import PUBLISHED, GuardVerdict, Plan, plan_budget
from lmssync.problems import Severity
from lmssync.report.changes import plan_text
from lmssync.report.changes.plan_summary import describe_minutes
from lmssync.report.terminal_style import TextStyle, wrap_lines
from lmssync.report.text_tables import count_columns
from lmssync.resource import Resource
from lmssync.state import Store, open_store
from tests.making import course, criterion
from tests.planning.plan.planning import numbered, planned


def tagged(number: int, *tags: str):
    return [course(f"t{n}", tags=list(tags)) for n in range(number)]


def renamed(number: int, title: str):
    return [course(f"c{n}", title=f"{title} number {n}") for n in range(number)]


of_long = pytest.mark.xdist_group("a long plan at a terminal")


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    """12 equal changes, 120 that are mild, and 120 of prices."""
    old = tagged(12, "A") + renamed(120, "Old") + [course(f"p{n}") for n in range(120)]
    new = tagged(12, "A", "B") + renamed(120, "New")
    new += [course(f"p{n}", priceInCents=100 + n) for n in range(120)]
    folder = tmp_path_factory.mktemp("long")
    with closing(open_store("sqlite:///state.db", folder, "sandbox")) as store:
        return planned(store, new, old)


@of_long
def test_changes_that_do_the_same_are_one(long: Plan):
    """Ten or more are one, with some of their addresses; `full` lists each."""
    text, full = plan_text(long), plan_text(long, full=True)
    assert "  ~ 12 courses: tags: + B  update, " in text
    assert (1, 12) == (text.count("tags: + B"), full.count("tags: + B"))
    assert "      course.t0, course.t1, course.t2, course.t3, course.t4, course.t5, " in text


@of_long
def test_the_end_of_a_long_list_is_counted(long: Plan):
    """After a hundred changes of one sort, those that are mild are counted."""
    lines = plan_text(long).splitlines()
    counted = [line for line in lines if line.endswith("more courses to update")]
    shown = sum(": title: " in line for line in lines)
    assert [f"  … {120 - shown} more courses to update"] == counted
    assert "more courses to update" not in plan_text(long, full=True)


@of_long
def test_changes_of_prices_are_never_only_counted(long: Plan):
    """What concerns progress, access or commerce is always listed."""
    text = plan_text(long)
    assert 120 == text.count("price: (not set) → ")


@of_long
@pytest.mark.parametrize("columns", [80, 120, 200])
def test_no_line_is_wider_than_the_terminal(long: Plan, columns: int):
    """Lines fit into the terminal, whatever its width, in colour as well."""
    text = plan_text(long, columns=columns)
    assert columns >= max(map(len, text.splitlines()))
    painted = plan_text(long, TextStyle(on=True), columns=columns)
    assert len(text.splitlines()) == len(painted.splitlines())


def test_a_long_title_stands_above_its_address(store: Store):
    """Where title and address do not fit side by side, the address is on the next line."""
    made = planned(store, [course("a" * 30, title="A rather long title of a course, in words")])
    lines = plan_text(made, columns=80).splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("  + “A rather"))
    assert lines[at + 1] == "      create, structural  course." + "a" * 30


def test_what_belongs_to_a_course_stands_below_its_title(store: Store):
    """A course that stays as it is has its title above the rules of it that change."""
    rules = [criterion("a.most", course="a", percent=percent) for percent in (80, 90)]
    lines = plan_text(planned(store, [course("a"), rules[1]], [course("a"), rules[0]])).splitlines()
    assert lines[2:4] == [
        "    “Safety”  course.a",
        "    ~ “View 90 % of the course”: percent: 80 % → 90 %  update, progress  criterion.a.most",
    ]


def test_numbers_in_keys_are_in_their_order(store: Store):
    """c2 comes before c10."""
    text = plan_text(planned(store, [course(f"c{n}", title=f"T{n}") for n in (10, 2, 1)]))
    assert ["T1", "T2", "T10"] == re.findall("“(T\\d+)”", text)


def test_equal_new_rules_are_one_block(store: Store):
    """Twelve equal new rules are one line with a number, and some of their addresses."""
    courses = [course(f"c{n}") for n in range(12)]
    rules = [criterion(f"c{n}.most", course=f"c{n}") for n in range(12)]
    text = plan_text(planned(store, [*courses, *rules], courses))
    assert "  + 12 completion criteria “View 80 % of the course”  create, progress" in text
    assert 1 == text.count("View 80 %")


def test_three_lines_end_a_plan(store: Store):
    """After the changes come the counts, what matters most, and the next command."""
    made = planned(store, [course("a", priceInCents=500)], [course("a")])
    end = plan_text(made, next_step="`lmssync apply`").split("\n\n")[-1].splitlines()
    assert ["Plan: ", "1 change", "Next: `"] == [end[0][:6], end[1][:8], end[2][:7]]
    assert 3 == len(end)


def test_a_guard_that_blocks_is_a_sentence_with_its_remedy(store: Store):
    """What a guard stops, and the option that releases it, are in the line of what matters."""
    made = planned(store, [course("a", priceInCents=500)], [course("a")])
    stop = GuardVerdict(PUBLISHED, Severity.ERROR, [], "this changes the price", "--allow course.a")
    said = plan_text(replace(made, guards=[stop]))
    assert "Blocked: this changes the price. Release it with --allow course.a." in said


def test_lines_go_on_a_little_further_in():
    """A line that is too long is broken between words, its paint is kept."""
    assert ["  one two", "    three"] == [*wrap_lines(["  one two three"], 10)]
    assert ["\x1b[2mone\x1b[0m", "\x1b[2m  two\x1b[0m"] == [
        *wrap_lines(["\x1b[2mone two\x1b[0m"], 5)
    ]
    assert ["one two"] == [*wrap_lines(["one two"], None)]


def test_a_long_time_names_the_limits_that_it_comes_from(store: Store):
    """The longer time is that of the whole account, which may not apply (spec 8)."""
    cost = plan_budget(planned(store, numbered(200)))
    assert (
        "under a minute, or 4 min where the limits of the whole account apply"
        == describe_minutes(cost)
    )


def last_line(store: Store, old: list[Resource], new: list[Resource]) -> str:
    return plan_text(planned(store, new, old), next_step="`lmssync apply`").splitlines()[-1]


def test_the_next_command_applies_the_plan(store: Store):
    """Where something can be sent, the last line of a plan is the command that sends it."""
    assert "Next: `lmssync apply`. More: --full." == last_line(store, [], [course("a")])


def test_a_file_name_with_a_line_end_stays_on_the_last_line(store: Store):
    """The name of a saved plan cannot begin a line of its own."""
    made = planned(store, [course("a")])
    assert plan_text(made, next_step="`lmssync apply 'a\nb'`").endswith("'a\\nb'`. More: --full.\n")


def test_a_plan_without_changes_has_no_next_command(store: Store):
    """Where nothing is to be done, the last line says that nothing changes."""
    assert last_line(store, [course("a")], [course("a")]).startswith("No changes: ")


def test_money_is_named_before_access_and_progress(store: Store):
    """The line above the last one counts the changes that people ask about first."""
    new = [course("a", priceInCents=500), course("b", priceInCents=700)]
    assert "\n2 changes are about money." in plan_text(
        planned(store, new, [course("a"), course("b")])
    )


def test_wide_characters_take_two_columns():
    """A line of East Asian letters or pictures is broken where a terminal would break it."""
    assert ["安全 訓練"] == [*wrap_lines(["安全 訓練"], 9)]
    assert ["安全", "  訓練"] == [*wrap_lines(["安全 訓練"], 8)]
    assert ["🔥🔥", "  \x1b[2m🔥\x1b[0m"] == [*wrap_lines(["🔥🔥 \x1b[2m🔥\x1b[0m"], 6)]


def test_a_wide_title_stands_above_its_address(store: Store):
    """What fits by its letters may not fit by its columns."""
    wide = course("fire", title="火災時の安全な避難と消火器の使い方について学ぶ講座")
    lines = plan_text(planned(store, [wide], [course("fire")]), columns=80).splitlines()
    assert all(count_columns(line) <= 80 for line in lines)
