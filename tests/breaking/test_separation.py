"""Nobody judges what they pushed themselves, also where no webhook said that they pushed it (LIFECYCLE.md 2.5, I15)."""

from tests.kit.stage import Stage
from tests.simulation.golden import Golden


def planned(golden: Golden) -> None:
    for act in golden.acts[:3]:
        act()
        golden.stage.settles()


def judged_by_grace(golden: Golden) -> None:
    stage, pull = golden.stage, golden.pull
    golden.rest()
    for who, word in (("grace", "approve"), ("omar", "gate")):
        golden.says(who, pull, f"/{word} testing {pull.head[:12]}")
        golden.rest()
    for who, word in (("grace", "approve"), ("omar", "gate")):
        golden.says(who, pull, f"/{word} submit {pull.head[:12]}")
        golden.rest()
    stage.later(400, stride=20)


def test_who_pushed_the_branch_before_it_was_a_pull_request_does_not_approve_it() -> None:
    """grace writes every commit, ada only opens the pull request, grace approves: nobody else has judged the code."""
    golden = Golden(Stage())
    planned(golden)
    world = golden.stage.world
    branch = f"signalbox/{golden.issue.number}-retry"
    world.branches("grace", golden.repo, branch)
    world.pushes("grace", golden.repo, branch)
    golden.pull = world.opens_pull("ada", golden.repo, "Retry", head=branch, body=f"Closes #{golden.issue.number}")
    golden.stage.settles()
    world.check_run("actions", golden.pull, "build")

    judged_by_grace(golden)

    assert world.landed == [], "grace approved her own commits, and they were merged"


def test_who_pushed_while_no_webhook_arrived_does_not_approve_it() -> None:
    """The synchronize is lost; the look finds a head that nothing explains. grace, its committer, approves it."""
    golden = Golden(Stage())
    planned(golden)
    world, stage = golden.stage.world, golden.stage
    golden.opens_pull()
    stage.settles()
    world.drops_webhooks(logged=False)
    world.pushes("grace", golden.pull)
    stage.delivers()
    world.heals()
    world.check_run("actions", golden.pull, "build")

    golden.says("omar", golden.pull, "/gate")  # refused; but the look books the head that nothing explains
    judged_by_grace(golden)

    assert world.landed == [], "grace approved her own commit, and it was merged"


def test_linking_again_does_not_forget_who_pushed() -> None:
    """grace pushes to ada's pull request and is known as a pusher; she unlinks and links it again, and approves herself."""
    golden = Golden(Stage())
    planned(golden)
    world, stage = golden.stage.world, golden.stage
    golden.opens_pull()
    stage.settles()
    world.pushes("grace", golden.pull)
    world.check_run("actions", golden.pull, "build")
    golden.rest()
    golden.says("grace", golden.pull, "/unlink")
    stage.settles()
    golden.says("grace", golden.pull, f"/link #{golden.issue.number}")
    stage.settles()

    judged_by_grace(golden)

    assert world.landed == [], "grace approved her own commit, and it was merged"


def test_who_pushed_what_another_base_had_does_not_approve_it_where_the_base_has_it_not() -> None:
    """ada's pull request is stacked on a branch that has grace's commit already; then it is retargeted to main."""
    golden = Golden(Stage())
    planned(golden)
    world, stage = golden.stage.world, golden.stage
    branch = f"signalbox/{golden.issue.number}-retry"
    below = world.pushes("grace", golden.repo, branch)
    world.force_pushes("ada", golden.repo, "below", sha=below)
    world.pushes("ada", golden.repo, branch)
    golden.pull = world.opens_pull("ada", golden.repo, "Retry", head=branch, base="below")
    world.check_run("actions", golden.pull, "build")
    golden.rest()
    world.retargets("ada", golden.pull, "main")
    stage.settles()

    judged_by_grace(golden)

    assert world.landed == [], "grace approved her own commit, and it was merged"
