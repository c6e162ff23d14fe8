"""course: a catalog item with its session, sections, lessons and topics (spec 2.2)."""

from ...texts import quality
from ..kind import Effect, Kind, Nested
from .departure import departure
from .facts import facts
from .form import REFERS, normalise, parts, references, slots
from .itself import not_itself
from .live import adopted, created, look, match, reading, search, seen
from .making import create
from .pairing import reconcile
from .prerequisites import RULES as PREREQUISITES
from .rules import RULES
from .spec import SESSION_FIELDS, CourseSpec
from .update import update
from .wire import JOB_FIELDS

_COSMETIC = (
    "asset",
    "assetAltText",
    "detailAsset",
    "detailAssetAltText",
    "ribbon",
    "metaTitle",
    "metaDescription",
    "source",
    "publishDate",
    "showProgress",
    "posterImageAsset",
)
_COMMERCE = ("priceInCents", "purchasable", "freeWithRegistration")
_PROGRESS = ("forceLinearProgress", "scormUrl", "resetSessionAfterComplete", "kind")
_IN_PARTS = {
    "title": Effect.EDITORIAL,
    "body": Effect.EDITORIAL,
    "preTextBlock": Effect.EDITORIAL,
    "postTextBlock": Effect.EDITORIAL,
    "openType": Effect.ACCESS,
    "releaseDate": Effect.ACCESS,
    "scormUrl": Effect.PROGRESS,
}
"""Anything else that changes inside a section is structural."""
_EDITORIAL = ("title", "discussionsEnabled", "sessionCustomFields", "sku")

EFFECTS = (
    dict.fromkeys(SESSION_FIELDS, Effect.ACCESS)
    | dict.fromkeys(_EDITORIAL, Effect.EDITORIAL)
    | dict.fromkeys(_COSMETIC, Effect.COSMETIC)
    | dict.fromkeys(_COMMERCE, Effect.COMMERCE)
    | dict.fromkeys(_PROGRESS, Effect.PROGRESS)
    | {f"*.{field}": effect for field, effect in _IN_PARTS.items()}
    | {"sections": Effect.STRUCTURAL, "topics": Effect.STRUCTURAL}
)

KIND = Kind(
    name="course",
    resource="course",
    noun="course",
    spec=CourseSpec,
    normalise=normalise,
    references=references,
    rules=(*RULES, not_itself, quality),
    facts=facts,
    between=PREREQUISITES,
    unique=("sku",),
    slots=slots,
    nested=(
        Nested("completionCriteria", "completionCriterion", "course"),
        Nested("purchasePaths", "purchasePath", "course"),
    ),
    parts=parts,
    effects=EFFECTS,
    create=create,
    departure=departure,
    deferrable=frozenset(field for field, refers in REFERS.items() if refers.deferrable),
    update=update,
    mark_setting="marker",
    created=created,
    queues=JOB_FIELDS,
    readback=True,
    reading=reading,
    id_name="course",
    match=match,
    seen=seen,
    reconcile=reconcile,
    search=search,
    adopted=adopted,
    look=look,
)
