"""The file APPROVERS: what its lines say, and what is refused."""

import pytest

from lmssync.errors import WrongUse
from lmssync.kind import Effect
from lmssync.planning import approvals
from lmssync.resource import Address

TEXT = """\
# who must approve what
commerce          path.*           @acme/finance   # one of them
progress,access   course.safety-*  @ana @acme/safety

*                 *                @acme/content
"""
BOTH = frozenset({Effect.COMMERCE, Effect.EDITORIAL})


def test_each_line_is_a_rule():
    """Comments and empty lines are none; a line is known by its number."""
    found = approvals.parse_approval_rules(TEXT)
    assert [2, 3, 5] == [rule.line for rule in found]
    assert ("@ana", "@acme/safety") == found[1].teams
    assert {Effect.PROGRESS, Effect.ACCESS} == found[1].effects
    assert set(Effect) == found[2].effects


@pytest.mark.parametrize(
    ("address", "effects", "lines"),
    [
        ("path.a.shop", BOTH, [2, 5]),
        ("path.a.shop", {Effect.EDITORIAL}, [5]),
        ("course.safety-101", {Effect.PROGRESS}, [3, 5]),
        ("course.other", {Effect.PROGRESS}, [5]),
    ],
)
def test_what_a_rule_fits(address: str, effects: set[Effect], lines: list[int]):
    """Effect and address must both fit; one effect of several is enough."""
    found = approvals.parse_approval_rules(TEXT)
    parsed = Address.parse(address)
    fitting = [rule for rule in found if rule.fits_address(parsed)]
    assert lines == [rule.line for rule in fitting if rule.effects & effects]


@pytest.mark.parametrize(
    ("line", "message", "hint"),
    [
        ("commerce path.*", "APPROVERS:1: the line names no team", "write an effect"),
        ("comerce * @a", "APPROVERS:1: there is no effect `comerce`", "did you mean `commerce` or"),
        ("* courses.* @a", "APPROVERS:1: no address matches `courses.*`", "`course`"),
        ("* course @a", "APPROVERS:1: no address matches `course`", "`course`"),
        ("* * finance", "APPROVERS:1: `finance` is neither a person nor a team", "@acme/finance"),
    ],
)
def test_what_is_refused(line: str, message: str, hint: str):
    """The place, what is there, and what is allowed."""
    with pytest.raises(WrongUse) as refused:
        approvals.parse_approval_rules(line)
    assert message == refused.value.message
    assert hint in refused.value.hint
