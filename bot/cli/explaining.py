"""The explain tree at a terminal: each need, what to type for it on GitHub, and what an operator can type here instead."""

import re
from collections.abc import Iterator
from typing import Any

from bot.app.browse import Name
from bot.cli.screen import words
from bot.domain.explain.tree import sentence
from bot.domain.model.explain import Reason

MARKS = {"ok": "✔", "waiting": "◌", "failed": "✘", "later": "·"}
#: Commands of GitHub that `signalbox` has too, with what stands in the place of words that only a person knows.
HERE = {
    "settle merged": " SHA (the merge commit on the base, 40 hex digits)",
    "settle unmerged": " WHY",
    "resume": "",
    "retry": "",
}
#: From when a command counts.
_NOT_BEFORE = re.compile(r"from [^`]* UTC on\b")
_COMMAND = re.compile(r"/(?:signalbox )?((settle merged|settle unmerged|resume|retry)(?: [a-z]+)?)")


def tree(reasons: list[dict[str, Any]], indent: str, name: Name) -> Iterator[str]:
    for reason in reasons:
        yield f"{indent}{MARKS[reason['state']]} {words(sentence(Reason.model_validate(reason)))}"
        if reason["state"] != "ok":
            yield from (f"{indent}  {line}" for line in _to_type(reason, name))
        yield from tree(reason["children"], indent + "  ", name)


def _to_type(reason: dict[str, Any], name: Name) -> Iterator[str]:
    """The command alone where that says it all; half a command never: then the words that say what belongs behind it."""
    command, how = (reason["command"] or "").strip(), reason["how"]
    if command and how in {"", f"comment `{command}`"}:
        yield command
    elif (how and reason["who_could"]) or command:
        yield words(how)
    not_before = _NOT_BEFORE.match(how)
    here = f"or here, {not_before[0]}:" if not_before else "or here:"
    for found in _COMMAND.finditer(words(how) if how else command):
        whole, verb = found.groups()
        yield f"{here} signalbox {_here(whole, verb, name)}"


def _here(whole: str, verb: str, name: Name) -> str:
    program, *rest = (verb if verb.startswith("settle") else whole).split(" ")
    return " ".join((program, f"{name.repository}#{name.issue}", *rest)) + HERE[verb]
