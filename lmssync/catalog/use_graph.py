"""What uses what in a catalog: resources, their parts, their files, and what they name outside.

A course uses its parts, a part uses its body file, a criterion uses its course and the page that it
is about. Parts that neither use anything nor are used by another resource are left out.
"""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import accumulate
from typing import Any, NamedTuple

from ..kinds import KINDS
from ..resource import Address, Form, Path, Resource
from .manifests.catalog import Catalog
from .manifests.check import list_named_files
from .manifests.documents import Scope


class GraphNode(NamedTuple):
    """Something that is used or that uses; `sort` is resource, part, file or outside."""

    sort: str
    name: str


Uses = Mapping[GraphNode, Sequence[GraphNode]]
"""For each node, the nodes next to it, in the order of the manifest."""
Link = tuple[GraphNode, GraphNode]
"""A node and one that it uses."""


class _Neighbours(Uses):
    """What is next to each node, all of it in two arrays: with a hundred thousand nodes a list for
    each would fill the memory."""

    def __init__(
        self, numbers: Mapping[GraphNode, int], begins: Sequence[int], ends: Sequence[int]
    ) -> None:
        """`numbers` has the place of each node; each link leads from a place to another."""
        self._numbers, self._nodes = numbers, list(numbers)
        counts = array("q", bytes(8 * len(numbers)))
        for number in begins:
            counts[number] += 1
        self._starts = array("q", accumulate(counts, initial=0))
        order = sorted(range(len(begins)), key=begins.__getitem__)
        self._ends = array("q", map(ends.__getitem__, order))

    def __getitem__(self, node: GraphNode) -> Sequence[GraphNode]:
        start, end = (self._starts[self._numbers[node] + further] for further in (0, 1))
        return [self._nodes[number] for number in dict.fromkeys(self._ends[start:end])]

    def __iter__(self) -> Iterator[GraphNode]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)


class _Reached(Uses):
    """Some nodes, in an order of their own, with what is next to them."""

    def __init__(self, nodes: Mapping[GraphNode, None], links: Uses) -> None:
        self._nodes, self._links = nodes, links

    def __getitem__(self, node: GraphNode) -> Sequence[GraphNode]:
        return self._links[node]

    def __iter__(self) -> Iterator[GraphNode]:
        return iter(self._nodes)

    def __len__(self) -> int:
        return len(self._nodes)


class UseGraph(NamedTuple):
    """Who uses whom in a catalog, in both directions."""

    uses: Uses
    users: Uses

    def find_nodes(self, pattern: str) -> list[GraphNode]:
        """The nodes with a name like the pattern; only resources, if a resource has such a name."""
        # Otherwise `course.a*` would begin at the parts of its courses as well.
        found = [node for node in self.uses if fnmatchcase(node.name, pattern)]
        return [node for node in found if node.sort == "resource"] or found

    def list_reached(self, starts: Iterable[GraphNode], *, reverse: bool) -> Uses:
        """Everything that the nodes use, directly or not, or with `reverse` that uses them."""
        links = self.users if reverse else self.uses
        reached: dict[GraphNode, None] = {}
        waiting = list(starts)
        while waiting:
            node = waiting.pop()
            if node not in reached:
                reached[node] = None
                waiting += links[node]
        return _Reached(reached, links)


def build_catalog_graph(catalog: Catalog) -> UseGraph:
    """The graph of a catalog. Manifests that name files are read again, to see which part does."""
    scope = catalog.scope or Scope(catalog.root)
    files: dict[Address, list[tuple[Path, str]]] = {}
    for manifest in catalog.named_files:
        for named in list_named_files(scope, manifest, catalog.resources):
            files.setdefault(named.address, []).append((named.path, named.file))
    numbers: dict[GraphNode, int] = {}
    users, used = array("q"), array("q")
    for resource in catalog.iterate_outlines():
        # Also what neither uses nor is used has its place in the graph.
        numbers.setdefault(_resource_node(resource.address), len(numbers))
        for link in _list_uses(resource, files.get(resource.address, ())):
            user, other = (numbers.setdefault(node, len(numbers)) for node in link)
            users.append(user)
            used.append(other)
    return UseGraph(_Neighbours(numbers, users, used), _Neighbours(numbers, used, users))


def _list_uses(resource: Resource, files: Sequence[tuple[Path, str]]) -> Iterator[Link]:
    address, form = resource.address, resource.form
    for path, file in files:
        holder, links = _holder_of(address, form, path)
        yield from links
        yield holder, GraphNode("file", file)
    for reference in resource.references:
        holder, links = _holder_of(address, form, reference.path)
        yield from links
        named = reference.address
        sort = "resource" if named.kind in KINDS else "outside"
        yield holder, GraphNode(sort, str(named))
        if reference.part:
            part = _part_node(named, reference.part)
            yield _resource_node(named), part
            yield holder, part
    for named_id in KINDS[address.kind].relations.ids(form):
        holder, links = _holder_of(address, form, named_id.path)
        yield from links
        yield holder, GraphNode("outside", f"{named_id.what}.{named_id.id}")


def _holder_of(address: Address, form: Form, path: Path) -> tuple[GraphNode, list[Link]]:
    """The part that has this path, or else the resource; and that the resource uses the part."""
    ids: list[str] = []
    value: Any = form
    for step in path[:-1]:
        try:
            value = value[step]
        except LookupError:  # the form has it elsewhere, and then not in a part
            break
        if isinstance(step, int) and isinstance(value, dict) and "id" in value:
            ids.append(value["id"])
    whole = _resource_node(address)
    part = _part_node(address, "/".join(ids))
    return (part, [(whole, part)]) if ids else (whole, [])


def _resource_node(address: Address) -> GraphNode:
    return GraphNode("resource", str(address))


def _part_node(address: Address, part: str) -> GraphNode:
    return GraphNode("part", f"{address}/{part}")
