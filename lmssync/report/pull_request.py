"""What a pull request is told where there is no plan, as Markdown."""

from collections.abc import Iterator, Sequence

from ..errors import InvalidCatalog, LmssyncError
from ..problems import Problem, only_errors
from . import inert, words

_PROBLEMS = 20
"""Problems that are listed."""
_LONGEST = 2_000
"""Characters of one text."""


def failure_markdown(error: LmssyncError, environment: str) -> str:
    """Why there is no plan, and what to do."""
    lines = [f"### No plan for {inert.code(environment)}", ""]
    if isinstance(error, InvalidCatalog):
        lines += _problems(error.problems)
    else:
        lines += [
            f"{inert.text(text[:_LONGEST])}\n" for text in (error.message, error.hint) if text
        ]
    return "\n".join(lines) + "\n"


def _problems(problems: Sequence[Problem]) -> Iterator[str]:
    wrong = only_errors(problems)
    yield f"The catalog has {words.count_noun(len(wrong), 'error')}.\n"
    for one in wrong[:_PROBLEMS]:
        message = inert.text(one.message[:_LONGEST])
        yield f"- {inert.code(str(one.where))} <b>{one.code}</b>: {message}"
    if len(wrong) > _PROBLEMS:
        yield f"- and {len(wrong) - _PROBLEMS:,} more: `lmssync validate` shows them"
