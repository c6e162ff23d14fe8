"""live: what the platform holds now, as far as it can be read.

It reads and binds; what a difference means is for diff, and nothing here can write.
"""

from .alike import alike as alike
from .binding import Binder as Binder
from .binding import Nameless as Nameless
from .binding import Unbound as Unbound
from .binding import named as named
from .choose import able as able
from .choose import chosen as chosen
from .evidence import Evidence as Evidence
from .evidence import evidence as evidence
from .evidence import shown as shown
from .fetch import ask as ask
from .fields import declared as declared
from .fields import leaves as leaves
from .fields import pattern as pattern
from .looking import Looker as Looker
from .looking import Wanted as Wanted
from .names import Names as Names
from .names import check_names as check_names
from .names import id_of_name as id_of_name
from .read import LiveState as LiveState
from .read import each as each
from .read import read as read
from .read import shown_by as shown_by
