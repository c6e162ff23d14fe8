"""seeds: what a new sandbox begins with: read, checked, and written into an empty platform."""

from .rules import RULES as RULES
from .seed import complete as complete
from .seed import plant as plant
from .seed import read as read
from .shape import TREE as TREE
from .shape import checked_items as checked_items
from .shape import needed as needed
