"""pull: what people have changed on the platform is written into the manifests."""

from .files import PulledFiles as PulledFiles, Unpullable as Unpullable
from .undoing import written as written
