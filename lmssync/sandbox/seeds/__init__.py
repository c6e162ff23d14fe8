"""seeds: what a new sandbox begins with: read, checked, and written into an empty platform."""

from .rules import RULES as RULES
from .seed import checked as checked, complete as complete, plant as plant, read as read
from .shape import TREE as TREE, checked_items as checked_items, needed as needed
