"""The ids of what somebody names: uuids, addresses of recorded resources, slugs and labels."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..address import Address
from ..client import Reader
from ..errors import WrongUse
from ..kind import Ids
from ..kinds import KINDS, LOOKUPS, is_uuid
from ..live import IdsByName
from ..problems import suggest_near
from .declaration import Named


class IdFinder(NamedTuple):
    """Where names are looked up."""

    recorded: Callable[[Address], Ids | None]
    names: IdsByName

    @classmethod
    def by(cls, reader: Reader, recorded: Callable[[Address], Ids | None]) -> "IdFinder":
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


def ids_of(name: str, words: Sequence[str], named: Named, finder: IdFinder) -> list[str]:
    """The ids of what the words after the name of a list name, each once; raises `WrongUse` for
    what names nothing."""
    if words and not named.noun:
        raise WrongUse(f"`get {name}` takes no ids", "filters narrow a list: see `lmssync get`")
    return list(dict.fromkeys(_id(word, named, finder) for word in words))


def _id(word: str, named: Named, finder: IdFinder) -> str:
    if is_uuid(word) or (named.anything and word.strip()):
        return word
    if named.kind and word.startswith(f"{named.kind}."):
        return _recorded_id(word, named, finder)
    if named.lookup:
        return finder.id_of(named.lookup, word)
    raise WrongUse(f"`{word}` names no {named.noun}", f"give {_forms(named)}")


def _recorded_id(word: str, named: Named, finder: IdFinder) -> str:
    """The id of a recorded resource, or of a part of one."""
    name, _, part = word.partition("/")
    address = Address.parse(name)
    ids = finder.recorded(address)
    if ids is None:
        raise WrongUse(f"nothing is recorded for {name}", "`lmssync state list` shows what is")
    if not named.part:
        return ids.own[KINDS[address.kind].reads.id_name]
    if part not in ids.parts:
        known = sorted(path for path in ids.parts if path.count("/") == 1)
        there = f"there are: {', '.join(f'{name}/{path}' for path in known[:8])}"
        if not known:  # the lesson of a microCourse stands in no manifest
            there = f"give its uuid, which `lmssync get {named.noun}s {name}` shows"
        if not part:
            raise WrongUse(f"{name} is a {named.kind}, not a {named.noun} of one", there)
        raise WrongUse(f"{name} has no {named.noun} `{part}`", suggest_near(part, known) or there)
    return ids.parts[part]


def _forms(named: Named) -> str:
    """`a uuid, or an address such as course.safety-101`."""
    part = "/start/welcome" if named.part else ""
    if named.anything:
        return "an id or an e-mail address"
    return "a uuid" + (f", or an address such as {named.kind}.KEY{part}" if named.kind else "")
