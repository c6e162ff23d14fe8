"""Files beside manifests with the questions of topics, for the person who writes these on the
platform: an import makes them, a preview shows them, and nothing of them is sent."""

import posixpath
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain, islice
from pathlib import Path

from ...kinds import KINDS
from ...problems import Problem, suggest_near, warning_rule
from ...resource import Address, Origin, Resource
from ...support.file_writing import ensure_below
from ...support.safe_files import read_inside
from ...vocabulary.enums import SHELL_TOPICS
from .catalog import Catalog
from .catalog_files import BODY_BYTES, Listing

QUESTIONS_UNUSED = warning_rule(
    "questions-unused",
    "A file of questions belongs to no topic, because the topic has another "
    "path or is gone, or because the manifest was moved. `preview` shows it nowhere.",
    "Rename it to the path of its topic, `questions/SECTION/LESSON/TOPIC.md` beside the manifest, "
    "or delete it. Where a folder has several courses, it is `questions/KEY/SECTION/LESSON/"
    "TOPIC.md`.",
)
FOR_WHOM = (
    "For the person who writes this on the platform: nothing of it is sent, and learners do not "
    "see it."
)
"""Every file that an import writes says so."""
QUESTIONS = "questions"
"""The folder beside a manifest."""
_DEPTHS = {3, 4}
"""Steps below that folder: section, lesson and topic, with the key of the course or without."""
_SOME = 3
"""Topics that a hint names."""
_COMPARED = 50
"""Topics whose names are compared with that of a file: each takes a moment."""
Resources = Mapping[Address, Resource]


def name_question_file(manifest: str, key: str, path: str) -> str:
    """The name of the file for a topic of a course, so that it has the key of the course once.

    In the folder of another name, in which there may be further courses, they are told apart.
    """
    folder = posixpath.dirname(manifest)
    keyed = "" if posixpath.basename(folder) == key else f"{key}/"
    return posixpath.join(folder, f"{QUESTIONS}/{keyed}{path}.md")


def rename_question_files(
    root: Path, manifest: str, renamed: Iterable[tuple[str, str, str]]
) -> Iterator[tuple[str, str]]:
    """Gives the files of topics the names that follow from new paths; yields the old and the new
    name of each. Raises `OSError`."""
    folder = posixpath.join(posixpath.dirname(manifest), QUESTIONS)
    for key, old, new in renamed:
        for above in (folder, posixpath.join(folder, key)):
            names = f"{above}/{old}.md", f"{above}/{new}.md"
            source, target = (root / name for name in names)
            if source.is_file() and not target.exists():
                for name in names:
                    ensure_below(root, name)
                target.parent.mkdir(parents=True, exist_ok=True)
                source.rename(target)
                yield names


class QuestionFiles:
    """Says which files have the questions of a topic: never one file for topics of two courses."""

    def __init__(self, resources: Resources) -> None:
        self._owners = {r.origin[:2]: a for a, r in resources.items() if not r.origin.path}
        """What each document is about: its sessions have the files of the course."""
        self._number = Counter(
            (posixpath.dirname(file), owner.kind) for (file, _), owner in self._owners.items()
        )

    def list_names(self, resource: Resource, path: str) -> Iterator[str]:
        """The names that the file of a topic may have, the one that decides first."""
        file = resource.origin.file
        folder = posixpath.dirname(file)
        owner = self._owners.get(resource.origin[:2], resource.address)
        yield posixpath.join(folder, f"{QUESTIONS}/{owner.key}/{path}.md")
        is_alone = self._number[folder, owner.kind] == 1
        if is_alone or posixpath.basename(folder) == owner.key:
            yield posixpath.join(folder, f"{QUESTIONS}/{path}.md")

    def read_questions(self, root: Path, resource: Resource, path: str) -> str:
        """The questions of a topic; empty for most topics, which have none."""
        texts = (_read_text(root, name) for name in self.list_names(resource, path))
        return next(filter(None, texts), "")

    def copy_questions(
        self, root: Path, resource: Resource, manifest: str, key: str
    ) -> dict[str, str]:
        """The questions of all topics by the names that they have beside a copy of the manifest."""
        paths = KINDS[resource.address.kind].authoring.parts(resource.form)
        texts = {path: self.read_questions(root, resource, path) for path in paths}
        return {name_question_file(manifest, key, path): t for path, t in texts.items() if t}


def _read_text(root: Path, name: str) -> str:
    try:
        return read_inside(root, name, BODY_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""


def find_unused_questions(
    listing: Listing, catalog: Catalog, broken: Set[str]
) -> Iterator[Problem]:
    """A problem for each file of questions that belongs to no topic of the catalog.

    What manifests name is a body. Beside a `broken` manifest nothing is judged: its topics are not
    known.
    """
    left = {name for name in listing.files if _list_homes(name)} - catalog.watched
    if not left:
        return
    unsure, resources = set(map(posixpath.dirname, broken)), catalog.outlines
    names, free = QuestionFiles(resources), defaultdict[str, list[str]](list)
    homes = {posixpath.dirname(resource.origin.file) for resource in resources.values()}
    for resource in resources.values():
        for path, topic_type in resource.facts.get("hollow", {}).items():
            files = [*names.list_names(resource, path)]
            if topic_type in SHELL_TOPICS and left.isdisjoint(files):
                home = posixpath.dirname(resource.origin.file)
                has_key = posixpath.basename(home) == resource.address.key
                for place in (home, path):
                    free[place].append(files[-1] if has_key else files[0])
            left.difference_update(files)
    left.difference_update([*_find_filled(names, left, resources.values())])
    for name in sorted(left):
        above = _list_homes(name)
        if above & unsure:
            continue
        if above & homes or FOR_WHOM in _read_text(catalog.root, name):
            path = "/".join(name.removesuffix(".md").split("/")[-min(_DEPTHS) :])
            near = [one for at in (path, *sorted(above)) for one in free[at]]
            yield _make_problem(name, [*dict.fromkeys(near)])


def keep_unused_everywhere(of_environments: Sequence[Sequence[Problem]]) -> Iterator[Problem]:
    """The problems of all environments, without files that a topic of one of them has."""
    unused = [
        {one.origin.file for one in problems if one.code == QUESTIONS_UNUSED.id}
        for problems in of_environments
    ]
    used = set[str]().union(*unused).difference(set[str].intersection(*unused))
    for one in chain(*of_environments):
        if one.code != QUESTIONS_UNUSED.id or one.origin.file not in used:
            yield one


def _list_homes(name: str) -> set[str]:
    """The folders beside whose manifests a file may be one of questions; of most, there is none."""
    if f"{QUESTIONS}/" not in name or not name.endswith(".md"):
        return set()
    steps = name.split("/")
    at = (n for n, step in enumerate(steps) if step == QUESTIONS and len(steps) - n - 1 in _DEPTHS)
    return {"/".join(steps[:n]) for n in at}


def _find_filled(
    names: QuestionFiles, left: Set[str], resources: Iterable[Resource]
) -> Iterator[str]:
    """Files of topics that somebody has filled. Forms are opened where files are left only."""
    homes = {home for name in left for home in _list_homes(name)}
    for resource in resources:
        if posixpath.dirname(resource.origin.file) in homes:
            for path in KINDS[resource.address.kind].authoring.parts(resource.form):
                yield from names.list_names(resource, path)


def _make_problem(name: str, free: list[str]) -> Problem:
    shown = name if name.isprintable() else name.encode("unicode_escape").decode()
    hint = suggest_near(shown, islice(free, _COMPARED))
    if free and not hint:
        some = ", ".join(f"`{one}`" for one in islice(free, _SOME))
        more = f" and {len(free) - _SOME:,} more" if len(free) > _SOME else ""
        hint = f"topics without such a file would have it as {some}{more}"
    text = f"no topic has the file `{shown}`, so nobody sees the questions in it"
    return QUESTIONS_UNUSED.problem(text, Origin(shown), hint or None)
