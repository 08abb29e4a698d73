"""Defects of roles and separation: whose team, whose name, whose work, and what is believed about it."""

from tests.rules.mutants.mutant import Mutant

ROLES = "bot/domain/lifecycle/roles.py"
SEATS = "bot/domain/policy/seats.py"
SEPARATION = "bot/domain/gates/separation.py"
LOGINS = "bot/domain/policy/accounts.py"
FACTS = "bot/github/facts/people.py"
PREREQUISITES = "bot/domain/lifecycle/prerequisites.py"
HELD = "scenarios/test_roles.py::test_a_role_is_held_by_permission_by_name_or_by_team"
KEYS = "scenarios/test_separation.py::test_who_may_not_judge_a_change"
CHANGE = "scenarios/test_roles_change.py::"
NAMES = "scenarios/test_logins_in_the_file.py::"
AGREE = "github/test_agreement.py::test_both_forges_say_the_same"

WHO = (
    Mutant(
        "news of the rules of a branch is passed over",
        "bot/domain/lifecycle/evaluating.py",
        "if signal.rules and record.phase in",
        "if False and record.phase in",
        "scenarios/test_checks.py::test_rules_that_ask_for_less_let_a_head_go_on_at_once_where_github_tells_of_them",
        "a head waits for a check that nobody asks for any more",
    ),
    Mutant(
        "an invitation to a team is a membership",
        FACTS,
        'reply.read(_Membership).state == "active"',
        'reply.read(_Membership).state in {"active", "pending"}',
        f"{HELD}[only invited]",
        "whoever is asked into a team holds its role before they or anybody else agreed",
    ),
    Mutant(
        "who is no member is one",
        FACTS,
        "return reply.answer(value=False)",
        "return reply.answer(value=True)",
        f"{HELD}[only invited]",
        "everybody holds a role that is given to a team",
    ),
    Mutant(
        "what an App says in the name of a listed person is heard",
        "bot/domain/commands/reading.py",
        '    if comment.actor.kind != "bot":\n',
        '    if comment.actor.kind == "person" and comment.app_id is None:\n',
        "domain/commands/test_reading.py::"
        "test_what_an_app_says_in_a_persons_name_is_not_read_even_where_that_name_is_listed",
        "an App with a person's token opens the human gate",
    ),
    Mutant(
        "a permission that names nobody is none",
        FACTS,
        '        raise Unreachable("unreadable answer: a permission of nobody")\n',
        "        return None, reply\n",
        "github/test_not_said.py::test_a_permission_that_names_nobody_is_not_known_to_be_none",
        "an answer that is cut short takes a role away, also at the merge",
    ),
    Mutant(
        "an account of which GitHub does not say that it is a person is one",
        FACTS,
        'is_bot=read.user.type != "User"',
        'is_bot=read.user.type == "Bot"',
        "github/test_not_said.py::test_only_an_account_that_is_said_to_be_a_users_is_a_persons",
        "a program or an organization fills a seat of a person",
    ),
    Mutant(
        "a team is whichever has its name",
        FACTS,
        "return reply.answer(found and reply.read(_Team).id == question.number)",
        "return reply.answer(found)",
        NAMES + "test_another_team_of_the_same_name_gives_nothing_and_the_next_version_of_the_file_says_so",
        "whoever may make a team takes the role of one that is gone",
    ),
    Mutant(
        "a team that was none is whichever is made later",
        ROLES,
        "if number not in {None, NOBODYS})",
        "if number is not None)",
        "domain/lifecycle/test_invariants.py::test_i16_a_name_that_was_no_teams_has_no_members",
        "a typing mistake in the file is an invitation, if GitHub ever numbers a team so",
    ),
    Mutant(
        "a team that nobody saw yet has no members",
        ROLES,
        "for team, number in teams.items() if number is None\n",
        "for team, number in teams.items() if False\n",
        "domain/lifecycle/test_invariants.py::test_i18_a_team_that_cannot_be_read_is_neither_yes_nor_no",
        "a missing permission of the App reads as a no",
    ),
    Mutant(
        "a file is looked at once, whatever could not be seen",
        "bot/app/policy/book.py",
        "(not version.accepted or is_whole(version.policy))",
        "True",
        NAMES + "test_a_team_that_cannot_be_seen_yet_counts_by_itself_once_it_can",
        "a role by team stays unreadable for ever",
    ),
    Mutant(
        "a team of another organization says no",
        FACTS,
        '    if owner.type != "User" and owner.login.lower() != organization.lower():\n',
        "    if owner.id == 0:\n",
        "github/test_agreement.py::test_a_team_that_is_not_for_us_to_see_is_no_answer",
        "a team that cannot be seen reads as one without this member",
    ),
    Mutant(
        "a team that cannot be read says no",
        ROLES,
        "            doubt = doubt or Standing(None, permission, team, member.why)\n",
        "            pass\n",
        "domain/lifecycle/test_invariants.py::test_i18_a_team_that_cannot_be_read_is_neither_yes_nor_no",
        "an error of GitHub takes a role away, and nobody repeats it",
    ),
    Mutant(
        "a team that cannot be read says yes",
        ROLES,
        "        if isinstance(member, Unknown):\n",
        "        if isinstance(member, Unknown):\n            return Standing(holds=True, permission=permission)\n"
        "        if isinstance(member, Unknown):\n",
        "domain/lifecycle/test_invariants.py::test_i18_a_team_that_cannot_be_read_is_neither_yes_nor_no",
        "an error of GitHub lets everybody approve",
    ),
    Mutant(
        "a name of a custom role decides",
        FACTS,
        "    booleans = read.user.permissions if read.user else None\n",
        "    booleans = read.user.permissions if read.user else None\n"
        "    if read.role_name in LEVELS:\n        return read.role_name  # type: ignore[return-value]\n",
        f"{HELD}[its name never does]",
        "a role that somebody called admin opens every gate",
    ),
    Mutant(
        "any custom role is the one that the file names",
        SEATS,
        "if who.role_name in rule.custom_roles:",
        "if rule.custom_roles and who.role_name is not None:",
        "domain/policy/test_seats.py::test_a_role_is_held_by_permission_by_name_or_by_team",
        "everybody who may read decides where the file names a custom role",
    ),
    Mutant(
        "a custom role that the file names counts for nothing",
        SEATS,
        "if who.role_name in rule.custom_roles:",
        "if False:",
        f"{HELD}[a custom role that is named]",
        "whom the file names waits for ever",
    ),
    Mutant(
        "a role that GitHub does not name is a no",
        ROLES,
        "permission.role_name is None and any(",
        "False and any(",
        "domain/lifecycle/test_invariants.py::test_i18_a_role_that_github_does_not_name_is_neither_yes_nor_no",
        "an answer without a name takes a role away, and nobody repeats it",
    ),
    Mutant(
        "a bot holds roles",
        SEATS,
        'return who.is_bot or who.level == "none" or who.id in NOBODY',
        'return who.level == "none" or who.id in NOBODY',
        "domain/policy/test_seats.py::test_a_role_is_held_by_permission_by_name_or_by_team",
        "an App that may write judges like a person",
    ),
    Mutant(
        "a login is whoever bears it",
        SEATS,
        "return who.login.lower() == name if accounts is None else accounts.get(name) == who.id",
        "return who.login.lower() == name",
        NAMES + "test_a_login_that_somebody_else_took_over_gives_them_nothing_and_its_first_owner_keeps_the_role",
        "whoever registers a login that is free again holds its role",
    ),
    Mutant(
        "a new version of the file asks anew whose a login is",
        LOGINS,
        "numbers = {**found, **known}",
        "numbers = {**known, **found}",
        NAMES + "test_a_new_version_of_the_file_keeps_whom_a_login_meant_and_says_that_it_is_somebody_elses_now",
        "any change of the file hands a role to whoever took a login over",
    ),
    Mutant(
        "a login that was nobody's is whoever registers it",
        SEATS,
        "return who.login.lower() == name if accounts is None else accounts.get(name) == who.id",
        "return who.login.lower() == name if accounts is None else (accounts.get(name) or who.id) == who.id",
        NAMES + "test_a_login_that_nobody_has_is_told_and_is_nobodys_whoever_registers_it_later",
        "a typing mistake in the file is an invitation",
    ),
    Mutant(
        "an App is known by its name",
        ROLES,
        "return listed and policy.accounts.get(name) == number",
        "return listed",
        NAMES + "test_an_app_that_took_over_the_name_of_a_listed_one_is_another_app",
        "a stranger's App links its pull requests to planned work",
    ),
    Mutant(
        "a renamed account has lost everything",
        FACTS,
        "        if account is not None and account.login.lower() != question.login.lower():\n",
        "        if account is None and question.login == question.login.upper():\n",
        "scenarios/test_who_may.py::test_a_renamed_approver_is_the_same_person_at_the_merge",
        "a change of somebody's login stops every merge they approved",
    ),
)

WHOSE_WORK = (
    Mutant(
        "whoever asked an agent opens its gate",
        SEPARATION,
        "return record.pull is not None and record.pull.author_is_bot",
        "return False",
        f"{KEYS}[requester_may_gate: people: omar of forge says /gate testing]",
        "one person asks a machine for a change and lets it in",
    ),
    Mutant(
        "whoever asked opens the gate where the policy says they may not",
        SEPARATION,
        "        case False:\n            return True\n",
        "        case False:\n            return False\n",
        f"{KEYS}[requester_may_gate: false: omar of ada says /gate testing]",
        "a rule of the file means nothing",
    ),
    Mutant(
        "while nobody knows who pushed, the author did not",
        SEPARATION,
        "return (pull.author, *pull.commit_authors) if record.pusher_is_unknown else ()",
        "return pull.commit_authors if record.pusher_is_unknown else ()",
        "scenarios/test_separation.py::test_while_nobody_knows_who_pushed_the_author_may_have"
        "[unknown_pusher: author, author_may_gate: true-sam-/gate testing-self_approval]",
        "an author lets in what they pushed, where no push can be read",
    ),
    Mutant(
        "one operator opens both gates where two are asked for",
        "bot/domain/lifecycle/people.py",
        "    if distinct and any(",
        "    if not distinct and any(",
        "scenarios/test_separation.py::test_the_gates_are_opened_by_different_operators_where_the_policy_says_so",
        "a rule of the file means nothing",
    ),
    Mutant(
        "an agent decides on after it was taken off the list",
        "bot/domain/lifecycle/people.py",
        'return role == "reviewer" and "reviewer" in turn.policy.agents.get(decision.by.login, ())',
        "return True",
        "domain/lifecycle/test_invariants.py::test_i16_an_agent_decides_while_the_policy_lists_it",
        "a token that is not trusted any more merges",
    ),
    Mutant(
        "people fill the seats of agents at the merge",
        PREREQUISITES,
        "counted = filled_by(tuple(each for each, may in known if may is True), rule, kind)",
        "counted = len([each for each, may in known if may is True])",
        "domain/lifecycle/test_invariants.py::test_i16_an_agent_decides_while_the_policy_lists_it",
        "what needs a person and an agent is let in by two people",
    ),
    Mutant(
        "whoever cannot be read does not count for good",
        PREREQUISITES,
        "    if unread is not None:\n        raise Unread(unread.why)\n",
        "",
        "scenarios/test_roles.py::test_a_team_that_cannot_be_read_at_the_merge_only_delays_it",
        "an error of GitHub reads as somebody who lost the role",
    ),
)

NEWS = (
    Mutant(
        "news of roles releases nothing",
        "bot/domain/lifecycle/evaluating.py",
        "        give_back(turn, lost.message, lost.code)\n",
        "        pass\n",
        CHANGE + "test_what_is_reserved_is_given_back_when_its_reviewer_lost_the_role",
        "the base stays locked for a merge that nobody is allowed any more",
    ),
    Mutant(
        "news of an organization is read in one of its repositories",
        "bot/app/bring.py",
        "        if key.repository_id == repo.id:\n",
        "        if key.repository_id == repo.id or key.issue > 0:\n",
        "scenarios/test_many_repositories.py::"
        "test_an_app_that_comes_back_reads_each_pull_request_in_its_own_repository",
        "a record is judged by another repository's pull request of the same number",
    ),
    Mutant(
        "every news of roles is kept while GitHub may be merging",
        "bot/domain/lifecycle/decide.py",
        "if isinstance(signal, RolesChanged) and any(",
        "if isinstance(signal, RolesChanged) and not any(",
        CHANGE + "test_news_while_github_may_be_merging_is_kept_once",
        "a large organization fills the record",
    ),
)

EMPTY_SEATS = (
    Mutant(
        "a file is checked as if names were people",
        "bot/bootstrap/people.py",
        "    if account is None:\n        return None\n",
        '    if account is None:\n        return Someone(id=1, login=login, level="write")\n',
        "cli/test_policy_seats.py::test_each_seat_says_who_could_fill_it",
        "a typing mistake in the file looks like somebody who could review",
    ),
    Mutant(
        "an empty seat is waited for",
        "bot/domain/explain/need_rows.py",
        "    if empty is not None and empty.kind == kind:\n",
        "    if False:\n",
        "scenarios/test_empty_seats.py::test_the_only_operator_pushed_the_change",
        "a gate that nobody can open waits for ever, and nobody is told",
    ),
    Mutant(
        "a role held by permission is a closed circle",
        "bot/domain/policy/circles.py",
        "    return rule.permission is None and not (rule.teams or rule.custom_roles)\n",
        "    return not rule.teams\n",
        "scenarios/test_empty_seats.py::test_where_somebody_else_may_nobody_is_alarmed"
        "[reviewers: {permission: write, users: [ada]}]",
        "people are told that nobody may review where everybody may",
    ),
    Mutant(
        "a custom role is a closed circle",
        "bot/domain/policy/circles.py",
        "not (rule.teams or rule.custom_roles)",
        "not rule.teams",
        "scenarios/test_empty_seats.py::test_where_somebody_else_may_nobody_is_alarmed"
        "[reviewers: {custom_roles: [crew], users: [ada]}]",
        "people are told that nobody may review where a whole role of the organization may",
    ),
    Mutant(
        "an empty seat calls operators to fill it",
        "bot/domain/projections/causes.py",
        "    return gate if missing and not empty and",
        "    return gate if missing and",
        "scenarios/test_empty_seats.py::test_the_only_operator_pushed_the_change",
        "operators are called to open a gate that none of them may open",
    ),
)

PEOPLE = (*WHO, *WHOSE_WORK, *NEWS, *EMPTY_SEATS)
