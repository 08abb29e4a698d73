"""Reading the App's private key in the three forms in which people hand it over."""

import base64
import binascii

BEGIN = "-----BEGIN"


class KeyRefused(Exception):
    """The key cannot be used; the message says why and shows nothing of it."""


def read_key(text: str) -> str:
    """PEM from PEM, from PEM with `\\n` written out, or from base64 of PEM. Raises KeyRefused."""
    pem = _as_pem(text.strip())
    # Takes 30 ms to import, and only a server that serves needs it.
    from cryptography.exceptions import UnsupportedAlgorithm  # noqa: PLC0415 - see above
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey  # noqa: PLC0415 - see above
    from cryptography.hazmat.primitives.serialization import load_pem_private_key  # noqa: PLC0415 - see above

    try:
        key = load_pem_private_key(pem.encode(), password=None)
    except TypeError:
        raise KeyRefused("is encrypted: store it without a passphrase") from None
    except (ValueError, UnsupportedAlgorithm):
        raise KeyRefused("is not a private key in PEM form") from None
    if not isinstance(key, RSAPrivateKey):
        raise KeyRefused("is not an RSA key, and GitHub Apps have RSA keys")
    return pem


def _as_pem(text: str) -> str:
    if not text:
        raise KeyRefused("is empty")
    if BEGIN not in text:
        try:
            text = base64.b64decode("".join(text.split()), validate=True).decode()
        except (binascii.Error, UnicodeDecodeError):
            raise KeyRefused("is not a private key in PEM form") from None
    return text.replace("\\n", "\n").strip() + "\n"
