"""graph: what refers to what in a catalog, and the order that follows from it.

It sees references and facts, and asks the kinds what they mean; it does not know the kinds itself.
"""

from bisect import bisect
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from ...kinds import HOLDERS, KINDS, LOOKUPS
from ...problems import Finding, Problem, Rule, suggest_near
from ...resource import Address, Reference, RefusedResource, Resource
from ...texts.values import KEY_MARK
from .creation_order import Resources, depth_levels as depth_levels, find_cycles
from .lifecycle_checks import check_ignored_fields, check_moves, identity_fields as identity_fields

FEW = 64
"""Up to this many names, all are compared."""
AROUND = 8
"""If there are more, this many on either side that begin or end alike are compared."""


class Guess:
    """Names, sorted by their beginnings and by their ends."""

    def __init__(self, known: Iterable[str]) -> None:
        self._forward = sorted(known)
        self._backward: Sequence[str] = ()
        self._said: dict[str, str] = {}

    def guess_near(self, word: str) -> str:
        """A question that suggests the likeliest words, or an empty text."""
        if word not in self._said:
            self._said[word] = suggest_near(word, self._likely_names(word))
        return self._said[word]

    def _likely_names(self, word: str) -> Iterable[str]:
        if len(self._forward) <= FEW:
            return self._forward
        if not self._backward:
            self._backward = sorted(name[::-1] for name in self._forward)
        alike = dict.fromkeys(_neighbours_of(self._forward, word))
        return alike | dict.fromkeys(
            name[::-1] for name in _neighbours_of(self._backward, word[::-1])
        )


def _neighbours_of(names: Sequence[str], word: str) -> Sequence[str]:
    """A typo leaves the beginning or the end of a name intact, so one of the two orders is near."""
    place = bisect(names, word)
    return names[max(0, place - AROUND) : place + AROUND]


UNKNOWN_REFERENCE = Rule(
    "unknown-reference",
    "The catalog has nothing with this key.",
    "Name a key of the catalog, or the uuid of something that is not in it.",
)
NAME_OF_CATALOG = Rule(
    "name-of-catalog",
    "A client of the catalog is named by its slug, so it would not be created before the "
    "resources that need it.",
    "Use its key instead.",
    fixed=False,
)
UNKNOWN_TOPIC = Rule(
    "unknown-topic", "The course has no topic with this path.", "Use one that the hint lists."
)
TOPIC_FIT = Rule(
    "topic-fit",
    "The topic has a type that can never meet this rule.",
    "See the [rules of completion](manifests.md#rules-of-completion).",
)

VALUE_TAKEN = Rule(
    "value-taken",
    "Two resources have the same value in a field that is unique on the platform.",
    "Give one of them another value.",
    source="O18",
)
Named = tuple[Resource, Reference]
_SOME = 5
"""Keys that a hint names."""


class Vague(NamedTuple):
    """The addresses that may turn out to exist once the mistakes in their document are
    corrected."""

    parts: Set[Address]
    """Resources whose part names are uncertain."""
    kinds: Set[str]
    """Kinds with resources whose keys are uncertain."""


CLEAR = Vague(frozenset(), frozenset())


def check_references(
    resources: Resources, refused: Set[Address] = frozenset(), vague: Vague = CLEAR
) -> Iterator[Problem]:
    """A problem for each reference that cannot be met; names looked up live are not judged.

    References to something `refused` or `vague` are left alone, so that one mistake is reported
    once. Forms are opened only for references to parts, and each form once.
    """
    names = _Names(resources)
    to_parts: dict[Address, list[Named]] = {}
    for resource in resources.values():
        for reference in resource.references:
            is_live = reference.kind in LOOKUPS and reference.kind not in names.kinds
            if is_live or reference.settled:
                continue
            other = resources.get(reference.address)
            if other is None and (reference.address in refused or reference.kind in vague.kinds):
                continue
            if other is None:
                yield from _make_problems(resource, _find_missing(names, reference))
            elif reference.part:
                to_parts.setdefault(other.address, []).append((resource, reference))
            else:
                yield from _make_problems(resource, _judge_pair(resource, reference, other))
    for address, named in to_parts.items():
        yield from check_part_references(resources[address], named, vague=address in vague.parts)


class _Names:
    """The keys of a catalog by kind; sorted only once one is missing."""

    def __init__(self, resources: Resources) -> None:
        self.kinds = {address.kind for address in resources}
        self._resources = resources
        self._guesses: dict[str, Guess] = {}

    def find_called(self, reference: Reference) -> Address | None:
        """The address of the resource in the catalog that has this name on the platform."""
        lookup = LOOKUPS[reference.kind]
        alike = (
            address
            for address, resource in self._resources.items()
            if address.kind == lookup.kind and resource.facts.get(lookup.field) == reference.name
        )
        return next(alike, None)

    def some_keys(self, kind: str) -> str:
        """A hint that names the first few keys of a kind."""
        keys = [f"`{a.key}`" for a in self._resources if a.kind == kind]
        more = f" and {len(keys) - _SOME} more" if len(keys) > _SOME else ""
        return f"the catalog has: {', '.join(keys[:_SOME]) or 'none yet'}{more}"

    def near_misses(self, reference: Reference) -> str:
        kind = reference.kind
        if kind not in self._guesses:
            self._guesses[kind] = Guess(a.key for a in self._resources if a.kind == kind)
        return self._guesses[kind].guess_near(reference.name)


def _find_missing(names: _Names, reference: Reference) -> Iterator[Finding]:
    if reference.kind in LOOKUPS:
        known = names.find_called(reference)
        if known:
            yield NAME_OF_CATALOG.at(
                reference.path,
                f"`{reference.name}` is the {LOOKUPS[reference.kind].field} of {known}, "
                "which is in the catalog",
                f"use its key, `{known.key}`: only then is it created first",
            )
        return
    noun = KINDS[reference.kind].noun if reference.kind in KINDS else reference.kind
    if reference.name.startswith(KEY_MARK):
        text = f"`{reference.path[0]}` is still the placeholder `{reference.name}`"
        hint = f"write the key of a {noun}; {names.some_keys(reference.kind)}"
    else:
        text = f"there is no {noun} `{reference.name}` in the catalog"
        hint = names.near_misses(reference) or (
            "name a key of the catalog, or the uuid of one that is not in it"
        )
    yield UNKNOWN_REFERENCE.at(reference.path, text, hint)


def _judge_pair(resource: Resource, reference: Reference, other: Resource) -> Iterator[Finding]:
    """The findings of the kind's rules about the resource and the other one together."""
    rules = KINDS[resource.address.kind].relations.reference_rules
    for rule in rules.get(str(reference.path[0]), ()):
        yield from rule(resource, reference, other)


def check_part_references(
    target: Resource, named: list[Named], *, vague: bool = False
) -> Iterator[Problem]:
    """Yields the problems of all references to parts of one resource."""
    types = KINDS[target.address.kind].authoring.parts(target.form)
    topics = [path for path, kind in types.items() if kind not in HOLDERS]
    guess = Guess(topics)
    for resource, reference in named:
        part = reference.part or ""
        type_ = types.get(part)
        if type_ is None and vague:
            continue
        if type_ is None:
            text = f"`{reference.name}` has no topic `{part}`"
            hint = guess.guess_near(part) or f"it has: {', '.join(topics[:8]) or 'no topics'}"
            findings: Iterable[Finding] = [UNKNOWN_TOPIC.at(reference.path, text, hint)]
        elif reference.part_types and type_ not in reference.part_types:
            text = f"`{part}` is of type {type_}, which can never meet this rule"
            hint = f"it takes a topic of type {' or '.join(sorted(reference.part_types))}"
            findings = [TOPIC_FIT.at(reference.path, text, hint)]
        else:
            findings = _judge_pair(resource, reference, target)
        yield from _make_problems(resource, findings)


def _make_problems(resource: Resource, findings: Iterable[Finding]) -> Iterator[Problem]:
    return (finding.at(resource.origin, resource.address) for finding in findings)


def settle_references_inside(resources: Sequence[Resource]) -> tuple[list[Resource], list[Problem]]:
    """Returns the resources with their settled references marked, and the problems of these.

    Only references to parts are settled here: to judge one, the form of the resource that it names
    must be opened, which would be too slow for a whole catalog each time one file changes.
    """
    by_address: dict[Address, Resource] = {}
    for resource in resources:
        by_address.setdefault(resource.address, resource)
    named: dict[Address, list[Named]] = {}
    for resource in resources:
        for reference in resource.references:
            if reference.part and reference.address in by_address:
                named.setdefault(reference.address, []).append((resource, reference))
    if not named:
        return list(resources), []
    problems = [
        p
        for address, group in named.items()
        for p in check_part_references(by_address[address], group)
    ]
    return [_settle_references(resource, named.keys()) for resource in resources], problems


def _settle_references(resource: Resource, named: Set[Address]) -> Resource:
    return resource._replace(
        references=tuple(
            r._replace(settled=True) if r.part and r.address in named else r
            for r in resource.references
        )
    )


def check_unique_values(resources: Mapping[Address, Resource]) -> Iterator[Problem]:
    """A problem for each resource after the first with a value that its kind declares unique.

    What two kinds declare under one name is one thing to the platform: a course and a further
    session of another never have the same sku.
    """
    first: dict[tuple[str, object], Resource] = {}
    for resource in resources.values():
        for field in KINDS[resource.address.kind].relations.unique:
            value = resource.facts.get(field)
            holder = first.setdefault((field, value), resource)
            if value and holder is not resource:
                message = f"{holder.address} in {holder.origin.file} has the {field} `{value}` too"
                hint = (
                    f"give one of the two another `{field}`: the platform allows each value only "
                    "once"
                )
                yield VALUE_TAKEN.at((field,), message, hint).at(resource.origin, resource.address)


def check_siblings(resources: Mapping[Address, Resource]) -> Iterator[Problem]:
    """The findings of each kind's rules in its groups; no form is opened, `facts` decide."""
    groups = _group_siblings(resources)
    for name, kind in KINDS.items():
        for rule in kind.relations.group_rules if name in groups else ():
            for resource, finding in rule(groups[name], resources):
                yield finding.at(resource.origin, resource.address)


def _group_siblings(
    resources: Mapping[Address, Resource],
) -> Mapping[str, Mapping[object, Sequence[Resource]]]:
    """The resources in groups of siblings: by kind, and by the fact that makes resources of that
    kind siblings."""
    by = {name: kind.relations.group_by for name, kind in KINDS.items() if kind.relations.group_by}
    groups: dict[str, dict[object, list[Resource]]] = {}
    for address, resource in resources.items():
        if address.kind in by:
            fact = resource.facts.get(by[address.kind])
            groups.setdefault(address.kind, {}).setdefault(fact, []).append(resource)
    return groups


def judge_catalog(
    resources: Resources, refused: Set[Address], unsure: Sequence[RefusedResource] = ()
) -> list[Problem]:
    """Every problem.

    `refused` are addresses that documents give but that became no resource; they take part as far
    as they can be read. What is wrong in every reading of one is reported.
    """
    if not unsure:
        return judge_resources(resources, refused)
    given = refused | resources.keys()
    vague = Vague(
        frozenset(one.address for one in unsure if not _sure_of_parts(one)),
        frozenset(one.address.kind for one in unsure if one.address not in given),
    )
    sure: list[Problem] = []
    for number in range(max(len(one.readings) for one in unsure)):
        read = {one.address: one.read_as(number) for one in reversed(unsure)}
        problems = judge_resources(_in_order({**read, **resources}), refused, vague)
        known = set(problems)
        sure = [problem for problem in sure if problem in known] if number else problems
        if not sure:
            break
    return sure


def _in_order(resources: Resources) -> Resources:
    """In the order of the catalog: if two claim the same value, the second one is reported."""
    order = sorted(resources.values(), key=lambda resource: resource.origin[:2])
    return {resource.address: resource for resource in order}


def _sure_of_parts(unsure: RefusedResource) -> bool:
    """True if its parts have the same names in all readings."""
    parts = KINDS[unsure.address.kind].authoring.parts
    first, *others = (parts(reading.form).keys() for reading in unsure.readings)
    return all(other == first for other in others)


def judge_resources(
    resources: Resources, refused: Set[Address] = frozenset(), vague: Vague = CLEAR
) -> list[Problem]:
    """Every problem between resources that are each right by themselves."""
    return [
        *check_references(resources, refused, vague),
        *check_siblings(resources),
        *check_unique_values(resources),
        *check_moves(resources),
        *check_ignored_fields(resources),
        *find_cycles(resources),
    ]
