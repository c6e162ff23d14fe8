"""What docs/sandbox.md shows can be sent as it stands (spec 1)."""

import json
import re
from pathlib import Path

import pytest

from lmssync.sandbox.control.control_plane import COMMANDS

TEXT = (Path(__file__).parents[2] / "docs" / "sandbox.md").read_text("utf-8")
EXAMPLES = re.findall(r"^```json\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)
LINES = [json.loads(line) for text in EXAMPLES if "\n  " not in text for line in text.splitlines()]
SEEDS = [json.loads(text) for text in EXAMPLES if "\n  " in text]


@pytest.mark.parametrize("order", [one for one in LINES if "permissions" in one], ids=str)
def test_keys_as_shown(platform, order):
    """The shown order for a key issues a key with those rights (spec 5)."""
    assert sorted(order["permissions"]) == platform.control("keys", order)["permissions"]


@pytest.mark.parametrize("order", [o for o in LINES if "action" in o or "faults" in o], ids=str)
def test_faults_as_shown(platform, order):
    """Each shown fault is accepted (spec 7)."""
    assert platform.control("faults", order)["faults"]


@pytest.mark.parametrize("order", [one for one in LINES if "list" in one], ids=str)
def test_edits_as_shown(platform, tree, order):
    """Each shown edit works with the ids of existing things (O11)."""
    course = platform.read(platform.course(sections=tree({"type": "quiz"}, {"type": "text"})))
    section = course["sections"][0]
    quiz, text = section["lessons"][0]["topics"]
    ids = {"SECTION": section, "LESSON": section["lessons"][0], "COURSE": course}
    named = json.dumps(order)
    for word, thing in {**ids, "QUIZ": quiz, "TOPIC": text}.items():
        named = named.replace(f'"{word}"', json.dumps(thing["id"]))
    if order.get("delete") == "restore":
        platform.control("edit", {**json.loads(named), "delete": True})
    assert order["list"] == platform.control("edit", json.loads(named))["list"]


@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: seed["company"])
def test_seed_as_shown(platform, seed):
    """The shown seed is accepted whole (spec 2)."""
    platform.control("reset", {"seed": seed})
    dump = platform.control("dump")
    lists = [name for name, value in seed.items() if isinstance(value, list)]
    assert [len(seed[name]) for name in lists] == [len(dump[name]) for name in lists]


def test_examples_are_found():
    """The page has examples of each kind (spec 1)."""
    assert [1, 1, 4, 7] == [
        len(SEEDS),
        sum("permissions" in one for one in LINES),
        sum("action" in one or "faults" in one for one in LINES),
        sum("list" in one for one in LINES),
    ]


def test_every_order_says_what_it_does():
    """The table of orders comes from the docstrings of the orders (spec 1)."""
    assert all(order.__doc__ for methods in COMMANDS.values() for order in methods.values())
