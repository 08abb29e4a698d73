"""Defects of several processes on one PostgreSQL database."""

from tests.rules.mutants.mutant import Mutant

SESSION = "bot/store/postgresql/session.py"

REPLICAS = (
    Mutant(
        "a commit that nobody answered is taken for done",
        SESSION,
        "            if not self._happened(operation, error):\n",
        "            if not operation:\n",
        "store/test_postgresql.py::test_i12_a_commit_that_nobody_answered_is_looked_up_and_never_guessed",
        "GitHub is told that something is stored which is not",
    ),
    Mutant(
        "transactions beside each other see what was, and write all the same",
        SESSION,
        '_WRITE = "BEGIN ISOLATION LEVEL SERIALIZABLE; ',
        '_WRITE = "BEGIN ISOLATION LEVEL REPEATABLE READ; ',
        "store/test_races.py::test_what_two_processes_decide_from_what_they_read_is_decided_by_one_of_them",
        "two processes each decide what only one of them may",
    ),
    Mutant(
        "who always loses the race is never alone",
        SESSION,
        "_ALONE if alone else _BESIDE",
        "_BESIDE",
        "store/test_postgresql.py::test_who_always_loses_the_race_runs_alone_in_the_end",
        "under load some work is never done",
    ),
    Mutant(
        "time is that of the machine",
        SESSION,
        "return moment(row[0]) if self._clock is None else self._clock.now()",
        "return moment(0) if self._clock is None else self._clock.now()",
        "store/test_postgresql.py::test_time_is_the_databases_whatever_this_machine_says",
        "a process whose clock is ahead takes what another one is at",
    ),
    Mutant(
        "who starts takes what others are at",
        "bot/bootstrap/bot.py",
        "        if not self.parts.store.shared:",
        "        if self.parts.store is not None:",
        "races/test_replicas.py::test_a_process_that_starts_takes_nothing_from_one_that_is_at_work",
        "two processes publish, sweep or merge one thing",
    ),
    Mutant(
        "writes of other processes are not counted",
        "bot/app/places.py",
        "        if free_at <= tx.now():\n",
        "        if free_at := tx.now():\n",
        "app/test_pacing.py::test_i29_two_processes_on_one_database_have_one_lane_and_the_merge_of_one_counts_for_the_other",
        "GitHub limits the App because it has three processes",
    ),
    Mutant(
        "what was compared with a database that is gone counts for its standby",
        "bot/app/compared.py",
        "        if self._compared.get(key) == copy:\n",
        "        if key in self._compared:\n",
        "scenarios/test_doubts.py::test_an_older_standby_that_takes_over_under_a_running_process_freezes_before_it_hears_anything",
        "a standby that lost versions makes others of the same numbers, and nobody sees it",
    ),
    Mutant(
        "a commit that no standby is known to have is acknowledged",
        SESSION,
        "        if self._warnings:\n",
        "        if not self._name:\n",
        "store/test_postgresql.py::test_a_commit_that_no_standby_is_known_to_have_is_told_as_unknown",
        "an approval that somebody was thanked for is gone after a failover",
    ),
)
