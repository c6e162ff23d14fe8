"""The application: Starlette's routing over the route table and the control plane."""

from starlette.applications import Starlette
from starlette.routing import Route as StarletteRoute

from lmssync.vocabulary.routes import ROUTES, Capability

from .bindings import HANDLERS
from .control.plane import PREFIX, Control
from .dispatch import Bound, Nowhere, Path
from .oauth import PATH as TOKENS
from .oauth import Tokens
from .world import World


def application(world: World) -> Starlette:
    """Every bound route of the profile, one endpoint a path; fixed paths before open ones."""
    paths: dict[str, dict[str, Bound]] = {}
    for name, handler in HANDLERS.items():
        route = ROUTES[name]
        if route.capability is Capability.CORE or world.profile == "extended":
            paths.setdefault(route.path, {})[route.method] = Bound(route, handler)
    routes = [
        StarletteRoute(path, Path(world, bound))
        for path, bound in sorted(paths.items(), key=lambda item: item[0].count("{"))
    ]
    routes.append(StarletteRoute(f"{PREFIX}/{{name}}", Control(world)))
    routes.append(StarletteRoute(TOKENS, Tokens(world)))
    routes.append(StarletteRoute("/{rest:path}", Nowhere(world)))
    app = Starlette(routes=routes)
    app.router.redirect_slashes = False
    app.router.default = Nowhere(world)  # a target such as `*` is no path
    return app
