"""Requests of tests: a timeout ends one that hangs, and answers may be as slow as the machine."""

from functools import partial

import httpx

client = partial(httpx.Client, timeout=300)
get = partial(httpx.get, timeout=300)
post = partial(httpx.post, timeout=300)
