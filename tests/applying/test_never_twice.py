"""Whatever breaks, nothing is made twice, and nothing that was acknowledged is lost."""

import signal
from pathlib import Path
from typing import Any

import orjson
import pytest

from tests.answer_proxy import AnswerProxy
from tests.kinds.test_course_updates import LICENSE
from tests.patience import read_outputs
from tests.served_catalog import COURSE, Platform, Workspace, kill_apply

UNKNOWN, PARTIAL, UNREACHABLE, INTERRUPTED = 4, 7, 8, 130


def three(work: Workspace) -> None:
    for key in ("a", "b", "c"):
        work.course(key)


@pytest.mark.parametrize("action", ["drop-after", "cut", "garbage"])
def test_a_lost_answer_is_never_answered_by_a_second_create(
    work: Workspace, platform: Platform, action: str
) -> None:
    """The platform did it, the answer was lost: the run says unknown, and so does the next one."""
    three(work)
    platform.fault(action, "course.create")

    assert UNKNOWN == work.apply().code
    assert UNKNOWN == work.apply().code
    assert ["Title of a", "Title of b", "Title of c"] == platform.titles()


def test_a_list_of_courses_settles_a_lost_answer(work: Workspace, instance: Platform) -> None:
    """Where content search shows the mark, no person is needed (O27)."""
    three(work)
    instance.fault("cut", "course.create")
    assert UNKNOWN == work.apply().code

    assert 0 == work.apply().code
    assert ["Title of a", "Title of b", "Title of c"] == instance.titles()
    assert [] == work.plan()["changes"]


def test_a_receipt_says_what_became_of_the_calls_of_an_earlier_run(
    work: Workspace, instance: Platform, tmp_path: Path
) -> None:
    """The text, the JSON, the Markdown and the page, though the plan itself has nothing to do."""
    work.course("a")
    instance.fault("cut", "course.create")
    assert UNKNOWN == work.apply().code
    files = [tmp_path / f"receipt{ending}" for ending in (".txt", ".md", ".html", ".json")]

    assert 0 == work.apply(*(f"--report={file}" for file in files)).code
    *texts, document = [file.read_text() for file in files]
    for text in texts:
        assert "Settled before the plan was made: 1 call of an earlier run." in text
        assert "1 call had done everything, which is recorded now." in text
    assert {"done": 1, "left": 0, "undecided": 0} == orjson.loads(document)["recovered"]


def test_a_receipt_says_which_calls_of_an_earlier_run_are_open(
    work: Workspace, platform: Platform
) -> None:
    """Where nothing shows what a call has done, it is not counted as settled."""
    work.course("a")
    platform.fault("drop-before", "course.create")
    assert UNKNOWN == work.apply().code
    said = work.apply().out
    assert "Still open: 1 call of an earlier run; `lmssync resolve` shows what to decide." in said
    assert "Settled" not in said


def test_a_request_dropped_before_the_work_is_unknown_too(
    work: Workspace, platform: Platform
) -> None:
    """If the connection breaks the outcome is unknown until a person says that nothing was made."""
    work.course("a")
    platform.fault("drop-before", "course.create")

    assert UNKNOWN == work.apply().code
    assert [] == platform.titles()
    assert {"blocked": 1} == {k: v for k, v in work.plan()["summary"].items() if v}


def test_adopt_takes_over_what_a_person_found(work: Workspace, platform: Platform) -> None:
    """An id is adopted if the read shows its mark; then the plan is empty."""
    three(work)
    platform.fault("drop-after", "course.create")
    work.apply()

    for course in platform.dump("courses"):
        key = course["sku"].split("-")[1]
        assert 0 == work.run("resolve", f"course.{key}", "--adopt", course["id"]).code
    assert [] == work.plan()["changes"]


def test_adopt_refuses_what_is_something_else(work: Workspace, platform: Platform) -> None:
    """An id of another course is not adopted, since it lacks the mark."""
    three(work)
    platform.fault("drop-after", "course.create")
    work.apply()
    other = next(c["id"] for c in platform.dump("courses") if c["sku"].startswith("ls-b"))

    done = work.run("resolve", "course.a", "--adopt", other)

    assert 1 == done.code
    assert "its mark, title or structure differs" in done.err


def test_what_may_still_land_is_waited_for_before_it_is_declared_absent(
    work: Workspace, platform: Platform
) -> None:
    """A create cannot be declared absent too early, or the person would cause the duplicate."""
    work.course("a")
    platform.fault("drop-before", "course.create")
    work.apply()

    done = work.run("resolve", "course.a", "--not-created")

    assert (0, True) == (done.code, "may still be working" in done.err)
    assert 0 == work.apply().code
    assert ["Title of a"] == platform.titles()


def test_a_lost_criterion_is_found_in_its_course(work: Workspace, platform: Platform) -> None:
    """A lost criterion is found in the exact read of its course, without a person (O25)."""
    work.course(
        "a", "completionCriteria: [{id: p, type: courseAssessmentPassed, topic: start/one/check}]\n"
    )
    platform.fault("drop-after", "criteria.update")

    assert UNKNOWN == work.apply().code
    assert 0 == work.apply().code
    assert 1 == len(platform.dump("completionCriteria"))
    assert [] == work.plan()["changes"]


def test_a_criterion_that_was_not_made_is_made_once(work: Workspace, platform: Platform) -> None:
    """If the exact read of the course does not show the criterion, it is sent again, and the
    receipt says that the earlier call had not done it."""
    work.course("a", "completionCriteria: [{id: m, type: coursePercentViewed, percent: 80}]\n")
    platform.fault("drop-before", "criteria.update")

    assert UNKNOWN == work.apply().code
    done = work.apply()
    assert (0, True) == (
        done.code,
        "  1 call had done a part at most, or may be repeated" in done.out,
    )
    assert 1 == len(platform.dump("completionCriteria"))


def test_an_update_that_was_done_is_not_called_half_done(
    work: Workspace, platform: Platform
) -> None:
    """A read shows a title as it was sent, and the receipt leaves nothing to the next plan."""
    work.course("a")
    work.apply()
    (work.root / "a.yaml").write_text(COURSE.replace("Title of KEY", "Another").replace("KEY", "a"))
    platform.fault("drop-after", "course.update")

    assert UNKNOWN == work.apply().code
    done = work.apply()
    assert (0, True) == (done.code, "  1 call had done everything, which is recorded" in done.out)


def test_a_lost_purchase_path_is_found_in_the_list(work: Workspace, platform: Platform) -> None:
    """A lost purchase path is found in the list of the course, which is exact (spec 4)."""
    target = "{url: 'https://shop.example.com/a', title: Shop}"
    work.course("a", f"purchasePaths: [{{id: p, label: 'Buy <b>here</b>', target: {target}}}]\n")
    platform.fault("drop-after", "path.create")

    assert UNKNOWN == work.apply().code
    assert 0 == work.apply().code
    assert 1 == len(platform.dump("purchasePaths"))


def test_a_lost_license_waits_for_a_person(work: Workspace, platform: Platform) -> None:
    """A lost license waits for a person, whose word is believed where no route lists licenses."""
    work.course("a")
    work.write("l.yaml", LICENSE)
    platform.fault("drop-after", "license.create")

    assert UNKNOWN == work.apply().code
    (made,) = [found for found in platform.dump("licenses") if found["name"] == "Staff"]
    assert made["ref10"].startswith("ls-staff-")
    answer = ("resolve", "license.staff", "--adopt", made["id"])
    assert (64, 0) == (work.run(*answer).code, work.run(*answer, "--unverified").code)
    assert [] == work.plan()["changes"]


def test_a_license_that_lands_after_the_plan_is_found(work: Workspace, instance: Platform) -> None:
    """Where a list shows licenses, a lost one is looked for right before it is sent again."""
    work.course("a")
    work.write("l.yaml", LICENSE)
    instance.fault("drop-after", "license.create")
    assert UNKNOWN == work.apply().code
    (mark,) = [one["ref10"] for one in instance.dump("licenses") if one["name"] == "Staff"]
    instance.delete("licenses", ref10=mark)  # it has not landed yet
    work.run("resolve", "license.staff", "--not-created")
    work.run("plan", "--out", "p.json")
    (sent,) = instance.requests(route="license.create")
    headers = {"Authorization": f"Bearer {instance.key}"}
    body = orjson.loads(sent["body"])
    assert instance.http.post("/incoming/v2/licenses", json=body, headers=headers).is_success

    assert 0 == work.run("apply", "p.json").code
    assert 1 == sum(one["name"] == "Staff" for one in instance.dump("licenses"))
    assert [] == work.plan()["changes"]


def test_a_lost_addition_is_found_in_the_structure(work: Workspace, platform: Platform) -> None:
    """A lost addition is looked for in the structure of its course before it is sent again."""
    work.course("a")
    work.apply()
    work.course("a", "          - {id: more, title: More, type: survey}\n")
    platform.fault("drop-after", "course.update")

    assert UNKNOWN == work.apply().code
    assert 0 == work.apply().code
    assert ["Hello", "Check", "More"] == platform.topics("Title of a")
    assert [] == work.plan()["changes"]


def test_one_bad_entry_does_not_stop_the_others(work: Workspace, platform: Platform) -> None:
    """A refused batch is halved until the entry that the platform refuses is found."""
    three(work)
    work.course("d", "ribbon: nonsense\n")

    done = work.apply("--json")

    assert (PARTIAL, ["course.d"]) == (done.code, [f["address"] for f in done.json["failures"]])
    assert "Available ribbons" in done.json["failures"][0]["message"]
    assert ["Title of a", "Title of b", "Title of c"] == platform.titles()


def test_a_half_done_batch_is_not_done_again(work: Workspace, platform: Platform) -> None:
    """If a refused batch was done in part (O16), marks keep that part from being made again."""
    platform.order("switches", {"batchAtomic": False})
    three(work)
    work.course("d", "ribbon: nonsense\n")

    assert PARTIAL == work.apply().code
    assert PARTIAL == work.apply().code
    assert ["Title of a", "Title of b", "Title of c"] == platform.titles()


def test_without_a_mark_each_create_goes_alone(work: Workspace, platform: Platform) -> None:
    """Without a mark each create goes alone: nothing could tell the entries of a batch apart."""
    work.write("lmssync.yaml", "version: 1\nplatform: {marker: none}\n")
    three(work)

    assert 0 == work.apply().code
    assert 3 == len(platform.requests(route="course.create"))
    assert [None, None, None] == [course.get("sku") for course in platform.dump("courses")]


def test_a_job_that_fails_is_told(work: Workspace, platform: Platform) -> None:
    """A failed job is reported: assets are fetched later, when nobody would look."""
    work.course("a", "asset: https://media.example.com/broken.png\n")

    done = work.apply("--json")

    assert (PARTIAL, "failed") == (done.code, done.json["jobs"][0]["status"])


def test_ids_are_matched_by_reading_back_not_by_order(work: Workspace, platform: Platform) -> None:
    """Ids are matched by reading back, since an answer may list them in any order (O16)."""
    platform.order("switches", {"idOrder": "shuffled"})
    for key in "abcdefgh":
        work.course(key)
    assert 0 == work.apply().code

    courses = {course["id"]: course["sku"] for course in platform.dump("courses")}
    for record in work.run("state", "list", "--json").json["resources"]:
        key = record["address"].removeprefix("course.")
        assert courses[record["ids"]["course"]].startswith(f"ls-{key}-")


def test_a_read_that_lags_is_waited_for(work: Workspace, platform: Platform) -> None:
    """A read that does not show a write yet is repeated (O31)."""
    platform.order("switches", {"readLagSeconds": 0.2})
    work.course("a")

    assert 0 == work.apply().code
    assert [] == work.plan()["changes"]


@pytest.mark.parametrize("route", ["course.create", "course.read", "criteria.update"])
def test_a_killed_run_goes_on_where_it_was(work: Workspace, platform: Platform, route: str) -> None:
    """If a run is killed during a call, the next run makes nothing twice and loses nothing."""
    three(work)
    work.course("a", "completionCriteria: [{id: m, type: coursePercentViewed, percent: 80}]\n")
    kill_apply(work, platform, route)

    work.apply()
    _adopt_all(work, platform)
    assert 0 == work.apply().code
    assert ["Title of a", "Title of b", "Title of c"] == platform.titles()
    assert 1 == len(platform.dump("completionCriteria"))
    assert [] == work.plan()["changes"]


def test_ctrl_c_lets_the_call_in_flight_end(work: Workspace, platform: Platform) -> None:
    """After Ctrl-C no call is started, the journal is complete, and the next run goes on."""
    work.course("a", "completionCriteria: [{id: m, type: coursePercentViewed, percent: 80}]\n")
    platform.hold("course.create")
    process = work.start("apply", "--yes")
    platform.wait_for("course.create", worked=False)
    process.send_signal(signal.SIGINT)
    platform.let_go()
    out, _ = read_outputs(process)

    assert INTERRUPTED == process.returncode, out
    assert 0 == work.apply().code
    assert ["Title of a"] == platform.titles()


def _adopt_all(work: Workspace, platform: Platform) -> None:
    """Looks up each mark and adopts its course, as a person would."""
    for course in platform.dump("courses"):
        key = course["sku"].split("-")[1] if course.get("sku", "").startswith("ls-") else ""
        if key:
            work.run("resolve", f"course.{key}", "--adopt", course["id"])


MORE = "          - {id: more, title: More, type: survey}\n"


def test_a_lost_addition_is_found_under_a_section_renamed_by_hand(
    work: Workspace, platform: Platform
) -> None:
    """A lost addition is found in its section by the recorded id, even under another title."""
    work.course("a")
    work.apply()
    (section,) = [s for s in platform.dump("sections") if s["title"] == "Start"]
    platform.change({"sections": [{"id": section["id"], "title": "By hand"}]})
    work.course("a", MORE)
    platform.fault("drop-after", "course.update")

    assert (UNKNOWN, 0) == (work.apply().code, work.apply().code)
    assert ["Hello", "Check", "More"] == platform.topics("Title of a")


def test_an_addition_of_a_refused_batch_is_not_made_again(
    work: Workspace, platform: Platform
) -> None:
    """Parts have no mark, so a refused batch is looked up before it is halved and sent again."""
    work.course("a")
    work.course("b")
    work.apply()
    platform.order("switches", {"batchAtomic": False})
    work.course("a", MORE)
    asset = "7d1c0000-0000-4000-8000-000000000999"
    work.course("b", f"          - {{id: more, title: More, type: video, videoAsset: {asset}}}\n")

    assert (PARTIAL, PARTIAL) == (work.apply().code, work.apply().code)
    assert ["Hello", "Check", "More"] == platform.topics("Title of a")


def test_a_refused_part_is_not_recorded_by_the_part_after_it(
    work: Workspace, platform: Platform
) -> None:
    """If the first of two calls for a course is refused, the course is not recorded as done."""
    head, _, _ = COURSE.partition("          - {id: hello")
    line = "          - {{id: t{0}, title: NAME {0}, type: quiz}}\n"
    text = head.replace("KEY", "a") + "".join(line.format(n) for n in range(120))
    work.write("a.yaml", text.replace("NAME", "Old"))
    work.apply()
    work.write("a.yaml", text.replace("NAME", "New") + "ribbon: nonsense\n")

    assert PARTIAL == work.apply().code
    assert {"update": 1} == {k: v for k, v in work.plan()["summary"].items() if v}


def test_a_criterion_refused_beside_another_of_its_type(
    work: Workspace, platform: Platform
) -> None:
    """If one of two criteria of a type is refused, the record in the answer shows which one."""
    nowhere = "7d1c0000-0000-4000-8000-000000000999"
    rules = (
        "{id: p, type: courseTopicViewed, topic: start/one/hello}",
        f"{{id: q, type: courseTopicViewed, topic: {nowhere}}}",
    )
    work.course("a", f"completionCriteria: [{', '.join(rules)}]\n")

    done = work.apply("--json")

    assert (PARTIAL, ["criterion.a.q"]) == (
        done.code,
        [failure["address"] for failure in done.json["failures"]],
    )
    assert 1 == len(platform.dump("completionCriteria"))


def test_adopt_refuses_what_another_address_has(work: Workspace, platform: Platform) -> None:
    """Adopting an id that another address has is refused, as one thing has one address."""
    work.write("lmssync.yaml", "version: 1\nplatform: {marker: none}\n")
    work.course("a", edit=("Title of KEY", "The same"))
    work.apply()
    (first,) = platform.dump("courses")
    work.course("b", edit=("Title of KEY", "The same"))
    platform.fault("drop-after", "course.create")
    work.apply()
    (second,) = [c["id"] for c in platform.dump("courses") if c["id"] != first["id"]]

    done = work.run("resolve", "course.b", "--adopt", first["id"])

    assert (64, True) == (done.code, "the id of the course of course.a, which" in done.err)
    assert 64 == work.run("resolve", "course.b", "--adopt", "nonsense").code
    assert 0 == work.run("resolve", "course.b", "--adopt", second.upper()).code
    assert [] == work.plan()["changes"]


@pytest.mark.slow
def test_what_waits_for_a_decision_cannot_be_forgotten(work: Workspace, platform: Platform) -> None:
    """With an open call a resource can be forgotten neither by a command nor by an apply."""
    work.course("a")
    work.apply()
    work.course("a", MORE)
    platform.hold("course.read", when="after", nth=3)
    process = work.start("apply", "--yes")
    platform.wait_for("course.read")
    platform.kill(process)

    assert 64 == work.run("state", "forget", "course.a").code
    (work.root / "a.yaml").unlink()
    assert {"blocked": 1} == {k: v for k, v in work.plan()["summary"].items() if v}
    work.course("a", MORE)
    assert 0 == work.apply().code
    assert ["Hello", "Check", "More"] == platform.topics("Title of a")


def test_what_comes_back_to_the_catalog_is_not_made_again(
    work: Workspace, platform: Platform
) -> None:
    """A resource that leaves the catalog and comes back is managed again and not made twice."""
    target = "{url: 'https://shop.example.com/a', title: Shop}"
    more = f"purchasePaths: [{{id: p, label: Buy, target: {target}}}]\n"
    more += "completionCriteria: [{id: m, type: coursePercentViewed, percent: 80}]\n"
    work.course("a", more)
    work.apply()
    (work.root / "a.yaml").unlink()
    assert 3 == work.apply("--json").json["summary"]["forgotten"]
    assert [] == work.plan()["changes"]

    work.course("a", more)
    assert {"adopt"} == {change["action"] for change in work.plan()["changes"]}
    assert 3 == work.apply("--json").json["summary"]["adopted"]
    assert [1, 1, 1] == [
        len(platform.dump(name)) for name in ("courses", "purchasePaths", "completionCriteria")
    ]
    assert 3 == work.plan()["summary"]["unchanged"]


def test_what_comes_back_changed_is_updated(work: Workspace, platform: Platform) -> None:
    """A resource that comes back changed is compared with its record from before."""
    work.course("a")
    work.apply()
    (work.root / "a.yaml").unlink()
    work.apply()
    work.course("a", edit=("Title of KEY", "Back again"))
    work.run("plan", "--out", "p.json")

    assert 0 == work.run("apply", "p.json").code
    assert ["Back again"] == platform.titles()
    assert 1 == work.plan()["summary"]["unchanged"]


def test_what_was_let_go_wholly_is_made_again(work: Workspace, platform: Platform) -> None:
    """`state forget` keeps the ids unless `--drop-ids` is given; then it is made again."""
    work.write("lmssync.yaml", "version: 1\nplatform: {marker: none}\n")
    work.course("a")
    work.apply()

    assert 0 == work.run("state", "forget", "course.a").code
    assert 1 == work.plan()["summary"]["adopt"]
    assert 0 == work.run("state", "forget", "course.a", "--drop-ids").code
    assert 1 == work.plan()["summary"]["create"]


TAGGED = LICENSE.replace("courses: [a]", "courses: []").replace("Tags: []", "Tags: [Safety]")


def test_where_nothing_shows_licenses_a_first_apply_asks(
    work: Workspace, platform: Platform, way: AnswerProxy
) -> None:
    """With an empty state nobody knows whether a license was made, so somebody is asked."""
    work.course("a")
    work.write("l.yaml", TAGGED)
    way.bend("client.list", lambda _asked, said: said._replace(body=without_licenses(said.body)))

    done = work.apply()

    assert (PARTIAL, True) == (done.code, "the state is empty, and no route" in done.out)
    assert PARTIAL == work.apply().code
    assert 0 == work.apply("--allow", "license.staff").code
    assert 1 == sum(one["name"] == "Staff" for one in platform.dump("licenses"))
    work.write("m.yaml", TAGGED.replace("key: staff", "key: guests").replace("Staff", "Guests"))
    assert 0 == work.apply().code


def without_licenses(body: Any) -> Any:
    kept = [{k: v for k, v in one.items() if k != "licenses"} for one in body["clients"]]
    return body | {"clients": kept}


def test_a_read_back_that_names_another_id_is_read_again(
    work: Workspace, platform: Platform, way: AnswerProxy
) -> None:
    """What was made is recorded under the id that its create has named, never under another."""
    work.course("a")
    work.course("b")
    first = iter([{"id": "7d1c0000-0000-4000-8000-000000000000"}])
    way.bend("course.read", lambda _asked, said: said._replace(body=said.body | next(first, {})))

    assert 0 == work.apply().code

    made = {one["id"] for one in platform.dump("courses") if one["title"].startswith("Title of")}
    listed = work.run("state", "list", "--json").json["resources"]
    assert made == {one["ids"]["course"] for one in listed}
