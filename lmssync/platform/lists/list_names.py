"""The ids of what somebody names: uuids, addresses of recorded resources, slugs and labels."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ...errors import WrongUse
from ...kind import Ids
from ...kinds import KINDS, LOOKUPS, is_uuid
from ...problems import suggest_near
from ...resource import Address
from ..client import Reader
from ..live import IdsByName
from .list_declarations import Named, PlatformList


class IdFinder(NamedTuple):
    """Where names are looked up."""

    recorded: Callable[[Address], Ids]
    """Raises `WrongUse` for an address that the state does not know."""
    names: IdsByName

    @classmethod
    def by(cls, reader: Reader, recorded: Callable[[Address], Ids]) -> "IdFinder":
        return cls(recorded, IdsByName(reader))

    def id_of(self, kind: str, word: str) -> str:
        """The id of a thing that is looked up by name; raises `WrongUse`."""
        if is_uuid(word):
            return word
        ids = self.names.ids_of_name(kind, word)
        if len(ids) == 1:
            return ids[0]
        if ids:
            hint = f"name one by its uuid: {', '.join(ids)}"
            raise WrongUse(f"there are {len(ids)} {kind}s named `{word}` on the platform", hint)
        hint = suggest_near(word, self.names.other_names(kind))
        field = LOOKUPS[kind].field
        raise WrongUse(
            f"there is no {kind} `{word}` on the platform",
            hint or f"`lmssync get {kind}s` lists them: give a {field} or a uuid",
        )


class NamedIds(NamedTuple):
    """The ids of the things that the words after the name of a list name."""

    ids: Sequence[str]
    """Each once: single items of the list, or what it is a list of."""
    about: Sequence[tuple[str, frozenset[str]]]
    """As in `ListQuery`."""


def find_named(
    name: str, words: Sequence[str], declared: PlatformList, finder: IdFinder
) -> NamedIds:
    """Raises `WrongUse` for a word that names nothing."""
    about = [word for word in words if _kind_of(word) in declared.about]
    others = [word for word in words if word not in about]
    if others and not declared.takes.noun:
        takes = f"it takes {' or '.join(declared.addresses)}; " if declared.about else ""
        raise WrongUse(
            f"`get {name}` takes no ids", f"{takes}filters narrow a list: see `lmssync get`"
        )
    return NamedIds(
        list(dict.fromkeys(_id(word, declared, finder) for word in others)),
        [(declared.about[_kind_of(word)], _own_ids(word, finder)) for word in about],
    )


def _kind_of(word: str) -> str:
    """The kind of an address; empty for an e-mail address, which may begin like one."""
    kind, dot, _ = word.partition(".")
    return kind if dot and "@" not in word else ""


def _own_ids(word: str, finder: IdFinder) -> frozenset[str]:
    """All ids of a recorded resource: a list may name a course by that of its course group."""
    return frozenset(finder.recorded(_whole_address(word)).own.values())


def _id(word: str, declared: PlatformList, finder: IdFinder) -> str:
    named = declared.takes
    if _kind_of(word) in named.kinds:
        return _recorded_id(word, named, finder)
    if is_uuid(word) or (named.anything and word.strip() and _kind_of(word) not in KINDS):
        return word
    if named.lookup:
        return finder.id_of(named.lookup, word)
    raise WrongUse(f"`{word}` names no {named.noun}", f"give {_forms(declared)}")


def _recorded_id(word: str, named: Named, finder: IdFinder) -> str:
    """The id of a recorded resource, or of a part of one."""
    if named.part:
        return _part_id(word, named, finder)
    address = _whole_address(word)
    return finder.recorded(address).own[named.kinds[address.kind]]


def _whole_address(word: str) -> Address:
    name, slash, _ = word.partition("/")
    if slash:
        raise WrongUse(f"{word} is a part of {name}", f"give {name} alone")
    return Address.parse(name)


def _part_id(word: str, named: Named, finder: IdFinder) -> str:
    name, _, part = word.partition("/")
    parts = finder.recorded(Address.parse(name)).parts
    if part in parts:
        return parts[part]
    known = sorted(path for path in parts if path.count("/") == 1)
    there = f"there are: {', '.join(f'{name}/{path}' for path in known[:8])}"
    if not known:  # the lesson of a microCourse stands in no manifest
        there = f"give its uuid, which `lmssync get {named.noun}s {name}` shows"
    if not part:
        kind = Address.parse(name).kind
        raise WrongUse(f"{name} is a {kind}, not a {named.noun} of one", there)
    raise WrongUse(f"{name} has no {named.noun} `{part}`", suggest_near(part, known) or there)


def _forms(declared: PlatformList) -> str:
    """`a uuid, or an address such as course.KEY or license.KEY`."""
    first = "an id or an e-mail address" if declared.takes.anything else "a uuid"
    names = " or ".join(declared.addresses)
    return f"{first}, or an address such as {names}" if names else first
