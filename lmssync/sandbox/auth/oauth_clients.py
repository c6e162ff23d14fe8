"""OAuth clients: those that the account team enabled to ask for access tokens (spec 5)."""

import secrets
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from .keys import Key, key_of, wire_of

DEMO_ID, DEMO_SECRET = "sandbox-demo-client", "sandbox-demo-secret"


class OAuthClient(NamedTuple):
    """One who may ask for tokens; they have the rights of `rights`."""

    id: str
    secret: str
    rights: Key


class OAuthClients:
    """The registered clients, one for the demo among them."""

    def __init__(self, stored: Iterable[Mapping[str, Any]] = ()) -> None:
        demo = OAuthClient(DEMO_ID, DEMO_SECRET, Key(""))
        self._clients = {demo.id: demo}
        for wire in stored:
            client = OAuthClient(wire["clientId"], wire["clientSecret"], key_of(wire))
            self._clients[client.id] = client

    def register_client(self, rights: Key) -> OAuthClient:
        """A new client whose tokens have the rights of a key."""
        client = OAuthClient(f"client-{secrets.token_hex(8)}", secrets.token_hex(16), rights)
        self._clients[client.id] = client
        return client

    def as_wire(self) -> list[dict[str, Any]]:
        return [client_wire(client) for client in self._clients.values()]

    def find_client(self, id_: str, secret: str) -> OAuthClient | None:
        client = self._clients.get(id_)
        right = client and secrets.compare_digest(client.secret.encode(), secret.encode())
        return client if right else None


def client_wire(client: OAuthClient) -> dict[str, Any]:
    """The client with its secret and its rights, as the store keeps it."""
    return {"clientId": client.id, "clientSecret": client.secret, **wire_of(client.rights)}
