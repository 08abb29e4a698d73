"""What can be used in a thread here and now, and the answer to `/help`: both derived from the catalogue."""

from difflib import get_close_matches
from functools import lru_cache

from bot.domain.commands.catalogue import BY_NAME, COMMANDS
from bot.domain.commands.sentences import nothing_here
from bot.domain.commands.spec import CommandSpec, Offer, Thread
from bot.domain.lifecycle.people import holds
from bot.domain.model.facts import Level
from bot.domain.model.policy import Policy
from bot.domain.model.record import Record

#: Longer words are nobody's slip of the finger, and comparing them costs.
_LONGEST_SLIP = 24


def may_use(command: CommandSpec, level: Level | None, policy: Policy) -> bool:
    """Whether this permission can fill one of the command's roles. None = not asked yet, which hides nothing."""
    return level is None or not command.who or any(holds(level, role, policy) for role in command.who)


def help_text(thread: Thread, level: Level, policy: Policy, record: Record | None) -> str:
    """What somebody with this permission can do in the thread now, one line each."""
    here = Thread(thread.number, thread.is_pull, record)
    offers = _offers(here, level, policy)
    if not offers:
        return f"Nothing can be done here with {_permission(level)} now. {nothing_here(here, policy)}"
    lines = [f"- Use {_shown(offer, here, policy)}: {command.summary}." for command, offer in offers]
    return "\n".join([f"With {_permission(level)} you can do here, now:", *lines])


def here_now(thread: Thread, policy: Policy, level: Level | None) -> str:
    """The same in one sentence."""
    offers = _offers(thread, level, policy)
    if not offers:
        return nothing_here(thread, policy)
    return f"You can use here, now: {', '.join(_shown(offer, thread, policy) for _, offer in offers)}."


def one_letter_off(verb: str) -> str | None:
    """The command that this word misses by one letter added, dropped, changed or swapped with its neighbour."""
    return _slip_of(verb) if len(verb) <= _LONGEST_SLIP else None


def closest(verb: str) -> str | None:
    """The command that was probably meant, for somebody who certainly meant one."""
    if len(verb) > _LONGEST_SLIP:
        return None
    return one_letter_off(verb) or next(iter(get_close_matches(verb, BY_NAME, 1)), None)


@lru_cache(maxsize=1024)
def _slip_of(verb: str) -> str | None:
    return next((name for name in BY_NAME if _is_slip(verb, name)), None)


def _is_slip(word: str, name: str) -> bool:
    """Damerau-Levenshtein distance of exactly 1. Such words share their first or their last letter."""
    if abs(len(word) - len(name)) > 1 or (word[:1] != name[0] and word[-1:] != name[-1]) or word == name:
        return False
    start = next((i for i, (a, b) in enumerate(zip(word, name, strict=False)) if a != b), min(len(word), len(name)))
    rest, wanted = word[start:], name[start:]
    swapped = len(rest) > 1 and rest[1::-1] == wanted[:2] and rest[2:] == wanted[2:]
    return swapped or rest[1:] == wanted[1:] or rest[1:] == wanted or rest == wanted[1:]


def _offers(thread: Thread, level: Level | None, policy: Policy) -> list[tuple[CommandSpec, Offer]]:
    return [
        (command, offer)
        for command in COMMANDS
        if may_use(command, level, policy) and (offer := command.offer(thread)) is not None
    ]


def _shown(offer: Offer, thread: Thread, policy: Policy) -> str:
    return thread.typed(offer.words, policy) + offer.tail


def _permission(level: Level) -> str:
    return f"`{level}` on this repository"
