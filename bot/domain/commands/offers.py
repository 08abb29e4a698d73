"""What can be used in a thread here and now, and the answer to `/help`: both derived from the catalogue."""

from difflib import get_close_matches
from functools import lru_cache

from bot.domain.commands.catalogue import BY_NAME, COMMANDS
from bot.domain.commands.replying import MOST_LINES
from bot.domain.commands.sentences import nothing_here
from bot.domain.commands.spec import CommandSpec, Offer, Thread
from bot.domain.explain.offers import unable
from bot.domain.lifecycle.roles import Able
from bot.domain.model.facts import Level
from bot.domain.model.policy import Policy

#: Longer words are nobody's slip of the finger, and comparing them costs.
_LONGEST_SLIP = 24
#: Commands that fill a seat of the open gate, and its kind.
_SEATS = {"approve": "review", "gate": "operator"}


def may_use(command: CommandSpec, able: Able | None, policy: Policy) -> bool:
    """Whether somebody holds one of the command's roles. None = not asked yet, which hides nothing."""
    roles = command.allowed(policy)
    if roles is None:
        return False
    return able is None or not roles or not able.roles.isdisjoint(roles)


def help_text(thread: Thread, able: Able, policy: Policy, person: int | None = None) -> str:
    """What this person (numeric id) can do in the thread now, in six lines at most."""
    offers = _offers(thread, able, policy, person)
    if not offers:
        return f"Nothing can be done here with {_permission(able.level)} now. {nothing_here(thread, policy)}"
    heading = f"With {_permission(able.level)} you can do here, now:"
    lines = [_line(*each, thread, policy) for each in offers]
    if len(lines) >= MOST_LINES:
        lines = _grouped(offers, thread, policy)
    return "\n".join([heading, *lines])


def here_now(thread: Thread, policy: Policy, able: Able | None, person: int | None = None) -> str:
    """What is used most, in one sentence."""
    offers = _offers(thread, able, policy, person)
    if not offers:
        return nothing_here(thread, policy)
    words = _listed([each for each in offers if not each[0].rare], thread, policy)
    if able is None:
        return f"Of use here, now, to whoever holds the role (yours were not looked up; `/help` does): {words}."
    return f"You can use here, now: {words}."


def one_letter_off(verb: str) -> str | None:
    """The command that this word misses by one letter added, dropped, changed or swapped with its neighbour."""
    size = len(verb)
    return _slip_of(verb) if (verb[:1], size) in _ENDS or (size, verb[-1:]) in _ENDS else None


def closest(verb: str) -> str | None:
    """The command that was probably meant, for somebody who certainly meant one."""
    if len(verb) > _LONGEST_SLIP:
        return None
    return one_letter_off(verb) or next(iter(get_close_matches(verb, BY_NAME, 1)), None)


@lru_cache(maxsize=1024)
def _slip_of(verb: str) -> str | None:
    near = {name for variant in _variants(verb) for name in _BY_VARIANT.get(variant, ())}
    return next((name for name in BY_NAME if name in near and _is_slip(verb, name)), None) if near else None


def _variants(word: str) -> tuple[str, ...]:
    """The word, and the word without each of its letters. Words one slip apart share one of these, so that most words are
    told apart from all commands without looking at any."""
    return (word, *(word[:i] + word[i + 1 :] for i in range(len(word))))


def _is_slip(word: str, name: str) -> bool:
    """Damerau-Levenshtein distance of exactly 1. Such words share their first or their last letter."""
    if abs(len(word) - len(name)) > 1 or (word[:1] != name[0] and word[-1:] != name[-1]) or word == name:
        return False
    start = next((i for i, (a, b) in enumerate(zip(word, name, strict=False)) if a != b), min(len(word), len(name)))
    rest, wanted = word[start:], name[start:]
    swapped = len(rest) > 1 and rest[1::-1] == wanted[:2] and rest[2:] == wanted[2:]
    return swapped or rest[1:] == wanted[1:] or rest[1:] == wanted or rest == wanted[1:]


def _offers(thread: Thread, able: Able | None, policy: Policy, person: int | None) -> list[tuple[CommandSpec, Offer]]:
    return [
        (command, offer)
        for command in COMMANDS
        if may_use(command, able, policy)
        and (offer := command.offer(thread)) is not None
        and not _fills_no_seat(command, thread, policy, person)
        and _is_for(offer, person, able)
    ]


def _fills_no_seat(command: CommandSpec, thread: Thread, policy: Policy, person: int | None) -> bool:
    """Separation of duties would refuse it, or it is given already, so it is not offered."""
    seat, gate, record = _SEATS.get(command.name), thread.open_gate, thread.record
    if seat is None or gate is None or record is None or person is None:
        return False
    return person in unable(record, policy, gate, seat)


def _is_for(offer: Offer, person: int | None, able: Able | None) -> bool:
    """Whoever is not known yet is hidden nothing."""
    if offer.owners is None or person is None or person in offer.owners:
        return True
    return offer.others is not None and (able is None or offer.others in able.roles)


def _grouped(offers: list[tuple[CommandSpec, Offer]], thread: Thread, policy: Policy) -> list[str]:
    """The first steps one line each; stops together, and the rest together."""
    steps = [each for each in offers if each[0].group == "step"]
    stops = [each for each in offers if each[0].group == "stop"]
    room = MOST_LINES - 1 - bool(stops) - 1
    rest = [*steps[room:], *(each for each in offers if each[0].group == "other")]
    lines = [_line(*each, thread, policy) for each in steps[:room]]
    if stops:
        lines.append(f"- To stop it or send it back, use {_listed(stops, thread, policy)}.")
    return [*lines, f"- There is also {_listed(rest, thread, policy)}."]


def _line(command: CommandSpec, offer: Offer, thread: Thread, policy: Policy) -> str:
    return f"- Use {_shown(offer, thread, policy)}: {command.summary}."


def _listed(offers: list[tuple[CommandSpec, Offer]], thread: Thread, policy: Policy) -> str:
    return ", ".join(_shown(offer, thread, policy) for _, offer in offers)


def _shown(offer: Offer, thread: Thread, policy: Policy) -> str:
    return thread.typed(offer.words, policy) + offer.tail


def _permission(level: Level) -> str:
    return f"`{level}` on this repository"


def _by_variant() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in BY_NAME:
        for variant in _variants(name):
            found.setdefault(variant, []).append(name)
    return found


_BY_VARIANT = _by_variant()
#: The first letter and the last one of a command, each with the lengths of its slips: every slip has one of them.
_ENDS = frozenset(
    end
    for name in BY_NAME
    for size in (len(name) - 1, len(name), len(name) + 1)
    for end in ((name[0], size), (size, name[-1]))
)
