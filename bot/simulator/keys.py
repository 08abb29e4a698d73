"""A key pair for the simulated App, so that clients sign in exactly as they do on GitHub."""

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from bot.simulator.world import World


def private_key_for(world: World) -> str:
    """Make a key, tell the world its public half, return the private half (PEM). The one random thing here."""
    key = rsa.generate_private_key(public_exponent=65_537, key_size=2048)
    public = key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    world.app.public_key = public.decode()
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return private.decode()
