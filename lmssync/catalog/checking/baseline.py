"""The baseline of a catalog: warnings that were there before somebody began to look.

A finding is known by its resource, its rule and its message, not by its line: it stays known when
lines come and go, when parts move and when the file gets another name.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import orjson

from ...errors import WrongUse
from ...problems import Problem, Severity, by_path
from ...support import safe_files
from ...support.file_writing import write_below
from ..manifests.catalog_files import MANIFEST_BYTES

FILE = "lmssync-baseline.json"
"""At the root of a catalog."""
_FORMAT = "lmssync.baseline/1"
_LINE = re.compile(r"\bline [0-9][0-9,]*")
_Mark = tuple[str, str, str]
"""Resource or file, rule, message."""
_Findings = dict[str, dict[str, dict[str, int]]]


class BaselineResult(NamedTuple):
    """The problems that are reported, and the number that the baseline hides."""

    reported: list[Problem]
    quiet: int = 0
    stale: int = 0
    """Findings of the baseline that nobody makes any more."""


def apply_baseline(root: Path, problems: Sequence[Problem]) -> BaselineResult:
    """The problems without those that the baseline knows; raises `WrongUse` for a bad one.

    Errors are never left out. Where a finding is made more often than before, the further ones are.
    """
    known = _read(root)
    if not known:
        return BaselineResult(list(problems))
    numbers = sorted(range(len(problems)), key=lambda number: by_path(problems[number]))
    quiet = {number for number in numbers if _is_known(problems[number], known)}
    shown = [problem for number, problem in enumerate(problems) if number not in quiet]
    return BaselineResult(shown, len(quiet), known.total())


def _is_known(problem: Problem, known: Counter[_Mark]) -> bool:
    """Takes the finding off the list, so that each is known as often as it was written down."""
    mark = _mark(problem)
    if problem.severity is not Severity.WARNING or not known[mark]:
        return False
    known[mark] -= 1
    return True


def write_baseline(root: Path, problems: Iterable[Problem]) -> int:
    """Writes the warnings down; how many there are. Raises `OSError`."""
    findings: _Findings = {}
    warnings = [problem for problem in problems if problem.severity is Severity.WARNING]
    for (about, code, message), times in sorted(Counter(map(_mark, warnings)).items()):
        findings.setdefault(about, {}).setdefault(code, {})[message] = times
    document = {"format": _FORMAT, "findings": findings}
    write_below(root, FILE, [orjson.dumps(document, option=orjson.OPT_INDENT_2), b"\n"])
    return len(warnings)


def _mark(problem: Problem) -> _Mark:
    about = str(problem.address or problem.origin.file)
    # Messages that quote a line number would be another finding after each edit above it.
    message = _LINE.sub("line …", problem.message)
    return _whole(about), problem.code, _whole(message)


def _whole(text: str) -> str:
    """JSON cannot carry half a character, which a name of a file can hold."""
    return text.encode("utf-8", "backslashreplace").decode()


def _read(root: Path) -> Counter[_Mark]:
    try:
        document = orjson.loads(safe_files.read_inside(root, FILE, MANIFEST_BYTES))
        if document["format"] != _FORMAT:
            raise _bad(f"its format is {document['format']!r}, but only {_FORMAT} is supported")
        return Counter(
            {
                (about, code, message): _positive(times)
                for about, codes in document["findings"].items()
                for code, messages in codes.items()
                for message, times in messages.items()
            }
        )
    except FileNotFoundError:
        return Counter()
    except OSError as error:
        raise _bad(error.strerror or str(error)) from None
    except (AttributeError, KeyError, TypeError, ValueError):
        raise _bad("it is not a baseline") from None


def _positive(times: object) -> int:
    if not isinstance(times, int) or times < 1:
        raise ValueError(times)
    return times


def _bad(why: str) -> WrongUse:
    return WrongUse(
        f"{FILE} cannot be read: {why}",
        "`lmssync validate --write-baseline` writes a new one with everything that is found now",
    )
