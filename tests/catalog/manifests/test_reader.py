"""The reader for the exact parser counts as ruamel.yaml's own does."""

from hypothesis import given, strategies as st
from ruamel.yaml.reader import Reader as Slow

from lmssync.catalog.manifests.yaml.exact_reader import FastReader

TEXTS = st.text(st.sampled_from("ab \n\r\ufeff\u2028\x85é\t"), min_size=1, max_size=60)


def places(kind: type[Slow], text: str, steps: list[int]) -> list[tuple[int, int, int]]:
    """Index, line and column after each step."""
    reader = kind(text + " " * 80)
    found = []
    for step in steps:
        reader.forward(step)
        found.append((reader.index, reader.line, reader.column))
    return found


@given(TEXTS, st.lists(st.integers(0, 20), max_size=3))
def test_every_step_leads_to_the_same_place(text: str, steps: list[int]):
    """However long it is, and whatever it passes."""
    assert places(Slow, text, steps) == places(FastReader, text, steps)
