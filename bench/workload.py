"""Makes workload W: course manifests of 4 to 8 KB, the same ones for the same seed.

python bench/workload.py DIR [--courses N] [--seed S]
python bench/workload.py DIR --corpus FILE.jsonl.gz [--tag word=Label] [--body-files]
"""

import argparse
import random
from collections.abc import Iterable, Iterator
from pathlib import Path

import corpus

COURSES, SEED, FOLDER = 10_000, 7, 100
SECTIONS, LESSONS, TOPICS = 4, 3, 3
HTML_EVERY = 12
"""One topic in so many has `body` (HTML) in place of `markdown`."""
TAGS = ("Safety", "Compliance", "Onboarding", "Leadership", "Sales", "Wellbeing")
"""Labels that the demo company of the sandbox has."""
_TEXT = """
    about access action after agree alarm always answer before between board bring budget build
    careful change check clear close colleague complete contact correct customer daily decide
    deliver describe detail early every example explain feedback first follow goal guide handle
    health hour important improve inform keep learn leave listen machine manager measure meeting
    method minute notice offer open order people place plan point practice prepare problem process
    product protect question quick reason record remember repeat report result review rule safe
    sample schedule section service share shift short signal simple site speak standard start step
    store support system task team together tool train trust understand update visit wait watch
    water week welcome window without work write wrong year
"""
WORDS = tuple(_TEXT.split())
PROJECT = """\
version: 1
environments:
  bench:
    baseUrl: http://127.0.0.1:8800
    apiKey: {env: LMSSYNC_API_KEY}
"""


def write_project(root: Path) -> None:
    """The project file; a run names the platform's address and key in its environment."""
    root.mkdir(parents=True, exist_ok=True)
    (root / "lmssync.yaml").write_text(PROJECT, "utf-8")


def write(root: Path, numbers: Iterable[int], *, seed: int = SEED, revision: int = 0) -> int:
    """Writes some courses of W, one a file, in folders of 100; returns the bytes written.

    Another revision changes one sentence of one topic and nothing else.
    """
    total = 0
    for number in numbers:
        folder = root / f"part-{number // FOLDER:03}"
        folder.mkdir(exist_ok=True)
        data = course(number, seed=seed, revision=revision).encode()
        (folder / f"course-{number:05}.yaml").write_bytes(data)
        total += len(data)
    return total


def course(number: int, *, seed: int = SEED, revision: int = 0) -> str:
    """The manifest of one course of W."""
    chance = random.Random(f"{seed}/{number}")
    lines = [
        "resource: course",
        f"key: course-{number:05}",
        "kind: courseGroup",
        f"title: {_words(chance, 4).capitalize()} {number}",
        "description: >-",
        *(f"  {_sentence(chance, 9)}" for _ in range(3)),
        f"tags: [{', '.join(chance.sample(TAGS, 2))}]",
        f"priceInCents: {chance.randrange(0, 20_000, 100)}",
        "status: draft",
        "sections:",
    ]
    length = chance.randint(2, 11)
    for section in range(SECTIONS):
        lines += [f"  - title: Part {section + 1}, {_words(chance, 2)}", "    lessons:"]
        for _ in range(LESSONS):
            lines += [f"      - title: {_words(chance, 3).capitalize()}"]
            lines += ["        openType: studentsOnly", "        topics:"]
            for topic in range(TOPICS):
                lines += _topic(chance, topic, length)
    if revision:
        lines[-1] += f" This is revision {revision}."
    return "\n".join(lines) + "\n"


def _topic(chance: random.Random, position: int, length: int) -> Iterator[str]:
    """A text of `length` words; the last of a lesson is never HTML: a revision adds to it."""
    yield f"          - title: {_words(chance, 2).capitalize()} {position + 1}"
    yield "            type: text"
    if position + 1 < TOPICS and chance.randrange(HTML_EVERY) == 0:
        yield f"            body: <p>{_sentence(chance, length)}</p>"
        return
    yield "            markdown: |"
    yield f"              {_sentence(chance, length)} **{_words(chance, 1)}**!"


def _sentence(chance: random.Random, length: int) -> str:
    return f"{_words(chance, length).capitalize()}."


def _words(chance: random.Random, count: int) -> str:
    return " ".join(chance.choices(WORDS, k=count))


def main() -> None:
    parser = argparse.ArgumentParser(description="Makes a catalog to measure with.")
    parser.add_argument("dir", type=Path, help="folder for the catalog; files in it are replaced")
    parser.add_argument("--courses", type=int, default=COURSES)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--corpus", type=Path, nargs="+", help="real courses, in place of W")
    parser.add_argument(
        "--tag", action="append", default=[], metavar="WORD=LABEL", help="keeps a tag of a corpus"
    )
    parser.add_argument("--body-files", action="store_true", help="bodies of a corpus in files")
    options = parser.parse_args()
    write_project(options.dir)
    if options.corpus:
        tags = dict(pair.split("=", 1) for pair in options.tag)
        made = corpus.write(options.dir, options.corpus, tags=tags, files=options.body_files)
        print(f"{made} courses in {options.dir}")
    else:
        size = write(options.dir, range(options.courses), seed=options.seed)
        print(f"{options.courses} courses, {size / 1e6:.1f} MB in {options.dir}")


if __name__ == "__main__":
    main()
