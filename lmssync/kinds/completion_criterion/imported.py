"""A completion criterion of the platform as a manifest (O25)."""

from ...kind import Ids, ImportedManifest, Imports, NameOf, ReadRequest, Shown
from ...vocabulary.enums import TOPIC_CRITERIA, CriterionType


def criterion_manifest(shown: Shown, name_of: NameOf) -> ImportedManifest | str:
    """Its type, with `percent`, `seconds` and `topic` as that needs them."""
    item = shown["item"]
    if item["type"] not in set(CriterionType):
        return f"no manifest can say its type, {item['type']}"
    kind = CriterionType(item["type"])
    data = {"course": name_of("course", item["course"]), "type": kind.value}
    if kind in TOPIC_CRITERIA:
        data["topic"] = name_of("part", item[kind])
    elif kind is CriterionType.ARTICLE_TIME_VIEWED_IN_SECONDS:
        data["seconds"] = item[kind]
    else:
        data["percent"] = item[kind]
    if kind is CriterionType.VIDEO_PERCENT_VIEWED:
        data["topic"] = name_of("part", item["videoTopicId"])
    return ImportedManifest(data, Ids({"id": item["id"]}))


IMPORTS = Imports(
    owner="course",
    listed=ReadRequest("criteria.list", {"id": ""}, {}, "completionCriteria"),
    ids=lambda item: [item["id"]],
    name=lambda item: item["type"],
    manifest=criterion_manifest,
    answers=lambda shown: {"course.read": {"completionCriteria": [shown["item"]]}},
)
