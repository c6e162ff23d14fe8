"""The application: the route table and the control plane, by path."""

from collections.abc import Mapping

from starlette.routing import Route as StarletteRoute, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from lmssync.vocabulary.routes import ROUTES, Capability

from .bindings import HANDLERS
from .composition import Sandbox
from .control.plane import PREFIX, Control
from .http import OriginGuard, Refusal
from .page.pages import ADDRESSES, Pages, is_page
from .serving.dispatch import Bound, Endpoint, NotFound
from .serving.tokens import PATH as TOKENS, Tokens


class Application:
    """A path without parameters is found by one look, the others by Starlette's router.

    Nothing else of Starlette's stands between the server and the endpoints: each layer costs
    some percent of a small read.
    """

    def __init__(
        self,
        endpoints: Mapping[str, ASGIApp],
        *,
        guard: OriginGuard,
        control: Control,
        not_found: NotFound,
    ) -> None:
        self._guard, self._control, self._not_found = guard, control, not_found
        self._fixed = {path: endpoint for path, endpoint in endpoints.items() if "{" not in path}
        routes = [
            StarletteRoute(path, endpoint)
            for path, endpoint in sorted(endpoints.items(), key=lambda item: item[0].count("{"))
            if "{" in path
        ]
        self._router = Router(routes, redirect_slashes=False, default=not_found)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            self._guard.require_origin(scope)
        except Refusal as refusal:
            of_control = scope["path"].startswith(f"{PREFIX}/")
            refuse = self._control.refuse_request if of_control else self._not_found.refuse_request
            await refuse(refusal, scope, send)
            return
        endpoint = self._fixed.get(scope["path"])
        if endpoint is None:
            await self._router(scope, receive, send)
        else:
            scope["path_params"] = {}
            await endpoint(scope, receive, send)


def build_application(sandbox: Sandbox, *, host: str) -> Application:
    """Every bound route of the profile, one endpoint a path; `host` is what it is served on."""
    platform, gateway = sandbox.platform, sandbox.gateway
    paths: dict[str, dict[str, Bound]] = {}
    for name, handler in HANDLERS.items():
        route = ROUTES[name]
        if route.capability is Capability.CORE or platform.profile == "extended":
            paths.setdefault(route.path, {})[route.method] = Bound(route, handler)
    endpoints: dict[str, ASGIApp] = {
        path: Endpoint(gateway, bound) for path, bound in paths.items()
    }
    endpoints[f"{PREFIX}/{{name}}"] = control = Control(sandbox)
    endpoints[TOKENS] = Tokens(gateway)
    endpoints |= dict.fromkeys(ADDRESSES, Pages(platform, gateway.log))
    guard = OriginGuard(host, is_page=is_page)
    return Application(endpoints, guard=guard, control=control, not_found=NotFound(gateway))
