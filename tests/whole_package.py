"""Imports all modules of the package but those of the sandbox: `forking` begins with them."""

import gc
import importlib
import pkgutil
from types import ModuleType

import lmssync

_APART = {"lmssync.__main__", "lmssync.sandbox"}


def _import_below(package: ModuleType) -> None:
    for found in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        if found.name not in _APART:
            module = importlib.import_module(found.name)
            if found.ispkg:
                _import_below(module)


_import_below(lmssync)
gc.freeze()  # a process that looks for garbage here would copy all of it
