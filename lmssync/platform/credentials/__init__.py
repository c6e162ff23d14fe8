"""credentials: which key goes to which host. No other room reads a key.

A pull request can change `lmssync.yaml`, and a pipeline plans it beside its secrets. So the
catalog only names a variable and an address. Whether the key belongs to the address is decided
outside the catalog: by the environment of the run, or by a file of the person who runs it.
"""

from .credential import find_credential as find_credential
