"""What a policy file says apart from the parts that are wrong, so that the other parts can be looked at in the same pass."""

from collections.abc import Iterable
from difflib import get_close_matches
from itertools import takewhile
from typing import Any

from bot.domain.model.policy import Policy
from bot.domain.model.written import Path

#: They are judged by one another: while one of them is wrong, nothing certain is said of any.
_TOGETHER = frozenset({"agents", "verification", "gates", "separation", "checks"})


def without(value: Any, wrong: Iterable[Path]) -> Any:
    """The data without these parts; a list goes as a whole, for its other items would stand in other places."""
    for path in wrong:
        value = _dropped(value, list(takewhile(lambda part: isinstance(part, str), path)))
    return value


def unclear(path: Path, wrong: Iterable[Path]) -> bool:
    """Whether what is found there may follow from a part that is wrong."""
    touched = {_meant(str(one[0])) if one else "preset" for one in wrong}
    if touched & _TOGETHER:
        touched |= _TOGETHER
    return "preset" in touched or bool(path and str(path[0]) in touched)


def _meant(key: str) -> str:
    """A key that there is not is probably another one, misspelt."""
    near = get_close_matches(key.lower().replace("-", "_"), Policy.model_fields, 1)
    return near[0] if near else key


def _dropped(value: Any, keys: list[Any]) -> Any:
    if not keys or not isinstance(value, dict) or keys[0] not in value:
        return value
    first, *rest = keys
    if not rest:
        return {key: inner for key, inner in value.items() if key != first}
    return value | {first: _dropped(value[first], rest)}
