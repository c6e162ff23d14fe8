"""Which order the entries of a mapping have, and how they are brought into it.

Anchors come before their aliases, so they may keep an entry where it is.
"""

import inspect
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import dropwhile, pairwise
from typing import Any, NamedTuple

from pydantic import BaseModel

from ....kinds import BY_RESOURCE, WAYS, Managed
from ....settings import Project
from ....support.annotations import Leaf, leaf_types
from ....support.declared_values import checks_of
from ..model_fields import fields_of
from ..overlays import PATCH
from ..policies import PolicyFile
from ..release_documents import ReleaseFile
from ..story_documents import AssertionFile, StoryFile
from .layout_parser import Block, EntryNode

IDENTITY = ("policy", "story", "assert", "release", "resource", "key", "include", "id")
"""What something is comes first. No model has `include`, which may be where a part may be."""
ANYWHERE = ("<<", PATCH)
"""What no model knows: what a mapping is like, and what an overlay does with it."""
_MODELS = {
    "policy": PolicyFile,
    "story": StoryFile,
    "assert": AssertionFile,
    "release": ReleaseFile,
}
"""The files without resources, by the word that only they have at the top."""
LAST = tuple(name for name in Managed.model_fields if name not in IDENTITY)
"""What a manifest says to lmssync, not about the thing it describes."""

Models = tuple[type[BaseModel], ...]


class Below(NamedTuple):
    """The shape of a value: the models that it, or each item of it, may follow."""

    models: Models = ()
    by_name: bool = False
    """The value is a mapping whose keys are the author's own, and its values follow them."""


NOTHING = Below()


class MappingShape(NamedTuple):
    """The shape of a mapping: its keys in order, and the shapes of their values."""

    ranks: Mapping[str, int]
    values: Mapping[str, Below]
    others: Below = NOTHING

    def rank_of_key(self, key: str | None) -> int:
        """Where a key belongs; unknown ones come after all others."""
        return self.ranks.get(key or "", len(self.ranks))

    def shape_of_value(self, key: str | None) -> "MappingShape | None":
        below = self.values.get(key or "", self.others)
        return (
            MappingShape({}, {}, Below(below.models)) if below.by_name else of_models(below.models)
        )


def of_document(data: Any, *, is_project: bool = False) -> MappingShape | None:
    """The shape of a document: a manifest or an overlay, a part file, a policy, a story, a release,
    or the project file."""
    if not isinstance(data, dict):
        return None
    if "part" in data:
        return _of_part(str(data["part"]))
    for name, model in _MODELS.items():
        if name in data:
            return of_models((model,))
    word = data.get("resource")
    if isinstance(word, str) and word in BY_RESOURCE:
        return of_resource(word)
    looks_like_it = {"version", "environments"} <= data.keys()
    about_project = word is None and (is_project or looks_like_it)
    return of_models((checks_of(Project),)) if about_project else None


@cache
def _of_part(sort: str) -> MappingShape | None:
    for word, kind in BY_RESOURCE.items():
        shape: MappingShape | None = of_resource(word)
        for field, found in kind.authoring.part_lists.items():
            if shape and found == sort:
                keys = ["part", "parameters", "content"]
                return _make_shape(keys, {"content": shape.values[field]})
            shape = shape and shape.shape_of_value(field)
    return None


@cache
def of_resource(word: str) -> MappingShape:
    """The shape of a kind of resource, short forms included."""
    kind = BY_RESOURCE[word]
    short = {
        nested.field: Below((BY_RESOURCE[nested.resource].spec,))
        for nested in kind.authoring.nested
    }
    names = [*_ordered_keys(kind.spec), *short]
    return _make_shape(names, _shapes_of_values(kind.spec) | short)


@cache
def of_models(models: Models) -> MappingShape | None:
    """One shape for a value that may follow any of several models."""
    if not models:
        return None
    names = dict.fromkeys(name for model in models for name in _ordered_keys(model))
    values: dict[str, Below] = {}
    # Backwards, so that the first model with a key decides.
    for model in reversed(models):
        values |= _shapes_of_values(model)
    return _make_shape(list(names), values)


def _make_shape(names: list[str], values: Mapping[str, Below]) -> MappingShape:
    first = [*(name for name in IDENTITY if name in {"include", *names}), *ANYWHERE]
    last = [name for name in LAST if name in names]
    between = [name for name in names if name not in {*first, *last}]
    return MappingShape({name: n for n, name in enumerate([*first, *between, *last])}, values)


def _ordered_keys(model: type[BaseModel]) -> list[str]:
    """The keys of a model: those of one line, then prose, then structure."""
    fields = model.model_fields
    ordered = sorted(
        dict.fromkeys(_declared_fields(model, model)), key=lambda name: _key_tier(model, name)
    )
    return [fields[name].alias or name for name in ordered]


def _key_tier(model: type[BaseModel], name: str) -> int:
    if name in WAYS:
        return 1
    return 2 if any(map(_is_structure, leaf_types(model.model_fields[name].annotation))) else 0


def _is_structure(leaf: Leaf) -> bool:
    """True for lists of mappings, and for a mapping that may hold prose."""
    return leaf.model is not None and (
        leaf.listed or not fields_of(leaf.model).keys().isdisjoint(WAYS)
    )


def _declared_fields(cls: type, model: type[BaseModel]) -> Iterator[str]:
    """Fields in the order of the classes: up to the last required one, those mixed in, the rest."""
    own = [name for name in inspect.get_annotations(cls) if name in model.model_fields]
    required = [n for n, name in enumerate(own) if model.model_fields[name].is_required()]
    leading = required[-1] + 1 if required else 0
    yield from own[:leading]
    for mixed_in in cls.__bases__:
        yield from _declared_fields(mixed_in, model)
    yield from own[leading:]


def _shapes_of_values(model: type[BaseModel]) -> dict[str, Below]:
    values = {name: _shape_below(field.annotation) for name, field in fields_of(model).items()}
    return {name: below for name, below in values.items() if below.models}


def _shape_below(annotation: Any) -> Below:
    models = {leaf.model: leaf for leaf in leaf_types(annotation) if leaf.model}
    return Below(tuple(models), by_name=any(leaf.keyed for leaf in models.values()))


_RULER = re.compile(r"^#+ ?[-=*~_#]{3,}|[-=*~_#]{3,}$")
"""`# --- The session ---`"""
BLANK = ""


class _Lead(NamedTuple):
    """The comments above an entry, by what they are about."""

    before: Sequence[str] = ()
    """The top of the mapping, or the entry above."""
    opening: Sequence[str] = ()
    """The paragraph that begins here, with the blank line before it."""
    own: Sequence[str] = ()
    """The entry itself."""


def regroup_entries(block: Block, order: list[EntryNode], *, is_root: bool) -> None:
    """Gives the entries of `block` the order `order`, and moves the comments along."""
    written = block.entries
    first = _split_top(written[0].lead, is_root=is_root)
    leads = [first, *(_split_lead(entry.lead) for entry in written[1:])]
    openings = _find_openings(order, _find_paragraphs(written, leads))
    own = {id(entry): lead.own for entry, lead in zip(written, leads, strict=True)}
    after = {id(entry): lead.before for entry, lead in zip(written, leads[1:], strict=False)}
    for entry in order:
        entry.lead = [*openings.get(id(entry), ()), *own[id(entry)]]
    rest = dropwhile(lambda line: line == BLANK, order[0].lead)
    order[0].lead = _join_groups(first.before, list(rest))
    for above, entry in pairwise(order):
        entry.lead = _separate_groups(after.get(id(above), ()), entry.lead)
    block.entries = order
    block.tail = _join_groups(after.get(id(order[-1]), ()), block.tail)


def _join_groups(above: Sequence[str], below: Sequence[str]) -> list[str]:
    """Two groups of comments with a blank line between them."""
    return _separate_groups(above, below) if any(below) else [*above, *below]


def _separate_groups(above: Sequence[str], below: Sequence[str]) -> list[str]:
    return [*above, BLANK, *below] if above else list(below)


def _split_top(lead: list[str], *, is_root: bool) -> _Lead:
    """Comments above the first key; at the top of a document they are about all of it."""
    if BLANK not in lead and is_root:
        return _Lead(before=lead)
    end = _last_blank(lead) + 1
    own = lead[end:]
    return _Lead(lead[:end], own) if _has_ruler(own) else _Lead(lead[:end], own=own)


def _split_lead(lead: list[str]) -> _Lead:
    """Comments above a key that is not the first."""
    if BLANK not in lead:
        return _Lead(own=lead)
    first, last = lead.index(BLANK), _last_blank(lead)
    if _has_ruler(lead[:first]):
        first = 0
    end = len(lead) if _has_ruler(lead[last:]) else last + 1
    return _Lead(lead[:first], lead[first:end], lead[end:])


def _last_blank(lead: list[str]) -> int:
    return max((n for n, line in enumerate(lead) if line == BLANK), default=-1)


def _has_ruler(lines: Sequence[str]) -> bool:
    return any(_RULER.search(line) for line in lines)


class _Paragraph(NamedTuple):
    opening: Sequence[str]
    entries: list[EntryNode]


def _find_paragraphs(entries: Sequence[EntryNode], leads: Sequence[_Lead]) -> list[_Paragraph]:
    """The entries in groups, as blank lines divide them."""
    paragraphs: list[_Paragraph] = []
    for entry, lead in zip(entries, leads, strict=True):
        if not paragraphs or lead.opening:
            paragraphs.append(_Paragraph(lead.opening, []))
        paragraphs[-1].entries.append(entry)
    if len(paragraphs) > 1:
        paragraphs[0] = paragraphs[0]._replace(opening=[BLANK, *paragraphs[0].opening])
    return paragraphs


def _find_openings(
    order: list[EntryNode], paragraphs: list[_Paragraph]
) -> dict[int, Sequence[str]]:
    """What opens each paragraph, by the entry that is now above it."""
    openings: dict[int, Sequence[str]] = {}
    for paragraph in paragraphs:
        at = order.index(paragraph.entries[0])
        members = {id(entry) for entry in paragraph.entries}
        while at and id(order[at - 1]) in members:
            at -= 1
        openings[id(order[at])] = paragraph.opening
    return openings


Names = Sequence[tuple[int, str]]
"""Positions of anchors (`&x`) and aliases (`*x`) in the text, in order."""


def arrange_block(
    block: Block, shape: MappingShape | None, names: Names, *, is_root: bool = False
) -> None:
    """Sorts a block and those within it; where an alias would lose its anchor, nothing moves."""
    for entry in block.entries:
        if isinstance(entry.value, Block):
            below = shape.shape_of_value(entry.name) if shape and block.is_mapping else shape
            arrange_block(entry.value, below, names)
    if shape is None or not block.is_mapping:
        return
    order = sorted(block.entries, key=lambda entry: shape.rank_of_key(entry.name))
    if order != block.entries and not breaks_aliases(names, order):
        regroup_entries(block, order, is_root=is_root)


def breaks_aliases(names: Names, entries: Sequence[EntryNode]) -> bool:
    """True if an alias would not mean in this order what it means in the order of the text.

    Two entries that use one name keep their order, if one of them gives the name.
    """
    if not names:
        return False
    anchored: dict[str, int] = {}
    used: dict[str, int] = {}
    for entry in entries:
        inside = _names_inside(names, entry)
        for mark in inside:
            before = used if mark[0] == "&" else anchored
            if before.get(mark[1:], -1) > entry.start:
                return True
        for mark in inside:
            for seen in (used, anchored) if mark[0] == "&" else (used,):
                seen[mark[1:]] = max(seen.get(mark[1:], -1), entry.start)
    return False


def _names_inside(names: Names, entry: EntryNode) -> set[str]:
    first, end = (bisect_left(names, (at, "")) for at in (entry.start, entry.stop))
    return {name for _, name in names[first:end]}
