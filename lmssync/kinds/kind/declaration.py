"""A kind: one value that says everything about the resources of its sort."""

from dataclasses import dataclass

from .authoring import Authoring, Spec
from .calls import Calls
from .impact import Impact
from .people import Concealed
from .reads import Reads
from .relations import Relations


@dataclass(frozen=True, kw_only=True)
class Kind:
    """Everything the stages need to know about one kind of resource."""

    name: str
    """First word of its addresses."""
    resource: str
    """Its word in `resource:`."""
    noun: str
    """What people call one."""
    spec: type[Spec]
    authoring: Authoring
    relations: Relations
    impact: Impact
    calls: Calls
    reads: Reads
    concealed: Concealed | None = None
    """Of a kind whose forms name people: outside the catalog codes stand for them."""
