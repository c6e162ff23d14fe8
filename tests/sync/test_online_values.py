"""`validate --online`: ribbons, content types, custom fields and people, by lists of others."""

from typing import Any

import pytest

from tests.kinds.test_course_updates import LICENSE
from tests.served_catalog import EXTENDED, Done, Platform, Workspace

from .test_online_check import problems, routes

NOWHERE = "00000000-0000-4000-8000-000000000000"


def have(work: Workspace, platform: Platform, *fields: str) -> None:
    """One course on the platform for each of these lines; the catalog has none of them."""
    for number, line in enumerate(fields):
        work.course(f"made{number}", f"{line}\n")
    assert 0 == work.apply().code
    for number in range(len(fields)):
        (work.root / f"made{number}.yaml").unlink()
    platform.http.delete("/_sandbox/requests").raise_for_status()


def people(work: Workspace, *rows: str) -> None:
    work.write("l.yaml", LICENSE.replace("[a]", "[]"))
    work.write("staff.csv", "\n".join(["id,email,externalCustomerId", *rows]) + "\n")
    work.write(
        "p.yaml", "resource: licenseAssignment\nkey: p\nlicenses: [staff]\nusersFile: staff.csv\n"
    )


def asked(work: Workspace) -> Any:
    """What the JSON of a run says about the platform."""
    return work.run("validate", "--online", "--json").json["summary"]["online"]


def told(work: Workspace) -> Done:
    return work.run("validate", "--online")


def test_values_that_courses_have(work: Workspace, instance: Platform) -> None:
    """One list shows the ribbons, content types and custom fields that are in use."""
    lines = "ribbon: mandatory\ncontentType: Course\ncustomFields: {owner: HR}\n"
    have(work, instance, *lines.splitlines())
    work.course("a", lines)

    assert {"asked": 3, "calls": 2, "unchecked": {}} == asked(work)
    assert ["ping", "group.list"] == routes(instance)


def test_a_slip_in_a_ribbon(work: Workspace, instance: Platform) -> None:
    """The warning stands at the ribbon and names the near one; a strict run fails."""
    have(work, instance, "ribbon: mandatory")
    work.course("a", "ribbon: mandatry\n")
    line = (work.root / "a.yaml").read_text().splitlines().index("ribbon: mandatry") + 1

    done = told(work)

    place = f"a.yaml:{line}:1: warning[unused-value] course.a: "
    assert f"{place}no course on the platform has the ribbon `mandatry`\n" in done.out
    assert "did you mean `mandatory`? If it is new, leave it" in done.out
    assert (0, 3) == (done.code, work.run("validate", "--online", "--strict").code)
    assert {} == asked(work)["unchecked"]


def test_a_slip_in_a_custom_field(work: Workspace, instance: Platform) -> None:
    """The key of a field is what is compared, and it is the key that is marked."""
    have(work, instance, "customFields: {audience: [managers]}")
    work.course("a", "customFields: {audiense: [managers]}\n")

    (warning,) = work.run("validate", "--online", "--json").json["problems"]

    assert ("unused-value", "customFields.audiense") == (warning["code"], warning["path"])


def test_a_value_that_no_course_has_is_counted(work: Workspace, instance: Platform) -> None:
    """No read shows that it is not there: somebody may have made it just now (O14)."""
    have(work, instance, "ribbon: mandatory")
    work.course("a", "ribbon: new\nsessionCustomFields: {room: x}\n")

    done = told(work)

    assert (0, "Valid: 1 resource in 1 file.\n") == (done.code, done.out)
    assert "would be needed: custom field of a session (1) and ribbon (1)\n" in done.err


def test_all_forms_agree(work: Workspace, instance: Platform) -> None:
    """JSON and SARIF name the same problems and the same counts."""
    have(work, instance, "ribbon: mandatory")
    work.course("a", "ribbon: mandatry\ncontentType: Nothing of the kind\n")
    json = work.run("validate", "--online", "--json").json
    (sarif,) = work.run("validate", "--online", "--format", "sarif").json["runs"]

    assert {"content type": 1} == json["summary"]["online"]["unchecked"]
    assert json["summary"]["online"] == sarif["properties"]["online"]
    assert ["unused-value"] == [one["ruleId"] for one in sarif["results"]]
    assert ["unused-value"] == [one["code"] for one in json["problems"]]


def test_a_rule_that_is_switched_off(work: Workspace, instance: Platform) -> None:
    """The project file decides about it as about any other warning."""
    have(work, instance, "ribbon: mandatory")
    work.write("lmssync.yaml", EXTENDED + "rules: {unused-value: error}\n")
    work.course("a", "ribbon: mandatry\n")
    assert ["unused-value"] == [one["code"] for one in problems(work)]


def test_a_search_shows_them_too(work: Workspace, instance: Platform) -> None:
    """Without the list of course groups it is the search that is read."""
    without = "profile: extended, capabilities: {group.list: false}"
    have(work, instance, "ribbon: mandatory", "contentType: Course")
    work.write("lmssync.yaml", EXTENDED.replace("profile: extended", without))
    work.course("a", "ribbon: mandatory\ncontentType: Course\n")

    assert {} == asked(work)["unchecked"]
    assert ["ping", "content.search"] == routes(instance)


def test_a_list_that_is_refused(work: Workspace, instance: Platform) -> None:
    """An instance may not take as many to a page, or not show the list to this key."""
    work.course("a", "ribbon: mandatory\n")
    refused = {"errors": ["perPage is too large"]}
    instance.fault("answer", "group.list", status=400, body=refused, times=9)
    instance.fault("answer", "content.search", status=403, body=refused, times=9)

    done = told(work)

    assert (0, True) == (done.code, "would be needed: ribbon (1)\n" in done.err)


def test_people_in_the_list_of_accounts(work: Workspace, instance: Platform) -> None:
    """One list for all; whoever is missing is named by the line, and by nothing else."""
    one, other, *_ = instance.dump("users")
    people(work, f"{one['id']},,", f",{other['email'].upper()},", ",nobody@example.com,", ",,X-1")

    done = told(work)

    assert 0 == done.code
    for line in (4, 5):
        start = f"staff.csv:{line}:1: warning[unknown-person] assignment.p: "
        assert f"{start}the platform shows no account of this person\n" in done.out
    assert "nobody" not in done.out + done.err
    assert ["client.list", "ping", "user.list"] == sorted(routes(instance))


def test_somebody_with_several_identifiers(work: Workspace, instance: Platform) -> None:
    """One that the platform knows is enough (spec 4)."""
    there = instance.dump("users")[0]
    people(work, f"{NOWHERE},{there['email']},")
    assert {"asked": 2, "calls": 3, "unchecked": {}} == asked(work)
    assert "unknown-person" not in told(work).out


def test_few_people_of_many(work: Workspace, instance: Platform) -> None:
    """A long list is left for reads of single accounts, if these are fewer calls (O35)."""
    instance.order("switches", {"pageSize": 1})
    there = instance.dump("users")[-1]
    people(work, f",{there['email']},", ",nobody@example.com,")

    assert {"asked": 3, "calls": 5, "unchecked": {}} == asked(work)
    assert ["user.list", "user.read", "user.read"] == sorted(routes(instance))[-3:]


def test_people_of_the_specification(work: Workspace, platform: Platform) -> None:
    """Without a list an account is read by its id alone; other people are counted."""
    there = platform.dump("users")[0]
    people(work, f"{there['id']},,", f"{NOWHERE},,", f",{there['email']},")

    found = work.run("validate", "--online", "--json").json["problems"]

    assert [3] == [one["line"] for one in found if one["code"] == "unknown-person"]
    assert {"person": 1} == asked(work)["unchecked"]


@pytest.mark.parametrize("status", [200, 404])
def test_how_a_missing_account_is_answered(
    work: Workspace, platform: Platform, status: int
) -> None:
    """Some instances answer 200 with errors (O35)."""
    platform.order("switches", {"missingUser": "errors" if status == 200 else "notFound"})
    people(work, f"{NOWHERE},,")
    assert "staff.csv:2:1: warning[unknown-person]" in told(work).out


def test_accounts_that_the_key_may_not_see(work: Workspace, instance: Platform) -> None:
    """Nothing is said of people whom no read shows; they are counted."""
    people(work, ",nobody@example.com,")
    refused = {"errors": ["not for you"]}
    for route in ("user.list", "user.read"):
        instance.fault("answer", route, status=403, body=refused, times=9)

    done = told(work)

    assert (0, True) == (done.code, "would be needed: person (1)\n" in done.err)


def test_a_list_of_nobody(work: Workspace, instance: Platform) -> None:
    """A key that sees no account says nothing about anybody by it."""
    people(work, ",,X-1")
    instance.fault("answer", "user.list", status=200, body={"users": []}, times=9)
    assert {"person": 1} == asked(work)["unchecked"]


def test_videos_are_counted(work: Workspace, instance: Platform) -> None:
    """Each once, wherever it stands: no list shows a video (O49)."""
    hosted = "kind: video\ntitle: V\nvideoAsset: ab12cd34\npreAsset: ab12cd34\n"
    work.write("v.yaml", f"resource: course\nkey: v\n{hosted}")
    video = "{id: v, title: V, type: video, videoAsset: ef56}"
    work.course(
        "a", edit=("          - {id: check", f"          - {video}\n          - {{id: check")
    )
    assert {"video": 2} == asked(work)["unchecked"]
