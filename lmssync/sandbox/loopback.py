"""Which addresses are this machine and nobody else."""

import ipaddress


def is_loopback(host: str) -> bool:
    """True if only this machine can reach `host`."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
