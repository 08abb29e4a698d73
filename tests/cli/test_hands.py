"""Whoever sits at the demo acts as its people: every act there is, and no field that is passed over."""

from datetime import UTC, datetime
from typing import Any

import pytest

from bot.bootstrap.demo.hands import Hands, NotDone
from bot.bootstrap.demo.story import MEMBERS
from bot.simulator.model.threads import Pull
from bot.simulator.world import World


@pytest.fixture
def world() -> World:
    made = World(datetime(2026, 11, 30, 12, 0, tzinfo=UTC))
    made.repository("octo/app", members=MEMBERS)
    return made


@pytest.fixture
def pull(world: World) -> Pull:
    sent = {"as": "ada", "branch": "signalbox/1-retry", "title": "Retry", "draft": "yes"}
    return Hands(world).opens_pull(world.repository_at("octo/app"), sent)


def test_a_draft_a_review_and_a_check_with_any_conclusion_can_be_tried(world: World, pull: Pull) -> None:
    """None of these could be had, so lean, solo and native reviews could not be tried."""
    hands = Hands(world)
    assert pull.draft

    hands.on_thread(pull, {"as": "ada", "draft": "no"})
    hands.on_thread(pull, {"as": "grace", "review": "request_changes", "body": "/hold"})
    hands.on_thread(pull, {"check": "build", "conclusion": "timed_out"})

    assert not pull.draft
    assert [(one.author.login, one.state, one.body) for one in pull.reviews] == [
        ("grace", "CHANGES_REQUESTED", "/hold")
    ]
    assert [(one.name, one.conclusion) for one in world.latest_runs(pull.repository, pull.head)] == [
        ("build", "timed_out")
    ]


def test_a_policy_file_is_written_and_removed(world: World) -> None:
    hands, repo = Hands(world), world.repository_at("octo/app")

    said = hands.on_repository(repo, {"as": "omar", "policy": "version: 1\r\npreset: solo\n"})

    tip = world.tip(repo, "main")
    assert said == f".github/signalbox.yml is written on main by {tip[:7]}."
    assert world.commits[tip].files[".github/signalbox.yml"] == "version: 1\npreset: solo\n"
    hands.on_repository(repo, {"as": "omar", "policy": ""})
    assert ".github/signalbox.yml" not in world.commits[world.tip(repo, "main")].files


@pytest.mark.parametrize(
    ("sent", "why"),
    [
        (
            {"as": "ada", "comment": "/help", "boddy": "x"},
            (
                "boddy cannot be sent here with comment. Send one of: comment, label, unlabel, state, push, "
                "check (with conclusion), draft, review (with body); as says who you are."
            ),
        ),
        (
            {"as": "ada", "colour": "red"},
            (
                "colour cannot be sent here. Send one of: comment, label, unlabel, state, push, "
                "check (with conclusion), draft, review (with body); as says who you are."
            ),
        ),
        ({"as": "ada", "draft": "true"}, "draft is one of: yes, no."),
        ({"as": "grace", "review": "approved"}, "review is one of: approve, request_changes, comment."),
        (
            {"check": "build", "conclusion": "red"},
            (
                "conclusion is one of: success, failure, neutral, skipped, cancelled, timed_out, action_required, stale, "
                "startup_failure."
            ),
        ),
        (
            {"as": "mallory", "comment": "/help"},
            "as says who you are here: ada (write), grace (write), omar (maintain), lin (read).",
        ),
    ],
)
def test_what_is_not_known_is_refused_with_what_there_is(
    world: World, pull: Pull, sent: dict[str, Any], why: str
) -> None:
    """A misspelt field was passed over, and whoever sent it believed that it counted."""
    with pytest.raises(NotDone) as refused:
        Hands(world).on_thread(pull, sent)

    assert str(refused.value) == why
