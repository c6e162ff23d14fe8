"""simulation: learners with a history, made at once, for demos.

`history` decides what a learner does in a course and knows no platform; `learners` draws who does
it, with the help of `people` and `clients`; `writing` writes it down.
"""

from .learners import (
    Parameters as Parameters,
    choose_clients as choose_clients,
    clients_of as clients_of,
    fill_with_learners as fill_with_learners,
    is_open as is_open,
    midnight_of as midnight_of,
)
