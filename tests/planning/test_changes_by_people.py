"""What people changed on the platform is told, kept, corrected or left, never lost unasked."""

from typing import Any

import pytest

from lmssync.applying import pipeline
from tests.served_catalog import EXTENDED, Platform, Workspace

TOPIC = "sections[start].lessons[one].topics[hello]"
LATER = {"advanceSeconds": 60}
"""What people do comes after what lmssync did, by the platform's clock."""


@pytest.fixture
def applied(work: Workspace) -> Workspace:
    """A catalog of one course that was applied."""
    work.course("a")
    assert 0 == work.apply().code
    return work


def edit(platform: Platform, list_: str, called: str, **fields: Any) -> None:
    """Somebody changes something in the admin interface."""
    id_ = next(one["id"] for one in platform.dump(list_) if one.get("title") == called)
    platform.order("edit", {"list": list_, "id": id_, "set": fields})


def retitled(work: Workspace, platform: Platform) -> None:
    """The title is changed by hand, and in git to something else."""
    edit(platform, "courses", "Title of a", title="By hand")
    work.course("a", edit=("Title of KEY", "From git"))


def only(plan: Any) -> Any:
    (change,) = plan["changes"]
    return change


def planned(work: Workspace, *args: str) -> Any:
    return only(work.plan(*args))


def titles(platform: Platform) -> set[str]:
    return {course.get("title", "") for course in platform.dump("courses")}


def test_drift_is_told_and_left(applied: Workspace, platform: Platform) -> None:
    """What only people have changed is shown with both values, and an apply leaves it."""
    edit(platform, "courses", "Title of a", title="By hand")

    change = planned(applied, "--refresh", "all")

    drift = {"path": "title", "recorded": "Title of a", "live": "By hand", "decision": "kept"}
    assert ("unchanged", [drift]) == (change["action"], change["drift"])
    assert 0 == applied.apply("--refresh", "all").code
    assert "By hand" in titles(platform)


def test_drift_stays_drift(applied: Workspace, platform: Platform) -> None:
    """An apply that left drift alone did not record it: the next plan shows it again."""
    edit(platform, "courses", "Title of a", title="By hand")
    applied.course("a", "description: From git\n")

    assert 0 == applied.apply().code
    assert ["title"] == [one["path"] for one in planned(applied, "--refresh", "all")["drift"]]
    assert "By hand" in titles(platform)


def test_drift_is_corrected_on_demand(applied: Workspace, platform: Platform) -> None:
    """`--keep git` sends the value from git, from the live value on; git need not have changed."""
    edit(platform, "courses", "Title of a", title="By hand")

    change = planned(applied, "--keep", "git", "course.a:title")

    field = {"path": "title", "before": "By hand", "after": "Title of a"}
    assert ("update", [field]) == (change["action"], change["fields"])
    assert 0 == applied.apply("--keep", "git", "course.a:title").code
    assert "Title of a" in titles(platform)
    assert [] == applied.plan("--refresh", "all")["changes"]


def test_a_conflict_names_both_ways_out(applied: Workspace, platform: Platform) -> None:
    """A conflict blocks, says both values, and how to decide for either side."""
    retitled(applied, platform)

    change = planned(applied)

    assert ("blocked", "conflict") == (change["action"], change["drift"][0]["decision"])
    assert "`--keep git course.a:title` sends the value from git" in change["reasons"][0]
    assert "`--keep platform course.a:title` leaves what is there" in change["reasons"][0]


def repriced(work: Workspace, platform: Platform) -> None:
    """The title of the course is in conflict, and git also says another price."""
    edit(platform, "courses", "Title of a", title="By hand")
    work.course("a", "priceInCents: 1900\n", edit=("Title of KEY", "From git"))


def test_a_conflict_blocks_its_field_alone(applied: Workspace, platform: Platform) -> None:
    """The plan says which field waits and which is sent."""
    repriced(applied, platform)

    change = planned(applied)

    assert ("update", ["priceInCents"]) == (change["action"], [f["path"] for f in change["fields"]])
    blocked = {"path": "title", "before": "By hand", "after": "From git"}
    assert [blocked] == change["blockedFields"]
    assert "`--keep git course.a:title` sends the value from git" in change["blockedBecause"]
    assert "not sent, title: “By hand” → “From git”" in applied.run("plan").out


def test_what_is_not_in_conflict_is_applied(applied: Workspace, platform: Platform) -> None:
    """The receipt says what was not done; the next plan has the conflict and nothing else."""
    repriced(applied, platform)

    done = applied.apply("--report", "receipt.md")

    assert (7, True) == (done.code, "course.a: title not sent: changed on" in done.out + done.err)
    assert "Blocked until somebody decides" in (applied.root / "receipt.md").read_text("utf-8")
    assert [1900] == [
        c["priceInCents"] for c in platform.dump("courses") if c["title"] == "By hand"
    ]
    again = planned(applied)
    assert ("blocked", ["title"]) == (again["action"], [f["path"] for f in again["fields"]])
    assert 0 == applied.apply("--keep", "git", "course.a").code
    assert "From git" in titles(platform)


def test_a_plan_says_how_an_apply_ends_that_leaves_a_field(
    applied: Workspace, platform: Platform
) -> None:
    """The plan, its detailed exit code and the exit code of the apply agree."""
    repriced(applied, platform)

    plan = applied.run("plan", "--full", "--detailed-exitcode")

    assert 7 == plan.code
    assert (
        "blocked in part. An apply leaves that part undone and ends with exit code 7.\n" in plan.out
    )
    assert "\n1 change is blocked in part by a conflict. " in plan.out
    assert 7 == applied.apply().code


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--keep", "git", "course.a:titel"), "did you mean `title`?"),
        (("--keep", "platform", "course.a:zzz"), "`lmssync explain course` shows the fields"),
        (("--keep", "git", "cours.a"), "there is no kind `cours`"),
        (("--allow", "cours.a"), "did you mean `course`?"),
        (("--recreate", "xyz.a"), "there are: course, session"),
    ],
)
def test_a_decision_about_nothing_is_refused(
    applied: Workspace, words: tuple[str, ...], said: str
) -> None:
    """A slip in the name of a field or a kind is no decision that is silently left aside."""
    done = applied.run("plan", *words)
    assert (64, True) == (done.code, said in done.err), done.err


@pytest.mark.parametrize("price", ["", "priceInCents: 500\n"])
def test_an_apply_remembers_what_it_has_left(
    applied: Workspace, platform: Platform, price: str
) -> None:
    """`status` names the conflict, whether the whole change waits for it or one field."""
    edit(platform, "courses", "Title of a", title="By hand")
    applied.course("a", price, edit=("Title of KEY", "From git"))
    assert 7 == applied.apply().code

    (found,) = applied.run("status", "--json").json["sync"]["findings"]

    assert ("course.a", ["title"]) == (found["address"], found["paths"])
    assert "out of sync: 1 resource is not on the platform as recorded, as seen on" in (
        applied.run("status").out
    )
    assert 0 == applied.apply("--keep", "git", "course.a:title").code
    assert [] == applied.run("status", "--json").json["sync"]["findings"]


def test_a_receipt_says_what_waits_and_what_is_done(applied: Workspace, platform: Platform) -> None:
    """One line for the field that waits for a decision, one for the price."""
    repriced(applied, platform)

    receipt = applied.apply("--json").json

    lines = [(line["status"], line["fields"]) for line in receipt["lines"]]
    assert [("waiting", ["title"]), ("done", ["priceInCents"])] == lines
    assert not receipt["complete"]


def test_a_saved_plan_with_a_blocked_field_is_applied(
    applied: Workspace, platform: Platform
) -> None:
    """It sends what it has shown, and leaves the field that waits."""
    repriced(applied, platform)
    saved(applied)

    assert 7 == applied.run("apply", "p.json").code
    assert "By hand" in titles(platform)
    assert "blocked" == planned(applied)["action"]


def test_a_noticed_body_does_not_block_the_price(applied: Workspace, platform: Platform) -> None:
    """Nobody can read the body on this instance: it waits, and the price is sent."""
    noticed(applied, platform)
    applied.course("a", "priceInCents: 1900\n", edit=("Good morning", "Good day"))

    assert 7 == applied.apply().code
    assert "By hand" in body(platform)
    (change,) = applied.plan()["changes"]
    assert ("blocked", [f"{TOPIC}.body"]) == (
        change["action"],
        [f["path"] for f in change["fields"]],
    )


def test_what_goes_with_a_conflict_waits_with_it(work: Workspace, instance: Platform) -> None:
    """Two dates of access belong together, and the price does not."""
    dates = "enrollmentStartDate: 2030-0{}-01\nenrollmentEndDate: 2030-0{}-01\n"
    work.course("a", dates.format(1, 6))
    work.apply()
    edit(instance, "courses", "Title of a", enrollmentStartDate="2030-05-01T00:00:00.000Z")
    work.course("a", dates.format(2, 7) + "priceInCents: 1900\n")

    change = planned(work)

    assert ["priceInCents"] == [field["path"] for field in change["fields"]]
    waits = [field["path"] for field in change["blockedFields"]]
    assert {"enrollmentStartDate", "enrollmentEndDate"} == {*waits}
    assert ["enrollmentStartDate"] == [one["path"] for one in change["drift"]]
    assert "and enrollmentEndDate waits with it" in change["blockedBecause"]
    assert 7 == work.apply().code
    assert ["enrollmentEndDate", "enrollmentStartDate"] == sorted(
        field["path"] for field in planned(work)["fields"]
    )


def test_a_field_that_git_begins_waits_with_a_conflict(work: Workspace, instance: Platform) -> None:
    """The platform has a value of it already: a saved plan leaves that, and sends the price."""
    work.course("a", "enrollmentStartDate: 2030-01-01\n")
    work.apply()
    start, end = "2030-05-01T00:00:00.000Z", "2031-01-01T00:00:00.000Z"
    edit(instance, "courses", "Title of a", enrollmentStartDate=start, enrollmentEndDate=end)
    dates = "enrollmentStartDate: 2030-02-01\nenrollmentEndDate: 2030-07-01\n"
    work.course("a", dates + "priceInCents: 1900\n")
    saved(work)

    assert 7 == work.run("apply", "p.json").code
    (course,) = [c for c in instance.dump("courses") if "Title of a" == c["title"]]
    assert (1900, end) == (course["priceInCents"], course["enrollmentEndDate"])
    waits = [field["path"] for field in planned(work)["fields"]]
    assert {"enrollmentStartDate", "enrollmentEndDate"} == {*waits}


def test_a_course_with_a_conflict_is_not_published(work: Workspace, instance: Platform) -> None:
    """What learners would see is in question: all of it waits."""
    work.course("a", "status: draft\n")
    work.apply()
    edit(instance, "topics", "Hello", body="<p>By hand</p>")
    work.course("a", "status: published\n", edit=("Good morning", "Good day"))

    change = planned(work)

    assert ("blocked", None) == (change["action"], change.get("blockedFields"))
    assert 7 == work.apply().code
    assert (
        "draft" == next(c for c in instance.dump("courses") if "Title of a" == c["title"])["status"]
    )


@pytest.mark.parametrize(("side", "after"), [("git", "From git"), ("platform", "By hand")])
def test_a_conflict_is_decided(
    applied: Workspace, platform: Platform, side: str, after: str
) -> None:
    """A conflict can be decided for git and for the platform."""
    retitled(applied, platform)

    assert 0 == applied.apply("--keep", side, "course.a").code
    assert after in titles(platform)


def test_what_is_left_to_the_platform_can_be_brought_home(
    applied: Workspace, platform: Platform
) -> None:
    """`--keep platform` says how the value comes into git, and decides for this run only."""
    retitled(applied, platform)

    change = planned(applied, "--keep", "platform", "course.a:title")

    assert "`lmssync pull course.a` writes it into the manifest" in change["reasons"][0]
    applied.apply("--keep", "platform", "course.a:title")
    assert "blocked" == planned(applied)["action"]


def test_what_both_have_changed_alike_is_recorded(applied: Workspace, platform: Platform) -> None:
    """If git and the platform say the same, nothing is sent and the next plan is empty."""
    edit(platform, "courses", "Title of a", title="The same")
    applied.course("a", edit=("Title of KEY", "The same"))

    assert "converged" == planned(applied)["drift"][0]["decision"]
    assert 0 == applied.apply().code
    assert [] == platform.requests(route="course.update")
    assert [] == applied.plan()["changes"]


def test_a_manual_step_that_was_done_is_noticed(work: Workspace, platform: Platform) -> None:
    """A status that somebody has set as the catalog asks needs no confirmation."""
    work.course("a", "status: draft\n")
    work.apply()
    work.course("a", "status: published\n")
    assert "manual" == planned(work)["action"]
    edit(platform, "courses", "Title of a", status="published")

    assert ("unchanged", []) == (planned(work)["action"], planned(work)["manual"])
    work.apply()
    assert [] == work.plan()["changes"]


def noticed(work: Workspace, platform: Platform) -> None:
    """The body of a topic is changed by hand, where no route shows it."""
    work.run("drift")
    platform.order("clock", LATER)
    edit(platform, "topics", "Hello", body="<p>By hand</p>")


def body(platform: Platform) -> str:
    return next(t["body"] for t in platform.dump("topics") if t["title"] == "Hello")


def test_a_body_that_may_have_been_changed_is_not_overwritten(
    applied: Workspace, platform: Platform
) -> None:
    """The core profile shows that a topic was changed and not how: a change in git waits."""
    noticed(applied, platform)
    applied.course("a", edit=("Good morning", "Good day"))

    change = planned(applied)

    assert ("blocked", f"{TOPIC}.body") == (change["action"], change["drift"][0]["path"])
    assert (None, True) == (change["drift"][0]["live"], bool(change["drift"][0]["noticedAt"]))
    assert 7 == applied.apply().code
    assert "By hand" in body(platform)


def test_a_noticed_body_is_decided_for_git(applied: Workspace, platform: Platform) -> None:
    """`--keep git` sends the body, and then it is not noticed any more."""
    noticed(applied, platform)
    applied.course("a", edit=("Good morning", "Good day"))

    assert 0 == applied.apply("--keep", "git", "course.a").code
    assert "Good day" in body(platform)
    assert [] == applied.plan("--refresh", "all")["changes"]


def test_a_noticed_body_stays_noticed(applied: Workspace, platform: Platform) -> None:
    """A later write of ours to another field does not hide that a body was changed by hand."""
    noticed(applied, platform)
    applied.course("a", "description: From git\n")
    platform.order("clock", LATER)
    assert 0 == applied.apply().code

    assert [f"{TOPIC}.body"] == [
        one["path"] for one in planned(applied, "--refresh", "all")["drift"]
    ]


def test_what_was_deleted_is_told_and_not_made_again(
    applied: Workspace, platform: Platform
) -> None:
    """A course that somebody has deleted is told by a look at everything."""
    platform.delete("courses", title="Title of a")

    change = planned(applied, "--refresh", "all")

    assert "blocked" == change["action"]
    assert "no longer on the platform: `--recreate course.a`" in change["reasons"][0]


def test_without_a_look_nothing_is_noticed(applied: Workspace, platform: Platform) -> None:
    """`--refresh none` plans from the state alone, and says of a field that it was not read."""
    retitled(applied, platform)

    before = len(platform.requests(route="course.read"))
    change = planned(applied, "--refresh", "none")

    assert ("update", {"title": "unread"}) == (change["action"], change["evidence"])
    assert before == len(platform.requests(route="course.read"))


def test_both_sides_for_one_field_is_wrong_use(applied: Workspace) -> None:
    """`--keep` for git and for the platform at once is refused."""
    done = applied.run("plan", "--keep", "git", "course.a", "--keep", "platform", "course.a")
    assert (64, True) == (done.code, "both git and platform for course.a" in done.err)


def test_a_decision_about_nothing_is_wrong_use(applied: Workspace) -> None:
    """`--keep` names something that is in the catalog or in the state."""
    done = applied.run("plan", "--refresh", "all", "--keep", "git", "course.b")
    assert (64, True) == (done.code, "`--keep course.b` names nothing" in done.err)


def saved(work: Workspace, *args: str) -> None:
    done = work.run("plan", "--out", "p.json", *args)
    assert 0 == done.code, done.err


def test_a_saved_plan_carries_its_decisions(applied: Workspace, platform: Platform) -> None:
    """A saved plan does what was decided when it was made."""
    retitled(applied, platform)
    saved(applied, "--keep", "git", "course.a:title")

    assert 0 == applied.run("apply", "p.json").code
    assert "From git" in titles(platform)


def test_a_saved_plan_that_leaves_drift_is_applied(applied: Workspace, platform: Platform) -> None:
    """A saved plan sends its field and leaves the one that it showed as drift."""
    edit(platform, "courses", "Title of a", title="By hand")
    applied.course("a", "description: From git\n")
    saved(applied)

    assert 0 == applied.run("apply", "p.json").code
    assert "By hand" in titles(platform)


@pytest.mark.parametrize("decided", [(), ("--keep", "git", "course.a")])
def test_an_edit_after_the_plan_makes_it_stale(
    applied: Workspace, platform: Platform, decided: tuple[str, ...]
) -> None:
    """If a field that the plan changes is edited meanwhile, nothing is sent, and it is named."""
    if decided:
        edit(platform, "courses", "Title of a", title="By hand")
    applied.course("a", edit=("Title of KEY", "From git"))
    saved(applied, *decided)
    edit(platform, "courses", "By hand" if decided else "Title of a", title="Later")

    done = applied.run("apply", "p.json")

    assert (5, True) == (done.code, "since the plan was made: course.a: title" in done.err)
    assert "Later" in titles(platform)


def test_an_edit_elsewhere_does_not_make_it_stale(applied: Workspace, platform: Platform) -> None:
    """An edit of a field that the plan does not change leaves the plan valid."""
    applied.course("a", "description: From git\n")
    saved(applied)
    edit(platform, "courses", "Title of a", title="Later")

    assert 0 == applied.run("apply", "p.json").code
    assert "Later" in titles(platform)


def test_a_noticed_edit_after_the_plan_makes_it_stale(
    applied: Workspace, platform: Platform
) -> None:
    """A topic that was changed after the plan, unseen, is not overwritten either."""
    applied.course("a", edit=("Good morning", "Good day"))
    saved(applied)
    noticed(applied, platform)

    done = applied.run("apply", "p.json")

    assert (5, True) == (done.code, f"course.a: {TOPIC}.body" in done.err)
    assert "By hand" in body(platform)


def test_show_shows_drift_and_truth(applied: Workspace, platform: Platform) -> None:
    """A saved plan is shown with its drift, and how much was proven ends it."""
    edit(platform, "courses", "Title of a", title="By hand")
    applied.course("a", "description: From git\n")
    saved(applied)

    text = applied.run("show", "p.json").out

    assert "on the platform, title: “Title of a” → “By hand”" in text
    assert text.splitlines()[-1].startswith("Next: `lmssync apply p.json`")


def test_an_edit_while_somebody_is_asked(
    applied: Workspace, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever thinks for long before they say yes does not overwrite what was edited meanwhile."""
    monkeypatch.setattr(pipeline, "THINKING", -1.0)
    monkeypatch.setattr("lmssync.cli.terminal_output.can_ask", lambda: True)
    monkeypatch.setattr("lmssync.cli.terminal_output.ask_yes_or_no", lambda _: _by_hand(platform))
    applied.course("a", edit=("Title of KEY", "From git"))

    done = applied.run("apply")

    assert (5, True) == (done.code, "course.a: title" in done.err)
    assert "By hand" in titles(platform)


def test_a_tag_renamed_while_somebody_is_asked(
    work: Workspace, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a long prompt a name is looked up once more: nothing is sent with its old id."""

    def rename(_: str) -> bool:
        (tag,) = [one["id"] for one in platform.dump("tags") if one["label"] == "Safety"]
        platform.order("edit", {"list": "tags", "id": tag, "set": {"label": "Else"}})
        return True

    monkeypatch.setattr(pipeline, "THINKING", -1.0)
    monkeypatch.setattr("lmssync.cli.terminal_output.can_ask", lambda: True)
    monkeypatch.setattr("lmssync.cli.terminal_output.ask_yes_or_no", rename)
    work.course("a", "tags: [Safety]\n")
    before = titles(platform)
    done = work.run("apply")
    assert (1, True, before) == (done.code, "`Safety`" in done.err, titles(platform)), done.err


def _by_hand(platform: Platform) -> bool:
    edit(platform, "courses", "Title of a", title="By hand")
    return True


def test_the_noticed_body_of_an_article(work: Workspace, platform: Platform) -> None:
    """The topic of an article is noticed by the field that it holds, and decided like others."""
    head = "resource: course\nkey: a\nkind: article\ntitle: A\n"
    article = f"{head}articleVariant: {{title: A title that is read, body: <p>B</p>}}\n"
    work.write("a.yaml", article)
    work.apply()
    platform.order("clock", LATER)
    (topic,) = [one["id"] for one in platform.dump("topics") if one["body"] == "<p>B</p>"]
    platform.order("edit", {"list": "topics", "id": topic, "set": {"body": "<p>By hand</p>"}})
    work.write("a.yaml", article.replace("<p>B</p>", "<p>C</p>"))

    assert "blocked" == planned(work)["action"]
    assert 0 == work.apply("--keep", "git", "course.a").code
    assert [] == work.plan("--refresh", "all")["changes"]


def test_a_noticed_body_beside_a_saved_plan_stays_noticed(
    applied: Workspace, platform: Platform
) -> None:
    """A plan that is about another field is applied, and does not hide that a body was changed."""
    applied.course("a", "description: From git\n")
    saved(applied)
    noticed(applied, platform)

    assert 0 == applied.run("apply", "p.json").code
    assert [f"{TOPIC}.body"] == [
        one["path"] for one in planned(applied, "--refresh", "all")["drift"]
    ]


def test_one_field_of_a_noticed_page_is_decided_for_git(
    work: Workspace, platform: Platform
) -> None:
    """The others of that page stay noticed: nobody has decided about them."""
    two = "markdown: Good morning", "body: <p>Ours</p>, preTextBlock: <p>Before</p>"
    work.course("a", edit=two)
    work.apply()
    noticed(work, platform)
    work.course("a", edit=(two[0], two[1].replace("Ours", "From git")))

    assert 0 == work.apply("--keep", "git", f"course.a:{TOPIC}.body").code

    drift = planned(work, "--refresh", "all")["drift"]
    assert [(f"{TOPIC}.preTextBlock", "kept")] == [(one["path"], one["decision"]) for one in drift]


RULE = "completionCriteria:\n  - {id: m, type: coursePercentViewed, percent: PERCENT}\n"


@pytest.fixture
def ruled(work: Workspace) -> Workspace:
    """A course with a rule that was applied, and whose number git has changed since."""
    work.course("a", RULE.replace("PERCENT", "80"))
    assert 0 == work.apply().code
    work.course("a", RULE.replace("PERCENT", "90"))
    return work


def another_type(platform: Platform) -> Any:
    """A person makes the rule one of another type; returns it."""
    check = next(topic["id"] for topic in platform.dump("topics") if topic["title"] == "Check")
    (rule,) = platform.dump("completionCriteria")
    fields = {"type": "courseTopicViewed", "courseTopicViewed": check}
    platform.order("edit", {"list": "completionCriteria", "id": rule["id"], "set": fields})
    return platform.dump("completionCriteria")


def test_a_number_is_not_sent_for_a_rule_of_another_type(
    ruled: Workspace, platform: Platform
) -> None:
    """A rule is sent as a whole, so a change of its number waits for a decision about its type."""
    rule = another_type(platform)

    change = planned(ruled)

    words = {one["path"]: one["decision"] for one in change["drift"]}
    assert ("blocked", {"percent": "conflict", "type": "kept"}) == (change["action"], words)
    assert (7, rule) == (ruled.apply().code, platform.dump("completionCriteria"))


def test_git_cannot_win_half_of_a_rule(ruled: Workspace, platform: Platform) -> None:
    """Whoever decides for the number alone is told that the type belongs to it."""
    another_type(platform)
    change = planned(ruled, "--keep", "git", "criterion.a.m:percent")
    assert "`--keep git criterion.a.m` sends all of it from git" in change["reasons"][0]


def test_a_rule_that_is_left_to_the_platform_is_not_sent(
    ruled: Workspace, platform: Platform
) -> None:
    """Nothing differs then, so there is nothing to call for."""
    another_type(platform)
    before = len(platform.requests(route="criteria.update"))

    assert 0 == ruled.apply("--keep", "platform", "criterion.a.m").code
    assert before == len(platform.requests(route="criteria.update"))


def test_a_rule_of_another_type_makes_a_plan_stale(ruled: Workspace, platform: Platform) -> None:
    """A saved plan does not turn it back into a rule of the old type."""
    saved(ruled)
    rule = another_type(platform)

    done = ruled.run("apply", "p.json")

    assert (5, True) == (done.code, "criterion.a.m: percent, type" in done.err)
    assert rule == platform.dump("completionCriteria")


def test_a_page_that_people_have_filled_is_not_filled_from_git_unasked(
    work: Workspace, platform: Platform
) -> None:
    """A topic was made without a body, somebody wrote one, and now git has one as well."""
    empty = (", markdown: Good morning", "")
    work.course("a", edit=empty)
    assert 0 == work.apply().code
    noticed(work, platform)
    work.course("a")

    change = planned(work)

    drift = {one["path"]: one["decision"] for one in change["drift"]}
    assert ("blocked", {f"{TOPIC}.body": "conflict"}) == (change["action"], drift)
    assert 0 == work.apply("--keep", "git", "course.a").code
    assert "Good morning" in body(platform)


@pytest.fixture
def priced(work: Workspace, instance: Platform) -> Workspace:
    """A course without a price in git, that somebody has given one, and that gets one in git."""
    work.course("a")
    assert 0 == work.apply().code
    edit(instance, "courses", "Title of a", priceInCents=2500)
    work.course("a", "priceInCents: 1900\ndiscussionsEnabled: true\n")
    return work


def test_what_git_begins_to_manage_is_shown_with_what_is_there(priced: Workspace) -> None:
    """Git's value is sent, and whoever reads the plan knows what it takes the place of."""
    change = planned(priced)

    fields = {one["path"]: (one["before"], one["after"]) for one in change["fields"]}
    assert {"priceInCents": (2500, 1900), "discussionsEnabled": (None, True)} == fields
    assert {"proven"} == set(change["evidence"].values())
    assert 0 == priced.apply().code
    assert [] == priced.plan("--refresh", "all")["changes"]


def test_what_git_begins_to_manage_may_be_left_to_the_platform(
    priced: Workspace, instance: Platform
) -> None:
    """A decision for the platform counts for it as for any other field."""
    assert 0 == priced.apply("--keep", "platform", "course.a:priceInCents").code
    assert 2500 == next(
        one["priceInCents"] for one in instance.dump("courses") if one["title"] == "Title of a"
    )


def test_what_is_there_already_is_only_recorded(priced: Workspace, instance: Platform) -> None:
    """If git begins to say what the platform has, nothing is sent for it."""
    edit(instance, "courses", "Title of a", priceInCents=1900)

    (field,) = planned(priced)["fields"]

    assert "discussionsEnabled" == field["path"]


def test_a_first_value_that_was_edited_after_the_plan_makes_it_stale(
    priced: Workspace, instance: Platform
) -> None:
    """The plan has shown another value than the one that it would replace."""
    saved(priced)
    edit(instance, "courses", "Title of a", priceInCents=2600)

    done = priced.run("apply", "p.json")

    assert (5, True) == (done.code, "course.a: priceInCents" in done.err)


def test_a_first_value_that_nobody_has_edited_is_sent(priced: Workspace) -> None:
    """A saved plan that begins to manage fields is applied as any other."""
    saved(priced)
    assert 0 == priced.run("apply", "p.json").code


ARTICLE = """\
resource: course
key: a
kind: article
title: An article
articleVariant: {title: Variant, body: <p>Hi</p>}
"""


@pytest.mark.parametrize("profile", ["core", "extended"])
def test_the_title_of_a_topic_is_no_drift_of_its_variant(
    work: Workspace, instance: Platform, profile: str
) -> None:
    """The platform may name its own topic after the course: neither drift nor a conflict."""
    work.write("lmssync.yaml", EXTENDED.replace("profile: extended", f"profile: {profile}"))
    work.write("a.yaml", ARTICLE)
    assert 0 == work.apply().code
    noticed_title = {"title": "An article", "body": "<p>By hand</p>"}
    work.run("drift")
    instance.order("clock", LATER)
    edit(instance, "topics", "Variant", **noticed_title)

    drift = planned(work, "--refresh", "all")["drift"]
    assert ["articleVariant.body"] == [one["path"] for one in drift]
    work.write("a.yaml", ARTICLE.replace("title: Variant", "title: Other"))
    fields = planned(work)["fields"]
    assert ["articleVariant.title"] == [field["path"] for field in fields]
