"""What the sandbox does not serve yet."""

from lmssync.sandbox.route_bindings import HANDLERS
from lmssync.vocabulary.routes import ROUTES, Capability

from .tables import words


def missing() -> str:
    """A sentence that names the routes of the specification which have no handler."""
    routes = [route for route in ROUTES.values() if route.capability is Capability.CORE]
    names = [f"{route.method} {route.path}" for route in routes if route.name not in HANDLERS]
    if not names:
        return "It serves every route whose shape the specification shows.\n"
    return f"Of the routes whose shape the specification shows, it lacks: {words(names)}.\n"
