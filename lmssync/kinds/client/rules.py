"""What must hold in the manifest of one client."""

from collections.abc import Iterator

from ...problems import Finding, Rule
from .spec import ClientSpec, slug_of

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


def has_slug(client: ClientSpec) -> Iterator[Finding]:
    """Without a slug a client can be neither made nor found again (spec 4, 7)."""
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
