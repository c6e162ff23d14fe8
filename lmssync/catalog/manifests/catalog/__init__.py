"""catalog: a whole catalog from its files; only files that have changed are read."""

from .catalog_loading import (
    in_git as in_git,
    list_scopes as list_scopes,
    load_catalog as load_catalog,
)
from .changed_files import make_entry as make_entry
from .lazy_catalog import Catalog as Catalog
