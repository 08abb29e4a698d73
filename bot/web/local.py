"""Whether a request comes from this machine: a loopback peer, asking for a loopback name, past no proxy.

A proxy on the same machine is a loopback peer too, so anything that it may have added or kept makes the request foreign:
a forwarding header, or the public name in `Host`. The name also keeps out pages of others whose name resolves to here.
"""

import re
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

_HTTP = 80
#: What is repeated as part of a command to copy is nothing but a name.
_MACHINE = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]{0,252}")
_FORWARDED = (
    *("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-forwarded-port"),
    *("x-forwarded-server", "x-real-ip", "x-client-ip", "true-client-ip", "cf-connecting-ip", "x-original-host"),
)


def is_local(request: HTTPConnection) -> bool:
    peer = request.client.host if request.client else ""
    return (
        _is_loopback(peer) and _asks_for_loopback(request) and not any(name in request.headers for name in _FORWARDED)
    )


def reached_at(request: HTTPConnection) -> tuple[str | None, int]:
    """The name of this machine as the caller sees it, None where it is a loopback name or no name, and the port that this
    process listens on."""
    server = request.scope.get("server") or ("", None)
    try:
        asked = urlsplit(f"//{request.headers.get('host', '')}")
        name, port = asked.hostname or "", server[1] or asked.port or _HTTP
    except ValueError:
        name, port = "", server[1] or _HTTP
    plain = _MACHINE.fullmatch(name) is not None and name != "localhost" and not _is_loopback(name)
    return (name if plain else None), port


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
