"""Whether a request comes from this machine: a loopback peer, asking for a loopback name, past no proxy.

A proxy on the same machine is a loopback peer too, so anything that it may have added or kept makes the request foreign:
a forwarding header, or the public name in `Host`. The name also keeps out pages of others whose name resolves to here.
"""

from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

_FORWARDED = (
    *("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-forwarded-port"),
    *("x-forwarded-server", "x-real-ip", "x-client-ip", "true-client-ip", "cf-connecting-ip", "x-original-host"),
)


def is_local(request: HTTPConnection) -> bool:
    peer = request.client.host if request.client else ""
    return (
        _is_loopback(peer) and _asks_for_loopback(request) and not any(name in request.headers for name in _FORWARDED)
    )


def _asks_for_loopback(request: HTTPConnection) -> bool:
    named = request.headers.getlist("host")
    if len(named) != 1:
        return False
    try:
        host = urlsplit(f"//{named[0]}").hostname or ""
    except ValueError:
        return False
    return host == "localhost" or _is_loopback(host)


def _is_loopback(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False
