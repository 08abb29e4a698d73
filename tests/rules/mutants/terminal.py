"""Defects of what operators do at the machine: what their word counts for, what is done twice, what recovery invents."""

from tests.rules.mutants.mutant import Mutant

ORDERS = "domain/lifecycle/test_at_the_machine.py"

SAID = (
    Mutant(
        "whoever may open the database opens human gates",
        "bot/domain/lifecycle/people.py",
        'if actor.kind == "cli" and "operator" in roles and turn.signal.kind in FROM_THE_MACHINE:',
        'if actor.kind == "cli" and "operator" in roles:',
        f"{ORDERS}::test_no_judgement_and_no_gate_comes_from_the_machine",
        "a shell on the server approves a merge",
    ),
    Mutant(
        "a settlement is timed by the clock of the machine",
        "bot/domain/lifecycle/settlement.py",
        "return turn.facts.github_time() or signal.source.created_at",
        "return signal.source.created_at",
        f"{ORDERS}::test_after_a_settlement_from_the_machine_the_next_gate_is_later_by_github_s_clock",
        "a gate that was opened before the settlement leads to the next request",
    ),
    Mutant(
        "an order is given to whatever the record is by now",
        "bot/app/transact.py",
        "if expected is not None and known.loaded is not None and known.loaded.record.version != expected:",
        "if False:",
        "app/test_orders.py::test_an_order_is_for_the_version_that_was_looked_at",
        "somebody agrees to one thing and another is done",
    ),
    Mutant(
        "a delivery that is being worked on is replayed",
        "bot/app/replay.py",
        "if row is not None and row.state in OVER:",
        "if row is not None:",
        "app/test_replay.py::test_a_delivery_stays_with_whoever_works_on_it",
        "two workers apply the deliveries of one repository at once",
    ),
)

RECOVERY = "app/test_recovery.py"
RECOVERED = (
    Mutant(
        "a hold is not told of where the work stands still",
        "bot/domain/explain/tree.py",
        "        yield _standstill(record, policy)\n        yield from _hold(record, policy, as_of)\n",
        "        yield _standstill(record, policy)\n",
        "domain/projections/test_agreement.py::test_comment_check_and_tree_agree_on_who_is_awaited",
        "whoever lets blocked work go on is surprised that it does not merge",
    ),
    Mutant(
        "a second hold is offered",
        "bot/domain/explain/offers.py",
        "if record.held is None else (back,)",
        "if record.installation_id else (back,)",
        "cli/test_explaining.py::test_what_is_held_says_how_that_is_lifted_and_offers_no_second_hold",
        "people type what is refused",
    ),
    Mutant(
        "a request that may still be answered is given up",
        "bot/domain/merging/reservation.py",
        " and merge.uuid is None and (merge.lease_ends is None or merge.lease_ends <= now)",
        " and merge.uuid is None and now >= now",
        f"{RECOVERY}::test_a_request_to_merge_whose_sender_died_becomes_ambiguous_and_is_not_repeated",
        "recovery calls a merge ambiguous while its sender waits for the answer",
    ),
    Mutant(
        "recovery takes from the server what it works on",
        "bot/app/recovery.py",
        'if (alone and not over) if what == "hold" else (alone or over):',
        "if True:",
        f"{RECOVERY}::test_beside_a_running_server_what_it_works_on_is_its_own",
        "a delivery is worked on twice at once",
    ),
    Mutant(
        "a hold that is over was left by somebody",
        "bot/app/recovery.py",
        'if (alone and not over) if what == "hold" else (alone or over):',
        "if alone or over:",
        f"{RECOVERY}::test_a_hold_whose_time_is_over_holds_nothing_and_is_not_listed",
        "whoever restores a backup is told of processes that never crashed",
    ),
    Mutant(
        "what the server works on is called free",
        "bot/app/recovery.py",
        "        if (this.what, this.id) in self._freed:\n",
        "        if claimed:\n",
        f"{RECOVERY}::test_beside_a_server_nothing_is_called_free_that_it_still_has",
        "whoever recovers believes that a claim is gone, and looks no further",
    ),
    Mutant(
        "what a killed bot was sweeping waits for its lease",
        "bot/app/restart.py",
        "tx.sweeps.free_abandoned())",
        "0)",
        "races/test_restart.py::test_what_a_killed_bot_was_sweeping_is_swept_at_once",
        "for minutes after a restart nothing lost is found in a repository",
    ),
)

CAREFUL = (
    Mutant(
        "the database is open to everybody on the machine",
        "bot/store/connections.py",
        "MODE = 0o600",
        "MODE = 0o644",
        "store/test_opening.py::test_nobody_else_on_the_machine_may_open_the_database",
        "other users of the machine read what private repositories say",
    ),
    Mutant(
        "a script that says nothing agrees",
        "bot/cli/asking.py",
        "    if not sys.stdin.isatty():\n",
        "    if not sys.stdin.isatty() and yes:\n",
        "cli/test_orders.py::test_a_dry_run_and_an_unasked_script_change_nothing",
        "what a script must say to change something is not told",
    ),
    Mutant(
        "records without history are sound",
        "bot/store/chain.py",
        "    if canonical.dumps(replayed) != canonical.dumps(document):\n",
        "    if rows and canonical.dumps(replayed) != canonical.dumps(document):\n",
        "cli/test_verifying.py::test_one_record_can_be_looked_at_alone",
        "whoever deletes a history is not found out",
    ),
    Mutant(
        "a long sweep loses its claim while GitHub answers",
        "bot/app/sweep/meter.py",
        "await beat()",
        "pass",
        "app/test_sweeping.py::test_a_sweep_that_takes_longer_than_its_claim_keeps_it_while_github_answers",
        "two processes ask GitHub for the same, and their installation pays twice",
    ),
    Mutant(
        "a stopped process keeps what it was sweeping",
        "bot/app/sweep/sweeper.py",
        "mine.give_back(tx)",
        "pass",
        "app/test_sweeping.py::test_a_process_that_is_stopped_while_it_sweeps_gives_the_repository_to_another_at_once",
        "after each rolling restart nothing of an installation is swept for minutes, and what was found keeps merges back",
    ),
    Mutant(
        "whoever lost a claim takes it from its new owner",
        "bot/store/sweeps.py",
        '.where(table.c.id == bindparam("this"), table.c.claimed_until == bindparam("was"))',
        '.where(table.c.id == bindparam("this"), table.c.claimed_until != bindparam("was"))',
        "store/test_sweeps.py::test_a_claim_is_held_on_to_by_whoever_has_it_and_by_nobody_else",
        "a process that hung goes on where another one works",
    ),
)

TERMINAL = (*SAID, *RECOVERED, *CAREFUL)
