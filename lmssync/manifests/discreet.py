"""Keeps messages about a person's row from quoting it: they only say where the mistake is."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from pydantic import BaseModel

from ..kind import Spec
from ..problems import Finding
from ..texts import show_text
from . import models
from .remedies import QUOTE


def hide_personal_values(
    findings: Iterable[Finding], model: type[BaseModel], value: Any
) -> Iterator[Finding]:
    """Findings about a value, without the value if it stands in a model about a person."""
    for finding in findings:
        holder = models.model_at(model, finding.path[:-1])
        if holder and issubclass(holder, Spec) and holder.personal:
            hint = "put it in quotes" if finding.hint.startswith(QUOTE) else finding.hint
            message = finding.message
            for quoted in ("`{}`", "the number {}"):
                message = message.replace(quoted.format(show_text(str(value))), quoted.format("…"))
            yield replace(finding, message=message, hint=hint)
        else:
            yield finding
