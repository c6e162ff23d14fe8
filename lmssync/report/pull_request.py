"""What a pull request is told, as Markdown: the plan, or why there is none."""

import re
from collections.abc import Sequence

from ..errors import InvalidCatalog, LmssyncError
from ..plan import Plan
from ..problems import Problem, errors
from ..visible import visible
from . import words
from .changes import plan_text

MOST = 60_000
"""Characters of a comment; GitHub takes 65,536."""
_PROBLEMS = 20
"""Problems that are listed."""


def plan_markdown(plan: Plan) -> str:
    """The plan as a section of its own."""
    return f"### Plan for {_plain(plan.environment)}\n\n{_fenced(plan_text(plan))}"


def failure_markdown(error: LmssyncError, environment: str) -> str:
    """Why there is no plan."""
    head = f"### No plan for {_plain(environment)}" if environment else "### No plan"
    if isinstance(error, InvalidCatalog):
        return f"{head}\n\n{_problems(error.problems)}"
    text = "".join(f"{visible(line)}\n" for line in (error.message, error.hint) if line)
    return f"{head}\n\n{_fenced(text)}"


def _problems(problems: Sequence[Problem]) -> str:
    wrong = errors(problems)
    lines = [f"The catalog has {words.counted(len(wrong), 'error')}.", ""]
    lines += [
        f"- `{_code(str(one.where))}` **{one.code}**: {_plain(visible(one.message))}"
        for one in wrong[:_PROBLEMS]
    ]
    more = len(wrong) - _PROBLEMS
    lines += [f"- and {more:,} more: `lmssync validate` shows them"] * (more > 0)
    return "\n".join(lines) + "\n"


def _fenced(text: str) -> str:
    """A text as it is, in a fence that nothing in it can close; cut where it is too long."""
    if len(text) > MOST:
        shown = text[:MOST].rpartition("\n")[0]
        left = text.count("\n", len(shown) + 1)
        text = f"{shown}\n… {left:,} more lines are in the log of the job\n"
    longest = max(map(len, re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}text\n{text}{fence}\n"


def _code(text: str) -> str:
    return visible(text).replace("`", "'")


def _plain(text: str) -> str:
    """A text in which Markdown finds nothing: no link, no mention, no markup."""
    escaped = re.sub(r"([\\`*_{}\[\]()<>#!|~&])", r"\\\1", text)
    return escaped.replace("@", "@\u2060")
