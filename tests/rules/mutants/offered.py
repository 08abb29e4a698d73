"""Defects of what people are told to type, and of what they are told it does."""

from tests.rules.mutants.mutant import Mutant

RESUMES = "cli/test_offered_resumes.py::test_"

OFFERED = (
    Mutant(
        "a phase that nothing goes on in is offered",
        "bot/domain/explain/ended_rows.py",
        "resume {furthest(record.blocked.from_)}",
        "resume {record.blocked.from_}",
        f"{RESUMES}the_command_that_is_offered_to_go_on_is_one_everywhere_and_works",
        "an operator copies the command and is refused",
    ),
    Mutant(
        "a line of a plan that looks like a command is not told",
        "bot/app/comments.py",
        "        if in_the_plan and outcomes:\n",
        "        if False:\n",
        "scenarios/test_plans.py::test_a_stop_below_a_plan_is_text_of_the_plan_and_its_writer_is_told",
        "a stop below a plan is lost, and its writer believes that it holds",
    ),
    Mutant(
        "whoever was heard when a head was found has pushed it",
        "bot/domain/projections/told.py",
        "step.head is not None and not step.detail:",
        "step.head is not None:",
        "web/pages/test_told.py::test_a_version_is_told_in_one_sentence",
        "the history names an act that nobody did",
    ),
    Mutant(
        "what going on costs is not said",
        "bot/domain/model/resuming.py",
        'record.blocked.from_ != "plan_ready"',
        "record.blocked",
        f"{RESUMES}that_going_on_costs_the_plan_is_said_before_it_is_done",
        "an operator gives up a plan and its approvals without knowing",
    ),
    Mutant(
        "an approval that is only stored gets a bare thumb up",
        "bot/app/comments.py",
        "told=while_blocked(item, outcome.record)",
        "told=None",
        "scenarios/test_blocked.py::test_an_approval_of_a_plan_that_is_blocked_is_not_called_counted",
        "a reviewer believes that the plan is approved",
    ),
    Mutant(
        "a field that the demo does not know is passed over",
        "bot/bootstrap/demo/hands.py",
        "    if odd or not named:\n",
        "    if not named:\n",
        "cli/test_hands.py::test_what_is_not_known_is_refused_with_what_there_is",
        "whoever tries something believes that it was done",
    ),
    Mutant(
        "who lifts a hold is not said",
        "bot/domain/explain/merge_row.py",
        "which stops the merge only; {who} can lift it with",
        "which stops the merge only; lift it with",
        "cli/test_explaining.py::test_what_is_held_says_how_that_is_lifted_and_offers_no_second_hold",
        "a reviewer types a command that is refused",
    ),
    Mutant(
        "the end of a window is cut down to its second",
        "bot/domain/model/text.py",
        "timedelta(seconds=1) if at.microsecond else at",
        "timedelta(seconds=0) if at.microsecond else at",
        "domain/lifecycle/test_true_answers.py::"
        "test_at_the_second_that_is_named_a_merge_can_be_settled_and_every_face_names_that_one",
        "an operator waits for a moment that has passed, and is refused again",
    ),
    Mutant(
        "a question that is answered still needs an answer",
        "bot/app/evidence.py",
        ": {blocker(record)}",
        ": {stopped.reason}",
        f"{RESUMES}the_evidence_for_going_on_does_not_contradict_itself_after_an_answer",
        "an operator does not know whether to answer or to resume",
    ),
)
