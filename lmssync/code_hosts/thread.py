"""Texts that stand together on a code host: the comments of a pull request, or open issues."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from ..errors import CodeHostFailed
from .wire import CodeHostWire

Entry = Mapping[str, Any]


class Shape(NamedTuple):
    """How a code host spells a kind of text: the same for comments and issues."""

    listed: str
    """Path of the list, to which new ones are sent."""
    one: str
    """Path of one, with `{}` for its number."""
    edit: str
    """The method that changes one: PATCH or PUT."""
    number: str
    """The field with its number."""
    text: str
    """The field with its text."""
    author: str
    """The field with who wrote it."""
    query: Mapping[str, str] = {}
    begin: Mapping[str, Any] = {}
    """What a new one has besides its text."""
    close: Mapping[str, Any] | None = None
    """What closes one; None: it is deleted."""
    counts: Callable[[Entry], bool] = lambda _entry: True
    """False for what stands in the list and is something else."""


class Post(NamedTuple):
    """One text, and who wrote it."""

    number: int
    text: str
    author: Entry


class Thread:
    """Reads, writes and changes texts of one shape. Every method raises `CodeHostFailed`."""

    def __init__(self, wire: CodeHostWire, shape: Shape, is_ours: Callable[[Entry], bool]) -> None:
        self._wire, self._shape, self._is_ours = wire, shape, is_ours

    def marked_posts(self, mark: str) -> list[Post]:
        """Ours that begin with a marker, oldest first. Anybody can copy a marker, so the author
        counts as well."""
        marked = [post for post in self._posts() if post.text.startswith(mark)]
        ours = [post for post in marked if self._is_ours(post.author)]
        return sorted(ours, key=lambda post: post.number)

    def begin(self, text: str) -> None:
        """Raises `Unsure` as well."""
        body = {self._shape.text: text, **self._shape.begin}
        self._wire.ask("POST", self._shape.listed, body=body)

    def change(self, number: int, text: str) -> None:
        """Raises `Unsure` as well."""
        body = {self._shape.text: text}
        self._wire.ask(self._shape.edit, self._shape.one.format(number), body=body)

    def end(self, number: int) -> None:
        """Deletes or closes it. Raises `Unsure` as well."""
        path = self._shape.one.format(number)
        if self._shape.close is None:
            self._wire.ask("DELETE", path)
        else:
            self._wire.ask(self._shape.edit, path, body=dict(self._shape.close))

    def _posts(self) -> Iterator[Post]:
        shape = self._shape
        for entry in self._wire.pages(shape.listed, shape.query):
            if shape.counts(entry):
                yield _post(entry, shape, self._wire.name)


def _post(entry: Entry, shape: Shape, name: str) -> Post:
    number, text, author = (entry.get(f) for f in (shape.number, shape.text, shape.author))
    if not isinstance(number, int):
        raise CodeHostFailed(f"{name} answered {shape.listed} with an entry without a number")
    lines = text.replace("\r\n", "\n") if isinstance(text, str) else ""
    return Post(number, lines, author if isinstance(author, dict) else {})
