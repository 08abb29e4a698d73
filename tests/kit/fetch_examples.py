"""Fetch the real webhook payloads of `@octokit/webhooks-examples` (MIT) into `.cache/webhooks-examples`.

Run by `make test`. Prints what it did; exits 1 when npm is missing or cannot fetch, so that the caller can say so.
"""

import sys

from tests.kit.npm import CACHE, fetch_file

PACKAGE = "@octokit/webhooks-examples@7.6.1"
MEMBER = "package/api.github.com/index.json"
TARGET = CACHE / "webhooks-examples"


def fetch() -> str | None:
    """None when the examples are there, else why they are not."""
    return fetch_file(PACKAGE, MEMBER, TARGET / "index.json")


if __name__ == "__main__":
    problem = fetch()
    print(problem or f"{PACKAGE} is in .cache/webhooks-examples")
    sys.exit(1 if problem else 0)
