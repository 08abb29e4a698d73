"""Defects that let words count for what their writer never saw, or let a stop be passed over."""

from tests.rules.mutants.mutant import Mutant

BINDING = "bot/domain/lifecycle/binding.py"
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
)
