"""The endpoint of the control plane: loopback peers only, no key, errors as `{errors}`."""

import sqlite3
from collections.abc import Iterable

from starlette.types import Receive, Scope, Send

from .. import http
from ..checks import Wrong
from ..composition import Sandbox
from ..errors import SeedRefused
from .commands import AFTER_JOBS, COMMANDS, QUERIES

PREFIX = "/_sandbox"
_FOR_NO_PAGE = (
    ("X-Content-Type-Options", "nosniff"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cache-Control", "no-store"),
)


class Control:
    """One endpoint for all of `/_sandbox/{name}`."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            answer = await self._answer_command(scope, receive)
        except http.Gone:
            return
        except http.Refusal as refusal:
            await self.refuse_request(refusal, scope, send)
        except sqlite3.Error as error:
            unwritten = http.Refusal(503, f"The sandbox cannot write its data: {error}")
            await self.refuse_request(unwritten, scope, send)
        except (ValueError, Wrong, SeedRefused) as error:
            await self.refuse_request(http.bad_request(str(error)), scope, send)
        else:
            await _send_answer(answer, send)

    async def refuse_request(self, refusal: http.Refusal, _scope: Scope, send: Send) -> None:
        """Answer with an error of the control plane."""
        body = {"errors": list(refusal.errors)}
        await _send_answer(http.Answer(body, refusal.status, refusal.headers), send)

    async def _answer_command(self, scope: Scope, receive: Receive) -> http.Answer:
        http.require_neighbour(scope)
        name, known = scope["path_params"]["name"], ", ".join(COMMANDS)
        commands = COMMANDS.get(name)
        if commands is None:
            raise http.Refusal(404, f"{scope['path'][:200]}: no such path; the paths are {known}")
        command = commands.get(scope["method"])
        if command is None:
            allow = ", ".join(commands)
            raise http.Refusal(405, f"Only {allow} is allowed here", headers=(("Allow", allow),))
        query = http.query_of(scope)
        _require_known(query, QUERIES.get(name, ()))
        headers = http.headers_of(scope)
        body = http.json_object(await http.read_body(headers, receive), headers)
        waits = name in AFTER_JOBS
        if waits:
            await self._sandbox.worker.settle_due_jobs()
        self._sandbox.platform.catch_up(reading=False)
        answer = command(self._sandbox, body, query)
        if waits:
            await self._sandbox.worker.settle_due_jobs()
        await self._sandbox.platform.store.wait_until_durable()
        return answer


def _require_known(query: Iterable[str], known: tuple[str, ...]) -> None:
    for name in query:
        if name not in known:
            there = f"the parameters are {', '.join(known)}" if known else "this order takes none"
            raise Wrong(f"{name[:60]}: no such parameter; {there}")


async def _send_answer(answer: http.Answer, send: Send) -> None:
    await http.send_answer(answer._replace(headers=(*answer.headers, *_FOR_NO_PAGE)), send)
