"""What GitHub says of the App, asked now: the key, the clock, the webhook, where it is installed and what it may do."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

from bot.app.contact import Trouble, of_answer, of_failure
from bot.app.doctor.finding import Finding, ok, problem, some, span, warning
from bot.app.doctor.rules import Rules
from bot.domain.model import needs
from bot.domain.model.sweeping import HookAttempt
from bot.domain.model.text import counted, until
from bot.ports.failures import ForgeFailure, RateLimited
from bot.ports.forge import Forge, HookLog
from bot.ports.runtime import Clock
from bot.ports.survey import AppAnswer, Governed, Place, Survey

#: GitHub takes no App token that was made a minute or more away from its own time.
SKEW, MOST_SKEW = 10.0, 60.0
DAY = timedelta(days=1)
#: What we answered, and what it is a sign of.
SIGNS = {
    0: "GitHub got no answer. Do: see that PUBLIC_URL leads here, with a certificate GitHub trusts",
    401: "the signature did not fit. Do: set WEBHOOK_SECRET to the secret of the App's webhook",
    404: "nothing is at that address. Do: set the App's webhook to PUBLIC_URL and WEBHOOK_PATH",
    415: "it is not JSON. Do: set the webhook's content type to application/json",
    503: "this server could not store it, or had no App yet. Do: look at /readyz and the log",
}
OTHER = "GitHub shows the answer. Do: look at Advanced on the App's settings page"


@dataclass(frozen=True, slots=True)
class Asking:
    """`interval` is that of the sweep, `api_url` where GitHub is."""

    survey: Survey
    hooks: HookLog
    forge: Forge
    clock: Clock
    api_url: str
    interval: float

    async def findings(self) -> list[Finding]:
        try:
            answer = await self.survey.about()
        except RateLimited as pause:
            why = "what is asked of the App itself waits until then; so does this look at it."
            return [
                warning("github", f"asks for a pause until {until(pause.until)}", why, "run this again after that.")
            ]
        except ForgeFailure as failure:
            return [self._trouble(of_failure(failure))]
        found = [self._key(answer), *self._clock(answer)]
        if answer.status != 200:
            return found
        return [*found, *await self._hooks(), *await self._places(answer)]

    def _trouble(self, trouble: Trouble) -> Finding:
        return problem("github", f"{self.api_url} {trouble.what}", trouble.why, trouble.do)

    def _key(self, answer: AppAnswer) -> Finding:
        trouble = of_answer(answer)
        return ok("github", f"takes the key, the App is {answer.slug}") if trouble is None else self._trouble(trouble)

    def _clock(self, answer: AppAnswer) -> Iterator[Finding]:
        if answer.at is None:
            return
        skew = (self.clock.now() - answer.at).total_seconds()
        if abs(skew) <= SKEW:
            yield ok("clock", "within seconds of GitHub's")
            return
        what = f"{span(abs(skew))} {'ahead of' if skew > 0 else 'behind'} GitHub's"
        do = "let the machine set its clock by NTP."
        # Tokens of a clock that is behind are old, not of the future: whether GitHub takes them it has just said.
        if abs(skew) < MOST_SKEW or (skew < 0 and answer.status == 200):
            yield warning("clock", what, "times in comments and in the history are wrong by that much.", do)
        else:
            yield problem("clock", what, "GitHub refuses the App's tokens, which are good for minutes only.", do)

    async def _hooks(self) -> list[Finding]:
        try:
            failed = await self.hooks.failed(self.clock.now() - DAY)
        except ForgeFailure as failure:
            why = "whether GitHub reaches this server is not known."
            return [
                warning("webhook", f"its log cannot be read: {failure.for_operator()}", why, "run this again later.")
            ]
        if not failed:
            return [ok("webhook", "no delivery failed in 24 h")]
        statuses = sorted({one.status for one in failed})
        return [self._failed(status, failed) for status in statuses]

    def _failed(self, status: int, failed: Sequence[HookAttempt]) -> Finding:
        number = sum(one.status == status for one in failed)
        sign, _, do = SIGNS.get(status, OTHER).partition(". Do: ")
        how = f"answered with {status}" if status else "without an answer"
        what = f"{counted(number, 'delivery', 'deliveries')} failed in 24 h, {how}: {sign}"
        why = f"what they told is noticed by the sweep only, up to {self.interval:g} s late."
        return warning("webhook", what, why, f"{do}.")

    async def _places(self, answer: AppAnswer) -> list[Finding]:
        try:
            places = await self.survey.places()
        except ForgeFailure as failure:
            why = "whether the App may do its work there is not known."
            what = f"cannot be listed: {failure.for_operator()}"
            return [warning("installations", what, why, "run this again later.")]
        working = [place for place in places if not place.suspended]
        return [
            *_installed(answer, places),
            *_permissions(working),
            *_events(answer, self.interval),
            *_optional(answer),
            *await self._rules(working),
        ]

    async def _rules(self, places: Sequence[Place]) -> list[Finding]:
        found: list[Governed] = []
        troubles: list[Finding] = []
        for place in places:
            try:
                found += await self.survey.governed(place.id)
            except ForgeFailure as failure:
                what = f"the repositories of {place.account} cannot be listed: {failure.for_operator()}"
                troubles.append(warning("rules", what, "their rules are not checked.", "run this again later."))
        return [*troubles, *await Rules(self.forge).findings(found)]


def _installed(answer: AppAnswer, places: Sequence[Place]) -> Iterator[Finding]:
    if not places:
        do = f"install the App {answer.slug} from its settings page."
        yield problem("installations", "the App is installed nowhere", "there is nothing it could govern.", do)
    suspended = [place for place in places if place.suspended]
    for place in suspended:
        why = "nothing is read, shown or merged there; its records are frozen."
        do = f"its owner can lift that at {place.settings or 'the settings of the installation'}"
        yield problem("installations", f"{place.account} has suspended the App", why, do)
    if places and not suspended:
        yield ok("installations", some([place.account for place in places]))


def _permissions(places: Sequence[Place]) -> Iterator[Finding]:
    missing = [(place, need) for place in places for need in needs.CORE if not needs.granted(need, place.permissions)]
    for place, need in missing:
        what = f'"{need.title}: {need.level}" is missing on {place.account}'
        do = f"ask for it on the App's settings page, then accept it at {place.settings or 'the installation'}"
        yield problem("permissions", what, f"without it {need.without}.", do)
    if places and not missing:
        yield ok("permissions", f"complete on {some([place.account for place in places])}")


def _events(answer: AppAnswer, interval: float) -> Iterator[Finding]:
    missing = [name for name in needs.EVENTS if name not in answer.events]
    for name in missing:
        why = f"what they tell is noticed by the sweep only, up to {interval:g} s late."
        do = f"subscribe to {name} on the App's settings page, under Permissions & events"
        title = next(need.title for need in needs.CORE if need.permission == needs.EVENTS[name])
        needed = f' (needs "{title}")' if needs.EVENTS[name] not in answer.permissions else ""
        yield warning("events", f"the App is not told of {name}", why, f"{do}{needed}.")
    if not missing:
        yield ok("events", f"told of all {len(needs.EVENTS)}")


def _optional(answer: AppAnswer) -> Iterator[Finding]:
    """What somebody may have left out on purpose is no warning."""
    for need in needs.OPTIONAL:
        if not needs.granted(need, answer.permissions):
            yield ok("optional", f'without "{need.title}: {need.level}" {need.without}')
