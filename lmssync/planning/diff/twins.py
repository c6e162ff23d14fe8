"""Finds resources that look as if only their key had changed: one leaves, one comes.

Nothing can be deleted (O11), so both would stay on the platform. `moved` says that they are the
same; only the author knows.
"""

from collections.abc import Iterator, Mapping

from ...kinds import BY_RESOURCE, KINDS
from ...resource import Address, Form, canonical_spelling, fingerprint_of
from .change import Change, Difference


def with_twins(changes: list[Change]) -> list[Change]:
    """The changes; if a resource leaves and a similar one comes, both wait for a decision."""
    gone = [change for change in changes if change.difference is Difference.GONE]
    kinds = {change.address.kind for change in gone}
    new = [c for c in changes if c.difference is Difference.NEW and c.address.kind in kinds]
    if not new:
        return changes
    twins = dict(_pair_twins(gone, [change for change in new if not change.move_conflict]))
    return [_undecided(change, twins) for change in changes]


Twins = Mapping[Address, tuple[Address, str]]
"""For the address of each of the two, the other one, and what they have in common."""


def _pair_twins(
    gone: list[Change], new: list[Change]
) -> Iterator[tuple[Address, tuple[Address, str]]]:
    """Pairs each once; the pairs with more in common come first."""
    taken: set[Address] = set()
    for traits in (_by_content, _by_unique, _by_outline, _by_part):
        known = {trait: change for change in gone for trait in traits(change)}
        for change in new:
            for trait in traits(change):
                other = known.get(trait)
                if other and not {change.address, other.address} & taken:
                    taken |= {change.address, other.address}
                    yield change.address, (other.address, trait[1])
                    yield other.address, (change.address, trait[1])


Trait = tuple[str, str, object]
"""The kind, what the two have in common, and its value."""


def _form(change: Change) -> Form:
    return change.after or change.before


def _by_content(change: Change) -> Iterator[Trait]:
    held = change.desired or change.recorded
    assert held is not None
    # The record spells what it refers to as it was called then; `renamed` as it is called today.
    content = (
        fingerprint_of(canonical_spelling(change.renamed)) if change.renamed else held.fingerprint
    )
    yield change.address.kind, "the same content", content


def _by_unique(change: Change) -> Iterator[Trait]:
    """What only one resource of a kind may have: a sku, a slug."""
    form = _form(change)
    for field in KINDS[change.address.kind].relations.unique:
        if value := form.get(field):
            yield change.address.kind, f"the same {field} `{value}`", value


def _by_outline(change: Change) -> Iterator[Trait]:
    """The same title, and parts of the same names and types."""
    form, kind = _form(change), KINDS[change.address.kind]
    title, parts = kind.authoring.title(form), kind.authoring.parts(form)
    if title and parts:
        yield kind.name, "the same title and the same outline", (title, tuple(parts.items()))


def _by_part(change: Change) -> Iterator[Trait]:
    """The same title, and one part of the same name and type: others have changed meanwhile."""
    form, kind = _form(change), KINDS[change.address.kind]
    if title := kind.authoring.title(form):
        for path, type_ in kind.authoring.parts(form).items():
            yield kind.name, f"the same title and the part `{path}`", (title, path, type_)


def _undecided(change: Change, twins: Twins) -> Change:
    if change.address in twins:
        other, alike = twins[change.address]
        if change.difference is Difference.NEW:
            return change._replace(twin=other, undecided=_of_new(change.address, other, alike))
        question = (
            f"{other} is new and has {alike}: if they are the same, its manifest needs "
            f"`moved: [{{from: {change.address}}}]`"
        )
        return change._replace(twin=other, undecided=question)
    return _below(change, twins)


def _of_new(address: Address, other: Address, alike: str) -> str:
    return (
        f"it looks like {other}, which left the catalog: it has {alike}. Nothing can be deleted, "
        "so the platform would keep both. If it is the same, write "
        f"`moved: [{{from: {other}}}]` into its manifest; if not, `--allow {address}`"
    )


def _below(change: Change, twins: Twins) -> Change:
    """A short form that leaves with its owner waits with it, since it would move along."""
    owner = next((one for one in _owners(change.address) if one in twins), None)
    if owner is None or change.difference is not Difference.GONE:
        return change
    twin, _ = twins[owner]
    question = f"it belongs to {owner}, which may be {twin} now: that has to be decided first"
    return change._replace(twin=twin, undecided=question)


def _owners(address: Address) -> Iterator[Address]:
    """What may contain it as a short form: its key begins with the key of that resource."""
    above = [
        kind.name
        for kind in KINDS.values()
        if any(
            BY_RESOURCE[nested.resource].name == address.kind for nested in kind.authoring.nested
        )
    ]
    ends = [place for place, letter in enumerate(address.key) if letter == "."]
    return (Address(kind, address.key[:end]) for kind in above for end in ends)
