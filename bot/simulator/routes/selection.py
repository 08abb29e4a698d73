"""Just enough GraphQL: a document read into fields with arguments, and a value shaped by what was asked for."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_TOKEN = re.compile(r'\s*(?:#[^\n]*\n\s*)*("(?:[^"\\]|\\.)*"|\.\.\.|[A-Za-z_]\w*|-?\d+|[{}()\[\]:$!=,@])')


class GraphqlError(Exception):
    """GraphQL's own no: answered 200 with `errors`."""

    def __init__(self, message: str, type: str = "INVALID") -> None:
        super().__init__(message)
        self.type = type


@dataclass(frozen=True, slots=True)
class Field:
    """`on` is the type of the inline fragment it stands in, if it does."""

    alias: str
    name: str
    arguments: Mapping[str, Any]
    fields: tuple["Field", ...]
    on: str | None = None


class Document:
    """`kind` is query or mutation; `fields` the top selection with variables filled in."""

    def __init__(self, text: str, variables: Mapping[str, Any]) -> None:
        self._tokens = _TOKEN.findall(text)
        self._at = 0
        self._variables = variables
        self.kind = "query" if self._peek() == "{" else self._next()
        while self._peek() != "{":
            self._next()
        self.fields = self._selection(None)

    def _peek(self) -> str:
        if self._at >= len(self._tokens):
            raise GraphqlError("Parse error: unexpected end of file")
        token: str = self._tokens[self._at]
        return token

    def _next(self) -> str:
        token = self._peek()
        self._at += 1
        return token

    def _takes(self, token: str) -> bool:
        if self._at < len(self._tokens) and self._tokens[self._at] == token:
            self._at += 1
            return True
        return False

    def _selection(self, on: str | None) -> tuple[Field, ...]:
        found: list[Field] = []
        self._next()
        while not self._takes("}"):
            if self._takes("..."):
                if self._next() != "on":
                    raise GraphqlError("the simulator knows inline fragments only")
                found.extend(self._selection(self._next()))
            else:
                found.append(self._field(on))
        return tuple(found)

    def _field(self, on: str | None) -> Field:
        name = alias = self._next()
        if self._takes(":"):
            name = self._next()
        arguments: dict[str, Any] = {}
        if self._takes("("):
            while not self._takes(")"):
                key = self._next()
                self._next()
                arguments[key] = self._value()
                self._takes(",")
        fields = self._selection(None) if self._at < len(self._tokens) and self._peek() == "{" else ()
        self._takes(",")
        return Field(alias, name, arguments, fields, on)

    def _value(self) -> Any:
        first = self._next()
        if first == "$":
            return self._variables.get(self._next())
        if first == "{":
            made: dict[str, Any] = {}
            while not self._takes("}"):
                key = self._next()
                self._next()
                made[key] = self._value()
                self._takes(",")
            return made
        if first == "[":
            items: list[Any] = []
            while not self._takes("]"):
                items.append(self._value())
                self._takes(",")
            return items
        return _literal(first)


def _literal(token: str) -> Any:
    if token in ("true", "false", "null") or token[0] in '"-0123456789':
        return json.loads(token)
    return token


def shaped(value: Any, fields: tuple[Field, ...]) -> Any:
    """Pick from nested dictionaries what was asked; a callable value gets the field's arguments."""
    if value is None or not fields:
        return value
    if isinstance(value, list):
        return [shaped(one, fields) for one in value]
    picked: dict[str, Any] = {}
    for field in fields:
        if field.on is not None and field.on not in (value["__typename"], *value.get("__interfaces", ())):
            continue
        if field.name not in value:
            raise GraphqlError(f"Field '{field.name}' doesn't exist on type '{value['__typename']}'", "undefinedField")
        inner = value[field.name]
        picked[field.alias] = shaped(inner(field.arguments) if callable(inner) else inner, field.fields)
    return picked
