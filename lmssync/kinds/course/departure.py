"""What a course goes on doing once it has left the catalog: no route deletes one (O11)."""

from ...resource import Form
from ..kind import Departure, Effect


def departure(form: Form) -> Departure:
    """It stays on the platform; if it has a price, it keeps that too."""
    stays = "everybody who can see it still can"
    if form.get("priceInCents") and form.get("purchasable") is not False:
        return Departure(Effect.COMMERCE, f"{stays}, for the same price")
    return Departure(Effect.ACCESS, stays)
