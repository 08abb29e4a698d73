"""Is this body from GitHub? HMAC SHA-256 over the raw bytes, before anything of it is parsed."""

import hmac
from collections.abc import Sequence
from hashlib import sha256


def verify(secrets: Sequence[str], body: bytes, signature: str | None) -> bool:
    """Compare `X-Hub-Signature-256` in constant time with every secret (two during rotation). Empty secrets and
    any form but `sha256=` with 64 lower-case hex digits never match."""
    given = (signature or "").encode("utf-8", "replace")
    matches = False
    for secret in secrets:
        expected = b"sha256=" + hmac.new(secret.encode(), body, sha256).hexdigest().encode()
        matches |= bool(secret) and hmac.compare_digest(expected, given)
    return matches
