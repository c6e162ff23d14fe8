"""The ids of the demo company: the same in every sandbox, so that examples can name them."""

from ..data.ids import stable_id


def demo_id(number: int) -> str:
    """The id of a numbered thing: 101 learning paths, 201 what is sold, 301 videos, 401 people,
    501 assets, 601 licenses."""
    return f"7d1c0000-0000-4000-8000-{number:012}"


def client_id(slug: str) -> str:
    return stable_id("clients", slug)


def tag_id(label: str) -> str:
    return stable_id("tags", label)


def location_id(name: str) -> str:
    return stable_id("locations", name)
