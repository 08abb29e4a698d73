"""Two payloads as GitHub sends them: the simulated GitHub writes them whole, and `tests/github` parses what it writes with the
newest schema (real examples lack fields that came since, which one of the peers refuses).
"""

from collections.abc import Sequence
from datetime import UTC, datetime

from bench.servers import Delivery
from bot.simulator.world import World
from tests.kit.records import PEOPLE


def deliveries() -> tuple[Delivery, ...]:
    """issues.labeled and issue_comment.created."""
    world = World(datetime(2026, 11, 30, 12, tzinfo=UTC))
    repository = world.repository("octo/app", members={"ada": "write"})
    issue = world.opens_issue("ada", repository, "Retry uploads after a network drop")
    world.labels("ada", issue, "bug")
    world.comments("ada", issue, "It fails at about one in three uploads since the last release. " * 8)
    sent = {each.event: Delivery(each.event, each.body) for each in world.hooks.log}
    return sent["issues"], sent["issue_comment"]


def questions(number: int, places: int) -> Sequence[Delivery]:
    """Comments `/help` of ada on issue 1 of `octo/app1`, `octo/app2`, … in turn, each repository in an installation of
    its own number."""
    world = World(datetime(2026, 11, 30, 12, tzinfo=UTC))
    repository = world.repository("octo/app", members={"ada": "write"})
    issue = world.opens_issue("ada", repository, "Retry uploads after a network drop")
    person = world.person("ada").id
    found = []
    for each in range(number):
        world.comments("ada", issue, "/help")
        text = world.hooks.log[-1].body.decode()
        place = each % places + 1
        for old, new in (
            (f'"installation":{{"id":{world.installation.id}', f'"installation":{{"id":{place}'),
            (f'"id":{repository.id},', f'"id":{place},'),
            (f'"id":{person},', f'"id":{PEOPLE["ada"].id},'),
            ("octo/app", f"octo/app{place}"),
            ('"name":"app"', f'"name":"app{place}"'),
        ):
            text = text.replace(old, new)
        found.append(Delivery("issue_comment", text.encode()))
    return found
