"""The forms that single settings must have. What is refused is said without the value."""

from collections.abc import Mapping
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr

#: Where our own pages and answers begin.
_ANSWERS = ("api/v1", "healthz", "readyz", "metrics", "mcp", "login", "logout", "setup", "static")
OUR_ROUTES = (*_ANSWERS, "lifecycles", "queue", "merges", "deliveries", "machines")
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def _https_or_loopback(url: str) -> str:
    parts = urlsplit(url)
    if not parts.hostname or parts.scheme not in {"http", "https"} or parts.query or parts.fragment:
        raise ValueError("must be an address like https://HOST/PATH")
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        raise ValueError("must use https: tokens travel over it")
    return url.rstrip("/")


def _public(url: str) -> str:
    parts = urlsplit(url)
    if not parts.hostname or parts.scheme not in {"http", "https"} or parts.query or parts.fragment:
        raise ValueError("must be an address like https://HOST")
    return url.rstrip("/")


def _path(value: str) -> str:
    if not value.startswith("/") or value == "/" or any(c in value for c in "?# {}"):
        raise ValueError("must be a path like /api/github/webhooks")
    ours = next((route for route in OUR_ROUTES if f"{value}/".startswith(f"/{route}/")), None)
    if ours is not None:
        raise ValueError(f"must not lie under /{ours}, where Signalbox answers itself")
    return value


def _at_home(path: Path) -> Path:
    try:
        return path.expanduser()
    except RuntimeError:
        raise ValueError("begins with ~, and that home directory is not known: write the whole path") from None


def _networks(value: str) -> str:
    """As uvicorn takes them: addresses, networks, or `*`."""
    parts = [part.strip() for part in value.split(",")]
    try:
        known = all(part == "*" or ip_network(part) for part in parts)
    except ValueError:
        known = False
    if not known:
        raise ValueError("must be addresses like 10.0.0.1 or networks like 10.0.0.0/8, comma-separated, or *")
    return ",".join(parts)


def _said(secret: SecretStr) -> SecretStr:
    if not secret.get_secret_value().strip():
        raise ValueError("is empty: anybody could say it")
    return secret


def _hook(secret: SecretStr) -> SecretStr:
    parts = urlsplit(secret.get_secret_value().strip())
    if not parts.hostname or parts.scheme not in {"http", "https"} or parts.fragment:
        raise ValueError("must be an address like https://HOST/PATH")
    return SecretStr(secret.get_secret_value().strip())


def parted(secrets: SecretStr | None) -> tuple[str, ...]:
    """Several that are comma-separated, an empty part among them."""
    return () if secrets is None else tuple(part.strip() for part in secrets.get_secret_value().split(","))


def _lower(value: object) -> object:
    return value.lower() if isinstance(value, str) else value


Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]
SecondsOrNone = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Days = Annotated[float, Field(gt=0, le=36500, allow_inf_nan=False)]
ApiUrl = Annotated[str, AfterValidator(_https_or_loopback)]
PublicUrl = Annotated[str, AfterValidator(_public)]
#: `~` is the home directory, as in a shell: nothing else expands it in a file.
FilePath = Annotated[Path, AfterValidator(_at_home)]
UrlPath = Annotated[str, AfterValidator(_path)]
Networks = Annotated[str, AfterValidator(_networks)]
#: An address that may hold a secret, as those of chat programs do.
HookUrl = Annotated[SecretStr, AfterValidator(_hook)]
Secret = Annotated[SecretStr, AfterValidator(_said)]
#: In a Literal of lower-case words, any case will do.
AnyCase = BeforeValidator(_lower)

#: What is said of a value of another form, by the name of the fault; what it allows is filled in.
_FAULTS = {
    "int_parsing": "must be a whole number",
    "int_parsing_size": "must be a whole number with fewer digits",
    "float_parsing": "must be a number",
    "finite_number": "must be a finite number",
    "greater_than": "must be above {gt:g}",
    "greater_than_equal": "must be {ge:g} or more",
    "less_than": "must be below {lt:g}",
    "less_than_equal": "must be {le:g} or less",
    "literal_error": "must be {expected}",
    "value_error": "{error}",
}


def sentence(fault: Mapping[str, Any]) -> str:
    """One fault that pydantic found, without its words and without the value."""
    return _FAULTS.get(fault["type"], "cannot be read").format(**fault.get("ctx", {}))
