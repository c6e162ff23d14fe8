"""client: a tenant with licenses and learners of its own, made by cloning another (spec 4)."""

import re
from collections.abc import Iterator, Set
from typing import Annotated

from pydantic import AfterValidator, Field

from ..address import Address
from ..problems import Finding
from ..resource import Form, Reference
from ..vocabulary import limits
from ..vocabulary.rules import derive_slug
from .call_part import CallPart
from .kind import (
    Change,
    Data,
    Departure,
    Described,
    Effect,
    Ids,
    Json,
    Kind,
    Manual,
    Reading,
)
from .managed import OWN_FIELDS, Managed
from .refers import Refers, found_in, nodes
from .refusal import mistake
from .texts import quality
from .types import Shown, Title

CLONE, LIST = "client.clone", "client.list"
REFERS = {"cloneOf": Refers("client", "id")}
SLUG = rf"^[a-z0-9-]{{0,{limits.SLUG}}}$"

NOT_COPIED = (
    "sku",
    "seatsLimit",
    "licenseEndDate of the client",
    "notificationEmails",
    "enableCustomEmailSettings (without it, copied e-mail branding is not used)",
    "enableContentDetailPage",
    "enableLicenseDashboards",
    "enableCreditPurchasing",
    "customHost",
    "learners and enrollments",
    "responses to the onboarding survey",
)
"""What a clone does not have of its source (spec 4, clone rule 5)."""


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


Slug = Annotated[
    str, AfterValidator(_slug), Field(json_schema_extra={"pattern": SLUG}), Shown(("acme",))
]


class ClientSpec(Managed):
    """A client that is cloned from another one."""

    cloneOf: Annotated[Title, Shown(("golden",), wire="id")]
    """Key, slug or uuid of the client to clone."""
    name: Annotated[Title, Shown(("Acme Industries",))]
    """Its name in the admin interface."""
    slug: Slug | None = None
    """Its path, unique on the platform; made from the name when left out."""


def slug_of(name: str, slug: str | None) -> str:
    """The slug as written, else as the platform derives it (spec 4, clone rule 2)."""
    return slug if slug is not None else derive_slug(name)


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


def references(data: Data) -> Iterator[Reference]:
    return found_in(REFERS, data)


def normalise(_key: str, data: Data) -> Form:
    """The slug is always written out: by it the client is found again."""
    form = {key: value for key, value in data.items() if key not in OWN_FIELDS}
    slug = slug_of(data["name"], data.get("slug"))
    return form | {"cloneOf": nodes(REFERS["cloneOf"], data["cloneOf"]), "slug": slug}


def create(address: Address, form: Form, _marker: str | None) -> CallPart:
    body = {"name": form["name"], "slug": form["slug"]}
    params = {"id": form["cloneOf"]}
    return CallPart.of(address, CLONE, body, params=params, adds=True, repeatable=False)


def update(change: Change) -> Described:
    """No route changes a client."""
    steps = (_STEPS[field](change) for field in _STEPS if _differs(change, field))
    return Described(manual=list(steps))


def departure(_form: Form) -> Departure:
    """No route deletes a client."""
    return Departure(Effect.ACCESS, "its learners keep their access, and its licenses stay valid")


def _differs(change: Change, field: str) -> bool:
    return bool(change.before.get(field) != change.after[field])


def _rename(change: Change) -> Manual:
    return Manual("name", f"call the client “{change.after['name']}” in the admin interface")


def _move(change: Change) -> Manual:
    old, new = change.before.get("slug"), change.after["slug"]
    text = (
        f"change the slug from `{old}` to `{new}` in the admin interface, which breaks links to "
        f"the old address; or write `slug: {old}` in the manifest to keep it"
    )
    return Manual("slug", text)


def _remodel(_change: Change) -> Manual:
    text = (
        "a client cannot be cloned again from another one: copy the settings by hand, "
        "or put the old `cloneOf` back"
    )
    return Manual("cloneOf", text)


_STEPS = {"name": _rename, "slug": _move, "cloneOf": _remodel}


def jobs(answer: Json) -> list[str]:
    """The job that clones (spec 4, clone rule 3)."""
    return [answer["data"]["APICloneClient"]["id"]]


def reading(_address: Address, form: Form) -> Reading:
    """The search that finds a finished clone (spec 4, clone rule 6); it finds others as well."""
    return Reading(LIST, {}, {"query": form["slug"]}, "clients")


def match(
    form: Form, _marker: str | None, live: Json, taken: Set[str], _known: Ids | None = None
) -> Ids | None:
    """The client with this slug, of which there is one, if it goes by this name too.

    Under another name it is somebody else's, and was there before.
    """
    for client in live:
        same = client["slug"] == form["slug"] and _plain(client["name"]) == _plain(form["name"])
        if same and client["id"] not in taken:
            return Ids({"id": client["id"]})
    return None


def _plain(name: str) -> str:
    return " ".join(name.split()).casefold()


def seen(_form: Form, ids: Ids, live: Json) -> Form:
    """Name and slug; what it was made of, no read shows."""
    mine = (client for client in live if client["id"] == ids.own["id"])
    return next(({"name": one["name"], "slug": one["slug"]} for one in mine), {})


KIND = Kind(
    name="client",
    resource="client",
    noun="client",
    spec=ClientSpec,
    normalise=normalise,
    references=references,
    rules=(has_slug, not_itself, quality),
    facts=lambda _data, form: {"slug": form["slug"]},
    unique=("slug",),
    effects={
        "name": Effect.EDITORIAL,
        "slug": Effect.ACCESS,
        "cloneOf": Effect.STRUCTURAL,
    },
    create=create,
    afterwards=(Manual("notCopied", f"not cloned, so take care of: {', '.join(NOT_COPIED)}"),),
    departure=departure,
    update=update,
    jobs=jobs,
    readback=True,
    reading=reading,
    match=match,
    seen=seen,
)
