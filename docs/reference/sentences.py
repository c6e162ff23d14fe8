"""What each problem code means, in a sentence, and what to do about it.

A test keeps this list and the source in step: a code that is raised has a line here, and a
line here is raised somewhere.
"""

from collections.abc import Mapping
from typing import NamedTuple


class Sentence(NamedTuple):
    """One line of `rules.md`."""

    means: str
    remedy: str


FILES: Mapping[str, Sentence] = {
    "unreadable": Sentence(
        "The file is there and cannot be read.", "Look at its permissions, or at the link it is."
    ),
    "too-large": Sentence(
        "The file is larger than a manifest may be.",
        "Keep long bodies in files of their own (`bodyFile`).",
    ),
    "not-utf-8": Sentence("The file is not UTF-8.", "Save it as UTF-8."),
    "control-character": Sentence(
        "A text or a file holds an invisible control character.", "Delete it."
    ),
    "yaml-syntax": Sentence(
        "The file is not YAML 1.2.",
        "Look at the line and at the one above it. Indent with spaces, never tabs.",
    ),
    "duplicate-key": Sentence(
        "One mapping has the same key twice, and YAML would drop one of them.", "Keep one."
    ),
    "too-deep": Sentence(
        "The document is nested too deeply, or holds itself through an alias.",
        "Write it out without the alias.",
    ),
    "endless": Sentence(
        "Written out, the aliases of the file would have no end, or very many values.",
        "Look for an anchor (`&`) whose value holds an alias (`*`) of itself or of others.",
    ),
    "number-size": Sentence(
        "A number is larger than any that can be sent.", "Put it in quotes if it is text."
    ),
    "half-character": Sentence(
        "A text holds half a character, by an escape.", "Write the character itself."
    ),
    "not-a-manifest": Sentence(
        "The document is a list or a single value.", "Start it with `resource:` and `key:`."
    ),
    "literal-secret": Sentence(
        "The project file holds an API key, or something where its variable should be named.",
        "Write `apiKey: {env: LMSSYNC_API_KEY}`. If it was a real key, have it revoked: "
        "git never forgets.",
    ),
}

FIELDS: Mapping[str, Sentence] = {
    "missing-field": Sentence("A required field is missing.", "Add it."),
    "unknown-field": Sentence(
        "There is no such field at this place.", "Take the field that the hint names, or delete it."
    ),
    "unknown-resource": Sentence(
        "`resource:` names no kind of resource.", "Take one of the kinds that the hint lists."
    ),
    "blank": Sentence("A text that people read is blank.", "Write it."),
    "date": Sentence(
        "The value is not a date that exists.", "Write `2027-01-31` or `2027-01-31T09:00:00Z`."
    ),
    "uuid": Sentence("The value is not a uuid.", "Copy the id from the platform."),
    "url": Sentence("The value is not an http or https address.", "Write the full address."),
    "key-twice": Sentence(
        "Two resources of a kind have the same key.", "Give one of them another key."
    ),
    "short-form": Sentence(
        "Resources inside a course are not written as a list.", "Write one item a line, after `-`."
    ),
    "short-form-field": Sentence(
        "A short form says again what its place says: its course, its key, its kind.",
        "Delete the field, or write the item as a document of its own.",
    ),
    "short-form-id": Sentence(
        "A resource inside a course has no `id`.", "Add one: it is the last part of its address."
    ),
}

BODIES: Mapping[str, Sentence] = {
    "one-body": Sentence(
        "A body is written in two ways.", "Keep one of `body`, `markdown`, `bodyFile`."
    ),
    "body-file": Sentence("The `bodyFile` does not exist.", "Check the path; the hint may guess."),
    "body-file-outside": Sentence(
        "The `bodyFile` lies outside the catalog.", "Move it into the catalog."
    ),
    "body-file-ending": Sentence(
        "The `bodyFile` is neither Markdown nor HTML by its name.", "Name it `.md` or `.html`."
    ),
    "body-file-size": Sentence("The `bodyFile` is too large.", "Split the page."),
    "language-twice": Sentence("A page has one language twice.", "Keep one of them."),
}

COURSES: Mapping[str, Sentence] = {
    "field-of-kind": Sentence(
        "The field belongs to another kind of course.",
        "See the [kinds of course](manifests.md#kinds-of-course).",
    ),
    "field-of-type": Sentence(
        "The field belongs to another type of topic, or the type is filled by a person.",
        "See the [topic types](manifests.md#topic-types).",
    ),
    "no-content": Sentence(
        "The course has nothing in it; the platform accepts that and learners find nothing.",
        "Add the field that the message names.",
    ),
    "no-video": Sentence("A video names no video.", "Add `videoUrl` or `videoAsset`."),
    "one-video": Sentence(
        "A video has both `videoUrl` and `videoAsset`.",
        "Keep `videoAsset` for one in the library, `videoUrl` for another.",
    ),
    "asset-type-with-url": Sentence(
        "`assetType` is given with `videoUrl`.", "Delete it: it belongs to `videoAsset`."
    ),
    "publish-twice": Sentence(
        "`futurePublishDate` and `status: published` are both given.", "Leave `status` out."
    ),
    "window": Sentence("A period ends before it begins.", "Correct one of the two dates."),
    "id-twice": Sentence("Two neighbours have the same `id`.", "Change one of them."),
}

OTHERS: Mapping[str, Sentence] = {
    "criterion-needs": Sentence(
        "The rule of completion needs a field that is missing.",
        "See the [rules of completion](manifests.md#rules-of-completion).",
    ),
    "criterion-field": Sentence(
        "The rule of completion has a field that belongs to another rule.", "Delete it."
    ),
    "license-replaces": Sentence(
        "A `replace...` flag takes away other assignments of the client as well.",
        "Leave it out unless that is meant. Nothing can bring them back.",
    ),
    "license-empty": Sentence(
        "The license opens nothing.", "Name courses, learning paths or tags."
    ),
    "label-empty": Sentence(
        "Nothing is left of a label once the platform has cleaned it.",
        "Write text. Only a, b, strong, i, em, u, br, p and span are kept around it.",
    ),
    "one-target": Sentence(
        "A purchase path leads nowhere, or to two places.", "Keep one of `item` and `url`."
    ),
    "target-title": Sentence(
        "A `url` has no `title`, or an `item` has one.", "Add it, or delete it."
    ),
}

REFERENCES: Mapping[str, Sentence] = {
    "unknown-reference": Sentence(
        "The catalog has nothing with this key.",
        "Name a key of the catalog, or the uuid of something that is not in it.",
    ),
    "unknown-topic": Sentence(
        "The course has no topic with this path.", "Take one that the hint lists."
    ),
    "topic-outside": Sentence(
        "A criterion names a topic by path in a course that is not in the catalog.",
        "Name the topic by its uuid.",
    ),
    "topic-fit": Sentence(
        "The topic is of a type by which this rule can never be met.",
        "See the [rules of completion](manifests.md#rules-of-completion).",
    ),
    "reference-circle": Sentence(
        "Resources need each other in a circle, so none can be made first.",
        "Take one reference away. `relatedCourses` may go in a circle.",
    ),
    "unknown-name": Sentence(
        "The platform has no tag, client or location of this name. Found by `plan` and `apply`.",
        "Correct the name, or make it in the admin interface.",
    ),
    "ambiguous-name": Sentence(
        "The platform has several of this name. Found by `plan` and `apply`.",
        "Name the one that is meant by its uuid.",
    ),
}

CHAPTERS: Mapping[str, Mapping[str, Sentence]] = {
    "Files": FILES,
    "Fields": FIELDS,
    "Bodies": BODIES,
    "Courses": COURSES,
    "Criteria, licenses, purchase paths": OTHERS,
    "References and names": REFERENCES,
}

FAMILIES: Mapping[str, Sentence] = {
    "-type": Sentence(
        "The value is of the wrong type: a number where text belongs, text where true or false "
        "belongs.",
        "Put text that looks like a number in quotes; write true and false without quotes.",
    ),
    "-range": Sentence("The number is outside what the platform allows.", "Stay within it."),
    "-length": Sentence("The text or list is longer than the platform allows.", "Shorten it."),
    "-value": Sentence(
        "The value is not one of the words, or not of the form, that the field allows.",
        "Take one that the hint lists.",
    ),
}

BESIDES: frozenset[str] = frozenset({"label-length"})
"""Raised by a rule of its own as well, because the length counts after cleaning."""


def single() -> dict[str, Sentence]:
    """All sentences of codes that are written out."""
    return {code: told for chapter in CHAPTERS.values() for code, told in chapter.items()}
