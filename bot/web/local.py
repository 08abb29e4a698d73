"""Whether a request comes from this machine: a loopback peer, asking for a loopback name, past no proxy.

A proxy on the same machine is a loopback peer too, so anything that it may have added or kept makes the request foreign:
a forwarding header, or the public name in `Host`. The name also keeps out pages of others whose name resolves to here.
"""

import re
from ipaddress import ip_address
from typing import NamedTuple

from starlette.requests import HTTPConnection

_HTTP = 80
#: A name, an address or an address in brackets, and perhaps a port; whatever else can be read into it names nothing.
_HOST = re.compile(r"(?P<name>[A-Za-z0-9][A-Za-z0-9.-]{0,252}|\[[0-9A-Fa-f:.]{2,45}\])(:(?P<port>[0-9]{1,5}))?")
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
    asked = _asked(request)
    if asked is None:
        return None, server[1] or _HTTP
    plain = asked.address is None and not asked.is_loopback
    return (asked.name if plain else None), server[1] or asked.port or _HTTP


class _Asked(NamedTuple):
    """What the one `Host` header names, in small letters; `address` if it stood in brackets."""

    name: str
    address: str | None
    port: int | None

    @property
    def is_loopback(self) -> bool:
        return self.name == "localhost" or _is_loopback(self.address or self.name)


def _asked(request: HTTPConnection) -> _Asked | None:
    """None where it cannot be read in one way only: then it names nobody, least of all this machine."""
    named = request.headers.getlist("host")
    read = _HOST.fullmatch(named[0]) if len(named) == 1 else None
    if read is None:
        return None
    name, port = read["name"].lower(), read["port"]
    if port is not None and not 0 < int(port) < 2**16:
        return None
    bracketed = name.startswith("[")
    if bracketed != (":" in name):
        return None
    return _Asked(name, name[1:-1] if bracketed else None, int(port) if port else None)


def _asks_for_loopback(request: HTTPConnection) -> bool:
    asked = _asked(request)
    return asked is not None and asked.is_loopback


def _is_loopback(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False
