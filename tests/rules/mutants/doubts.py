"""Doubts about ourselves: another instance, a database that is behind; and rows nobody can read."""

from tests.rules.mutants.mutant import Mutant

STORIES = "scenarios/test_doubts.py"
MARKS = "scenarios/test_edited_marks.py"
AS_MANY = f"{MARKS}::test_a_copy_that_made_as_many_versions_as_it_lost_is_noticed_and_begins_anew_once"
WHATEVER = f"{MARKS}::test_a_restored_copy_is_noticed_whatever_happened_to_the_key_or_the_comment"
FREEZING = "bot/domain/lifecycle/freezing.py"

_SEALED = (
    Mutant(
        "whoever may edit comments says which versions there were",
        "bot/app/doubts.py",
        "traces = traces.without(await self._forged(record, known, traces))",
        "await self._forged(record, known, traces)",
        f"{MARKS}::test_a_raised_version_in_our_hidden_line_freezes_nothing_and_is_written_anew",
        "anybody with write access stops every record, and an operator is called",
    ),
    Mutant(
        "what was sealed with an older key counts for nothing",
        "bot/github/graphql.py",
        "author is not None and editor != author",
        "author is not None",
        WHATEVER,
        "a copy that was restored while the key was changed is not noticed",
    ),
    Mutant(
        "a seal counts for nothing in a comment that somebody edited",
        "bot/domain/model/traces.py",
        "if one.by_seal or one.comment.node_id not in foreign",
        "if one.comment.node_id not in foreign",
        f"{WHATEVER}[another line beside it]",
        "a line without a seal beside it hides that versions are lost",
    ),
    Mutant(
        "a version is known by its number alone",
        "bot/domain/model/traces.py",
        "return trace.path != self.paths.get(trace.version)",
        "return trace.version > self.version",
        AS_MANY,
        "a copy that worked on has versions of the same numbers, and what was lost may have been a stop",
    ),
    Mutant(
        "what a lost version showed is written over before it is read",
        "bot/app/compared.py",
        "if stands and await self._doubts.look_at_everything(record.repo, record):",
        "if not stands and await self._doubts.look_at_everything(record.repo, record):",
        AS_MANY,
        "the only thing that shows that versions are lost is gone",
    ),
    Mutant(
        "a copy leaves its own versions where the newest database looks",
        "bot/domain/projections/show.py",
        'if record.frozen == "database_behind" and doubt is not None and doubt.version is not None:',
        "if doubt is not None and doubt.version == 0:",
        "docs/test_restore.py::test_the_newest_database_put_back_goes_on_by_itself_though_its_process_had_crashed",
        "the newest database is put back, and takes itself for a copy",
    ),
    Mutant(
        "a success that must go waits until all can be compared",
        "bot/app/publish.py",
        '                if state.extras.get(step.slot) == "success" and step.extra != "success":\n',
        '                if state.extras.get(step.slot) == "success" and step.extra == "success":\n',
        f"{MARKS}::test_a_success_that_has_to_go_does_not_wait_for_what_cannot_be_compared",
        "GitHub lets people merge what was sent back",
    ),
)
DOUBTS = (
    *_SEALED,
    Mutant(
        "another instance's check is nobody's business",
        "bot/domain/model/traces.py",
        "if trace.instance != known.instance and now - at < LIVE]",
        'if trace.instance == "" and now - at < LIVE]',
        f"{STORIES}::test_while_another_instance_writes_nothing_is_authorised_and_nothing_merges",
        "two databases decide about one pull request",
    ),
    Mutant(
        "the other instance is believed to be silent at once",
        FREEZING,
        "    if signal.seen_at - record.doubt.seen_at < LIVE:\n",
        "    if signal.seen_at < record.doubt.seen_at:\n",
        f"{STORIES}::test_an_hour_after_the_other_instance_fell_silent_it_goes_on_and_merges",
        "it goes on while the other one still works",
    ),
    Mutant(
        "nobody looks for another instance before asking",
        "bot/app/merge.py",
        "        if await self._doubts.found(record, answer, comments) is not None:\n            return False\n",
        "",
        f"{STORIES}::test_another_instance_that_wrote_beside_our_success_stops_the_request",
        "a request leaves while another instance may be asking too",
    ),
    Mutant(
        "what a lost version showed is not compared",
        "bot/domain/model/traces.py",
        "    if missed:\n",
        "    if missed is None:\n",
        f"{STORIES}::test_a_restored_copy_that_misses_a_revocation_merges_nothing",
        "an approval that was taken back after the copy counts again",
    ),
    Mutant(
        "a copy is moved before it is compared",
        "bot/bootstrap/work.py",
        "    transactor = ComparedTransactor(metered, gatherer, policies)\n",
        "    transactor = Transactor(metered, gatherer, policies)\n",
        f"{STORIES}::test_a_restored_copy_freezes_before_it_hears_what_its_lost_versions_heard",
        "the copy makes versions of the same numbers, and nobody sees that some are lost",
    ),
    Mutant(
        "a record that is behind hears what its lost versions heard",
        "bot/app/sweep/tour.py",
        "return doubt is not None and comment.created_at < doubt.seen_at",
        "return False",
        f"{STORIES}::test_a_restored_copy_freezes_before_it_hears_what_its_lost_versions_heard",
        "the copy shows more than the newest database, which is put back in vain",
    ),
    Mutant(
        "that we are shut out is heard only when GitHub can be read",
        "bot/app/compared.py",
        "not _says_we_are_shut_out(signal) and ",
        "",
        "sweep/test_town.py::test_an_installation_suspended_in_the_middle_of_a_sweep_over_three_repositories_loses_nothing",
        "records of a suspended installation look as if work went on",
    ),
    Mutant(
        "a builder ends what only an operator may end",
        "bot/domain/lifecycle/stopping.py",
        'if refusal := lacks_role(turn, "operator") if behind else lacks_role(turn, "builder", "operator"):',
        'if refusal := lacks_role(turn, "builder", "operator"):',
        f"{STORIES}::test_after_a_restore_an_operator_lets_it_begin_anew",
        "whoever builds says that nothing was lost",
    ),
    Mutant(
        "a row that cannot be read is tried for ever",
        "bot/app/effects.py",
        'lambda tx, _until: tx.effects.set(row.id, "unknown", note))',
        'lambda tx, until: tx.effects.set(row.id, "sent", note, until))',
        "app/test_setting_aside.py::test_a_stored_effect_that_cannot_be_read_is_given_up_visibly_and_the_next_one_is_carried_out",
        "one bad row holds up everything that waits behind it",
    ),
    Mutant(
        "doctor says nothing of frozen records",
        "bot/app/frozen.py",
        "            if record.frozen is not None:\n",
        '            if record.frozen == "instance_conflict":\n',
        "cli/test_doctor.py::test_what_stands_still_is_named_with_what_ends_it_and_who_can",
        "nobody at the machine learns that work stands still, and what ends it",
    ),
    Mutant(
        "a list does not say what ends that a record is frozen",
        "bot/cli/lifecycles.py",
        'for item in items if item["frozen"] == why]',
        "for item in items if item is why]",
        "cli/test_lifecycles.py::test_what_is_over_comes_last_and_what_is_stopped_says_so",
        "nobody at the machine learns who can end it",
    ),
)
