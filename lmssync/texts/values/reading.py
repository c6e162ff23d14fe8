"""How a text is read: refused or accepted, and looked at while its model is validated."""

from collections.abc import Callable
from typing import Any, NamedTuple

from pydantic import GetCoreSchemaHandler, ValidationInfo
from pydantic_core import core_schema

from .checks import CHECKS
from .roles import Role


class Noticed:
    """The context of a validation: whether a text that was read may be odd.

    If none is, `quality` need not go through the document once more to find out where.
    """

    def __init__(self) -> None:
        self.odd = False


class ReadAs(NamedTuple):
    """A mark in `Annotated`: what a text is to its readers, and a validator of such texts."""

    role: Role
    accept: Callable[[str], str]

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        return core_schema.with_info_after_validator_function(self._make_reader(), handler(source))

    def _make_reader(self) -> Callable[[str, ValidationInfo], str]:
        accept, (plain, check) = self.accept, CHECKS[self.role]

        def read_text(text: str, info: ValidationInfo) -> str:
            if text and plain(text):
                return text
            accept(text)
            noticed = info.context
            if isinstance(noticed, Noticed) and not noticed.odd:
                noticed.odd = any(check((), text, None))
            return text

        return read_text
