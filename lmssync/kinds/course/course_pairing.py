"""Pairs parts of a manifest with parts on the platform, as far as a read can tell (O22).

Recorded ids decide first; other parts are told apart by title and type, then by their content.
Titles repeat (O18): parts that nothing tells apart are paired in their order, and if the platform
has more of them than were sent, nobody can say which ones are ours.

Two quizzes of one title in a lesson are read alike, whatever they ask. Their ids would be guessed
from their order, and a later change might meet the other one. So the second comes by a call of
its own, once the id of the first is recorded. Where they are equal in all, it does not matter.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import chain
from operator import itemgetter
from typing import Any

from ...kind import Ids, Json, Reconciled
from ...resource import Form
from .course_form import (
    BELOW,
    MAIN,
    ONE_TOPIC,
    ROOTS,
    Item,
    drop_part_ids,
    list_sibling_lists,
    list_topics,
    name_of_row,
    part_list,
    part_types,
    prune_parts,
    rebuild_form,
    walk_parts,
)


def outermost_parts(live: Json, level: str) -> Sequence[Item]:
    """The outermost parts of a level: a course without sections has its topics in one lesson."""
    if level == "sections":
        return part_list(live, level)
    return [row[-1] for _, row in list_topics(live)]


def parts_are_in_place(form: Form, ids: Ids, live: Json) -> bool:
    """Whether a read shows the recorded parts and no others, in their order: the usual case."""
    level = "sections" if "sections" in form else "topics"
    wanted, there = part_list(form, level), outermost_parts(live, level)
    return form.get("kind") not in ONE_TOPIC and _level_is_in_place(ids.parts, level, wanted, there)


def _level_is_in_place(
    known: Mapping[str, str],
    level: str,
    wanted: Sequence[Item],
    there: Sequence[Item],
    parent: str = "",
) -> bool:
    below = BELOW[level]
    for item, mate in zip(wanted, there, strict=False):
        path = f"{parent}{item['id']}"
        if known.get(path) != mate["id"]:
            return False
        if below and not _level_is_in_place(
            known, below, item[below], mate.get(below) or (), f"{path}/"
        ):
            return False
    return len(wanted) == len(there)


Look = tuple[str, str, tuple[Any, ...]]
"""Title, type, and the same for the parts below it."""


@dataclass
class Paired:
    """Parts of a manifest by path, and what a read says about them."""

    known: Mapping[str, str]
    """The recorded ids by path, empty for a part that no read has shown yet, and all of them."""
    recorded: Set[str]
    ids: dict[str, str] = field(default_factory=dict)
    absent: list[str] = field(default_factory=list)
    """Not recorded, and not on the platform."""
    gone: list[str] = field(default_factory=list)
    """Recorded, but no longer on the platform; their ids are kept."""
    ambiguity: str = ""
    shown: Mapping[str, Item] = field(default_factory=dict)
    """Every part on the platform by its id: it may have been moved to another parent."""
    by_place: bool = False
    """Whether a part of another title is paired where all parts before it are in their places."""


def pair_parts(
    form: Form, live: Json, known: Mapping[str, str], *, by_place: bool = False
) -> Paired:
    """Pairs every part of `form` with its id in `live`; `known` are the recorded ids by path."""
    level = "sections" if "sections" in form else "topics"
    wanted, there = part_list(form, level), outermost_parts(live, level)
    ids: dict[str, str] = {}
    # Right after a create, order tells apart whatever looks tell apart, and one walk is enough.
    if not known and form.get("kind") not in ONE_TOPIC and _in_order(ids, level, wanted, there):
        return Paired(known, frozenset(), ids)
    shown = {item["id"]: item for _, _, items in walk_parts(live) for item in items}
    paired = Paired(known, frozenset(known.values()), shown=shown, by_place=by_place)
    if form.get("kind") in ONE_TOPIC:
        _only_topic(paired, there)
    else:
        _pair_siblings(paired, level, wanted, there)
    return paired


def _in_order(
    ids: dict[str, str], level: str, wanted: Sequence[Item], there: Sequence[Item], parent: str = ""
) -> bool:
    """Whether both are the same, part by part, as right after a create; adds to `ids`."""
    # Then whatever is told apart by look is told apart by order as well, in one walk.
    below = BELOW[level]
    for item, mate in zip(wanted, there, strict=False):
        if item["title"] != mate["title"] or item.get("type") != mate.get("type"):
            return False
        path = f"{parent}{item['id']}"
        ids[path] = mate["id"]
        if below and not _in_order(ids, below, item[below], mate.get(below) or (), f"{path}/"):
            return False
    return len(wanted) == len(there)


def _only_topic(paired: Paired, topics: Sequence[Item]) -> None:
    """The topic that the platform makes itself, for the kinds that have one."""
    known = paired.known
    shown = {topic["id"] for topic in topics}
    # An empty id stands for a part that no read has shown yet: it is gone only if the platform
    # shows no topic at all.
    if MAIN in known and (known[MAIN] or not shown) and known[MAIN] not in shown:
        paired.gone.append(MAIN)
    if MAIN in known or topics:
        paired.ids[MAIN] = known.get(MAIN) or topics[0]["id"]
    else:
        paired.absent.append(MAIN)


def _pair_siblings(
    paired: Paired, level: str, wanted: Sequence[Item], there: Sequence[Item], parent: str = ""
) -> None:
    """Pairs one list of siblings, then the parts below each of them."""
    known = paired.known
    mates = _match_by_looks(
        paired,
        level,
        [item for item in wanted if not known.get(f"{parent}{item['id']}")],
        [item for item in there if item["id"] not in paired.recorded],
    )
    if paired.by_place:
        mates |= _match_by_place(level, wanted, there, mates)
    for item in wanted:
        path = f"{parent}{item['id']}"
        id_ = known.get(path)
        mate = paired.shown.get(id_) if id_ else mates.get(item["id"])
        if mate is not None or path in known:
            paired.ids[path] = mate["id"] if mate else known[path]
            paired.gone += [path] * (mate is None)
        else:
            paired.absent.append(path)
        below = BELOW[level]
        if below:
            lower = mate.get(below) or [] if mate else []
            _pair_siblings(paired, below, item[below], lower, f"{path}/")


def _match_by_looks(
    paired: Paired, level: str, wanted: Sequence[Item], there: Sequence[Item]
) -> dict[str, Item]:
    """Maps ids in the manifest to the part on the platform with the same title and type."""
    mates: dict[str, Item] = {}
    shown = _group_items(there, level, title_and_type)
    for plain, items in _group_items(wanted, level, title_and_type).items():
        rivals = shown.get(plain, [])
        if len(items) == len(rivals) == 1:
            mates[items[0]["id"]] = rivals[0]
        else:
            mates |= _by_look(paired, level, items, rivals)
    return mates


def _match_by_place(
    level: str, wanted: Sequence[Item], there: Sequence[Item], mates: Mapping[str, Item]
) -> dict[str, Item]:
    """Parts that people have renamed: all of the list are in their places."""
    taken, renamed = {mate["id"] for mate in mates.values()}, dict[str, Item]()
    for item, mate in zip(wanted, there, strict=False):
        if item["id"] in mates and mates[item["id"]]["id"] == mate["id"]:
            continue
        same_type = title_and_type(item, level)[1:] == title_and_type(mate, level)[1:]
        if item["id"] in mates or mate["id"] in taken or not same_type:
            # A part was deleted, moved or added before these: then places prove nothing.
            return {}
        renamed[item["id"]] = mate
    # Others may have come after them.
    return renamed if len(there) >= len(wanted) else {}


def _by_look(
    paired: Paired, level: str, items: Sequence[Item], rivals: Sequence[Item]
) -> dict[str, Item]:
    """Pairs siblings with the same title by their content, and equal ones in their order."""
    mates: dict[str, Item] = {}
    left = list(rivals)
    for same, twins in _group_items(items, level, part_look).items():
        equal = [item for item in rivals if part_look(item, level) == same]
        # More on the platform than in the manifest: any choice might take a part of somebody else.
        if len(equal) > len(twins):
            _leave_open(paired, level, twins, equal)
            return {}
        # Twins that a read shows alike are paired in their order: nothing else tells them apart.
        for item, mate in zip(twins, equal, strict=False):
            mates[item["id"]] = mate
            left.remove(mate)
    waiting = [item for item in items if item["id"] not in mates]
    if waiting and left and (len(waiting) > 1 or len(left) > 1):
        _leave_open(paired, level, waiting, left)
        return {}
    return mates | {item["id"]: mate for item, mate in zip(waiting, left, strict=False)}


def _leave_open(paired: Paired, level: str, items: Sequence[Item], rivals: Sequence[Item]) -> None:
    ids = ", ".join(rival["id"] for rival in rivals)
    paired.ambiguity = (
        f"the platform has {len(rivals)} {level} “{items[0]['title']}” that are not recorded "
        f"({ids}), but the manifest has {len(items)}: a read does not show which to use"
    )


def _group_items(items: Sequence[Item], level: str, key: Any) -> dict[Any, list[Item]]:
    groups: dict[Any, list[Item]] = {}
    for item in items:
        groups.setdefault(key(item, level), []).append(item)
    return groups


def title_and_type(item: Item, level: str) -> tuple[str, str]:
    """The title and the type that a read shows of a part."""
    # Blanks that a browser does not show do not tell two titles apart.
    return " ".join(item["title"].split()), item.get("type", "") if level == "topics" else ""


def part_look(item: Item, level: str) -> Look:
    """What a read shows of a part: title, type, and the same for the parts inside it, in order."""
    below = BELOW[level]
    children = tuple(part_look(child, below) for child in item.get(below) or ()) if below else ()
    return (*title_and_type(item, level), children)


def reconcile_parts(
    before: Form, after: Form, ids: Ids, live: Json, /, *, again: bool = False
) -> Reconciled:
    """What a read shows of the parts of a course: found without a record, or deleted by hand."""
    if before.get("kind") == after.get("kind") and parts_are_in_place(before, ids, live):
        return Reconciled(ids, before)  # whatever is new in `after` has no mate
    gone = pair_parts(before, live, ids.parts).gone
    # A part that the manifest still has keeps its lost id, so that the plan can say that it is
    # gone.
    dropped = {path for path in gone if again or path not in part_types(after)}
    known = {path: id_ for path, id_ in ids.parts.items() if path not in dropped}
    wanted = pair_parts(after, live, known)
    # An empty id is one that a read has yet to show: it is nothing found.
    new = [path for path, id_ in wanted.ids.items() if id_ and not known.get(path)]
    form = _with_found_parts(prune_parts(before, dropped), after, set(new))
    ids_now = ids._replace(parts=known | {path: wanted.ids[path] for path in new})
    return Reconciled(ids_now, form, new, gone, wanted.ambiguity)


def _with_found_parts(form: Form, after: Form, paths: Set[str]) -> Form:
    """The form with parts that were found; reads prove only their title and type."""
    if not paths:
        return form
    new: dict[tuple[str, str], list[Item]] = {}
    for path, row, items in walk_parts(after):
        there = [item for item in items if name_of_row(*row, item) in paths]
        new[str(path[-1]), name_of_row(*row)] = [_proven_fields(item) for item in there]

    def add_found(level: str, items: Sequence[Item], above: str) -> Sequence[Item]:
        there = {item["id"] for item in items}  # the form may have a part without an id already
        found = new.get((level, above.removesuffix("/")), ())
        return (*items, *(item for item in found if item["id"] not in there))

    lists = {level: form.get(level) or [] for level in ROOTS if after.get(level)}
    return rebuild_form(form | lists, add_found)


def _proven_fields(item: Item) -> Item:
    shown = {key: item[key] for key in ("id", "title", "type") if key in item}
    return shown | {level: [] for level in BELOW if level in item}


_TITLE = itemgetter("title")


def first_ones(form: Form, known: Collection[str] = ()) -> Form:
    """The form without the new parts that must wait for a twin; `known` parts have their ids."""
    if not _may_have_twins(form):
        return form

    def keep_first(level: str, items: Sequence[Item], above: str) -> Iterator[Item]:
        new: dict[Look, Item] = {}
        for item in items:
            if f"{above}{item['id']}" in known:
                yield item
                continue
            twin = new.setdefault(part_look(item, level), item)
            if twin is item or drop_part_ids(dict(twin)) == drop_part_ids(dict(item)):
                yield item

    return rebuild_form(form, keep_first)


def _may_have_twins(form: Form) -> bool:
    """Whether two siblings have one title, or a title has blanks that do not count."""
    titles = [[*map(_TITLE, items)] for items in list_sibling_lists(form)]
    text = " ".join(chain.from_iterable(titles))
    # Most titles are printable, with single spaces: that is quick to see.
    repeated = any(len({*some}) < len(some) for some in titles)
    return repeated or "  " in f" {text} " or not text.isprintable()
