"""simulation: learners with a history, made at once, for demos.

`journeys` decides what a learner does and knows no platform; `filling` draws who does it, with
the help of `people` and `homes`; `writing` writes it down.
"""

from .filling import Wish, fill, midnight

__all__ = ["Wish", "fill", "midnight"]
