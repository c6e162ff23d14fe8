"""Clients: `client.list`, searched, sorted, by cursor; `client.read` (O63), `client.status`;
`client.clone` (spec 4, 7).

The list is described as also carrying courses, learning paths, licenses, appearance settings and
feature flags; their shapes are not shown, and `show_client` is the one place that chooses them. A
clone is made by a background job.
"""

import copy
import re
import uuid
from functools import partial
from typing import Any

from ...vocabulary.normalisers import derive_slug
from ...vocabulary.routes import PROCESSING_ERROR, Envelope
from ..data.object_kinds import BLOCKS, COPIED, DESIGN, LAYOUTS, NOT_COPIED, OWN_TOGGLES, TOGGLES
from ..http_messages import Answer, Refusal, bad_request, not_found
from ..people.license_effects import seats_used
from ..sandbox_documents import Doc, drop_fields, pick_fields
from ..sandbox_jobs import JobFailed
from ..sandbox_platform import Call, Platform
from ..value_checks import quote_value
from .license_routes import find_visible_client, name_objects, show_license
from .list_pages import page_by_cursor, require_choice

CLONE_WORK = "clone"
TAKEN = "A client already exists with that path"
QUEUED = "A clone job with that path is already queued"
_MISSING = "Missing required parameter: "
_SLUG = re.compile(r"[a-z0-9-]{0,255}")


def clone_client(platform: Platform, call: Call) -> Answer:
    """Accept the job. Not shown: which check comes first; here the source, then the body."""
    source = _find_source(platform, call)
    name, slug = _read_wanted(call.body)
    _require_free(platform, slug, source_id=source["id"])
    job = platform.start_job(
        CLONE_WORK,
        {"sourceId": source["id"], "name": name, "slug": slug},
        description=f"Clone client {source['name']} to {slug}",
    )
    return Answer({"data": {"APICloneClient": job}}, int(platform.switches.cloneStatus))


def make_clone(platform: Platform, arguments: Doc) -> Doc:
    """Make the clone, from the source as it is now."""
    if platform.objects.find_by_name("clients", arguments["slug"]):
        raise JobFailed(TAKEN)
    source = platform.objects.get_object("clients", arguments["sourceId"])
    if source is None:
        raise JobFailed("The client to clone no longer exists")
    made = copy_client(platform, source, name=arguments["name"], slug=arguments["slug"])
    return {"clientId": made["id"]}


def _find_source(platform: Platform, call: Call) -> Doc:
    """The client to clone. A key bound to clients may make none: it could not see the new one."""
    if call.key.scope != "company":
        raise Refusal(403, "The API key may not create clients")
    source = platform.objects.get_object("clients", call.path["id"])
    if source is None:
        raise not_found("client", call.path["id"])
    return source


def _read_wanted(body: Doc) -> tuple[str, str]:
    """Name and slug; an empty slug counts as none, since no client is found by it (rule 6)."""
    name, slug = body.get("name"), body.get("slug")
    if name is None or name == "":
        raise bad_request(f"{_MISSING}name")
    if not isinstance(name, str) or not isinstance(slug, str | None):
        raise _masked_refusal()
    if not name.strip():
        raise bad_request(f"{_MISSING}name")
    if slug and not _SLUG.fullmatch(slug):
        raise _masked_refusal()
    slug = slug or derive_slug(name)
    if not slug:
        raise bad_request(
            f"{_MISSING}slug, because the name has no letters or digits to make one from"
        )
    return name, slug


def _masked_refusal() -> Refusal:
    """The answer that does not say which field is wrong (spec 7, envelope E)."""
    return Refusal(400, PROCESSING_ERROR, envelope=Envelope.E)


def _require_free(platform: Platform, slug: str, *, source_id: str) -> None:
    if platform.objects.find_by_name("clients", slug):
        raise bad_request(TAKEN)
    waiting = platform.jobs.list_waiting(CLONE_WORK)
    # The clone is not there before its job has run, so the slug still looks free.
    if (source_id, slug) in [(one["sourceId"], one["slug"]) for one in waiting]:
        raise bad_request(QUEUED)


_OF_LICENSE = ("id", "clientId", "createdAt", "updatedAt", *DESIGN)
"""What each copied license has of its own; everything else is copied, seatsLimit and sku too:
the ones that rule 5 names are the client's."""


def copy_client(platform: Platform, source: Doc, *, name: str, slug: str) -> Doc:
    """Keep a new client like `source`; its document.

    No user is copied, so that nobody holds the new licenses: their seats in use, which are
    counted and never stored, begin at none.
    """
    dates = dict.fromkeys(("createdAt", "updatedAt"), platform.clock.format_now())
    fields = {field: copy.deepcopy(source.get(field, COPIED[field])) for field in COPIED}
    begun = copy.deepcopy(NOT_COPIED)
    client = platform.objects.add_object(
        "clients", {"name": name, "slug": slug, "generated": True, **fields, **begun, **dates}
    )
    new_ids = _copy_licenses(platform, source["id"], client["id"], dates=dates)
    client["primaryLicenseId"] = new_ids.get(source.get("primaryLicenseId") or "")
    client |= design_of(source, owner=client["id"])
    platform.objects.save_object("clients", client)
    return client


def _copy_licenses(
    platform: Platform, source_id: str, client_id: str, *, dates: Doc
) -> dict[str, str]:
    """New licenses with their parent links; the new ids by the old. A parent elsewhere stays."""
    copies, new_ids = [], {}
    for license_ in platform.objects.list_owned("licenses", source_id):
        fields = drop_fields(license_, *_OF_LICENSE)
        made = platform.objects.add_object("licenses", {"clientId": client_id, **fields, **dates})
        new_ids[license_["id"]] = made["id"]
        copies.append(made | design_of(license_, owner=made["id"]))
    # In a second turn: a parent may come after its child in the list.
    for made in copies:
        parent = made.get("parentLicenseId")
        made["parentLicenseId"] = new_ids.get(parent, parent)
        platform.objects.save_object("licenses", made)
    return new_ids


def design_of(source: Doc, *, owner: str) -> Doc:
    """Blocks as they are, layouts with widgets of their own, a new hash where there was one."""
    design = {name: copy.deepcopy(source.get(name)) for name in BLOCKS}
    design |= {name: _with_new_widgets(source.get(name), owner=owner) for name in LAYOUTS}
    hash_ = None if source.get("appearanceHash") is None else _made_for(owner, "appearance")
    return {**design, "appearanceHash": hash_}


def _with_new_widgets(layout: Any, *, owner: str) -> Any:
    """The layout with a new id for every object in a list called `widgets`."""
    if isinstance(layout, list):
        return [_with_new_widgets(item, owner=owner) for item in layout]
    if not isinstance(layout, dict):
        return layout
    copied = {name: _with_new_widgets(value, owner=owner) for name, value in layout.items()}
    for widget in copied.get("widgets") or ():
        if isinstance(widget, dict) and "id" in widget:
            widget["id"] = _made_for(owner, str(widget["id"]))
    return copied


def _made_for(owner: str, what: str) -> str:
    """An id of its own for each owner, which every run makes again."""
    return str(uuid.uuid5(uuid.UUID(owner), what))


SORTS = ("id", "name", "slug", "createdAt", "updatedAt", "sku", "disabled")


def list_clients(platform: Platform, call: Call) -> Answer:
    """`query` is searched in name, slug and sku; `sort` names a field, `-` before it turns it."""
    wanted = (call.last_value("query") or "").lower()
    sort = call.last_value("sort") or "name"
    falling, field = sort.startswith("-"), sort.removeprefix("-")
    if field not in SORTS:
        require_choice("sort", sort, SORTS)

    def client_position(client: Doc) -> list[Any]:
        # The id as well, since a cursor needs one place even among equal names.
        return [str(client.get(field) or "").lower(), client["id"]]

    items = [
        client
        for client in platform.objects.list_objects("clients")
        if call.key.may_see_client(client["id"])
        and any(wanted in (client.get(name) or "").lower() for name in ("name", "slug", "sku"))
    ]
    show = partial(show_client, platform)
    return page_by_cursor(
        platform, call, "clients", items=items, place=client_position, show=show, falling=falling
    )


def show_client(platform: Platform, client: Doc) -> Doc:
    """Courses are ids alone: a client may have thousands."""
    return {
        "id": client["id"],
        "name": client["name"],
        "slug": client["slug"],
        "createdAt": client["createdAt"],
        "updatedAt": client["updatedAt"],
        "tags": name_objects(platform, "tags", client["tagIds"], field="label"),
        "sku": client["sku"],
        "disabled": client["disabled"],
        "courses": [{"id": id_} for id_ in client["courseIds"]],
        "learningPaths": name_objects(
            platform, "learningPaths", client["learningPathIds"], field="title"
        ),
        "licenses": _client_licenses(platform, client["id"]),
        "appearanceSettings": {
            **(client["appearanceBlock"] or {}),
            "appearanceHash": client["appearanceHash"],
        },
        "featureFlags": {name: client[name] for name in (*TOGGLES, *OWN_TOGGLES)},
    }


def _client_licenses(platform: Platform, client_id: str) -> list[Doc]:
    """Each as spec 2.5 has it, with the seats in use."""
    licenses = platform.objects.list_owned("licenses", client_id)
    if not licenses:
        return []
    used = seats_used(platform, client_id)
    return [{**show_license(one), "seatsUsed": used[one["id"]]} for one in licenses]


FLAT = ("id", "name", "slug", "createdAt", "updatedAt", "sku", "disabled",
        "licenseEndDate", "languages", "defaultLanguage", *TOGGLES, *OWN_TOGGLES)  # fmt: skip
"""What the read of one client shows as it is kept (O63)."""


def read_client(platform: Platform, call: Call) -> Answer:
    """One client, with its flags beside the rest; licenses without a limit allocate no seats."""
    client = find_visible_client(platform, call)
    licenses = platform.objects.list_owned("licenses", client["id"])
    figures = {
        "seatsAllocatedCount": sum(one.get("seatsLimit") or 0 for one in licenses),
        "seatsUsedCount": seats_used(platform, client["id"]).total(),
    }
    labels = {
        name: name_objects(platform, "tags", client[ids], field="label")
        for name, ids in (("tags", "tagIds"), ("courseTags", "courseTagIds"))
    }
    return Answer({**pick_fields(client, FLAT), **labels, **figures})


DISABLED = "disabled"


def update_status(platform: Platform, call: Call) -> Answer:
    """Any other status than `disabled` enables; the client comes back as the list shows it."""
    client = platform.objects.get_object("clients", call.path["id"])
    if client is None:
        raise not_found("client", call.path["id"])
    if not call.key.may_see_client(client["id"]):
        raise Refusal(403, "The API key may not change this client")
    status = call.body.get("status")
    if status is None:
        raise bad_request(
            "status: is required; disabled disables the client, any other value enables it"
        )
    if isinstance(status, list | dict):
        raise bad_request(
            f"status: is {quote_value(status)}; it must be text, a number, true or false"
        )
    client.update(disabled=status == DISABLED, updatedAt=platform.clock.format_now())
    platform.objects.save_object("clients", client)
    return Answer(show_client(platform, client))
