"""Defects that let words count for what their writer never saw, or let a stop be passed over."""

from tests.rules.mutants.mutant import Mutant

BINDING = "bot/domain/lifecycle/binding.py"
TOGETHER = "scenarios/test_contradictions.py::"
OTHER_HEAD = "scenarios/test_words_of_another_head.py::"

HEARD_WORDS = (
    Mutant(
        "words in a review of another head are about this one",
        "bot/domain/lifecycle/spoken_on.py",
        "source.commit is None or source.commit == record.head:",
        "True:",
        OTHER_HEAD + "test_short_words_in_reviews_that_were_begun_on_c1_do_not_judge_c2",
        "a head is merged that nobody looked at",
    ),
    Mutant(
        "the sweep does not say what a review stands on",
        "bot/app/sweep/found.py",
        "        commit=found.commit,\n    )\n\n\ndef verdict",
        "    )\n\n\ndef verdict",
        OTHER_HEAD + "test_a_short_word_on_a_line_of_c1_whose_delivery_was_lost_does_not_judge_c2",
        "a lost delivery lets a word count for another head",
    ),
    Mutant(
        "a candidate in a review of another head offers this one",
        "bot/domain/lifecycle/judging.py",
        'on_another_commit(record, signal.source, signal.sha, "candidate")',
        "None",
        OTHER_HEAD + "test_a_candidate_declared_in_a_review_of_c1_does_not_offer_c2",
        "a head is offered again by a word about another one",
    ),
    Mutant(
        "a status comment that is behind voids a stop",
        BINDING,
        "row is None or not _shows_present(turn, source.thread):",
        "row is None:",
        OTHER_HEAD + "test_a_stop_counts_though_our_status_comment_could_not_be_written",
        "a stop is lost because our own comment could not be edited",
    ),
    Mutant(
        "a stop in a review is bound to the head that was shown",
        BINDING,
        "None if source.commit is not None else shown_before(turn, source.thread, source.created_at)",
        "shown_before(turn, source.thread, source.created_at)",
        OTHER_HEAD + "test_a_stop_in_a_review_of_c1_stops_what_is_there_now",
        "a stop is passed over",
    ),
    Mutant(
        "a hold is about the head that was shown",
        "bot/domain/lifecycle/stopping.py",
        'lacks_role(turn, "reviewer", "operator"):\n        return refusal\n    if record.held is not None:',
        "already_void(turn, signal.source):\n        return refusal\n    if record.held is not None:",
        OTHER_HEAD + "test_a_stop_of_the_work_that_is_heard_after_a_push_counts",
        "a hold is lost because somebody pushed",
    ),
    Mutant(
        "the commands of one comment are brought as they stand",
        "bot/domain/commands/contradicting.py",
        "sorted(enumerate(items), key=lambda each: not _is(each[1], STOPS))",
        "list(enumerate(items))",
        TOGETHER + "test_a_hold_below_the_gate_in_one_comment_is_heard_first",
        "a gate merges although the same comment holds the work",
    ),
    Mutant(
        "an unverified stop stops nothing of its text",
        "bot/domain/commands/contradicting.py",
        "if unverified and _is(item, AUTHORITY):",
        "if False:",
        TOGETHER + "test_a_gate_does_not_count_beside_a_hold_of_which_github_does_not_say_whether_it_counts",
        "a gate merges although the same comment may hold the work",
    ),
    Mutant(
        "what lifts a stop counts above another one",
        "bot/domain/commands/contradicting.py",
        "_is(item, LIFTS) and any(",
        "False and any(",
        TOGETHER + "test_an_unhold_above_a_hold_lifts_nothing",
        "a stop is undone by a word that was written before it",
    ),
    Mutant(
        "the body of a review comes before requested changes",
        "bot/github/inbound/reviews.py",
        '(verdict, *body) if state == "changes_requested" else (*body, verdict)',
        "(*body, verdict)",
        TOGETHER + "test_requested_changes_beat_an_approve_in_the_same_review",
        "an approval in the body merges before the requested changes are decided",
    ),
    Mutant(
        "the verdict of a review does not wait for its body",
        "bot/app/sweep/pulls.py",
        '(review.state == "approved" and decided)',
        'review.state == "approved"',
        "sweep/test_reviews.py::test_an_approving_verdict_waits_for_a_body_that_was_edited_just_now",
        "an approval counts while the rejection beside it is not decided",
    ),
    Mutant(
        "a rejection in the body of a review is not known as its verdict",
        "bot/domain/lifecycle/judging.py",
        "said_by_its_review(record, signal.source) or _nothing_to_stop(turn)",
        "_nothing_to_stop(turn)",
        TOGETHER + "test_requested_changes_that_are_also_said_in_the_body_are_one_no",
        "a reviewer who said one thing is told that it was refused",
    ),
)
