"""A record with what stands beside it, as every face shows it: comments and checks, pages and lists."""

from bot.domain.model.policy import Policy
from bot.domain.projections.show import Show, WebAddress
from bot.ports.rows import Loaded


def beside(loaded: Loaded, policy: Policy, web: WebAddress) -> Show:
    return Show(loaded.record, policy, loaded.updated_at, web, last_refusal=loaded.last_refusal)
