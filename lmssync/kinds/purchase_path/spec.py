"""What an author may write of a purchase path (spec 2.6)."""

from typing import Annotated

from pydantic import Field

from ...vocabulary import limits
from ..kind import Spec
from ..managed import Managed
from ..types import Natural, PartId, Shown, Switch, Text, Title, Url


class Target(Spec):
    """Where the path leads: an item of the catalog, or an address elsewhere."""

    item: Annotated[Title | None, Shown(("safety-track",), wire="targetId")] = None
    """Key of a priced, published course, or uuid of a course, path, subscription, collection."""
    url: Annotated[
        Annotated[Url, Field(max_length=limits.PATH_TARGET_URL)] | None,
        Shown(("https://shop.example.com/safety",), wire="targetUrl"),
    ] = None
    """An address elsewhere."""
    title: Annotated[
        Annotated[Title, Field(max_length=limits.PATH_TARGET_TITLE)] | None,
        Shown(("Partner shop",), wire="targetUrlTitle"),
    ] = None
    """Text for the address."""


class PurchasePathSpec(Managed):
    """An alternate purchase path of a course."""

    course: Annotated[Title, Shown(("safety-101",), wire="contentId")]
    """Key or uuid of the course whose page shows the path."""
    id: Annotated[PartId | None, Shown(("partner",))] = None
    """Name within the course, in the short form."""
    label: Annotated[Text, Shown(("Buy at <b>our partner</b>",))]
    """Rich text: a, b, strong, i, em, u, br, p and span are kept."""
    target: Target
    """Where the path leads: `item` or `url`, one of the two."""
    displayOrder: Annotated[Natural | None, Shown((1,), default=0)] = None
    """Position among the paths of the course, the lowest first."""
    hidePrimaryCta: Annotated[Switch, Shown(default=False)] = None
    """Hides the course's own button."""
