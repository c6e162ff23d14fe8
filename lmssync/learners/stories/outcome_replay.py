"""What a change of rules means for the learners who are there: judged again, by what events say.

Events do not say everything. So each learner is judged twice by the rules of stories: as somebody
who has done only what is proven, and as somebody who has done all that events would not show. Where
both come to the same, it is known. Counts leave this module, and no learner does.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import NamedTuple

from pydantic.alias_generators import to_camel

from ...resource import Address, Resource
from ...vocabulary.enums import CriterionType as C, EventKind, FurtherEventKind, TopicType
from ..events import CourseLearner, LearnerIndex
from .access_rules import Enrollment, list_prerequisites, refuse_dates, refuse_draft, refuse_expired
from .completion_rules import FITTING, CourseProgress, find_unmet_rule
from .story_catalog import StoryCourse

HasFinished = Callable[[CourseLearner, Address | str], bool | None]
"""Whether a learner has completed a course, or a learning path, which has only a uuid; None where
events do not tell."""
_ALL, _LONG = 100, 10**9
_SHARES = frozenset({C.COURSE_PERCENT_VIEWED})
_HANDED_IN = frozenset({TopicType.ASSIGNMENT})


class ToldActions(NamedTuple):
    """What the feeds that were pulled would show, if a learner had done it."""

    tests: bool = False
    assignments: bool = False
    views: bool = False

    @classmethod
    def list_told(cls, index: LearnerIndex) -> "ToldActions":
        """What the index was pulled for from the beginning on."""
        feeds = (EventKind.QUIZ_ATTEMPT, EventKind.ASSIGNMENT_SUBMISSION)
        return cls(*(index.has_pulled(kind) for kind in (*feeds, FurtherEventKind.COURSE_VIEW)))


class ReplayedOutcome(NamedTuple):
    """How many learners a change takes something from."""

    finished: int = 0
    undone: int = 0
    """Of those who have finished, how many would not have by the new rules."""
    unclear: int = 0
    """Of those who have finished, how many of whom events do not tell."""
    inside: int = 0
    locked_out: int = 0
    """Of those who are inside, how many can open the course now and could not any more."""
    unclear_inside: int = 0
    """Of those who are inside, of how many events do not tell whether they could."""

    @property
    def takes_something(self) -> bool:
        """Whether there is anything to say."""
        return bool(self.undone or self.unclear or self.locked_out or self.unclear_inside)

    def list_counts(self) -> Mapping[str, int]:
        """The counts by their names in JSON."""
        return {to_camel(name): number for name, number in self._asdict().items()}

    def spell_counts(self) -> Iterator[str]:
        """`14 of 66 learners who have finished would not have finished`, and who is locked out."""
        have = "has" if self.finished == 1 else "have"
        finished = f"{_count_learners(self.finished)} who {have} finished"
        yield from _spell_share(self.undone, finished, "would not have finished", self.unclear)
        inside = f"{_count_learners(self.inside)} who learn by it"
        are = "is locked out" if self.locked_out == 1 else "are locked out"
        yield from _spell_share(self.locked_out, inside, are, self.unclear_inside)


def _spell_share(number: int, whom: str, lose: str, unclear: int) -> Iterator[str]:
    told = f"{number:,} of {whom} {lose}"
    untold = (
        f"of {unclear:,} events do not tell"
        if number
        else (f"events do not tell how many of {whom} {lose.replace('is ', 'are ')}")
    )
    if number or unclear:
        yield "; ".join([told] * bool(number) + [untold] * bool(unclear))


def _count_learners(number: int) -> str:
    return "1 learner" if number == 1 else f"{number:,} learners"


def replay_completions(
    before: StoryCourse,
    after: StoryCourse,
    learners: Iterable[CourseLearner],
    topics: Mapping[str, str],
    told: ToldActions,
) -> ReplayedOutcome:
    """Judges who has finished a course by its new rules; `topics` has their paths by their ids.

    Each of them has met the rules so far: that proves what no event shows.
    """
    finished = undone = unclear = 0
    known: dict[tuple[frozenset[str], frozenset[str]], bool | None] = {}
    for learner in learners:
        if not learner.has_finished:
            continue
        finished += 1
        # Most finishers have passed the same tests: each such group is judged once.
        same = learner.passed, learner.viewed
        if same not in known:
            known[same] = _is_complete(before, after, learner, topics, told)
        undone += known[same] is False
        unclear += known[same] is None
    return ReplayedOutcome(finished, undone, unclear)


def _is_complete(
    before: StoryCourse,
    after: StoryCourse,
    learner: CourseLearner,
    topics: Mapping[str, str],
    told: ToldActions,
) -> bool | None:
    """Whether a learner has completed a course by its new rules; None where events do not tell."""
    # Rules never ask for less of somebody who has done more. So what the least progress meets is
    # met, and what the most does not meet is not, whatever lies between the two.
    proven = _prove_progress(before, learner, topics)
    most = _extend_progress(before, proven, told)
    for progress, loses in ((proven, True), (most, False)):
        _forget_pages(before, after, progress, loses=loses)
    if not find_unmet_rule(after, proven):
        return True
    return False if find_unmet_rule(after, most) else None


def _forget_pages(
    before: StoryCourse, after: StoryCourse, progress: CourseProgress, *, loses: bool
) -> None:
    """Takes out what was done on pages that are gone; one that `loses` has viewed these for sure,
    where nobody knows which pages were viewed."""
    left = {page.path for page in after.pages}
    gone = [page.path for page in before.pages if page.path not in left]
    unnamed = [name for name in progress.viewed if name.startswith("?")]
    hidden = sum(path not in progress.viewed for path in gone) if loses else 0
    for name in [*gone, *unnamed[:hidden]]:
        progress.viewed.pop(name, None)


def _prove_progress(
    course: StoryCourse, learner: CourseLearner, topics: Mapping[str, str]
) -> CourseProgress:
    """What a learner has done by events, and because the rules so far were met."""
    progress, types = CourseProgress(), {page.path: page.type for page in course.pages}
    for id_ in learner.passed | learner.viewed:
        path = topics.get(id_, "")
        if path in types:
            progress.viewed[path] = max(1, progress.viewed.get(path, 0))
            if id_ in learner.passed:
                done = progress.completed if types[path] in _HANDED_IN else progress.passed
                done.add(path)
    if not course.criteria:
        progress.viewed |= dict.fromkeys(types, 1)
    # Rules about a share of the pages come last: the pages that other rules name count for it.
    for criterion in sorted(course.criteria, key=lambda one: one.form["type"] in _SHARES):
        _prove_rule(course, criterion, progress)
    return progress


def _prove_rule(course: StoryCourse, criterion: Resource, progress: CourseProgress) -> None:
    form, type_ = criterion.form, C(criterion.form["type"])
    topic, articles = form.get("topic"), course.articles
    path = topic["part"] if isinstance(topic, dict) else str(topic or "")
    match type_:
        case C.COURSE_PERCENT_VIEWED:
            # So many pages were viewed, and nobody knows which: each gets a name that no page has.
            needed = -(-form["percent"] * len(course.pages) // _ALL)
            lacking = range(needed - len(progress.viewed))
            progress.viewed |= {f"?{number}": 1 for number in lacking}
        case C.ARTICLE_PERCENT_VIEWED if len(articles) == 1:
            progress.viewed[articles[0].path] = form["percent"]
        case C.ARTICLE_TIME_VIEWED_IN_SECONDS if len(articles) == 1:
            progress.seconds[articles[0].path] = form["seconds"]
        case C.ARTICLE_PERCENT_VIEWED | C.ARTICLE_TIME_VIEWED_IN_SECONDS:
            pass
        case C.VIDEO_PERCENT_VIEWED:
            progress.viewed[path] = max(form["percent"], progress.viewed.get(path, 0))
        case C.COURSE_TOPIC_VIEWED:
            progress.viewed[path] = max(1, progress.viewed.get(path, 0))
        case C.COURSE_ASSESSMENT_PASSED:
            progress.passed.add(path)
        case C.COURSE_MEETING_ATTENDED:
            progress.attended.add(path)
        case _:
            progress.completed.add(path)


def _extend_progress(
    course: StoryCourse, proven: CourseProgress, told: ToldActions
) -> CourseProgress:
    """The most that a learner can have done: all that no event would show, on pages that were
    there."""
    tests = {page.path for page in course.pages if page.type in FITTING["passes"]}
    handed_in = {page.path for page in course.pages if page.type in _HANDED_IN}
    every = {page.path for page in course.pages}
    viewed = dict.fromkeys(proven.viewed if told.views else every, _ALL)
    return CourseProgress(
        {**proven.viewed, **viewed} if told.views else viewed,
        Counter(dict.fromkeys(viewed, _LONG)),
        proven.passed if told.tests else proven.passed | tests,
        proven.completed | (every - handed_in if told.assignments else every),
        every,
    )


def count_locked_out(
    before: StoryCourse,
    after: StoryCourse,
    learners: Iterable[CourseLearner],
    at: datetime,
    has_finished: HasFinished,
) -> ReplayedOutcome:
    """Who is in a course and cannot open it any more: its dates, its status, and what must be
    completed first."""
    was_open, is_open = (
        not (refuse_dates(course, at) or refuse_draft(course, at)) for course in (before, after)
    )
    old = [*list_prerequisites(before)]
    added = [one for one in list_prerequisites(after) if one not in old]
    inside = locked_out = unclear = 0
    for one in learners:
        inside += one.is_inside
        if one.is_inside and was_open and False not in {has_finished(one, name) for name in old}:
            known = {has_finished(one, name) for name in added}
            is_out = not is_open or False in known
            locked_out += is_out
            unclear += None in known and not is_out
    return ReplayedOutcome(inside=inside, locked_out=locked_out, unclear_inside=unclear)


def count_expired(
    before: Resource, after: Resource, learners: Iterable[CourseLearner], at: datetime
) -> ReplayedOutcome:
    """Who learns by a license whose new dates or days are over for them."""
    inside = locked_out = 0
    for one in learners:
        if one.is_inside:
            inside += 1
            since = one.enrolled or at
            had, has = (refuse_expired([Enrollment(since, way)], at) for way in (before, after))
            locked_out += has is not None and had is None
    return ReplayedOutcome(inside=inside, locked_out=locked_out)
