"""Defects of what is asked for although the database was changed (threats.md, T24)."""

from tests.rules.mutants.mutant import Mutant

MERGED = "scenarios/test_damaged.py::test_a_record_whose_history_was_changed_is_not_merged_and_says_how_to_look"

NO_GATE = (
    "web/test_api.py::test_why_a_record_whose_history_lacks_a_version_does_not_merge_is_that_and_no_gate_is_offered"
)

DAMAGED = (
    Mutant(
        "a history that lacks a version is listed as if whole",
        "bot/app/browse.py",
        "            if not tx.records.is_sound(loaded.record.key):\n                raise Changed(loaded.record)\n",
        "",
        "web/test_api.py::test_a_history_that_was_changed_is_not_shown_and_says_how_to_look",
        "people are shown what somebody wrote into the database, as what happened",
    ),
    Mutant(
        "what a changed record says of its gates is explained",
        "bot/app/browse.py",
        "            if not tx.records.is_sound(loaded.record.key):\n                return damaged_view(loaded.record)\n",
        "",
        NO_GATE,
        "people are sent to a gate that nothing will ever pass",
    ),
    Mutant(
        "the page of a changed record offers its gates",
        "bot/app/dossier.py",
        "        sound = tx.records.is_sound(record.key)\n",
        "        sound = True\n",
        NO_GATE,
        "people are sent to a gate that nothing will ever pass",
    ),
    Mutant(
        "a broken history is no blocker",
        "bot/domain/lifecycle/prerequisites.py",
        "    if not turn.facts.history_is_sound:\n",
        "    if turn.facts.history_is_sound is None:\n",
        MERGED,
        "whoever can write to the database makes authority that nobody gave",
    ),
    Mutant(
        "the history is not looked at before a request",
        "bot/app/loading.py",
        'waits = record.merge.reason is not None or record.merge.state == "reserved"',
        "waits = record.merge.reason is not None",
        MERGED,
        "the first request of a record that was changed leaves",
    ),
    Mutant(
        "a history that cannot be read is sound",
        "bot/store/records.py",
        "        except (HistoryDamaged, *chain.UNREADABLE):\n            return False\n",
        "        except (HistoryDamaged, *chain.UNREADABLE):\n            return True\n",
        "store/test_json.py::test_a_row_that_is_no_text_any_more_is_found",
        "a row is overwritten with anything, and the record merges",
    ),
    Mutant(
        "a start looks for changed records, and tells nobody",
        "bot/app/audit.py",
        "        if not tx.records.is_sound(key):\n",
        "        if tx.records.is_sound(key) is None:\n",
        "scenarios/test_damaged.py::test_a_start_names_each_record_that_was_changed_meanwhile_before_anybody_needs_it",
        "a changed database is noticed when somebody wants to merge, weeks later",
    ),
    Mutant(
        "no server looks at histories when it starts",
        "bot/bootstrap/lanes.py",
        '        "audit": Audit(parts.store, parts.log).step,\n',
        "",
        "cli/test_operating.py::test_workers_is_how_many_repositories_are_worked_on_at_once",
        "a changed database is noticed when somebody wants to merge, weeks later",
    ),
    Mutant(
        "those that have not changed for longest are looked at",
        "bot/store/lookups.py",
        "order_by(table.c.updated_at.desc(), *_KEY)",
        "order_by(table.c.updated_at, *_KEY)",
        "store/test_records.py::test_records_under_way_are_listed_by_their_last_change",
        "of a large database nothing that people work on is looked at",
    ),
    Mutant(
        "only whether there is a history is looked at",
        "bot/store/records.py",
        "return document is not None and not chain.verify(rows, document)",
        "return document is not None and bool(rows)",
        "store/test_json.py::test_i30_every_flipped_byte_in_a_stored_row_is_found",
        "one byte of a decision is changed, and it counts",
    ),
    Mutant(
        "a row that is no row keeps its record from being shown",
        "bot/app/happened.py",
        "    except HistoryDamaged:\n        return ()\n",
        "    except KeyError:\n        return ()\n",
        MERGED,
        "a record whose history was overwritten fails in the log alone, and nobody reads why it does not merge",
    ),
    Mutant(
        "a merge that cannot be judged is looked at again at once",
        "bot/app/merge.py",
        '        if outcome.kind == "later":\n',
        '        if outcome.kind == "no_record":\n',
        "scenarios/test_damaged.py::test_a_merge_whose_rules_nobody_can_read_is_looked_at_every_few_seconds_and_no_oftener",
        "one merge that GitHub does not show starves all others",
    ),
    Mutant(
        "a look by time that lacks a fact is repeated as soon as the first time",
        "bot/app/timers.py",
        "since = self._unread.setdefault(key, tx.now())",
        "since = tx.now()",
        "scenarios/test_damaged.py::test_a_look_by_time_that_lacks_the_rules_is_repeated_after_as_long_again",
        "what GitHub does not show is asked for thousands of times",
    ),
)
