"""A way to a server that can be cut after a number of bytes, or hold everything back."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Condition, Thread

Target = Path | tuple[str, int]
_PIECE = 65_536


class Way:
    """Listens on the loopback interface and passes on what comes, both ways."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self._open: list[socket.socket] = []
        self._changed = Condition()
        self._is_held = False
        self._left: dict[str, int | None] = {"there": None, "back": None}
        Thread(target=self._accept, daemon=True).start()

    def cut_after(self, there: int | None = None, back: int | None = None) -> None:
        """Each direction ends after so many more bytes, over all connections; None is never."""
        with self._changed:
            self._left = {"there": there, "back": back}

    @contextmanager
    def held(self) -> Iterator[None]:
        """Nothing passes, and nothing is closed."""
        self._hold(True)
        yield
        self._hold(False)

    def close(self) -> None:
        self._hold(False)
        for end in (self._listening, *self._open):
            _close(end)

    def _hold(self, is_held: bool) -> None:
        with self._changed:
            self._is_held = is_held
            self._changed.notify_all()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                try:
                    far = self._connected()
                except OSError:
                    _close(near)
                    continue
                self._open += [near, far]
                for direction, ends in (("there", (near, far)), ("back", (far, near))):
                    Thread(target=self._pass_on, args=(direction, *ends), daemon=True).start()

    def _connected(self) -> socket.socket:
        if isinstance(self._target, tuple):
            return socket.create_connection(self._target)
        far = socket.socket(socket.AF_UNIX)
        far.connect(str(self._target))
        return far

    def _pass_on(self, direction: str, start: socket.socket, end: socket.socket) -> None:
        with suppress(OSError):
            while piece := start.recv(_PIECE):
                may_pass = self._may_pass(direction, len(piece))
                end.sendall(piece[:may_pass])
                if may_pass < len(piece):
                    break
        for one in (start, end):
            _close(one)

    def _may_pass(self, direction: str, wanted: int) -> int:
        with self._changed:
            self._changed.wait_for(lambda: not self._is_held)
            left = self._left[direction]
            if left is None:
                return wanted
            self._left[direction] = max(0, left - wanted)
            return min(left, wanted)


def _close(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()
