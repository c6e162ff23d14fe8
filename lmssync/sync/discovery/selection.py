"""Which of all the things on the platform are wanted."""

from collections.abc import Iterable, Sequence, Set

from ...errors import WrongUse
from ...kinds import KINDS, LOOKUPS
from ...platform.client import Reader
from ...problems import suggest_near
from .listing import ListedItem, list_belonging, list_owner_ids, list_top_items
from .names import NamesById, nested_in


def list_unmanaged(reader: Reader, routes: Set[str], names: NamesById) -> list[ListedItem]:
    """All that the platform has, that no other manifest holds and that is not in the state."""
    return [item for item in list_everything(reader, routes) if not is_managed(item, names)]


def is_managed(item: ListedItem, names: NamesById) -> bool:
    return any(names.knows_id(item.kind, id_) for id_ in item.ids)


def list_everything(reader: Reader, routes: Set[str]) -> list[ListedItem]:
    """All that the platform has and that can have a manifest of its own.

    Raises `WrongUse` where no route of the instance lists anything.
    """
    lists = [kind.imports for kind in KINDS.values() if kind.imports and not kind.imports.owner]
    if not any(imports.routes <= routes for imports in lists):
        raise WrongUse(
            "no route of this instance lists what it has",
            "if it has further routes, say so in lmssync.yaml: `platform: {profile: extended}`",
        )
    items = list(list_top_items(reader, routes))
    for kind in LOOKUPS:
        if any(k.imports and k.imports.owner == kind for k in KINDS.values()):
            of_owners = list_belonging(reader, routes, kind, list_owner_ids(reader, kind))
            items += [item for item in of_owners if not nested_in(item.kind)]
    return items


def choose_items(items: Sequence[ListedItem], words: Iterable[str]) -> list[ListedItem]:
    """The items that the words name, by an id or a slug; raises `WrongUse` for an unknown one."""
    by_word = {word: item for item in items for word in (item.name, *item.ids)}
    wanted: dict[str, ListedItem] = {}
    for word in words:
        item = by_word.get(word) or by_word.get(word.lower())
        if item is None:
            raise WrongUse(
                f"the platform lists nothing with the id or slug `{word}`",
                suggest_near(word, by_word)
                or "give the id of a course, a course group or a license",
            )
        wanted[item.ids[0]] = item
    return list(wanted.values())
