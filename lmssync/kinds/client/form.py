"""From the manifest of a client to its form."""

from ...resource import Form
from ...vocabulary.rules import derive_slug
from ..kind import Data
from ..managed import OWN_FIELDS
from ..references import ReferenceField, nodes

REFERENCES = {"cloneOf": ReferenceField("client", "id")}


def slug_of(name: str, slug: str | None) -> str:
    """The slug as written, else as the platform derives it (spec 4, clone rule 2)."""
    return slug if slug is not None else derive_slug(name)


def normalise(_key: str, data: Data) -> Form:
    """The slug is always written out: by it the client is found again."""
    form = {key: value for key, value in data.items() if key not in OWN_FIELDS}
    slug = slug_of(data["name"], data.get("slug"))
    return form | {"cloneOf": nodes(REFERENCES["cloneOf"], data["cloneOf"]), "slug": slug}
