"""GitHub, whole: state and every verb. Synchronous and pure; time moves only when told to.

world = World(datetime(2026, 1, 1, tzinfo=UTC))
repo = world.repository("octo/app", members={"ada": "maintain", "grace": "write"})
issue = world.opens_issue("ada", repo, "Greet people")
world.comments("grace", issue, "/plan say hello")
"""

from bot.simulator.verbs.faults import FaultVerbs
from bot.simulator.verbs.issues import IssueVerbs
from bot.simulator.verbs.merging import MergeVerbs
from bot.simulator.verbs.people import PeopleVerbs
from bot.simulator.verbs.teams import TeamVerbs


class World(PeopleVerbs, TeamVerbs, IssueVerbs, MergeVerbs, FaultVerbs):
    """Every change emits its webhooks into `hooks`; every request of a client is in `requests`."""
