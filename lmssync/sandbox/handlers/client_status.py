"""`client.status`: a client is disabled, or enabled again (O34)."""

from ..call import Call
from ..checks import shown
from ..http import Answer, absent, bad, forbidden
from ..platform import Platform
from .client_view import as_wire

DISABLED = "disabled"


def update(platform: Platform, call: Call) -> Answer:
    """Any other status than `disabled` enables; the client comes back as the list shows it."""
    client = platform.objects.get("clients", call.path["id"])
    if client is None:
        raise absent("client", call.path["id"])
    if not call.key.may_see_client(client["id"]):
        raise forbidden("The API key may not change this client")
    status = call.body.get("status")
    if status is None:
        raise bad("status: is required; disabled disables the client, any other value enables it")
    if isinstance(status, list | dict):
        raise bad(f"status: is {shown(status)}; it must be text, a number, true or false")
    client.update(disabled=status == DISABLED, updatedAt=platform.clock.stamp())
    platform.objects.save("clients", client)
    return Answer(as_wire(platform, client))
