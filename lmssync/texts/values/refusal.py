"""How a type refuses a value: by a rule of its own, in words that go on from a field's name."""

from pydantic_core import PydanticCustomError

from ...problems import Rule

_MOST = 60


def refusal_error(rule: Rule, message: str, hint: str | None = None) -> PydanticCustomError:
    """An error with a rule id of its own; the message goes on from the name of the field.

    The message is the last of the values that are put in, so that nothing is put into it.
    """
    return PydanticCustomError("lmssync", "{said}", {"rule": rule, "hint": hint, "said": message})


def show_text(text: str) -> str:
    """A text fit for a message: on one line, of no more than 60 characters."""
    line = "".join(letter if letter.isprintable() else " " for letter in text[: _MOST + 1])
    return line if len(line) <= _MOST else f"{line[: _MOST - 3]}..."
