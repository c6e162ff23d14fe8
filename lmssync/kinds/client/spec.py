"""What an author may write of a client (spec 4, clone)."""

import re
from typing import Annotated

from pydantic import AfterValidator

from ...vocabulary import limits
from ...vocabulary.rules import derive_slug
from ..managed import Managed
from ..refusal import mistake
from ..types import Shown, Title

SLUG = rf"^[a-z0-9-]{{0,{limits.SLUG}}}$"


def _slug(text: str) -> str:
    if not re.fullmatch(SLUG[1:-1], text):
        guess = derive_slug(text)
        raise mistake(
            "client-slug",
            f"is `{text}`; the platform allows lowercase letters a to z, digits and hyphens, "
            f"at most {limits.SLUG} characters",
            f"write `slug: {guess}`" if guess else "write one, such as `slug: acme`",
        )
    return text


Slug = Annotated[str, AfterValidator(_slug), Shown(("acme",), rule="client-slug", pattern=SLUG)]


class ClientSpec(Managed):
    """A client that is cloned from another one."""

    cloneOf: Annotated[Title, Shown(("golden",), wire="id")]
    """Key, slug or uuid of the client to clone."""
    name: Annotated[Title, Shown(("Acme Industries",))]
    """Its name in the admin interface."""
    slug: Slug | None = None
    """Its path, unique on the platform; made from the name when left out."""
