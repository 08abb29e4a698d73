"""The use-cases, wired: what a process does beside answering HTTP."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from bot.app.bring import Bringer
from bot.app.comments import Comments
from bot.app.compared import ComparedTransactor
from bot.app.doubts import Doubts
from bot.app.effects import Effector
from bot.app.expiry import Expiry
from bot.app.gather import Gatherer
from bot.app.inbox import Inbox
from bot.app.merge import Merger
from bot.app.outside import Outside
from bot.app.policy.book import Policies
from bot.app.policy.lane import PolicyLane
from bot.app.policy.news import News
from bot.app.policy.reports import Reports
from bot.app.publish import Publisher
from bot.app.reheard import Rehearing
from bot.app.route import Router
from bot.app.seen import Seen
from bot.app.sweep.meter import MeteredForge
from bot.app.sweep.presence import Presence
from bot.app.sweep.redelivery import Redelivery
from bot.app.sweep.sweeper import Sweep
from bot.app.sweep.tour import Hands
from bot.app.timers import Timers
from bot.app.transact import Transactor
from bot.domain.projections.show import WebAddress
from bot.ports.forge import Directory, HookLog, Translator
from bot.ports.merging import MergeSender

Step = Callable[[], Awaitable[bool]]
#: Makes what the use-cases ask about rules; they ask GitHub through the given outside.
Rules = Callable[[Outside], Policies]


class Desk(NamedTuple):
    """The part of the use-cases that is asked for beside the lanes. Nothing in it can merge."""

    transactor: Transactor
    rules: Policies
    expiry: Expiry
    effector: Effector


@dataclass(frozen=True, slots=True)
class Work:
    """Each part has a `step` that does one unit and says whether there was one."""

    inbox: Inbox
    publisher: Publisher
    effector: Effector
    merger: Merger
    expiry: Expiry
    timers: Timers
    policies: PolicyLane
    seen: Seen
    transactor: Transactor
    rules: Policies

    @property
    def desk(self) -> Desk:
        return Desk(self.transactor, self.rules, self.expiry, self.effector)

    @property
    def steps(self) -> dict[str, Step]:
        return {
            "inbox": self.inbox.step,
            "publisher": self.publisher.step,
            "effector": self.effector.step,
            "merger": self.merger.step,
            "timers": self.timers.step,
            "policies": self.policies.step,
            "seen": self.seen.step,
        }


def assemble(outside: Outside, sender: MergeSender, translate: Translator, rules: Rules, web: WebAddress) -> Work:
    """`sender` is for the merger alone."""
    policies = rules(outside)
    gatherer = Gatherer(outside)
    transactor = Transactor(outside, gatherer, policies)
    router = Router(outside.store, gatherer)
    comments = Comments(outside.store, transactor, router, gatherer, policies)
    doubts = Doubts(outside, transactor)
    publisher = Publisher(outside, policies, web, doubts)
    bringer = Bringer(outside.store, router, transactor, comments, policies)
    rehearing = Rehearing(outside, bringer, comments, policies)
    return Work(
        inbox=Inbox(outside, translate, bringer),
        publisher=publisher,
        effector=Effector(outside, policies),
        merger=Merger(outside, sender, transactor, publisher, doubts, rehearing),
        expiry=Expiry(outside, transactor),
        timers=Timers(outside, transactor),
        policies=PolicyLane(outside, policies, News(outside, transactor), Reports(outside, policies, web.web_url)),
        seen=Seen(outside, translate, comments),
        transactor=transactor,
        rules=policies,
    )


def assemble_desk(outside: Outside, rules: Rules) -> Desk:
    policies = rules(outside)
    transactor = Transactor(outside, Gatherer(outside), policies)
    return Desk(transactor, policies, Expiry(outside, transactor), Effector(outside, policies))


def assemble_sweep(
    outside: Outside, directory: Directory, hooks: HookLog, translate: Translator, rules: Rules, interval: float
) -> Sweep:
    """The sweep has use-cases of its own over a meter, so that what it asks is counted and what others ask is not.
    `interval` in seconds."""
    meter = MeteredForge(outside.forge)
    metered = replace(outside, forge=meter)
    policies = rules(metered)
    gatherer = Gatherer(metered)
    transactor = ComparedTransactor(metered, gatherer, policies)
    router = Router(outside.store, gatherer)
    comments = Comments(outside.store, transactor, router, gatherer, policies)
    bringer = Bringer(outside.store, router, transactor, comments, policies)
    hands = Hands(metered, bringer, comments, transactor, policies, Doubts(metered, transactor), translate)
    return Sweep(hands, meter, Presence(metered, directory, bringer), Redelivery(metered, hooks), interval)
