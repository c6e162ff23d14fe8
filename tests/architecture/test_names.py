"""Names that a search finds: the figures may only get better."""

import ast
from collections import Counter
from collections.abc import Iterator

from .source_tree import in_one_process, modules, nodes, ours

pytestmark = in_one_process

SINGLE_WORDS, PARTICIPLES = 0.115, 0.005
"""Shares of the functions of the package; lower them when they have fallen."""
SHARED_NAMES = 7
"""Names that eight or more functions have."""
SHARED_FILES, SMALL_FILES, SMALL = 0, 2, 40
"""Modules whose file name another module has too, and modules below so many lines; no faces."""
ONE_USER = 130
"""Modules that one other module imports and nobody else; no faces."""
COMMENTS = 0.0122
"""Share of the lines that are comments: what surprises in the code is explained there."""
_ENDINGS = ("ed", "wn", "ld", "en")


def names_of_functions() -> Iterator[str]:
    """The name of every function and method, without leading underscores; no dunder methods."""
    for module in modules():
        for node in nodes(module):
            is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            if is_function and not node.name.startswith("__"):
                yield node.name.strip("_")


def test_most_functions_are_named_by_verb_and_noun():
    """A name of one word says too little to be found."""
    names = list(names_of_functions())
    single = [name for name in names if "_" not in name]
    assert len(single) <= SINGLE_WORDS * len(names)


def test_few_functions_are_named_by_a_participle():
    """`held` and `listed` say neither what is done nor to what."""
    names = list(names_of_functions())
    bare = [n for n in names if "_" not in n and n.endswith(_ENDINGS) and len(n) > 3]
    assert len(bare) <= PARTICIPLES * len(names)


def test_few_names_are_shared_by_many_functions():
    """A search for a name ends at few definitions."""
    shared = [name for name, number in Counter(names_of_functions()).items() if number >= 8]
    assert len(shared) <= SHARED_NAMES, sorted(shared)


def test_few_modules_share_their_file_name():
    """A module says what is in it without its folder."""
    files = Counter(module.file.stem for module in modules() if not module.is_face)
    assert sum(number for number in files.values() if number > 1) <= SHARED_FILES, files


def test_few_modules_are_small():
    """What is smaller belongs to the module beside it that uses it."""
    lengths = {
        module.name: len(module.file.read_text("utf-8").splitlines())
        for module in modules()
        if not module.is_face
    }
    small = [name for name, length in lengths.items() if length < SMALL]
    assert len(small) <= SMALL_FILES, small


def test_few_modules_have_one_user():
    """What one module needs and nobody else belongs into that module, if it is the same idea."""
    users = Counter(name for module in modules() for name in set(ours(module)))
    single = [module.name for module in modules() if not module.is_face and users[module.name] == 1]
    assert len(single) <= ONE_USER, single


def test_code_that_surprises_has_comments():
    """A docstring says what a function does; why it does so in a strange way, a comment does."""
    lines = [line for module in modules() for line in module.file.read_text("utf-8").splitlines()]
    comments = [line for line in lines if line.lstrip().startswith("#")]
    assert len(comments) >= COMMENTS * len(lines)
