"""The file `APPROVERS`: a line for each effect and address, and who may approve it."""

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import NamedTuple

from ...errors import WrongUse
from ...kind import Effect
from ...kinds import KINDS
from ...problems import suggest_near
from ...resource import Address

FILE = "APPROVERS"
"""At the root of a catalog. It has no ending, so it is no manifest."""
_FORM = "write an effect, an address and at least one team: `commerce  path.*  @acme/finance`"
_TEAM = re.compile(r"@[\w./-]+")


class ApprovalRule(NamedTuple):
    """One line: each change that it fits needs the approval of one of its teams."""

    line: int
    effects: frozenset[Effect]
    pattern: str
    teams: tuple[str, ...]
    """`@ana` or `@acme/finance`, as they are written."""

    def fits_address(self, address: Address) -> bool:
        return fnmatchcase(str(address), self.pattern)

    def is_covered_by(self, other: "ApprovalRule") -> bool:
        """True if the other line asks for the same approvals, or for more of them."""
        wider = other.pattern in {self.pattern, "*"} and self.effects <= other.effects
        return wider and set(other.teams) <= set(self.teams)

    @property
    def line_text(self) -> str:
        """The line as it is usually written."""
        effects = ",".join(effect for effect in Effect if effect in self.effects)
        return " ".join(
            ("*" if self.effects == set(Effect) else effects, self.pattern, *self.teams)
        )


def rules(text: str) -> list[ApprovalRule]:
    """The rules of a file; raises `WrongUse` with the line of the first that is none."""
    return list(_rules(text))


def _rules(text: str) -> Iterator[ApprovalRule]:
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        where = f"{FILE}:{number}"
        if len(words) < 3:  # noqa: PLR2004 - an effect, an address, a team
            raise WrongUse(f"{where}: the line names no team", _FORM)
        effects, pattern, *teams = words
        for team in teams:
            if not _TEAM.fullmatch(team):
                raise WrongUse(f"{where}: `{team}` is neither a person nor a team", _FORM)
        _refuse_unknown_kind(pattern, where)
        known = frozenset(_effects(effects, where))
        yield ApprovalRule(number, known, pattern, tuple(teams))


def _refuse_unknown_kind(pattern: str, where: str) -> None:
    """A pattern for a kind that there is not would never fit, and nobody would notice."""
    kind, dot, _ = pattern.partition(".")
    if re.search(r"[*?\[]", kind) or (dot and kind in KINDS):
        return
    hint = suggest_near(kind, KINDS) or f"there are: {', '.join(KINDS)}"
    raise WrongUse(f"{where}: no address is like `{pattern}`", hint)


def _effects(words: str, where: str) -> Iterator[Effect]:
    for word in words.split(","):
        if word == "*":
            yield from Effect
        elif word in list(Effect):
            yield Effect(word)
        else:
            hint = (
                suggest_near(word, Effect)
                or f"there are: {', '.join(Effect)}, and * for each of them"
            )
            raise WrongUse(f"{where}: there is no effect `{word}`", hint)
