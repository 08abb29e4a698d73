"""Who is measured: Signalbox as it is served, what one would take instead, and controls that differ in one thing."""

import sqlite3
import sys
from functools import cache
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from bench.install import python_of
from bench.servers import CACHE, ROOT, SECRET, Contender

OURS, NO_STORE, UNGROUPED = "signalbox", "signalbox, nothing stored", "signalbox, a commit each"
PROBOT, OCTOKIT, GIDGETHUB, FASTAPI = "probot", "@octokit/webhooks", "gidgethub + uvloop", "FastAPI + githubkit"


@cache
def app() -> dict[str, str]:
    """An App of nobody; GitHub is a port where nobody listens."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption()).decode()
    return {"APP_ID": "1", "PRIVATE_KEY": pem, "WEBHOOK_SECRET": SECRET, "GITHUB_API_URL": "http://127.0.0.1:9"}


def contenders() -> dict[str, Contender]:
    ours = app() | {"PYTHONPATH": str(ROOT), "LOG_LEVEL": "error"}
    node = ((PROBOT, "probot"), (OCTOKIT, "octokit"))
    python = ((GIDGETHUB, "gidgethub"), (FASTAPI, "fastapi"))
    everyone = (
        Contender(OURS, (sys.executable, "-m", "bot", "serve"), environment=ours, stored=rows),
        Contender(NO_STORE, _control("no_store"), environment=ours),
        Contender(UNGROUPED, _control("ungrouped"), environment=ours, stored=rows),
        *(Contender(name, ("node", str(CACHE / at / "server.mjs")), environment=app()) for name, at in node),
        *(Contender(name, (python_of(at), str(CACHE / at / "server.py")), environment=app()) for name, at in python),
    )
    return {one.name: one for one in everyone}


def rows(folder: Path) -> int:
    """Deliveries in the database of a server that is running."""
    with sqlite3.connect(f"file:{folder / 'signalbox.db'}?mode=ro", uri=True) as database:
        return int(database.execute("SELECT count(*) FROM deliveries").fetchone()[0])


def _control(module: str) -> tuple[str, ...]:
    return sys.executable, "-m", f"bench.controls.{module}"
