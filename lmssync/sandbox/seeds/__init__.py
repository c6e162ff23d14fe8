"""seeds: what a new sandbox begins with: read, checked, and written into an empty platform."""

from .rules import RULES as RULES
from .seed import (
    check_seed as check_seed,
    complete_item as complete_item,
    plant_seed as plant_seed,
    read_seed as read_seed,
)
from .shape import (
    TREE as TREE,
    checked_items as checked_items,
    needed_fields_of as needed_fields_of,
)
