"""From what is written to a policy: the preset, overridden key by key; or every finding that keeps it from being one.

Pydantic judges types and ranges; the sentences are ours, at the place where the wrong thing stands.
"""

import json
from collections.abc import Collection, Iterator
from difflib import get_close_matches
from typing import Any, NamedTuple

from pydantic import ValidationError

from bot.domain.model.policy import Policy
from bot.domain.model.text import code, listed
from bot.domain.model.written import Finding, Path, Written, spelled
from bot.domain.policy.keys import INTERNAL, NOT_AT_PLAN, as_data, expected, field_at, names_at
from bot.domain.policy.laxer import laxer
from bot.domain.policy.presets import PRESETS
from bot.domain.policy.rest import unclear, without
from bot.domain.policy.surprises import Surprise, surprises
from bot.domain.policy.undelivered import idle

#: More findings than this help nobody, and GitHub takes 50 annotations at a time.
MOST_FINDINGS = 50
NAMES = ("custom_roles", "teams", "users", "apps")
_MOST_NAMED = 8
_WEIGHT = {"error": 0, "notice": 1, "warning": 2}


class Read(NamedTuple):
    """`policy` is None when one of the findings is an error."""

    policy: Policy | None
    findings: tuple[Finding, ...]


def read_policy(written: Written, verbs: Collection[str] | None = None) -> Read:
    """What the file says, without the commit that it belongs to. `verbs`: the commands that exist, where they are known."""
    if written.value is None:
        nothing = written.finding("error", (), "the file is empty; without rules of its own a repository has no file")
        return Read(None, written.troubles or (nothing,))
    if not isinstance(written.value, dict):
        return Read(None, (*written.troubles, written.finding("error", (), "the file is a mapping of keys to values")))
    checked = _checked(written)
    findings = [*written.troubles, *checked.findings]
    if checked.rest is not None:
        looked = (*surprises(checked.rest, written), *_no_commands(checked.rest, verbs))
        findings += [written.finding(*each) for each in looked if not unclear(each.path, checked.wrong)]
    policy = checked.rest if not any(one.level == "error" for one in findings) else None
    if policy is not None:
        findings += [written.finding("notice", *each) for each in _of_a_good_file(policy, written)]
    # Warnings are left out first; what keeps the file from being used, and what is laxer, is said.
    weightiest = sorted(findings, key=lambda one: _WEIGHT[one.level])[:MOST_FINDINGS]
    ordered = tuple(sorted(weightiest, key=lambda one: (one.line, one.column)))
    return Read(policy, ordered)


def _of_a_good_file(policy: Policy, written: Written) -> Iterator[tuple[Path, str]]:
    for each in laxer(policy, PRESETS[policy.preset]):
        yield each.path, f"laxer than preset {policy.preset}: {each.why}"
    # Behind what is laxer: of too many findings the last are left out.
    yield from idle(policy, written)


class _Checked(NamedTuple):
    """`rest`: what is said by the parts that are not `wrong`; None where that cannot be told."""

    rest: Policy | None
    wrong: tuple[Path, ...]
    findings: list[Finding]


def _checked(written: Written) -> _Checked:
    told = dict.fromkeys(_empty(written.value, ()), "nothing stands behind this key")
    said = {*map(spelled, told), *(one.path for one in written.troubles)}
    policy = _validated(written.value)
    if isinstance(policy, ValidationError):
        found = dict(_wrong(policy, written, said))
    else:
        found = {path: _unknown(path) for path in (*NOT_AT_PLAN, *INTERNAL) if written.has(path)}
    told |= found
    # Whoever corrects one line shall not learn of the next one only then.
    rest = _validated(without(written.value, told)) if told else policy
    findings = [written.finding("error", path, message) for path, message in told.items()]
    return _Checked(None if isinstance(rest, ValidationError) else rest, tuple(told), findings)


def _validated(value: dict[str, Any]) -> Policy | ValidationError:
    named = value.get("preset")
    preset = PRESETS.get(named, PRESETS["strict"]) if isinstance(named, str) else PRESETS["strict"]
    try:
        return Policy.model_validate_json(json.dumps(_over(as_data(preset), _roles_by_name(value))), strict=True)
    except ValidationError as invalid:
        return invalid


def _over(base: dict[str, Any], written: dict[str, Any]) -> dict[str, Any]:
    """Mappings are merged, everything else is replaced."""
    whole = dict(base)
    for key, value in written.items():
        before = whole.get(key)
        whole[key] = _over(before, value) if isinstance(before, dict) and isinstance(value, dict) else value
    return whole


def _roles_by_name(written: dict[str, Any]) -> dict[str, Any]:
    """A role that names somebody and no permission is held by those named alone: the preset's permission would let in
    everybody who has it, whom the file does not speak of."""
    roles = written.get("roles")
    if not isinstance(roles, dict):
        return written
    closed = {
        name: {"permission": None, **rule}
        if isinstance(rule, dict) and "permission" not in rule and any(key in rule for key in NAMES)
        else rule
        for name, rule in roles.items()
    }
    return written | {"roles": closed}


def _empty(value: Any, path: Path) -> Iterator[Path]:
    match value:
        case None:
            yield path
        case dict():
            for key, inner in value.items():
                yield from _empty(inner, (*path, key))
        case list():
            for index, inner in enumerate(value):
                yield from _empty(inner, (*path, index))


def _wrong(invalid: ValidationError, written: Written, said: set[str]) -> Iterator[tuple[Path, str]]:
    """One finding a place: alternatives of a type report the same place each, and what is around it."""
    places: dict[Path, str] = {}
    for error in invalid.errors(include_url=False, include_input=False, include_context=False):
        path = _path(error["loc"], written.value)
        if error["type"] == "missing":
            places.setdefault(path, f"`{error['loc'][-1]}` is missing")
        elif error["type"] == "extra_forbidden":
            places[path] = _unknown(path)
        else:
            places.setdefault(path, _misfit(path, written.value))
    for path, message in places.items():
        around = any(other[: len(path)] == path and other != path for other in places)
        if not around and spelled(path) not in said:
            yield path, message


def _path(loc: tuple[str | int, ...], value: Any) -> Path:
    """Pydantic names the alternative that it tried as well; only what is in the file is followed."""
    path: Path = ()
    for part in loc:
        if part in _parts(value):
            value = value[part]
            path = (*path, part)
    return path


def _parts(value: Any) -> Collection[str | int]:
    return value.keys() if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()


def _unknown(path: Path) -> str:
    name, known = str(path[-1]), names_at(path[:-1])
    near = get_close_matches(name.lower().replace("-", "_"), known, 1)
    said = f"there is no key {code(name, limit=64)}"
    *around, inner = name.split(".")
    if around and field_at((*path[:-1], *around, inner)):
        return f"{said}; write `{inner}` below `{'`, below `'.join(reversed(around))}`"
    if near:
        return f"{said}; did you mean `{near[0]}`?"
    if len(known) > _MOST_NAMED or not known:
        return said
    return f"{said}; {listed([f'`{one}`' for one in known], 'or', _MOST_NAMED)} can stand here"


def _misfit(path: Path, value: Any) -> str:
    for part in path:
        value = value[part]
    known = field_at(path)
    wanted = expected(*known) if known else "something else"
    return f"this is {_shown(value)}, and it must be {wanted}"


def _shown(value: Any) -> str:
    match value:
        case dict():
            return "a mapping"
        case list():
            return "a list"
        case bool():
            return f"`{str(value).lower()}`"
        case int() | float():
            return f"the number `{value}`"
        case str() if not value.strip():
            return "text without a word in it"
        case _:
            return f"the text {code(str(value), limit=60)}"


def _no_commands(policy: Policy, verbs: Collection[str] | None) -> Iterator[Surprise]:
    bare = policy.commands.bare
    if verbs is None or isinstance(bare, bool):
        return
    for index, verb in enumerate(bare):
        if verb.lower().lstrip("/") not in verbs:
            yield Surprise("warning", ("commands", "bare", index), f"there is no command {code(verb)}")
