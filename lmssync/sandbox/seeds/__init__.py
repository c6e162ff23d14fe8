"""seeds: what a new sandbox begins with: read, checked, and written into an empty platform."""

from .seed import complete, plant, read
from .shape import TREE, checked_items, needed

__all__ = ["TREE", "checked_items", "complete", "needed", "plant", "read"]
