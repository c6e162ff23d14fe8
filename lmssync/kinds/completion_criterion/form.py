"""From the manifest of a completion criterion to its form."""

from collections.abc import Iterator

from ...resource import Form, Reference
from ...vocabulary.enums import CriterionType
from ..kind import Data, Json
from ..references import is_uuid, node, points_at
from .spec import FITS


def references(data: Data) -> Iterator[Reference]:
    """The course, and the topic in it."""
    if is_uuid(data["course"]):
        return
    yield Reference(("course",), "course", data["course"])
    if data.get("topic") and not is_uuid(data["topic"]):
        kind = CriterionType(data["type"])
        yield Reference(
            ("topic",), "course", data["course"], data["topic"], FITS.get(kind, frozenset())
        )


def normalise(_key: str, data: Data) -> Form:
    """Type and value as written; course and topic as nodes."""
    given = ("type", "percent", "seconds")
    form = {key: data[key] for key in given if data.get(key) is not None}
    form["course"] = node("course", data["course"], id="course")
    if data.get("topic"):
        path = data["topic"]
        form["topic"] = path.lower() if is_uuid(path) else node("course", data["course"], part=path)
    return form


def facts(_data: Data, form: Form) -> dict[str, Json]:
    """The course, the rule and what it is about."""
    found = {"course": points_at(form["course"]), "type": form["type"]}
    if "percent" in form:
        found["percent"] = form["percent"]
    if "topic" in form:
        topic = form["topic"]
        found["topic"] = topic["part"] if isinstance(topic, dict) else topic
    return found
