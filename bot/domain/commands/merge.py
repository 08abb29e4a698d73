"""`/merge`: an operator starts the merge, where the policy leaves its moment to people. It replaces no approval."""

from bot.domain.commands.spec import CommandSpec, Offer, Said, Thread
from bot.domain.model.command_signals import MergeNow
from bot.domain.model.policy import Policy, Role


def parse(said: Said) -> MergeNow:
    return said.signal(MergeNow)


def offer(thread: Thread) -> Offer | None:
    record = thread.active
    if record is None or not thread.is_pull or record.phase != "submit" or record.held is not None:
        return None
    return Offer("merge") if record.merge.state in {"none", "refused"} else None


def who_by_policy(policy: Policy) -> tuple[Role, ...] | None:
    return ("operator",) if policy.merge.trigger == "command" else None


MERGE = CommandSpec(
    name="merge",
    arguments="",
    where="pull",
    who=("operator",),
    summary="merges now, where the policy waits for this command",
    examples=(("pull", "/merge"), ("pull", "/merge now")),
    parse=parse,
    offer=offer,
    bound="merges a pull request",
    who_by_policy=who_by_policy,
)
