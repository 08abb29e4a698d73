"""Commands in our sentences as they are heard here: the long form where the policy does not hear the bare one."""

import re

from bot.domain.explain.offers import spelled
from bot.domain.model.policy import Policy
from bot.domain.model.refusals import Refusal

_COMMAND = re.compile(r"`/(?!signalbox\b)([a-z]+(?: [^`]*)?)`")


def respelled(text: str, policy: Policy) -> str:
    return _COMMAND.sub(lambda found: f"`{spelled(policy, found.group(1))}`", text)


def respell(refusal: Refusal, policy: Policy) -> Refusal:
    return refusal.model_copy(update={"message": respelled(refusal.message, policy)})
