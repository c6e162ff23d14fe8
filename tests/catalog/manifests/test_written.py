"""Remedies that show a value as it stands in the file."""

import pytest

from lmssync.catalog.manifests import validation_errors
from lmssync.catalog.manifests.documents.manifest_documents import as_written
from lmssync.catalog.manifests.yaml import find_scalars, load_yaml
from lmssync.kinds import BY_RESOURCE
from lmssync.problems import Problem
from lmssync.resource import Origin
from tests import making

COURSE = "resource: course\nkey: a\nkind: courseGroup\nsections: []\n"


def hints(text: str) -> list[str]:
    """The remedies for what is wrong with the documents of a file, in the order of its paths."""
    data = text.encode()
    problems = [
        finding.at(Origin("a.yaml", number), None)
        for number, document in enumerate(load_yaml(data))
        for finding in refused(document)
    ]
    return [problem.hint for problem in as_written(problems, data)]


def refused(document: dict[str, object]) -> list[validation_errors.Finding]:
    model = BY_RESOURCE[str(document["resource"])].spec
    with pytest.raises(validation_errors.ValidationError) as caught:
        model.model_validate(document)
    return list(validation_errors.word_validation_error(caught.value, model, document))


@pytest.mark.parametrize(
    ("written", "what"),
    [
        ("00123", "number 123"),
        ("1e3", "number 1000.0"),
        ("0o17", "number 15"),
        ("0x1F", "number 31"),
        ("1_000", "number 1000"),
        ("+5", "number 5"),
        ("007", "number 7"),
        (".inf", "number inf"),
        (".NaN", "number nan"),
        ("1.10", "number 1.1"),
        ("TRUE", "boolean true"),
        ("false", "boolean false"),
    ],
)
def test_the_remedy_shows_what_was_written(written: str, what: str):
    """`sku: 00123` becomes `"00123"` and not `"123"`: the zeros were part of the name."""
    expected = f'put it in quotes ("{written}"): YAML reads it as the {what}'
    assert [expected] == hints(f"{COURSE}title: {written}\n")


@pytest.mark.parametrize(
    "written", ["no", "~x", "12:30", "2018-10-90", "0.1.2", "1,000", "yes", "1e"]
)
def test_what_yaml_reads_as_text_is_text(written: str):
    """Nothing has to be quoted that YAML 1.2 takes for text already."""
    (found,) = load_yaml(f"{COURSE}title: {written}\n".encode())
    assert [] == making.codes(found | {"sections": making.course()["sections"]})


def test_lists_and_further_documents():
    """Each value is found in its own place of its own document."""
    text = f"{COURSE}title: A\ntags: [x, 007]\n---\n{COURSE}title: 010\ncustomFields: {{a: 01}}\n"
    shown = [hint.split(")")[0] for hint in hints(text)]
    assert ['put it in quotes ("007"', 'put it in quotes ("01"', 'put it in quotes ("010"'] == shown


@pytest.mark.parametrize(
    "data", [b"", b"- 1\n", b"a: [\n", b"\xff", b"title: " + b"0" * 100 + b"1\n"]
)
def test_a_file_that_has_changed_since(data: bytes):
    """What does not stand there any more, or is too long to show, leaves the remedy as it was."""
    problem = Problem(
        "title-type", "", Origin("a.yaml", 0, ("title",)), 'put it in quotes ("1"): x'
    )
    assert [problem] == as_written([problem], data)


def test_other_remedies_need_no_file():
    """Only a remedy that shows a value is looked up."""
    problem = Problem("title-type", "", Origin("a.yaml", 0, ("title",)), "shorten it")
    assert [problem] == as_written([problem], b"title: 1\n")


def test_scalars_are_those_without_quotes():
    """What is in quotes already needs none."""
    assert [{("a",): "01", ("b", 0): "02"}] == find_scalars(b"a: 01\nb: [02, '03', \"04\"]\n")
