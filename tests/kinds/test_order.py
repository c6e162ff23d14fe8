"""Nothing depends on the order in which a set happens to be walked."""

import subprocess
import sys

CODE = """
from tests.making import course, described, section
before = course(source="a", status="draft", sections=[section(n) for n in "abcdefgh"])
after = course(source="b", status="published", sections=[section("a")])
print([step.field for step in described(before, after).manual])
"""


def test_steps_for_a_person_come_in_the_order_of_the_course():
    """The same change is told in the same words, run after run."""
    fields = ["source", "status"] + [f"sections[{name}]" for name in "bcdefgh"]
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", CODE],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert f"{fields}\n" == done.stdout
