"""Defects of what happens between a merge that was refused or given back and the next request."""

from tests.rules.mutants.mutant import Mutant

RESERVATION = "bot/domain/merging/reservation.py"
MERGING = "bot/domain/lifecycle/merging.py"
COMMANDED = "domain/lifecycle/test_commanded.py::"

REASKED = (
    Mutant(
        "a reservation forgets that it was settled as unmerged",
        RESERVATION,
        "        needs_gate_after=record.merge.needs_gate_after,\n",
        "",
        "domain/lifecycle/test_prerequisites.py"
        "::test_the_human_gate_that_a_settlement_asks_for_is_still_asked_for_when_it_is_taken_back",
        "the gate that led to it is taken back, and it is asked for without any",
    ),
    Mutant(
        "what was asked before binds the next request to its endpoint",
        MERGING,
        'return "sync" if learnt else signal.api',
        'return turn.record.merge.api or ("sync" if learnt else signal.api)',
        "domain/lifecycle/test_merging.py::test_the_next_request_obeys_the_setting_whatever_was_asked_before",
        "an operator's setting means nothing for a record that has asked once",
    ),
    Mutant(
        "where only the asynchronous merge is wanted, what was learnt before counts",
        MERGING,
        "learnt = turn.record.merge.no_async and not turn.facts.async_only",
        "learnt = turn.record.merge.no_async",
        "domain/lifecycle/test_merging.py::test_the_next_request_obeys_the_setting_whatever_was_asked_before[async]",
        "an operator's setting means nothing for a record that has asked once",
    ),
    Mutant(
        "a command to merge is forgotten with the next reservation",
        RESERVATION,
        "        commanded=record.merge.commanded,\n",
        "",
        f"{COMMANDED}test_it_goes_on_by_itself_after_what_was_no_no",
        "an accepted command is lost to a hiccup, and nobody is told",
    ),
    Mutant(
        "a command to merge is lost to a hiccup",
        "bot/domain/lifecycle/following.py",
        'trigger == "command" and not is_commanded(turn.record)',
        'trigger == "command"',
        f"{COMMANDED}test_it_goes_on_by_itself_once_what_could_not_be_read_is_read",
        "an accepted command is lost, and nobody is told",
    ),
    Mutant(
        "a command to merge outlives GitHub's no",
        "bot/domain/lifecycle/ending.py",
        "commanded = before.commanded if for_now else None",
        "commanded = before.commanded",
        f"{COMMANDED}test_github_s_own_no_ends_it_and_is_still_said",
        "what GitHub refused is asked for again without a new word",
    ),
    Mutant(
        "a command to merge outlives its head",
        RESERVATION,
        "return record.merge.commanded == command_for(record)",
        "return record.merge.commanded is not None",
        f"{COMMANDED}test_a_word_about_another_head_or_round_asks_for_nothing",
        "a merge is asked for by a word about something else",
    ),
    Mutant(
        "a command to merge outlives a hold",
        "bot/domain/lifecycle/stops.py",
        "    turn.set_merge(commanded=None)\n",
        "    turn.set_merge(commanded=turn.record.merge.commanded)\n",
        f"{COMMANDED}test_a_person_s_stop_ends_it",
        "lifting a hold merges at once, where the policy wants a word",
    ),
    Mutant(
        "what GitHub said is forgotten while a command is waited for",
        "bot/domain/lifecycle/following.py",
        'if merge.state != "refused" or not tells_of_the_request(merge):',
        'if merge.state != "refused" or tells_of_the_request(merge):',
        f"{COMMANDED}test_github_s_own_no_ends_it_and_is_still_said",
        "nobody reads why it was refused",
    ),
    Mutant(
        "whatever stands in the way of the next request is GitHub's refusal",
        "bot/domain/merging/unmerged.py",
        "return merge.reason_code is None or merge.reason_code in _CLAUSES",
        "return True",
        "domain/lifecycle/test_waking.py"
        "::test_what_stands_in_the_way_of_the_next_request_is_not_said_to_be_github_s_refusal",
        "people look for a rule of GitHub that does not exist",
    ),
    Mutant(
        "any word asks GitHub again",
        "bot/domain/lifecycle/asking_again.py",
        "or _facts(turn.record) != _facts(turn.began)",
        "or turn.changed",
        "domain/lifecycle/test_waking.py::test_what_changes_nothing_about_the_merge_does_not_ask_github_again",
        "a refused merge is asked for with each priority that somebody sets",
    ),
    Mutant(
        "news of what GitHub may refuse for asks nothing again",
        "bot/domain/lifecycle/asking_again.py",
        "return turn.signal.kind in TELLS or",
        "return",
        "domain/lifecycle/test_waking.py::test_news_of_what_github_may_refuse_for_asks_it_again",
        "a rule that is met by now is not noticed",
    ),
    Mutant(
        "each new version goes to the end of the line",
        "bot/domain/lifecycle/turn.py",
        "return self._closed.complete_since or self.now",
        "return self.now",
        "domain/lifecycle/test_in_line.py::test_it_is_since_the_last_thing_was_given",
        "whoever was complete first is merged last",
    ),
    Mutant(
        "what is held keeps its place in line",
        "bot/domain/gates/gate.py",
        "or record.frozen is not None or record.held is not None",
        "or record.frozen is not None",
        "scenarios/test_merging.py::test_merges_into_one_base_come_in_the_order_in_which_they_were_complete",
        "who was held back goes before who was ready",
    ),
    Mutant(
        "rules that ask for more take the check away from what GitHub was asked",
        "bot/domain/projections/check_run.py",
        "(authority_stands(record) or authority_complete(record, policy))",
        "authority_complete(record, policy)",
        "scenarios/test_tightened.py::test_what_github_was_asked_keeps_its_check_by_the_rules_of_the_request",
        "the merge that was asked for in time fails for want of our own check",
    ),
    Mutant(
        "what GitHub was asked keeps its check without any decision",
        "bot/domain/gates/gate.py",
        "return bool(given) and count >= set(given) and",
        "return bool(given) and",
        "domain/projections/test_check_run.py::test_stricter_rules_take_every_other_success_away",
        "success stands on what nobody approves",
    ),
)
