"""What the JSON Schema of SARIF 2.1.0 says of the objects that a log of ours is made of.

Properties that we never write are left out: none may appear without its line here.
"""

from typing import Any

import jsonschema_rs


def an_object(required: tuple[str, ...] = (), **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def a_list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


TEXT = {"type": "string"}
FILLED = {"type": "string", "minLength": 1}
COUNT = {"type": "integer", "minimum": 1}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
MESSAGE = an_object(("text",), text=FILLED)
FORMATTED = an_object(("text",), text=FILLED, markdown=TEXT)
RELATIVE_URI = {
    "type": "string",
    # RFC 3986: unreserved, percent-encoded, sub-delims and `@`; a colon would end a scheme.
    "pattern": r"^(?:[A-Za-z0-9._~!$&'()*+,;=@/-]|%[0-9A-F]{2})+$",
}
RULE = an_object(
    ("id", "shortDescription", "fullDescription", "help"),
    id=FILLED,
    shortDescription=FORMATTED,
    fullDescription=FORMATTED,
    help=FORMATTED,
    defaultConfiguration=an_object(level=LEVEL),
    properties={"type": "object"},
)
DRIVER = an_object(
    ("name", "rules"),
    name=FILLED,
    version=TEXT,
    semanticVersion=TEXT,
    rules=a_list(RULE),
)
LOCATION = an_object(
    ("physicalLocation",),
    physicalLocation=an_object(
        ("artifactLocation",),
        artifactLocation=an_object(("uri",), uri=RELATIVE_URI, uriBaseId=TEXT),
        region=an_object(startLine=COUNT, startColumn=COUNT),
    ),
    logicalLocations=a_list(an_object(name=TEXT, fullyQualifiedName=TEXT, kind=TEXT)),
)
RESULT = an_object(
    ("ruleId", "ruleIndex", "message", "locations", "partialFingerprints"),
    ruleId=FILLED,
    ruleIndex={"type": "integer", "minimum": 0},
    level=LEVEL,
    message=MESSAGE,
    locations=a_list(LOCATION),
    partialFingerprints={"type": "object", "additionalProperties": TEXT},
)
INVOCATION = an_object(
    ("executionSuccessful",),
    executionSuccessful={"type": "boolean"},
    toolExecutionNotifications=a_list(an_object(("message",), level=LEVEL, message=MESSAGE)),
)
RUN = an_object(
    ("tool", "results"),
    tool=an_object(("driver",), driver=DRIVER),
    automationDetails=an_object(id=TEXT),
    invocations=a_list(INVOCATION),
    originalUriBaseIds={
        "type": "object",
        "additionalProperties": an_object(description=MESSAGE),
    },
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    properties={"type": "object"},
    results=a_list(RESULT),
)
LOG = an_object(
    ("$schema", "version", "runs"),
    **{"$schema": TEXT, "version": {"enum": ["2.1.0"]}, "runs": a_list(RUN)},
)
CHECKER = jsonschema_rs.Draft202012Validator(LOG)
