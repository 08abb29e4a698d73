"""What an operator says about a merge is checked on both sides before anything is done (LIFECYCLE.md 3.5, 3.6, I5)."""

from tests.kit.stage import Stage
from tests.simulation.golden import Golden


def ambiguous(golden: Golden) -> None:
    golden.stage.world.loses_answer_to("merge_async", landed=False)
    for act in golden.acts:
        act()
        golden.rest()
    golden.stage.later(1200, stride=30)
    assert golden.stage.record("octo/app", golden.issue.number).merge.state == "ambiguous"


def settled(golden: Golden, sha: str) -> str:
    """What the operator is told who says so; nothing came of it."""
    golden.says("omar", golden.pull, f"/settle merged {sha}")
    golden.rest(30)
    record = golden.stage.record("octo/app", golden.issue.number)
    assert record.phase == "submit", f"{record.phase}, merge {record.merge.state} external {record.merge.external}"
    (reply,) = [one.body for one in golden.pull.comments if "signalbox:reply:" in one.body]
    return reply


def settled_when_closed(golden: Golden, sha: str) -> None:
    """Closed unmerged it could be merged as far as its state goes: the commit alone decides."""
    golden.stage.world.closes("ada", golden.pull)
    assert f"GitHub does not show `{sha[:7]}` on `main` as the merge of this pull request" in settled(golden, sha)


def test_the_head_itself_is_not_the_merge() -> None:
    golden = Golden(Stage())
    ambiguous(golden)
    settled_when_closed(golden, golden.pull.head)


def test_the_tip_of_the_base_is_not_the_merge() -> None:
    golden = Golden(Stage())
    ambiguous(golden)
    settled_when_closed(golden, golden.stage.world.tip(golden.repo, "main"))


def test_the_merge_of_another_pull_request_is_not_the_merge() -> None:
    golden = Golden(Stage())
    ambiguous(golden)
    world = golden.stage.world
    world.branches("grace", golden.repo, "other")
    world.pushes("grace", golden.repo, "other")
    other = world.opens_pull("grace", golden.repo, f"Other (#{golden.pull.number})", head="other", body="")
    sha = world.merges_by_hand("omar", other, "squash")
    golden.stage.settles()
    settled_when_closed(golden, sha)


def test_a_merge_commit_on_the_base_of_an_open_pull_request_is_not_done() -> None:
    """Somebody merges the head's branch into main under another pull request: the base names the head, GitHub may still show
    ours open. Done needs both sides."""
    golden = Golden(Stage())
    ambiguous(golden)
    world = golden.stage.world
    tip = world.tip(golden.repo, "main")
    user = world.user("omar")
    # a commit on main with the head as its second parent, while GitHub has not closed the pull request (yet)
    sha = world._commit((tip, golden.pull.head), world.commits[tip].files, "Merge by hand", user)
    golden.repo.branches["main"] = sha
    assert "GitHub shows the pull request open" in settled(golden, sha)
    assert golden.pull.open


def test_the_name_of_a_base_calls_nobody() -> None:
    """Whoever may make a branch chooses its name, and GitHub takes backticks and at signs in it."""
    golden = Golden(Stage())
    world, name = golden.stage.world, "a`@octo/all`b"
    for act in golden.acts[:4]:
        act()
        golden.rest()
    world.branches("ada", golden.repo, name)
    world.retargets("ada", golden.pull, name)
    world.loses_answer_to("merge_async", landed=False)
    for act in golden.acts[4:]:
        act()
        golden.rest()
    golden.stage.later(1200, stride=30)

    world.closes("ada", golden.pull)
    golden.says("omar", golden.pull, f"/settle merged {golden.pull.head}")
    golden.stage.settles()

    (reply,) = [one for one in golden.pull.comments if "signalbox:reply:" in one.body]
    assert f"on ``{name}`` as the merge of this pull request" in reply.body
    spoken = [one.body for thread in (golden.issue, golden.pull) for one in thread.comments if one.app is not None]
    shown = [text or "" for run in golden.repo.runs for text in (run.title, run.summary, run.text)]
    assert [text for text in (*spoken, *shown) if "@octo" in text.replace(f"``{name}``", "")] == []
