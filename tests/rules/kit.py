"""What the rules read: the files under version control."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


def tracked(*patterns: str) -> list[str]:
    """Paths below the root, of files that are there. Raises when this is no checkout: rules about it need one."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", "--", *patterns],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return sorted(path for path in listed.split("\0") if path and (ROOT / path).is_file())


def text(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")
