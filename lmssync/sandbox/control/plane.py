"""The endpoint of the control plane: loopback peers only, no key, errors as `{errors}`."""

import re
from typing import Any

from starlette.types import Receive, Scope, Send

from ..checks import Wrong
from ..errors import SeedRefused
from ..push.loopback import require_neighbour
from ..serving.dispatch import send_answer
from ..serving.exchange import Answer, Gone, headers_of, json_object, query_of, read_body
from ..serving.refusals import Refusal
from ..world import World
from .orders import ORDERS

PREFIX = "/_sandbox"
Doc = dict[str, Any]


class Control:
    """One endpoint for all of `/_sandbox/{name}`."""

    def __init__(self, world: World) -> None:
        self._world = world

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            answer = await self._answer(scope, receive)
        except Gone:
            return
        except Refusal as refusal:
            answer = Answer({"errors": list(refusal.errors)}, refusal.status, refusal.headers)
        except (ValueError, re.error, Wrong, SeedRefused) as error:
            answer = Answer({"errors": [str(error)]}, 400)
        await send_answer(answer, send)

    async def _answer(self, scope: Scope, receive: Receive) -> Answer:
        headers = headers_of(scope)
        require_neighbour(scope, headers)
        orders = ORDERS.get(scope["path_params"]["name"])
        if orders is None:
            raise Refusal(404, f"{scope['path'][:200]}: there are {', '.join(ORDERS)}")
        order = orders.get(scope["method"])
        if order is None:
            allow = ", ".join(orders)
            raise Refusal(405, f"It takes {allow}", headers=(("Allow", allow),))
        body = json_object(await read_body(headers, receive), headers)
        self._world.turn(reading=False)
        answer = order(self._world, body, query_of(scope))
        await self._world.store.durable()
        return answer
