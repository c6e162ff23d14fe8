"""A catalog for people and for programs: outlines of its resources, what uses what, its tags."""

import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from ..kinds import KINDS, is_structure, is_uuid
from ..resource import Address, Form, Place, Resource
from ..support.invisible_characters import escape_invisible
from ..vocabulary.enums import spell_type
from .field_words import name_field, word_value
from .terminal_style import PLAIN, Colour, TextStyle
from .value_words import count_noun, find_text, spell_minutes, spell_value

if TYPE_CHECKING:
    from ..catalog.manifests.export import Manifest
    from ..catalog.use_graph import GraphNode, Uses

Used = Mapping[str, Sequence[Address]]
"""Addresses by the label of a tag, in the order in which they are shown."""
_LONGEST = 40
"""Longest text that is shown; a longer one is an address or prose."""
_HIDDEN = frozenset({"id", "title", "name", "body"})
_COLUMN_MOST = 40
"""Columns of ids and addresses; a longer one pushes its title along."""
_A_MINUTE = 200
"""Words that people read in a minute."""


def export_json(manifests: "Iterable[Manifest]", files: Iterable[str]) -> dict[str, Any]:
    """The document of `export --json`: every manifest, and the files that were written."""
    listed = (
        {
            "address": str(manifest.address),
            "shortForms": [str(address) for address in manifest.inner],
            "manifest": manifest.data,
        }
        for manifest in manifests
    )
    return {"format": "lmssync.export/1", "manifests": listed, "files": iter(files)}


def tags_text(used: Used, *, whole: bool) -> str:
    """One line per tag with the number of its users; `whole` lists them."""
    if whole:
        return "".join(
            f"{escape_invisible(str(address))}\n" for users in used.values() for address in users
        )
    width = max((len(escape_invisible(label)) for label in used), default=0)
    lines = [
        f"{escape_invisible(label):<{width}}  {count_noun(len(users), 'resource')}"
        for label, users in used.items()
    ]
    return "\n".join(lines or ["The catalog uses no tags."]) + "\n"


def tags_json(used: Used) -> dict[str, Any]:
    return {
        "format": "lmssync.tags/1",
        "tags": [
            {"label": label, "resources": list(map(str, users))} for label, users in used.items()
        ],
    }


class Part(NamedTuple):
    """A part, such as a section or a page."""

    id: str
    path: str
    """As manifests name it: `start/welcome/hello`."""
    level: str
    """The field that lists it: `topics`."""
    title: str
    facts: Mapping[str, Any]
    """Its short values, `words` of its body among them."""
    empty: bool
    """It is created without content, and no person has confirmed that it was filled."""
    parts: tuple["Part", ...]

    def all(self) -> Iterator["Part"]:
        """Yields the part and everything below it."""
        yield self
        for part in self.parts:
            yield from part.all()


class Tree(NamedTuple):
    """One resource."""

    address: Address
    title: str
    place: Place
    facts: Mapping[str, Any]
    parts: tuple[Part, ...]
    own: tuple[tuple[Address, str], ...]
    """What stands in it in short form, or could, each with its title."""
    named_by: tuple[Address, ...]
    """Other resources that refer to it."""

    def all(self) -> Iterator[Part]:
        """Every part, in the order of learning."""
        for part in self.parts:
            yield from part.all()


def build_outline_tree(
    resource: Resource, place: Place, others: Mapping[Address, Resource]
) -> Tree:
    """The outline of a resource; `others` are those that refer to it, in the order of a catalog."""
    address, form = resource.address, resource.form
    own = {a: r for a, r in others.items() if a.key.startswith(f"{address.key}.")}
    empty = resource.facts.get("hollow", {})
    return Tree(
        address,
        KINDS[address.kind].authoring.title(form),
        place,
        _facts_of(form),
        tuple(_parts(form, "", empty)),
        tuple((a, KINDS[a.kind].authoring.title_beside(r.form, form)) for a, r in own.items()),
        tuple(a for a in others if a not in own),
    )


def _parts(holder: Form, above: str, empty: Mapping[str, Any]) -> Iterator[Part]:
    for level, items in holder.items():
        for item in items if is_structure(items) else ():
            path = f"{above}{item['id']}"
            inner = tuple(_parts(item, f"{path}/", empty))
            yield Part(
                item["id"], path, level, item["title"], _facts_of(item), path in empty, inner
            )


def _facts_of(holder: Form) -> dict[str, Any]:
    """The short values, those that say what it is first, and the words of every body in it."""
    values = {name: value for name, value in holder.items() if not is_structure(value)}
    plain = {name: _plain(value) for name, value in values.items() if name not in _HIDDEN}
    facts = {name: value for name, value in plain.items() if value is not None}
    first: dict[str, Any] = {k: facts.pop(k) for k in ("kind", "type", "status") if k in facts}
    bodies = (v for k, v in values.items() if k == "body" or isinstance(v, dict))
    count = sum(map(_words, bodies))
    return {**first, **({"words": count} if count else {}), **facts}


def _plain(value: Any) -> Any:
    """A value that fits into a line, references by name; nothing for what has parts or prose."""
    if isinstance(value, list) and value and all(isinstance(v, str | dict) for v in value):
        names = [item if isinstance(item, str) else _plain(item) for item in value]
        return ", ".join(names) if all(isinstance(name, str) for name in names) else None
    if isinstance(value, dict):
        return spell_value(value) if "$ref" in value else None
    if isinstance(value, str):
        return value if 0 < len(value) <= _LONGEST else None
    return value if isinstance(value, int | float) else None


def _words(value: Any) -> int:
    """The words of a body, or of the body in a mapping such as the text of an article."""
    text = find_text(value)
    if text is not None:
        return len(text.split())
    return _words(value["body"]) if isinstance(value, dict) and "body" in value else 0


def tree_text(
    tree: Tree, style: TextStyle = PLAIN, *, width: int | None = None, currency: str = ""
) -> str:
    """One resource with all its parts, lines at most `width` wide; else one line per part."""
    head = style(escape_invisible(str(tree.address)), Colour.BOLD)
    lines = [f"{head}  {spell_value(tree.title, full=True)}" if tree.title else head]
    lines += _wrap_text(f"{tree.place.file}:{tree.place.line}", "  ", width)
    lines += _wrap_text(_facts(tree.facts, currency), "  ", width)
    lines += [*_rows(list(_tree(tree.parts)), width), *_size(tree)]
    lines += _rows([(f"  {address}", title) for address, title in tree.own], width)
    if tree.named_by:
        users = ", ".join(map(str, tree.named_by))
        lines += ["", *_wrap_text(f"Referred to by: {users}", "  ", width)]
    return "\n".join(lines) + "\n"


def list_text(resources: Iterable[Resource], *, width: int | None = None) -> str:
    """One line per resource: address, title, and how many parts it has."""
    rows = []
    for one in resources:
        form = one.form
        counts, title = _counts(_list_levels(form)), KINDS[one.address.kind].authoring.title(form)
        rows.append((str(one.address), f"{title} ({counts})" if counts else title))
    return "\n".join(_rows(rows, width)[1:]) + "\n" if rows else "The catalog is empty.\n"


def _list_levels(holder: Form) -> Iterator[str]:
    """The level of each part, in the order of learning."""
    for level, items in holder.items():
        for item in items if is_structure(items) else ():
            yield level
            yield from _list_levels(item)


def _tree(parts: Iterable[Part], indent: str = "  ") -> Iterator[tuple[str, str]]:
    for part in parts:
        empty = "to be filled by hand" if part.empty else ""
        facts = ", ".join(filter(None, (_facts(part.facts), empty)))
        yield f"{indent}{part.id}", part.title + (f" ({facts})" if facts else "")
        yield from _tree(part.parts, f"{indent}  ")


def _facts(facts: Mapping[str, Any], currency: str = "") -> str:
    """`text, 312 words, price: 19.00 EUR`; ids of the platform, which say nothing to people, are
    left out."""
    shown = (item for item in facts.items() if not is_uuid(str(item[1])))
    return ", ".join(_fact(name, value, currency) for name, value in shown)


def _fact(name: str, value: Any, currency: str) -> str:
    if name == "words":
        return count_noun(value, "word")
    if name in {"kind", "type", "status"}:
        return spell_type(str(value))
    worded = word_value(name, value, currency)
    if name == "openType":
        return str(worded)
    text = str(value).lower() if isinstance(value, bool) else str(worded)
    return f"{name_field(name)}: {text}"


def _size(tree: Tree) -> Iterator[str]:
    """`3 sections, 4 lessons, 9 pages; 2,310 words, about 12 min to read.`"""
    count = sum(part.facts.get("words", 0) for part in tree.all()) + tree.facts.get("words", 0)
    minutes = count / _A_MINUTE
    about = "" if minutes < 1 else "about "
    read = f"{count_noun(count, 'word')}, {about}{spell_minutes(minutes)} to read" if count else ""
    if size := "; ".join(filter(None, (_counts(part.level for part in tree.all()), read))):
        yield ""
        yield f"  {size}."


def _counts(levels: Iterable[str]) -> str:
    return ", ".join(
        count_noun(n, name_field(level).removesuffix("s")) for level, n in Counter(levels).items()
    )


def _rows(rows: list[tuple[str, str]], width: int | None) -> list[str]:
    """Two columns below an empty line; text that is too wide continues below its column."""
    if not rows:
        return []
    shown = [(escape_invisible(left), escape_invisible(right)) for left, right in rows]
    fitting = (len(left) for left, _ in shown if len(left) <= _COLUMN_MOST)
    column = max(fitting, default=_COLUMN_MOST)
    hanging = " " * (column + 2)
    lines = [f"{left:<{column}}  {right}".rstrip() for left, right in shown]
    return ["", *(part for line in lines for part in _fill_line(line, width, hanging))]


def _wrap_text(text: str, indent: str, width: int | None) -> list[str]:
    return _fill_line(f"{indent}{escape_invisible(text)}", width, indent) if text else []


def _fill_line(line: str, width: int | None, hanging: str) -> list[str]:
    """The line, broken at blanks; those at its beginning and between its columns stay."""
    if width is None:
        return [line]
    return textwrap.wrap(
        line,
        width,
        subsequent_indent=hanging,
        break_long_words=False,
        break_on_hyphens=False,
        replace_whitespace=False,
    )


def tree_json(trees: Iterable[Tree]) -> dict[str, Any]:
    resources = (
        {
            "address": str(tree.address),
            "title": tree.title,
            "file": tree.place.file,
            "line": tree.place.line,
            "facts": dict(tree.facts),
            "parts": [_part(part) for part in tree.parts],
            "own": [{"address": str(address), "title": title} for address, title in tree.own],
            "namedBy": list(map(str, tree.named_by)),
        }
        for tree in trees
    )
    return {"format": "lmssync.outline/1", "resources": resources}


def _part(part: Part) -> dict[str, Any]:
    return {**part._asdict(), "facts": dict(part.facts), "parts": [_part(p) for p in part.parts]}


Titles = Mapping["GraphNode", str]
"""Titles of resources."""


def graph_text(
    starts: Sequence["GraphNode"], links: "Uses", titles: Titles, style: TextStyle = PLAIN
) -> Iterator[str]:
    """The lines of a tree for each start, and for what no start leads to, as in circles; each node
    is taken apart once."""
    if not starts:
        yield "The catalog is empty."
        return
    shown: set[GraphNode] = set()
    for start in chain(starts, links):
        if start not in shown:
            yield from _tree_lines(start, links, titles, shown, style)


def _tree_lines(
    start: "GraphNode", links: "Uses", titles: Titles, shown: set["GraphNode"], style: TextStyle
) -> Iterator[str]:
    waiting = [(0, start)]
    while waiting:  # not by recursion: a chain may be as long as a catalog
        depth, node = waiting.pop()
        name = escape_invisible(node.name)
        title = f"  {spell_value(titles[node], full=True)}" if titles.get(node) else ""
        above = "  (see above)" if node in shown and links[node] else ""
        yield "  " * depth + (name if depth else style(name, Colour.BOLD)) + title + above
        if node not in shown:
            shown.add(node)
            waiting += [(depth + 1, other) for other in reversed(links[node])]


def graph_json(
    starts: Sequence["GraphNode"], links: "Uses", titles: Titles, *, reverse: bool
) -> dict[str, Any]:
    """Nodes and edges; an edge leads from what uses to what is used, in either direction."""
    return {
        "format": "lmssync.graph/1",
        "starts": (node.name for node in starts),
        "nodes": (
            {"name": node.name, "sort": node.sort, "title": titles.get(node, "")} for node in links
        ),
        "edges": (
            {"from": user.name, "to": used.name} for user, used in _list_edges(links, reverse)
        ),
    }


def graph_dot(links: "Uses", titles: Titles, *, reverse: bool) -> Iterator[str]:
    """The lines of the graph in the language of Graphviz."""
    numbers = {node: number for number, node in enumerate(links)}
    shapes = {"resource": "box", "part": "ellipse", "file": "note", "outside": "plaintext"}
    yield "digraph catalog {"
    yield "  rankdir=LR;"
    for node, number in numbers.items():
        label = _label(node, titles, _escape_dot)
        yield f'  n{number} [shape={shapes[node.sort]}, label="{label}"];'
    for user, used in _list_edges(links, reverse):
        yield f"  n{numbers[user]} -> n{numbers[used]};"
    yield "}"


def graph_mermaid(links: "Uses", titles: Titles, *, reverse: bool) -> Iterator[str]:
    """The lines of the graph in the language of Mermaid, which code hosts draw in Markdown."""
    numbers = {node: number for number, node in enumerate(links)}
    shapes = {"resource": "[{}]", "part": "({})", "file": "[/{}/]", "outside": "{{{{{}}}}}"}
    yield "flowchart LR"
    for node, number in numbers.items():
        label = f'"{_label(node, titles, _escape_mermaid)}"'
        yield f"  n{number}{shapes[node.sort].format(label)}"
    for user, used in _list_edges(links, reverse):
        yield f"  n{numbers[user]} --> n{numbers[used]}"


def _list_edges(links: "Uses", reverse: bool) -> Iterator[tuple["GraphNode", "GraphNode"]]:  # noqa: FBT001
    pairs = ((node, other) for node, others in links.items() for other in others)
    return ((other, node) if reverse else (node, other) for node, other in pairs)


def _label(node: "GraphNode", titles: Titles, escape: Callable[[str], str]) -> str:
    lines = [node.name, titles.get(node, "")]
    return escape("\n").join(escape(escape_invisible(line)) for line in lines if line)


def _escape_dot(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _escape_mermaid(text: str) -> str:
    codes = {character: f"#{ord(character)};" for character in '#"&<>`'}
    return "".join(codes.get(character, character) for character in text).replace("\n", "<br>")
