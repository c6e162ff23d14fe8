"""The resources of a catalog as every later stage sees them: with codes in place of people."""

from collections.abc import Iterator, Mapping

from ...kinds import KINDS
from ...resource import (
    Address,
    Indexed,
    Resource,
    canonical_text,
    careful_resources,
    fingerprint_of,
    fingerprints,
    pack_text,
)
from ...state import Codes


class Lists(Mapping[Address, Resource]):
    """Concealed as they are asked for; what is unchanged is not opened for its fingerprint."""

    def __init__(self, resources: Mapping[Address, Resource], codes: Codes) -> None:
        self._resources, self._codes = resources, codes
        self._opened: dict[Address, Resource] = {}
        prints = fingerprints(resources)
        self.naming = [address for address in prints if KINDS[address.kind].concealed]
        """Those that name people."""
        self.forms = self._concealed_forms(prints)
        """Fingerprints of the concealed forms, as `Codes.remember` keeps them."""
        mine = {a: self.forms[codes.of_manifest(prints[a])] for a in self.naming}
        self.fingerprints = {**prints, **mine} if mine else prints
        self.careful = (
            resources.careful
            if isinstance(resources, Indexed)
            else [resource.address for resource in careful_resources(resources)]
        )

    def _concealed_forms(self, prints: Mapping[Address, str]) -> dict[str, str]:
        known = self._codes.known_forms() if self.naming else {}
        forms: dict[str, str] = {}
        for address in self.naming:
            manifest = self._codes.of_manifest(prints[address])
            forms[manifest] = known.get(manifest) or self._conceal_resource(address).fingerprint
        return forms

    def find_plain(self, address: Address) -> Resource | None:
        """The resource as the catalog has it."""
        return self._resources.get(address)

    def __getitem__(self, address: Address) -> Resource:
        if KINDS[address.kind].concealed and address in self._resources:
            return self._conceal_resource(address)
        return self._resources[address]

    def _conceal_resource(self, address: Address) -> Resource:
        if address not in self._opened:
            resource, concealed = self._resources[address], KINDS[address.kind].concealed
            assert concealed is not None
            text = canonical_text(concealed.form(resource.form, self._codes.swap_for_node))
            print_, body = fingerprint_of(text), pack_text(text)
            self._opened[address] = resource._replace(fingerprint=print_, body=body)
        return self._opened[address]

    def __iter__(self) -> Iterator[Address]:
        return iter(self._resources)

    def __len__(self) -> int:
        return len(self._resources)

    def __contains__(self, address: object) -> bool:
        return address in self._resources
