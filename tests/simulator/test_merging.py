"""Both merge endpoints answer as reference/github.md documents it, over both faces."""

import pytest

from bot.domain.model.effects import MergeOrder, MergePermit, MergeReply
from bot.domain.model.ids import Repo
from bot.simulator.forge import SimulatedForge
from bot.simulator.model.repositories import Required
from bot.simulator.verbs.merging import MergeCall

pytestmark = pytest.mark.anyio
MERGED = "Pull Request successfully merged"


@pytest.fixture
def pull(world, repo):
    return world.opens_pull("grace", repo, "Say hello", body="Closes #99")


def order(pull, api="sync", **changes) -> MergeOrder:
    named = {"head": pull.head, "base": "main", "method": "squash", "title": "Say hello", "body": "", **changes}
    return MergeOrder(reservation="r-1", attempt="a-1", pull=pull.number, api=api, **named)


def permit(given: MergeOrder) -> MergePermit:
    return MergePermit(MergePermit._seal, given)


def named(world, repo) -> Repo:
    return Repo(installation_id=world.installation.id, id=repo.id, owner=repo.owner.login, name=repo.name)


async def over_http(clients, pull, api, given: MergeOrder):
    path = f"/repos/octo/app/pulls/{pull.number}/{'merge-async' if api == 'async' else 'merge'}"
    body = {"sha": given.head, "merge_method": given.method, "commit_title": given.title}
    if api == "async":
        body["merge_action"] = "direct_merge"
    return await clients.http.put(path, json=body)


def _stacked(world, repo, pull):
    world.stacks(pull, world.opens_pull("grace", repo, head="above"))


def _merging(world, repo, pull):
    world.merge_async(world.bot, pull, MergeCall(pull.head))


def _forged(world, repo, pull):
    world.requires(repo, "build", app=world.another_app("actions"))
    world.status("grace", pull, "build", "success")


def _own_check(world, repo, pull):
    world.requires(repo, "signalbox", app=world.app)


def _late(world, repo, pull):
    world.requires(repo, "build", strict=True)
    world.check_run("actions", pull, "build")
    world.pushes("ada", repo, "main")


def _touches_workflows(world, repo, pull):
    world.pushes("grace", pull, files={".github/workflows/ci.yml": "on: push\n"})


SYNC = {
    "merged": (lambda w, r, p: None, 200, MERGED),
    "head moved": (lambda w, r, p: None, 409, "Head branch was modified. Review and try the merge again."),
    "base modified": (
        lambda w, r, p: w.fails("merge", 405),
        405,
        "Base branch was modified. Review and try the merge again.",
    ),
    "already in progress": (_merging, 405, "Merge already in progress"),
    "conflict": (lambda w, r, p: w.conflicts(p), 405, "Pull Request is not mergeable"),
    "already merged": (lambda w, r, p: w.merges_by_hand("ada", p), 405, "Pull Request is not mergeable"),
    "closed": (lambda w, r, p: w.closes("ada", p), 405, "Pull Request is not mergeable"),
    "draft": (lambda w, r, p: w.converts_to_draft("grace", p), 405, "Pull Request is still a draft"),
    "check missing": (lambda w, r, p: w.requires(r, "build"), 405, 'Required status check "build" is expected.'),
    "check forged": (_forged, 405, 'Required status check "build" is expected.'),
    "our own check missing": (_own_check, 405, 'Required status check "signalbox" is expected.'),
    "classic check missing": (
        lambda w, r, p: w.protects(r, required=(Required("lint"),)),
        405,
        'Required status check "lint" is expected.',
    ),
    "review missing": (
        lambda w, r, p: w.ruleset(r, reviews=1),
        405,
        "At least 1 approving review is required by reviewers with write access.",
    ),
    "queue": (lambda w, r, p: w.ruleset(r, merge_queue=True), 405, "Changes must be made through the merge queue"),
    "method": (
        lambda w, r, p: w.ruleset(r, methods=("merge",)),
        405,
        "Squash merges are not allowed on this repository.",
    ),
    "out of date": (_late, 405, "Head branch is out of date with the base branch."),
    "stacked": (_stacked, 403, "Merging stacked PRs via this endpoint is not supported"),
    "workflows": (
        _touches_workflows,
        403,
        "refusing to allow a GitHub App to create or update workflow without `workflows` permission",
    ),
    "archived": (lambda w, r, p: w.archives("octo", r), 403, "Repository was archived so is read-only."),
    "bad sha": (lambda w, r, p: None, 422, "Validation Failed"),
    "gone": (lambda w, r, p: w.removes_repository(r), 404, "Not Found"),
    "suspended": (lambda w, r, p: w.suspends(), 403, "This installation has been suspended"),
    "server error": (lambda w, r, p: w.answers("merge", 502, before=True), 502, "Server Error"),
}
ASYNC = {
    "accepted": (lambda w, r, p: None, 202, "pending"),
    "already merged": (lambda w, r, p: w.merges_by_hand("ada", p), 200, "merged"),
    "in flight": (_merging, 409, "pending"),
    "closed": (lambda w, r, p: w.closes("ada", p), 400, "failed"),
    "draft": (lambda w, r, p: w.converts_to_draft("grace", p), 400, "failed"),
    "not here": (lambda w, r, p: setattr(r, "merge_async", False), 404, None),
    "bad sha": (lambda w, r, p: None, 422, None),
    "gone": (lambda w, r, p: w.removes_repository(r), 404, None),
}
HEADS = {"head moved": "a" * 40, "bad sha": "abc"}


@pytest.mark.parametrize("case", SYNC)
async def test_the_synchronous_endpoint_answers_over_the_port(case, world, repo, pull):
    arrange, status, message = SYNC[case]
    arrange(world, repo, pull)
    given = order(pull, head=HEADS.get(case, pull.head))
    reply = await SimulatedForge(world).merge(named(world, repo), permit(given), lambda: True)
    assert (reply.sent, reply.status, reply.message) == (True, status, message)
    assert reply.merged is (True if status == 200 else None)
    assert bool(reply.sha) == (status == 200)


@pytest.mark.parametrize("case", SYNC)
async def test_the_synchronous_endpoint_answers_the_same_over_http(case, clients, world, repo, pull):
    arrange, status, message = SYNC[case]
    arrange(world, repo, pull)
    answer = await over_http(clients, pull, "sync", order(pull, head=HEADS.get(case, pull.head)))
    assert (answer.status_code, answer.json()["message"]) == (status, message)
    if status != 200:
        assert answer.json()["status"] == str(status)
        assert answer.json()["documentation_url"].startswith("https://docs.github.com/")


@pytest.mark.parametrize("case", ASYNC)
async def test_the_asynchronous_endpoint_answers_over_the_port(case, world, repo, pull):
    arrange, status, body_status = ASYNC[case]
    arrange(world, repo, pull)
    given = order(pull, "async", head=HEADS.get(case, pull.head))
    reply = await SimulatedForge(world).merge(named(world, repo), permit(given), lambda: True)
    assert (reply.status, reply.body_status) == (status, body_status)
    assert bool(reply.uuid) == (body_status == "pending")


@pytest.mark.parametrize("case", ASYNC)
async def test_the_asynchronous_endpoint_answers_the_same_over_http(case, clients, world, repo, pull):
    arrange, status, body_status = ASYNC[case]
    arrange(world, repo, pull)
    answer = await over_http(clients, pull, "async", order(pull, "async", head=HEADS.get(case, pull.head)))
    assert answer.status_code == status
    if body_status is None:
        assert answer.json()["status"] == str(status)
    else:
        assert answer.json()["status"] == body_status
        assert ("uuid" in answer.json()["details"]) == (body_status == "pending")


def test_an_accepted_request_lands_only_when_time_passes(world, repo, pull):
    uuid = world.merge_async(world.bot, pull, MergeCall(pull.head, "squash")).body["details"]["uuid"]
    assert world.merge_status(pull, uuid).body["status"] == "pending"
    world.clock.advance(1)
    result = world.merge_status(pull, uuid).body
    assert result["status"] == "merged"
    assert result["details"]["sha"] == repo.branches["main"]


@pytest.mark.parametrize(
    ("between", "message"),
    [
        (lambda w, r, p: w.pushes("grace", p), "Head branch was modified. Review and try the merge again."),
        (lambda w, r, p: w.requires(r, "build"), 'Required status check "build" is expected.'),
        (lambda w, r, p: w.closes("ada", p), "Pull Request is not mergeable"),
    ],
)
def test_rules_and_head_are_looked_at_when_the_request_runs(world, repo, pull, between, message):
    world.merge_async_seconds = 60
    uuid = world.merge_async(world.bot, pull, MergeCall(pull.head)).body["details"]["uuid"]
    between(world, repo, pull)
    world.clock.advance(60)
    assert world.merge_status(pull, uuid).body == {"status": "failed", "details": {"message": message}}
    assert not pull.merged


def test_a_request_is_forgotten_after_a_day(world, repo, pull):
    uuid = world.merge_async(world.bot, pull, MergeCall(pull.head)).body["details"]["uuid"]
    world.clock.advance(86_500)
    with pytest.raises(Exception, match="404"):
        world.merge_status(pull, uuid)


def test_merging_a_stack_merges_everything_below_it(world, repo, pull):
    above = world.opens_pull("grace", repo, head="above")
    top = world.opens_pull("grace", repo, head="top")
    world.stacks(pull, above, top)
    world.merge_async(world.bot, above, MergeCall(above.head))
    world.clock.advance(1)
    assert (pull.merged, above.merged, top.merged) == (True, True, False)
    assert [one.pull for one in world.landed] == [pull, above]


def test_a_merge_commit_has_the_head_as_parent_and_names_the_pull(world, repo, pull):
    base = repo.branches["main"]
    world.merge(world.bot, pull, MergeCall(pull.head, "merge"))
    assert world.commits[repo.branches["main"]].parents == (base, pull.head)
    assert world.pulls_with(repo, repo.branches["main"]) == [pull]


def test_a_squash_is_one_commit_that_names_the_pull(world, repo, pull):
    base = repo.branches["main"]
    world.pushes("grace", pull, files={"README.md": None, "hello.txt": "hello\n"})
    world.merge(world.bot, pull, MergeCall(pull.head, "squash", "Title", "Body"))
    merged = world.commits[repo.branches["main"]]
    assert merged.parents == (base,)
    assert merged.message == "Title\n\nBody"
    assert merged.files.keys() >= {"hello.txt"}
    assert "README.md" not in merged.files
    assert world.pulls_with(repo, merged.sha) == [pull]
    assert not world.contains(merged.sha, pull.head)


def test_a_rebase_repeats_every_commit_on_the_base(world, repo, pull):
    world.pushes("grace", pull)
    world.pushes("ada", repo, "main")
    base = repo.branches["main"]
    world.merge(world.bot, pull, MergeCall(pull.head, "rebase"))
    tip = world.commits[repo.branches["main"]]
    assert world.commits[tip.parents[0]].parents == (base,)
    assert world.pulls_with(repo, tip.sha) == [pull]


@pytest.mark.parametrize(
    ("body", "base", "open_after"),
    [
        ("Closes #1", "main", False),
        ("fixes: octo/app#1", "main", False),
        ("Resolved #1", "main", False),
        ("Closes #1", "release", True),
        ("See #1", "main", True),
        ("Encloses #1", "main", True),
    ],
)
def test_closing_keywords_close_when_the_merge_lands_on_the_default_branch(world, repo, body, base, open_after):
    issue = world.opens_issue("ada", repo, "Greet people")
    world.branches("ada", repo, "release")
    pull = world.opens_pull("grace", repo, base=base, body=body)
    world.merge(world.bot, pull, MergeCall(pull.head))
    assert issue.open is open_after


def test_pushing_the_commits_to_the_base_marks_the_pull_merged(world, repo, pull):
    world.force_pushes("ada", repo, "main", sha=pull.head)
    assert pull.merged
    assert pull.merged_by is world.person("ada")
    assert world.landed == []


def test_a_merge_by_us_is_written_down_with_its_expected_head(world, repo, pull):
    world.merge(world.bot, pull, MergeCall(pull.head, "squash"))
    (landing,) = world.landed
    assert (landing.head, landing.expected, landing.by) == (pull.head, pull.head, world.bot)
    assert landing.sha == repo.branches["main"]


async def test_nothing_is_sent_when_the_lease_does_not_cover_it(world, repo, pull):
    reply = await SimulatedForge(world).merge(named(world, repo), permit(order(pull)), lambda: False)
    assert reply == MergeReply(api="sync", sent=False, why="the lease no longer covers the request")
    assert world.requests == []


def test_skipped_and_neutral_satisfy_a_required_check_and_a_rerun_does_not(world, repo, pull):
    world.requires(repo, "build")
    run = world.check_run("actions", pull, "build", conclusion="skipped")
    assert world.missing_checks(pull) == []
    world.rerequests("ada", repo, run)
    assert [one.context for one in world.missing_checks(pull)] == ["build"]


def test_a_name_required_in_both_systems_must_pass_in_both(world, repo, pull):
    world.requires(repo, "build")
    world.check_run("actions", pull, "build")
    world.status("grace", pull, "build", "failure")
    assert [one.context for one in world.missing_checks(pull)] == ["build"]


def test_an_app_that_may_bypass_is_asked_for_nothing(world, repo, pull):
    world.ruleset(repo, required=(Required("build"),), bypass="always")
    world.merge(world.bot, pull, MergeCall(pull.head))
    assert pull.merged
