"""JSON Patch (RFC 6902), the part we write: add, remove and replace.

Objects are compared key by key, arrays element by element from the front; `apply(a, diff(a, b)) == b` always holds.
"""

from marshal import dumps
from typing import Any

Operation = dict[str, Any]


def diff(old: Any, new: Any) -> list[Operation]:
    """The operations that turn `old` into `new`, in an order that is the same for the same values."""
    found: list[Operation] = []
    _compare(old, new, "", found)
    return found


def apply(document: Any, patch: list[Operation]) -> Any:
    """The patched document; the given one stays as it is, and what no operation touches stands in both. Raises ValueError
    when an operation is unknown or does not fit the document."""
    whole = {"": document}
    for operation in patch:
        try:
            _apply(whole, operation)
        except (LookupError, TypeError) as error:
            raise ValueError(f"the patch does not fit: {operation.get('op')} {operation.get('path')!r}") from error
    return whole[""]


def _compare(old: Any, new: Any, path: str, found: list[Operation]) -> None:
    if isinstance(old, dict) and isinstance(new, dict):
        _compare_objects(old, new, path, found)
    elif isinstance(old, list) and isinstance(new, list):
        _compare_arrays(old, new, path, found)
    elif type(old) is not type(new) or old != new:
        found.append({"op": "replace", "path": path, "value": new})


def _same(old: Any, new: Any) -> bool:
    """True == 1 in Python, not in JSON. Of objects and arrays it may be unknown, which is False: then their parts tell."""
    if type(old) is not type(new) or old != new:
        return False
    return not isinstance(old, (dict, list)) or _bytes(old) == _bytes(new)


def _bytes(part: Any) -> bytes:
    """Equal for parts that are the same in every type and in the order of their keys; made without a step of Python."""
    return dumps(part, 2)  # from 3 on it would say which strings are one object


def _compare_objects(old: dict[str, Any], new: dict[str, Any], path: str, found: list[Operation]) -> None:
    for key in sorted(old.keys() | new.keys()):
        if key in old and key in new and _same(old[key], new[key]):
            continue
        here = f"{path}/{_escape(key)}"
        if key not in new:
            found.append({"op": "remove", "path": here})
        elif key not in old:
            found.append({"op": "add", "path": here, "value": new[key]})
        else:
            _compare(old[key], new[key], here, found)


def _compare_arrays(old: list[Any], new: list[Any], path: str, found: list[Operation]) -> None:
    for index, (before, after) in enumerate(zip(old, new, strict=False)):
        if not _same(before, after):
            _compare(before, after, f"{path}/{index}", found)
    for index in range(len(old) - 1, len(new) - 1, -1):  # from the end, so that no index moves
        found.append({"op": "remove", "path": f"{path}/{index}"})
    for index in range(len(old), len(new)):
        found.append({"op": "add", "path": f"{path}/{index}", "value": new[index]})


def _apply(whole: dict[str, Any], operation: Operation) -> None:
    *parents, last = [_unescape(part) for part in ("" + operation["path"]).split("/")]
    target: Any = whole
    for part in parents:
        place = _index(part, len(target) - 1) if isinstance(target, list) else part
        inner = target[place]
        if isinstance(inner, list | dict):
            target[place] = inner = inner.copy()
        target = inner
    if not isinstance(target, list | dict):
        raise TypeError("only objects and arrays have members")
    match operation["op"]:
        case "add" if isinstance(target, list):
            target.insert(len(target) if last == "-" else _index(last, len(target)), operation["value"])
        case "add" if isinstance(target, dict):
            target[last] = operation["value"]
        case "remove":
            del target[_member(target, last)]
        case "replace":
            target[_member(target, last)] = operation["value"]
        case other:
            raise ValueError(f"unknown patch operation {other!r}")


def _member(target: Any, last: str) -> Any:
    if isinstance(target, list):
        return _index(last, len(target) - 1)
    if last not in target:
        raise KeyError(last)
    return last


def _index(part: str, highest: int) -> int:
    if not (part.isascii() and part.isdigit()) or (part != "0" and part.startswith("0")) or int(part) > highest:
        raise LookupError(part)
    return int(part)


def _escape(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def _unescape(part: str) -> str:
    return part.replace("~1", "/").replace("~0", "~")
