"""simulation: learners who have been at it for a while, made at once; a demo has nobody else.

`journeys` decides what a learner does and knows no platform; `filling` writes it down.
"""

from .filling import Wish, fill

__all__ = ["Wish", "fill"]
