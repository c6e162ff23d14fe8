"""What a plan means for people: a line for each change at most, and what it comes to."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...kind import Undo
from ...planning.plan import Action, Plan, PlannedChange, Version
from ...resource import Address
from ...support.invisible_characters import escape_invisible
from ..evidence_text import SayMoment, at_moment
from ..value_words import count_noun, join_some, spell_moment

_FOLDED = 4
"""So many changes of which the same is to be said are one line."""
_NAMES = 3
"""How many addresses such a line names."""
_LEVELS = {Version.BREAKING: "major", Version.ADDITIVE: "minor", Version.EDITORIAL: "patch"}
_WORDS = {
    Version.BREAKING: "may break something for learners",
    Version.ADDITIVE: "additive",
    Version.EDITORIAL: "editorial",
}
_FOREVER = "it cannot be undone"
_UNKNOWN = "Learners: unknown; `lmssync events pull` counts who is enrolled."


def describe_consequence(planned: PlannedChange, *, full: bool = False) -> str:
    """What a change means, on one line; empty if there is nothing to say about people."""
    if planned.consequence is None:
        return ""
    says = [*planned.consequence.says]
    says += [_FOREVER] * (planned.consequence.undo is Undo.PERMANENT)
    recipe = planned.consequence.recipe
    says += [f"to undo it: {recipe}"] * (full and bool(recipe))
    return escape_invisible("; ".join(says))


def fold_meanings(changes: Iterable[PlannedChange]) -> Mapping[str, Sequence[Address]]:
    """Lines that would stand below many changes, and the addresses of those."""
    lines: dict[str, list[Address]] = defaultdict(list)
    for planned in changes:
        if line := describe_consequence(planned):
            lines[line].append(planned.address)
    return {line: names for line, names in lines.items() if len(names) >= _FOLDED}


def list_folded_meanings(lines: Mapping[str, Sequence[Address]]) -> Iterator[str]:
    """`12 changes: nobody is enrolled (course.a, course.b, course.c and 9 more)`"""
    for line, addresses in lines.items():
        number = count_noun(len(addresses), "change")
        yield f"  {number}: {line} ({escape_invisible(join_some(addresses, _NAMES))})"


def total_lines(plan: Plan, say: SayMoment = at_moment) -> Iterator[str]:
    """What can be undone, the version of each course, and what learners are counted from.

    A terminal says with `ago` how old the count is; a text that somebody keeps gives the moment.
    """
    undo = ", ".join(f"{number:,} {how}" for how, number in plan.undo.items() if number)
    if undo:
        yield f"Undo: {undo}."
    if versions := "; ".join(_versions(plan.versions)):
        yield escape_invisible(f"Versions: {versions}.")
    if plan.counted:
        first = plan.counted.since
        since = f" since {spell_moment(f'{first:%Y-%m-%d}')}" if first else ""
        until = say(plan.counted.until.isoformat())
        yield f"Learners: counted from events{since}, pulled {until}."
    elif any(_is_unknown(planned) for planned in plan.changes):
        yield _UNKNOWN


def learners_line(plan: Plan) -> Iterator[str]:
    """`45 learners are enrolled in “A”; every other change affects fewer.`, or how to find out."""
    titles = plan.known_titles
    inside = {
        one.whole: one.consequence.audience.enrolled
        for one in plan.changes
        if one.consequence and one.consequence.audience and one.consequence.audience.enrolled
    }
    if inside:
        most = max(inside, key=lambda address: inside[address])
        named = f"“{titles[most]}” ({most})" if most in titles else most
        rest = "; every other change affects fewer" if len(inside) > 1 else ""
        are = "learner is" if inside[most] == 1 else "learners are"
        yield escape_invisible(f"{inside[most]:,} {are} enrolled in {named}{rest}.")
    elif not plan.counted and any(_is_unknown(planned) for planned in plan.changes):
        yield "Enrolled learners are not counted yet: `lmssync events pull` counts them."


def _versions(of: Mapping[str, str]) -> Iterator[str]:
    """`major (may break something for learners) of course.a and course.b`"""
    for word, level in _LEVELS.items():
        courses = sorted(course for course in of if of[course] == word)
        if courses:
            yield f"{level} ({_WORDS[word]}) for {join_some(courses, _NAMES)}"


def _is_unknown(planned: PlannedChange) -> bool:
    """True for a change that touches learners whom nobody has counted."""
    consequence = planned.consequence
    silent = planned.action in {Action.FORGET, Action.MOVE} and not planned.fields
    return bool(consequence and consequence.version and consequence.audience is None and not silent)
