"""The platform: what a handler may use, and nothing of how requests reach it."""

from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from typing import Any

from lmssync.vocabulary.enums import Feature

from .auth.access import ON_AT_FIRST
from .auth.keys import Keys
from .auth.oauth_clients import OAuthClients
from .clock import Clock
from .data.company import Company
from .data.courses import Courses, Groups
from .data.ids import Ids
from .data.objects import Objects
from .data.recent import Recent
from .data.store import Store
from .documents import Doc
from .jobs import Doing, Jobs
from .switches import as_wire, change_switches, restore_switches

Work = Callable[["Platform", Doc, Doc | None], Doing]
"""What a job does, as `jobs.Work`."""


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
        self._keep_setting("switches", as_wire(self.switches))

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
