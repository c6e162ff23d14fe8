"""Judges a plan by all guards and policies, and refuses what they stop until it is allowed.

A guard looks only at what the plan would do itself: steps for people and what is blocked already
need no guard. Something blocked by `protect` or by a likeness is listed as well, so that all that
waits for `--allow` is in one list; such a change is left out, and the rest can be applied.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...catalog.manifests.quiet_times import find_quiet_times
from ...errors import Forbidden
from ...kind import Effect
from ...kinds import KINDS
from ...problems import Severity
from ...resource import Address
from .blockers import PROTECT, REPLACE
from .budget import plan_budget
from .change_effects import GRAVE, asks_people_again, fields_of_change, form_after_calls
from .plan import Action, Plan, PlannedChange
from .release_plans import guard_release
from .verdict import GuardContext, GuardVerdict

if TYPE_CHECKING:
    from ...catalog.manifests.policies import Policy


MANY_CHANGES, PUBLISHED, PERMANENT_LOSS = "manyChanges", "published", "permanentLoss"
PROTECTED, LEARNERS, QUIET_HOURS = "protected", "learners", "quietHours"
PROMOTION = "promotion"
_FELT = GRAVE | {Effect.STRUCTURAL}
"""Effects that whoever is enrolled notices at once."""
_COUNT = "`lmssync events pull` finds out"
_NAMES = 5
"""The most addresses that a message names."""


def _called_changes(plan: Plan) -> Iterator[PlannedChange]:
    called = {part.address for part in plan.parts}
    return (one for one in plan.changes if one.address in called)


def _verdicts_of(
    guard: str, grade: str, plan: Plan, changes: Sequence[PlannedChange], words: str
) -> Iterator[GuardVerdict]:
    """Yields a verdict for what waits, and one for what `--allow` names already."""
    if grade == "off":
        return
    for allowed in (False, True):
        meant = [one for one in changes if (one.address in plan.allowed) is allowed]
        if meant:
            yield GuardVerdict(
                guard,
                Severity(grade),
                [one.address for one in meant],
                words.format(_name_changes(meant, plan)),
                " ".join(f"--allow {one.address}" for one in meant),
                allowed,
            )


def _name_changes(changes: Sequence[PlannedChange], plan: Plan) -> str:
    """`“Fire safety” (course.fire-safety, path.fire-safety.shop) and 3 more`."""
    titles = plan.known_titles
    shown: dict[Address, list[str]] = {}
    for one in changes[:_NAMES]:
        shown.setdefault(one.whole, []).append(str(one.address))
    named = (
        f"“{titles[whole]}” ({', '.join(addresses)})" if whole in titles else ", ".join(addresses)
        for whole, addresses in shown.items()
    )
    more = f" and {len(changes) - _NAMES:,} more" if len(changes) > _NAMES else ""
    return ", ".join(named) + more


def permanent_loss(plan: Plan, by: GuardContext) -> Iterator[GuardVerdict]:
    """Yields a verdict for each resource, since each message says what would be lost."""
    for one in _called_changes(plan):
        if one.losses:
            # They quote titles of authors, and `_verdicts_of` formats the whole text.
            losses = "; ".join(one.losses).replace("{", "{{").replace("}", "}}")
            words = f"{{}} takes something away for good: {losses}"
            yield from _verdicts_of(PERMANENT_LOSS, by.guards.permanentLoss, plan, [one], words)


def guard_published(plan: Plan, by: GuardContext) -> Iterator[GuardVerdict]:
    grave = [one for one in _called_changes(plan) if one.effect in GRAVE and _in_use(one, plan, by)]
    approved = {one.address for one in by.approvals.approved}
    # What `--allow` names is listed as allowed even where it is approved as well.
    waiting = [one for one in grave if one.address in plan.allowed or one.address not in approved]
    for named in (False, True):
        some = [one for one in waiting if (one.address in plan.allowed) is named]
        matters = " and ".join(dict.fromkeys(_name_matter(one, plan) for one in some))
        text = f"this changes {matters} of {_name_used(some)}: {{}}"
        text += _name_repeated(some, by)
        for verdict in _verdicts_of(PUBLISHED, by.guards.published, plan, some, text):
            yield verdict if named else _add_refusals(verdict, by.approvals.refused)
    if by.guards.published != "off":
        yield from _approved_verdicts(Severity(by.guards.published), grave, plan, by)


def _name_repeated(changes: Sequence[PlannedChange], by: GuardContext) -> str:
    """Why something is stopped although an earlier run has sent it."""
    # What it belongs to may have been new then, and have learners now.
    dropped = by.dropped() if changes else frozenset()
    again = [one for one in changes if one.address in dropped and by.form(one.address) is None]
    if not again:
        return ""
    names = ", ".join(str(one.address) for one in again[:_NAMES])
    more = f" and {len(again) - _NAMES:,} more" if len(again) > _NAMES else ""
    return f"; an earlier run has sent {names}{more} without effect, and people may have come since"


def _name_matter(planned: PlannedChange, plan: Plan) -> str:
    """What people notice of a change: `the price`."""
    if planned.effect is Effect.COMMERCE:
        if KINDS[planned.address.kind].calls.removal(form_after_calls(plan, planned.address)).whole:
            return "a purchase path"
        is_price = any(one.path == "priceInCents" for one in planned.fields)
        return "the price" if is_price else "the terms of sale"
    return "the access" if planned.effect is Effect.ACCESS else "a completion rule"


def _name_used(changes: Sequence[PlannedChange]) -> str:
    """`a published course with 45 learners`."""
    wholes = {one.whole for one in changes}
    kinds = {KINDS[one.kind].noun: KINDS[one.kind] for one in wholes}
    (noun, kind), *others = kinds.items() or [("", None)]
    what = f"a {noun} that people use" if len(wholes) == 1 else "what people use"
    if kind and not others and "status" in kind.spec.model_fields:  # else nobody could use it
        what = f"{'a' if len(wholes) == 1 else format(len(wholes), ',')} published "
        what += noun if len(wholes) == 1 else kind.nouns
    met = {one.whole: one.consequence and one.consequence.audience for one in changes}
    learners = sum(audience.enrolled for audience in met.values() if audience)
    people = "1 learner" if learners == 1 else f"{learners:,} learners"
    return f"{what} with {people}" if learners else what


def _approved_verdicts(
    severity: Severity, grave: Sequence[PlannedChange], plan: Plan, by: GuardContext
) -> Iterator[GuardVerdict]:
    """Yields a verdict for each group of changes that one set of approvals releases."""
    reasons = {one.address: one.reason for one in by.approvals.approved}
    released: dict[str, list[PlannedChange]] = {}
    for one in grave:
        if one.address in reasons and one.address not in plan.allowed:
            released.setdefault(reasons[one.address], []).append(one)
    for reason, changes in released.items():
        text = f"{_name_changes(changes, plan)}: {reason}"
        yield GuardVerdict(PUBLISHED, severity, [o.address for o in changes], text, permitted=True)


def _add_refusals(verdict: GuardVerdict, refused: Mapping[Address, str]) -> GuardVerdict:
    """The verdict with why no approval releases it, where a catalog uses approvals."""
    reasons = list(dict.fromkeys(refused[a] for a in verdict.addresses if a in refused))
    if not reasons:
        return verdict
    more = f" and {len(reasons) - _NAMES:,} more reasons" if len(reasons) > _NAMES else ""
    why = "; ".join(reasons[:_NAMES])
    return verdict._replace(message=f"{verdict.message}; no approval releases it: {why}{more}")


def _in_use(planned: PlannedChange, plan: Plan, by: GuardContext) -> bool:
    """True if people learn in it or have it, or what it is a part of, before the change."""
    address = planned.address
    known = by.form(planned.was or address)
    whole = KINDS[address.kind].calls.removal(known or form_after_calls(plan, address)).whole
    if known is None and address in by.begun():
        return False  # an interrupted run has only just created the whole, and was to add this
    if known and asks_people_again(planned, known, form_after_calls(plan, address)):
        return False
    forms = [(address, known), *([(whole, by.form(whole))] if whole else [])]
    return any(
        form is not None and KINDS[one.kind].impact.open_to_learners(form) for one, form in forms
    )


def many_changes(plan: Plan, by: GuardContext) -> Iterator[GuardVerdict]:
    limit = by.guards.manyChanges
    number = sum(_is_changed(one) for one in plan.changes)
    # In a small catalog a single change is a large share.
    if limit.severity == "off" or by.recorded < limit.least:
        return
    share = 100 * number / by.recorded
    if share > limit.mostPercent:
        text = (
            f"{number:,} of {by.recorded:,} resources change or leave the catalog, which is "
            f"{share:.0f} %; the limit is {limit.mostPercent} %"
        )
        yield _of_plan(MANY_CHANGES, limit.severity, text, by)


def _is_changed(planned: PlannedChange) -> bool:
    """True for what is changed or forgotten; what is new takes nothing from what is there."""
    if planned.action is Action.MOVE:
        return bool(planned.fields)
    return planned.action in {Action.UPDATE, Action.FORGET}


def guard_learners(plan: Plan, by: GuardContext) -> Iterator[GuardVerdict]:
    """Learners are counted once for each course, however many of its parts change."""
    limit = by.guards.learners
    if limit is None or limit.severity == "off":
        return
    inside: dict[str, int] = {}
    unknown = False
    for one in _called_changes(plan):
        meant = one.consequence
        if one.effect not in _FELT or not meant:
            continue
        audience, whose = meant.audience, str(meant.version_of or one.address)
        unknown = unknown or audience is None
        # The same learners are in each part of a course: they are not added up.
        inside[whose] = max(inside.get(whose, 0), audience.enrolled if audience else 0)
    number = sum(inside.values())
    if number > limit.most:
        text = f"it touches {number:,} learners (the limit is {limit.most:,})"
        yield _of_plan(LEARNERS, limit.severity, text, by)
    elif unknown:
        text = f"how many learners it touches is not known: {_COUNT}"
        yield _of_plan(LEARNERS, Severity.WARNING, text, by)._replace(allow="")


def quiet_hours(plan: Plan, by: GuardContext) -> Iterator[GuardVerdict]:
    """A plan warns of the quiet hours in advance, and an apply outside of them is refused."""
    wanted = by.guards.quietHours
    if wanted is None or wanted.severity == "off":
        return
    if not any(one.effect in _FELT and _in_use(one, plan, by) for one in _called_changes(plan)):
        return
    times = find_quiet_times(wanted, by.hours)
    if times is None:
        text = f"when learners are quiet is not known: {_COUNT}"
        yield _of_plan(QUIET_HOURS, Severity.WARNING, text, by)._replace(allow="")
    elif by.now is None or not times.contains(by.now):
        text = f"learners feel it at once: apply it in their quiet hours, {times}"
        # Without a moment this is a plan: it says so early, and only an apply is too early.
        grade = wanted.severity if by.now else Severity.WARNING
        yield _of_plan(QUIET_HOURS, grade, text, by)


def guard_protected(plan: Plan, by: GuardContext) -> Iterator[GuardVerdict]:
    if by.protected and by.now and not by.saved and plan.does_anything:
        name = f"environment.{by.environment}"
        text = f"{by.environment} is protected: only a saved plan is applied there"
        yield _of_plan(PROTECTED, Severity.ERROR, text, by, name)


def guard_promotion(plan: Plan, by: GuardContext) -> Iterator[GuardVerdict]:
    early = [one for one in plan.changes if by.untested.get(one.address) == 0]
    words = f"apply it to {by.promotes} first, which is not yet as git wants it: {{}}"
    yield from _verdicts_of(PROMOTION, "error", plan, early, words)
    for one in plan.changes:
        if number := by.untested.get(one.address):
            people = "1 person" if number == 1 else f"{number:,} people"
            words = (
                f"{by.promotes} has {{}} without {people} of its list: either it was not applied "
                "there since they were added, or the platform does not know them there"
            )
            yield from _verdicts_of(PROMOTION, "error", plan, [one], words)


def _of_plan(
    guard: str, severity: str, text: str, by: GuardContext, name: str = ""
) -> GuardVerdict:
    name = name or guard
    grade = Severity(severity)
    return GuardVerdict(guard, grade, (), text, f"--allow {name}", name in by.lifted)


def guard_held(plan: Plan) -> Iterator[GuardVerdict]:
    """The changes that are blocked already, and would not be if `--allow` named them."""
    for one in plan.with_action(Action.BLOCKED):
        if one.guard:
            allow = f"--allow {one.address}"
            why = f"{one.address}: {one.reasons[-1]}"
            yield GuardVerdict(one.guard, Severity.ERROR, [one.address], why, allow)


_SHOWN = 3
"""The most violations that a message tells."""


def judge_by_policies(
    plan: Plan, policies: "Sequence[Policy]", *, environment: str, protected: bool
) -> Iterator[GuardVerdict]:
    """The findings of policies over plans: one verdict for each policy, which no option lifts."""
    if not policies:
        return  # what they are asked of opens every new form
    from ...catalog.manifests.policies import PLAN

    changes = [one for one in plan.changes if one.action is not Action.UNCHANGED]
    document = {
        "environment": environment,
        "protected": protected,
        "changes": [_change_document(plan, one) for one in changes],
        "calls": plan_budget(plan).total,
    }
    for policy in policies:
        found: dict[Address | None, str] = {}
        for finding in policy.judge_document(PLAN, document):
            at = finding.path[1:2]
            address = changes[int(at[0])].address if at else None
            found.setdefault(address, finding.message.removeprefix(f"{policy.rule.means}: "))
        if found:
            yield _verdict_of(policy, found)


def _verdict_of(policy: "Policy", found: dict[Address | None, str]) -> GuardVerdict:
    texts = [f"{address}: {text}" if address else text for address, text in found.items()]
    more = f" and {len(texts) - _SHOWN:,} more" if len(texts) > _SHOWN else ""
    hint = f" ({policy.rule.remedy})" if policy.rule.remedy else ""
    text = f"{policy.rule.means}: {'; '.join(texts[:_SHOWN])}{more}{hint}"
    named = [address for address in found if address]
    return GuardVerdict(policy.rule.id, Severity(policy.rule.severity), named, text)


def _change_document(plan: Plan, planned: PlannedChange) -> dict[str, Any]:
    """A change as policies see it; what is unknown is left out, as a field of a manifest is."""
    meant = planned.consequence
    audience = meant.audience if meant else None
    known: dict[str, Any] = {
        "address": str(planned.address),
        "resource": KINDS[planned.address.kind].resource,
        "title": planned.title,
        "action": planned.action,
        "effect": planned.effect,
        "fields": [field.path for field in fields_of_change(plan, planned)],
        "byHand": len(planned.manual),
        "losses": list(planned.losses),
        "allowed": planned.address in plan.allowed,
    }
    if meant:
        known |= {"undo": meant.undo} | ({"version": meant.version} if meant.version else {})
    if audience:
        known["learners"] = {
            "enrolled": audience.enrolled,
            "inProgress": audience.in_progress,
            "finished": audience.finished,
        }
    return known


OF_PLAN = frozenset({MANY_CHANGES, LEARNERS, QUIET_HOURS})
"""Guards over a plan as a whole: `--allow` takes their names."""
AT_APPLY = frozenset({PROTECTED, QUIET_HOURS})
"""Guards that ask how and when a plan is applied: they cannot stop a plan from being made."""
HELD = frozenset({PROTECT, REPLACE})
"""Guards for which a single change is left out of the plan."""
_GUARDS = (
    permanent_loss,
    guard_published,
    many_changes,
    guard_learners,
    quiet_hours,
    guard_protected,
    guard_promotion,
    guard_release,
)


def judge_plan(plan: Plan, by: GuardContext) -> list[GuardVerdict]:
    """The verdicts of all guards, the gravest first."""
    verdicts = [
        *(verdict for guard in _GUARDS for verdict in guard(plan, by)),
        *guard_held(plan),
        *judge_by_policies(plan, by.policies, environment=by.environment, protected=by.protected),
    ]
    return sorted(verdicts, key=lambda one: (one.permitted, one.severity is not Severity.ERROR))


def stopping_verdicts(verdicts: Iterable[GuardVerdict]) -> list[GuardVerdict]:
    """The verdicts for which nothing of the plan is applied."""
    errors = (one for one in verdicts if one.severity is Severity.ERROR and not one.permitted)
    return [one for one in errors if one.guard not in HELD]


def refuse_forbidden(verdicts: Sequence[GuardVerdict], *, saved: bool = False) -> None:
    """Raises `Forbidden` if guards or policies stop the plan, with the options that allow it.

    A `saved` plan says itself what is allowed, but for the hours in which it is applied.
    """
    stops = stopping_verdicts(verdicts)
    if not stops:
        return
    why = "; ".join(f"{one.message} [{one.guard}]" for one in stops)
    options = " ".join(dict.fromkeys(one.allow for one in stops if one.allow))
    # An option that helps only with some of them would be tried in vain.
    final = [one.guard for one in stops if not one.allow]
    again = saved and any(one.guard != QUIET_HOURS for one in stops)
    raise Forbidden(
        f"nothing was sent: {why}",
        f"no option lifts {' and '.join(final)}: change the catalog, or do what the policy says"
        if final
        else f"if that is meant, {'plan again' if again else 'plan or apply'} with {options}",
    )
