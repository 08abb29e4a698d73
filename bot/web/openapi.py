"""The API's description, made from the table of routes, so that it cannot name a route that does not exist."""

import re
from collections.abc import Iterable
from typing import Any

from bot.web.access import Entry

_TYPED = re.compile(r"\{(\w+)(?::(\w+))?\}")


def describe(entries: Iterable[Entry]) -> dict[str, Any]:
    return {
        "openapi": "3.1.0",
        "info": {"title": "Signalbox", "version": "1"},
        "security": [{"token": []}],
        "paths": {_TYPED.sub(r"{\1}", entry.path): {"get": _operation(entry)} for entry in entries},
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": {"Error": _ERROR},
            "responses": {"Error": _answer("Why not", {"$ref": "#/components/schemas/Error"})},
        },
    }


def _operation(entry: Entry) -> dict[str, Any]:
    in_path = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "integer" if kind == "thread" else "string"}}
        for name, kind in _TYPED.findall(entry.path)
    ]
    in_query = [{"name": name, "in": "query", "schema": {"type": "string"}} for name in entry.parameters]
    failures = ("401", *(("404",) if in_path else ()), *(("422",) if in_query else ()), "503")
    return {
        "summary": entry.summary,
        "parameters": in_path + in_query,
        "responses": {
            "200": _answer(entry.summary, {"type": "object"}),
            **{status: {"$ref": "#/components/responses/Error"} for status in failures},
        },
    }


def _answer(description: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"description": description, "content": {"application/json": {"schema": schema}}}


_ERROR: dict[str, Any] = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message", "details"],
            "properties": {
                "code": {"type": "string"},
                "message": {"type": "string"},
                "details": {"type": "object"},
            },
        }
    },
}
