"""One installation says nothing about the repositories of another (LIFECYCLE.md I25)."""

import json

from bot.domain.model.ids import Repo
from bot.github.inbound.routing import routing
from tests.kit.stage import Stage, run
from tests.simulation.golden import Golden


def delivered(stage: Stage, action: str, installation: int, repository: int) -> None:
    body = {
        "action": action,
        "repository_selection": "selected",
        "repositories_added": [{"id": repository}] if action == "added" else [],
        "repositories_removed": [{"id": repository}] if action == "removed" else [],
        "installation": {"id": installation, "account": {"id": 5, "login": "other", "type": "Organization"}},
        "sender": {"id": 77, "login": "mallory", "type": "User"},
    }
    raw = json.dumps(body).encode()
    run(stage.intake.accept(f"guid-{action}-{installation}", "installation_repositories", raw, routing(raw)))
    stage.settles()


def planned(acts: int = 3) -> Golden:
    """The other installation is known: it has a repository of its own."""
    golden = Golden(Stage())
    number = golden.stage.world.installation.id + 1
    theirs = Repo(installation_id=number, id=999_999, owner="other", name="thing")
    run(golden.stage.store.run(lambda tx: tx.repositories.seen(theirs)))
    for act in golden.acts[:acts]:
        act()
        golden.stage.settles()
    return golden


def test_i25_another_installation_that_loses_the_repository_freezes_nothing_here() -> None:
    golden = planned()
    record = golden.stage.record("octo/app", golden.issue.number)
    delivered(golden.stage, "removed", record.installation_id + 1, record.repository_id)
    assert golden.stage.record("octo/app", golden.issue.number).frozen is None


def test_i25_another_installation_does_not_end_a_suspension() -> None:
    golden = planned()
    stage = golden.stage
    stage.world.suspends()
    stage.settles()
    record = stage.record("octo/app", golden.issue.number)
    assert record.frozen == "suspended"
    delivered(stage, "added", record.installation_id + 1, record.repository_id)
    assert stage.record("octo/app", golden.issue.number).frozen == "suspended"


def test_a_signed_body_that_names_an_installation_which_has_not_the_repository_counts_for_nothing() -> None:
    """T23: somebody who holds the secret of the App sends grace's approval as if another installation had told of it."""
    golden = planned(acts=2)
    stage = golden.stage
    before = stage.record("octo/app", golden.issue.number)
    stage.world.comments("grace", golden.issue, "/approve r1")
    (hook,) = [one for one in stage.world.hooks.take() if one.event == "issue_comment"]
    body = json.loads(hook.body) | {"installation": {"id": before.installation_id + 1}}

    raw = json.dumps(body).encode()
    run(stage.intake.accept("guid-of-another", "issue_comment", raw, routing(raw)))
    stage.settles()

    after = stage.record("octo/app", golden.issue.number)
    assert (after.phase, after.decisions, after.installation_id) == ("plan_ready", (), before.installation_id)


def test_what_was_said_of_an_installation_does_not_become_true_again_when_it_is_repeated() -> None:
    golden = planned()
    stage = golden.stage
    stage.world.suspends()
    (old,) = [hook for hook in stage.world.hooks.take() if hook.event == "installation"]
    number = stage.world.installation.id

    def state() -> str:
        return run(stage.store.read(lambda tx: tx.repositories.installation_state(number)))

    run(stage.intake.accept("guid-then", old.event, old.body, routing(old.body)))
    stage.settles()
    assert state() == "suspended"
    stage.world.clock.advance(60)
    stage.world.unsuspends()
    stage.settles()
    assert state() == "present"

    run(stage.intake.accept("guid-now", old.event, old.body, routing(old.body)))
    stage.settles()

    assert state() == "present"
    assert stage.record("octo/app", golden.issue.number).frozen is None
