"""What odd, old, hostile or half-empty bodies become: no exception, never authority."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.domain.model.delivery import Delivery
from bot.domain.model.sightings import (
    CommentCreated,
    HeadPushed,
    LabelsTouched,
    ReviewSubmitted,
    RolesChanged,
    StartLabelAdded,
    WordsChanged,
)
from bot.github.inbound.table import TRANSLATORS
from bot.github.inbound.translate import translate
from tests.github.test_inbound_fixtures import EXPECTED, deliver, load

NAMES = sorted(EXPECTED)


def raw(event: str, body: bytes) -> Any:
    return translate(Delivery(guid="g", event=event, body=body, received_at=datetime(2026, 11, 30, tzinfo=UTC)))


def changed(name: str, path: str, value: object) -> dict[str, Any]:
    document, place = along(load(name), path.split("."))
    place[path.rpartition(".")[2]] = value
    return document


def along(document: dict[str, Any], path: Sequence[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """A copy as far as this field, and where the field stands in it; the rest is shared."""
    place = whole = dict(document)
    for parent in path[:-1]:
        place[parent] = place = dict(place[parent])
    return whole, place


def leaves(value: object, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    found = [path] if path else []
    if isinstance(value, dict):
        for key, inner in value.items():
            found += leaves(inner, (*path, key))
    return found


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("junk", [None, "text", 7, -1, True, [], {}, 2**70, "\ud800"], ids=repr)
def test_any_field_may_be_anything(name: str, junk: object) -> None:
    document = load(name)
    for path in leaves(document):
        spoiled, place = along(document, path)
        place[path[-1]] = junk
        translation = deliver(name.partition(".")[0], spoiled)
        assert bool(translation.signals) == (translation.ignored_because is None)


@pytest.mark.parametrize("name", NAMES)
def test_any_field_may_be_missing(name: str) -> None:
    document = load(name)
    for path in leaves(document):
        spoiled, place = along(document, path)
        del place[path[-1]]
        translation = deliver(name.partition(".")[0], spoiled)
        assert bool(translation.signals) == (translation.ignored_because is None)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(sorted(TRANSLATORS, key=str)), JSON, st.binary(max_size=64))
def test_nothing_makes_the_translator_raise(event: tuple[str, str | None], value: object, junk: bytes) -> None:
    assert raw(event[0], json.dumps(value).encode()).signals == ()
    assert raw(event[0], junk).signals == ()


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 100_000, b'{"a":' * 50_000, b"1" * 5000], ids=range(8)
)
def test_what_is_no_json_object_is_ignored(body: bytes) -> None:
    assert raw("issues", body).ignored_because == "the body is not a JSON object"


@pytest.mark.parametrize("event", ["issues", "check_suite", "marketplace_purchase", ""])
def test_unknown_events_and_actions_give_no_signals_and_a_reason(event: str) -> None:
    """known-faults.md, row 72."""
    translation = deliver(event, load("issues.labeled") | {"action": "sparkled"})
    assert (translation.signals, translation.ignored_because) == ((), "this event needs nothing done")


def test_a_comment_without_a_user_has_no_authority() -> None:
    translation = deliver("issue_comment", changed("issue_comment.created", "comment.user", None))
    assert translation.ignored_because == "the comment's author is gone"


def test_a_review_without_a_user_has_no_authority() -> None:
    translation = deliver("pull_request_review", changed("pull_request_review.submitted", "review.user", None))
    assert translation.ignored_because == "the comment's author is gone"


def test_a_comment_sent_by_another_account_than_its_author_is_not_heard() -> None:
    translation = deliver("issue_comment", changed("issue_comment.created", "sender.id", 99))
    assert translation.signals == ()


def test_a_push_without_a_sender_still_moves_the_head_and_names_nobody_real() -> None:
    (pushed,) = deliver("pull_request", changed("pull_request.synchronize", "sender", None)).signals
    assert isinstance(pushed, HeadPushed)
    assert pushed.actor.id == 10137


def test_the_head_repository_of_a_deleted_fork_may_be_null() -> None:
    (pushed,) = deliver("pull_request", changed("pull_request.synchronize", "pull_request.head.repo", None)).signals
    assert isinstance(pushed, HeadPushed)


@pytest.mark.parametrize("kind", ["Bot", "Organization", "Mannequin", "", None])
def test_only_plain_users_are_people(kind: str | None) -> None:
    signals = deliver("issue_comment", changed("issue_comment.created", "comment.user.type", kind)).signals
    assert not any(isinstance(one, CommentCreated) and one.actor.kind == "person" for one in signals)


def test_a_comment_written_through_an_app_says_which() -> None:
    document = changed("issue_comment.created", "comment.performed_via_github_app", {"id": 999, "slug": "other"})
    (comment,) = deliver("issue_comment", document).signals
    assert isinstance(comment, CommentCreated)
    assert comment.app_id == 999


def test_an_edited_comment_of_somebody_commands_nothing() -> None:
    """known-faults.md, row 6."""
    document = load("issue_comment.created") | {"action": "edited", "changes": {"body": {"from": "nice"}}}
    (changed_words,) = deliver("issue_comment", document).signals
    assert isinstance(changed_words, WordsChanged)


def test_our_own_edit_of_our_own_comment_is_not_a_foreign_one() -> None:
    document: Any = load("issue_comment.edited")
    document["sender"] = document["comment"]["user"]
    assert deliver("issue_comment", document).ignored_because == "our own edit"


def test_without_our_app_id_nothing_is_ours() -> None:
    (signal,) = deliver("issue_comment", load("issue_comment.edited"), app_id=None).signals
    assert isinstance(signal, WordsChanged)


@pytest.mark.parametrize("name", ["issues.unlabeled", "pull_request.unlabeled"])
def test_unlabeled_without_a_label_means_its_definition_is_gone(name: str) -> None:
    """known-faults.md, row 66."""
    document = load(name)
    del document["label"]
    (touched,) = deliver(name.partition(".")[0], document).signals
    assert isinstance(touched, LabelsTouched)


def test_a_label_of_ours_on_an_issue_is_both_a_possible_start_and_a_touch() -> None:
    signals = deliver("issues", changed("issues.labeled", "label.name", "Signalbox/Testing")).signals
    assert [type(one) for one in signals] == [StartLabelAdded, LabelsTouched]
    assert len({one.key for one in signals}) == 2


def test_other_labels_of_pull_requests_are_not_ours() -> None:
    assert deliver("pull_request", changed("pull_request.labeled", "label.name", "bug")).signals == ()


@pytest.mark.parametrize("name", ["check_suite.completed", "check_run.completed"])
@pytest.mark.parametrize("listed", [[], None, [{"id": 9, "number": 5, "base": {"repo": {"id": 999}}}]], ids=repr)
def test_the_pull_requests_that_a_check_lists_are_not_believed(name: str, listed: object) -> None:
    """known-faults.md, rows 60 and 62: the list may be empty, or name pull requests of other repositories."""
    kind = name.partition(".")[0]
    translation = deliver(kind, changed(name, f"{kind}.pull_requests", listed))
    assert translation == deliver(kind, load(name))
    assert translation.signals


def test_a_null_pull_request_key_means_an_issue() -> None:
    """known-faults.md, row 16."""
    (comment,) = deliver("issue_comment", changed("issue_comment.created", "issue.pull_request", None)).signals
    assert isinstance(comment, CommentCreated)
    assert not comment.is_pull


def test_a_comment_on_a_pull_request_says_so() -> None:
    (comment,) = deliver("issue_comment", changed("issue_comment.created", "issue.pull_request", {"url": "x"})).signals
    assert isinstance(comment, CommentCreated)
    assert comment.is_pull


def test_a_blank_review_body_is_no_comment() -> None:
    signals = deliver("pull_request_review", changed("pull_request_review.submitted", "review.body", " \n")).signals
    assert [type(one) for one in signals] == [ReviewSubmitted]


@pytest.mark.parametrize("changes", [{}, {"title": {"from": "x"}}, {"body": {"from": "x"}}, {"base": {}}])
def test_an_edit_that_keeps_the_base_is_nothing(changes: dict[str, object]) -> None:
    document = load("pull_request.edited") | {"changes": changes}
    assert deliver("pull_request", document).ignored_because == "the base did not change"


@pytest.mark.parametrize("change", [{"ref": "refs/tags/v1"}, {"deleted": True}])
def test_tags_and_deleted_branches_are_no_pushes(change: dict[str, object]) -> None:
    """known-faults.md, row 68."""
    assert deliver("push", load("push") | change).signals == ()


def test_surrogates_and_nul_are_replaced_so_that_every_database_stores_them() -> None:
    body = json.dumps(load("issue_comment.created")).replace("/approve r1", "a\\ud800b\\u0000c\\ud83d\\ude00").encode()
    (comment,) = raw("issue_comment", body).signals
    assert isinstance(comment, CommentCreated)
    assert comment.body == "a\ufffdb\ufffdc\N{GRINNING FACE}"


@pytest.mark.parametrize(
    ("captured", "event"),
    [
        ("issues.deleted", "installation"),
        ("issues.deleted", "repository"),
        ("issue_comment.deleted", "issues"),
        ("issue_comment.deleted", "installation"),
        ("label.deleted", "repository"),
        ("repository.deleted", "installation"),
        ("installation_repositories.added", "installation"),
        ("check_run.completed", "check_suite"),
    ],
)
def test_a_captured_body_cannot_pass_for_another_event(captured: str, event: str) -> None:
    """The event's name is in a header, and headers are not signed."""
    assert deliver(event, load(captured)).signals == ()


@pytest.mark.parametrize("part", ["installation", "repository"])
def test_words_that_name_no_place_of_ours_cannot_be_read_and_are_not_of_no_concern(part: str) -> None:
    document = load("issue_comment.created")
    del document[part]
    translation = deliver("issue_comment", document)
    assert (translation.signals, translation.unreadable) == ((), True)


def test_rules_of_a_whole_organization_concern_every_repository_of_it() -> None:
    document = load("repository_ruleset.edited")
    del document["repository"]
    (found,) = deliver("repository_ruleset", document).signals
    assert isinstance(found, RolesChanged)
    assert (found.installation_id, found.repositories, found.rules) == (77, (), True)


@pytest.mark.parametrize("name", ["octo", "octo/", "/app", "octo/app/x", "", None, 5])
def test_a_repository_without_a_whole_name_is_not_addressed(name: object) -> None:
    assert deliver("issue_comment", changed("issue_comment.created", "repository.full_name", name)).signals == ()


def test_an_empty_list_of_removed_repositories_does_not_mean_all_of_them() -> None:
    document = load("installation_repositories.removed") | {"repositories_removed": []}
    assert deliver("installation_repositories", document).ignored_because == "no repository is named"


def test_the_reason_never_holds_the_value() -> None:
    translation = deliver("issues", changed("issues.closed", "issue.id", "ghs_secret"))
    assert (translation.ignored_because, translation.unreadable) == ("unreadable: issue.id (int_type)", True)


def test_what_is_of_no_concern_is_not_unreadable() -> None:
    translation = deliver("star", changed("issues.closed", "repository.id", "x"))
    assert (translation.signals, translation.unreadable) == ((), False)
