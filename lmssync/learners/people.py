"""people: keeps what identifies learners out of everything that is stored or shown.

It knows whom the lists of the catalog name and who is behind the codes of the state, by the lists
and by the register of this machine. Which calls are about whom is for plan and apply; nothing here
reads or writes the platform.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple

from ..catalog.manifests.catalog import Catalog
from ..kind import Kind, Listed
from ..kinds import KINDS
from ..platform.client import Outcome
from ..resource import (
    Address,
    Form,
    Indexed,
    Place,
    Resource,
    canonical_text,
    careful_resources,
    compute_fingerprints,
    fingerprint_of,
    pack_text,
)
from ..state import PeopleCodes, RegisterContent, Store
from ..support.persons import RUN, bare_code, code_in, codes_in, scrub_people, spell_person


class Lists(Mapping[Address, Resource]):
    """Concealed as they are asked for; what is unchanged is not opened for its fingerprint."""

    def __init__(self, resources: Mapping[Address, Resource], codes: PeopleCodes) -> None:
        self._resources, self._codes = resources, codes
        self._opened: dict[Address, Resource] = {}
        prints = compute_fingerprints(resources)
        self.naming = [address for address in prints if KINDS[address.kind].concealed]
        """Those that name people."""
        self.forms = self._concealed_forms(prints)
        """Fingerprints of the concealed forms, as the state keeps them."""
        mine = {a: self.forms[codes.hash_of_manifest(prints[a])] for a in self.naming}
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
            manifest = self._codes.hash_of_manifest(prints[address])
            forms[manifest] = known.get(manifest) or self._conceal_resource(address).fingerprint
        return forms

    def find_plain(self, address: Address) -> Resource | None:
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


_SHOWN = 10
"""Up to this many lines, spans of lines or codes are named."""
_WORD = "person "

PlacesOf = Callable[[Iterable[str]], Mapping[str, Place]]


class _Span(NamedTuple):
    """Lines of one file that follow each other, or a single code."""

    name: str
    people: int


def name_places(text: str, places_of: PlacesOf) -> str:
    """`person CODE, person CODE` as `staff.csv:14-15`, in the order of the lines; people in
    no list keep their code, after the others."""
    return RUN.sub(lambda run: _name_places(run[0], places_of), text)


def _name_places(run: str, places_of: PlacesOf) -> str:
    people = [one.removeprefix(_WORD) for one in run.split(", ")]
    places = places_of(people)
    lines = sorted({(place.file, place.line) for place in places.values()})
    unlisted = (_Span(spell_person(one), 1) for one in people if one not in places)
    spans = [*_find_spans(lines), *unlisted]
    left = sum(span.people for span in spans[_SHOWN:])
    more = f" and {left:,} more" if left else ""
    return ", ".join(span.name for span in spans[:_SHOWN]) + more


def _find_spans(lines: Iterable[tuple[str, int]]) -> Iterator[_Span]:
    """Lines that follow each other share their distance from their position in the list."""
    numbered = enumerate(lines)
    for _, group in groupby(numbered, lambda pair: (pair[1][0], pair[1][1] - pair[0])):
        span = [line for _, line in group]
        (file, first), (_, last) = span[0], span[-1]
        yield _Span(f"{file}:{first}" if first == last else f"{file}:{first}-{last}", len(span))


class People:
    """The people of one state. Lists and register are opened on demand."""

    def __init__(self, store: Store, catalog: Catalog | None = None) -> None:
        self._store, self._codes = store, store.codes
        self._catalog = catalog
        self._lists = Lists(catalog.resources if catalog else {}, store.codes)
        self._read: dict[Address, dict[str, Listed]] = {}
        self._known: RegisterContent | None = None

    def conceal_catalog(self, catalog: Catalog) -> Catalog:
        """The catalog that was given, with codes in the place of identifiers."""
        return catalog._replace(resources=self._lists)

    def release_catalog(self) -> None:
        """Forgets the catalog where it names nobody: an apply needs the memory."""
        if not self._lists.naming:
            self._catalog, self._lists = None, Lists({}, self._codes)

    def find_desired(self, address: Address) -> Resource | None:
        """A resource of that catalog."""
        return self._lists.get(address)

    # Who they are

    @property
    def _registered(self) -> RegisterContent:
        if self._known is None:
            self._known = self._codes.register.read_people()
        return self._known

    def list_people(self, address: Address) -> dict[str, Listed]:
        """Everybody in one list of the catalog, by code."""
        if address not in self._read:
            resource, concealed = self._lists.find_plain(address), KINDS[address.kind].concealed
            named = (
                concealed.listed(resource.form, resource.facts) if resource and concealed else ()
            )
            self._read[address] = {self._codes.code_of(one.text): one for one in named}
        return self._read[address]

    def find_identifier(self, code: str) -> str | None:
        """The identifier behind a code; nothing if neither the register nor a list has it."""
        if text := self._registered.people.get(code):
            return text
        lists = (self.list_people(address) for address in self._lists.naming)
        return next((people[code].text for people in lists if code in people), None)

    def knows_code(self, code: str) -> bool:
        return self.find_identifier(code) is not None

    def reveal_form(self, address: Address, form: Form) -> Form:
        """A form with identifiers in the place of codes, as far as they are known."""
        concealed = KINDS[address.kind].concealed
        return concealed.form(form, self._reveal_value) if concealed else form

    def _reveal_value(self, value: Any) -> Any:
        code = code_in(value)
        return value if code is None else self.find_identifier(code) or value

    @property
    def resources_naming_people(self) -> Sequence[Address]:
        """The addresses of the resources that name people."""
        return self._lists.naming

    def find_people(self, address: Address) -> Mapping[str, tuple[str, Place]]:
        """Identifier and place of everybody in one list of the catalog, by bare code."""
        listed = {bare_code(code): one for code, one in self.list_people(address).items()}
        places = self._locate_people(address, listed) if listed else {}
        return {code: (str(one.text), places[code]) for code, one in listed.items()}

    @property
    def complete(self) -> bool:
        """True if everybody who is recorded can be named."""
        return all(self.knows_code(code) for code in self._recorded_codes())

    # What messages say about them

    def with_places(self, text: str, address: Address | None = None) -> str:
        """A message with file and line of those who are in a list, that of `address` first."""
        order = [address] if address in self._lists.naming else []
        order += self._lists.naming
        return name_places(text, lambda wanted: self._find_places(wanted, order))

    def _find_places(self, wanted: Iterable[str], order: Iterable[Address]) -> dict[str, Place]:
        left, places = set(wanted), dict[str, Place]()
        for address in order:
            if not left:
                break
            here: dict[str, Listed] = {}
            for code, one in self.list_people(address).items():
                here |= {name: one for name in (code, bare_code(code)) if name in left}
            places |= self._locate_people(address, here)
            left -= here.keys()
        return places

    def _locate_people(self, address: Address, people: Mapping[str, Listed]) -> dict[str, Place]:
        """Lines of a table are known; those of a manifest are looked up in it."""
        resource = self._lists.find_plain(address)
        assert self._catalog is not None
        assert resource is not None
        spots = {code: one.spot for code, one in people.items()}
        asked = {c: resource.origin.at(s) for c, s in spots.items() if not isinstance(s, Place)}
        known = {code: spot for code, spot in spots.items() if isinstance(spot, Place)}
        return self._catalog.find_places(asked) | known

    def conceal_outcome(self, kind: Kind, outcome: Outcome) -> Outcome:
        """The outcome of a call of a kind, with codes in the place of identifiers."""
        if kind.concealed is None:
            return outcome
        answer = kind.concealed.answer(outcome.answer, self._codes.swap_for_node)
        return outcome._replace(answer=answer, message=self.conceal_message(outcome.message))

    def conceal_message(self, message: str) -> str:
        """A message of the platform's, with codes for identifiers."""
        return scrub_people(message, self._by_text if message else {}, self._codes.hash_text)

    @cached_property
    def _by_text(self) -> dict[str, str]:
        """Codes by identifier in small letters, of everybody who is known."""
        people = dict(self._registered.people)
        for address in self._lists.naming:
            people |= {code: one.text for code, one in self.list_people(address).items()}
        return {text.strip().lower(): bare_code(code) for code, text in people.items()}

    # What the register keeps; the state must be locked

    def register_people(self, needed: Iterable[str]) -> None:
        """Keeps who is behind these codes, before a call that is about them."""
        more = {c: text for c in needed if (text := self.find_identifier(c))}
        if more and not more.keys() <= self._registered.people.keys():
            people = {**self._registered.people, **more}
            self._write_register(self._registered._replace(people=people))

    def refresh_register(self) -> None:
        """Brings the register in line with the state: only people who are recorded.

        Another machine may have recorded people since, whom the lists name here too.
        """
        if self._catalog is not None and self._lists.forms != self._codes.known_forms():
            self._store.remember_forms(self._lists.forms)
        if not self._codes.register.file.exists() and not self._recorded_naming_people():
            return
        serial = self._store.serial
        if (self._registered.serial, self._registered.missing) == (serial, 0):
            return
        wanted = set(self._recorded_codes())
        people = {code: text for code in wanted if (text := self.find_identifier(code))}
        self._write_register(RegisterContent(people, serial, len(wanted) - len(people)))

    def _write_register(self, known: RegisterContent) -> None:
        if known != self._registered:
            self._codes.register.write_people(known)
            self._known = known

    def _recorded_naming_people(self) -> list[Address]:
        # What is recorded of other kinds may be all that is recorded, which this need not read.
        kinds = [name for name, kind in KINDS.items() if kind.concealed]
        return [address for name in kinds for address in self._store.addresses_of_kind(name)]

    def _recorded_codes(self) -> Iterator[str]:
        """The codes of everybody in a record, or in a call that waits."""
        for address in self._recorded_naming_people():
            if record := self._store.find_record(address):
                yield from codes_in(record.form)
        for call in self._store.open_calls():
            for part in call.parts:
                if _names_people(part.address):
                    yield from codes_in(part.after)


def _names_people(address: Address) -> bool:
    kind = KINDS.get(address.kind)  # none for what a later lmssync has recorded
    return bool(kind and kind.concealed)
