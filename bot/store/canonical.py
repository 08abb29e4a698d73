"""Canonical JSON: one text for one value, so that texts can be compared and hashed.

Keys sorted by code point, no spaces, UTF-8 without escapes but those JSON demands, no floats. NUL is an escape in it
and so survives every database; a lone surrogate is not text and is refused.
"""

import json
from hashlib import sha256
from typing import Any


def dumps(value: Any) -> str:
    """The canonical text. Raises ValueError for floats, keys that are not strings, lone surrogates and other types."""
    return written(value)[0]


def written(value: Any) -> tuple[str, Any]:
    """The canonical text, and what it reads as: the value with its keys in their order. Raises as `dumps` does."""
    try:
        text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    except TypeError:
        _check(value)
        raise
    text.encode()
    read = _READER.decode(text)
    if read != value:  # a tuple reads as a list, and is none the worse for it; so does what has no text of its own
        _check(value)
    return text, read


def _no_float(text: str) -> float:
    raise ValueError(f"canonical JSON has no float: {text}")


#: Reads only what was written canonically: far faster than to look at each part of a value in Python, and no less strict.
_READER = json.JSONDecoder(parse_float=_no_float, parse_constant=_no_float)


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
