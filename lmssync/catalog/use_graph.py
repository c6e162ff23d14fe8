"""What uses what in a catalog: resources, their parts, their files, and what they name outside.

A course uses its parts, a part uses its body file, a criterion uses its course and the page that it
is about. Parts that neither use anything nor are used by another resource are left out.
"""

from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
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


Uses = dict[GraphNode, dict[GraphNode, None]]
"""For each node, the nodes next to it, in the order of the manifest."""


Link = tuple[GraphNode, GraphNode | None]
"""A node and one that it uses; None where it may use nothing."""


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
        reached: Uses = {}
        waiting = list(starts)
        while waiting:
            node = waiting.pop()
            if node not in reached:
                reached[node] = links[node]
                waiting += links[node]
        return reached


def build_catalog_graph(catalog: Catalog) -> UseGraph:
    """The graph of a catalog. Manifests that name files are read again, to see which part does."""
    resources, scope = catalog.outlines, catalog.scope or Scope(catalog.root)
    files: dict[Address, list[tuple[Path, str]]] = {}
    for manifest in catalog.named_files:
        for named in list_named_files(scope, manifest, resources):
            files.setdefault(named.address, []).append((named.path, named.file))
    uses: Uses = {}
    users: Uses = {}
    for address, resource in resources.items():
        # Also what neither uses nor is used has its place in the graph.
        links: list[Link] = [(_resource_node(address), None)]
        links += _list_uses(resource, files.get(address, ()))
        for user, used in links:
            uses.setdefault(user, {})
            users.setdefault(user, {})
            if used:
                uses.setdefault(used, {})
                uses[user][used] = None
                users.setdefault(used, {})[user] = None
    return UseGraph(uses, users)


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
