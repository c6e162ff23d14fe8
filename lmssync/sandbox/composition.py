"""One running sandbox, put together: the platform, the way to it, the work beside requests."""

import secrets

from .bindings import WORKS
from .data.store import Store
from .documents import Doc
from .platform import Platform
from .push.delivery import Pushes
from .seeds import checked, plant
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
        self.platform.on_event, self.platform.on_job = self.pushes.queue, self.worker.wake
        self._store, self._seed = store, checked(seed, where="seed")
        if store.setting("idSeed") is None:
            self.reset()
        else:
            self._load()

    def reset(self, *, seed: Doc | None = None, id_seed: int | None = None) -> None:
        """Back to a new sandbox; without an `id_seed` the ids differ from all given out before."""
        begun_with = self._seed if seed is None else checked(seed, where="seed")
        try:
            self._begin(begun_with, id_seed)
        except BaseException:
            if self._store.setting("idSeed") is not None:
                self._load()  # the change is undone: so is what was made of it
            raise
        self._store.commit()

    def advance(self, seconds: float) -> None:
        """Move the clock; what falls due on the way happens at once."""
        self.platform.advance(seconds)
        self.pushes.wake()
        self.worker.wake()

    def _begin(self, seed: Doc, id_seed: int | None) -> None:
        with self._store.change():
            self._store.clear()
            numbers = id_seed if id_seed is not None else seed.get("idSeed")
            self._store.set_setting("idSeed", secrets.randbits(48) if numbers is None else numbers)
            self._store.set_setting("company", seed.get("company", "Sandbox company"))
            self._load()
            plant(self.platform, seed)

    def _load(self) -> None:
        self.platform.load()
        self.gateway.clear()
        self.pushes.forget()
        self.worker.wake()
