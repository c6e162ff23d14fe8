"""A server in front of the sandbox whose answers a test can change."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import orjson

from lmssync.vocabulary.routes import ROUTES

from . import patient_http
from .platform.client.answering import Answering, Asked, Said, answering

Bend = Callable[[Asked, Said], Said]


@dataclass
class AnswerProxy:
    """A server in front of the sandbox; answers pass unchanged until `bend` is called."""

    base_url: str
    _server: Answering
    _way: httpx.Client

    def bend(self, route: str, change: Bend | Any) -> None:
        """From now on, changes the answers of a route: with a function, or to this body."""
        found = ROUTES[route]
        path = re.compile(re.sub(r"\{\w+\}", "[^/]+", found.path) + r"(\?.*)?")

        def answer(asked: Asked) -> Said:
            said = self.pass_on(asked)
            if asked.method != found.method or not path.fullmatch(asked.path):
                return said
            return change(asked, said) if callable(change) else said._replace(body=change)

        self._server.answer = answer

    def answer_by(self, answer: Callable[[Asked], Said]) -> None:
        """From now on, answers every request with a function, which may pass some on."""
        self._server.answer = answer

    def straighten(self) -> None:
        self._server.answer = self.pass_on

    def pass_on(self, asked: Asked) -> Said:
        kept = {"Authorization", "Content-Type"}
        headers = {name: value for name, value in asked.headers.items() if name in kept}
        came = self._way.request(asked.method, asked.path, content=asked.body, headers=headers)
        body = orjson.loads(came.content) if came.content else b""
        return Said(body, came.status_code, {"date": came.headers["date"]})


@contextmanager
def answer_proxy(base_url: str) -> Iterator[AnswerProxy]:
    with answering() as server, patient_http.client(base_url=base_url) as way:
        found = AnswerProxy(server.base_url, server, way)
        found.straighten()
        yield found
