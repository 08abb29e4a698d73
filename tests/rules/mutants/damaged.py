"""Defects of what is asked for although the database was changed (threats.md, T24)."""

from tests.rules.mutants.mutant import Mutant

MERGED = "scenarios/test_damaged.py::test_a_record_whose_history_was_changed_is_not_merged_and_says_how_to_look"

DAMAGED = (
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
        "        except chain.UNREADABLE:\n            return False\n",
        "        except chain.UNREADABLE:\n            return True\n",
        "store/test_json.py::test_a_row_that_is_no_text_any_more_is_found",
        "a row is overwritten with anything, and the record merges",
    ),
    Mutant(
        "only whether there is a history is looked at",
        "bot/store/records.py",
        "return document is not None and not chain.verify(rows, document)",
        "return document is not None and bool(rows)",
        "store/test_json.py::test_i30_every_flipped_byte_in_a_stored_row_is_found",
        "one byte of a decision is changed, and it counts",
    ),
)
