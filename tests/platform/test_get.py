"""`get`: what is on the platform, by the lists of an instance."""

import csv
import io
import stat
from typing import Any
from urllib.parse import parse_qs

import orjson
import pytest
from ruamel.yaml import YAML

from lmssync.platform.list_declarations import LISTS
from lmssync.support.remembered_files import list_remembered_names
from tests import making
from tests.served_catalog import Platform, Workspace
from tests.sync.test_online_check import NOWHERE, path

USAGE = 64
OF_ALL = [name for name, one in LISTS.items() if one.route and not one.owner]


def items(work: Workspace, *args: str) -> list[Any]:
    """What a list holds, by its JSON."""
    done = work.run("get", *args, "--json")
    assert done.code == 0, done.err
    found: list[Any] = done.json["items"]
    return found


def asked(platform: Platform, route: str) -> list[dict[str, list[str]]]:
    """The queries of a route since the last reset."""
    return [parse_qs(one["query"]) for one in platform.requests(route=route)]


def test_every_list_of_an_instance_is_shown(work: Workspace, instance: Platform) -> None:
    """Each list that needs no id has its declared columns, and every item of the platform."""
    for name in OF_ALL:
        done = work.run("get", name, "--all")
        assert (0, True) == (done.code, done.err in {"", "the list is empty\n"}), name
        columns = [column.removesuffix("InCents") for column in LISTS[name].columns]
        assert columns == done.out.splitlines()[0].split()
    for name in ("tags", "locations", "clients", "users", "assets", "meetings", "coupons"):
        assert {one["id"] for one in instance.dump(name)} >= {
            one["id"] for one in items(work, name)
        }
        assert items(work, name), name


def test_parts_are_listed_by_the_addresses_of_what_is_recorded(
    work: Workspace, instance: Platform
) -> None:
    """The lists of a course take its address, those of a lesson the path of it in the course."""
    work.course("a", "completionCriteria: [{id: most, type: coursePercentViewed, percent: 80}]\n")
    work.apply()
    (course,) = [one["id"] for one in instance.dump("courses") if one["title"] == "Title of a"]
    assert [[course], [course]] == [
        [one["courseId"] for one in items(work, name, "course.a")]
        for name in ("sections", "lessons")
    ]
    assert ["coursePercentViewed"] == [one["type"] for one in items(work, "criteria", "course.a")]
    assert [] == items(work, "paths", course)
    topics = items(work, "topics", "course.a/start/one")
    assert ["Hello", "Check"] == [one["title"] for one in topics]
    assert [course] == [one["id"] for one in items(work, "courses", "course.a")]


def test_the_lesson_of_a_micro_course_is_named_by_its_id(
    work: Workspace, instance: Platform
) -> None:
    """It stands in no manifest, so the error says which list shows its id."""
    work.write("a.yaml", orjson.dumps(making.micro("a")).decode())
    work.apply()
    done = work.run("get", "topics", "course.a")
    assert (USAGE, True) == (done.code, "which `lmssync get lessons course.a` shows" in done.err)
    (lesson,) = items(work, "lessons", "course.a")
    assert items(work, "topics", lesson["id"])


def test_licenses_are_those_of_all_clients_or_of_some(work: Workspace, instance: Platform) -> None:
    """A client is named by its slug, and each license says whose it is."""
    (acme,) = [one["id"] for one in instance.dump("clients") if one["slug"] == "brightwater"]
    of_one = items(work, "licenses", "brightwater")
    assert {acme} == {one["clientId"] for one in of_one}
    assert len(instance.dump("licenses")) == len(items(work, "licenses")) > len(of_one)


def test_sessions_are_those_of_a_group(work: Workspace, instance: Platform) -> None:
    """A course group is named by its id, which each session says, or by the address of a course."""
    work.course("a")
    work.write(
        "s.yaml",
        orjson.dumps(
            making.session("s", course="a", title="Late", sections=[making.section()])
        ).decode(),
    )
    work.apply()
    courses = [one for one in instance.dump("courses") if one["title"] in {"Title of a", "Late"}]
    (group,) = {one["courseGroupId"] for one in courses}
    by_address = items(work, "sessions", "course.a")
    assert {one["id"] for one in courses} == {one["id"] for one in by_address}
    assert by_address == items(work, "sessions", group)
    assert [group] == [one["id"] for one in items(work, "courseGroups", "course.a")]
    (late,) = [one["id"] for one in courses if one["title"] == "Late"]
    assert [late] == [one["courseId"] for one in items(work, "sections", "session.s")]


def test_a_list_is_narrowed_by_the_address_of_what_it_names(
    work: Workspace, instance: Platform
) -> None:
    """Licenses, coupons and meetings of a course, and the users who hold a license."""
    work.course("a")
    work.write("l.yaml", orjson.dumps(making.license_("l", name="Of a", courses=["a"])).decode())
    work.apply("--allow", "learners")
    (course,) = [one["id"] for one in instance.dump("courses") if one["title"] == "Title of a"]
    coupon, meeting = {"code": "A", "courseIds": [course]}, {"title": "A", "courseId": course}
    for list_, its in (("coupons", coupon), ("meetings", meeting)):
        made = instance.order("edit", {"list": list_, "add": its})
        assert [made["id"]] == [one["id"] for one in items(work, list_, "course.a")]
    (license_,) = [one["id"] for one in instance.dump("licenses") if one["name"] == "Of a"]
    for names in (["license.l"], ["course.a"], ["acme", "course.a"]):
        assert [license_] == [one["id"] for one in items(work, "licenses", *names)], names
    instance.order("learners", {"n": 30})
    held = {"licenseId": license_}
    holders = {one["id"] for one in instance.dump("users") if held in one["allocatedLicenses"]}
    assert holders == {one["id"] for one in items(work, "users", "license.l")}
    assert holders


def test_a_table_has_prices_and_shares_in_words(work: Workspace, instance: Platform) -> None:
    """With the currency of the project file; JSON has the number that the platform has."""
    project = work.root / "lmssync.yaml"
    project.write_text(f"{project.read_text()}currency: EUR\n")
    for coupon in ({"code": "a", "amountOffInCents": 1250}, {"code": "b", "percentOff": 20}):
        instance.order("edit", {"list": "coupons", "add": coupon})
    table = work.run("get", "coupons", "--columns", "percentOff,amountOff").out
    assert table.startswith("percentOff  amountOff\n")
    assert ("            12.50 EUR\n" in table, "20 %\n" in table) == (True, True)
    assert 1250 in [one["amountOffInCents"] for one in items(work, "coupons")]


def test_a_learning_path_is_read_by_its_id(work: Workspace, instance: Platform) -> None:
    """With its milestones, as the instance shows them."""
    known = path(instance)
    (shown,) = items(work, "learningPaths", known)
    assert (known, "P") == (shown["id"], shown["title"])


def test_filters_and_order_are_those_of_the_route(work: Workspace, platform: Platform) -> None:
    """They are sent by the names of the specification; a label stands for the id of a tag."""
    clients = items(work, "clients", "--filter", "query=a", "--sort", "-name")
    assert sorted((one["name"] for one in clients), reverse=True) == [
        one["name"] for one in clients
    ]
    items(work, "assets", "--filter", "tagIds=Safety", "--filter", "assetType=image")
    (safety,) = [one["id"] for one in platform.dump("tags") if one["label"] == "Safety"]
    (query,) = asked(platform, "asset.list")
    assert ([safety], ["image"]) == (query["tagIds"], query["assetType"])
    assert ["Safety"] == [one["label"] for one in items(work, "tags", "--filter", "label=saf")]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["tag"], "did you mean `tags`"),
        (["tags", "--filter", "colour=red"], "it has: label"),
        (["locations", "--filter", "name=x"], "its route has no filters"),
        (["assets", "--filter", "assetType=images"], "did you mean `image`?"),
        (["assets", "--filter", "search"], "write it as NAME=VALUE"),
        (["assets", "--filter", f"search={'x' * 501}"], "the platform allows 500"),
        (["assets", "--filter", "tagIds=Safty"], "did you mean `Safety`?"),
        (["tags", "--sort", "label"], "these lists can be sorted: clients"),
        (["tags", "x"], "`get tags` takes no ids"),
        (["tags", "--all", "--limit", "3"], "contradict each other"),
        (["topics"], "needs a lesson"),
        (["topics", "course.a/start"], "nothing is recorded for course.a"),
        (["paths", "safety"], "give a uuid, or an address"),
        (["licenses", "acme"], "capabilities: {license.list: true}"),
        (["users"], "name some: `lmssync get users ID`"),
        (["jobs"], "`lmssync jobs list`"),
        (["users", ""], "`` names no user"),
        (["users", "course.a"], "`course.a` names no user"),
        (["users", "client.a", NOWHERE], "nothing is recorded for client.a"),
        (["sessions", "course.a"], "`lmssync adopt course.a=ID` takes over what is on"),
        (["courseGroups", NOWHERE], "capabilities: {group.read: true}"),
        (["meetings", "x"], "it takes course.KEY or session.KEY"),
        (["sections", "course.a/start"], "give course.a alone"),
        (["courses", NOWHERE, "--filter", "query=x"], "either ids or filters"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_what_a_route_does_not_have_is_refused(
    args: list[str], said: str, work: Workspace, platform: Platform
) -> None:
    """The error says what the list has instead, and nothing of it is asked of the platform."""
    done = work.run("get", *args)
    assert (USAGE, "") == (done.code, done.out)
    assert said in done.err
    lists = {one["route"] for one in platform.requests()} - {"tag.list", "client.list"}
    assert set() == lists


def test_no_more_pages_are_read_than_are_shown(work: Workspace, platform: Platform) -> None:
    """A limit ends after the page that reaches it, and says that there is more; --all reads on."""
    platform.order("switches", {"pageSize": 2})
    limited = work.run("get", "clients", "--limit", "2")
    assert 1 == len(asked(platform, "client.list"))
    assert "there are more than these 2: --limit N or --all lists them\n" == limited.err
    every = work.run("get", "clients", "--all").out.splitlines()
    assert 1 + len(platform.dump("clients")) == len(every)


def test_every_form_holds_the_same(work: Workspace, platform: Platform) -> None:
    """JSON, YAML and CSV have the same items; CSV has more fields than the table."""
    wanted = items(work, "locations")
    assert {one["id"] for one in platform.dump("locations")} == {one["id"] for one in wanted}
    yaml = YAML(typ="safe").load(work.run("get", "locations", "--format", "yaml").out)
    assert (wanted, False) == (yaml["items"], yaml["more"])
    rows = csv.DictReader(io.StringIO(work.run("get", "locations", "--format", "csv").out))
    assert [{name: text or "" for name, text in one.items()} for one in wanted] == [
        {name: row[name] for name in wanted[0]} for row in rows
    ]


@pytest.mark.parametrize("form", ["table", "csv", "yaml", "json"])
def test_a_text_of_the_platform_leads_no_terminal(
    form: str, work: Workspace, platform: Platform
) -> None:
    """Controls in a name are spelled out in every form."""
    (one, *_) = platform.dump("locations")
    name = "\x1b[2JBern\x07\r\u009b1m"
    platform.order("edit", {"list": "locations", "id": one["id"], "set": {"name": name}})
    done = work.run("get", "locations", "--format", form)
    assert (0, True) == (done.code, "Bern" in done.out)
    assert not {"\x1b", "\x07", "\r", "\u009b"} & {*done.out}


@pytest.mark.parametrize("form", ["table", "csv", "yaml", "json"])
def test_a_text_of_the_platform_is_no_order(form: str, work: Workspace, platform: Platform) -> None:
    """No line begins as build servers take orders, and YAML and JSON still say the name."""
    (one, *_) = platform.dump("locations")
    name = "Bern\n::set-output name=digest::00"
    platform.order("edit", {"list": "locations", "id": one["id"], "set": {"name": name}})
    done = work.run("get", "locations", "--format", form)
    assert (0, True) == (done.code, "set-output" in done.out)
    assert not [line for line in done.out.splitlines() if line.strip().startswith("::")]
    if form in {"yaml", "json"}:
        read = YAML(typ="safe").load(done.out)["items"]
        assert name in {item["name"] for item in read}


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "\uff1d1", "::a::b"])
def test_a_spreadsheet_program_runs_nothing(name: str, work: Workspace, platform: Platform) -> None:
    """A text that looks like a formula begins with an apostrophe, as text."""
    (one, *_) = platform.dump("locations")
    platform.order("edit", {"list": "locations", "id": one["id"], "set": {"name": name}})
    listed = work.run("get", "locations", "--format", "csv").out
    assert f"'{name}" in {row["name"] for row in csv.DictReader(io.StringIO(listed))}


def test_names_of_tags_are_remembered_for_editors_and_those_of_people_are_not(
    work: Workspace, platform: Platform
) -> None:
    """What `get` lists, an author can write without asking again."""
    work.run("get", "tags", "--all")
    work.run("get", "users", "--all")
    labels = {tag["label"] for tag in platform.dump("tags")}
    assert labels == {*list_remembered_names(work.root, "tag")}
    assert [] == list_remembered_names(work.root, "user")


def test_fields_can_be_chosen(work: Workspace, platform: Platform) -> None:
    """`--columns` names fields, and those inside of others."""
    done = work.run("get", "clients", "golden", "--columns", "slug,tags.label")
    assert USAGE == done.code
    query = ("--filter", "query=golden", "--columns", "slug,tags.label")
    done = work.run("get", "clients", *query, "--format", "csv")
    assert 'slug,tags.label\ngolden,"Onboarding, Compliance"\n' == done.out
    typed = work.run("get", "clients", "--columns", "slug,naem")
    said = "nothing that was listed has the field `naem`; did you mean `name`?\n"
    assert (USAGE, said) == (typed.code, typed.err)
    assert platform.requests(route="client.list")


def test_a_list_that_a_client_does_not_have(work: Workspace, instance: Platform) -> None:
    """Whether the client or its list is missing, nobody can tell, so neither is claimed."""
    missing = {"status": 404, "body": {"errors": ["no such route"]}}
    instance.fault("answer", "license.list", **missing, times=2)
    done = work.run("get", "licenses", "acme")
    assert (USAGE, True) == (done.code, "the platform has no licenses of client" in done.err)
    assert "or does not know it" in done.err

    instance.fault("answer", "license.list", **missing)
    assert 0 == work.run("get", "licenses", "acme").code


def test_people_who_are_not_there_are_named(work: Workspace, platform: Platform) -> None:
    """Those who are there are shown, and the exit code says that somebody was not."""
    ann = platform.dump("users")[0]
    done = work.run("get", "users", ann["id"], NOWHERE)
    assert USAGE == done.code
    assert ann["email"] in done.out
    assert f"the platform has no user {NOWHERE}\n" == done.err


def test_a_file_with_people_is_private_and_nothing_else_is_kept(
    work: Workspace, platform: Platform
) -> None:
    """`--out` writes a file that only its owner can read; the catalog gets nothing else."""
    ann = platform.dump("users")[0]
    work.run("get", "users", ann["id"], "--format", "csv", "--out", "users.csv")
    assert 0o600 == stat.S_IMODE((work.root / "users.csv").stat().st_mode)
    assert ann["email"] in (work.root / "users.csv").read_text("utf-8")
    assert {"users.csv", "lmssync.yaml"} == {one.name for one in work.root.iterdir()}


def test_an_editor_is_offered_what_is_there(work: Workspace, platform: Platform) -> None:
    """`schema --online` has the names of the platform as examples, and is else as it was."""
    offered, plain = (work.run("schema", "license", *args).json for args in (["--online"], []))
    labels = sorted(one["label"] for one in platform.dump("tags"))
    assert labels == offered["properties"]["courseTags"]["items"].pop("examples")
    clients = sorted(one["slug"] for one in platform.dump("clients"))
    assert clients == offered["properties"]["client"]["examples"]
    offered["properties"]["client"] = plain["properties"]["client"]
    assert plain == offered
    work.run("schema", "--online", "--out", "schemas")
    manifest = orjson.loads((work.root / "schemas" / "manifest.json").read_bytes())
    assert labels == manifest["$defs"]["course"]["properties"]["tags"]["items"]["examples"]
