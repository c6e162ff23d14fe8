"""Checks whether learners can meet the rules of completion of a course, and tell them apart.

If the course is or will be published, a rule that nobody can meet is an error: learners would be
stuck. While it is a draft it is a warning, since a topic must exist before a person can fill it.
"""

from collections.abc import Iterator, Mapping

from ...kind import Groups, Json, Resources
from ...problems import Finding, Rule, warning_rule
from ...resource import Reference, Resource
from ...vocabulary.enums import TOPIC_CRITERIA, CriterionType as C
from ..course import FETCHED, access_end, goes_live
from ..sibling_names import find_lookalikes

CRITERION_TWICE = Rule(
    "criterion-twice",
    "A course has two rules of completion of one type about the same thing. It is not known "
    "which of them applies.",
    "Keep one of them.",
    fixed=False,
    source="spec 2.3",
)
HOLLOW_TOPIC = Rule(
    "hollow-topic",
    "A rule of completion of a published course needs a topic that is created empty and is "
    "not attested as filled. No learner could complete the course.",
    "Fill the topic in the authoring interface, then add `attested: {by: NAME, on: DATE}` to "
    "it. Until then keep the course a draft.",
    fixed=False,
    source="spec 2.2",
)
HOLLOW_DRAFT = warning_rule(
    "hollow-draft",
    "A rule of completion of a draft needs a topic that is created empty and is not attested "
    "as filled. This does no harm while the course is a draft.",
    "Apply the draft so that the topic exists, fill it, attest it, then publish.",
    source="spec 2.2",
)
GATE_SHUT = Rule(
    "gate-shut",
    "Pages of a published course are taken in order, and an empty shell comes before what a "
    "rule of completion asks for.",
    "Fill the shell and attest it, or write `forceLinearProgress: false`.",
    fixed=False,
    source="spec 2.2",
)
GATE_DRAFT = warning_rule(
    "gate-draft",
    "Pages of a draft are taken in order, and an empty shell comes before what a rule of "
    "completion asks for. This does no harm while the course is a draft.",
    "Apply the draft, fill the shell, attest it, then publish.",
    source="spec 2.2",
)
TOPIC_LATE = Rule(
    "topic-late",
    "The topic of a rule of completion opens only after access to the course has ended.",
    "Release its section earlier, or end the course later.",
    fixed=False,
)
PERCENT_LATE = Rule(
    "percent-late",
    "A rule of completion asks for more pages than open before access to the course ends.",
    "Ask for less, or release the sections earlier.",
    fixed=False,
)
CRITERION_FIT = Rule(
    "criterion-fit",
    "A rule of completion is about an article, but the course has none.",
    "Use another rule, or add an article.",
    fixed=False,
    source="spec 2.3",
)


def check_criteria_differ(
    groups: Groups, _catalog: Resources
) -> Iterator[tuple[Resource, Finding]]:
    """One rule of each type for a course: of two, the platform does not say which one counts."""
    for criterion, first in find_lookalikes(groups, _topic_of):
        message = (
            f"{first.address} is a {criterion.facts['type']} rule about the same thing: "
            "it is not known which of the two applies"
        )
        yield criterion, CRITERION_TWICE.at(("type",), message)


def _topic_of(criterion: Resource) -> tuple[str, str] | None:
    """The topic that it is about; None if it lacks the topic that its type needs."""
    kind, topic = criterion.facts["type"], criterion.facts.get("topic", "")
    needs_topic = kind in TOPIC_CRITERIA or kind == C.VIDEO_PERCENT_VIEWED
    return (kind, topic) if topic or not needs_topic else None


GROUP_RULES = (check_criteria_differ,)


_OF_ARTICLES = frozenset({C.ARTICLE_PERCENT_VIEWED, C.ARTICLE_TIME_VIEWED_IN_SECONDS})
_NEED_CONTENT = TOPIC_CRITERIA - {C.COURSE_TOPIC_VIEWED}
"""Rules that ask for more than a look at the page."""
_ATTEST = "`attested: {by: NAME, on: DATE}`"


def fits_course(criterion: Resource, reference: Reference, course: Resource) -> Iterator[Finding]:
    """The share of an article that was read is only known if there is an article."""
    if criterion.facts["type"] in _OF_ARTICLES and not course.facts.get("article"):
        yield CRITERION_FIT.at(
            ("type",),
            f"{criterion.facts['type']} is about an article, but `{reference.name}` has none: "
            "the rule can never be met",
        )


def topic_opens(_criterion: Resource, reference: Reference, course: Resource) -> Iterator[Finding]:
    """Nobody reaches a topic in a section that opens after the course has ended."""
    section = str(reference.part).partition("/")[0]
    if opens := course.facts.get("late", {}).get("sections", {}).get(section):
        yield TOPIC_LATE.at(
            reference.path,
            f"the section of `{reference.part}` opens on {opens}, and access to the course ends on "
            f"{access_end(course.facts)}: nobody can ever meet the rule",
            "release the section earlier, or end the course later",
        )


def topic_is_filled(
    criterion: Resource, reference: Reference, course: Resource
) -> Iterator[Finding]:
    """A test without questions cannot be passed; a shell counts once it is attested as filled."""
    kind = course.facts.get("hollow", {}).get(reference.part)
    if kind is None or criterion.facts["type"] not in _NEED_CONTENT:
        return
    empty = f"`{reference.part}` ({kind}) is created empty and not attested as filled"
    address = FETCHED.get(kind)
    if goes_live(course.facts):
        yield HOLLOW_TOPIC.at(
            reference.path,
            f"{empty}: learners of the published course could never complete it",
            (f"write its `{address}`, or " if address else "")
            + f"fill it in the authoring interface and give the topic {_ATTEST}; until then keep "
            "the course `status: draft`",
        )
    else:
        yield HOLLOW_DRAFT.at(
            reference.path,
            f"{empty}; this does no harm while the course is a draft",
            "apply the draft, so that the topic exists; fill it in the authoring interface; "
            f"give it {_ATTEST}; then publish",
        )


def gate_opens(criterion: Resource, reference: Reference, course: Resource) -> Iterator[Finding]:
    """Yields a finding where pages are taken in order, and an empty one stops everybody from
    reaching what the criterion asks for."""
    gate = course.facts.get("gate")
    if not gate or not _is_behind(gate, criterion, reference):
        return
    shut = f"pages are taken in order, and nobody can pass the empty `{gate['topic']}`"
    path = reference.path if reference.part else ("percent",)
    if goes_live(course.facts):
        message = f"{shut}: nobody can ever meet the rule, which asks for something after it"
        hint = f"fill that topic and give it {_ATTEST}, or write `forceLinearProgress: false`"
        yield GATE_SHUT.at(path, message, hint)
    else:
        hint = f"apply the draft, fill that topic, give it {_ATTEST}, then publish"
        yield GATE_DRAFT.at(path, f"{shut}; the rule asks for something after it", hint)


def _is_behind(gate: Mapping[str, Json], criterion: Resource, reference: Reference) -> bool:
    """Whether what a criterion asks for comes after the gate."""
    if reference.part is None:
        return _too_much(gate, criterion)
    return reference.part not in gate["open"]


def _too_much(pages: Mapping[str, Json], criterion: Resource) -> bool:
    """Whether a criterion asks for a larger share of the course than can be seen."""
    of_course = criterion.facts["type"] == C.COURSE_PERCENT_VIEWED
    return of_course and bool(criterion.facts.get("percent", 0) * pages["of"] > 100 * pages["seen"])


def share_is_seen(
    criterion: Resource, _reference: Reference, course: Resource
) -> Iterator[Finding]:
    """Yields a finding for a criterion that asks for more of the course than will ever be open."""
    late = course.facts.get("late")
    if late and _too_much(late, criterion):
        yield PERCENT_LATE.at(
            ("percent",),
            f"{criterion.facts['percent']} percent of {late['of']} pages are asked for, but only "
            f"{late['seen']} of them open before access to the course ends",
            f"ask for at most {100 * late['seen'] // late['of']}, or release the sections earlier",
        )


REFERENCE_RULES = {
    "course": (fits_course, gate_opens, share_is_seen),
    "topic": (topic_opens, topic_is_filled, gate_opens),
}
