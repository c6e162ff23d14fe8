"""Whatever a source holds, an import ends in words or in a catalog that is right."""

import os
import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from lmssync.catalog.catalog_validation import validate_catalog
from lmssync.catalog.manifests import file_choice, format_files
from lmssync.errors import LmssyncError
from lmssync.problems import only_errors
from lmssync.sync.importers import SOURCE_READERS, add_courses, open_staging
from tests.making import PROJECT
from tests.sync.importers import sources

EXAMPLES = int(os.environ.get("FUZZ_IMPORTS", "30"))
SAMPLES = {
    "olx": sources.OLX,
    "imscc": sources.IMSCC,
    "moodle": sources.MOODLE,
    "markdown": sources.MARKDOWN,
    "csv": sources.CSV,
}
WORDS = (b'""', b'"x y"', b'"-1"', b'"../x"', b'"9999999999"')
TEXTS = (b"><", b">x<", b">-5<", b">\xc3\xa9<", b">99999999999999999<")
TAGS = (b"vertical", b"html", b"item", b"lesson", b"problem", b"title", b"\t", b'"', b"#", b"[")


def cut(random: Random, data: bytes) -> bytes:
    start = random.randint(0, len(data))
    return data[:start] + data[start + random.randint(1, 30) :]


def inserted(random: Random, data: bytes) -> bytes:
    start = random.randint(0, len(data))
    return data[:start] + bytes([random.randint(0, 255)]) + data[start:]


def other_values(random: Random, data: bytes) -> bytes:
    return re.sub(rb'"[^"]*"', lambda found: random.choice((found[0], *WORDS)), data)


def other_texts(random: Random, data: bytes) -> bytes:
    return re.sub(rb">[^<>]*<", lambda found: random.choice((found[0], *TEXTS)), data)


def other_words(random: Random, data: bytes) -> bytes:
    words = re.findall(rb"\w+", data) or [b"x"]
    return data.replace(random.choice(words), random.choice(TAGS))


EDITS: tuple[Callable[[Random, bytes], bytes], ...] = (
    cut,
    inserted,
    other_values,
    other_texts,
    other_words,
    lambda _random, _data: b"",
)


def edited(random: Random, sample: sources.Contents) -> dict[str, bytes]:
    """A sample with a few of its files changed, lost, or in the place of another."""
    files = {name: d.encode() if isinstance(d, str) else d for name, d in sample.items()}
    for _ in range(random.randint(1, 4)):
        name, other = random.choice(list(files)), random.choice(list(files))
        files[name] = random.choice(EDITS)(random, files[other if random.random() < 0.1 else name])
        if random.random() < 0.1 and len(files) > 1:
            del files[name]
    return files


@pytest.mark.slow
@pytest.mark.parametrize("form", SOURCE_READERS)
def test_any_source_is_answered(tmp_path: Path, form: str):
    """Nothing is left of what is refused; what is taken validates, and is in order."""
    random = Random(form)
    for number in range(EXAMPLES):
        root = tmp_path / str(number)
        source = sources.put(root / ".source", edited(random, SAMPLES[form]))
        try:
            with open_staging(root / "courses") as courses:
                add_courses(courses, form, source)
        except LmssyncError:
            assert not (root / "courses").exists()
            continue
        (root / "lmssync.yaml").write_text(PROJECT)
        assert [] == only_errors(validate_catalog(root).problems)
        looks = list(format_files.look_at_files(file_choice.choose_catalog_files(root)))
        assert not any(look.changes for look in looks)
