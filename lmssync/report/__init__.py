"""report: problems, plans and outcomes in words, for people and for programs.

It gets values and gives text; it decides nothing and asks nothing.
"""

from .apply_text import apply_json as apply_json
from .apply_text import apply_text as apply_text
from .ink import Ink as Ink
from .plan_text import plan_text as plan_text
from .problems_text import problems_json as problems_json
from .problems_text import problems_text as problems_text
from .problems_text import valid_text as valid_text
from .state_text import state_json as state_json
from .state_text import state_list as state_list
from .state_text import state_show as state_show
from .state_text import states_json as states_json
