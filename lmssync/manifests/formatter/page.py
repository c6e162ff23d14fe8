"""A page that fills up with lines, at most one of them blank in a row."""

from collections.abc import Iterable


class Page:
    """Lines as they are written; blank lines wait until something follows them."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._blank = False
        self._blank_allowed = False

    def add(self, line: str) -> None:
        if self._blank:
            self._lines.append("")
        self._lines.append(line)
        self._blank, self._blank_allowed = False, True

    def blank(self) -> None:
        """A blank line, if it adds nothing to a value and does not stand at the top."""
        self._blank = self._blank_allowed

    def end(self, remark: str) -> None:
        """A comment at the end of the last line."""
        self._lines[-1] += remark

    def close(self) -> None:
        """No blank line stands at the end of a document."""
        self._blank = False

    def opening(self, line: str) -> None:
        """The line that a block begins with: no blank line after it."""
        self.add(line)
        self._blank_allowed = False

    def marker(self, line: str) -> None:
        """What begins a document: no blank line before it, either."""
        self.close()
        self.opening(line)

    def prose(self, lines: Iterable[str], *, keeps: bool) -> None:
        """The text of a block scalar; to one that `keeps` its end, no blank line may be added."""
        self._lines += lines
        self._blank_allowed = not keeps

    def remarks(self, lines: Iterable[str], column: int) -> None:
        """Comments, each on its line; an empty one is a blank line."""
        for line in lines:
            if line:
                self.add(" " * column + line)
            else:
                self.blank()

    def text(self) -> str:
        return "".join(f"{line}\n" for line in self._lines)
