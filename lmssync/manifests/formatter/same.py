"""Proves that two texts say the same."""

from typing import Any


def same(one: Any, other: Any) -> bool:
    """True for equal values of equal types; the order of keys does not count."""
    waiting = [(one, other)]
    while waiting:
        a, b = waiting.pop()
        if type(a) is not type(b):
            return False
        if isinstance(a, list):
            if len(a) != len(b):
                return False
            waiting += zip(a, b, strict=True)
        elif isinstance(a, dict):
            keys = {(type(key), key): key for key in b}
            if len(a) != len(b) or any((type(key), key) not in keys for key in a):
                return False
            waiting += ((value, b[key]) for key, value in a.items())
        elif repr(a) != repr(b):  # of floats too: nan is nan, and zero has a sign
            return False
    return True
