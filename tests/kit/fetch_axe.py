"""Fetch `axe-core` (MPL-2.0), which looks for what keeps people out, into `.cache/axe-core`. Only tests use it.

Run by `make test`. Prints what it did; exits 1 when npm is missing or cannot fetch, so that the caller can say so.
"""

import sys

from tests.kit.npm import CACHE, fetch_file

PACKAGE = "axe-core@4.10.3"
MEMBER = "package/axe.min.js"
TARGET = CACHE / "axe-core" / "axe.min.js"


def fetch() -> str | None:
    """None when it is there, else why it is not."""
    return fetch_file(PACKAGE, MEMBER, TARGET)


if __name__ == "__main__":
    problem = fetch()
    print(problem or f"{PACKAGE} is in .cache/axe-core")
    sys.exit(1 if problem else 0)
