"""What an author may write of a client, and what must hold in one manifest (spec 4)."""

import re
from collections.abc import Iterator
from typing import Annotated

from pydantic import AfterValidator

from ...kind import Data
from ...problems import Finding, Rule
from ...resource import Form
from ...texts.values import refusal_error
from ...vocabulary import limits
from ...vocabulary.normalisers import derive_slug
from ..field_types import Date, Line, Positive, Shown, Switch, Title
from ..reference_fields import ReferenceField
from ..shared_fields import Managed, with_nodes

CLIENT_SLUG = Rule(
    "client-slug",
    "The slug has a character that the platform does not allow, or is too long.",
    "Use lowercase letters a to z, digits and hyphens, at most 255 characters.",
    source="spec 4",
    within="a client",
    wrong="slug: Acme Ltd",
    right="slug: acme-ltd",
)
CLIENT_SLUG_EMPTY = Rule(
    "client-slug-empty",
    "The client has no slug, and its name has no letter or digit to make one from.",
    "Add `slug`.",
    source="spec 7",
    within="a client",
    wrong="name: '---'",
    right="name: '---'\nslug: acme",
)
CLIENT_OF_ITSELF = Rule(
    "client-of-itself",
    "`cloneOf` is the key of the client itself.",
    "Name the client to clone. If you mean a client on the platform with the same slug, write "
    "its uuid.",
    within="a client",
    wrong="key: acme\ncloneOf: acme",
    right="key: acme\ncloneOf: golden",
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


def has_slug(client: ClientSpec) -> Iterator[Finding]:
    """Yields a finding for a client without a slug, which can be neither made nor found again (spec
    4, 7)."""
    if not slug_of(client.name, client.slug):
        field, message = "slug", "the slug is empty, so the client could not be found by it"
        if client.slug is None:
            field = "name"
            message = f"the name `{client.name}` has no letter or digit to make a slug from"
        yield CLIENT_SLUG_EMPTY.at((field,), message, "write one, such as `slug: acme`")


def not_itself(client: ClientSpec) -> Iterator[Finding]:
    """A key of the catalog wins over a slug of the platform."""
    if client.cloneOf == client.key:
        yield CLIENT_OF_ITSELF.at(
            ("cloneOf",),
            f"`{client.cloneOf}` is this client itself, which cannot be its own clone",
            "if you mean a client on the platform with this slug, write its uuid, "
            "or give this one another key",
        )
