"""Identifiers of learners stay in the lists of the catalog and in one private file."""

import json
import re
import shutil
from pathlib import Path

import pytest

from lmssync.kinds.license_assignment.assignment_calls import MINUS
from lmssync.planning.plan.plan_document import digest_document
from tests.kinds.test_assignments_applied import (
    CHLOE,
    GITA,
    IDA,
    JACK,
    KEEP,
    LEADERS,
    PLANT,
    change,
    holders,
)
from tests.served_catalog import Done, Platform, Workspace
from tests.support.traces import register, traces

PARTIAL, STALE = 7, 5
CHLOE_ID = "7d1c0000-0000-4000-8000-000000000410"
JACK_ID = "7d1c0000-0000-4000-8000-000000000418"
ROWS = {
    CHLOE: f"{CHLOE_ID},,",
    GITA: ",Gita.Rao@brightwater.example,",
    IDA: ",ida.berg@brightwater.example,EXT-Ida",
    JACK: ",,EXT-Jack",
    "nobody": ",,EXT-Nobody",
}
IDENTIFIERS = tuple(cell for row in ROWS.values() for cell in row.split(",") if cell)
CODE = r"[0-9a-f]{16}"


@pytest.fixture(autouse=True)
def _known_by_external_id(platform: Platform) -> None:
    change = {"set": {"externalCustomerId": "EXT-Jack"}}
    platform.order("edit", {"list": "users", "id": JACK_ID, **change})


def give(work: Workspace, *people: str, license_: str = LEADERS, more: str = KEEP) -> None:
    """Writes a list of people to a file."""
    rows = "".join(f"{ROWS[person]}\n" for person in people)
    work.write("people/staff.csv", f"id,email,externalCustomerId\n{rows}")
    head = f"resource: licenseAssignment\nkey: staff\nlicenses: [{license_}]\n"
    work.write("people/staff.yaml", f"{head}usersFile: staff.csv\n{more}")


def forget_who(work: Workspace) -> None:
    """Deletes the register, so that this is like another machine."""
    shutil.rmtree(work.root / ".lmssync" / "people")


def said(done: Done) -> list[str]:
    """The identifiers in what a command has printed."""
    text = (done.out + done.err).lower()
    return [one for one in IDENTIFIERS if one.lower() in text]


def everything(work: Workspace) -> list[str]:
    """Identifiers in what is printed, saved and recorded while a list is applied."""
    file = work.root / "p.json"
    commands = (
        ("plan",),
        ("plan", "--json"),
        ("plan", "--out", str(file)),
        ("show", str(file)),
        ("show", "--json", str(file)),
        ("apply", str(file)),
        ("apply", "--yes", "--json"),
        ("plan",),
        ("state", "list"),
        ("state", "list", "--json"),
        ("state", "show", "assignment.staff"),
    )
    found = [one for command in commands for one in said(work.run(*command))]
    saved = file.read_text().lower()
    return [
        *found,
        *(one for one in IDENTIFIERS if one.lower() in saved),
        *traces(work.root, *IDENTIFIERS),
    ]


def test_nobody_is_named_when_people_come(work: Workspace, platform: Platform) -> None:
    """When people are added, neither they nor the unknown one are named."""
    give(work, *ROWS)

    assert [] == everything(work)
    assert [CHLOE, GITA, IDA, JACK] == holders(platform)


def test_nobody_is_named_when_people_go(work: Workspace, platform: Platform) -> None:
    """When people leave the list, nobody is named, and they do lose their licenses."""
    give(work, *ROWS)
    work.apply()
    give(work, GITA)

    assert [] == everything(work)
    assert [GITA] == holders(platform)
    assert [] == work.plan()["changes"]


def test_nobody_is_named_when_licenses_change(work: Workspace, platform: Platform) -> None:
    """When the license of everybody is replaced, nobody is named."""
    give(work, CHLOE, GITA, JACK)
    work.apply()
    give(work, CHLOE, JACK, license_=PLANT)

    assert PARTIAL == work.apply().code  # one seat is left
    give(work, CHLOE, license_=PLANT)
    assert [] == everything(work)
    assert [CHLOE] == holders(platform, PLANT)


@pytest.mark.parametrize("action", ["drop-after", "garbage"])
def test_nobody_is_named_when_an_answer_is_lost(
    work: Workspace, platform: Platform, action: str
) -> None:
    """The open call of a lost answer holds codes as well, and the next run sends it again."""
    give(work, CHLOE, GITA)
    platform.order("faults", {"action": action, "route": "sublicense.assign"})

    assert [] == said(work.apply("--json"))
    assert [] == traces(work.root, *IDENTIFIERS)
    assert 0 == work.apply().code
    assert [CHLOE, GITA] == holders(platform)


def test_a_failed_job_that_names_people_is_told_by_line(
    work: Workspace, platform: Platform
) -> None:
    """A failed job names people by file and line if the catalog lists them, else by code."""
    name = "Plant of ida.berg@brightwater.example and EXT-JACK, not eve@elsewhere.example"
    platform.order("edit", {"list": "licenses", "id": PLANT, "set": {"name": name}})
    give(work, IDA, JACK, license_=PLANT)

    done = work.apply("--json")

    (failure,) = done.json["failures"]
    wanted = rf"Plant of people/staff.csv:2 and people/staff.csv:3, not person {CODE}\" has 5 seats"
    assert re.search(wanted, failure["message"])
    assert "people/staff.csv:2" in done.json["jobs"][0]["message"]
    assert [] == said(done)
    assert [] == traces(work.root, *IDENTIFIERS, "elsewhere.example")


def test_a_refusal_that_names_people_is_told_by_line(work: Workspace, platform: Platform) -> None:
    """If the platform finds two rows for one user, the message gives file and line."""
    work.write(
        "people/staff.csv",
        f"id,email\n{JACK_ID},\n,jack.muller@brightwater.example\n",
    )
    head = f"resource: licenseAssignment\nkey: staff\nlicenses: [{LEADERS}]\n"
    work.write("people/staff.yaml", f"{head}usersFile: staff.csv\n")

    done = work.apply("--json")

    assert (
        "several entries are for the user people/staff.csv:2" in done.json["failures"][0]["message"]
    )
    assert [] == traces(work.root, JACK_ID, "jack.muller")


def test_the_unknown_are_told_by_line(work: Workspace) -> None:
    """An unknown person is reported by line, in whatever case the platform returns the label."""
    give(work, CHLOE, "nobody")

    done = work.apply("--json")

    assert PARTIAL == done.code
    assert (
        "people/staff.csv:3: unknown to the platform, so they gain nothing"
        == done.json["failures"][0]["message"]
    )


def test_a_plan_counts_and_shows_where_to_look(work: Workspace) -> None:
    """A plan counts people and gives consecutive lines as a range."""
    give(work, CHLOE)
    work.apply()
    give(work, GITA, IDA, JACK)

    out = work.run("plan").out

    assert re.search(
        rf"\+3 people \(people/staff\.csv:2-4\), {MINUS}1 person \(person {CODE}\)\n", out
    )
    assert f"users: 1 person → 3 people (+3, {MINUS}1)" in out


# The register


def test_the_register_is_private(work: Workspace) -> None:
    """Only the owner can read the register, and git ignores it wherever the state is."""
    give(work, CHLOE)
    work.apply()

    file = register(work.root)

    assert 0o600 == file.stat().st_mode & 0o777
    assert 0o700 == file.parent.stat().st_mode & 0o777
    assert "*\n" == (file.parent / ".gitignore").read_text()


def known(work: Workspace) -> list[str]:
    return sorted(json.loads(register(work.root).read_bytes())["people"].values())


def test_the_register_holds_who_is_recorded(work: Workspace) -> None:
    """The register holds only people who have licenses now."""
    give(work, CHLOE, JACK, "nobody")
    work.apply()

    assert [CHLOE_ID, "EXT-Jack"] == known(work)
    give(work, JACK)
    work.apply()
    assert ["EXT-Jack"] == known(work)


def test_without_the_register_nobody_is_taken_out(work: Workspace, platform: Platform) -> None:
    """Without the register the plan is blocked, counts who left and says what to do."""
    give(work, CHLOE, GITA, JACK)
    work.apply()
    forget_who(work)
    give(work, GITA)

    found = change(work)
    words = (
        rf"2 people have left the list, .* \(person {CODE}\S*, person {CODE}\S*\): .*licenses: \[\]"
    )

    assert "blocked" == found["action"]
    assert re.search(words, str(found["reasons"]))
    assert PARTIAL == work.apply().code
    assert [CHLOE, GITA, JACK] == holders(platform)


def test_who_left_can_be_named_by_an_assignment_of_nothing(
    work: Workspace, platform: Platform
) -> None:
    """An assignment of no licenses takes them from people who left, as the blocked plan says."""
    give(work, CHLOE, GITA)
    work.apply()
    forget_who(work)
    give(work, GITA)
    work.write(
        "left.yaml",
        f"resource: licenseAssignment\nkey: left\nlicenses: []\nusers:\n  - id: {CHLOE_ID}\n{KEEP}",
    )

    assert 0 == work.apply().code
    assert [GITA] == holders(platform)
    (work.root / "left.yaml").unlink()
    assert [] == work.plan()["changes"]


def test_who_left_can_be_put_back_and_taken_out_again(work: Workspace, platform: Platform) -> None:
    """People who are listed again become known by an apply without changes, and can then leave."""
    give(work, CHLOE, GITA)
    work.apply()
    forget_who(work)
    give(work, GITA)
    work.apply()
    give(work, CHLOE, GITA)
    work.apply()
    give(work, GITA)

    assert 0 == work.apply().code
    assert [GITA] == holders(platform)


def test_people_whom_another_machine_gave_licenses_are_learned(
    work: Workspace, platform: Platform
) -> None:
    """An apply sees that the state has changed elsewhere, and learns the people in the list."""
    give(work, CHLOE)
    work.apply()
    ours = register(work.root).read_bytes()
    give(work, CHLOE, GITA)
    work.apply()
    register(work.root).write_bytes(ours)

    assert 0 == work.apply().code
    give(work, CHLOE)
    assert 0 == work.apply().code
    assert [CHLOE] == holders(platform)


def test_a_damaged_register_is_told(work: Workspace) -> None:
    """The message about a damaged register says what is lost if it is deleted."""
    give(work, CHLOE)
    work.apply()
    register(work.root).write_text('{"people": [')
    give(work, GITA)

    done = work.apply()

    assert 1 == done.code
    assert "is damaged" in done.err
    assert "delete it: lmssync learns people again from the lists" in done.err


# Saved plans


def saved(work: Workspace) -> str:
    file = str(work.root / "p.json")
    assert 0 == work.run("plan", "--out", file).code
    return file


def test_a_saved_plan_without_somebody_listed_is_stale(work: Workspace, platform: Platform) -> None:
    """A saved plan is stale if somebody in it has left the list, and nobody gets anything."""
    give(work, CHLOE, GITA)
    file = saved(work)
    give(work, GITA)

    done = work.run("apply", file)

    assert (STALE, []) == (done.code, holders(platform))
    assert re.search(rf"assignment\.staff no longer lists everybody .*: person {CODE}", done.err)


def test_a_saved_plan_does_what_it_says_and_no_more(work: Workspace, platform: Platform) -> None:
    """A saved plan gives nothing to people who were listed later; they wait for the next plan."""
    give(work, CHLOE)
    file = saved(work)
    give(work, CHLOE, GITA)

    assert 0 == work.run("apply", file).code
    assert [CHLOE] == holders(platform)


def test_a_saved_plan_needs_who_is_to_go(work: Workspace, platform: Platform) -> None:
    """A machine that does not know who is to lose a license refuses the plan before any call."""
    give(work, CHLOE, GITA)
    work.apply()
    give(work, GITA)
    file = saved(work)
    forget_who(work)

    done = work.run("apply", file)

    assert (STALE, [CHLOE, GITA]) == (done.code, holders(platform))
    assert "whom this machine does not know" in done.err


def test_a_plan_of_an_older_version_is_refused(work: Workspace, platform: Platform) -> None:
    """A plan of an older version names people in plain and is refused, or it would be recorded."""
    give(work, CHLOE)
    file = Path(saved(work))
    (code,) = set(re.findall(CODE, re.findall(r'"\$person":"\w+"', file.read_text())[0]))
    data = json.loads(file.read_text().replace(f'{{"$person":"{code}"}}', f'"{CHLOE_ID}"'))
    file.write_text(json.dumps(data | {"digest": digest_document(data)}))

    done = work.run("apply", str(file))

    assert (STALE, []) == (done.code, holders(platform))
    assert "names people of assignment.staff" in done.err


def test_who_is_left_to_others_is_still_known(work: Workspace, platform: Platform) -> None:
    """With `users` ignored, the people who are recorded get a license that is added."""
    ignore = "lifecycle: {ignore: [users]}\n"
    give(work, CHLOE, more=ignore)
    work.apply()
    give(work, GITA, more=ignore, license_=f"{LEADERS}, {PLANT}")

    assert 0 == work.run("apply", saved(work)).code
    assert ([CHLOE], [CHLOE]) == (holders(platform), holders(platform, PLANT))


# Export


def test_an_export_names_people_where_they_are_known(work: Workspace) -> None:
    """An export names people by the register, even without the catalog."""
    give(work, CHLOE, JACK)
    work.apply()
    (work.root / "people/staff.yaml").unlink()

    done = work.run("export", "assignment.staff")

    assert f"users:\n  - id: {CHLOE_ID}\n  - externalCustomerId: EXT-Jack\n" in done.out
    assert "" == done.err


def test_an_export_names_people_whom_the_catalog_lists(work: Workspace) -> None:
    """Without a register, an export names the people whom the catalog lists."""
    give(work, CHLOE)
    work.apply()
    forget_who(work)

    assert f"  - id: {CHLOE_ID}\n" in work.run("export").out


def test_an_export_of_the_unknown_says_so(work: Workspace) -> None:
    """An export writes codes for unknown people and says so; such a manifest is invalid."""
    give(work, CHLOE, GITA)
    work.apply()
    forget_who(work)
    give(work, GITA)

    done = work.run("export", "--out", "again")

    assert "assignment.staff has 1 code in place of people" in done.err
    text = (work.root / "again/license-assignments/staff.yaml").read_text()
    assert re.search(rf"- id:\n +\$person: \"?{CODE}\"?\n", text)
    shutil.rmtree(work.root / "people")
    assert 3 == work.run("validate").code
