"""A file that cannot be read as YAML, before anything is known of its meaning."""

from ..files import VALUES


class YamlMistake(Exception):
    """What is wrong, and where; lines and columns count from 1."""

    def __init__(
        self, code: str, message: str, hint: str = "", *, line: int = 1, column: int = 1
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.line = line
        self.column = column


def too_many() -> YamlMistake:
    """A file with more values than are read."""
    return YamlMistake(
        "too-large", f"the file holds more than {VALUES:,} values", "split it into several files"
    )
