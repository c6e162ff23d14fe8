"""The page of assumptions names every switch of the sandbox, and none that is not there."""

import re
from dataclasses import fields
from pathlib import Path

from lmssync.sandbox.sandbox_switches import Switches

PAGE = Path(__file__).parents[2] / "docs" / "assumptions.md"


def test_every_switch_is_on_the_page():
    """What a switch turns is a choice, and each choice is told with its switch."""
    _, _, part = PAGE.read_text("utf-8").partition("## The sandbox\n")
    cells = [line.rsplit("|", 2)[1] for line in part.splitlines() if line.startswith("|")]
    named = [name for cell in cells for name in re.findall(r"^ `(\w+)`", cell)]
    assert sorted(field.name for field in fields(Switches)) == sorted(named)
