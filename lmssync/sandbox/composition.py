"""One running sandbox, put together: the platform, the way to it, the work beside requests."""

import secrets

from .bindings import WORKS
from .data.store import Store
from .documents import Doc
from .platform import Platform
from .push.delivery import Pushes
from .seeds import check_seed, plant_seed
from .serving.gateway import Gateway
from .worker import Worker


class Sandbox:
    """Requests pass the gateway to the platform; the worker does its jobs, `pushes` its deliveries.

    Of all this a handler sees the platform alone.
    """

    def __init__(self, store: Store, *, profile: str, seed: Doc) -> None:
        self.platform = Platform(store, profile=profile, works=WORKS)
        self.gateway = Gateway(self.platform)
        self.worker, self.pushes = Worker(self.platform), Pushes(self.platform)
        self.platform.on_event, self.platform.on_job = self.pushes.queue_pushes, self.worker.wake_up
        self._store, self._seed = store, check_seed(seed, where="seed")
        if store.read_setting("idSeed") is None:
            self.reset_sandbox()
        else:
            self._load_platform()

    def reset_sandbox(self, *, seed: Doc | None = None, id_seed: int | None = None) -> None:
        """Back to a new sandbox; without an `id_seed` the ids differ from all given out before."""
        begun_with = self._seed if seed is None else check_seed(seed, where="seed")
        try:
            self._begin_anew(begun_with, id_seed)
        except BaseException:
            if self._store.read_setting("idSeed") is not None:
                self._load_platform()  # the change is undone: so is what was made of it
            raise
        self._store.commit_change()

    def advance_time(self, seconds: float) -> None:
        """Move the clock; what falls due on the way happens at once."""
        self.platform.advance_clock(seconds)
        self.pushes.wake_up()
        self.worker.wake_up()

    def _begin_anew(self, seed: Doc, id_seed: int | None) -> None:
        with self._store.open_change():
            self._store.clear_tables()
            numbers = id_seed if id_seed is not None else seed.get("idSeed")
            self._store.set_setting("idSeed", secrets.randbits(48) if numbers is None else numbers)
            self._store.set_setting("company", seed.get("company", "Sandbox company"))
            self._load_platform()
            plant_seed(self.platform, seed)

    def _load_platform(self) -> None:
        self.platform.load_documents()
        self.gateway.clear_traffic()
        self.pushes.forget_deliveries()
        self.worker.wake_up()
