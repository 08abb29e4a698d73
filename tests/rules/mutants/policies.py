"""Defects of the policy file: what is read into it, what is in force, and what nobody is told."""

from tests.rules.mutants.mutant import Mutant

FORCE = "bot/domain/policy/force.py"
READING = "bot/domain/policy/reading.py"
LAXER = "bot/domain/policy/laxer.py"
SURPRISES = "bot/domain/policy/surprises.py"
SEATS = "bot/domain/policy/seats.py"
TEXT = "bot/documents/yaml_text.py"
REFUSED = "domain/policy/test_surprises.py::test_a_file_that_cannot_mean_what_it_says_is_refused"
NOT_READ = "documents/test_yaml_text.py::test_what_is_not_read_is_named_with_its_line"

POLICIES = (
    Mutant(
        "a broken file falls back to its preset",
        FORCE,
        "kept = STRICT if previous is None else previous",
        "kept = STRICT",
        "domain/policy/test_force.py::test_a_file_that_cannot_be_used_leaves_the_last_good_version_in_force",
        "a typo drops rules that were stricter than the preset",
    ),
    Mutant(
        "a file with errors is used",
        READING,
        'policy = checked.rest if not any(one.level == "error" for one in findings) else None',
        "policy = checked.rest",
        REFUSED,
        "a rule that cannot mean what it says is in force",
    ),
    Mutant(
        "a named role keeps the preset's permission",
        READING,
        '{"permission": None, **rule}',
        "{**rule}",
        "domain/policy/test_reading.py::test_a_role_that_names_somebody_and_no_permission_is_held_by_those_named_alone",
        "everybody who may write is an operator beside the three that were named",
    ),
    Mutant(
        "types are read generously",
        READING,
        "_roles_by_name(value))), strict=True)",
        "_roles_by_name(value))), strict=False)",
        "domain/policy/test_reading.py::test_what_is_wrong_is_told_where_it_stands_and_the_file_is_not_used",
        "the word false in quotes, or a number, is taken for a switch",
    ),
    Mutant(
        "keys that the program sets can be written",
        READING,
        "(*NOT_AT_PLAN, *INTERNAL) if written.has(path)",
        "NOT_AT_PLAN if written.has(path)",
        "domain/policy/test_reading.py::test_what_is_wrong_is_told_where_it_stands_and_the_file_is_not_used",
        "a file says which commit it is, or lets checks settle in no time",
    ),
    Mutant(
        "laxer rules are not told",
        READING,
        "    for each in laxer(policy, PRESETS[policy.preset]):\n",
        "    for each in ():\n",
        "domain/policy/test_force.py::test_whatever_a_file_says_it_is_refused_or_every_laxer_rule_is_named",
        "a gate is weaker than everybody thinks",
    ),
    Mutant(
        "fewer operators are not laxer",
        LAXER,
        "if now.operators < before.operators:",
        "if now.operators > before.operators:",
        "domain/policy/test_laxer.py::test_one_change_of_preset_strict_is_laxer_there_or_not_at_all",
        "a human gate is dropped unsaid",
    ),
    Mutant(
        "another permission is never laxer",
        LAXER,
        "or _level(now) < _level(before)):",
        "):",
        "domain/policy/test_laxer.py::test_one_change_of_preset_strict_is_laxer_there_or_not_at_all",
        "everybody who may write opens the human gate unsaid",
    ),
    Mutant(
        "one more custom role is not laxer",
        LAXER,
        "[role for role in now.custom_roles if role not in before.custom_roles]",
        "[]",
        "domain/policy/test_laxer.py::test_one_change_of_preset_strict_is_laxer_there_or_not_at_all",
        "a whole role of the organization opens the human gate unsaid",
    ),
    Mutant(
        "GitHub's own roles can be named as custom ones",
        SURPRISES,
        'if role.strip().lower() in (*LEVELS, "push", "pull"):',
        "if not role:",
        REFUSED,
        "whoever can read holds a role by a list that looks like one of few people",
    ),
    Mutant(
        "a custom role that is named lets in whoever has the preset's permission too",
        "bot/domain/policy/reading.py",
        'NAMES = ("custom_roles", "teams", "users", "apps")',
        'NAMES = ("teams", "users", "apps")',
        "domain/policy/test_reading.py::test_a_role_that_names_somebody_and_no_permission_is_held_by_those_named_alone",
        "everybody who may write decides what the file gives to a few",
    ),
    Mutant(
        "a plan without a review",
        SURPRISES,
        "if policy.gates.plan.judges < 1:",
        "if policy.gates.plan.judges < 0:",
        REFUSED,
        "what nobody approved is built",
    ),
    Mutant(
        "nobody has to judge the head",
        SURPRISES,
        "if not any(_seats(policy.gates.of(gate)) for gate in _ON_THE_HEAD):",
        "if not any(_seats(policy.gates.of(gate)) for gate in GATES):",
        REFUSED,
        "code merges that nobody has seen",
    ),
    Mutant(
        "agents alone complete every gate",
        SURPRISES,
        "return rule.judges > reviewing_agents if",
        "return rule.judges > 0 if",
        REFUSED,
        "code merges that no person has seen",
    ),
    Mutant(
        "anchors are passed over",
        TEXT,
        "if event.anchor is not None:",
        "if event.anchor is not None and not isinstance(event, yaml.ScalarEvent):",
        NOT_READ,
        "ten lines become a billion",
    ),
    Mutant(
        "yes is true",
        TEXT,
        "says = _SAYS_YES.get(text.lower())",
        "says = _SAYS_YES.get(text)",
        "documents/test_yaml_text.py::test_words_that_some_readers_take_for_truth_must_be_in_quotes",
        "what was meant as false is a word, or the other way round",
    ),
    Mutant(
        "the second of two keys counts unsaid",
        TEXT,
        "            if key in found:\n",
        "            if key in found and path:\n",
        "documents/test_yaml_text.py::test_a_key_stands_once_and_the_first_one_is_named",
        "a gate is said twice and the laxer one holds",
    ),
    Mutant(
        "one person sits twice",
        SEATS,
        "if self._apart else self._rule.operators",
        "if not self._apart else self._rule.operators",
        "domain/policy/test_seats.py::test_one_person_fills_one_seat_of_a_gate",
        "a gate that nobody can complete is not shown",
    ),
    Mutant(
        "people fill the seats of agents",
        "bot/domain/gates/gate.py",
        'if kind == "operator" or isinstance(rule.reviews, int):',
        'if kind == "operator" or rule.judges:',
        "domain/gates/test_gate.py::test_people_and_agents_that_are_counted_apart_do_not_fill_each_others_seats",
        "a seat that was kept for one side is filled by the other",
    ),
    Mutant(
        "a seat for an agent is offered to people",
        SEATS,
        "could = _logins(self._reviewers) if self._people_wanted() else ()",
        "could = _logins(self._reviewers)",
        "domain/policy/test_seats.py::test_a_seat_for_an_agent_is_offered_to_nobody_as_long_as_no_agent_can_review",
        "people approve what their approval does not count for",
    ),
    Mutant(
        "a gate that waits for an agent asks people to approve",
        "bot/domain/merging/nobody.py",
        "    if wants_agents(policy.gates.of(gate)):\n",
        "    if wants_agents(policy.gates.plan):\n",
        "domain/projections/test_status_comment.py::"
        "test_a_gate_that_waits_for_an_agent_asks_no_person_to_approve_and_says_who_can_change_that",
        "people approve what their approval does not count for",
    ),
    Mutant(
        "a gate that nothing can fill is not warned of",
        "bot/domain/policy/surprises.py",
        "    _shut_gates,\n",
        "",
        "domain/policy/test_surprises.py::test_a_gate_that_nothing_in_this_version_can_fill_is_warned_of",
        "a file is taken without a word, and its heads wait for ever",
    ),
)
