"""What is on the platform becomes manifests, and is managed from then on."""

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from lmssync.texts.html_layout import show_same_page
from tests.answer_proxy import answer_proxy
from tests.flows.test_main_job import EXAMPLE
from tests.platform.client.answering import Said
from tests.served_catalog import EXTENDED, PROJECT, Platform, Workspace, serving

FORGET = ("state", "rm", "--drop-ids")

pytestmark = pytest.mark.xdist_group("import")  # all look at one instance


@pytest.fixture(scope="module")
def _made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Platform]:
    """An instance with the example catalog on it, made by others once for all of these tests."""
    others = tmp_path_factory.mktemp("others")
    shutil.copytree(EXAMPLE, others, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".lmssync"))
    with serving(profile="extended") as platform:
        env = {"LMSSYNC_BASE_URL": platform.base_url, "LMSSYNC_API_KEY": platform.key}
        apply = [sys.executable, "-m", "lmssync", "apply", "--yes", "-C", str(others)]
        subprocess.run(apply, env=os.environ | env, check=True, capture_output=True)
        yield platform


@pytest.fixture
def filled(work: Workspace, _made: Platform, monkeypatch: pytest.MonkeyPatch) -> Platform:
    """That instance, and an empty catalog for it; a test that changes it changes it back."""
    monkeypatch.setenv("LMSSYNC_BASE_URL", _made.base_url)
    work.write("lmssync.yaml", EXTENDED)
    return _made


def texts(work: Workspace) -> dict[str, str]:
    """What the files of all courses hold."""
    files = (path for path in (work.root / "courses").rglob("*") if path.is_file())
    return {str(path): path.read_text() for path in files}


@contextmanager
def changed(platform: Platform, slug: str, **fields: str) -> Iterator[None]:
    """A course group with other fields for as long as the block takes."""
    group = next(one for one in platform.dump("courseGroups") if one["slug"] == slug)
    order = {"list": "courseGroups", "id": group["id"]}
    platform.order("edit", {**order, "set": fields})
    yield
    platform.order("edit", {**order, "set": {name: group[name] for name in fields}})


def test_everything_is_imported_and_the_next_plan_is_empty(
    work: Workspace, filled: Platform
) -> None:
    """Courses with their criteria and paths, and the licenses of all clients, become manifests."""
    done = work.run("import", "--all")

    assert 0 == done.code, done.err
    assert (
        "Imported 20 courses, 26 completion criteria, 20 licenses and 10 purchase paths" in done.out
    )
    assert {"create": 0, "update": 0, "manual": 0} == {
        name: work.plan()["summary"][name] for name in ("create", "update", "manual")
    }


def test_what_was_imported_is_valid_and_in_order(work: Workspace, filled: Platform) -> None:
    """`validate` and `fmt --check` have nothing to say about it, not even a warning."""
    work.run("import", "--all")

    assert [] == work.run("validate", "--json").json["problems"]
    assert 0 == work.run("fmt", "--check", "courses", "licenses").code


def test_an_import_only_reads(work: Workspace, filled: Platform) -> None:
    """Nothing but GET requests leaves for the platform."""
    before = len(filled.requests())
    work.run("import", "--all")

    assert {"GET"} == {request["method"] for request in filled.requests()[before:]}


def test_a_list_that_is_not_there_is_empty(
    work: Workspace, filled: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client that is deleted while an import reads has no licenses, and stops nothing."""
    acme = next(one["id"] for one in filled.dump("clients") if one["slug"] == "acme")
    others = [one for one in filled.dump("licenses") if one["clientId"] != acme]
    with answer_proxy(filled.base_url) as way:
        monkeypatch.setenv("LMSSYNC_BASE_URL", way.base_url)
        gone = Said({"errors": ["there is no such client"]}, 404)
        way.bend("license.list", lambda asked, said: gone if acme in asked.path else said)
        done = work.run("import", "--all")
    assert (0, True) == (done.code, f", {len(others)} licenses and" in done.out), done.err


def test_a_list_that_the_instance_lacks_is_said(work: Workspace, filled: Platform) -> None:
    """Where no client has a list of licenses, nothing is imported as if there were none."""
    filled.fault("answer", "license.list", status=404, body={"errors": ["no such route"]}, times=99)
    done = work.run("import", "--all")
    filled.order("faults", {"seed": 0, "faults": []})
    assert (1, False) == (done.code, (work.root / "courses").exists())
    assert "has no list of licenses for any of its clients" in done.err


def test_one_course_is_named_by_slug_or_by_either_id(work: Workspace, filled: Platform) -> None:
    """The slug of a course and the ids of its group and its session all mean the course."""
    group = next(g for g in filled.dump("courseGroups") if g["slug"] == "fire-safety")
    course = next(c for c in filled.dump("courses") if c["courseGroupId"] == group["id"])

    for word in ("fire-safety", group["id"], course["id"].upper()):
        done = work.run("import", "--dry-run", "--json", word)
        assert ["course.fire-safety"] == [one["address"] for one in done.json["imported"]]


def test_an_edit_after_an_import_is_the_only_change(work: Workspace, filled: Platform) -> None:
    """The plan shows the field that was edited, and nothing else."""
    work.run("import", "--all")
    file = work.root / "courses/fire-safety/course.yaml"
    file.write_text(
        file.read_text("utf-8").replace("title: Fire safety\n", "title: Fire!\n"), "utf-8"
    )

    (change,) = work.plan()["changes"]

    assert ("course.fire-safety", "update") == (change["address"], change["action"])
    assert ["title"] == [field["path"] for field in change["fields"]]


def test_references_name_what_was_imported_with_them(work: Workspace, filled: Platform) -> None:
    """A license names its courses by their keys and its client by the slug, as an author would."""
    work.run("import", "--all")

    text = (work.root / "licenses/acme-managers.yaml").read_text("utf-8")

    assert "client: acme\n" in text
    assert "  - first-line-manager\n" in text


def test_an_import_goes_on_where_it_was_stopped(work: Workspace, filled: Platform) -> None:
    """Files that were written and not recorded are taken as they are; the rest is left alone."""
    work.run("import", "fire-safety", "first-aid-at-work")
    forgotten = work.run(*FORGET, "course.fire-safety", "*.fire-safety.*")
    assert 0 == forgotten.code, forgotten.err
    before = texts(work)

    done = work.run("import", "fire-safety", "first-aid-at-work", "--json")

    assert (0, 1) == (done.code, done.json["managed"])
    assert ["course.fire-safety"] == [one["address"] for one in done.json["imported"]]
    assert before == texts(work)


def test_what_was_forgotten_and_has_its_manifest_gets_no_second_one(
    work: Workspace, filled: Platform
) -> None:
    """The next plan manages it again, whatever the manifest says by now."""
    work.run("import", "fire-safety")
    work.run("state", "rm", "course.fire-safety", "*.fire-safety.*")
    file = work.root / "courses/fire-safety/course.yaml"
    file.write_text(file.read_text().replace("title: ", "title: The whole of ", 1))
    before = texts(work)

    done = work.run("import", "fire-safety", "--json")

    assert (0, 1, []) == (done.code, done.json["managed"], done.json["imported"])
    assert before == texts(work)


def test_what_was_forgotten_gets_its_address_again(work: Workspace, filled: Platform) -> None:
    """Its manifest was deleted; another key would be another thing to those who refer to it."""
    work.run("import", "fire-safety")
    work.run("state", "rm", "course.fire-safety", "*.fire-safety.*")
    shutil.rmtree(work.root / "courses/fire-safety")

    done = work.run("import", "fire-safety", "--json")

    assert ["course.fire-safety"] == [one["address"] for one in done.json["imported"]]
    assert [] == work.plan()["changes"]


def test_a_manifest_that_says_something_else_is_to_be_adopted(
    work: Workspace, filled: Platform
) -> None:
    """The catalog does not get a second manifest for the same course."""
    work.run("import", "fire-safety")
    work.run(*FORGET, "course.fire-safety", "*.fire-safety.*")
    file = work.root / "courses/fire-safety/course.yaml"
    file.write_text(file.read_text().replace("title: ", "title: The whole of ", 1))

    done = work.run("import", "fire-safety", "--json")

    assert "`lmssync adopt course.fire-safety=" in done.json["refused"][0]["because"]
    assert ["courses/fire-safety"] == [
        str(path.relative_to(work.root)) for path in work.root.glob("courses/*")
    ]


def test_a_second_import_says_that_everything_is_managed(work: Workspace, filled: Platform) -> None:
    """Nobody has to guess whether nothing was there."""
    work.run("import", "--all")

    done = work.run("import", "--all")

    left = "Left as they are: 40 resources managed or in the catalog already.\n"
    assert f"{left}Imported nothing.\n" == done.out


def test_a_file_that_says_something_else_is_never_overwritten(
    work: Workspace, filled: Platform
) -> None:
    """The import ends with an error, and neither the file nor the state has changed."""
    work.write("courses/fire-safety/course.yaml", "# mine\n")

    done = work.run("import", "fire-safety")

    assert 64 == done.code
    assert "there is already" in done.err
    assert "# mine\n" == (work.root / "courses/fire-safety/course.yaml").read_text("utf-8")


def test_a_word_that_means_nothing_gets_a_near_miss(work: Workspace, filled: Platform) -> None:
    done = work.run("import", "fire-safty")

    assert 64 == done.code
    assert "`fire-safty`" in done.err
    assert "fire-safety" in done.err.replace("fire-safty", "")


def test_ids_have_no_near_misses(work: Workspace, filled: Platform) -> None:
    """That two of them are alike says nothing."""
    (known, *_) = (one["id"] for one in filled.dump("licenses"))

    done = work.run("import", f"{known[:-4]}ffff")

    assert (64, False) == (done.code, "did you mean" in done.err)


def test_ids_come_from_the_first_column_of_a_file(work: Workspace, filled: Platform) -> None:
    work.write("ids.csv", "id,why\nfire-safety,first\nfirst-aid-at-work,then\n")

    done = work.run("import", "--from", "ids.csv", "--dry-run", "--json")

    assert 2 == len(done.json["imported"])


def test_a_value_that_no_manifest_can_hold_is_named_and_left_out(
    work: Workspace, filled: Platform
) -> None:
    """The rest of the course is imported all the same."""
    with changed(filled, "fire-safety", description="A\x07"):
        done = work.run("import", "fire-safety")

    assert 0 == done.code, done.err
    assert "course.fire-safety: description is left out" in done.out
    assert 0 == work.run("validate").code


def test_an_instance_without_lists_says_what_is_missing(
    work: Workspace, instance: Platform
) -> None:
    """At once: nothing is asked for what cannot be made use of."""
    before = len(instance.requests())
    work.write("lmssync.yaml", PROJECT)

    done = work.run("import", "--all")

    assert 64 == done.code
    assert "profile: extended" in done.err
    assert before == len(instance.requests())


def test_nothing_is_imported_without_being_asked(work: Workspace, instance: Platform) -> None:
    done = work.run("import")

    assert 64 == done.code
    assert "--all" in done.err


def test_a_list_of_ids_is_adopted_and_what_does_not_fit_is_refused(
    work: Workspace, filled: Platform
) -> None:
    """Each line stands for itself: the rest is adopted all the same."""
    work.run("import", "fire-safety", "first-aid-at-work")
    work.run("state", "forget", "--drop-ids", "course.fire-safety", "course.first-aid-at-work")
    groups = {group["id"]: group["slug"] for group in filled.dump("courseGroups")}
    ids = {groups[one["courseGroupId"]]: one["id"] for one in filled.dump("courses")}
    work.write(
        "ids.csv",
        f"address,id\ncourse.fire-safety,{ids['fire-safety']}\n"
        f"course.first-aid-at-work,{ids['spot-the-phish']}\n",
    )

    done = work.run("adopt", "--from", "ids.csv")

    assert (7, "course.fire-safety: adopted\n") == (done.code, done.out.partition("`")[0])
    assert "course.first-aid-at-work: not adopted" in done.err


def test_an_id_of_another_path_does_not_stop_the_list(work: Workspace, filled: Platform) -> None:
    """What does not fit is said; the rest is adopted, by that run and by the next one as well."""
    work.run("import", "--all")
    rows = work.run("state", "list", "--json").json["resources"]
    ids = {row["address"]: row["ids"].get("id") or row["ids"]["course"] for row in rows}
    first, second, *_ = (address for address in ids if address.startswith("path."))
    work.run("state", "rm", "--drop-ids", *ids)
    wrong = ids | {first: ids[second]}
    for given, refused in (wrong, [first]), (ids, []):
        work.write("ids.csv", "".join(f"{address},{id_}\n" for address, id_ in given.items()))
        done = work.run("adopt", "--from", "ids.csv")
        said = [line.partition(":")[0] for line in done.err.splitlines() if ": not adopted" in line]
        assert (refused, len(ids) - len(refused)) == (said, done.out.count(": adopted"))


@contextmanager
def paths_to_groups(platform: Platform) -> Iterator[None]:
    """Every purchase path to an item leads to a course group for as long as the block takes."""
    paths = platform.dump("purchasePaths")
    aimed = {one["id"]: one["targetId"] for one in paths if one["targetType"] == "catalog_item"}
    groups = dict(zip(aimed, platform.dump("courseGroups"), strict=False))
    assert len(groups) == len(aimed) > 1
    order = {"list": "purchasePaths"}
    for id_, group in groups.items():
        platform.order("edit", {**order, "id": id_, "set": {"targetId": group["id"]}})
    yield
    for id_, before in aimed.items():
        platform.order("edit", {**order, "id": id_, "set": {"targetId": before}})


def test_all_that_is_imported_is_as_it_is_there(work: Workspace, filled: Platform) -> None:
    """A key means the session, so paths to groups name them by id: nothing differs."""
    with paths_to_groups(filled):
        work.run("import", "--all")

        assert "No changes" in work.run("plan").out
        assert (0, []) == ((done := work.run("drift", "--json")).code, done.json["findings"])


def test_all_that_is_adopted_unread_is_as_it_is_there(work: Workspace, filled: Platform) -> None:
    """The manifests of an import, adopted where only the routes of the core profile are read."""
    with paths_to_groups(filled):
        work.run("import", "--all")
        rows = work.run("state", "list", "--json").json["resources"]
        ids = [(row["address"], row["ids"].get("id") or row["ids"]["course"]) for row in rows]
        work.write("ids.csv", "".join(f"{address},{id_}\n" for address, id_ in ids))
        work.write("lmssync.yaml", PROJECT)
        shutil.rmtree(work.root / ".lmssync")
        adopted = work.run("adopt", "--from", "ids.csv", "--new-state", "--unverified")

        assert (0, len(rows)) == (adopted.code, adopted.out.count(": adopted"))
        assert [] == work.plan()["changes"]
        assert (0, []) == ((done := work.run("drift", "--json")).code, done.json["findings"])


def test_a_list_that_the_key_may_not_read_is_named(
    work: Workspace, filled: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The import ends before a manifest lacks its purchase paths, and says what to do."""
    monkeypatch.setenv("LMSSYNC_API_KEY", filled.order("keys", {"permissions": []})["key"])

    done = work.run("import", "--all")

    assert 8 == done.code
    assert "error: the key may not list purchase paths, so the import ends: " in done.err
    assert "give it to the role of the key; then run the import again" in done.err


def test_what_names_something_that_has_no_manifest_names_it_by_its_id(
    work: Workspace, filled: Platform
) -> None:
    """A course that cannot be imported leaves no dangling keys in the others."""
    with changed(filled, "fire-safety", title="A\x07"):
        done = work.run("import", "--all")

    assert "Not imported:\n" in done.out
    assert 0 == work.run("validate").code
    assert "No changes" in work.run("plan").out


def test_bodies_are_markdown_where_that_gives_the_same_html(
    work: Workspace, filled: Platform
) -> None:
    """What authors wrote as Markdown comes back as Markdown files beside the manifest."""
    work.run("import", "workplace-safety-101")

    folder = work.root / "courses/workplace-safety-101"

    assert [] == list(folder.glob("*.html"))
    assert "## What you will be able to do\n" in (folder / "home-in-one-piece.md").read_text()


@pytest.mark.parametrize(
    "body",
    [
        "<p>One&nbsp;word</p>\r\n<p>and <b>more</b><br>",
        '<table class="x" style="width:100%"><tr><td>word</td></tr></table>\n\n\n<p>  \t end </p>',
        "<script>let word = 1 < 2 && '</p>';</script>\n" * 9,
        "word " * 400 + "<iframe src='https://media.example.com/a?b=1&c=2'></iframe>",
        "# not a heading\n\n* word *\n\n    <pre>  kept </pre>\n",
    ],
    ids=["line ends", "a table", "a script", "one long line", "looks like markdown"],
)
def test_a_body_survives_an_import_and_an_edit_of_one_word(
    work: Workspace, instance: Platform, body: str
) -> None:
    """What learners see then differs in that word and in nothing else."""
    work.course("a")
    assert 0 == work.apply().code
    topic = next(one for one in instance.dump("topics") if one["title"] == "Hello")
    instance.order("edit", {"list": "topics", "id": topic["id"], "set": {"body": body}})
    (work.root / "a.yaml").unlink()
    shutil.rmtree(work.root / ".lmssync")
    assert 0 == work.run("import", "--all").code

    for file in (work.root / "courses").rglob("*"):
        if file.is_file():
            file.write_bytes(file.read_bytes().replace(b"word", b"WORD"))
    done = work.apply()

    assert 0 == done.code, done.err
    after = next(one for one in instance.dump("topics") if one["title"] == "Hello")
    assert show_same_page(body.replace("word", "WORD"), after["body"])


def test_what_an_import_has_read_is_proven(work: Workspace, filled: Platform) -> None:
    """Every field of it; a plan sums them up, and opens no record for that."""
    work.run("import", "--all")

    with sqlite3.connect(work.root / ".lmssync/state.db") as state:
        ((counted, fields),) = state.execute("SELECT COUNT(*), SUM(fields) FROM proof")
    state.close()

    truth = work.plan()["truth"]
    assert (76, fields, fields) == (counted, truth["fields"], truth["proven"])
