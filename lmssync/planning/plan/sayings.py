"""What a change means for people, in sentences."""

from collections.abc import Iterator, Sequence

from ...kind import Effect, Subject, SubjectKind
from ...kinds import KINDS
from ...learners.events import Audience
from ..diff import Difference
from .audience import WEEK, Learners
from .undo import ChangeForms


def describe_audience(
    learners: Learners,
    forms: ChangeForms,
    effect: Effect,
    subjects: Sequence[Subject],
    *,
    by_hand: bool = False,
) -> Iterator[str]:
    """Whom it touches and what that comes to; nothing where that is not known.

    What people do `by_hand` does not follow at once.
    """
    audience = learners.audience(subjects)
    if audience is None or not learners.may_have_met(subjects):
        return
    impact = KINDS[forms.change.address.kind].impact
    gone, sells = forms.change.difference is Difference.GONE, effect is Effect.COMMERCE
    follows = "" if gone or (by_hand and not sells) else impact.follows.get(effect, "")
    if sells and follows:
        yield _describe_paying(audience, follows)
    elif not impact.for_customers:
        yield _describe_inside(audience, subjects[0], learners.count_past(subjects), follows)
    if effect is Effect.COMMERCE and (buyers := learners.count_buyers(subjects)):
        yield f"{_count_people(buyers, 'has', 'have')} bought it in the last {WEEK} days"
    places = impact.seats(forms.after)
    if places and places != impact.seats(forms.before) and audience.enrolled > places:
        yield f"they are more than its limit of {places:,}"


def _describe_paying(audience: Audience, follows: str) -> str:
    """`whoever buys from now on buys on these terms; the 38 learners who are inside pay nothing
    more`"""
    if not audience.enrolled:
        return follows
    one = audience.enrolled == 1
    inside = "1 learner who is" if one else f"{audience.enrolled:,} learners who are"
    return f"{follows}; the {inside} inside {'pays' if one else 'pay'} nothing more"


def _describe_inside(audience: Audience, where: Subject, past: Sequence[int], follows: str) -> str:
    """`38 learners are inside, 12 past this topic; their completion is recomputed`"""
    by_license = where.kind is SubjectKind.LICENSE
    if not audience.enrolled:
        done = f", {audience.finished:,} have completed" if audience.finished else ""
        return f"nobody learns by it{done}" if by_license else f"nobody is inside{done}"
    words = ("learns by it", "learn by it") if by_license else ("is inside", "are inside")
    most = max(past, default=0)
    topic = "this topic" if len(past) == 1 else "one of these topics"
    beyond = f", {'up to ' * (len(past) > 1)}{most:,} past {topic}" * bool(most)
    return _count_people(audience.enrolled, *words) + beyond + f"; {follows}" * bool(follows)


def _count_people(number: int, one: str, many: str) -> str:
    return f"1 learner {one}" if number == 1 else f"{number:,} learners {many}"
