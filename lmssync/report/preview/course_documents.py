"""Resources as the documents that the platform would have, with their addresses in place of ids."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from ...kind import CallPart, body_entries
from ...kinds import KINDS, is_structure
from ...resource import Address, Form
from ...support.pages import CRITERION, PATH, Document, complete_entry
from ...texts.values import render_markdown

COURSE, SESSION = "course.create", "course.update"
"""The routes that make a course and a further session of one."""


class HeldResource(Protocol):
    """A resource of the catalog, or the record of one."""

    @property
    def form(self) -> Form:
        """The form of the resource."""

    @property
    def fingerprint(self) -> str:
        """Differs where the form does."""


class Documents:
    """The courses among some resources, each opened when it is shown, and what belongs to them."""

    def __init__(self, held: Mapping[Address, HeldResource]) -> None:
        self._held = held
        one_of = {address.kind: address for address in held}
        routes = {kind: self._call(address).route for kind, address in one_of.items()}
        self.courses = [address for address in held if routes[address.kind] == COURSE]
        self.sessions: dict[Address, Address] = {}
        """Further sessions, each with its course."""
        self._inside: dict[tuple[str, str], list[Document]] = defaultdict(list)
        self._prints: dict[str, list[str]] = defaultdict(list)
        for address, resource in held.items():
            if (route := routes[address.kind]) in (SESSION, CRITERION, PATH):
                owner, document = self._owned_document(address)
                if route == SESSION:
                    self.sessions |= {address: Address.parse(owner)} if "." in owner else {}
                else:
                    self._inside[route, owner].append(document)
                self._prints[owner].append(resource.fingerprint)

    def _call(self, address: Address) -> CallPart:
        return KINDS[address.kind].calls.create(address, self._held[address].form, None)

    def _owned_document(self, address: Address) -> tuple[str, Document]:
        """What belongs to a course, after the address of the course."""
        part = self._call(address)
        (entry,) = body_entries(part.route, part.body)
        document = _shown_value(entry)
        owners = (document.get(name) for name in ("courseId", "courseGroupId"))
        return next(filter(None, owners), None) or _shown_value(part.params["contentId"]), document

    def __contains__(self, address: Address) -> bool:
        return address in self._held

    def version(self, course: Address) -> tuple[str, ...]:
        """Differs where the course does, or anything that belongs to it."""
        return self._held[course].fingerprint, *sorted(self._prints[str(course)])

    def inside(self, route: str, course: Address) -> Sequence[Document]:
        """The criteria or the purchase paths of a course."""
        return self._inside[route, str(course)]

    def head(self, course: Address) -> Document:
        """A course without what stands in it."""
        entry = _entry(self._call(course))
        return complete_entry({n: _shown_value(v) for n, v in entry.items() if not is_structure(v)})

    def whole(self, course: Address, empty: Mapping[str, str]) -> Document:
        """A course, or a further session, with its bodies; `empty` are the paths of topics that
        nobody has filled, with what is to be written there in Markdown."""
        form, sent = self._held[course].form, _entry(self._call(course))
        if course in self.sessions:  # its sections are added by further calls
            sent = {**sent, "sections": form.get("sections", [])}
        entry = {name: form.get(name, value) for name, value in sent.items()}
        named = {name: _with_paths(value, "", empty) for name, value in entry.items()}
        return complete_entry(_shown_value(named))


def _entry(part: CallPart) -> Mapping[str, Any]:
    (entry,) = body_entries(part.route, part.body)
    return dict(entry)


def _with_paths(value: Any, above: str, empty: Mapping[str, str]) -> Any:
    """Parts with their paths in place of their ids: `start/welcome` of `welcome`."""
    return list(_paths(value, above, empty)) if is_structure(value) else value


def _paths(
    items: Sequence[Mapping[str, Any]], above: str, empty: Mapping[str, str]
) -> Iterator[Mapping[str, Any]]:
    for item in items:
        path = f"{above}{item['id']}"
        inner = {name: _with_paths(value, f"{path}/", empty) for name, value in item.items()}
        questions = render_markdown(empty[path]) if empty.get(path) else ""
        yield {**inner, "id": path, "filled": path not in empty, "questions": questions}


def _shown_value(value: Any) -> Any:
    """A value with addresses, paths of parts and HTML in place of the nodes for them."""
    if isinstance(value, list):
        return [_shown_value(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "$markdown" in value:
        return render_markdown(value["$markdown"])
    if "$ref" in value:
        return value.get("part") or value["$ref"]
    return {name: _shown_value(item) for name, item in value.items()}
