"""patterns: regular expressions in orders, searched in linear time.

Python's own engine tries every way that an expression can fit, and `(a+)+$` has more of them than
a day has seconds. Here a text is read once, letter by letter, whatever the expression says.
"""

from .pattern import Pattern as Pattern
