"""The table of the policy file's keys, from its model: type, default under each preset, and the text below each field."""

import ast
import inspect
import json
import textwrap
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import Any

from pydantic import BaseModel

from bot.domain.model.text import listed
from bot.domain.policy.keys import Key, as_data, keys
from bot.domain.policy.presets import PRESETS
from bot.domain.policy.undelivered import remark

HEAD = ("key", "takes", "without it", "meaning")


def rows() -> Iterator[Sequence[str]]:
    for key in keys():
        yield f"`{_name(key)}`", key.takes, _without(key), f"{meanings(key.owner)[key.name]} {remark(key.path)}".strip()


def _name(key: Key) -> str:
    return ".".join(str(part) for part in key.path)


@cache
def meanings(model: type[BaseModel]) -> dict[str, str]:
    """The text below each field of the class."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(model)))
    body = tree.body[0].body if isinstance(tree.body[0], ast.ClassDef) else []
    found: dict[str, str] = {}
    for field, text in pairwise(body):
        match field, text:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(said))):
                found[name] = " ".join(said.split())
    return found


def _without(key: Key) -> str:
    """What holds where the key is left out, and under which presets something else does."""
    if any("[]" in str(part) for part in key.path):
        field = key.owner.model_fields[key.name]
        return "it must be there" if field.is_required() else _value(field.get_default())
    held = {name: _value(_at(as_data(policy), key)) for name, policy in PRESETS.items()}
    others: dict[str, list[str]] = {}
    for name, value in held.items():
        if value != held["strict"]:
            others.setdefault(value, []).append(name)
    return "; ".join([held["strict"], *(f"{listed(names)} {value}" for value, names in others.items())])


def _at(data: Any, key: Key) -> Any:
    for part in key.path:
        data = data[part]
    return data


def _value(value: Any) -> str:
    if value is None:
        return "nothing"
    return f"`{value if isinstance(value, str) else json.dumps(value)}`"
