"""`client.clone`: a background job that makes a client like another (spec 4, 7)."""

import re

from lmssync.vocabulary.envelopes import PROCESSING_ERROR, Envelope
from lmssync.vocabulary.rules import derive_slug

from ..call import Call
from ..documents import Doc
from ..http import Answer, Refusal, absent, bad, forbidden
from ..jobs import JobFailed
from ..platform import Platform
from .client_copy import copy_client

WORK = "clone"
TAKEN = "A client already exists with that path"
QUEUED = "A clone job with that path is already queued"
_MISSING = "Missing required parameter: "
_SLUG = re.compile(r"[a-z0-9-]{0,255}")


def clone(platform: Platform, call: Call) -> Answer:
    """Accept the job. Not shown: which check comes first; here the source, then the body."""
    source = _source(platform, call)
    name, slug = _wanted(call.body)
    _require_free(platform, slug, source_id=source["id"])
    job = platform.start_job(
        WORK,
        {"sourceId": source["id"], "name": name, "slug": slug},
        description=f"Clone client {source['name']} to {slug}",
    )
    return Answer({"data": {"APICloneClient": job}}, int(platform.switches.cloneStatus))


def work(platform: Platform, arguments: Doc) -> Doc:
    """Make the clone, from the source as it is now."""
    if platform.objects.named("clients", arguments["slug"]):
        raise JobFailed(TAKEN)
    source = platform.objects.get("clients", arguments["sourceId"])
    if source is None:
        raise JobFailed("The client to clone no longer exists")
    made = copy_client(platform, source, name=arguments["name"], slug=arguments["slug"])
    return {"clientId": made["id"]}


def _source(platform: Platform, call: Call) -> Doc:
    """The client to clone. A key bound to clients may make none: it could not see the new one."""
    if call.key.scope != "company":
        raise forbidden("The API key may not create clients")
    source = platform.objects.get("clients", call.path["id"])
    if source is None:
        raise absent("client", call.path["id"])
    return source


def _wanted(body: Doc) -> tuple[str, str]:
    """Name and slug; an empty slug counts as none, since no client is found by it (rule 6)."""
    name, slug = body.get("name"), body.get("slug")
    if name is None or name == "":
        raise bad(f"{_MISSING}name")
    if not isinstance(name, str) or not isinstance(slug, str | None):
        raise _masked()
    if not name.strip():
        raise bad(f"{_MISSING}name")
    if slug and not _SLUG.fullmatch(slug):
        raise _masked()
    slug = slug or derive_slug(name)
    if not slug:
        raise bad(f"{_MISSING}slug, because the name has no letters or digits to make one from")
    return name, slug


def _masked() -> Refusal:
    """The answer that does not say which field is wrong (spec 7, envelope E)."""
    return Refusal(400, PROCESSING_ERROR, envelope=Envelope.E)


def _require_free(platform: Platform, slug: str, *, source_id: str) -> None:
    if platform.objects.named("clients", slug):
        raise bad(TAKEN)
    in_flight = ((queued["sourceId"], queued["slug"]) for queued in platform.jobs.waiting(WORK))
    if (source_id, slug) in in_flight:
        raise bad(QUEUED)
