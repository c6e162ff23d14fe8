"""The one route table: every route the platform answers, and what is known about it.

The client and the sandbox both read it and nothing else writes a path. `{v2}` of the
specification is `/incoming/v2`. The shapes of error answers (spec 7) are here too: the sandbox
writes them and the client reads them, each with code of its own, so only the words are shared.
"""

from enum import StrEnum
from typing import NamedTuple

from . import limits
from .enums import Feature
from .limits import LimitScope, Tier, Window


class Envelope(StrEnum):
    """Which shape an error answer of a route has."""

    A = "A"
    """`{errors: string[]}`: v2 routes in general, external activity, 429."""
    B = "B"
    """`{valid: false, errors: string[]}`: clone client."""
    C = "C"
    """`{error, message, details?: [{field, code, message}]}`: the general format, 401."""
    D = "D"
    """`{code, message, category, timestamp, statusCode, metadata}`: v3 routes."""
    E = "E"
    """`{errors: [{message}]}`: the masked validation failure of clone client."""


class Code(StrEnum):
    """`code` of envelope D."""

    VALIDATION_ERROR = "VALIDATION_ERROR"
    BAD_REQUEST = "BAD_REQUEST"
    UNAUTHENTICATED = "UNAUTHENTICATED"
    FORBIDDEN = "FORBIDDEN"
    RESOURCE_NOT_FOUND = "RESOURCE_NOT_FOUND"


class Category(StrEnum):
    """`category` of envelope D."""

    VALIDATION = "VALIDATION"
    CLIENT_ERROR = "CLIENT_ERROR"
    NOT_FOUND = "NOT_FOUND"


UNAUTHORIZED = "unauthorized"
"""`error` of envelope C on a 401."""
RATE_LIMIT_EXCEEDED = "Rate limit exceeded, retry in {seconds} seconds"
"""The one error string of envelope A on a 429."""
PROCESSING_ERROR = "A processing error occurred"
"""What the platform says when it will not say which field is wrong (O14, spec 7)."""
NO_ITEMS = "No items provided"
"""An update whose wrapper is empty (O14)."""


V2 = "/incoming/v2"
V3 = "/v3"


class Capability(StrEnum):
    """What an instance must have for a route to be used."""

    CORE = "core"
    """All routes of the specification that have a shape, with O1 to O10 and O22."""
    EXTENDED = "extended"
    """O25 to O28, O32 to O35, O39, O45 to O55, O59 to O63."""
    UNSHOWN = "unshown"
    """Named by the specification without request or response shape: never sent."""


class Repeat(StrEnum):
    """Whether sending the same request again does no harm."""

    SAFE = "safe"
    PLAIN = "plain"
    """Safe when the body only sets fields: not when it queues jobs or adds children."""
    NEVER = "never"


class Batch(NamedTuple):
    """Where the entries of a batched request stand, and how many there may be."""

    field: str
    limit: int


class Route(NamedTuple):
    """One route; `path` holds its parameters in braces."""

    name: str
    method: str
    path: str
    repeat: Repeat
    permission: str | None = None
    envelope: Envelope = Envelope.A
    capability: Capability = Capability.CORE
    tier: Tier | None = None
    limit: Window | None = None
    batch: Batch | None = None
    features: tuple[Feature, ...] = ()
    errors_are_results: bool = False
    """`errors` in a 2xx reports single entries (spec 4); on every other route it is a failure."""

    @property
    def windows(self) -> list[Window]:
        """The fixed windows that count its requests: its own, and that of its tier."""
        own = [self.limit] if self.limit else []
        return [*own, self.tier.window] if self.tier else own

    @property
    def reads(self) -> bool:
        """True if the route cannot change anything."""
        return self.method == "GET"


PURCHASE_PATHS = "settings.alternatePurchasePaths"
_PATHS = f"{V3}/admin/content/{{contentId}}/alternate-purchase-paths"

_EXTERNAL = (Feature.EXTERNAL_ACTIVITY,)

SAFE, PLAIN, NEVER = Repeat.SAFE, Repeat.PLAIN, Repeat.NEVER

_COURSES = Batch("courseAttributes", limits.COURSES_PER_CREATE)
_COURSE_CHANGES = Batch("courseAttributes", limits.ENTRIES_PER_UPDATE)
_USERS = Batch("users", limits.USERS_PER_SUBLICENSE)
_CRITERIA = Batch("criteria", 100)
_MIGRATION = (Feature.ADVANCED_CLIENTS, Feature.BULK_MIGRATION)

_CORE = (
    Route("ping", "GET", f"{V2}/ping", SAFE, envelope=Envelope.C),
    # Content
    Route(
        "course.create", "POST", f"{V2}/content/course/create", NEVER, "courses.new",
        batch=_COURSES,
    ),
    Route(
        "course.update", "PUT", f"{V2}/content/course/update", PLAIN, "courses.edit",
        batch=_COURSE_CHANGES,
    ),
    Route("course.read", "GET", f"{V2}/content/course/{{id}}", SAFE),
    Route("topic.list", "GET", f"{V2}/topics/lesson/{{lessonId}}", SAFE),
    Route(
        "criteria.update", "POST", f"{V2}/content/completion-criteria/bulk/update", NEVER,
        "courses.edit", batch=_CRITERIA, errors_are_results=True,
    ),
    # Clients, licenses, users
    Route("client.list", "GET", f"{V2}/clients", SAFE),
    Route("client.clone", "POST", f"{V2}/clients/{{id}}/clone", NEVER, "clients.edit", Envelope.B),
    Route("license.create", "POST", f"{V2}/licenses", NEVER),
    Route("user.read", "GET", f"{V2}/users/{{id}}", SAFE),
    Route(
        "sublicense.assign", "POST", f"{V3}/users/bulk-sublicense-assignment", NEVER,
        "users.edit", Envelope.D, batch=_USERS, features=_MIGRATION,
    ),
    # Small lists
    Route("tag.list", "GET", f"{V2}/tags", SAFE),
    Route("location.list", "GET", f"{V2}/locations", SAFE),
    Route(
        "asset.list", "GET", f"{V3}/assetLibraryItems", SAFE, envelope=Envelope.D,
        limit=Window(200, 60, scope=LimitScope.INSTANCE),
    ),
    Route("job.read", "GET", f"{V2}/jobs/{{id}}", SAFE),
    # Alternate purchase paths
    Route(
        "path.create", "POST", _PATHS, NEVER, PURCHASE_PATHS, Envelope.D,
        limit=Window(60, 60, scope=LimitScope.INSTANCE),
    ),
    Route("path.list", "GET", _PATHS, SAFE, PURCHASE_PATHS, Envelope.D),
    # Learners: events, attempts, external activity
    Route("event.list", "GET", f"{V2}/events/{{kind}}", SAFE, tier=Tier.EVENT),
    Route("attempt.forgive", "PUT", f"{V2}/assessmentAttempts/{{id}}/forgive", SAFE),
    Route(
        "activity.learningPath", "POST", f"{V2}/learningPathExternalActivity", PLAIN,
        features=_EXTERNAL,
    ),
    Route(
        "activity.assignment", "POST", f"{V2}/assignmentExternalActivity", PLAIN,
        features=_EXTERNAL,
    ),
)  # fmt: skip
_EXTENDED = (
    Route("course.structure", "GET", f"{V2}/courses/{{id}}/structure", SAFE),
    Route("criteria.list", "GET", f"{V2}/courses/{{id}}/completionCriteria", SAFE),
    Route("group.list", "GET", f"{V2}/courseGroups", SAFE),
    Route("group.read", "GET", f"{V2}/courseGroups/{{id}}", SAFE),
    Route("group.bySlug", "GET", f"{V2}/courseGroups/slug/{{slug}}", SAFE),
    Route("group.courses", "GET", f"{V2}/courseGroups/{{id}}/courses", SAFE),
    Route("group.displayCourse", "GET", f"{V2}/courseGroups/{{id}}/displayCourse", SAFE),
    Route("section.list", "GET", f"{V2}/courses/{{id}}/sections", SAFE),
    Route("section.read", "GET", f"{V2}/sections/{{id}}", SAFE),
    Route("section.lessons", "GET", f"{V2}/sections/{{id}}/lessons", SAFE),
    Route("lesson.list", "GET", f"{V2}/courses/{{id}}/lessons", SAFE),
    Route("lesson.read", "GET", f"{V2}/lessons/{{id}}", SAFE),
    Route("topic.read", "GET", f"{V2}/topics/{{id}}", SAFE),
    Route("content.search", "GET", f"{V2}/content", SAFE),
    Route("content.release", "PUT", f"{V2}/content/{{id}}/releaseContent", SAFE),
    Route("course.full", "GET", f"{V2}/fullContent/courses/{{id}}", SAFE),
    Route("license.update", "PUT", f"{V2}/licenses/{{id}}", PLAIN),
    Route("license.delete", "DELETE", f"{V2}/licenses/{{id}}", SAFE),
    Route("license.list", "GET", f"{V2}/clients/{{id}}/licenses", SAFE),
    Route("client.read", "GET", f"{V2}/clients/{{id}}", SAFE),
    Route("client.status", "PUT", f"{V2}/clients/{{id}}/updateStatus", SAFE),
    Route("learningPath.full", "GET", f"{V2}/fullContent/learningPaths/{{id}}", SAFE),
    Route("user.list", "GET", f"{V2}/users", SAFE),
    Route("user.create", "POST", f"{V2}/users", NEVER, "users.edit", tier=Tier.USER),
    Route("user.change", "PUT", f"{V2}/users/{{id}}", PLAIN, "users.edit", tier=Tier.USER),
    Route(
        "user.status", "PUT", f"{V2}/users/{{id}}/updateStatus", SAFE, "users.edit",
        tier=Tier.USER,
    ),
    Route(
        "user.dualRole", "PUT", f"{V2}/users/{{id}}/makeDualRole", PLAIN, "users.edit",
        tier=Tier.USER,
    ),
    Route(
        "user.removeManagers", "PUT", f"{V2}/users/bulkRemoveDualRoleManager", PLAIN,
        "users.edit", tier=Tier.USER,
    ),
    Route(
        "user.assignContent", "POST", f"{V2}/users/bulkContentAssignment", PLAIN, "users.edit",
        tier=Tier.USER, errors_are_results=True,
    ),
    Route("attempt.list", "GET", f"{V2}/assessmentAttempts", SAFE),
    Route("meeting.list", "GET", f"{V2}/meetings", SAFE, tier=Tier.MEETING),
    Route("coupon.list", "GET", f"{V2}/coupons", SAFE),
    Route("activity.course", "POST", f"{V2}/courseExternalActivity", PLAIN, features=_EXTERNAL),
)  # fmt: skip
"""Seen on instances, not in the specification."""
_UNSHOWN = (
    Route("user.update", "PUT", f"{V2}/users", PLAIN, tier=Tier.USER),
    Route("content.xlf", "GET", f"{V2}/content/{{type}}/{{id}}.xlf", SAFE),
)
"""Named by the specification without a shape."""
_TABLE: dict[Capability, tuple[Route, ...]] = {
    Capability.CORE: _CORE,
    Capability.EXTENDED: _EXTENDED,
    Capability.UNSHOWN: _UNSHOWN,
}

ROUTES: dict[str, Route] = {
    route.name: route._replace(capability=capability)
    for capability, routes in _TABLE.items()
    for route in routes
}

FURTHER_ROUTES = frozenset(route.name for route in _TABLE[Capability.EXTENDED])
"""What an instance may have besides: each is a capability of its own."""
CORE_ROUTES = frozenset(route.name for route in _TABLE[Capability.CORE])
"""What every instance has."""
LIST_TIMES = "content.times"
"""The capability that the `updatedAt` of content search moves with every change of a course, of its
group and of any of its parts. It is no route, and nothing evidences it: no profile has it."""
CAPABILITIES = FURTHER_ROUTES | {LIST_TIMES}
"""What an instance may have besides: `platform.capabilities` switches each."""
