"""Defects of running it: what a bug of ours stops, and what operators are told."""

from tests.rules.mutants.mutant import Mutant

ASIDE = "app/test_setting_aside.py"

SET_ASIDE = (
    Mutant(
        "a look that was asked for meanwhile is overwritten",
        "bot/app/timers.py",
        "at if asked is None or asked <= tx.now() else earliest(asked, at)",
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
        "a record that meets a bug keeps all others from new rules",
        "bot/app/policy/news.py",
        "except Exception as error:",
        "except LookupError as error:",
        "scenarios/test_news_of_rules.py::test_a_record_that_meets_a_fault_keeps_no_other_from_hearing_of_new_rules",
        "one record with a bug keeps a whole repository under old rules",
    ),
    Mutant(
        "a record that met a bug never hears of new rules",
        "bot/app/policy/news.py",
        "            if pause is None:\n",
        "            if pause != AGAIN:\n",
        "scenarios/test_news_of_rules.py::test_a_record_that_meets_a_fault_keeps_no_other_from_hearing_of_new_rules",
        "a gate that the new rules opened stays closed for ever",
    ),
    Mutant(
        "a restart forgets what rests",
        "bot/store/leases.py",
        "~table.c.name.startswith(ASIDE), ",
        "table.c.name != ASIDE, ",
        f"{ASIDE}::test_what_rests_after_a_bug_is_told_of_by_the_next_process_as_well",
        "a record rests for minutes and nobody is told why",
    ),
    Mutant(
        "a repeated delivery says again that an installation is suspended",
        "bot/app/inbox.py",
        "    if tx.applied.get(NO_REPOSITORY, signal.key) is None:\n"
        '        tx.applied.put(NO_REPOSITORY, Applied(key=signal.key, outcome="advanced", note=signal.state))\n',
        "    if signal.key:\n",
        "breaking/test_installations.py::"
        "test_what_was_said_of_an_installation_does_not_become_true_again_when_it_is_repeated",
        "whoever has an old delivery stops the sweep of an installation",
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

EYES = "scenarios/test_eyes.py"
SEEN = (
    Mutant(
        "a command is seen long before five seconds",
        "bot/app/seen.py",
        "PATIENCE = timedelta(seconds=5)",
        "PATIENCE = timedelta(seconds=3)",
        f"{EYES}::test_a_command_that_is_answered_in_time_has_one_reaction",
        "every command costs a second reaction",
    ),
    Mutant(
        "whatever is said is seen",
        "bot/app/comments.py",
        "        if any(map(_is_answered, interpret(comment, _thread(comment, key, record), ruled.policy).items)):\n",
        "        if interpret(comment, _thread(comment, key, record), ruled.policy):\n",
        f"{EYES}::test_a_command_behind_a_slow_one_is_seen_as_well",
        "the bot reacts to people who talk to each other",
    ),
    Mutant(
        "a command is seen after its answer",
        "bot/app/comments.py",
        "                if tx.applied.get(repo.id, comment.key) is None:\n",
        "                if comment.key:\n",
        f"{EYES}::test_a_command_that_was_answered_is_not_seen_again_when_its_delivery_is_replayed",
        "somebody who was answered waits for another answer",
    ),
    Mutant(
        "what shows that a command waits is sent although it is answered",
        "bot/app/comments.py",
        "            tx.effects.withdraw(answers.seen(comment), ANSWERED)\n",
        "",
        f"{EYES}::test_what_is_answered_before_the_eyes_could_leave_gets_none",
        "the answer waits behind a reaction that nobody needs",
    ),
)

COALESCING = "scenarios/test_coalescing.py"
COLLECTED = (
    Mutant(
        "every change is written by itself",
        "bot/app/timing.py",
        "COLLECTING = 2.0",
        "COLLECTING = 0.0",
        f"{COALESCING}::test_three_quick_changes_are_one_edit_of_the_status_comment_two_seconds_after_the_first",
        "the writes of a busy record crowd out the others of its installation",
    ),
    Mutant(
        "what takes success away waits for what else changes",
        "bot/store/publishing.py",
        "and_(_JUST_CHANGED, ~MAY_BE_SUCCESS, ~_MAY_BE_NEUTRAL)",
        "and_(_JUST_CHANGED, ~_MAY_BE_NEUTRAL)",
        f"{COALESCING}::test_success_is_taken_away_at_the_moment_of_the_loss_although_more_may_follow",
        "for two seconds GitHub lets somebody merge what was stopped",
    ),
    Mutant(
        "what a record says on a neutral check waits for what else changes",
        "bot/store/publishing.py",
        "and_(_JUST_CHANGED, ~MAY_BE_SUCCESS, ~_MAY_BE_NEUTRAL)",
        "and_(_JUST_CHANGED, ~MAY_BE_SUCCESS)",
        "scenarios/test_ungoverned.py::test_a_record_that_comes_is_heard_at_once_where_the_check_was_neutral",
        "for two seconds a required check passes for what nobody judged",
    ),
    Mutant(
        "a change waits until a clock that was set back has caught up",
        "bot/store/publishing.py",
        'bindparam("since"), table.c.dirty_since <= _NOW)',
        'bindparam("since"))',
        "store/test_publishing.py::test_a_clock_that_is_set_back_keeps_no_change_waiting",
        "GitHub shows for an hour what is true no more",
    ),
)

HANGING = "races/test_hanging_installation.py"
BESIDE = (
    *(
        Mutant(
            f"one {part} serves all installations",
            "bot/bootstrap/lanes.py",
            '"effector", "merger", "timers"})',
            ", ".join(f'"{one}"' for one in ("effector", "merger", "timers") if one != part) + "})",
            f"{HANGING}::{killer}",
            "what one installation waits for stops all the others",
        )
        for part, killer in {
            "effector": "test_an_answer_is_given_although_github_hangs_for_another_installation",
            "merger": "test_a_merge_is_asked_for_although_github_hangs_for_another_installation",
            "timers": "test_a_look_is_taken_although_github_hangs_for_another_installation",
        }.items()
    ),
    Mutant(
        "one installation takes all lanes",
        "bot/store/outbox.py",
        "for lane, first in firsts if lane not in without",
        "for lane, first in firsts",
        f"{HANGING}::test_an_answer_is_given_although_github_hangs_for_another_installation",
        "four answers that one installation waits for stop all the others",
    ),
)

RETENTION = (
    Mutant(
        "failed deliveries are deleted with the others",
        "bot/store/operating.py",
        '_PRUNED = ("applied", "no_op", "ignored")',
        '_PRUNED = ("applied", "no_op", "ignored", "failed")',
        "store/test_operating.py::test_only_old_deliveries_that_are_done_with_are_deleted",
        "what failed can no longer be replayed",
    ),
    Mutant(
        "deliveries are deleted before their time",
        "bot/app/retention.py",
        "tx.operating.prune(tx.now() - self._age, BATCH)",
        "tx.operating.prune(tx.now(), BATCH)",
        "app/test_retention.py::test_after_thirty_days_the_deliveries_are_gone_and_the_history_still_proves_itself",
        "nobody can see any more what GitHub told",
    ),
)

METRICS = (
    Mutant(
        "any token opens the metrics",
        "bot/web/access.py",
        "compare_digest(said.encode(), wanted.encode())",
        "bool(said)",
        "web/test_metrics.py::test_a_wrong_token_is_refused_also_on_this_machine",
        "whoever knows no secret reads how much is under way",
    ),
    Mutant(
        "the metrics are open to everybody",
        "bot/web/access.py",
        'if not knows and ("authorization" in request.headers or not is_local(request)):',
        "if not knows and 'authorization' in request.headers:",
        "web/test_metrics.py::test_without_a_token_only_this_machine_may_read_the_numbers",
        "the internet reads how much is under way",
    ),
)

TOKENS = (
    Mutant(
        "a revoked token works on",
        "bot/app/tokens.py",
        "    if row.revoked_at is not None:\n",
        "    if row.revoked_at is not None and not row.name:\n",
        "web/test_api.py::test_a_token_ends_at_its_time_and_at_its_revocation",
        "whoever has a token that was taken away reads on",
    ),
    Mutant(
        "a token works on after its time",
        "bot/app/tokens.py",
        "row.expires_at <= now:",
        "row.expires_at < row.created_at:",
        "web/test_api.py::test_a_token_ends_at_its_time_and_at_its_revocation",
        "a token for an afternoon is one for ever",
    ),
    Mutant(
        "a request past a proxy counts as local",
        "bot/web/local.py",
        "and not any(name in request.headers for name in _FORWARDED)",
        "",
        "web/pages/test_safety.py::test_whoever_comes_past_a_proxy_needs_a_token",
        "a proxy on the same machine shows every record to the internet",
    ),
    Mutant(
        "any name for this machine counts as local",
        "bot/web/local.py",
        'return self.name == "localhost" or _is_loopback(self.address or self.name)',
        "return bool(self.name)",
        "web/pages/test_safety.py::test_a_name_of_somebody_else_that_resolves_to_here_shows_nothing",
        "a page of somebody else reads the records through the browser of whoever sits here",
    ),
)

NAMES = (
    Mutant(
        "a name is looked for in whatever is sent",
        "bot/web/local.py",
        "_HOST.fullmatch(named[0])",
        "_HOST.search(named[0])",
        "web/pages/test_safety.py::test_a_name_that_can_be_read_in_two_ways_is_not_this_machine[@localhost]",
        "a name of somebody else that holds the one of this machine shows every record",
    ),
    Mutant(
        "the first of two names counts",
        "bot/web/local.py",
        "if len(named) == 1 else None",
        "if named else None",
        "web/pages/test_safety.py::test_two_names_are_not_this_machine",
        "a proxy and this process read two different names",
    ),
)

TOLD = (
    Mutant(
        "a delivery that failed repeats what the exception says",
        "bot/app/inbox.py",
        'detail = f"a fault of this program: {type(error).__name__}"',
        'detail = f"{type(error).__name__}: {error}"',
        "scenarios/test_canaries.py::test_canary_secrets_appear_nowhere_and_words_of_people_in_no_log",
        "a token stands in the database and on a page",
    ),
    Mutant(
        "what could not be read is quoted",
        "bot/bootstrap/redaction.py",
        '    r"|(?<=input_value=).*(?=, input_type=)"\n',
        "",
        "web/test_logs.py::test_what_could_not_be_read_is_not_quoted",
        "the words of a private repository stand in the log",
    ),
    Mutant(
        "doctor ends well whatever it found",
        "bot/cli/doctor.py",
        'raise typer.Exit(1 if any(one.mark == "problem" for one in found) else 0)',
        "raise typer.Exit(0)",
        "cli/test_doctor.py::test_for_programs_there_is_json_with_the_same_exit",
        "a deployment goes on with a set-up that cannot work",
    ),
)

DOCTOR = (
    Mutant(
        "rules that nobody has read are called strict",
        "bot/app/policy/standing.py",
        "        return _unread(watch.problem)\n",
        "        return Standing(_named(STRICT))\n",
        "cli/test_doctor.py::test_rules_of_a_repository_whose_file_nobody_has_read_are_not_called_built_in",
        "an operator relies on rules that are not the ones of the file",
    ),
)

CONTACT = (
    Mutant(
        "a GitHub that does not answer is not told of",
        "bot/app/contact.py",
        "if self._tells_at is None or now >= self._tells_at:",
        "if self._tells_at is not None and now >= self._tells_at:",
        "cli/test_contact.py::test_a_server_that_does_not_reach_github_at_its_start_says_so_at_once_and_what_to_do",
        "who has just started a server waits for nothing and is not told why",
    ),
    Mutant(
        "a pause that GitHub asks for looks like a key that it refuses",
        "bot/github/survey.py",
        "and pause(answer, self._gateway.clock.now()) is None",
        "",
        "cli/test_contact.py::test_a_pause_that_github_asks_for_is_an_answer",
        "an operator makes a new key for nothing",
    ),
)

PRESENCE = (
    Mutant(
        "an archived repository is worked in",
        "bot/github/hooks.py",
        " if not one.archived",
        "",
        "scenarios/test_moved_repositories.py::test_an_archived_repository_stands_still_and_goes_on_where_it_was",
        "the sweep thaws what an archiving froze, and every write there is refused again and again",
    ),
)

HIDES = "scenarios/test_canaries.py::test_a_fault_of_the_server_is_told_to_nobody_but_the_log"
KNOWN = "one.get_secret_value() for one in (self.private_key, self.metrics_token, self.notify_url) if"

SHOWN = (
    *(
        Mutant(
            f"{name} is no secret",
            "bot/settings.py",
            KNOWN,
            KNOWN.replace(f"self.{name}", "None"),
            HIDES,
            "a secret of the settings stands in the log",
        )
        for name in ("private_key", "metrics_token", "notify_url")
    ),
    Mutant(
        "only the first secret of the webhook is a secret",
        "bot/settings.py",
        "        webhook = parted(self.webhook_secret)\n",
        "        webhook = parted(self.webhook_secret)[:1]\n",
        HIDES,
        "a secret of the settings stands in the log",
    ),
    Mutant(
        "the password of the database is no secret",
        "bot/settings.py",
        "(*passwords, *webhook, *others)",
        "(*webhook, *others)",
        HIDES,
        "a secret of the settings stands in the log",
    ),
    Mutant(
        "a fault on the command line shows what it held",
        "bot/cli/main.py",
        "        return operations.redacted(text)\n",
        "        return text\n",
        "cli/test_serve.py::test_our_own_fault_shows_no_secret_that_it_held",
        "a secret stands in a terminal, and in whatever keeps what was said there",
    ),
    Mutant(
        "the command line hides only what has the form of a secret",
        "bot/bootstrap/operations.py",
        "            known = load().known_secrets()\n",
        "            known: tuple[str, ...] = ()\n            load()\n",
        "cli/test_serve.py::test_our_own_fault_shows_no_secret_that_it_held",
        "a secret of the settings stands in a terminal",
    ),
    Mutant(
        "the server's log hides only what has the form of a secret",
        "bot/bootstrap/operations.py",
        "redactor = redaction.Redactor(settings.known_secrets())",
        "redactor = redaction.Redactor()",
        "cli/test_serve.py::test_a_fault_while_the_server_starts_shows_no_secret_in_its_log_either",
        "a secret of the settings stands in the log",
    ),
)

OPERATIONS = (
    *SHOWN,
    *SET_ASIDE,
    *SEEN,
    *COLLECTED,
    *BESIDE,
    *RETENTION,
    *METRICS,
    *TOKENS,
    *NAMES,
    *TOLD,
    *DOCTOR,
    *CONTACT,
    *PRESENCE,
)
