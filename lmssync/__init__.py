"""lmssync: keep a learning catalog in git and the platform in step with it.

What `docs/library.md` names is here for scripts; it is imported once somebody asks for it.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .errors import (
        Forbidden as Forbidden,
        InvalidCatalog as InvalidCatalog,
        LmssyncError as LmssyncError,
        PlatformError as PlatformError,
        StalePlan as StalePlan,
        StateLocked as StateLocked,
    )
    from .library import (
        Catalog as Catalog,
        Plan as Plan,
        Receipt as Receipt,
        Validated as Validated,
        open_catalog as open_catalog,
    )
    from .planning.plan import PlannedChange as PlannedChange
    from .problems import Problem as Problem

__version__ = "0.1.0"
_FACE = {
    "errors": "Forbidden InvalidCatalog LmssyncError PlatformError StalePlan StateLocked",
    "library": "Catalog Plan Receipt Validated open_catalog",
    "planning.plan": "PlannedChange",
    "problems": "Problem",
}
"""The names that others may rely on, by the module that they stand in."""


def __getattr__(name: str) -> Any:
    module = next((module for module, names in _FACE.items() if name in names.split()), None)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f".{module}", __name__), name)


def __dir__() -> list[str]:
    return ["__version__", *" ".join(_FACE.values()).split()]
