"""What a course goes on doing once it has left the catalog: no route deletes one (O11)."""

from ...resource import Form
from ..kind import Effect, Removal


def removal(form: Form) -> Removal:
    """It stays on the platform; if it has a price, it keeps that too."""
    stays = "everybody who can see it still can"
    if form.get("priceInCents") and form.get("purchasable") is not False:
        return Removal(Effect.COMMERCE, f"{stays}, for the same price")
    return Removal(Effect.ACCESS, stays)
