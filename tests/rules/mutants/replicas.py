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
        '_WRITE = "BEGIN ISOLATION LEVEL SERIALIZABLE"\n',
        '_WRITE = "BEGIN ISOLATION LEVEL REPEATABLE READ"\n',
        "store/test_races.py::test_what_two_processes_decide_from_what_they_read_is_decided_by_one_of_them",
        "two processes each decide what only one of them may",
    ),
    Mutant(
        "who always loses the race is never alone",
        SESSION,
        "            if alone:\n",
        "            if alone and not operation:\n",
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
)
