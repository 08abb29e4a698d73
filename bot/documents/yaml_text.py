"""Our part of YAML: mappings, lists, text, whole numbers, fractions, true and false, with the line of each.

Nothing that one reader of YAML takes for something else than another: no `yes` or `off`, no octal numbers, no dates, no
keys twice. Nothing that grows: no anchors, aliases or tags, and limits for size, depth and number of parts. PyYAML only
scans; what its loaders would build is never built.
"""

import re
from collections.abc import Iterator
from typing import Any

import yaml

from bot.domain.model.text import code, visible
from bot.domain.model.written import Finding, Path, Place, Written, spelled

MOST_BYTES = 16_384
MOST_DEPTH = 10
MOST_PARTS = 1_000
_TOO_DEEP = f"this is nested more than {MOST_DEPTH} levels deep"
#: More digits are no number that any key takes.
_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]{0,17})")
_FRACTION = re.compile(r"-?(?:0|[1-9][0-9]{0,17})\.[0-9]{1,9}")
#: The scanner looks 1,024 characters ahead for a colon and remembers every bracket on the way: many open ones would keep it
#: busy before depth is counted. No text has so many of them open, in quotes or not.
_MOST_OPEN = 40
_TRUTH = {"true": True, "false": False}
_NOTHING = frozenset({"", "~", "null"})
_SAYS_YES = {"yes": True, "on": True, "y": True, "no": False, "off": False, "n": False}
_OTHER_NUMBER = re.compile(
    r"[-+]?(?:0[0-9_]+|0[xob][0-9a-fA-F_]+|[0-9][0-9_]*(?::[0-5]?[0-9])+|[0-9][0-9_]*_[0-9_]*|\+[0-9].*"
    r"|(?:[0-9][0-9_]*)?\.?[0-9_]*[eE][-+]?[0-9]+|[0-9]+\.|\.[0-9]+|\.(?:inf|nan)|\+?[0-9]+)",
    re.IGNORECASE,
)
#: No number or date is longer, and the patterns are never asked about more.
_LONGEST_WORD = 60
_DATE = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt ].*)?")


class _Unreadable(Exception):
    """Reading stops here."""

    def __init__(self, place: Place, message: str) -> None:
        super().__init__(message)
        self.place = place
        self.message = message


def read(raw: bytes) -> Written:
    """The data, or no data and why."""
    builder = _Builder()
    try:
        value = builder.document(_text(raw))
    except _Unreadable as stop:
        stopped = _error(stop.place, (), stop.message)
        return Written(None, {}, (*builder.troubles, stopped))
    return Written(value, builder.places, tuple(builder.troubles))


def _error(place: Place, path: Path, message: str) -> Finding:
    return Finding(level="error", line=place.line, column=place.column, path=spelled(path), message=message)


def _text(raw: bytes) -> str:
    if len(raw) > MOST_BYTES:
        raise _Unreadable(Place(1, 1), f"the file has {len(raw):,} bytes; at most {MOST_BYTES:,} are read")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as broken:
        line = raw.count(b"\n", 0, broken.start) + 1
        raise _Unreadable(Place(line, 1), "this is no UTF-8 text") from None
    opened = 0
    for found in re.finditer(r"[\[{\]}]", text):
        opened = max(0, opened + (1 if found[0] in "[{" else -1))
        if opened > _MOST_OPEN:
            raise _Unreadable(Place(text.count("\n", 0, found.start()) + 1, 1), _TOO_DEEP)
    return text


class _Builder:
    """One document from the scanner's events."""

    def __init__(self) -> None:
        self.places: dict[Path, Place] = {}
        self.troubles: list[Finding] = []
        self._events: Iterator[Any] = iter(())
        self._parts = 0

    def document(self, text: str) -> Any:
        try:
            self._events = self._scanned(text)
            return self._only_document()
        except yaml.MarkedYAMLError as broken:
            raise _Unreadable(_place(broken.problem_mark or broken.context_mark), _said(broken)) from None
        except yaml.reader.ReaderError as broken:
            line = text.count("\n", 0, broken.position) + 1
            raise _Unreadable(Place(line, 1), "a character here cannot stand in a text file") from None

    def _scanned(self, text: str) -> Iterator[Any]:
        """PyYAML lets through what Python says of a character or a number that it has none for."""
        last = Place(1, 1)
        try:
            for event in yaml.parse(text, Loader=yaml.SafeLoader):
                yield event
                last = _place(event.end_mark)
        except (ValueError, OverflowError):
            raise _Unreadable(last, "what follows here can be read by nobody") from None

    def _only_document(self) -> Any:
        value: Any = None
        documents = 0
        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise _Unreadable(_place(event.start_mark), "a second document begins here; a file has one")
            elif isinstance(event, yaml.NodeEvent):
                value = self._value(event, ())
        return value

    def _value(self, event: Any, path: Path) -> Any:
        self._count(event, path)
        match event:
            case yaml.MappingStartEvent():
                return self._mapping(path)
            case yaml.SequenceStartEvent():
                return self._list(path)
            case _:
                return self._scalar(event, path)

    def _count(self, event: Any, path: Path) -> None:
        self._parts += 1
        place = _place(event.start_mark)
        if self._parts > MOST_PARTS:
            raise _Unreadable(place, f"the file has more than {MOST_PARTS:,} parts")
        if len(path) > MOST_DEPTH:
            raise _Unreadable(place, _TOO_DEEP)
        if event.anchor is not None:
            raise _Unreadable(place, "anchors (`&`) and aliases (`*`) are not read: write the value out")
        if getattr(event, "tag", None) is not None:
            raise _Unreadable(place, "tags (`!`) are not read: write the value without it")

    def _mapping(self, path: Path) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            place = _place(event.start_mark)
            if not isinstance(event, yaml.ScalarEvent):
                raise _Unreadable(place, "a key is one word here, not a list or a mapping")
            self._count(event, path)
            key = visible(event.value)
            inner = (*path, key)
            if key in found:
                first = self.places[inner].line
                self.troubles.append(
                    _error(place, inner, f"{code(key, limit=64)} stands here a second time, first on line {first}")
                )
                self._value(next(self._events), inner)
                continue
            self.places[inner] = place
            found[key] = self._value(next(self._events), inner)
        return found

    def _list(self, path: Path) -> list[Any]:
        found: list[Any] = []
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            inner = (*path, len(found))
            self.places[inner] = _place(event.start_mark)
            found.append(self._value(event, inner))
        return found

    def _scalar(self, event: Any, path: Path) -> Any:
        text: str = event.value
        if any(visible(line) != line for line in text.split("\n")):
            self.troubles.append(_error(_place(event.start_mark), path, "there are invisible characters in this text"))
            return ""
        if event.style is not None:
            return text
        ambiguous = _ambiguous(text)
        if ambiguous is not None:
            self.troubles.append(_error(_place(event.start_mark), path, ambiguous))
            return text
        return _plain(text)


def _plain(text: str) -> Any:
    lowered = text.lower()
    if lowered in _NOTHING:
        return None
    if lowered in _TRUTH:
        return _TRUTH[lowered]
    if _WHOLE.fullmatch(text):
        return int(text)
    return float(text) if _FRACTION.fullmatch(text) else text


def _ambiguous(text: str) -> str | None:
    """What other readers of YAML would make of this word, and what to write."""
    says = _SAYS_YES.get(text.lower())
    if says is not None:
        meant = "true" if says else "false"
        return f"`{text}` is {meant} to some readers of YAML and a word to others: write {meant}, or the word in quotes"
    if len(text) > _LONGEST_WORD:
        return None
    if _DATE.fullmatch(text):
        return f"{code(text)} is a date to some readers of YAML: write it in quotes"
    if _OTHER_NUMBER.fullmatch(text) and not (_WHOLE.fullmatch(text) or _FRACTION.fullmatch(text)):
        return f"{code(text, limit=40)} is another number to different readers of YAML: write plain digits, or the text in quotes"
    return None


def _place(mark: Any) -> Place:
    return Place(1, 1) if mark is None else Place(mark.line + 1, mark.column + 1)


def _said(broken: yaml.MarkedYAMLError) -> str:
    problem = visible(broken.problem or "it cannot be read")
    if "'\\t'" in problem:
        return "this is no YAML: a tab cannot indent, only spaces can"
    return f"this is no YAML: {problem}"
