"""Defects of the shell and the store: order of writes, transactions, leases, signatures, what is shown."""

from tests.rules.mutants.mutant import Mutant

TRANSACT = "bot/app/transact.py"
BASE_LOCK = "bot/app/base_lock.py"
PUBLISH = "bot/app/publish.py"
WRITING = "bot/app/writing.py"
EFFECTS = "bot/app/effects.py"
WEBHOOK = "bot/web/webhook.py"

STORED = (
    Mutant(
        "a delivery of exactly the limit is too large",
        WEBHOOK,
        "            if size > self._limits.body:\n",
        "            if size >= self._limits.body:\n",
        "web/test_webhook.py::test_a_signed_body_just_below_the_limit_is_stored_whole",
        "what GitHub may send is refused, and lost",
    ),
    Mutant(
        "a delivery for another App is taken",
        WEBHOOK,
        "        if not headers.can_be_for(inbound.app_id):\n",
        "        if False:\n",
        "web/test_webhook.py::test_a_signed_delivery_for_another_app_is_refused",
        "who knows a secret that is shared replays what another App was told",
    ),
    Mutant(
        "content keys are not written",
        TRANSACT,
        "            tx.applied.put(self.key.repository_id, applied)\n",
        "            pass\n",
        "app/test_transacting.py::test_the_same_fact_counts_once_whatever_delivers_it",
        "a replayed delivery approves again",
    ),
    Mutant(
        "the lock of the base is not taken",
        BASE_LOCK,
        "if after.merge.locked and not had and not tx.leases.take(base_lock(after), str(after.key), None):",
        "if after.merge.locked and not had and tx is None:",
        "app/test_transacting.py::test_a_base_is_held_by_one_record_until_its_merge_is_over",
        "two merges into one base run at once",
    ),
    Mutant(
        "a base that was taken meanwhile is shared",
        BASE_LOCK,
        '        raise VersionConflict(f"{base_lock(after)} is taken")\n',
        "        pass\n",
        "app/test_transacting.py::test_a_base_that_was_taken_meanwhile_is_a_lost_race_and_not_shared",
        "two merges into one base run at once after a race",
    ),
    Mutant(
        "whoever waits longest in submit goes first",
        BASE_LOCK,
        "key=lambda record: (record.complete_since or _NEVER, record.issue)",
        "key=lambda record: record.phase_since",
        "app/test_transacting.py::test_whoever_was_complete_first_merges_first",
        "a change that was authorised first is merged last",
    ),
    Mutant(
        "a turn that was given up is not handed on",
        BASE_LOCK,
        "    if had or handed:\n",
        "    if had:\n",
        "app/test_transacting.py::test_whoever_gives_up_its_turn_gives_it_to_the_next_at_once",
        "a branch stands still although somebody could merge",
    ),
    Mutant(
        "a look that was asked for is overwritten",
        TRANSACT,
        "at if was_this else earliest(stored, at)",
        "at",
        "app/test_transacting.py::"
        "test_a_look_that_was_asked_for_is_not_forgotten_because_something_else_happened_first",
        "a record waits for ever for a look that nobody takes",
    ),
    Mutant(
        "a history row is skipped",
        "bot/store/history.py",
        "        sql.run(\n            _ADD,",
        "        if row.record.version % 2 == 0:\n            before = after\n            continue\n"
        "        sql.run(\n            _ADD,",
        "app/test_transacting.py::test_i11_every_version_has_its_history_row",
        "nobody can say how the record came to be",
    ),
    Mutant(
        "a lease has two holders",
        "bot/store/leases.py",
        "if present not in (None, holder):",
        "if present == '':",
        "store/test_parts.py::test_i19_a_lease_has_one_holder_until_it_ends",
        "two processes merge, publish or work on one thing",
    ),
    Mutant(
        "results are handed out before the commit",
        "bot/store/committer.py",
        "            job.value = job.work(Transaction(sql, self._clock.now()))\n",
        "            job.value = job.work(Transaction(sql, self._clock.now()))\n"
        "            job.future.get_loop().call_soon_threadsafe(job.future.set_result, job.value)\n",
        "store/test_writer.py::test_a_result_is_handed_out_only_after_its_commit",
        "GitHub is told that something is stored which is not",
    ),
)

SENT = (
    Mutant(
        "an effect is ok before it is sent",
        EFFECTS,
        'tx.effects.set(row.id, "sent", row.note,',
        'tx.effects.set(row.id, "ok", row.note,',
        "app/test_effects.py::test_an_effect_whose_process_died_before_sending_is_done",
        "an answer is lost with the process that was about to send it",
    ),
    Mutant(
        "a sent effect is sent again unseen",
        EFFECTS,
        'found = row.state == "sent" and await self._happened(row)',
        "found = False",
        "app/test_effects.py::test_an_effect_whose_process_died_after_sending_is_found_and_not_repeated",
        "people are answered twice",
    ),
    Mutant(
        "writes do not wait for each other",
        "bot/app/pacing.py",
        "lane.free_at = max(self._clock.monotonic(), lane.free_at) + self._interval",
        "lane.free_at = max(self._clock.monotonic(), lane.free_at)",
        "app/test_pacing.py::test_i29_writes_of_one_installation_are_a_second_apart",
        "GitHub's secondary limits stop everything",
    ),
    Mutant(
        "a pause is forgotten with the process",
        "bot/app/pacing.py",
        "            return await self._forge.perform(repo, write, guard)\n        except RateLimited as failure:\n"
        "            await self._pacing.refused(repo, failure)\n",
        "            return await self._forge.perform(repo, write, guard)\n        except RateLimited:\n",
        "app/test_pacing.py::test_nothing_is_asked_before_the_pause_is_over_also_after_a_restart",
        "the bot writes on while GitHub asks it to stop",
    ),
    Mutant(
        "a pause that a new comment meets is not kept",
        "bot/app/pacing.py",
        "            return await self._forge.perform(repo, write, guard)\n        except RateLimited as failure:\n",
        "            return await self._forge.perform(repo, write, guard)\n        except RateLimited as failure:\n"
        '            if write.kind == "create_comment":\n                raise\n',
        "sweep/test_limits.py::test_i29_nothing_is_asked_before_retry_after_and_then_it_goes_on[create_comment]",
        "an answer to somebody is refused, and the bot writes on while GitHub asks it to stop",
    ),
    Mutant(
        "a limit that comes again is waited for as long as before",
        "bot/app/pacing.py",
        "repeated = now - ended <= 2 * length",
        "repeated = False",
        "app/test_pacing.py::test_i29_a_limit_that_names_no_time_is_waited_for_twice_as_long_each_time_it_comes_again",
        "the bot knocks every minute while GitHub asks it to stop",
    ),
    Mutant(
        "a limit that a question meets is an unreadable answer",
        "bot/github/api.py",
        "        if limited is not None:\n            raise limited\n",
        "",
        "github/test_evidence.py::test_a_limit_that_graphql_tells_of_is_waited_for_until_its_headers_say",
        "the bot asks on while GitHub asks it to stop",
    ),
    Mutant(
        "the headers of a limit that GraphQL tells of are not read",
        "bot/github/failures.py",
        "    named = _named(answer, now)\n    return RateLimited(",
        "    named = None\n    return RateLimited(",
        "github/test_evidence.py::test_a_limit_that_graphql_tells_of_is_waited_for_until_its_headers_say",
        "the bot asks again after a minute where GitHub said an hour",
    ),
    Mutant(
        "the merge waits for its turn unbooked",
        "bot/app/pacing.py",
        "        self._pacing.book(repo)\n",
        "",
        "app/test_pacing.py::test_reads_and_the_merge_pass_at_once_and_the_merge_counts",
        "more than one mutation a second leaves",
    ),
    Mutant(
        "the sweep passes over open records",
        "bot/app/sweep/records.py",
        "        await tour.without_fault(key.issue, _look(tour, record, looks[key]))\n",
        "        pass\n",
        "app/test_sweeping.py::test_open_records_are_looked_at_and_no_others",
        "what no webhook told is never seen",
    ),
    Mutant(
        "a commit whose checks GitHub refuses ends the sweep of its repository",
        "bot/app/sweep/records.py",
        "        tour.trouble(refused.for_operator())\n        return []\n",
        "        raise\n",
        "sweep/test_limits.py::test_a_commit_whose_checks_github_refuses_keeps_no_other_record_from_being_compared",
        "one commit that the App may not look at hides what was spoilt of all others",
    ),
)

SHOWN = (
    Mutant(
        "the check says success before the authority is there",
        "bot/domain/projections/check_run.py",
        "return linked and authority_complete(record, policy) and obstacle",
        "return linked and record.verification.head == record.head and obstacle",
        "domain/projections/test_check_run.py::test_no_success_where_anything_is_missing",
        "GitHub lets somebody merge what nobody approved",
    ),
    Mutant(
        "success for a version that is old",
        WRITING,
        "if _version(tx, record.key) != record.version or",
        "if _version(tx, record.key) < record.version or",
        "app/test_publishing.py::test_success_is_not_written_for_a_version_that_is_no_longer_the_newest",
        "a check turns green after the approval was taken back",
    ),
    Mutant(
        "a write is not questioned after its wait",
        "bot/app/pacing.py",
        "return await self._forge.perform(repo, write, guard)",
        "return await self._forge.perform(repo, write)",
        "app/test_publishing.py::"
        "test_success_is_not_written_for_a_record_that_moved_while_the_write_waited_for_its_turn",
        "a check turns green after the approval was taken back",
    ),
    Mutant(
        "a publisher whose lease ended goes on",
        WRITING,
        "        if tx.leases.holder(self.name) != self.owner or not self.take(tx):\n",
        "        if not self.take(tx):\n",
        "app/test_publishing.py::test_who_waited_longer_than_the_lease_writes_nothing",
        "an old success is written over a newer no",
    ),
    Mutant(
        "a token is fetched after the guard was asked",
        "bot/github/api.py",
        '        token = await self.gateway.tokens.get(self.repo)\n        what = f"{method} {path}"\n',
        "        if self._guard is not None:\n            await self._guard()\n            self._guard = None\n"
        '        token = await self.gateway.tokens.get(self.repo)\n        what = f"{method} {path}"\n',
        "github/test_writes_in_time.py::test_nothing_comes_between_the_guard_and_the_write_not_even_a_token",
        "an old success is written over a newer no",
    ),
    Mutant(
        "a write takes as long as it likes",
        "bot/github/api.py",
        "async with asyncio.timeout(self.gateway.endpoint.write_timeout):",
        "async with asyncio.timeout(self.gateway.endpoint.write_timeout * 40):",
        "github/test_writes_in_time.py::test_a_write_that_is_not_answered_in_its_time_is_given_up_as_unknown",
        "a write lands after the lease of its writer, over what somebody else wrote",
    ),
    Mutant(
        "a lease ends before the longest write",
        "bot/app/timing.py",
        "return self.write_timeout + LANDING",
        "return self.write_timeout",
        "app/test_publishing.py::test_while_a_write_may_still_land_nobody_else_publishes_the_record",
        "two publishers write one record, and the older one last",
    ),
    Mutant(
        "an effect whose claim ended is sent all the same",
        EFFECTS,
        "if not tx.effects.extend(row.id, row.attempts + 1, self._lease_ends(tx)):",
        "if not tx.effects.extend(row.id, row.attempts + 1, self._lease_ends(tx)) and row.id < 0:",
        "app/test_effects.py::test_an_effect_that_waited_longer_than_its_claim_is_left_to_whoever_claimed_it_meanwhile",
        "people are answered twice",
    ),
    Mutant(
        "a report whose lease ended is written all the same",
        "bot/app/policy/places.py",
        "if now is None or now.sent_at != report.sent_at:",
        "if now is None:",
        "scenarios/test_policy_feedback.py::test_a_report_that_waited_too_long_is_left_to_whoever_took_it_meanwhile",
        "people are told twice what became of their file",
    ),
    Mutant(
        "a refused check counts as written",
        WRITING,
        "        if isinstance(step.write, CreateComment | UpdateComment):\n",
        "        if step.slot:\n",
        "app/test_publishing.py::test_success_is_taken_away_although_github_refused_it_once",
        "a check stays green after the approval was taken back",
    ),
    Mutant(
        "what was found to be shown is not remembered",
        "bot/app/slots.py",
        "                if each.shows_since is not None:\n",
        "                if each.shows_since is None:\n",
        "app/test_publishing.py::"
        "test_a_short_approval_counts_although_the_answer_to_the_comment_it_was_read_from_was_lost",
        "a short command is refused although its writer saw what it was about",
    ),
    Mutant(
        "two publishers at once",
        PUBLISH,
        "        if not await self._store.run(hold.take):\n            return False\n",
        "        await self._store.run(hold.take)\n",
        "app/test_publishing.py::test_a_record_is_published_by_one_at_a_time",
        "an old success is written over a newer no",
    ),
    Mutant(
        "a check loses success last",
        "bot/domain/projections/plan.py",
        "(0 if loses and want.conclusion else 1, step)",
        "(1 if loses else 0, step)",
        "domain/projections/test_plan.py::test_the_check_that_loses_success_comes_first",
        "a merge by hand slips through while comments are written",
    ),
    Mutant(
        "a check is opened again while success is its last conclusion",
        "bot/domain/projections/plan.py",
        "    if want.conclusion is None and written.remote_id is not None:\n",
        "    if want.conclusion is None and written.remote_id is None:\n",
        "scenarios/test_lost_success.py::test_a_check_that_waits_again_is_concluded_without_success_first",
        "GitHub may take the conclusion of before for the present one",
    ),
    Mutant(
        "the merge is asked for without its check",
        "bot/app/merge.py",
        "        if not await self._check_stands(record):\n",
        "        if record.merge.id is None:\n",
        "app/test_publishing.py::test_nothing_is_asked_while_the_check_cannot_be_shown",
        "the request fails where our own check is required",
    ),
    Mutant(
        "user text leaves its code span",
        "bot/domain/model/text.py",
        'fence = "`" * (max(runs, default=0) + 1)',
        'fence = "`"',
        "domain/projections/test_inert.py::test_every_fragment_of_user_text_is_inert_by_itself",
        "a comment makes the bot mention, close or command",
    ),
    Mutant(
        "markers can be imitated",
        "bot/domain/model/text.py",
        '.replace("<!--", "<! --")\n    if len(clean)',
        "\n    if len(clean)",
        "domain/projections/test_inert.py::test_the_marker_of_another_comment_cannot_be_imitated",
        "a person's text is taken for the bot's own comment",
    ),
    Mutant(
        "a commit message closes issues",
        "bot/domain/merging/texts.py",
        "    while quiet != before:",
        "    if quiet != before:",
        "domain/merging/test_texts.py::test_user_text_is_inert_in_a_commit_message",
        "a title closes issues of others when it is merged",
    ),
)

RECEIVED = (
    Mutant(
        "the signature of a webhook is not checked",
        WEBHOOK,
        "not could_be_signed or not self._inbound.verify(body, signature.decode()):",
        "not could_be_signed:",
        "web/test_acknowledging.py::test_what_is_forged_is_not_acknowledged_and_leaves_no_row",
        "anybody on the internet speaks as GitHub",
    ),
    Mutant(
        "an empty secret accepts",
        "bot/github/inbound/signature.py",
        "matches |= bool(secret) and hmac",
        "matches |= hmac",
        "github/test_signature_and_routing.py::test_no_secret_and_empty_secrets_accept_nothing",
        "a forgotten setting opens the door",
    ),
    Mutant(
        "202 before the commit",
        WEBHOOK,
        "            return NOT_STORED\n",
        '            return 202, {"delivery": guid, "status": "accepted"}\n',
        "web/test_acknowledging.py::test_what_could_not_be_stored_is_not_acknowledged",
        "GitHub never sends again what was lost",
    ),
    Mutant(
        "a known delivery with another body is taken",
        WEBHOOK,
        'if outcome == "conflict":',
        'if outcome == "never":',
        "web/test_acknowledging.py::test_another_body_under_a_known_number_is_not_acknowledged",
        "a forgery hides behind a number that is known",
    ),
)

MOVES_ONTO = "scenarios/test_many.py::test_success_goes_when_a_pull_request_of_another_record_moves_onto_its_commit"
TWICE = (
    Mutant(
        "a pull request that is linked is nobody's twin",
        "bot/app/route.py",
        "            sharing = await self._carrying(repo, (*await self._booked(linked), *_moved(signal)), but=linked)\n",
        "            sharing = ()\n",
        MOVES_ONTO,
        "one record's success lets another record's pull request be merged",
        Mutant(
            "nobody is told who else has this head",
            "bot/app/transact.py",
            "        retell(tx, before, result.record)\n",
            "        pass\n",
            MOVES_ONTO,
            "",
        ),
    ),
)

SHELL = (*TWICE, *STORED, *SENT, *SHOWN, *RECEIVED)
