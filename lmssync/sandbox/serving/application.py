"""The application: the route table and the control plane, by path."""

from collections.abc import Mapping

from starlette.routing import Route as StarletteRoute
from starlette.routing import Router
from starlette.types import ASGIApp, Receive, Scope, Send

from lmssync.vocabulary.routes import ROUTES, Capability

from ..auth.oauth import PATH as TOKENS
from ..auth.oauth import Tokens
from ..bindings import HANDLERS
from ..control.plane import PREFIX, Control
from ..page.pages import ADDRESSES, Pages, is_page
from ..platform import Platform
from .dispatch import Bound, NotFound, Path
from .door import Door
from .refusals import Refusal


class Application:
    """A path without parameters is found by one look, the others by Starlette's router.

    Nothing else of Starlette's stands between the server and the endpoints: each layer costs
    some percent of a small read.
    """

    def __init__(
        self, endpoints: Mapping[str, ASGIApp], *, door: Door, control: Control, not_found: NotFound
    ) -> None:
        self._door, self._control, self._not_found = door, control, not_found
        self._fixed = {path: found for path, found in endpoints.items() if "{" not in path}
        routes = [
            StarletteRoute(path, endpoint)
            for path, endpoint in sorted(endpoints.items(), key=lambda item: item[0].count("{"))
            if "{" in path
        ]
        self._router = Router(routes, redirect_slashes=False, default=not_found)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            self._door.require(scope)
        except Refusal as refusal:
            of_control = scope["path"].startswith(f"{PREFIX}/")
            refuse = self._control.refuse if of_control else self._not_found.refuse
            await refuse(refusal, scope, send)
            return
        fixed = self._fixed.get(scope["path"])
        if fixed is None:
            await self._router(scope, receive, send)
        else:
            scope["path_params"] = {}
            await fixed(scope, receive, send)


def application(platform: Platform, *, host: str) -> Application:
    """Every bound route of the profile, one endpoint a path; `host` is what it is served on."""
    paths: dict[str, dict[str, Bound]] = {}
    for name, handler in HANDLERS.items():
        route = ROUTES[name]
        if route.capability is Capability.CORE or platform.profile == "extended":
            paths.setdefault(route.path, {})[route.method] = Bound(route, handler)
    endpoints: dict[str, ASGIApp] = {path: Path(platform, bound) for path, bound in paths.items()}
    endpoints[f"{PREFIX}/{{name}}"] = control = Control(platform)
    endpoints[TOKENS] = Tokens(platform)
    endpoints |= dict.fromkeys(ADDRESSES, Pages(platform))
    door = Door(host, is_page=is_page)
    return Application(endpoints, door=door, control=control, not_found=NotFound(platform))
