"""Defects of what an answer that something is not there proves."""

from tests.rules.mutants.mutant import Mutant

LOOKING = "domain/lifecycle/test_looking.py"
UNSEEN = f"{LOOKING}::test_a_request_that_github_cannot_have_forgotten_is_not_dead_for_want_of_being_shown"

ADAPTER = "github/test_absence.py::"
SCENARIO = "scenarios/test_wrongly_gone.py::"
PEOPLE = "bot/github/facts/people.py"
FILE = "bot/github/facts/policy_file.py"
READERS = "bot/github/facts/readers.py"

ABSENT = (
    Mutant(
        "a comment of ours is deleted by one answer that it is not there",
        "bot/app/policy/reports.py",
        "            if (await self._forge.read(repo, CommentOf(report.remote_id))).value is not None:\n",
        "            if False:\n",
        "scenarios/test_policy_feedback.py"
        "::test_what_is_said_of_a_proposal_is_not_given_up_by_one_answer_that_nothing_is_there[update_comment]",
        "people read of errors in a file that was mended",
    ),
    Mutant(
        "a log that is refused is the log of an empty repository",
        FILE,
        "    except NoCommits:  # it has no log",
        "    except Exception:  # it has no log",
        f"{ADAPTER}test_a_log_that_is_refused_says_of_no_repository_that_it_is_empty",
        "while GitHub refuses the log and hides the file, the strict rules of a repository are none",
    ),
    Mutant(
        "one answer that nothing is there is believed",
        "bot/github/absence.py",
        "        await api.gateway.sleep(PAUSE)\n        return await read()\n",
        "        raise\n",
        f"{ADAPTER}test_one_answer_that_something_is_not_there_is_asked_once_more",
        "one hiccup, and a pull request is gone, a reviewer is nobody, a comment was never written",
    ),
    Mutant(
        "a list is gone though its thread is there",
        "bot/github/absence.py",
        "    await thread_is_gone(api, number)\n    return missing",
        "    return missing",
        f"{ADAPTER}test_a_list_of_a_thread_that_is_there_is_not_known_to_be_gone",
        "a /hold on a line is passed over for ever",
    ),
    Mutant(
        "a pull request is gone though its issue is there",
        "bot/github/facts/pulls.py",
        "(await thread_is_gone(api, question.number, as_pull=True))",
        "(await api.still_there())",
        f"{ADAPTER}test_a_list_of_a_thread_that_is_there_is_not_known_to_be_gone",
        "an almost merged change goes back to building, and waits for a pull request that is open to be reopened",
    ),
    Mutant(
        "no issue is known to be no pull request",
        "bot/github/absence.py",
        "(as_pull and thread.pull_request is None)",
        "False",
        f"{ADAPTER}test_an_issue_is_no_pull_request_though_it_is_there",
        "whoever names the number of an issue never hears that it is none",
    ),
    Mutant(
        "a list of the repository is gone though that is there",
        READERS,
        "raise await of_repository(api, missing) from missing",
        "raise",
        f"{ADAPTER}test_a_list_of_a_repository_that_is_there_is_not_gone",
        "a sweep ends by a fault of ours",
    ),
    Mutant(
        "a person who is there has no permission by an answer of a moment",
        PEOPLE,
        'if account.type == "User" and not lasts:',
        "if False:",
        f"{SCENARIO}test_requested_changes_count_though_their_writer_was_said_to_have_no_permission",
        "a reviewer's no is ignored for good",
    ),
    Mutant(
        "an outsider never gets an answer",
        PEOPLE,
        'if account.type == "User" and not lasts:',
        'if account.type == "User":',
        f"{ADAPTER}test_a_person_who_is_there_has_no_permission_only_once_github_says_so_for_a_minute",
        "a stranger's delivery stays undecided, and stops a repository",
    ),
    Mutant(
        "a bot is taken for a person of whom GitHub contradicts itself",
        PEOPLE,
        'if account.type == "User" and not lasts:',
        "if not lasts:",
        f"{ADAPTER}test_a_bot_has_no_permission_at_once",
        "what a bot wrote is tried again in vain",
    ),
    Mutant(
        "a 404 of long ago agrees",
        "bot/github/contradictions.py",
        "if first is None or now - first > FORGOTTEN:",
        "if first is None:",
        f"{ADAPTER}test_a_person_who_is_there_has_no_permission_only_once_github_says_so_for_a_minute",
        "two hiccups on two days, and a reviewer's no is ignored for good",
    ),
    Mutant(
        "a permission that was read does not end the contradiction",
        PEOPLE,
        '    api.gateway.contradictions.is_over(f"{api.repo.id}{path}")\n',
        "",
        f"{ADAPTER}test_a_person_who_is_there_has_no_permission_only_once_github_says_so_for_a_minute",
        "two hiccups in an hour, and a reviewer's no is ignored for good",
    ),
    Mutant(
        "protection that is not shown lets nobody bypass it",
        "bot/github/facts/rules.py",
        "        if summary.enabled:\n",
        "        if False:\n",
        f"{ADAPTER}test_protection_that_the_branch_tells_of_and_that_is_not_shown_may_let_us_bypass_it",
        "the App merges past what the protection asks of people",
    ),
    Mutant(
        "a file that is not shown for its commit is absent",
        FILE,
        "        await _taken_away_by(api, commit)\n",
        "",
        f"{ADAPTER}test_a_file_is_absent_only_where_the_last_commit_of_its_log_took_it_away",
        "laxer rules merge, and stay, under an ETag that never changes",
    ),
    Mutant(
        "at the merge a file that is not shown is absent",
        FILE,
        "            await _taken_away_by(api, commits[0].sha)\n",
        "            pass\n",
        f"{ADAPTER}test_a_file_is_absent_only_where_the_last_commit_of_its_log_took_it_away",
        "a stricter file that was just laid down does not count",
    ),
    Mutant(
        "a file that is not shown is one that a pull request takes away",
        FILE,
        "if touched and not any(one.takes_away for one in files):",
        "if False:",
        f"{ADAPTER}test_a_pull_request_takes_the_file_away_only_where_its_files_say_so",
        "people are told of rules that nobody proposes",
    ),
    Mutant(
        "an answer is given up by one answer that its thread is not there",
        "bot/app/effects.py",
        "await (self._give_up if told_before else self._again)(row, failure)",
        "await self._give_up(row, failure)",
        f"{SCENARIO}test_an_answer_is_written_though_its_thread_was_once_said_not_to_be_there",
        "a person never reads what became of their words",
    ),
    Mutant(
        "the log of a listed issue may be gone",
        "bot/app/sweep/governed.py",
        "    answer = await tour.ask_of_listed(EventsOf(number))\n",
        "    answer = await tour.ask_of_one(EventsOf(number))\n    if answer is None:\n        return Log()\n",
        f"{SCENARIO}test_a_start_is_found_though_the_log_of_its_issue_was_once_said_not_to_be_there",
        "a start is lost",
    ),
    Mutant(
        "a request that is not shown is dead at any age",
        "bot/domain/lifecycle/watching.py",
        'if found.status == "gone" and may_be_forgotten(merge, turn.now - turn.facts.clock_ahead):',
        'if found.status == "gone":',
        UNSEEN,
        "a second request, while the first one is pending at GitHub",
    ),
    Mutant(
        "a clock that jumps ends the day for which GitHub keeps a request",
        "bot/domain/lifecycle/watching.py",
        "may_be_forgotten(merge, turn.now - turn.facts.clock_ahead)",
        "may_be_forgotten(merge, turn.now)",
        UNSEEN,
        "a second request, while the first one is pending at GitHub",
    ),
    Mutant(
        "a request that is not shown may be settled as unmerged at any age",
        "bot/domain/lifecycle/settlement.py",
        "return None if forgotten else _not_forgotten_yet(turn)",
        "return None",
        UNSEEN,
        "an operator lets a second request out, while the first one is pending at GitHub",
    ),
    Mutant(
        "GitHub never forgets a request",
        "bot/domain/merging/proof.py",
        "return merge.requested_at is None or now >= merge.requested_at + KEPT_BY_GITHUB",
        "return False",
        f"{LOOKING}::test_a_pending_request_is_never_dead",
        "an unknown merge never ends",
    ),
)
