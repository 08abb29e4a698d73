"""Fetch the real webhook payloads of `@octokit/webhooks-examples` (MIT) into `.cache/webhooks-examples`.

Run by `make test`. Prints what it did; exits 1 when npm is missing or cannot fetch, so that the caller can say so.
"""

import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

PACKAGE = "@octokit/webhooks-examples@7.6.1"
MEMBER = "package/api.github.com/index.json"
TARGET = Path(__file__).parents[2] / ".cache" / "webhooks-examples"


def fetch() -> str | None:
    """None when the examples are there, else why they are not."""
    if (TARGET / "index.json").exists():
        return None
    npm = shutil.which("npm")
    if npm is None:
        return "npm is not installed"
    with tempfile.TemporaryDirectory() as place:
        packed = subprocess.run(
            [npm, "pack", "--silent", PACKAGE], cwd=place, capture_output=True, text=True, timeout=120, check=False
        )
        if packed.returncode != 0:
            return f"npm pack failed: {packed.stderr.strip()[-300:]}"
        with tarfile.open(next(Path(place).glob("*.tgz"))) as archive:
            member = archive.extractfile(MEMBER)
            if member is None:
                return f"{PACKAGE} has no {MEMBER}"
            TARGET.mkdir(parents=True, exist_ok=True)
            (TARGET / "index.json").write_bytes(member.read())
    return None


if __name__ == "__main__":
    problem = fetch()
    print(
        problem or f"{PACKAGE} is in {TARGET.relative_to(Path.cwd()) if TARGET.is_relative_to(Path.cwd()) else TARGET}"
    )
    sys.exit(1 if problem else 0)
