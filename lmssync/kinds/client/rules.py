"""What must hold in the manifest of one client."""

from collections.abc import Iterator

from ...problems import Finding
from .spec import ClientSpec, slug_of


def has_slug(client: ClientSpec) -> Iterator[Finding]:
    """Without a slug a client can be neither made nor found again (spec 4, 7)."""
    if not slug_of(client.name, client.slug):
        yield Finding(
            "client-slug-empty",
            ("name",) if client.slug is None else ("slug",),
            f"the name `{client.name}` has no letter or digit to make a slug from"
            if client.slug is None
            else "the slug is empty, so the client could not be found by it",
            "write one, such as `slug: acme`",
        )


def not_itself(client: ClientSpec) -> Iterator[Finding]:
    """A key of the catalog wins over a slug of the platform."""
    if client.cloneOf == client.key:
        yield Finding(
            "client-of-itself",
            ("cloneOf",),
            f"`{client.cloneOf}` is this client itself, which cannot be its own clone",
            "if you mean a client on the platform with this slug, write its uuid, "
            "or give this one another key",
        )
