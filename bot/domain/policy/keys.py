"""Every key that the file may have, and how its value is called: for findings and for the table of keys."""

import types
from collections.abc import Iterator
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from bot.domain.model.policy import Policy
from bot.domain.model.policy_types import Internal, Words
from bot.domain.model.text import listed
from bot.domain.model.written import Path

#: Nothing of these at the plan gate: it has no operator, and nothing to verify.
NOT_AT_PLAN: tuple[Path, ...] = (("gates", "plan", "operators"), ("gates", "plan", "verification"))
#: A plan is never built without a review.
PLAN_REVIEWS: Path = ("gates", "plan", "reviews")
#: What the program sets.
INTERNAL: tuple[Path, ...] = (("sha",), ("accounts",), ("checks", "settle_seconds"))
_UNIONS = (Union, types.UnionType)


class Key(NamedTuple):
    """One key that has a value of its own. `takes` says which; `owner` and `name` are the model's, for its meaning."""

    path: Path
    takes: str
    owner: type[BaseModel]
    name: str


def keys() -> Iterator[Key]:
    """In the order of the file. Entries of lists stand as `[]`."""
    yield from _keys(Policy, ())


def _keys(model: type[BaseModel], before: Path) -> Iterator[Key]:
    for name, field in model.model_fields.items():
        path = (*before, name)
        if is_internal(field) or path in NOT_AT_PLAN:
            continue
        inner = field.annotation
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            yield from _keys(inner, path)
            continue
        takes = expected(inner, field.metadata)
        yield Key(path, takes.replace("from 0", "from 1") if path == PLAN_REVIEWS else takes, model, name)
        entry = _entry(inner)
        if entry is not None:
            yield from _keys(entry, (*before, f"{name}[]"))


def _entry(annotation: Any) -> type[BaseModel] | None:
    """The model of a list's entries, also behind an alternative."""
    for alternative in get_args(annotation) if get_origin(annotation) in _UNIONS else (annotation,):
        bare = get_args(alternative)[0] if get_origin(alternative) is Annotated else alternative
        first = next(iter(get_args(bare)), None)
        if get_origin(bare) is tuple and isinstance(first, type) and issubclass(first, BaseModel):
            return first
    return None


def as_data(policy: Policy) -> dict[str, Any]:
    """As a file would say it: without what the program sets."""
    data: dict[str, Any] = policy.model_dump(mode="json")
    for path in (*NOT_AT_PLAN, *INTERNAL):
        inner = data
        for part in path[:-1]:
            inner = inner[str(part)]
        del inner[str(path[-1])]
    return data


def is_internal(field: FieldInfo) -> bool:
    return any(isinstance(extra, Internal) for extra in field.metadata)


def field_at(path: Path) -> tuple[Any, list[Any]] | None:
    """The type of a part of the file, and what else is known of it; None where the file has no such key."""
    annotation: Any = Policy
    metadata: list[Any] = []
    for part in path:
        found = next((step for each in _alternatives(annotation) if (step := _inside(each, part))), None)
        if found is None:
            return None
        annotation, metadata = found
    return annotation, metadata


def _alternatives(annotation: Any) -> Iterator[Any]:
    origin = get_origin(annotation)
    if origin is Annotated:
        yield from _alternatives(get_args(annotation)[0])
    elif origin in _UNIONS:
        for each in get_args(annotation):
            yield from _alternatives(each)
    else:
        yield annotation


def _inside(annotation: Any, part: str | int) -> tuple[Any, list[Any]] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        field = annotation.model_fields.get(str(part))
        return None if field is None or is_internal(field) else (field.annotation, field.metadata)
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is tuple and isinstance(part, int):
        return arguments[0], []
    return (arguments[1], []) if origin is dict else None


def names_at(path: Path) -> tuple[str, ...]:
    """The keys that a mapping at this place may have."""
    found = field_at(path)
    models = [] if found is None else [each for each in _alternatives(found[0]) if hasattr(each, "model_fields")]
    return tuple(
        name
        for model in models
        for name, field in model.model_fields.items()
        if not is_internal(field) and (*path, name) not in NOT_AT_PLAN
    )


def expected(annotation: Any, metadata: list[Any]) -> str:
    """What belongs at a place, in words: "a whole number from 0 to 10"."""
    if get_origin(annotation) is Annotated:
        inner, *more = get_args(annotation)
        return expected(inner, [*metadata, *_flat(more)])
    words = next((extra.text for extra in metadata if isinstance(extra, Words)), None)
    if words is not None:
        return words
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin in _UNIONS:
        return " or ".join(expected(each, []) for each in arguments if each is not type(None))
    if origin is Literal:
        return listed([f"`{each}`" for each in arguments], last="or", limit=len(arguments))
    if origin is tuple:
        return _list_of(expected(arguments[0], []), metadata)
    if origin is dict:
        return f"a mapping from {expected(arguments[0], [])} to {expected(arguments[1], [])}"
    if annotation is bool:
        return "`true` or `false`"
    if annotation is int:
        return _number(metadata)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        known = [f"`{name}`" for name, field in annotation.model_fields.items() if not is_internal(field)]
        return f"a mapping with {listed(known, limit=len(known))}"
    return "text"


def _flat(extras: list[Any]) -> list[Any]:
    """What `Field(...)` inside `Annotated` holds, beside what stands there by itself."""
    return [one for extra in extras for one in (extra.metadata if isinstance(extra, FieldInfo) else (extra,))]


def _list_of(entries: str, metadata: list[Any]) -> str:
    least = next((extra.min_length for extra in metadata if hasattr(extra, "min_length")), 0)
    return f"a list{' with at least one entry' if least else ''}, each {entries}"


def _number(metadata: list[Any]) -> str:
    least = next((extra.ge for extra in metadata if hasattr(extra, "ge")), None)
    most = next((extra.le for extra in metadata if hasattr(extra, "le")), None)
    return "a whole number" if least is None else f"a whole number from {least:,} to {most:,}"
