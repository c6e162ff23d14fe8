"""The platform: everything the sandbox holds, put together in one place for the handlers."""

import secrets
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from lmssync.vocabulary.enums import Feature

from .auth.access import ON_AT_FIRST
from .auth.keys import Keys
from .auth.oauth_clients import OAuthClients
from .clock import Clock
from .data.company import Company
from .data.courses import Courses
from .data.ids import Ids
from .data.objects import Objects
from .data.recent import Recent
from .data.store import Store
from .faults import Faults
from .jobs import Jobs, Work
from .push.delivery import Pushes
from .serving.request_log import RequestLog
from .serving.throttle import Throttle
from .switches import as_wire, changed, restored
from .worker import Worker

Doc = dict[str, Any]
Seeding = Callable[["Platform", Doc], None]
"""Writes what a seed holds into an empty platform."""


class Platform:
    """What a handler may use. Everything here belongs to the thread of the event loop.

    `objects` and `courses` keep data, `company` reads the configuration, `jobs` starts work,
    `clock` tells the time; the rest is for the dispatcher and the control plane.
    """

    objects: Objects
    courses: Courses
    jobs: Jobs
    ids: Ids

    def __init__(
        self, store: Store, *, profile: str, works: Mapping[str, Work], seed: Doc, seeding: Seeding
    ) -> None:
        self.store, self.profile = store, profile
        self.address = ""
        """Where it is served, as `http://host:port`; nothing before it is."""
        self._works, self._seed, self._seeding = works, seed, seeding
        self.recent, self.throttle, self.faults = Recent(), Throttle(), Faults()
        self.log, self.pushes, self.worker = RequestLog(), Pushes(), Worker()
        if store.setting("idSeed") is None:
            self.reset()
        else:
            self._load()

    def company(self) -> Company:
        """The configuration, as it is now."""
        return Company(self.objects)

    def start_job(self, work: str, arguments: Doc, *, description: str) -> Doc:
        """Accept a background job; what the answer shows of it."""
        self.worker.wake()
        return self.jobs.start(
            work,
            arguments,
            description=description,
            now=self.clock.now(),
            seconds=self.switches.jobSeconds,
        )

    def turn(self, *, reading: bool) -> None:
        """Bring the platform up to the clock before a request is answered.

        A job that is due is begun, so that a short one has ended; a long one goes on beside all
        requests.
        """
        now = self.clock.now()
        self.recent.now = now
        while self.jobs.next_due <= now and not self.jobs.is_under_way:
            self.work()
        self.recent.reading = reading

    def work(self) -> None:
        """Do a portion of the jobs that are due; the worker calls it."""
        self.recent.reading, self.recent.now = False, self.clock.now()
        self.jobs.work(self)

    def reset(self, *, seed: Doc | None = None, id_seed: int | None = None) -> None:
        """Back to a new sandbox; without an `id_seed` the ids differ from all given out before."""
        try:
            self._begin(self._seed if seed is None else seed, id_seed)
        except BaseException:
            if self.store.setting("idSeed") is not None:
                self._load()  # the change is undone: so is what was made of it
            raise
        self.store.commit()

    def _begin(self, chosen: Doc, id_seed: int | None) -> None:
        with self.store.change():
            self.store.clear()
            numbers = id_seed if id_seed is not None else chosen.get("idSeed")
            self.store.set_setting("idSeed", secrets.randbits(48) if numbers is None else numbers)
            self.store.set_setting("company", chosen.get("company", "Sandbox company"))
            self._load()
            self._seeding(self, chosen)

    def _load(self) -> None:
        setting = self.store.setting
        self.clock = Clock(setting("clockOffset", 0.0))
        self.ids = Ids(setting("idSeed"))
        self.random = Random(self.ids.seed)  # noqa: S311 - it must repeat
        self.switches = restored(setting("switches", {}))
        self.features = frozenset(Feature(f) for f in setting("features", sorted(ON_AT_FIRST)))
        self.limits: dict[str, int] = setting("limits", {})
        self.keys = Keys(setting("keys", []))
        self.oauth = OAuthClients(setting("oauthClients", []))
        self._set_lags()
        for memory in (self.recent, self.throttle, self.faults, self.log):
            memory.clear()
        self.objects = Objects(self.store, self.ids, self.recent)
        self.courses = Courses(self.store, self.ids, recent=self.recent, clock=self.clock)
        self.jobs = Jobs(self.objects, store=self.store, works=self._works)
        self.pushes.forget()
        self.worker.wake()

    # What the control plane sets; each survives a restart.

    def advance(self, seconds: float) -> None:
        self.clock.advance(seconds)
        self._keep("clockOffset", self.clock.offset)
        self.pushes.wake()
        self.worker.wake()

    def set_switches(self, wanted: Mapping[str, Any]) -> None:
        """Raises ValueError for what no switch takes."""
        self.switches = changed(self.switches, wanted)
        self._set_lags()
        self._keep("switches", as_wire(self.switches))

    def set_features(self, features: frozenset[Feature]) -> None:
        self.features = features
        self._keep("features", sorted(features))

    def set_limits(self, limits: dict[str, int]) -> None:
        """Custom overrides of throttle tiers: how many requests a window takes (spec 8)."""
        self.limits = limits
        self._keep("limits", limits)

    def keep_keys(self) -> None:
        self._keep("keys", self.keys.as_wire())
        self._keep("oauthClients", self.oauth.as_wire())

    def _set_lags(self) -> None:
        self.recent.lag = self.switches.readLagSeconds
        self.recent.search_lag = self.switches.searchLagSeconds

    def _keep(self, name: str, value: Any) -> None:
        with self.store.change():
            self.store.set_setting(name, value)
