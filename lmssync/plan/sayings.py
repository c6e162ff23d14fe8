"""What a change means for people, in sentences."""

from collections.abc import Iterator, Sequence

from ..diff import Difference
from ..events import Audience
from ..kind import Effect, Subject, SubjectKind
from ..kinds import KINDS
from .audience import WEEK, Learners
from .undo import ChangeForms


def sayings(
    learners: Learners,
    forms: ChangeForms,
    effect: Effect,
    subjects: Sequence[Subject],
    audience: Audience | None,
) -> Iterator[str]:
    """Whom it touches and what that comes to; nothing where that is not known."""
    if audience is None or not learners.met(subjects):
        return
    impact = KINDS[forms.change.address.kind].impact
    follows = "" if forms.change.difference is Difference.GONE else impact.follows.get(effect, "")
    yield _inside(audience, subjects[0], learners.past(subjects), follows)
    if effect is Effect.COMMERCE and (buyers := learners.buyers(subjects)):
        yield f"{_counted(buyers, 'has', 'have')} bought it in the last {WEEK} days"
    places = impact.seats(forms.after)
    if places and places != impact.seats(forms.before) and audience.enrolled > places:
        yield f"they are more than its limit of {places:,}"


def _inside(audience: Audience, where: Subject, past: Sequence[int], follows: str) -> str:
    """`38 learners are inside, 12 past this topic; their completion is recomputed`"""
    by_license = where.kind is SubjectKind.LICENSE
    if not audience.enrolled:
        done = f", {audience.finished:,} have completed" if audience.finished else ""
        return f"nobody learns by it{done}" if by_license else f"nobody is inside{done}"
    words = ("learns by it", "learn by it") if by_license else ("is inside", "are inside")
    most = max(past, default=0)
    topic = "this topic" if len(past) == 1 else "one of these topics"
    beyond = f", {'up to ' * (len(past) > 1)}{most:,} past {topic}" * bool(most)
    return _counted(audience.enrolled, *words) + beyond + f"; {follows}" * bool(follows)


def _counted(number: int, one: str, many: str) -> str:
    return f"1 learner {one}" if number == 1 else f"{number:,} learners {many}"
