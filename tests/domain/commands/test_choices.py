"""Commands that carry a choice or nothing: whatever else stands behind them is refused or passed over, never guessed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from bot.domain.commands.reading import Misread
from bot.domain.model.command_signals import Resume, SetPriority, SettleMerged, SettleUnmerged
from bot.domain.model.policy import STRICT, MergeRule
from bot.domain.model.record import Blocked
from tests.domain.commands.kit import AT, HEAD, a_record, bare, hear, issue, only, pull, refused

MERGE = "b81d0e2c5f7a94d3e6b1082c4f9a7d5e3b60c1f8"
BLOCKED = issue(a_record("blocked", blocked=Blocked(reason="a question", from_="testing", since=AT)))


@pytest.mark.parametrize(
    ("body", "phase"),
    [
        ("/resume", None),
        ("/resume\nIt is answered.", None),
        ("/resume planning", "planning"),
        ("/resume Building", "building"),
        ("/RESUME TESTING", "testing"),
        ("/resume\u00a0sub\u200bmit", "submit"),
        ("/signalbox resume testing\nThe key is there.", "testing"),
    ],
)
def test_resume_takes_one_phase_or_none(body: str, phase: str | None) -> None:
    for thread in (issue(), pull()):
        item = only(hear(body, thread))
        assert isinstance(item, Resume)
        assert item.phase == phase


@pytest.mark.parametrize(
    "rest",
    [
        *[
            "now",
            "testing now",
            "plan_ready",
            "plan",
            "done",
            "blocked",
            "building testing",
            "not testing",
            "build",
            ".",
        ],
        *["`testing`", "testing.", "te\u017fting", "\uff53ubmit", "all", "\U0001f44d"],
    ],
)
def test_resume_refuses_whatever_it_does_not_expect(rest: str) -> None:
    refusal = refused(f"/resume {rest}", BLOCKED).refusal
    assert refusal.code == "bad_argument"
    assert "nothing was resumed" in refusal.message
    assert "`/resume testing`" in refusal.message


@pytest.mark.parametrize("written", [MERGE, MERGE.upper(), f"  {MERGE}\u200b"])
@pytest.mark.parametrize("word", ["merged", "MERGED"])
def test_settle_merged_takes_the_whole_merge_commit(word: str, written: str) -> None:
    item = only(hear(f"/settle {word} {written}\nI looked at the base.", pull()))
    assert isinstance(item, SettleMerged)
    assert item.sha == MERGE


@pytest.mark.parametrize(
    "rest",
    [
        *["", MERGE[:7], MERGE[:12], MERGE[:39], MERGE + "0", "g" * 40, f"{MERGE} please", f"{MERGE} {HEAD}"],
        *[
            f"`{MERGE}`",
            f"{MERGE}.",
            "yes",
            "\u0661" * 40,
            "\uff41" * 40,
            f"https://github.com/octo/app/commit/{MERGE}",
        ],
    ],
)
def test_settle_merged_refuses_anything_but_forty_hex_digits(rest: str) -> None:
    refusal = refused(f"/settle merged {rest}", pull()).refusal
    assert refusal.code == "bad_argument"
    assert "nothing was settled" in refusal.message
    assert "all 40 hex digits" in refusal.message


def test_settle_unmerged_takes_its_reason_from_its_line() -> None:
    item = only(hear("/settle UNMERGED  The branch was closed;  nothing landed.\nThat is all.", pull()))
    assert isinstance(item, SettleUnmerged)
    assert item.why == "The branch was closed; nothing landed."
    long = refused("/settle unmerged " + "long " * 2_000, pull()).refusal
    assert long.message.startswith("Its text has 9,999 characters, and at most 4,000 are kept, so nothing was settled.")


@pytest.mark.parametrize("rest", ["", " .", " \U0001f44d", "\nThe branch was closed."])
def test_settle_unmerged_needs_its_reason(rest: str) -> None:
    refusal = refused(f"/settle unmerged{rest}", pull()).refusal
    assert refusal.code == "bad_argument"
    assert "needs its reason on the same line" in refusal.message


@pytest.mark.parametrize("rest", ["", MERGE, "it", "not merged", "un-merged x", "unmerged: x", f"merged: {MERGE}", "."])
def test_settle_refuses_whatever_it_does_not_expect(rest: str) -> None:
    refusal = refused(f"/settle {rest}", pull()).refusal
    assert refusal.code == "bad_argument"
    assert "Either merged or unmerged follows here" in refusal.message


def test_what_a_misread_settlement_is_answered_with() -> None:
    written = ("", " merged 1b77d20", " merged it", " merged", " maybe", " unmerged")
    told = [refused(f"/settle{rest}", pull()).refusal.message for rest in written]
    firsts, seconds = zip(*(message.split("\n") for message in told), strict=True)
    assert "\n".join(firsts) == snapshot("""\
Either merged or unmerged follows here, and neither was said, so nothing was settled.
The merge commit on the base is needed, with all 40 hex digits and nothing behind it, and `1b77d20` has 7, so nothing was settled.
The merge commit on the base is needed, with all 40 hex digits and nothing behind it, and `it` is not that, so nothing was settled.
The merge commit on the base is needed, with all 40 hex digits and nothing behind it, and none was named, so nothing was settled.
Either merged or unmerged follows here, and `maybe` is neither, so nothing was settled.
Settling as unmerged needs its reason on the same line, so nothing was settled.\
""")  # noqa: E501 - the text is exact
    (second,) = set(seconds)
    assert second == snapshot(
        "If it was merged, an operator comments `/settle merged` and the 40-digit merge commit; "
        "if not, `/settle unmerged` and why."
    )
    assert "`/signalbox settle merged`" in refused("/signalbox settle", pull(), bare(False)).refusal.message


@pytest.mark.parametrize(("written", "value"), [("0", 0), ("1", 1), ("50", 50), ("100", 100), ("007", 7)])
def test_priority_takes_a_whole_number_from_0_to_100(written: str, value: int) -> None:
    for thread in (issue(), pull()):
        item = only(hear(f"/priority {written}\nIt is urgent.", thread))
        assert isinstance(item, SetPriority)
        assert item.priority == value


@pytest.mark.parametrize(
    "rest",
    [
        *[
            "",
            "high",
            "high high",
            "-1",
            "+1",
            "101",
            "999",
            "1000",
            "99999999999999999999",
            "9" * 5_000,
            "5 5",
            "5 please",
        ],
        *[
            "1.5",
            "1,5",
            "5.",
            "#5",
            "0x1f",
            "1e1",
            "NaN",
            "\u0665",
            "\uff15",
            "\u00b2",
            "\u2460",
            "5\u20e3",
            "`5`",
            "--",
            "%s",
        ],
    ],
)
def test_priority_refuses_everything_else(rest: str) -> None:
    """known-faults.md, row 20."""
    refusal = refused(f"/priority {rest}", issue()).refusal
    assert refusal.code == "bad_argument"
    assert "one whole number from 0 to 100" in refusal.message
    assert len(refusal.message) < 300


@given(st.text(max_size=40))
def test_no_text_behind_a_choice_breaks_the_reading(text: str) -> None:
    for verb in ("priority", "settle", "settle merged", "resume"):
        for item in hear(f"/{verb} {text}", pull())[:1]:
            assert isinstance(item, Misread | SetPriority | SettleMerged | SettleUnmerged | Resume)


@pytest.mark.parametrize("verb", ["unhold", "revoke", "unlink", "merge", "retry"])
@pytest.mark.parametrize("rest", ["", " please", " it, now!", "\nAs agreed.", " testing 3f2a91c"])
def test_words_behind_a_verb_without_arguments_are_passed_over(verb: str, rest: str) -> None:
    item = only(hear(f"/{verb}{rest}", pull()))
    assert not isinstance(item, Misread)
    assert item.source.text.startswith(f"/{verb}")


@pytest.mark.parametrize("body", ["/unlink", "/merge", f"/settle merged {MERGE}", "/settle unmerged no", "/settle"])
def test_what_is_about_a_pull_request_is_refused_on_the_issue(body: str) -> None:
    refusal = refused(body, issue()).refusal
    assert refusal.code == "wrong_place"
    assert "works on the pull request only" in refusal.message


def test_a_policy_that_merges_by_itself_still_hears_the_command() -> None:
    for policy in (STRICT, STRICT.model_copy(update={"merge": MergeRule(trigger="command")})):
        assert only(hear("/merge", pull(), policy)).source.text == "/merge"
