"""Fuzzers run the command line as the tests of strangers' catalogs do."""

from tests.hostile_input.conftest import home, root, run

__all__ = ["home", "root", "run"]
