"""Each repository's rules on its default branch, as far as they keep people or us from working."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.app.doctor.finding import Finding, ok, problem, some, warning
from bot.domain.model import needs
from bot.domain.model.facts import BaseRules
from bot.domain.model.questions import RulesOf
from bot.ports.failures import ForgeFailure
from bot.ports.forge import Forge
from bot.ports.survey import Governed

#: What our check is called on GitHub.
CHECK_NAME = "signalbox"
#: Each costs some requests: of an App that is installed on more, the first are looked at.
MOST = 25
_ADMINISTRATION = next(need for need in needs.OPTIONAL if need.permission == "administration")


@dataclass(frozen=True, slots=True)
class Rules:
    forge: Forge

    async def findings(self, found: Sequence[Governed]) -> list[Finding]:
        looked, left = found[:MOST], len(found) - MOST
        names = [one.repo.full_name for one in looked]
        troubles = [finding for one in looked for finding in await self._of(one)]
        found_ = list(troubles)
        if names and not troubles:
            found_.append(ok("rules", f"{some(names)} can be merged into"))
        return [*found_, ok("rules", f"{left} more repositories were not looked at")] if left > 0 else found_

    async def _of(self, one: Governed) -> list[Finding]:
        name = one.repo.full_name
        if one.archived:
            why = "it can only be read; its records stand still."
            return [warning("rules", f"{name} is archived", why, "take the App off it, or unarchive it.")]
        try:
            rules = (await self.forge.read(one.repo, RulesOf(one.default_branch))).value
        except ForgeFailure as failure:
            what = f"the rules of {name} cannot be read: {failure.for_operator()}"
            return [warning("rules", what, "nothing merges there while that is so.", "run this again later.")]
        return list(self._judged(f"{one.default_branch} of {name}", rules))

    def _judged(self, base: str, rules: BaseRules) -> Iterator[Finding]:
        if rules.merge_queue:
            why = "Signalbox merges by itself, so nothing is merged there."
            yield problem("rules", f"{base} requires a merge queue", why, "turn the queue off for branches it governs.")
        if rules.bypass:
            why = "nothing may pass the rules, so nothing is merged there."
            what = f"this App may pass the rules of {base}"
            yield problem("rules", what, why, "take it off the bypass list of the ruleset or of the branch protection.")
        if rules.bypass is None:
            why = "nothing merges there while that is so."
            what = f"whether a ruleset lets this App pass the rules of {base} cannot be read"
            yield problem(
                "rules", what, why, "run this again later; if it stays, the App may lack access to the ruleset."
            )
        if rules.classic_unread:
            what = f"who may pass the classic protection of {base} cannot be read"
            why = "if this App is on that list, a rule you rely on does not hold for its merges."
            do = f'grant "{_ADMINISTRATION.title}: {_ADMINISTRATION.level}", or see that the App is not on the list.'
            yield warning("rules", what, why, do)
        yield from _required(base, rules)


def _required(base: str, rules: BaseRules) -> Iterator[Finding]:
    if CHECK_NAME not in {check.name for check in rules.required}:
        why = "people can merge there by hand past every gate."
        do = f"make {CHECK_NAME} a required check, with this App as its source."
        yield warning("rules", f"{base} does not require the check {CHECK_NAME}", why, do)
    loose = [check.name for check in rules.required if check.app is None]
    if loose:
        what = f"{base} takes the required checks {some(loose)} from anybody"
        why = "whoever may write can report them as passed."
        yield warning("rules", what, why, "choose the App that reports each as its source.")
