"""catalog: a whole catalog from its files, of which only what has changed is read."""

from .catalog import Catalog as Catalog
from .loading import in_git as in_git
from .loading import load as load
from .loading import scopes as scopes
