"""The platform and the call: what every handler gets, and nothing of how requests reach it."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from random import Random
from typing import Any, NamedTuple

from ..vocabulary.enums import Feature
from .api_keys import ON_AT_FIRST, Key, Keys, OAuthClients
from .data.course_tables import Courses, Groups
from .data.durable_store import Recent, Store
from .data.object_documents import Company, Ids, Objects
from .http_messages import Answer
from .sandbox_documents import Clock, Doc
from .sandbox_jobs import Doing, Jobs
from .sandbox_switches import change_switches, restore_switches

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
        self.clock = Clock(setting("clockOffset", 0.0))
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
        """The last value of a query parameter."""
        values = self.query.get(name)
        return values[-1] if values else None


Handler = Callable[[Platform, Call], Answer]
"""The answer to one route. It runs to its end before any other request is looked at, inside a
change of the store unless the route only reads; it raises Refusal to say no, or
InvalidValue for a 400."""
