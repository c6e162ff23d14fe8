"""What the coverage-guided fuzzer feeds: `python -m tests.fuzz.targets [option...] FOLDER...`.

The options are libFuzzer's; the last FOLDER holds the corpus. It ends with a trace on the first
input that parts the readers or gets no answer, and leaves that input in a file `crash-...`.
"""

import os
import sys
from typing import Any

import atheris

with atheris.instrument_imports(include=["lmssync"]):
    from lmssync.catalog.manifests.export import make_manifests
    from lmssync.catalog.manifests.formatter import Unproven, format_manifest
    from lmssync.catalog.manifests.yaml import YamlMistake, load_yaml
    from lmssync.catalog.manifests.yaml.exact_reader import load_exactly
    from lmssync.catalog.manifests.yaml.libyaml_reader import UnsupportedSyntax, load_fast
    from lmssync.catalog.manifests.yaml.line_reader import load_by_lines
    from lmssync.catalog.manifests.yaml.value_places import find_marks
    from lmssync.catalog.manifests.yaml.yaml_writer import write_stream
    from lmssync.problems import in_order, only_errors
    from lmssync.report.problems import problems_text
    from tests import making


def readers(data: bytes) -> None:
    """One meaning of a file, or the slow reader decides."""
    for read in (load_by_lines, load_fast):
        try:
            quick = read(data)
        except UnsupportedSyntax:
            continue
        try:
            values = load_exactly(data)
        except YamlMistake as mistake:
            raise AssertionError(f"read as {quick!r:.200}, and refused: {mistake}") from None
        assert repr(values) == repr(quick)


def document(data: bytes) -> None:
    """Every document is answered; what is right is written back without a change."""
    try:
        found = load_yaml(data)
    except YamlMistake:
        return
    assert isinstance(find_marks(data), list)
    for value in found:
        resources, problems = making.found(value)
        problems_text(in_order(problems)).encode()
        forms = {resource.address: resource.form for resource in resources}
        if only_errors(problems) or not forms:
            continue
        (again,) = load_yaml("".join(write_stream(m.data for m in make_manifests(forms))).encode())
        assert forms == {resource.address: resource.form for resource in making.found(again)[0]}


def layout(data: bytes) -> None:
    """What `fmt` makes of a file has the same values."""
    try:
        better = format_manifest(data)
    except (YamlMistake, Unproven):
        return
    assert list(map(_spelled, load_yaml(data))) == list(map(_spelled, load_yaml(better)))


def _spelled(value: Any) -> str:
    """A value with its types, whatever the order of its keys."""
    if isinstance(value, dict):
        return f"{{{', '.join(sorted(f'{k!r}: {_spelled(item)}' for k, item in value.items()))}}}"
    return f"[{', '.join(map(_spelled, value))}]" if isinstance(value, list) else repr(value)


def main() -> None:
    """Each target in a process of its own: to instrument the package takes longer than a look."""
    for target in (readers, document, layout):
        if not (child := os.fork()):
            atheris.Setup(sys.argv, target)
            atheris.Fuzz()
        if os.waitpid(child, 0)[1]:
            sys.exit(f"something was found by the target `{target.__name__}`")


if __name__ == "__main__":
    main()
