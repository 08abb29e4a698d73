"""Defects of what saves work: a saving that gives up what was kept by the work."""

from tests.rules.mutants.mutant import Mutant

JSON = "store/test_json.py"
RUNTIME = "web/test_runtime.py"

SAVINGS = (
    Mutant(
        "what a canonical text reads as is not compared with what was written",
        "bot/store/canonical.py",
        "    if read != value:",
        "    if read is None:",
        f"{JSON}::test_canonical_json_refuses_what_has_no_single_text",
        "two values have one digest",
    ),
    Mutant(
        "parts that are equal to Python are the same to a patch",
        "bot/store/patch.py",
        "    return not isinstance(old, (dict, list)) or _bytes(old) == _bytes(new)",
        "    return True",
        f"{JSON}::test_a_patch_touches_only_what_changed",
        "replaying its history gives another record",
    ),
    Mutant(
        "a look that found nothing counts for nobody else",
        "bot/bootstrap/lanes.py",
        "                looks.found_nothing(heard, began)",
        "                pass",
        f"{RUNTIME}::test_lanes_of_one_kind_that_a_flood_nudges_look_a_few_times_and_not_thousands",
        "a flood of deliveries is read about and not taken in",
    ),
    Mutant(
        "a look that found something counts as one that found nothing",
        "bot/bootstrap/lanes.py",
        "        began = asyncio.get_running_loop().time()\n        try:",
        "        began = asyncio.get_running_loop().time()\n        looks.found_nothing(heard, began + 10)\n        try:",
        f"{RUNTIME}::test_while_one_lane_works_the_next_of_its_kind_looks_for_more",
        "one repository is worked on at a time",
    ),
    Mutant(
        "what the fast reader refuses is refused",
        "bot/github/inbound/routing.py",
        "        document = _decoded_by_the_book(body)",
        "        document = None",
        "github/test_signature_and_routing.py::test_half_of_a_surrogate_pair_keeps_no_delivery_from_being_read",
        "a delivery of GitHub is refused for a letter in it",
    ),
)
