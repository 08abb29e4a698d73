"""What a package would import for nothing that we use of it."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without(*names: str) -> Iterator[None]:
    """As if these were not installed, for a package that imports them where it can. One that is imported already stays."""
    hidden = [name for name in names if name not in sys.modules]
    sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type]  # None is how Python itself notes what is missing
    try:
        yield
    finally:
        for name in hidden:
            del sys.modules[name]
