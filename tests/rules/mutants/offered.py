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
)
