"""The words in which a list is declared."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

NONE: Mapping[str, str] = MappingProxyType({})


class Filter(NamedTuple):
    """What a route lets a list be narrowed by."""

    name: str
    meaning: str
    words: tuple[str, ...] = ()
    """All values that it takes; empty: any text."""
    most: int = 0
    """The most characters of its value; 0: no limit is stated."""
    query: str = ""
    """Its query parameter, if that has another name."""
    lookup: str = ""
    """A kind of things whose ids it takes; they can be named as well."""
    many: bool = False
    """It may be given several times."""
    field: str = ""
    """A field that holds its text, whatever the case. Items are compared here once more: it is not
    shown how the route takes this filter, and one that is not understood is ignored (O43)."""

    @property
    def parameter(self) -> str:
        return self.query or self.name


class Named(NamedTuple):
    """What the words after the name of a list stand for, and which parameter takes their ids."""

    noun: str
    param: str = "id"
    kinds: Mapping[str, str] = NONE
    """The kinds of the recorded resources that can be named by their addresses, the most usual one
    first, and which of its ids each is named for."""
    part: bool = False
    """They are parts of these: `course.safety-101/start/welcome`."""
    lookup: str = ""
    """A kind of things that can be named by the field that `LOOKUPS` says."""
    anything: bool = False
    """The route takes words of other forms too."""
    field: str = ""
    """The field under which items say whose they are."""
    hint: str = ""
    """What to look at if there is no such thing."""


class PlatformList(NamedTuple):
    """A list of the platform, with what is shown of it first."""

    meaning: str
    columns: tuple[str, ...]
    """Fields of the table, in the order of their weight; a dot leads into a field, or into each
    item of one."""
    further: tuple[str, ...] = ()
    """Fields that CSV has besides."""
    route: str = ""
    """Empty where no route lists them."""
    key: str = ""
    """Key of the list in the answer."""
    filters: tuple[Filter, ...] = ()
    sort: str = ""
    """Query parameter for the order, where the route has one."""
    fixed: tuple[tuple[str, str], ...] = ()
    """What the query always holds."""
    page: tuple[str, int] | None = None
    """Query parameter for the size of a page, and the largest one that is stated."""
    owner: Named | None = None
    """What it is a list of, each of which has its own."""
    single: str = ""
    """The route that reads one by its id."""
    named: Named = Named("")
    """What that route takes."""
    about: Mapping[str, str] = NONE
    """Kinds of recorded resources that items name, and the field with their ids. No route narrows
    its list by one of these: the items are compared here."""

    @property
    def takes(self) -> Named:
        """What the words after its name stand for."""
        return self.owner or self.named

    @property
    def addresses(self) -> list[str]:
        """The forms of the addresses that it takes: `course.KEY`, `course.KEY/start/welcome`."""
        end = "/start/welcome" if self.takes.part else ""
        kinds = dict.fromkeys((*self.takes.kinds, *self.about))
        return [f"{kind}.KEY{end}" for kind in kinds]
