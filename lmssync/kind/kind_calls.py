"""How a resource is made and changed, by calls or by hand, and how that affects people."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple

from ..resource import Address, Form
from ..vocabulary.routes import CORE_ROUTES
from .authoring import Json, declare_nothing
from .call_part import CallPart


class Undo(StrEnum):
    """How a change can be undone, the worst first."""

    PERMANENT = "permanent"
    """By nobody: what it takes is gone."""
    BY_HAND = "by hand"
    """By a person, on the platform: no route does it."""
    REVERSIBLE = "reversible"
    """By another apply."""


class Reversal(NamedTuple):
    """How something is undone, in one sentence for the person who wants that."""

    undo: Undo
    recipe: str
    """Empty for what is permanent."""


DELETED_BY_HAND = Reversal(
    Undo.BY_HAND, "a person deletes it in the admin interface: no route deletes it"
)


class SubjectKind(StrEnum):
    """What learners are counted by."""

    COURSE = "course"
    TOPIC = "topic"
    LICENSE = "license"


class Subject(NamedTuple):
    """A course, a topic or a license that people have to do with."""

    kind: SubjectKind
    node: Any
    """Its uuid, or the `$ref` node that becomes the uuid."""

    @property
    def address(self) -> Address | None:
        """The resource that it is, or is a part of; None for what is not managed here."""
        return Address.parse(self.node["$ref"]) if isinstance(self.node, dict) else None


class Effect(StrEnum):
    """How a change of a field affects the people behind it, mildest first."""

    COSMETIC = "cosmetic"
    EDITORIAL = "editorial"
    STRUCTURAL = "structural"
    PROGRESS = "progress"
    ACCESS = "access"
    COMMERCE = "commerce"

    @classmethod
    def strictest_effect(cls, effects: Iterable["Effect"]) -> "Effect":
        return max(effects, key=_MILDEST_FIRST.index, default=cls.COSMETIC)


_MILDEST_FIRST = list(Effect)


class PermanentLoss(NamedTuple):
    """Something that a resource takes away for good, and what that means for people."""

    reason: str
    effect: Effect
    later: bool = False
    """Nobody loses anything yet: later changes would take it away."""


class ManualStep(NamedTuple):
    """Something that no route can do, worded for the person who will do it."""

    field: str
    text: str


REMOVAL = "removal"
"""The field of a step for what has left the catalog and only a person can delete."""


class Removal(NamedTuple):
    """What stays in force after something has left the catalog, since the platform keeps it."""

    effect: Effect
    stays: str
    """What it goes on doing to people, as half a sentence: `learners still have to meet it`."""
    manual: Sequence[ManualStep] = ()
    """What a person has to do about it: it stays in every plan until they say that it is done."""
    whole: Address | None = None
    """What it is a part of: nobody is asked about a part if the whole has left as well."""


class UpdatePlan(NamedTuple):
    """How a change is made: calls for the platform, steps for a person."""

    calls: Sequence[CallPart] = ()
    """Calls are sent one after the other, with a read-back between them."""
    manual: Sequence[ManualStep] = ()
    reasons: Sequence[str] = ()
    """What a reviewer should know about it, besides the fields."""
    effect: Effect | None = None
    """How it affects people, if the fields alone do not say so."""
    undecided: str = ""
    """What the author must decide first; until then nothing is done."""
    clears: Set[str] = frozenset()
    """Fields that left the manifest and that the platform clears with this change."""
    losses: Sequence[str] = ()
    """Those of the reasons that say what this change takes away for good."""

    @property
    def permanent(self) -> bool:
        """Whether it takes something from people that nobody can bring back, besides the kind's
        losses."""
        return bool(self.losses)


class ApplyResult(NamedTuple):
    """What a call has achieved, according to its answer."""

    form: Form
    """The form of the resource after the call."""
    left: str = ""
    """What was meant but not done, and why."""
    note: str = ""
    """Anything else worth mentioning."""


class FormChange(NamedTuple):
    """What a kind is given when one of its resources differs."""

    address: Address
    before: Form
    after: Form
    routes: Set[str] = CORE_ROUTES
    """The routes that the instance has: an update uses no others."""
    allowed: bool = False
    """Somebody has named it with `--allow`."""
    others: Collection[str] = ()
    """Fields that its manifest leaves to others (`lifecycle.ignore`): their values are those of the
    last apply, and may be others by now."""


def as_meant(_before: Form, after: Form, _answer: Json) -> ApplyResult:
    """The default of `result`: everything that was sent has been done."""
    return ApplyResult(after)


class Calls(NamedTuple):
    """Which calls make and change a resource, and how their answers are read."""

    create: Callable[[Address, Form, str | None], CallPart]
    """Address, form and marker to the call that makes it. A call without entries means that there
    is nothing to make yet; after a call that makes only part of it, `update` does the rest."""
    update: Callable[[FormChange], UpdatePlan]
    removal: Callable[[Form], Removal]
    """What happens when one leaves the catalog."""
    by_hand: Mapping[str, str] = MappingProxyType({})
    """Fields that no route changes, and what a person does instead, as `worded` takes it; named as
    in `effects`, and as `field.inner` in a mapping. Under `*` what a person does about a part that
    leaves its list."""
    further: Mapping[str, str] = MappingProxyType({})
    """Of the fields in `by_hand`, those that a call may change where the instance has this route.
    The specification does not show it, so what it has done is read back."""
    along: frozenset[str] = frozenset()
    """Fields that every update sends, whether they have changed or not."""
    unsent: Mapping[str, str] = MappingProxyType({})
    """Fields for which a change sends nothing, named in the same way: `never` if they are never
    sent, `nothing` if they matter only together with another change."""
    after_create: Sequence[ManualStep] = ()
    """What is left for a person to do once one has been made: it stays in every plan until they
    say that it is done."""
    deferrable: frozenset[str] = frozenset()
    """Fields that may be set by an update after creation."""
    marker_setting: str = ""
    """The setting under `platform:` that names the field which carries the mark, a fact."""
    marker_unique: bool = False
    """The platform refuses a mark that something else has (O18), so a create shows whether it was
    made before."""
    unbatched: bool = False
    """It never shares a call, because something beside the entries applies to all of them."""
    created: Callable[[Json], Sequence[str]] = declare_nothing
    """Ids in the answer of a create, one per entry, in no promised order."""
    readback: bool = False
    """The answer of a create does not say which id belongs to which entry: only a read does."""
    failures: Callable[[Json, Sequence[Json]], Mapping[int, str]] | None = None
    """Entries that the platform refused inside a successful answer, by position."""
    result: Callable[[Form, Form, Json], ApplyResult] = as_meant
    """Form before (empty for what is new), form after and answer to what the call came to."""
    jobs: Callable[[Json], Sequence[str]] = declare_nothing
    """Ids, in the answer of a call, of the jobs that do the work: nothing is done before they end,
    and nothing was done where one fails."""
    job_fields: frozenset[str] = frozenset()
    """Fields of a body for which a call leaves a job behind (O6, O15): an apply follows it."""

    def works_in_jobs(self, route: str) -> bool:
        """Whether jobs do the work of a call; those of further routes answer when it is done."""
        return self.jobs is not declare_nothing and route not in self.further.values()


class Impact(NamedTuple):
    """What the changes of a kind do to people."""

    effects: Mapping[str, Effect]
    """By top-level field, and `*.field` inside parts; what is not named is editorial."""
    creation: Effect = Effect.STRUCTURAL
    touches: Callable[[Address, Form, Form], Iterable[Subject]] = declare_nothing
    """Address, form before (empty for what is new) and after (empty for what is gone) to those whom
    a change concerns: the course first, if it belongs to one."""
    follows: Mapping[Effect, str] = MappingProxyType({})
    """What a change means to learners who are enrolled, by its effect, as half a sentence about
    them: `their completion is recomputed`."""
    seats: Callable[[Form], int | None] = lambda _form: None
    """How many people may be in it or hold it; none or 0 is as many as like."""
    held: bool = False
    """People hold one: those whom `holders` of another kind name, as far as lists go."""
    holders: Callable[[Form], Iterable[tuple[str, Json]]] = declare_nothing
    """Who has which license by it: a person, as an identifier or a code, and the license's node."""
    unmaking: Reversal = DELETED_BY_HAND
    """How one that was made is undone."""
    remains: Mapping[Effect, str] = MappingProxyType({})
    """What stays with people after a change was undone, by its effect, as half a sentence."""
    losses: Callable[[Form, Form], Iterable[PermanentLoss]] = declare_nothing
    """Form before (empty for what is new) and after to what that takes away and can never be
    brought back."""
    open_to_learners: Callable[[Form], bool] = lambda _form: False
    """Whether people may be learning in it, or hold it: what is made anew would take their
    progress, and a change reaches them at once."""
    opens_at: Callable[[Form], str | None] = lambda _form: None
    """The moment at which it opens to learners, if it is not open before that."""
    for_customers: bool = False
    """Its changes concern those who buy and hand out, not those who learn."""

    def of(self, path: str) -> Effect:
        """The effect of a change at a path: by the field inside a part where the path leads to one,
        else by the field at the top."""
        leaf = path.rpartition("].")[2] if "]." in path else ""
        top = path.partition("[")[0].partition(".")[0]
        return self.effects.get(f"*.{leaf}") or self.effects.get(top, Effect.EDITORIAL)


def by_hand(steps: Mapping[str, str]) -> Callable[[FormChange], UpdatePlan]:
    """The `update` of a kind that no route changes: each field that differs is such a step."""

    def update(change: FormChange) -> UpdatePlan:
        before, after = change.before, change.after
        changed = [name for name in steps if name in after and before.get(name) != after[name]]
        texts = (word_change(steps[name], before.get(name), after[name]) for name in changed)
        return UpdatePlan(manual=list(map(ManualStep, changed, texts)))

    return update


def word_change(text: str, old: Json, new: Json) -> str:
    """A text with `{old}`, `{new}` or `{change}` in it, which has both: ` from OLD to NEW`."""
    return text.format(old=_plain_value(old), new=_plain_value(new), change=_from_to(old, new))


def _from_to(old: Json, new: Json) -> str:
    gained, lost = _items_without(new, old), _items_without(old, new)
    if isinstance(old, list) and isinstance(new, list) and (gained or lost):
        ways = (("add", gained), ("take away", lost))
        return ": " + "; ".join(f"{way} {_quote_value(items)}" for way, items in ways if items)
    before = "" if old is None else f" from {_quote_value(old)}"
    return f"{before} to {_quote_value(new)}"


def _items_without(items: Json, others: Json) -> list[Json]:
    both = isinstance(items, list) and isinstance(others, list)
    return [item for item in items if item not in others] if both else []


def _quote_value(value: Json) -> str:
    if isinstance(value, list) and value:
        return ", ".join(map(_quote_value, value))
    return "nothing" if value in (None, [], {}) else f"`{_plain_value(value)}`"


def _plain_value(value: Json) -> str:
    """A value as a manifest would say it, on one line; a node by the address that it names."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        if "$ref" in value:
            return str(value["$ref"])
        return ", ".join(f"{name}: {_plain_value(held)}" for name, held in value.items())
    return ", ".join(map(_plain_value, value)) if isinstance(value, list) else str(value)
