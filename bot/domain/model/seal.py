"""The seal of what we leave on GitHub where people can edit it: without the App's key nobody can write another."""

import hmac
from dataclasses import dataclass, field
from hashlib import sha256

#: Digits of a seal: 128 bits.
LENGTH = 32


@dataclass(frozen=True, slots=True)
class Seal:
    """`secret` is made of the App's private key, so that all installations of one App have the same. Empty = nothing is sealed
    and no seal holds."""

    secret: bytes = field(default=b"", repr=False)

    def of(self, said: str) -> str:
        return hmac.new(self.secret, said.encode(), sha256).hexdigest()[:LENGTH] if self.secret else ""

    def holds(self, said: str, seal: str) -> bool:
        return bool(self.secret) and hmac.compare_digest(self.of(said), seal)
