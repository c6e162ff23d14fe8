"""What an author may write of a client, and the form that it becomes (spec 4, clone)."""

import re
from typing import Annotated

from pydantic import AfterValidator

from ...kind import Data
from ...problems import Rule
from ...resource import Form
from ...texts.values import refusal_error
from ...vocabulary import limits
from ...vocabulary.rules import derive_slug
from ..managed import Managed, with_nodes
from ..references import ReferenceField
from ..types import Date, Line, Positive, Shown, Switch, Title

CLIENT_SLUG = Rule(
    "client-slug",
    "The slug has a character that the platform does not allow, or is too long.",
    "Use lowercase letters a to z, digits and hyphens, at most 255 characters.",
    source="spec 4",
    within="a client",
    wrong="slug: Acme Ltd",
    right="slug: acme-ltd",
)

SLUG = rf"^[a-z0-9-]{{0,{limits.SLUG}}}$"


def _check_slug(text: str) -> str:
    if not re.fullmatch(SLUG[1:-1], text):
        guess = derive_slug(text)
        raise refusal_error(
            CLIENT_SLUG,
            f"is `{text}`; the platform allows lowercase letters a to z, digits and hyphens, "
            f"at most {limits.SLUG} characters",
            f"write `slug: {guess}`" if guess else "write one, such as `slug: acme`",
        )
    return text


Slug = Annotated[
    str, AfterValidator(_check_slug), Shown(("acme",), rule="client-slug", pattern=SLUG)
]


class ClientSpec(Managed):
    """A client that is cloned from another one."""

    cloneOf: Annotated[Title, Shown(("golden",), wire="id")]
    """Key, slug or uuid of the client to clone."""
    name: Annotated[Title, Shown(("Acme Industries",))]
    """Its name in the admin interface."""
    slug: Slug | None = None
    """Its path, unique on the platform; made from the name when left out."""
    disabled: Switch = None
    """Nobody of the client can log in; a clone is enabled."""
    sku: Annotated[Line | None, Shown(("CL-ACME",))] = None
    """SKU of the client."""
    seatsLimit: Annotated[Positive | None, Shown((500,))] = None
    """Seats of the client, beside those of its licenses."""
    licenseEndDate: Date | None = None
    """End date of the client's licenses."""
    customHost: Annotated[Line | None, Shown(("learn.acme.example",))] = None
    """Host of its own."""
    enableCustomEmailSettings: Switch = None
    """E-mail settings of its own; without them, copied e-mail branding is not used."""
    enableContentDetailPage: Switch = None
    """Whether content has a detail page."""
    enableLicenseDashboards: Switch = None
    """Whether licenses have dashboards."""
    enableCreditPurchasing: Switch = None
    """Whether credit can be bought."""


SETTINGS = (
    "sku",
    "seatsLimit",
    "licenseEndDate",
    "customHost",
    "enableCustomEmailSettings",
    "enableContentDetailPage",
    "enableLicenseDashboards",
    "enableCreditPurchasing",
)
"""Fields that a clone does not bring and that no route sets (spec 4, clone rule 5)."""
REFERENCES = {"cloneOf": ReferenceField("client", "id")}


def slug_of(name: str, slug: str | None) -> str:
    """The slug as written, else as the platform derives it (spec 4, clone rule 2)."""
    return slug if slug is not None else derive_slug(name)


def normalise_client(_key: str, data: Data) -> Form:
    """The slug is always written out: by it the client is found again."""
    return with_nodes(REFERENCES, data) | {"slug": slug_of(data["name"], data.get("slug"))}
