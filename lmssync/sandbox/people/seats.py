"""Seats: how many learners hold each license, counted from the accounts and stored nowhere."""

from collections import Counter

from ..platform import Platform
from .license_change import held


def used(platform: Platform, client_id: str) -> Counter[str]:
    """Seats in use by license id; only users of a client hold its licenses (spec 4)."""
    users = platform.objects.owned("users", client_id)
    return Counter(license_id for user in users for license_id in held(user))
