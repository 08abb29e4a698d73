"""Defects of who may say which command: each command's own guard, found by the table of who may what."""

from tests.rules.mutants.mutant import Mutant

BLOCKING = "bot/domain/lifecycle/blocking.py"
STOPPING = "bot/domain/lifecycle/stopping.py"
JUDGING = "bot/domain/lifecycle/judging.py"
URGING = "bot/domain/lifecycle/urging.py"
PLANNING = "bot/domain/lifecycle/planning.py"
TABLE = "domain/lifecycle/test_who_may.py::test_who_may_what_and_when"

WHO_MAY = (
    Mutant(
        "a builder may hold",
        STOPPING,
        'lacks_role(turn, "reviewer", "operator"):\n        return refusal\n    if record.held is not None',
        'lacks_role(turn, "builder", "reviewer", "operator"):\n        return refusal\n    if record.held is not None',
        f"{TABLE}[/hold not on Friday on the issue]",
        "whoever codes stops merges that others opened the gate for",
    ),
    Mutant(
        "a reviewer may lift anybody's hold",
        STOPPING,
        '(refusal := lacks_role(turn, "operator")):\n        return refusal\n    if refusal := written_before',
        '(refusal := lacks_role(turn, "builder", "operator")):\n        return refusal\n    if refusal := written_before',
        f"{TABLE}[/unhold on the issue]",
        "whoever wants the merge lifts the hold that somebody put on it",
    ),
    Mutant(
        "a builder may send back",
        STOPPING,
        'lacks_role(turn, "reviewer", "operator"):\n        return refusal\n    send_back',
        'lacks_role(turn, "builder", "reviewer", "operator"):\n        return refusal\n    send_back',
        f"{TABLE}[/rework smaller, please on the pull request]",
        "a builder judges heads",
    ),
    Mutant(
        "a reviewer may cancel",
        STOPPING,
        'lacks_role(turn, "builder", "operator"):\n        return Ignore(',
        'lacks_role(turn, "builder", "reviewer", "operator"):\n        return Ignore(',
        f"{TABLE}[/cancel not needed on the issue]",
        "whoever only judges throws work away",
    ),
    Mutant(
        "a reader may answer",
        BLOCKING,
        '    if refusal := lacks_role(turn, "operator"):\n        return refusal\n    if signal.question is None',
        "    if signal.question is None",
        f"{TABLE}[/answer The old one. on the issue]",
        "a stranger answers in the operators' place",
    ),
    Mutant(
        "a builder may resume under any rules",
        BLOCKING,
        'roles = ("operator", "builder") if turn.policy.blocked_recovery == "builder" else ("operator",)',
        'roles = ("operator", "builder")',
        f"{TABLE}[/resume planning on the issue]",
        "blocked is left without the person that the policy asks for",
    ),
    Mutant(
        "no builder may resume, whatever the rules",
        BLOCKING,
        'roles = ("operator", "builder") if turn.policy.blocked_recovery == "builder" else ("operator",)',
        'roles = ("operator",)',
        "domain/lifecycle/test_resuming.py::"
        "test_where_the_policy_lets_builders_resume_a_builder_does_and_nothing_else_of_an_operators",
        "the policy's `blocked_recovery` means nothing",
    ),
    Mutant(
        "nobody reads that builders may resume",
        "bot/domain/explain/ended_rows.py",
        'return policy.blocked_recovery == "builder" and resumes',
        "return False",
        "domain/projections/test_blocked_notices.py::"
        "test_where_builders_may_resume_everything_says_so_and_an_answer_stays_an_operators",
        "who could lets the work wait for somebody else",
    ),
    Mutant(
        "a builder may retry",
        BLOCKING,
        '    if refusal := lacks_role(turn, "operator") or written_before(signal, "it was blocked", since):',
        '    if refusal := lacks_role(turn, "operator", "builder") or written_before(signal, "it was blocked", since):',
        f"{TABLE}[/retry on the issue]",
        "a budget that was used up ends nothing",
    ),
    Mutant(
        "a reader may block",
        BLOCKING,
        '    if refusal := lacks_role(turn, "builder", "reviewer", "operator"):\n        return refusal\n',
        "",
        f"{TABLE}[/block Which store? on the issue]",
        "a stranger stops everybody's work",
    ),
    Mutant(
        "a reader may set priorities",
        URGING,
        '    if refusal := lacks_role(turn, "operator"):\n        return refusal\n    if turn.record.priority',
        "    if turn.record.priority",
        f"{TABLE}[/priority 80 on the issue]",
        "a stranger says what is built first",
    ),
    Mutant(
        "a reviewer may urge the merge",
        URGING,
        'lacks_role(turn, "operator") or written_before(signal, "it came',
        'lacks_role(turn, "operator", "reviewer") or written_before(signal, "it came',
        f"{TABLE}[/merge on the pull request]",
        "the merge that an operator keeps for a moment of their choice happens without one",
    ),
    Mutant(
        "a reviewer may open the human gate",
        JUDGING,
        'lacks_role(turn, "operator" if operator else "reviewer", seat=(gate, kind))',
        'lacks_role(turn, "reviewer", seat=(gate, kind))',
        f"{TABLE}[/gate GATE SHA on the pull request]",
        "the human gate is one more review",
    ),
    Mutant(
        "a reviewer may declare a candidate",
        JUDGING,
        '    if refusal := lacks_role(turn, "builder"):\n',
        '    if refusal := lacks_role(turn, "builder", "reviewer"):\n',
        f"{TABLE}[/candidate SHA on the pull request]",
        "a head that a review rejected comes back without its builder",
    ),
    Mutant(
        "a reader may submit a plan",
        PLANNING,
        '    if refusal := lacks_role(turn, "builder"):\n        return refusal\n    before',
        "    before",
        TABLE,
        "a stranger replaces the plan",
    ),
)
