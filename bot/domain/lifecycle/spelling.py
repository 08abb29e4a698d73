"""Commands in our sentences as they are heard here: the long form where the policy does not hear the bare one."""

import re
from dataclasses import replace

from bot.domain.explain.offers import spelled
from bot.domain.lifecycle.results import Advance, Ignore, Result
from bot.domain.model.effects import CreateComment, Effect
from bot.domain.model.policy import Policy
from bot.domain.model.refusals import Refusal

_COMMAND = re.compile(r"`/(?!signalbox\b)([a-z]+(?: [^`]*)?)`")


def respelled(text: str, policy: Policy) -> str:
    return _COMMAND.sub(lambda found: f"`{spelled(policy, found.group(1))}`", text)


def respelled_effect(effect: Effect, policy: Policy) -> Effect:
    """A comment that is written once."""
    write = effect.write
    if not isinstance(write, CreateComment):
        return effect
    return effect.model_copy(update={"write": write.model_copy(update={"body": respelled(write.body, policy)})})


def respelled_result(result: Result, policy: Policy) -> Result:
    """With every comment that is planned."""
    if not isinstance(result, Advance | Ignore):
        return result
    return replace(result, effects=tuple(respelled_effect(effect, policy) for effect in result.effects))


def respell(refusal: Refusal, policy: Policy) -> Refusal:
    return refusal.model_copy(update={"message": respelled(refusal.message, policy)})
