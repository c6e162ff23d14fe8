"""simulation: learners who have been at it for a while, made at once; a demo has nobody else.

`journeys` decides what a learner does and knows no platform; `filling` draws who does it, with
the help of `people` and `homes`; `writing` writes it down.
"""

from .filling import Wish, fill, midnight

__all__ = ["Wish", "fill", "midnight"]
