"""Which changes of a plan have the approvals that release their guard."""

from dataclasses import replace

import pytest

from lmssync.planning import approvals, plan
from lmssync.planning.plan import ApprovalFindings, ApprovedChange, GuardContext
from lmssync.resource import Address
from lmssync.settings import Guards
from lmssync.state import Store
from tests.making import course

from ..plan.planning import planned

A = Address("course", "a")


def make_priced(store: Store) -> plan.Plan:
    """A published course gets another price and another end."""
    before = course("a", status="published", priceInCents=100)
    after = course("a", status="published", priceInCents=200, courseEndDate="2027-01-31")
    return planned(store, [after], [before])


def judge(made: plan.Plan, base: str, head: str, *teams: str) -> approvals.ChangeApproval:
    rules = [approvals.parse_approval_rules(text) for text in (base, head)]
    given = {f"@{team}": f"@{team}" for team in teams}
    return approvals.judge_approvals(made, rules[0], rules[1], given)[A]


BOTH = "commerce,access,progress course.* @ana"


@pytest.mark.parametrize(
    ("base", "head", "teams", "refusal"),
    [
        (BOTH, BOTH, ["ana"], ""),
        (BOTH, "", ["ana"], ""),
        (BOTH, BOTH, ["bo"], "@ana has not approved it, as far as the code host shows"),
        ("* course.* @bo @ana", BOTH, ["ana"], ""),
        (
            "* course.* @bo @ana",
            BOTH,
            ["bo"],
            "@ana has not approved it, as far as the code host shows",
        ),
        (
            f"{BOTH}\neditorial,commerce course.a @cfo",
            BOTH,
            ["ana"],
            "@cfo has not approved it, as far as the code host shows",
        ),
        (
            "commerce course.* @ana",
            BOTH,
            ["ana"],
            "no line of the merged APPROVERS covers access",
        ),
        (
            "",
            BOTH,
            ["ana"],
            "no line of the merged APPROVERS covers access, commerce of course.a",
        ),
        ("* path.* @ana", BOTH, ["ana"], "no line of the merged APPROVERS covers"),
        (
            BOTH,
            f"{BOTH}\ncommerce * @cfo",
            ["ana"],
            "@cfo has not approved it, as far as the code host shows",
        ),
    ],
)
def test_a_change_is_approved_by_each_line_that_fits(
    store: Store, base: str, head: str, teams: list[str], refusal: str
):
    """Each grave effect needs a merged line, and each line that fits, of both, an approval."""
    found = judge(make_priced(store), base, head, *teams)
    assert found.refusal.startswith(refusal)
    assert (bool(refusal), not refusal) == (bool(found.refusal), bool(found.approvers))


@pytest.mark.parametrize(("base", "released"), [("course.b", 0), ("course.a", 0), ("course.*", 1)])
def test_a_new_key_brings_no_other_approvers(store: Store, base: str, released: int):
    """A line is about a change only if it fits the address from before as well."""
    made = make_priced(store)
    moved = [one._replace(was=Address("course", "b")) for one in made.changes]
    found = judge(replace(made, changes=moved), f"* {base} @ana", "", "ana")
    assert released == len(found.approvers)


def test_a_digest_covers_who_has_approved(store: Store):
    """A plan with other approvals is another plan."""
    made = make_priced(store)
    told = [ApprovedChange(A, [name], 7, "0" * 40, []) for name in ("@ana", "@bo")]
    plans = [made, *(replace(made, approved=[one]) for one in told)]
    assert 3 == len({plan.plan_digest(one) for one in plans})


@pytest.mark.parametrize("has_approval", [False, True])
def test_an_approved_change_passes_its_guard(store: Store, has_approval: bool):
    """The guard says who has approved; without an approval, why none releases it."""
    made, form = make_priced(store), course("a", status="published")
    told = ApprovedChange(A, ["@ana"], 7, "0123456789", ["* * @ana"])
    found = ApprovalFindings([told] if has_approval else [], {A: "@ana has not approved it"})
    by = GuardContext(Guards(published="error"), "test", False, 1, lambda _address: form)
    (said,) = plan.judge_plan(made, by._replace(approvals=found))
    assert (has_approval, 1 - has_approval) == (said.permitted, len(plan.stopping_verdicts([said])))
    words = "released by the approval of @ana on pull request #7 at commit 0123456"
    assert (words if has_approval else "no approval releases it: @ana has not") in said.message
