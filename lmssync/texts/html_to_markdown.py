"""HTML as the Markdown that a person would have written, where learners see the same page.

Each result is proven: it is rendered by the renderer that `apply` uses, and compared. What
Markdown has no words for stays HTML inside it, as long as most of the text is Markdown.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from html import escape

from .html_layout import (
    COMMENT,
    INLINE,
    WITHOUT_END,
    Node,
    NotATree,
    list_layout_events,
    parse_tree,
)
from .values import render_markdown

_HEADING = re.compile(r"h([1-6])")
_WHOLE = frozenset(["iframe", "object", "svg", "math", "video", "audio", "select", "button"])
"""Elements of a line that stay HTML, with all that is in them."""
# What begins markup anywhere in a line. An underscore within a word begins none (`snake_case`), so
# it needs no backslash; nor does a `<` or `&` before a blank.
_ALWAYS = re.compile(r"([\\`*\[\]])|(?<!\w)(_)|(_)(?!\w)|(<)(?=[A-Za-z/!?])|(&)(?=#?\w+;)")
# What begins a block, or makes a heading of the line above it (`===`, `---`), only at the start of
# a line.
_AT_START = re.compile(r"(?m)^(\s*)(#{1,6}(?=\s|$)|[-+](?=\s|$)|>|~~~|=+\s*$|-+\s*$|\|)")
_NUMBERED = re.compile(r"(?m)^(\s*\d{1,9})([.)])(?=\s|$)")
_BLANKS = re.compile(r"[ \t\f]+")
_LINE_END = re.compile(r" ?[\r\n][ \r\n]*")
_BOX_NAMES = "address article aside center details div footer header main section"
_BOXES = frozenset(_BOX_NAMES.split())
"""Elements around blocks: between their tags, each on a line of its own, Markdown is read."""
_BOX_TAG = re.compile(rf"</?(?:{'|'.join(sorted(_BOXES))})\b[^<>\n]*>")
_PLAIN_LANGUAGE = re.compile(r"language-([\w+#.-]+)")


class _NoWords(Exception):
    """Something that Markdown cannot say."""


def html_to_markdown(html: str) -> str | None:
    """The Markdown that renders to the same page; none if most of it would stay HTML."""
    try:
        tree = parse_tree(html)
    except NotATree:
        return None
    # One block that does not come back the same spoils the proof of the whole text. Only then each
    # block is proven alone, so that this one stays HTML and the others do not.
    for write in (_block_to_markdown, _block_with_proof):  # the proof of each costs more
        text = _text_to_markdown(tree, write)
        if text and _renders_to(tree, text):
            return text
    return None


def _renders_to(tree: Node, text: str) -> bool:
    try:
        rendered = parse_tree(render_markdown(text))
    except NotATree:
        return False  # the HTML in the Markdown does not fit together
    return list_layout_events(rendered) == list_layout_events(tree)


WriteBlock = Callable[[Node], str]


def _text_to_markdown(tree: Node, write: WriteBlock) -> str:
    """The blocks of a text as Markdown; empty if most of them would stay HTML."""
    try:
        pieces = list(_blocks_to_markdown(tree, write))
    except _NoWords:
        return ""
    blocks = [one for one in pieces if not one.startswith("<!--") and not _BOX_TAG.fullmatch(one)]
    raw = sum(block.startswith("<") for block in blocks)
    return "" if not blocks or raw * 2 > len(blocks) else "\n\n".join(pieces) + "\n"


def _blocks_to_markdown(node: Node, write: WriteBlock) -> Iterator[str]:
    """The blocks of a node, which holds nothing else; a box is its tags around its blocks."""
    line: list[Node | str] = []
    for child in node.children:
        if isinstance(child, str) or child.name in INLINE:
            line.append(child)
            continue
        _refuse_text(line)
        line = []
        yield from _open_box(child, write) or [write(child)]
    _refuse_text(line)


def _open_box(node: Node, write: WriteBlock) -> list[str]:
    """The tags of a box and the blocks between them; empty for anything else."""
    if node.name not in _BOXES or not _BOX_TAG.fullmatch(node.start):
        return []
    try:
        inside = list(_blocks_to_markdown(node, write))
    except _NoWords:
        return []
    return [node.start, *inside, f"</{node.name}>"] if inside else []


def _refuse_text(line: list[Node | str]) -> None:
    if any(not isinstance(child, str) or child.strip() for child in line):
        raise _NoWords  # Markdown would put it into a paragraph


def _block_to_markdown(node: Node) -> str:
    try:
        return _write_block(node)
    except _NoWords:
        return _raw_block(node)


def _block_with_proof(node: Node) -> str:
    """One block as Markdown that renders to it, taken alone; else as HTML."""
    text = _block_to_markdown(node)
    return text if _renders_to(Node("", "", {}, [node]), text) else _raw_block(node)


def _write_block(node: Node) -> str:
    if node.attributes and node.name not in {"pre", "ol"}:
        raise _NoWords
    if heading := _HEADING.fullmatch(node.name):
        return f"{'#' * int(heading[1])} {_one_line(node)}"
    if node.name not in _WRITERS:
        raise _NoWords
    return _WRITERS[node.name](node)


def _write_paragraph(node: Node) -> str:
    text = _write_inline(node).strip(" \n")
    text = _NUMBERED.sub(r"\1\\\2", _AT_START.sub(r"\1\\\2", text))
    if not text or text.startswith("<"):
        raise _NoWords
    return text


def _one_line(node: Node) -> str:
    text = _write_inline(node).strip(" \n")
    if "\n" in text or text.endswith("#") or not text:
        raise _NoWords
    return text


def _write_ordered(node: Node) -> str:
    start = node.attributes.get("start") or "1"
    if node.attributes.keys() - {"start"} or not start.isdecimal():
        raise _NoWords
    return _write_items(node, [f"{n}. " for n in range(int(start), int(start) + len(node.nodes()))])


def _write_items(node: Node, marks: list[str]) -> str:
    """A list: tight if its items hold no paragraphs, loose if all of them do."""
    items = node.nodes()
    stray = [child for child in node.children if isinstance(child, str) and child.strip()]
    if stray or not items or any(item.name != "li" or item.attributes for item in items):
        raise _NoWords
    tight = not any(inner.name == "p" for item in items for inner in item.nodes())
    texts = [_write_item(item, tight=tight) for item in items]
    lines = (
        _indent_text(text, mark, " " * len(mark)) for text, mark in zip(texts, marks, strict=True)
    )
    return ("\n" if tight else "\n\n").join(lines)


def _write_item(item: Node, *, tight: bool) -> str:
    if not tight:
        return "\n\n".join(_blocks_to_markdown(item, _block_to_markdown))
    line = Node("", "", {}, [])
    below: list[str] = []
    for child in item.children:
        if isinstance(child, Node) and child.name not in INLINE:
            below.append(_block_to_markdown(child))
        elif not below:
            line.children.append(child)
        elif not isinstance(child, str) or child.strip():
            raise _NoWords
    text = _write_paragraph(line)
    return "\n".join([text, *below])


def _indent_text(text: str, first: str, others: str) -> str:
    head, *rest = text.split("\n")
    return "\n".join([first + head, *(others + line if line else others.rstrip() for line in rest)])


def _write_code(node: Node) -> str:
    """A fenced block; the class of the inner element names its language."""
    inner = node.nodes()
    if node.attributes or len(node.children) != 1 or len(inner) != 1 or inner[0].name != "code":
        raise _NoWords
    code = inner[0]
    language = _PLAIN_LANGUAGE.fullmatch(code.attributes.get("class") or "")
    if code.nodes() or (code.attributes and not language) or len(code.attributes) > 1:
        raise _NoWords
    text = "".join(child for child in code.children if isinstance(child, str))
    # Longer than any run of backticks in the code, which would close it.
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    end = "" if text.endswith("\n") or not text else "\n"
    return f"{fence}{language[1] if language else ''}\n{text}{end}{fence}"


def _write_table(node: Node) -> str:
    rows = [row for part in node.nodes() for row in part.nodes()]
    parts = [part.name for part in node.nodes()]
    if parts not in (["thead"], ["thead", "tbody"]) or len(node.nodes()[0].nodes()) != 1:
        raise _NoWords
    if any(row.attributes or row.name != "tr" for row in rows):
        raise _NoWords
    head, *below = [[_write_cell(cell) for cell in row.nodes()] for row in rows]
    lines = [head, ["---"] * len(head), *below]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _write_cell(cell: Node) -> str:
    if cell.attributes or cell.name not in {"th", "td"}:
        raise _NoWords
    text = _write_inline(cell).strip(" \n").replace("|", "\\|")
    if "\n" in text:
        raise _NoWords
    return text


def _write_quote(node: Node) -> str:
    return _indent_text("\n\n".join(_blocks_to_markdown(node, _block_to_markdown)), "> ", "> ")


_WRITERS: Mapping[str, Callable[[Node], str]] = {
    "p": _write_paragraph,
    "pre": _write_code,
    "ol": _write_ordered,
    "ul": lambda node: _write_items(node, ["- "] * len(node.nodes())),
    "blockquote": _write_quote,
    "table": _write_table,
    "hr": lambda _node: "---",
}


def _raw_block(node: Node) -> str:
    text = _write_raw(node)
    if node.name == COMMENT:
        return text
    if "\n\n" in text or re.search(r"\n[ \t]*\n", text):
        raise _NoWords  # a blank line would end the HTML
    return text


def _write_raw(node: Node) -> str:
    if node.name in {"script", "style"}:
        raise _NoWords
    inside = "".join(
        escape(child, quote=False) if isinstance(child, str) else _write_raw(child)
        for child in node.children
    )
    end = "" if node.name in WITHOUT_END else f"</{node.name}>"
    return f"{node.start}{inside}{end}"


def _write_inline(node: Node) -> str:
    """The content of a node, as the Markdown of a line."""
    text = "".join(
        _escape_text(child) if isinstance(child, str) else _write_element(child)
        for child in node.children
    )
    return text.replace("\\\n\n", "\\\n")  # a line end after `<br>` is that of the mark


def _escape_text(text: str) -> str:
    lines = _LINE_END.sub("\n", _BLANKS.sub(" ", text))
    escaped = _ALWAYS.sub(lambda found: f"\\{found[0]}", lines)
    return escaped.replace("\xa0", "&nbsp;")


def _write_element(node: Node) -> str:
    """An element of a line; as HTML if Markdown has no word for it."""
    given = node.attributes
    if node.name == "a" and given.keys() <= {"href", "title"} and given.get("href"):
        return f"[{_write_inline(node)}]({_link_target(node, 'href')})"
    if node.name == "img" and {"src", "alt"} <= given.keys() <= {"src", "alt", "title"}:
        return f"![{_escape_text(given['alt'] or '')}]({_link_target(node, 'src')})"
    if not given and node.name in _SPANS:
        return _SPANS[node.name](node)
    if node.name not in INLINE | {COMMENT}:
        raise _NoWords
    if node.name in _WHOLE:
        return _write_raw(node)
    end = "" if node.name in WITHOUT_END else f"</{node.name}>"
    return f"{node.start}{_write_inline(node)}{end}"


def _write_marked(node: Node) -> str:
    """Bold or slanted; blanks at its edges would keep the marks from being marks."""
    mark = "**" if node.name == "strong" else "*"
    text = _write_inline(node)
    if not text.strip() or text.strip() != text:
        return f"{node.start}{text}</{node.name}>"
    return f"{mark}{text}{mark}"


def _write_span(node: Node) -> str:
    text = "".join(child for child in node.children if isinstance(child, str))
    if not text.strip() or "\n" in text:
        raise _NoWords
    # A code span ends at the first run of as many backticks as it began with. Where it begins or
    # ends with one, blanks keep them apart, and the renderer takes one blank off each side.
    ticks = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    edge = " " if text[0] in "` " or text[-1] in "` " else ""
    return f"{ticks}{edge}{text}{edge}{ticks}"


_SPANS: Mapping[str, Callable[[Node], str]] = {
    "strong": _write_marked,
    "em": _write_marked,
    "code": _write_span,
    "br": lambda _node: "\\\n",
}


def _link_target(node: Node, attribute: str) -> str:
    target = node.attributes[attribute] or ""
    title = node.attributes.get("title")
    if re.search(r"[\s<>\\]", target) or target.count("(") != target.count(")"):
        target = f"<{target}>"
    if title is None:
        return target
    return f'{target} "{title}"' if '"' not in title else f"{target} '{title}'"
