"""What each change of a plan means for people: audience, words, undo, version.

An update is undone by the opposite update. So the kind is asked how it would make that one: what
it leaves to a person there, a person has to undo.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from ...kind import Effect, Reversal, Subject, SubjectKind, Undo, UpdatePlan
from ...kinds import KINDS
from ...learners.events import Audience
from ...resource import Address, Form
from ..diff import Change, Difference, FieldChange, Resolution
from .change_effects import effect_of_fields, has_field, set_form_value
from .plan import Action, Card, CardReader, Consequence, PlannedChange, Version
from .plan_context import WEEK, Learners, PlanState

FOREVER = Reversal(Undo.PERMANENT, "")
_BACK = "put the earlier values back into the manifest and apply"
_BACK_BY_HAND = "put the earlier values back into the manifest: an apply alone does not undo it"
_UNKNOWN = "write the earlier values, which are not recorded, and apply"
_LEFT = Reversal(Undo.REVERSIBLE, "put its manifest back: lmssync then manages it again")
_ENDED = Reversal(
    Undo.BY_HAND,
    "put the removed parts back into the catalog before somebody deletes them; afterwards, the "
    "next apply makes new ones, without what learners did there",
)


class ChangeForms(NamedTuple):
    """A change with its forms, which are unpacked once."""

    change: Change
    before: Form
    """Empty for what is new."""
    after: Form
    """Empty for what is gone."""
    described: UpdatePlan | None = None
    """How it is made, if it is an update and that is known."""


def undo_of(state: PlanState, forms: ChangeForms, effect: Effect, *, asked: bool) -> Reversal:
    """How a change can be undone; `asked` if it leaves steps to people."""
    change, before, after, described = forms
    kind = KINDS[change.address.kind]
    if change.difference is Difference.GONE:
        return _ENDED if asked else _LEFT
    # What somebody wrote on the platform and no read shows (O24) is lost with an overwrite.
    overwrites = any(one.noticed_at and one.decision is Resolution.GIT for one in change.drift)
    # What is lost later is lost by later changes: this one can still be undone.
    if overwrites or any(not loss.later for loss in kind.impact.losses(before, after)):
        return FOREVER
    remains = kind.impact.remains.get(effect, "")
    if change.recorded is None:
        return _with_remains(kind.impact.unmaking, remains)
    ahead = described or _reverse_update(state, change, before, after)
    if ahead.permanent:
        return FOREVER
    if not ahead.calls and not ahead.manual:
        return _undo_unsent(change)
    # The way back is planned like any update: the kind knows what can be unmade.
    back = _opposite_of(_reverse_update(state, change, after, before))
    # A person deletes a part, or clears a value; one who sets a text to another deletes nothing.
    ends = any(not isinstance(after.get(step.field), str) for step in ahead.manual)
    deleted = back.undo is Undo.REVERSIBLE and ends
    return _ENDED if deleted else _with_remains(back, remains)


def _reverse_update(state: PlanState, change: Change, before: Form, after: Form) -> UpdatePlan:
    others = change.desired.lifecycle.ignore if change.desired else ()
    update = KINDS[change.address.kind].calls.update
    return update(state.change(change.address, before, after, others))


def _opposite_of(back: UpdatePlan) -> Reversal:
    if back.manual:
        step, *others = back.manual
        more = f", and {len(others):,} more" if others else ""
        rest = _BACK if back.calls else _BACK_BY_HAND
        return Reversal(Undo.BY_HAND, f"{rest}; by hand: {step.text}{more}")
    if back.undecided:
        return Reversal(Undo.REVERSIBLE, f"{_BACK}: lmssync then asks what it needs to know")
    return Reversal(Undo.REVERSIBLE, _BACK if back.calls else _UNKNOWN)


def _undo_unsent(change: Change) -> Reversal:
    """How to undo what only the state records."""
    if change.was:
        text = f"call it {change.was.key} again, with `moved: [{{from: {change.address}}}]`"
        return Reversal(Undo.REVERSIBLE, text)
    return Reversal(Undo.REVERSIBLE, f"`lmssync state rm {change.address}` forgets it")


def _with_remains(reversal: Reversal, remains: str) -> Reversal:
    return reversal._replace(recipe=f"{reversal.recipe}; {remains}") if remains else reversal


def describe_audience(
    learners: Learners,
    forms: ChangeForms,
    effect: Effect,
    subjects: Sequence[Subject],
    *,
    by_hand: bool = False,
) -> Iterator[str]:
    """Says whom a change touches and what that means for them; nothing where nobody knows.

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
    """`new buyers buy on these terms; the 38 learners who are enrolled pay nothing more`"""
    if not audience.enrolled:
        return follows
    one = audience.enrolled == 1
    inside = "1 learner who is" if one else f"{audience.enrolled:,} learners who are"
    return f"{follows}; the {inside} enrolled {'pays' if one else 'pay'} nothing more"


def _describe_inside(audience: Audience, where: Subject, past: Sequence[int], follows: str) -> str:
    """`38 learners are enrolled, 12 past this topic; their completion is recomputed`"""
    by_license = where.kind is SubjectKind.LICENSE
    if not audience.enrolled:
        done = f", {audience.finished:,} have completed" if audience.finished else ""
        return f"nobody learns by it{done}" if by_license else f"nobody is enrolled{done}"
    words = ("learns by it", "learn by it") if by_license else ("is enrolled", "are enrolled")
    most = max(past, default=0)
    topic = "this topic" if len(past) == 1 else "one of these topics"
    up_to = "up to " if len(past) > 1 else ""
    beyond = f", {up_to}{most:,} past {topic}" if most else ""
    after = f"; {follows}" if follows else ""
    return f"{_count_people(audience.enrolled, *words)}{beyond}{after}"


def _count_people(number: int, one: str, many: str) -> str:
    return f"1 learner {one}" if number == 1 else f"{number:,} learners {many}"


_VERSIONS = {
    Effect.COSMETIC: Version.EDITORIAL,
    Effect.EDITORIAL: Version.EDITORIAL,
    Effect.STRUCTURAL: Version.ADDITIVE,
    Effect.PROGRESS: Version.BREAKING,
    Effect.ACCESS: Version.BREAKING,
    Effect.COMMERCE: Version.BREAKING,
}
_NOTHING_SENT = frozenset({Action.FORGET, Action.UNCHANGED})


def weigh_consequence(
    state: PlanState,
    change: Change,
    action: Action,
    effect: Effect,
    *,
    asked: bool,
    described: UpdatePlan | None = None,
    after: Form | None = None,
) -> Consequence | None:
    """What a change means; None for what changes nothing. `asked` if it leaves steps to people.

    `after` is its form, where that is unpacked already.
    """
    if action is Action.UNCHANGED:
        return None
    before = change.before if change.recorded else {}
    forms = ChangeForms(change, before, change.after if after is None else after, described)
    sent = action not in _NOTHING_SENT and (change.difference is not Difference.SAME or asked)
    whole = _weigh_share(state, forms, effect, asked=asked, sent=sent)
    shares = list(_split_by_reader(forms)) if described else []
    return _with_cards(state, whole, forms, shares) if shares else whole


def _weigh_share(
    state: PlanState, forms: ChangeForms, effect: Effect, *, asked: bool, sent: bool = True
) -> Consequence:
    """The consequence of a change, or of a share of it, as if nothing else changed."""
    described, subjects = forms.described, list(_find_subjects(forms))
    undo, recipe = undo_of(state, forms, effect, asked=asked)
    course = next((one for one in subjects if one.kind is SubjectKind.COURSE), None)
    version = _version(state, forms, effect, subjects, asked=asked) if course and sent else ""
    by_hand = asked and not (described and described.calls)
    says = tuple(describe_audience(state.learners, forms, effect, subjects, by_hand=by_hand))
    return Consequence(
        audience=state.learners.audience(subjects),
        says=share_values(says),
        undo=undo,
        recipe=recipe,
        version=version,
        version_of=_share_address(forms.change, course.address or course.node)
        if course and version
        else "",
    )


@lru_cache(maxsize=256)
def share_values(values: tuple[Any, ...]) -> Sequence[Any]:
    """One list for all changes that have equal values: a plan has up to a hundred thousand."""
    return [*values]


@lru_cache(maxsize=256)
def _share_value(value: Any) -> Any:
    return value


def share_restored(planned: PlannedChange) -> PlannedChange:
    """The change of a saved plan, with the values that it has in common with others."""
    meant = planned.consequence
    shared = meant and meant._replace(
        audience=_share_value(meant.audience),
        says=share_values(tuple(meant.says)),
        recipe=_share_value(meant.recipe),
        version=_share_value(meant.version),
        version_of=_share_address(planned, meant.version_of),
    )
    return planned._replace(
        reasons=share_values(tuple(planned.reasons)),
        fields=planned.fields or (),
        manual=share_values(tuple(planned.manual)),
        consequence=shared,
    )


def _share_address(one: Change | PlannedChange, of: Address | str) -> Address | str:
    """The address, or uuid, of a course: the object that a change of the course has already."""
    return one.address if of == one.address else of


def _find_subjects(forms: ChangeForms) -> Iterator[Subject]:
    change, before, after, _ = forms
    yield from KINDS[change.address.kind].impact.touches(change.address, before, after)


def _version(
    state: PlanState,
    forms: ChangeForms,
    effect: Effect,
    subjects: Sequence[Subject],
    *,
    asked: bool,
) -> Version:
    """The version that a change makes of its course, whether that is there or made with it."""
    if forms.change.difference is Difference.NEW:
        is_there = state.learners.may_have_met(
            one for one in subjects if one.kind is SubjectKind.COURSE
        )
        return Version.BREAKING if is_there and effect is Effect.PROGRESS else Version.ADDITIVE
    is_open = KINDS[forms.change.address.kind].impact.open_to_learners
    audience = state.learners.audience(subjects)
    opens = bool(forms.before) and is_open(forms.after) and not is_open(forms.before)
    if opens and not (audience and audience.enrolled):  # nobody is in it who could lose anything
        return Version.ADDITIVE
    # A structural change that leaves a step to a person takes something away.
    breaks = effect is Effect.STRUCTURAL and asked
    return Version.BREAKING if breaks else _VERSIONS[effect]


class _Share(NamedTuple):
    """The fields of a change that one reader learns of."""

    reader: CardReader
    effect: Effect
    forms: ChangeForms
    """As if only these fields changed."""
    paths: Sequence[str]


def _split_by_reader(forms: ChangeForms) -> Iterator[_Share]:
    """Splits an update into the shares of its readers; yields none if there is only one reader."""
    parted: dict[CardReader, list[FieldChange]] = defaultdict(list)
    for field in forms.change.fields:
        parted[_choose_reader(forms, field)].append(field)
    for reader in CardReader if len(parted) > 1 else ():
        if fields := parted.get(reader):
            yield _make_share(forms, reader, fields)


def _choose_reader(forms: ChangeForms, field: FieldChange) -> CardReader:
    change, before, _, described = forms
    assert described is not None
    reached = described.calls[-1].after if described.calls else before
    if described.manual and not has_field(reached, field):
        return CardReader.OPERATORS
    impact = KINDS[change.address.kind].impact
    sold = impact.for_customers or impact.of(field.path) is Effect.COMMERCE
    return CardReader.CUSTOMERS if sold else CardReader.LEARNERS


def _make_share(forms: ChangeForms, reader: CardReader, fields: Sequence[FieldChange]) -> _Share:
    kind, after = KINDS[forms.change.address.kind], forms.before
    for field in fields:
        after = set_form_value(after, field.path, field.after)
    losses = [loss.effect for loss in kind.impact.losses(forms.before, after)]
    effect = Effect.strictest_effect([effect_of_fields(kind, fields), *losses])
    part = forms._replace(after=after, described=None)
    return _Share(reader, effect, part, [field.path for field in fields])


def _with_cards(
    state: PlanState, whole: Consequence, forms: ChangeForms, shares: Sequence[_Share]
) -> Consequence:
    """The consequence of a whole change: all sentences of its cards, and the gravest undo."""
    cards = {
        one.reader: Card(
            one.paths,
            one.effect,
            _weigh_share(state, one.forms, one.effect, asked=one.reader is CardReader.OPERATORS),
        )
        for one in shares
    }
    worst_first = list(Undo)
    parts = sorted(
        (card.consequence for card in cards.values()), key=lambda one: worst_first.index(one.undo)
    )
    # Shares may name the same step: it is said once.
    ways = (way for one in parts for way in one.recipe.split("; ") if way)
    return whole._replace(
        says=list(_said_together(state, forms, shares, cards)),
        undo=parts[0].undo,
        recipe="; ".join(dict.fromkeys(ways)),
        version=Version.strictest_version(*(one.version for one in parts)) if whole.version else "",
        cards=cards,
    )


def _said_together(
    state: PlanState, forms: ChangeForms, shares: Sequence[_Share], cards: Mapping[CardReader, Card]
) -> Iterator[str]:
    """Says who is enrolled and what the whole change does to them; then who pays."""
    inside = next((one for one in shares if one.effect is not Effect.COMMERCE), None)
    if inside:
        subjects = list(_find_subjects(forms))
        by_hand = inside.reader is CardReader.OPERATORS
        yield from describe_audience(
            state.learners, forms, inside.effect, subjects, by_hand=by_hand
        )
    for one in shares:
        if one.effect is Effect.COMMERCE:
            yield from cards[one.reader].consequence.says
