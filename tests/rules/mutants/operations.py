"""Defects of running it: what a bug of ours stops, and what operators are told."""

from tests.rules.mutants.mutant import Mutant

ASIDE = "app/test_setting_aside.py"

SET_ASIDE = (
    Mutant(
        "a look that was asked for meanwhile is overwritten",
        "bot/app/timers.py",
        "at if asked is None or asked <= tx.now() else earlier(asked, at)",
        "at",
        f"{ASIDE}::test_a_look_asked_for_meanwhile_is_not_put_off_by_one_that_github_could_not_answer",
        "a merge whose checks are done waits for half a minute because GitHub once did not answer",
    ),
    Mutant(
        "a record that cannot be published comes again at once",
        "bot/app/publish.py",
        "lambda tx, until: tx.records.postpone_publishing(key, until)",
        "lambda _tx, _until: None",
        f"{ASIDE}::test_a_record_that_cannot_be_published_does_not_keep_others_from_being_shown",
        "one record that meets a bug keeps all others from being shown",
    ),
    Mutant(
        "an outage of the database counts against the unit",
        "bot/app/aside.py",
        "    if isinstance(error, OUTAGES):\n        raise error\n",
        "",
        f"{ASIDE}::test_a_database_that_does_not_answer_is_no_bug_of_the_unit",
        "after a full disk everything rests for ten minutes",
    ),
)

OPERATIONS = SET_ASIDE
