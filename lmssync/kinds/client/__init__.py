"""client: a tenant with licenses and learners of its own, made by cloning another (spec 4)."""

from ..kind import Effect, Kind, Manual
from ..texts import quality
from .calls import BY_HAND, NOT_COPIED, create, departure, jobs, update
from .form import normalise, references
from .live import match, reading, seen
from .rules import has_slug, not_itself
from .spec import ClientSpec

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
    by_hand=BY_HAND,
    jobs=jobs,
    readback=True,
    reading=reading,
    match=match,
    seen=seen,
)
