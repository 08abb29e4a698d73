"""Shapes of arguments that several commands share. A word that is none of them is refused, never passed over."""

import re
from dataclasses import dataclass

from bot.domain.commands.spec import Said, Thread
from bot.domain.model.record import GateName
from bot.domain.model.refusals import Refusal
from bot.domain.model.text import code, sha12

#: Characters of a text that are taken (INTERFACE.md section 4).
TEXT_LIMIT = 4_000
#: Ends what was cut, so that whoever reads it looks for the rest where it was written.
CUT = " … (cut at 4,000 characters; the comment has all of it)"
HIGHEST_PRIORITY = 100
_REVISION = re.compile(r"[rR]([1-9][0-9]{0,5})")
_QUESTION = re.compile(r"[,:;]?\s*[qQ]([1-9][0-9]{0,5})(?=$|[\s.,:;!?])[\s.,:;!?]*")
_PRIORITY = re.compile(r"[0-9]{1,3}")
_NUMBER = re.compile(r"#?([1-9][0-9]{0,9})")
_SHA = re.compile(r"[0-9a-fA-F]{7,40}")
_WHOLE_SHA = re.compile(r"[0-9a-fA-F]{40}")
_SHORT_SHA = re.compile(r"(?=.*[0-9])[0-9a-fA-F]{4,6}")
_LEADING_REVISION = re.compile(r"[rR]([1-9][0-9]{0,5})(?=$|[\s.,:;!?])[\s.,:;!?]*")
_GATES: dict[str, GateName] = {"testing": "testing", "submit": "submit"}


@dataclass(frozen=True, slots=True)
class GateAndSha:
    gate: GateName | None = None
    sha: str | None = None


def revision(word: str) -> int | None:
    """`r2` or `R2` as 2."""
    match = _REVISION.fullmatch(word)
    return int(match[1]) if match else None


def number(word: str) -> int | None:
    """`#12` or `12` as 12."""
    match = _NUMBER.fullmatch(word)
    return int(match[1]) if match else None


def sha(word: str) -> str | None:
    """7 to 40 hex digits, in lower case."""
    return word.lower() if _SHA.fullmatch(word) else None


def whole_sha(word: str) -> str | None:
    """Exactly 40 hex digits, in lower case."""
    return word.lower() if _WHOLE_SHA.fullmatch(word) else None


def priority(word: str) -> int | None:
    """`0` to `100`."""
    return int(word) if _PRIORITY.fullmatch(word) and int(word) <= HIGHEST_PRIORITY else None


def gate_and_sha(words: tuple[str, ...]) -> GateAndSha | None:
    """`[testing or submit] [SHA]` and nothing else; None = something else is there."""
    gate = _GATES.get(words[0].lower()) if words else None
    rest = words[1:] if gate else words
    if not rest:
        return GateAndSha(gate)
    commit = sha(rest[0])
    return GateAndSha(gate, commit) if commit and len(rest) == 1 else None


def leading_revision(text: str) -> tuple[int | None, str]:
    """`r2 because …` as (2, "because …"); a text without one is left alone."""
    match = _LEADING_REVISION.match(text)
    return (int(match[1]), text[match.end() :]) if match else (None, text)


def leading_question(text: str) -> tuple[str | None, str]:
    """`Q2: in the vault` as ("q2", "in the vault"); a text without one is left alone."""
    match = _QUESTION.match(text)
    return (f"q{match[1]}", text[match.end() :]) if match else (None, text)


def reason(text: str) -> str | None:
    """Of a stop, which never fails for having too many words: what is too long is cut, and says so. None where nothing is
    said: a reason has a letter or a digit."""
    said = text.strip()
    kept = said if len(said) <= TEXT_LIMIT else said[: TEXT_LIMIT - len(CUT)].rstrip() + CUT
    return kept if any(char.isalnum() for char in kept.removesuffix(CUT)) else None


def too_long(said: Said, text: str, then: str) -> Refusal | None:
    """Of what is no stop: nothing is cut off silently, so nothing is done. `then`: what was not done."""
    length = len(text.strip())
    if length <= TEXT_LIMIT:
        return None
    return said.refusal(
        "bad_argument",
        f"Its text has {length:,} characters, and at most {TEXT_LIMIT:,} are kept, so {then}. "
        "An operator comments it again in fewer words, with a link to the rest.",
    )


def odd_words(said: Said) -> str:
    """What was written behind the verb, for "… and `not yet` is none"."""
    return code(" ".join(said.words), limit=60)


def sha_hint(words: tuple[str, ...]) -> str:
    """One more sentence where a word looks like a commit cut too short."""
    short = next((word for word in words if _SHORT_SHA.fullmatch(word)), None)
    return f"{code(short)} has {len(short)} digits; a commit is named by 7 to 40. " if short else ""


def head_words(thread: Thread) -> str:
    """The open gate and the present head as commands carry them: `testing 3f2a91c84e07`, or as much as is known."""
    record, gate = thread.record, thread.open_gate
    if record is None or gate is None:
        return ""
    return f"{gate} {sha12(record.head)}" if record.head else gate
