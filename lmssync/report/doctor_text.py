"""What the doctor has found, for people and for programs."""

from collections.abc import Iterator, Mapping
from typing import Any

from ..support.invisible_characters import escape_invisible
from ..sync.doctor import Answered, Diagnosis
from .terminal_style import Colour, TextStyle

_SIGNS = {True: ("yes", Colour.GREEN), False: ("no", Colour.RED), None: ("cannot tell", Colour.DIM)}


def doctor_text(diagnosis: Diagnosis, style: TextStyle) -> str:
    """One line a check, with its remedy below; then what the instance has."""
    lines = list(_checks(diagnosis, style))
    if diagnosis.capabilities:
        lines += ["", "What the instance has, asked with reads only:", ""]
        lines += _capabilities(diagnosis.capabilities, style)
        lines += ["", "Lines for lmssync.yaml:", "", *diagnosis.lines.splitlines()]
    return "\n".join(lines) + "\n"


def _checks(diagnosis: Diagnosis, style: TextStyle) -> Iterator[str]:
    width = max(len(check.name) for check in diagnosis.checks)
    for check in diagnosis.checks:
        sign = style("ok    ", Colour.GREEN) if check.fine else style("wrong ", Colour.RED)
        yield f"{sign} {check.name:<{width}}  {escape_invisible(check.message)}"
        if check.remedy:
            yield f"{'':<{width + 9}}{escape_invisible(check.remedy)}"


def _capabilities(capabilities: Mapping[str, Answered], style: TextStyle) -> Iterator[str]:
    """What plans can read there, each with the reason why it is not."""
    width = max(map(len, capabilities))
    for name, answered in capabilities.items():
        word, colour = _SIGNS[answered.has]
        reason = f"  {escape_invisible(answered.reason)}" if answered.reason else ""
        yield f"  {name:<{width}}  {style(f'{word:<11}', colour)}{reason}".rstrip()


def doctor_json(diagnosis: Diagnosis) -> dict[str, Any]:
    return {
        "format": "lmssync.doctor/1",
        "fine": diagnosis.fine,
        "checks": [
            {"name": c.name, "fine": c.fine, "message": c.message, "remedy": c.remedy}
            for c in diagnosis.checks
        ],
        "capabilities": {
            name: {"has": answered.has, "reason": answered.reason}
            for name, answered in diagnosis.capabilities.items()
        },
        "lines": diagnosis.lines,
    }
