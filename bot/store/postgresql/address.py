"""Which database a URL names. A URL may hold a password, so nothing here repeats it."""

from urllib.parse import urlsplit

import psycopg
from psycopg.conninfo import conninfo_to_dict

from bot.store.failures import StoreRefused

_FORM = "DATABASE_URL must be like postgresql://user@host:5432/database"


def conninfo(url: str) -> str:
    """The URL as the driver takes it. Raises StoreRefused."""
    scheme, _, driver = urlsplit(url).scheme.partition("+")
    if driver not in {"", "psycopg"}:
        raise StoreRefused(f"{_FORM}: the driver is psycopg, and another one need not be named")
    plain = f"postgresql{url[len(scheme) + len(driver) + bool(driver) :]}"
    try:
        conninfo_to_dict(plain)
    except psycopg.Error:
        raise StoreRefused(f"{_FORM}; characters like / and @ in a password are written as %2F and %40") from None
    return plain


def place(info: str) -> str:
    """Where it is, for people: the host and the database."""
    parts = conninfo_to_dict(info)
    host = parts.get("host") or parts.get("hostaddr") or "this machine"
    return f"{parts.get('dbname') or parts.get('user') or 'the database'} on {host}"
