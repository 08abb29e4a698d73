"""Defects of authority: which words of which people count for what."""

from tests.rules.mutants.mutant import Mutant

GATE = "bot/domain/gates/gate.py"
BINDING = "bot/domain/lifecycle/binding.py"
PEOPLE = "bot/domain/lifecycle/people.py"
ROLES = "bot/domain/lifecycle/roles.py"
SEPARATION = "bot/domain/gates/separation.py"
PREREQUISITES = "bot/domain/lifecycle/prerequisites.py"
EVERY_BINDING = (
    "domain/gates/test_gate.py::test_a_decision_on_a_head_counts_only_while_every_binding_is_the_present_one"
)
SHOWN = "domain/lifecycle/test_binding.py::test_the_short_form_is_about_what_was_shown_strictly_before_it"
LATE = "domain/lifecycle/test_binding.py::test_no_decision_counts_for_a_gate_that_opened_after_it_was_written"


def _unbound(name: str, condition: str, why: str) -> Mutant:
    return Mutant(f"{name} ignored", GATE, f"if {condition}:", "if False:", EVERY_BINDING, why)


BOUND = (
    _unbound(
        "the epoch is", "decision.epoch != record.head_epoch", "a head that went away and came back is approved still"
    ),
    _unbound("the head is", "decision.head != record.head", "a push keeps the approvals of the head before"),
    _unbound("the base is", "decision.base != record.base", "an approval for one branch merges into another"),
    _unbound(
        "the pull request is",
        "decision.pull_request != record.pull_request",
        "an approval of one pull request merges another one",
    ),
    Mutant(
        "the round is ignored",
        GATE,
        "if decision.round != record.gates_opened.of(decision.gate).round:",
        "if False:",
        EVERY_BINDING,
        "an approval from before a rejection counts again",
    ),
    Mutant(
        "the text of the plan is ignored",
        GATE,
        "decision.revision != plan.revision or decision.digest != plan.digest:",
        "decision.revision != plan.revision:",
        EVERY_BINDING,
        "a plan is exchanged under its number",
    ),
    Mutant(
        "the revision of the plan is ignored",
        GATE,
        "decision.revision != plan.revision or decision.digest != plan.digest:",
        "decision.digest != plan.digest:",
        EVERY_BINDING,
        "an approval counts for another revision with the same text",
    ),
    Mutant(
        "approvals survive a push",
        "bot/domain/lifecycle/actions.py",
        "_void(turn, OF_THE_HEAD, SENT_BACK if turn.signal.kind in SENDING_BACK else _LED_BACK.get(turn.signal.kind, _BACK))",
        "pass",
        "domain/lifecycle/test_pulls.py::test_a_push_voids_what_was_decided_and_releases_what_was_reserved",
        "what was said about an old head is not void for good",
    ),
    Mutant(
        "a dismissed review counts on",
        GATE,
        "    if decision.void is not None:\n        return decision.void\n",
        "",
        "domain/gates/test_gate.py::test_what_was_voided_for_good_never_counts_again",
        "what a person took back merges",
    ),
    Mutant(
        "a push is not counted",
        "bot/domain/lifecycle/pulls.py",
        "next_epoch(turn, head=pull.head_sha, pull=linked",
        "turn.set(head=pull.head_sha, pull=linked",
        "domain/lifecycle/test_pulls.py::test_the_epoch_counts_every_move_and_the_push_that_explains_one_counts_nothing",
        "A to B to A looks as if nothing had been pushed",
    ),
)

WRITTEN = (
    Mutant(
        "a gate that opened later counts",
        BINDING,
        "if opened_at is None or written_at <= opened_at:",
        "if opened_at is None:",
        LATE,
        "a comment approves what did not exist when it was written",
    ),
    Mutant(
        "a comment in the second of the opening counts",
        BINDING,
        "written_at <= opened_at:",
        "written_at < opened_at:",
        LATE,
        "within a second nobody can say which came first",
    ),
    Mutant(
        "a comment in the second of the showing counts",
        BINDING,
        "row.updated_at < written_at",
        "row.updated_at <= written_at",
        SHOWN,
        "a comment approves what its writer may not have seen",
    ),
    Mutant(
        "the short form is about what is there now",
        BINDING,
        "        if not shows(row, record, gate):",
        "        if row is None:",
        SHOWN,
        "a push between reading and writing is approved unseen",
    ),
    Mutant(
        "the shown epoch does not matter",
        BINDING,
        "return (row.gate, row.round, row.head, row.epoch) == present",
        "return (row.gate, row.round, row.head) == present[:3]",
        SHOWN,
        "a head that went away and came back is approved by an old page",
    ),
    Mutant(
        "any gate word fits the open gate",
        BINDING,
        "if word is not None and word != gate:",
        "if word is not None and gate is None:",
        "domain/lifecycle/test_binding.py::test_before_anything_was_shown_only_the_explicit_form_counts",
        "words about testing open the gate to the merge",
    ),
    Mutant(
        "any sha fits the present head",
        BINDING,
        'if not (record.head or "").startswith(named.lower()):',
        'if not named and not (record.head or "").startswith(named.lower()):',
        "domain/lifecycle/test_binding.py::test_before_anything_was_shown_only_the_explicit_form_counts",
        "an approval that names another commit counts for this one",
    ),
    Mutant(
        "digits of two heads name the present one",
        BINDING,
        "    if any(head.startswith(named.lower()) for head in known):\n",
        "    if any(head == named for head in known):\n",
        "domain/lifecycle/test_binding.py::test_digits_that_begin_more_than_one_known_head_name_none",
        "an approval of an older head counts for this one",
    ),
    Mutant(
        "a stop is stale like an approval",
        BINDING,
        "    if row.head is not None and row.head != record.head:",
        "    if (row.head, row.round) != (record.head, record.review_round):",
        "domain/lifecycle/test_judging.py::test_a_rejection_is_never_stale_while_its_head_is_there",
        "a reviewer's no is dropped because the gate moved on",
    ),
    Mutant(
        "edited comments command",
        "bot/github/inbound/table.py",
        '("issue_comment", "edited"): comments.changed,',
        '("issue_comment", "edited"): comments.on_issue,',
        "github/test_inbound_hostile.py::test_an_edited_comment_of_somebody_commands_nothing",
        "a harmless comment becomes an approval later",
    ),
    Mutant(
        "the sender of a comment need not be its writer",
        "bot/github/inbound/comments.py",
        "if comment.user.id != seen.actor.id:",
        "if comment.user.id is None:",
        "github/test_inbound_hostile.py::test_a_comment_sent_by_another_account_than_its_author_is_not_heard",
        "somebody else's event speaks in a person's name",
    ),
)

SEATED = (
    Mutant(
        "authors approve themselves",
        PEOPLE,
        "if actor.id in excluded(record, policy, gate, kind):",
        "if actor.id == -1:",
        "domain/lifecycle/test_judging.py::test_authors_and_pushers_fill_no_seat",
        "who wrote it approves it",
    ),
    Mutant(
        "a stored approval of an author fills a seat",
        GATE,
        "decision.by.id in barred or decision.by.id in taken",
        "decision.by.id in taken",
        "domain/gates/test_gate.py::test_a_stored_approval_of_an_author_or_pusher_fills_no_seat",
        "who becomes a pusher after approving keeps the seat",
    ),
    Mutant(
        "pushers are not excluded",
        SEPARATION,
        '            bar(pusher, "pushed commits")\n',
        "            pass\n",
        "domain/gates/test_gate.py::test_who_may_not_fill_a_seat",
        "who pushed the last commit approves it",
    ),
    Mutant(
        "one person fills two seats",
        PEOPLE,
        "if mine and policy.separation.distinct_people:",
        "if mine and not policy.separation.distinct_people:",
        "domain/lifecycle/test_judging.py::test_nobody_fills_both_kinds_of_seat_of_one_gate",
        "four eyes become two",
    ),
    Mutant(
        "one person in two stored seats",
        GATE,
        'if kind == "operator" and policy.separation.distinct_people:',
        'if kind == "owner" and policy.separation.distinct_people:',
        "domain/gates/test_gate.py::test_nobody_fills_two_seats_of_one_gate",
        "a stored double decision completes a gate",
    ),
    Mutant(
        "saying it twice counts twice",
        GATE,
        "filled.setdefault(decision.by.id, decision)",
        "filled.setdefault(decision.id, decision)",
        "domain/gates/test_gate.py::test_one_person_is_one_seat_however_often_it_is_said",
        "one reviewer is two",
    ),
    Mutant(
        "an unknown permission is a yes",
        PEOPLE,
        "        return denying.could_not_verify(turn, found)\n",
        "        return None\n",
        "domain/lifecycle/test_judging.py::test_only_a_proven_reviewer_decides",
        "an error of GitHub lets anybody approve",
    ),
    Mutant(
        "a renamed account inherits its rights",
        ROLES,
        "    if permission.user_id != who.id:\n        return Standing(holds=False, permission=permission)\n",
        "",
        "domain/lifecycle/test_judging.py::test_only_a_proven_reviewer_decides",
        "whoever takes a freed login has its rights",
    ),
    Mutant(
        "readers review",
        "bot/domain/policy/seats.py",
        "    if rule.permission is not None and LEVELS.index(who.level) >= LEVELS.index(rule.permission):\n",
        "    if rule.permission is not None:\n",
        "domain/lifecycle/test_judging.py::test_only_a_proven_reviewer_decides",
        "everybody who can see it can approve it",
    ),
    Mutant(
        "agents fill seats",
        PEOPLE,
        'if actor.kind != "person":',
        'if actor.kind == "nobody":',
        "domain/lifecycle/test_judging.py::test_nobody_but_a_person_fills_a_seat",
        "a token opens the human gate",
    ),
    Mutant(
        "permissions are not read again at the merge",
        PREREQUISITES,
        "    if not turn.policy.recheck_at_merge:\n",
        "    if turn.policy.recheck_at_merge:\n",
        "domain/lifecycle/test_prerequisites.py::test_whatever_is_in_the_way_releases_the_reservation_and_nothing_is_asked",
        "who left the project merges",
    ),
    Mutant(
        "an unreadable permission at the merge is a yes",
        PREREQUISITES,
        "for each, may in known if may is True)",
        "for each, may in known if may is not False)",
        "domain/lifecycle/test_prerequisites.py::test_whatever_is_in_the_way_releases_the_reservation_and_nothing_is_asked",
        "an error of GitHub keeps a right that was taken away",
    ),
    Mutant(
        "anybody's pull request links itself",
        "bot/domain/lifecycle/pulls.py",
        "    if not _of_a_builder(turn, pull, signal):\n",
        "    if False:\n",
        "domain/lifecycle/test_linking.py::test_no_other_pull_request_links_itself",
        "a stranger's branch is judged in place of the planned work",
    ),
    Mutant(
        "anybody starts a record",
        "bot/domain/lifecycle/starting.py",
        "    if not found.holds:\n",
        '    if found.permission.level == "none":\n',
        "domain/lifecycle/test_issues.py::test_nobody_else_starts_one",
        "triage starts work in other people's names",
    ),
)

AUTHORITY = (*BOUND, *WRITTEN, *SEATED)
