"""What every handler gets, the platform and the call, and nothing of how requests reach it.

Switches are settings for what the specification does not show, so that each choice can be tried.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from random import Random
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from ..vocabulary.enums import EventKind, Feature, FurtherEventKind
from ..vocabulary.routes import ROUTES
from .api_keys import ON_AT_FIRST, Key, Keys, OAuthClients
from .data.course_tables import Courses, Groups
from .data.durable_store import Recent, Store
from .data.object_documents import Company, Ids, Objects
from .http_messages import Answer
from .sandbox_documents import Clock, Doc
from .sandbox_jobs import Doing, Jobs
from .value_checks import quote_value

_SHOWN = 60


@dataclass(frozen=True)
class Switches:
    """One field a switch, with the value that a new sandbox starts with."""

    idOrder: Literal["request", "reversed", "shuffled"] = "request"
    """Order of the ids that course create returns (O16)."""
    batchAtomic: bool = True
    """False: entries before the first bad one of a refused create or update stay (O16)."""
    positions: Literal["followed", "ignored"] = "followed"
    """Whether the `position` of a section, lesson or topic moves it (O7)."""
    childrenLimit: Literal["off", "25"] = "off"
    """How many sections a course, lessons a section and topics a lesson may have."""
    skuOnRead: bool = True
    """False: the read of a course does not show its sku (O22)."""
    readLagSeconds: float = 0.0
    """Seconds until a read sees a write (O31)."""
    searchLagSeconds: float = 0.0
    """Seconds until content search finds a write (O27)."""
    searchBySku: bool = True
    """False: content search does not support `sku:`, which is not evidenced (O48)."""
    sourceRefused: bool = False
    """Course create refuses `source` (O21)."""
    customFields: Literal["replace", "merge"] = "replace"
    """What an update does to the custom fields it does not name (O13)."""
    listEnvelope: Literal["key", "bare", "data"] = "key"
    """Where v2 lists are in their answers (O44)."""
    pageSize: int = 50
    """Items of a page by cursor on routes without `perPage`."""
    assetTags: Literal["any", "all"] = "any"
    """Whether an asset must have any or all of several `tagIds`."""
    missingUser: Literal["notFound", "errors"] = "notFound"
    """The answer for a missing user: 404, or 200 with `errors` (O35)."""
    userRefusals: Literal["status", "errors", "list"] = "status"
    """Where a refused POST or PUT of users says so: in its status, or in the body of a success, as
    `{errors: [{message}]}` or as the list alone (O64)."""
    cloneStatus: Literal["200", "202"] = "200"
    """The status of an accepted clone."""
    createStatus: Literal["200", "201"] = "200"
    """The status of course create and license create, which spec 4 does not say."""
    unknownFields: Literal["refuse", "ignore"] = "refuse"
    """What happens to fields of a course entry that are unknown or not of its kind."""
    statusOnUpdate: bool = False
    """True: course update takes `status` of a session (O39: not evidenced)."""
    userTierOnReads: bool = False
    """True: user reads count against the user tier (O36)."""
    accountFigures: Literal["off", "standard", "enterprise"] = "off"
    """The account-wide figures of spec 8, whose combination with the tiers is not shown."""
    eventsWithoutId: tuple[str, ...] = (
        "learningPathEnrollment",
        "assignmentSubmission",
        "courseView",
    )
    """Event feeds whose events have no `id`: it is not known which these are (O40, O53)."""
    pushBeyondLoopback: bool = False
    """True: notifications may be pushed to other machines."""
    oauthEnabled: bool = True
    """False: the account team has not enabled OAuth (spec 5)."""
    emptyUnauthorized: tuple[str, ...] = ()
    """Names of routes that answer 401 with an empty body (spec 5)."""
    fullContent: Literal["flat", "nested"] = "flat"
    """How the read of a whole course says where a body is (O28)."""
    seatsOnUpdate: Literal["replace", "keep"] = "replace"
    """A license update without seatsLimit: unlimited (O32), or as it was."""
    carelessClients: Literal["refused", "taken"] = "refused"
    """Taken: `cursor=undefined` is a first page, an empty `body` of a topic that holds none is
    passed over, and a topic without a type is a text (O56)."""
    courseTimes: Literal["whole", "own"] = "whole"
    """Whether a change of a part changes the `updatedAt` of its course, which is not evidenced."""
    jobSeconds: float = 0.8
    """Seconds from the acceptance of a background job to its end."""


_HINTS = get_type_hints(Switches)
_MOST = {float: 1e9, int: 100_000}
"""Of numbers: thirty years, after which a job still ends on a date; and a page that can be sent."""
_NAMES: Mapping[str, Collection[str]] = {
    "eventsWithoutId": [kind.value for kind in (*EventKind, *FurtherEventKind)],
    "emptyUnauthorized": ROUTES,
}
"""The names that a list of a switch may hold."""


def change_switches(switches: Switches, wanted: Mapping[str, Any]) -> Switches:
    """`switches` with the wanted ones set; raises ValueError that says what is allowed."""
    for name, value in wanted.items():
        if name not in _HINTS:
            known = ", ".join(sorted(_HINTS))
            raise ValueError(f"{name[:_SHOWN]}: no such switch; the switches are {known}")
        if not _fits_switch(name, value):
            allowed = _describe_allowed(name)
            raise ValueError(f"{name}: {quote_value(value)} is not allowed; {allowed}")
    values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in wanted.items()}
    return replace(switches, **values)


def restore_switches(kept: Mapping[str, Any]) -> Switches:
    """The switches of a data folder, without what an older sandbox took and this one does not."""
    known = {n: v for n, v in kept.items() if n in _HINTS and _fits_switch(n, v)}
    return change_switches(Switches(), known)


def _fits_switch(name: str, value: Any) -> bool:
    hint = _HINTS[name]
    if get_origin(hint) is Literal:
        return value in get_args(hint)
    if get_origin(hint) is tuple:
        items = value if isinstance(value, list | tuple) else [None]
        return all(isinstance(item, str) and item in _NAMES[name] for item in items)
    if hint is bool or isinstance(value, bool):
        return hint is bool and isinstance(value, bool)
    least, kinds = (1, int) if hint is int else (0, int | float)
    return isinstance(value, kinds) and least <= value <= _MOST[hint]


def _describe_allowed(name: str) -> str:
    hint = _HINTS[name]
    if get_origin(hint) is Literal:
        return "it must be one of " + ", ".join(get_args(hint))
    words = {
        float: f"it must be a number from 0 to {_MOST[float]:,.0f}",
        int: f"it must be a whole number from 1 to {_MOST[int]:,}",
        bool: "it must be true or false",
    }
    return words.get(hint) or "it must be a list of " + ", ".join(_NAMES[name])


Work = Callable[["Platform", Doc, Doc | None], Doing]
"""What a job does, as `sandbox_jobs.Work`."""


class Platform:
    """Everything here belongs to the thread of the event loop.

    `objects`, `groups` and `courses` keep data, `read_company` reads the configuration, `jobs`
    starts work, `clock` gives the time. `on_event` gets each event as it is kept, `on_job` hears of
    a new job.
    """

    def __init__(self, store: Store, *, profile: str, works: Mapping[str, Work]) -> None:
        self.store, self.profile = store, profile
        self.address = ""
        """Where it is served, as `http://host:port`; nothing before it is."""
        self.on_event: Callable[[Doc], None] = lambda _event: None
        self.on_job: Callable[[], None] = lambda: None
        self.recent = Recent()
        self._works = {name: partial(work, self) for name, work in works.items()}

    def load_documents(self) -> None:
        """Read everything from the store, which has an `idSeed`, and forget what was here."""
        setting = self.store.read_setting
        self.clock = Clock(setting("clockOffset", 0.0), setting("clockStoppedAt", None))
        self.ids = Ids(setting("idSeed"))
        self.random = Random(self.ids.seed)  # noqa: S311 - it must repeat
        self.switches = restore_switches(setting("switches", {}))
        self.features = frozenset(Feature(f) for f in setting("features", sorted(ON_AT_FIRST)))
        self.limits: dict[str, int] = setting("limits", {})
        self.keys = Keys(setting("keys", []))
        self.oauth = OAuthClients(setting("oauthClients", []))
        self.recent.forget_writes()
        self._set_lags()
        self.objects = Objects(self.store, self.ids, self.recent)
        self.groups = Groups(self.store, self.ids, recent=self.recent, clock=self.clock)
        self.courses = Courses(self.store, self.ids, recent=self.recent, clock=self.clock)
        self.jobs = Jobs(self.objects, store=self.store, works=self._works)

    @property
    def company_name(self) -> str:
        return str(self.store.read_setting("company"))

    def read_company(self) -> Company:
        """The configuration, as it is now."""
        return Company(self.objects)

    def start_job(self, work: str, arguments: Doc, *, description: str) -> Doc:
        """Accept a background job; what the answer shows of it."""
        self.on_job()
        times = {"now": self.clock.read_time(), "seconds": self.switches.jobSeconds}
        return self.jobs.start_job(work, arguments, description=description, **times)

    def catch_up(self, *, reading: bool) -> None:
        """Bring the platform up to the clock before a request is answered.

        A job that is due is begun, so that a short one has ended; a long one goes on beside all
        requests.
        """
        now = self.clock.read_time()
        self.recent.now = now
        while self.jobs.next_due <= now and not self.jobs.is_under_way:
            self.work_on_jobs()
        self.recent.reading = reading

    def work_on_jobs(self) -> None:
        """Do a portion of the jobs that are due; the worker calls it."""
        self.recent.reading, self.recent.now = False, self.clock.read_time()
        self.jobs.work_on_next(self.recent.now)

    # What the control plane sets; each survives a restart.

    def advance_clock(self, seconds: float) -> None:
        self.clock.advance_clock(seconds)
        self._keep_setting("clockOffset", self.clock.offset)

    def set_switches(self, wanted: Mapping[str, Any]) -> None:
        """Raises ValueError for what no switch takes."""
        self.switches = change_switches(self.switches, wanted)
        self._set_lags()
        self._keep_setting("switches", asdict(self.switches))

    def set_features(self, features: frozenset[Feature]) -> None:
        self.features = features
        self._keep_setting("features", sorted(features))

    def set_limits(self, limits: dict[str, int]) -> None:
        """Custom overrides of throttle tiers: how many requests a window takes (spec 8)."""
        self.limits = limits
        self._keep_setting("limits", limits)

    def keep_keys(self) -> None:
        self._keep_setting("keys", self.keys.as_wire())
        self._keep_setting("oauthClients", self.oauth.as_wire())

    def _set_lags(self) -> None:
        self.recent.lag = self.switches.readLagSeconds
        self.recent.search_lag = self.switches.searchLagSeconds

    def _keep_setting(self, name: str, value: Any) -> None:
        with self.store.open_change():
            self.store.set_setting(name, value)


class Call(NamedTuple):
    """A request as a handler sees it: who is known, the body is an object."""

    path: Mapping[str, str]
    query: Mapping[str, list[str]]
    body: Doc
    key: Key

    def last_value(self, name: str) -> str | None:
        values = self.query.get(name)
        return values[-1] if values else None


Handler = Callable[[Platform, Call], Answer]
"""The answer to one route. It runs to its end before any other request is looked at, inside a
change of the store unless the route only reads; it raises Refusal to say no, or
InvalidValue for a 400."""
