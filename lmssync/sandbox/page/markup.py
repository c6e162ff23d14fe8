"""HTML that is safe by being made: text is escaped, only what was made here is not."""

from collections.abc import Iterable
from html import escape
from typing import TypeAlias

VOID = frozenset({"br", "link", "meta", "img", "hr"})


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


Child: TypeAlias = "str | Html | Iterable[Child] | None"


def el(name: str, /, *children: Child, **attributes: str | bool | None) -> Html:
    """An element. Attributes are written as in HTML but with `_` for `-` and a `_` at the end of
    words that Python keeps; None and False leave one out."""
    opened = f"<{name}{''.join(_attributes(attributes))}>"
    return Html(opened if name in VOID else f"{opened}{joined(children)}</{name}>")


def joined(children: Iterable[Child]) -> Html:
    return Html("".join(_text(child) for child in children))


def _text(child: Child) -> str:
    if child is None:
        return ""
    if isinstance(child, Html):
        return child
    return escape(child) if isinstance(child, str) else joined(child)


def _attributes(attributes: dict[str, str | bool | None]) -> Iterable[str]:
    for name, value in attributes.items():
        if value is None or value is False:
            continue
        written = name.rstrip("_").replace("_", "-")
        yield f" {written}" if value is True else f' {written}="{escape(value)}"'


def document(title: str, body: Html, *, style: str, refresh: int | None = None) -> Html:
    """A whole page. `refresh` loads it again after so many seconds."""
    again = el("meta", http_equiv="refresh", content=str(refresh)) if refresh else None
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        again,
        el("title", title),
        el("link", rel="icon", href="data:,"),
        el("style", Html(style)),
    )
    return Html("<!doctype html>" + el("html", head, body, lang="en"))
