"""Log lines: one event each, named in the past tense, pretty for people or JSON for machines (UX.md section 9)."""

import json
import logging
import sys
import traceback
from collections.abc import Mapping, MutableMapping
from typing import Any, Literal, TextIO

import structlog

from bot.bootstrap.redaction import Redactor

Fields = MutableMapping[str, Any]
LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40}
#: Fields that come first in a JSON line, in this order.
FIRST = ("ts", "level", "event", "repository", "issue", "version", "delivery", "actor", "code", "took_ms", "msg")
_COLOURS = {"warning": "\x1b[33m", "error": "\x1b[31m"}
_RESET = "\x1b[0m"


class Logger:
    """The Log port. Level `exception` does not exist: pass `error=` the exception and it is rendered with its trace."""

    def __init__(self, level: str, form: Literal["pretty", "json"], redactor: Redactor, out: TextIO) -> None:
        self._redactor = redactor
        render = as_json if form == "json" else Pretty(colours=out.isatty())
        self._log = structlog.wrap_logger(
            structlog.PrintLogger(out),
            processors=[self._stamp, self._redact, render],
            wrapper_class=structlog.make_filtering_bound_logger(LEVELS[level]),
        )

    def __call__(self, level: str, event: str, **fields: object) -> None:
        self._log.log(LEVELS[level], event, **fields)

    @staticmethod
    def _stamp(_log: Any, method: str, fields: Fields) -> Fields:
        error = fields.get("error")
        if isinstance(error, BaseException):
            fields["error"] = type(error).__name__
            fields["trace"] = "".join(traceback.format_exception(error))
        return structlog.processors.TimeStamper(fmt="iso", utc=True, key="ts")(
            _log, method, {**fields, "level": method}
        )

    def _redact(self, _log: Any, _method: str, fields: Fields) -> Fields:
        return {key: self._redactor.value(value) for key, value in fields.items() if value is not None}


def as_json(_log: Any, _method: str, fields: Fields) -> str:
    ordered = {key: fields[key] for key in FIRST if key in fields}
    return json.dumps({**ordered, **fields}, ensure_ascii=False, separators=(",", ":"))


class Pretty:
    """`14:02:11 merge_requested  octo/app#12 3f2a91c  reservation=r-39 took=212ms`"""

    def __init__(self, *, colours: bool) -> None:
        self._colours = colours

    def __call__(self, _log: Any, _method: str, fields: Fields) -> str:
        rest = dict(fields)
        time, level, event = rest.pop("ts")[11:19], rest.pop("level"), rest.pop("event")
        trace = rest.pop("trace", None)
        parts = [f"{time} {self._event(level, event)}", _subject(rest), _pairs(rest)]
        line = "  ".join(part for part in parts if part)
        return f"{line}\n{trace.rstrip()}" if trace else line

    def _event(self, level: str, event: str) -> str:
        words = event if level in {"info", "debug"} else f"{level}: {event}"
        return f"{_COLOURS[level]}{words}{_RESET}" if self._colours and level in _COLOURS else words


def _subject(rest: dict[str, Any]) -> str:
    repository, issue, head = rest.pop("repository", None), rest.pop("issue", None), rest.pop("head", None)
    thread = f"{repository or ''}#{issue}" if issue is not None else repository
    return " ".join(str(part) for part in (thread, head and str(head)[:7]) if part)


def _pairs(rest: Mapping[str, Any]) -> str:
    took = {"took": f"{rest['took_ms']}ms"} if "took_ms" in rest else {}
    pairs = {key: value for key, value in rest.items() if key != "took_ms"} | took
    return " ".join(f"{key}={_value(value)}" for key, value in pairs.items())


def _value(value: object) -> str:
    text = str(value)
    return json.dumps(text, ensure_ascii=False) if any(c.isspace() for c in text) or not text else text


class Bridge(logging.Handler):
    """Lines of libraries, as events named `library_logged`: the same form, the same redaction."""

    def __init__(self, log: Logger) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        level = "error" if record.levelno >= logging.ERROR else "warning"
        error = record.exc_info[1] if record.exc_info else None
        self._log(level, "library_logged", logger=record.name, msg=record.getMessage(), error=error)


def configure(
    level: str, form: Literal["pretty", "json"] | None, redactor: Redactor, out: TextIO | None = None
) -> Logger:
    """The process' log, on stderr; libraries' warnings go the same way. `form` None: pretty on a terminal, else JSON."""
    out = out or sys.stderr
    log = Logger(level, form or ("pretty" if out.isatty() else "json"), redactor, out)
    root = logging.getLogger()
    root.handlers[:] = [Bridge(log)]
    root.setLevel(logging.WARNING)
    return log
