"""Style sheet and script, read once. Their address carries a hash of their content, so that they may be kept for ever."""

import hashlib
from pathlib import Path
from typing import NamedTuple

DIRECTORY = Path(__file__).parents[1] / "static"
_TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8"}


class Asset(NamedTuple):
    content: bytes
    media_type: str
    digest: str


ASSETS = {
    path.name: Asset(content := path.read_bytes(), _TYPES[path.suffix], hashlib.sha256(content).hexdigest()[:12])
    for path in DIRECTORY.iterdir()
    if path.suffix in _TYPES
}


def address(name: str) -> str:
    return f"/static/{name}?v={ASSETS[name].digest}"
