"""Every webhook the world emits is one GitHub could have sent, signed as GitHub signs."""

import json
from collections.abc import Mapping
from functools import cache

import pytest
from githubkit import webhooks as githubkit_webhooks

from bot.simulator.hooks import HookDelivery
from bot.simulator.model.repositories import Repository
from bot.simulator.webhooks import deliver, failed, headers, sign
from bot.simulator.world import World
from tests.simulator.conftest import START
from tests.simulator.story import told

EXPECTED = """
check_run created, check_run completed, check_run rerequested, check_suite completed, installation created,
installation deleted, installation suspend, installation unsuspend, installation_repositories added,
installation_repositories removed, issue_comment created, issue_comment deleted, issue_comment edited, issues closed,
issues deleted, issues edited, issues labeled, issues locked, issues opened, issues reopened, issues transferred,
issues unlabeled, issues unlocked, label created, label deleted, member added, member edited, member removed,
membership added, membership removed, merge_group checks_requested, organization member_removed,
pull_request auto_merge_enabled,
pull_request closed, pull_request converted_to_draft, pull_request edited, pull_request labeled, pull_request opened,
pull_request ready_for_review, pull_request reopened, pull_request review_requested, pull_request synchronize,
pull_request unlabeled, pull_request_review dismissed, pull_request_review submitted,
pull_request_review_comment created, push -, repository archived, repository renamed, status -, team deleted, team edited,
team_add -
"""
NAMES = sorted(" ".join(one.split()) for one in EXPECTED.split(","))
#: Of an account, not of one of its repositories.
OF_THE_ACCOUNT = ("installation", "membership", "organization", "team ")


@cache
def emitted() -> dict[str, list[HookDelivery]]:
    """Everything from one long story, by event and action."""
    world = World(START)
    repo = world.repository("octo/app", members={"ada": "admin", "grace": "write", "lin": "triage"})
    other = world.repository("octo/other", members={"ada": "admin"})
    world.installs()
    story = told(world, repo)
    world.edits("ada", story.issue, title="Greet everybody", body="all of them")
    world.unlabels("lin", story.issue, "signalbox")
    world.edits_comment("grace", story.comment, "/plan say hello twice")
    world.deletes_comment("grace", story.comment)
    world.locks("ada", story.issue)
    world.locks("ada", story.issue, locked=False)
    world.closes("ada", story.issue, "not_planned")
    world.reopens("ada", story.issue)
    world.deletes_label("ada", repo, "signalbox")
    world.labels("lin", story.pull, "later")
    world.unlabels("lin", story.pull, "later")
    world.converts_to_draft("grace", story.pull)
    world.marks_ready("grace", story.pull)
    world.branches("ada", repo, "release")
    world.retargets("grace", story.pull, "release")
    world.closes("grace", story.pull)
    world.reopens("grace", story.pull)
    world.enables_auto_merge("grace", story.pull)
    world.enqueues("grace", story.pull)
    world.dismisses_review("ada", story.review)
    world.rerequests("ada", repo, story.run)
    world.force_pushes("grace", story.pull)
    world.deletes_fork("omar", story.fork_pull)
    world.closes("ada", story.fork_pull)
    people_come_and_go(world, repo)
    world.merges_by_hand("ada", story.pull, "rebase")
    world.deletes_branch("grace", repo, "signalbox/1-hello")
    world.deletes_issue("ada", world.opens_issue("ada", repo, "Oops"))
    world.transfers_issue("ada", story.issue, other)
    world.renames_repository("ada", repo, "application")
    world.removes_repository(other)
    world.adds_repository(other)
    world.archives("ada", repo)
    world.suspends()
    world.unsuspends()
    world.uninstalls()
    found: dict[str, list[HookDelivery]] = {}
    for one in world.hooks.take():
        found.setdefault(f"{one.event} {one.action or '-'}", []).append(one)
    return found


def people_come_and_go(world: World, repo: Repository) -> None:
    world.allows_teams()
    core = world.team("core", "ada")
    world.gives_team(core, repo)
    world.joins_team("lin", core)
    world.leaves_team("lin", core)
    world.renames_team(core, "inner")
    world.leaves_organization("ada")
    world.deletes_team(core)
    for level in ("read", "triage", "none"):
        world.changes_collaborator("sue", repo, level)


def test_the_story_emits_exactly_the_known_events() -> None:
    assert sorted(emitted()) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_the_generated_models_read_every_webhook(name: str) -> None:
    for one in emitted()[name]:
        assert githubkit_webhooks.parse(one.event, one.body) is not None


@pytest.mark.parametrize("name", [one for one in NAMES if not one.startswith(OF_THE_ACCOUNT)])
def test_every_webhook_of_a_repository_names_it_the_sender_and_the_installation(name: str) -> None:
    for one in emitted()[name]:
        payload = one.payload
        assert {"repository", "sender", "installation", "organization"} <= payload.keys()
        assert one.repository_id == payload["repository"]["id"]
        assert payload.get("action") == one.action


def test_comments_of_our_own_app_say_so(world: World, repo: Repository) -> None:
    issue = world.opens_issue("ada", repo, "Hello")
    world.comments(world.bot, issue, "hi")
    payload = world.hooks.take()[-1].payload
    assert payload["sender"]["type"] == "Bot"
    assert payload["sender"]["login"] == "signalbox[bot]"
    assert payload["comment"]["performed_via_github_app"]["id"] == world.app.id


def test_a_synchronize_says_what_was_and_what_is(world: World, repo: Repository) -> None:
    pull = world.opens_pull("grace", repo)
    before = pull.head
    after = world.pushes("grace", pull)
    payload = next(one for one in world.hooks.take() if one.action == "synchronize").payload
    assert (payload["before"], payload["after"]) == (before, after)
    assert payload["pull_request"]["head"]["sha"] == after


def test_githubs_published_example_signs_as_published() -> None:
    expected = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
    assert sign("It's a Secret to Everybody", b"Hello, World!") == expected


def test_the_real_client_accepts_the_signature(world: World, repo: Repository) -> None:
    world.opens_issue("ada", repo, "Hello")
    one = world.hooks.take()[0]
    sent = headers(world, one, "secret")
    assert githubkit_webhooks.verify("secret", one.body, sent["X-Hub-Signature-256"])
    assert sent["X-GitHub-Event"] == "issues"
    assert sent["X-GitHub-Hook-Installation-Target-ID"] == str(world.app.id)


def test_the_same_story_sends_the_same_bytes() -> None:
    def bytes_of() -> list[tuple[str, bytes]]:
        world = World(START)
        told(world, world.repository("octo/app", members={"ada": "admin", "grace": "write", "lin": "triage"}))
        return [(one.guid, one.body) for one in world.hooks.take()]

    assert bytes_of() == bytes_of()


@pytest.mark.anyio
async def test_what_was_refused_is_found_and_redelivered_with_its_guid(world: World, repo: Repository) -> None:
    answers = [500, 202]
    seen: list[str] = []

    async def post(body: bytes, sent: Mapping[str, str]) -> int:
        seen.append(sent["X-GitHub-Delivery"])
        return answers.pop(0)

    world.opens_issue("ada", repo, "Hello")
    assert await deliver(world, "secret", post) == 1
    (lost,) = failed(world.hooks)
    world.hooks.redeliver(lost)
    assert await deliver(world, "secret", post) == 1
    assert seen[0] == seen[1]
    assert failed(world.hooks) == []
    assert len({one.id for one in world.hooks.log}) == 2


def test_dropped_webhooks_are_logged_as_failed_or_never_existed(world: World, repo: Repository) -> None:
    world.drops_webhooks(times=1)
    world.opens_issue("ada", repo, "Lost")
    world.drops_webhooks(times=1, logged=False)
    world.opens_issue("ada", repo, "Never sent")
    world.opens_issue("ada", repo, "Sent")
    assert [json.loads(one.body)["issue"]["title"] for one in world.hooks.take()] == ["Sent"]
    assert [one.status_code for one in world.hooks.log] == [0, None]


def test_delayed_webhooks_come_when_the_clock_has_passed(world: World, repo: Repository) -> None:
    world.delays_webhooks(30)
    world.opens_issue("ada", repo, "Late")
    assert world.hooks.take() == []
    world.clock.advance(30)
    assert [one.event for one in world.hooks.take()] == ["issues"]


@pytest.mark.parametrize(("same", "guids"), [(True, 1), (False, 2)])
def test_duplicated_webhooks_share_a_guid_or_not(world: World, repo: Repository, same: bool, guids: int) -> None:
    world.duplicates_webhooks(same_guid=same)
    world.opens_issue("ada", repo, "Twice")
    sent = world.hooks.take()
    assert len(sent) == 2
    assert len({one.guid for one in sent}) == guids
    assert sent[0].body == sent[1].body


def test_reordered_webhooks_arrive_newest_first(world: World, repo: Repository) -> None:
    world.reorders_webhooks()
    issue = world.opens_issue("ada", repo, "Hello")
    world.closes("ada", issue)
    assert [one.action for one in world.hooks.take()] == ["closed", "opened"]


def test_a_suspended_installation_hears_nothing_of_its_repositories(world: World, repo: Repository) -> None:
    world.suspends()
    world.opens_issue("ada", repo, "Hello")
    assert [one.event for one in world.hooks.take()] == ["installation"]
