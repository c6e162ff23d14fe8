"""Judges a story offline: each step and each expectation in the order of the days.

The changes of a plan are judged as well: by what the learners of an index have done.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

from ...catalog.manifests.story_documents import (
    DOES,
    EXPECTS,
    Expectation,
    Story,
    StoryAssertion,
    StoryFile,
    StoryStep,
)
from ...kind import Ids
from ...problems import Rule
from ...resource import Address, Origin, Path, Resource
from ...vocabulary.iso_dates import parse_moment
from ..events import CourseLearner, LearnerIndex
from .access_rules import list_deciding_fields
from .completion_rules import StepRefusal
from .outcome_replay import (
    ReplayedOutcome,
    ToldActions,
    count_expired,
    count_locked_out,
    replay_completions,
)
from .story_catalog import StoryCatalog, StoryCourse
from .story_learner import StoryLearner

STORY_FAILED = Rule(
    "story-failed",
    "What a story says does not happen.",
    "Correct the line of the manifest that the report names, or the story.",
)
_NOON = timedelta(hours=12)
_DATE = len("2027-01-31")


class StoryFailure(NamedTuple):
    """What does not happen as a story says: its line there, and the line that decides it."""

    path: Path
    """Of the step or the expectation, in the story."""
    message: str
    decider: Origin


class StoryVerdict(NamedTuple):
    """How a story, or an assertion, has ended."""

    story: Story | StoryAssertion
    failures: tuple[StoryFailure, ...]


class StoryEvent(NamedTuple):
    """A step or an expectation, with its day and its place in the story."""

    day: int
    path: Path
    item: StoryStep | Expectation


def noon_of_day(story: StoryFile, day: int) -> datetime:
    """The moment at which everything of a day happens; a start with a time of day is kept."""
    first = parse_moment(story.starts)
    return first + timedelta(days=day) + (_NOON if len(story.starts) == _DATE else timedelta())


def list_events(story: StoryFile) -> list[StoryEvent]:
    """Steps and expectations in the order of the days; what is expected of a day comes last."""
    steps = [StoryEvent(s.day, ("learner", n), s) for n, s in enumerate(story.learner)]
    last = max((step.day for step in steps), default=0)
    expected = [
        StoryEvent(last if one.day is None else one.day, ("expect", n), one)
        for n, one in enumerate(story.expect)
    ]
    # Sorting is stable: what is written first happens first on its day.
    return sorted([*steps, *expected], key=lambda event: (event.day, event.path[0] == "expect"))


def judge_story(
    story: Story, catalog: StoryCatalog, learner: StoryLearner | None = None
) -> StoryVerdict:
    """What of a story would not happen; its names must be those of the catalog.

    Without another learner it is one who goes by the rules.
    """
    learner = learner or StoryLearner(story.spec, catalog)
    for day, path, _ in list_events(story.spec):
        try:
            noon_of_day(story.spec, day)
        except OverflowError:
            text = f"day {day} is after the year 9999: write an earlier one, or start earlier"
            failure = StoryFailure(path, text, story.origin.at(("starts",)))
            return StoryVerdict(story, (failure,))
    return StoryVerdict(story, tuple(_find_failures(story.spec, learner, catalog)))


def _find_failures(
    story: StoryFile, learner: StoryLearner, catalog: StoryCatalog
) -> Iterator[StoryFailure]:
    for day, path, item in list_events(story):
        at = noon_of_day(story, day)
        if isinstance(item, StoryStep):
            refusal = learner.do_step(item, at)
            verb = next(name for name in DOES if getattr(item, name) is not None)
            place = (*path, "refused" if item.refused else verb)
            if refusal and not item.refused:
                yield StoryFailure(place, f"on day {day}: {refusal.because}", refusal.origin)
            elif item.refused and not refusal:
                text = f"on day {day} the platform lets the learner do it"
                yield StoryFailure(place, text, _decide_permission(story, item, catalog))
            continue
        name = next(name for name in EXPECTS if getattr(item, name) is not None)
        course = catalog.require_course(item.course or story.course)
        if unlike := _find_unlike(learner, course, item, at):
            yield StoryFailure((*path, name), f"on day {day}: {unlike.because}", unlike.origin)


def _decide_permission(story: StoryFile, step: StoryStep, catalog: StoryCatalog) -> Origin:
    """What would have to refuse a step that nothing refuses."""
    if step.gets and (license_ := catalog.find_license(step.gets)):
        return license_.origin
    course = catalog.require_course(step.enrolls or step.buys or step.course or story.course)
    name = step.views or step.passes or step.fails or step.completes or step.attends
    return next(list_deciding_fields(course, course.choose_pages(name) if name else ()))


def _find_unlike(
    learner: StoryLearner, course: StoryCourse, item: Expectation, at: datetime
) -> StepRefusal | None:
    """What is not as expected; nothing where it is."""
    if item.done is not None:
        return _find_unlike_end(learner, course, done=item.done)
    if item.charged is not None:
        origin = learner.charged_by or course.locate_field("priceInCents")
        unlike = StepRefusal(f"the learner has paid {learner.charged}", origin)
        return None if learner.charged == item.charged else unlike
    pages = course.choose_pages(item.open or item.closed or "")
    # Of pages that are to be open the first refusal is enough, so the others are not asked for.
    refusals = (learner.find_refusal(course, page, at) for page in pages)
    if item.open is not None:
        return next(filter(None, refusals), None)
    opened = [page for page, refusal in zip(pages, refusals, strict=True) if not refusal]
    if not opened:
        return None
    text = f"the learner can open `{opened[0].path}`"
    return StepRefusal(text, next(list_deciding_fields(course, opened)))


def _find_unlike_end(
    learner: StoryLearner, course: StoryCourse, *, done: bool
) -> StepRefusal | None:
    done_at = learner.done.get(course.key)
    if bool(done_at) == done:
        return None
    if done_at:
        origin = course.criteria[-1].origin if course.criteria else course.resource.origin
        return StepRefusal(f"`{course.key}` is completed since {done_at.date()}", origin)
    lacks = learner.find_unmet(course)
    return StepRefusal(f"`{course.key}` is not completed: {lacks.because}", lacks.origin)


Resources = Mapping[Address, Resource]
_COURSE, _LICENSE, _CRITERION = "course", "license", "criterion"


class PlanReplay:
    """The resources before and after a plan, and the learners who have met them."""

    def __init__(
        self,
        before: Resources,
        after: Resources,
        index: LearnerIndex,
        ids_of: Callable[[Address], Ids | None],
    ) -> None:
        """Both have every resource that changes, and every rule of its course."""
        self._before, self._after, self._index, self._ids_of = before, after, index, ids_of
        self._told = ToldActions.list_told(index)
        self._finishers: dict[str, frozenset[int]] = {}

    def replay_changes(
        self, changed: Iterable[Address], at: datetime
    ) -> Iterator[tuple[Address, ReplayedOutcome]]:
        """What the changes of some addresses do to learners, told of the first of each course."""
        courses: dict[Address, Address] = {}
        # Of a rule it is told at the rule, and else at the course itself.
        for address in sorted(changed, key=lambda one: (one.kind == _COURSE, one)):
            if address.kind == _LICENSE and address in self._before and address in self._after:
                yield address, self._replay_license(address, at)
            elif course := find_course_of(address, self._after, self._before):
                courses.setdefault(course, address)
        for course, address in courses.items():
            if course in self._before and course in self._after:
                yield address, self._replay_course(course, at)

    def _replay_course(self, address: Address, at: datetime) -> ReplayedOutcome:
        ids = self._ids_of(address)
        before, after = (
            StoryCourse(known[address], [*_list_rules(address, known)], [])
            for known in (self._before, self._after)
        )
        if ids is None:
            return ReplayedOutcome()
        topics = {id_.lower(): path for path, id_ in ids.parts.items()}
        learners = [*self._index.list_course_learners(ids.own.get(_COURSE, ""))]
        shut = count_locked_out(before, after, learners, at, self._has_finished)
        finished = sum(one.has_finished for one in learners)
        old, new = ({page.path for page in course.pages} for course in (before, after))
        # Where pages are gone and others are new, they may be the same by other names.
        if old - new and new - old:
            return shut._replace(finished=finished, unclear=finished)
        done = replay_completions(before, after, learners, topics, self._told)
        return shut._replace(finished=finished, undone=done.undone, unclear=done.unclear)

    def _has_finished(self, learner: CourseLearner, course: Address | str) -> bool | None:
        ids = self._ids_of(course) if isinstance(course, Address) else None
        if ids is None and course in self._after:
            return False  # the plan makes it: nobody can have finished it
        own = ids.own.get(_COURSE, "") if ids else str(course)
        if own not in self._finishers:
            self._finishers[own] = self._index.list_finishers(own)
        if learner.number in self._finishers[own]:
            return True
        # A uuid may be that of a learning path, or of a course by another id than events use.
        return False if ids and self._index.pulled_since is None else None

    def _replay_license(self, address: Address, at: datetime) -> ReplayedOutcome:
        ids = self._ids_of(address)
        if ids is None or not ids.own:
            return ReplayedOutcome()
        learners = self._index.list_license_learners(next(iter(ids.own.values())))
        return count_expired(self._before[address], self._after[address], learners, at)

    def spell_basis(self) -> str:
        """What learners are counted from: until when, since when, and how many people."""
        index = self._index
        since = f" since {index.pulled_since:%Y-%m-%d}" if index.pulled_since else ""
        people = index.count_people()
        of = "1 person" if people == 1 else f"{people:,} people"
        return f"by the events of {of}{since} until {index.as_of:%Y-%m-%d %H:%M} UTC"


def find_course_of(address: Address, *resources: Resources) -> Address | None:
    """The course that a change may decide about who completes it, or who may open it."""
    if address.kind == _COURSE:
        return address
    known = next((one[address] for one in resources if address in one), None)
    if address.kind != _CRITERION or known is None:
        return None
    name = str(known.facts.get(_COURSE, ""))
    return Address.parse(name) if name.startswith(f"{_COURSE}.") else None


def _list_rules(course: Address, resources: Resources) -> Iterator[Resource]:
    for address, one in resources.items():
        if address.kind == _CRITERION and one.facts.get(_COURSE) == str(course):
            yield one
