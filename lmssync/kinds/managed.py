"""managed: what every manifest may say about itself, beside what it describes."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from ..kind import Data, Spec
from ..resource import Form
from .references import ReferenceField, reference_nodes
from .types import Key, Shown, Switch, Title

OWN_FIELDS = frozenset({"resource", "key", "moved", "lifecycle"})
"""Fields that only concern lmssync and are never sent: no form contains them."""


class Moved(Spec):
    """An address that this resource had before."""

    from_: Annotated[Title, Field(alias="from"), Shown(("course.safety",))]
    """The old address, such as `course.safety`."""


class Lifecycle(Spec):
    """How careful lmssync is with this resource."""

    protect: Annotated[Switch, Shown((True,))] = None
    """It changes only if the command names its address (`--allow course.safety-101`)."""
    ignore: Annotated[list[Title] | None, Shown((["ribbon"],))] = None
    """Fields that are set when it is created and left alone afterwards, such as `ribbon`."""


class Managed(Spec):
    """The fields of lmssync's own that every manifest has."""

    resource: str
    """Kind of resource."""
    key: Annotated[Key, Shown(("safety-101",))]
    """Identity in the catalog: a title may change, a key may not (see `moved`)."""
    moved: list[Moved] | None = None
    """Addresses that it had before: it is the same under a new key, nothing is created."""
    lifecycle: Lifecycle | None = None
    """How careful lmssync is with this resource."""


def with_nodes(table: Mapping[str, ReferenceField], data: Data) -> Form:
    """What a document says, with nodes for the names in the fields of `table`.

    Fields that only concern lmssync are left out.
    """
    form = {key: value for key, value in data.items() if key not in OWN_FIELDS}
    return form | {
        field: reference_nodes(table[field], form[field]) for field in table if field in form
    }
