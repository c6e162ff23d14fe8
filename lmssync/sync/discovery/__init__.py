"""discovery: what the platform has, listed, and made into manifests. It only reads there."""

from .bring import (
    Brought as Brought,
    Destination as Destination,
    Tell as Tell,
    bring_items as bring_items,
)
from .listing import ListedItem as ListedItem
from .manifests import ImportedResource as ImportedResource
from .names import NamesById as NamesById
from .parts import NoManifest as NoManifest, written_part as written_part
from .selection import (
    choose_items as choose_items,
    is_managed as is_managed,
    list_everything as list_everything,
)
