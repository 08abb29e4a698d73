"""Canonical JSON: one text for one value, so that texts can be compared and hashed.

Keys sorted by code point, no spaces, UTF-8 without escapes but those JSON demands, no floats. NUL is an escape in it
and so survives every database; a lone surrogate is not text and is refused.
"""

import json
from hashlib import sha256
from typing import Any


def dumps(value: Any) -> str:
    """The canonical text. Raises ValueError for floats, keys that are not strings, lone surrogates and other types."""
    _check(value)
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    text.encode()
    return text


def hashed(text: str) -> str:
    """SHA-256 of a text, in hex."""
    return sha256(text.encode()).hexdigest()


def digest(value: Any) -> str:
    """SHA-256 of the canonical text, in hex."""
    return hashed(dumps(value))


def _check(value: Any) -> None:
    if isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, str):
                raise ValueError(f"canonical JSON has string keys only, not {key!r}")  # noqa: TRY004 - one error for all
            _check(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            _check(item)
    elif value is not None and not isinstance(value, (str, int)):
        raise ValueError(f"canonical JSON has no {type(value).__name__}")
