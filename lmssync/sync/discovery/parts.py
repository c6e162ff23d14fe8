"""A part that people have added on the platform becomes a piece of a manifest."""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

from pydantic import ValidationError

from ...kind import Kind
from ...kinds import KINDS
from ...problems import Severity
from ...resource import Address, Path
from ...texts.values import judge_texts
from .manifests import TRIES, as_markdown, drop_field, spell_path


class NoManifest(Exception):
    """No manifest can say it; tells why."""


def written_part(
    address: Address, document: Mapping[str, Any], place: Path, data: Any, whole: Any
) -> list[str]:
    """Makes `data` a part for the list at `place` of a document, with bodies as Markdown where that
    gives the same HTML; returns what the manifest does not say.

    `whole` is a document with nothing but the part in it. Raises `NoManifest`.
    """
    kind = KINDS[address.kind]
    for slot in kind.authoring.body_fields(whole):
        as_markdown(slot.holder)
    notes = list(_refused_values(kind, _with_part(kind, document, place, data), place, data))
    _check_rules(kind, _with_part(kind, document, place, data), place)
    return notes


def _with_part(kind: Kind, document: Mapping[str, Any], place: Path, data: Any) -> dict[str, Any]:
    """The document with the part at the end of its list, without what belongs to others."""
    short = {nested.field for nested in kind.authoring.nested}
    whole: dict[str, Any] = deepcopy({k: v for k, v in document.items() if k not in short})
    holder: Any = whole
    for step in place[:-1]:
        holder = holder[step]
    holder[place[-1]] = [*(holder.get(place[-1]) or ()), data]
    return whole


def _place_at_end(place: Path, whole: Mapping[str, Any]) -> Path:
    """Where the part stands in a document that has it at the end of its list."""
    items: Any = whole
    for step in place:
        items = items[step]
    return (*place, len(items) - 1)


def _refused_values(kind: Kind, whole: Mapping[str, Any], place: Path, data: Any) -> Iterator[str]:
    """Takes the values out that no manifest may hold; yields what was taken."""
    at = _place_at_end(place, whole)
    for _ in range(TRIES):
        try:
            kind.spec.model_validate(whole)
        except ValidationError as error:
            wrong = next(
                (e for e in error.errors(include_url=False) if e["loc"][: len(at)] == at), None
            )
        else:
            return
        if wrong is None:
            return
        path = wrong["loc"][len(at) :]
        if wrong["type"] == "missing" or not drop_field(data, path):
            raise NoManifest(f"{spell_path(path)}: {wrong['msg']}")
        yield f"{spell_path(path)} is left out: {wrong['msg']}"


def _check_rules(kind: Kind, whole: Mapping[str, Any], place: Path) -> None:
    """Raises `NoManifest` for what breaks a rule; what the document breaks is not its business."""
    at = _place_at_end(place, whole)
    try:
        model = kind.spec.model_validate(whole)
    except ValidationError:
        return
    for rule in (*kind.authoring.rules, judge_texts):
        for finding in rule(model):
            if finding.severity is Severity.ERROR and finding.path[: len(at)] == at:
                raise NoManifest(f"no manifest may say it: {finding.message}")
