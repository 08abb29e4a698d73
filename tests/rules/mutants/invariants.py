"""For each invariant of LIFECYCLE.md section 9 a defect that its own test must see."""

from tests.rules.mutants.mutant import Mutant

CORE = "domain/lifecycle/test_invariants.py::"
WALK = "domain/lifecycle/test_walk.py::"
SEEN = "scenarios/test_invariants.py::"
GATE = "bot/domain/gates/gate.py"
PREREQUISITES = "bot/domain/lifecycle/prerequisites.py"
MERGING = "bot/domain/lifecycle/merging.py"
KERNEL = "bot/domain/lifecycle/kernel.py"
EARLY = "bot/domain/lifecycle/revoked_early.py"
ANY_ORDER = (
    "simulation/test_any_order.py::"
    "test_i14_in_whatever_order_and_however_often_it_is_delivered_the_authority_is_the_same"
)
ANY_DOCUMENT = (
    "domain/lifecycle/test_any_document.py::test_i27_the_kernel_holds_under_a_document_that_allows_everything"
)

OF_THE_MERGE = (
    Mutant(
        "a check that has not ended is good enough at the merge",
        "bot/domain/gates/checks.py",
        'return "passed" if states == {"success"} else "pending"',
        'return "passed"',
        f"{CORE}test_i1_a_request_leaves_only_with_complete_authority_and_checks_that_are_green_from_their_source",
        "a request leaves before the checks are green",
    ),
    Mutant(
        "another head is asked for than was reserved",
        "bot/domain/merging/reservation.py",
        "        head=str(merge.head),\n",
        '        head=str(merge.sha or "0" * 40),\n',
        f"{CORE}test_i2_the_request_carries_the_reserved_head_and_another_head_is_never_asked_for_nor_ours",
        "a head that nobody reserved is merged",
    ),
    Mutant(  # each of these guards holds alone
        "what is under way is asked for again",
        MERGING,
        '    if merge.state != "reserved" or merge.id != signal.reservation:\n'
        '        return Ignore("this reservation is over")\n'
        "    if signal.attempts != merge.attempts:\n"
        '        return Ignore("another attempt of this reservation came between")\n'
        "    if (no := prerequisites.unheard(turn)) is not None:\n"
        "        _release(turn, no.message, no.code)\n"
        "        return None\n"
        "    if turn.facts.news_waits:\n"
        '        raise Unread("what GitHub told is not worked on yet")\n'
        "    try:\n"
        "        with turn.whole():\n"
        "            seen = look_before_merge(turn)\n"
        '            standing = prerequisites.blockers(turn) if turn.record.merge.state == "reserved" else ()\n'
        "    except Unread:  # which fact and why stands in the log; people are told what it means\n"
        '        _release(turn, "GitHub did not show all that is needed", "could_not_verify")\n'
        '        turn.look_again()\n        return Ignore("what is needed could not be read")\n'
        "    if standing:\n"
        "        _release(turn, standing[0].message, standing[0].code)\n"
        '    if turn.record.merge.state != "reserved":\n'
        '        turn.book("reservation_released")\n'
        "        return seen\n",
        "",
        f"{CORE}test_i3_while_a_request_may_land_no_second_one_is_permitted",
        "two requests for one pull request can land",
    ),
    Mutant(
        "a lease that ended ends the merge",
        MERGING,
        '    ambiguous(turn, merge.answer or "no answer was stored", merge.uuid)\n    return None\n',
        '    refused(turn, "its owner is gone")\n    return None\n',
        f"{CORE}test_i4_neither_time_nor_a_lost_owner_nor_a_restart_nor_a_blind_look_ends_what_was_asked",
        "a restart gives a request up that can still land",
    ),
    Mutant(
        "a base that could not be read counts as merged",
        "bot/domain/lifecycle/landing.py",
        "evidence.pull_merged is True and evidence.on_base is True and",
        "evidence.pull_merged is True and evidence.on_base is not False and",
        f"{CORE}test_i5_done_means_that_both_sides_showed_it",
        "done is written though only one side showed it",
    ),
    Mutant(
        "what led to the merge is taken back after it",
        "bot/domain/lifecycle/stopping.py",
        '    if record.phase == "done":\n        return refusing.nothing_to_judge(record)\n    about_plan',
        "    about_plan",
        f"{CORE}test_i6_done_is_absorbing",
        "the record of a merge changes after the merge",
    ),
    Mutant(
        "a request under way is left",
        "bot/domain/lifecycle/kernel.py",
        'yield "nothing moves while GitHub may be merging"',
        "yield from ()",
        f"{CORE}test_i8_a_request_under_way_is_never_left_backward",
        "the record no longer says for what GitHub was asked",
    ),
    Mutant(
        "a merge in a stack takes what is below it",
        PREREQUISITES,
        "lower = [number for number in pull.stack if number != pull.number]",
        "lower = [number for number in pull.stack if number == -1]",
        f"{SEEN}test_i28_a_stack_is_never_merged",
        "pull requests that nobody judged land with it",
    ),
)
OF_PHASES = (
    Mutant(
        "history says it came from where it went",
        "bot/domain/lifecycle/turn.py",
        "Step(after, self._closed.phase, event",
        "Step(after, after.phase, event",
        f"{WALK}test_i7_consecutive_rows_form_an_edge_of_the_machine",
        "nobody can tell which edge was taken",
    ),
    Mutant(
        "what was judged stays current when the head is sent back",
        GATE,
        "    if decision.void is not None:\n        return decision.void\n",
        '    if decision.void is not None and "head" not in decision.void:\n        return decision.void\n',
        f"{CORE}test_i9_what_was_judged_is_not_current_any_more_once_the_head_goes_back",
        "an approval from before a rejection counts after it",
    ),
    Mutant(
        "any approval of a plan is one of this plan",
        GATE,
        "decision.revision != plan.revision or decision.digest != plan.digest:",
        "decision.revision < 1:",
        f"{CORE}test_i10_nothing_is_built_on_an_approval_of_another_revision_digest_or_round",
        "a plan is built that nobody approved",
    ),
    Mutant(
        "whoever asks resumes",
        "bot/domain/lifecycle/blocking.py",
        '    roles = ("operator", "builder") if turn.policy.blocked_recovery == "builder" else ("operator",)\n',
        '    roles = ("operator", "builder", "reviewer")\n',
        f"{CORE}test_i32_only_an_operator_resumes_where_policy_says_human",
        "the question that stopped the work is passed over",
    ),
    Mutant(
        "a document may skip what testing needs",
        KERNEL,
        'and not (complete(after, policy, "testing") or _returns(before, after)):',
        "and after.head is None:",
        ANY_DOCUMENT,
        "a team's document leads to submit without a judgement",
    ),
    Mutant(
        "a document may build without a plan",
        KERNEL,
        'and not any(d.verdict == "approve" for d in counting(after, "plan"))',
        "and after.plan is None",
        ANY_DOCUMENT,
        "a team's document builds what nobody approved",
        twin=Mutant(
            "work begins without a plan",
            KERNEL,
            "if _begins(before, after) and not plan_approved(after, policy):",
            "if _begins(before, after) and after.plan is None:",
            ANY_DOCUMENT,
            "a team's document begins what nobody approved",
        ),
    ),
)
OF_PEOPLE = (
    Mutant(
        "resuming forgives what was taken back",
        "bot/domain/lifecycle/blocking.py",
        '    look_at_pull(turn)\n    if turn.record.phase == "blocked":\n        _go_on(turn, signal.phase)\n',
        "    look_at_pull(turn)\n    turn.set(review_round=turn.record.review_round + 1)\n"
        '    turn.set(decisions=tuple(d.model_copy(update={"void": None, "head": turn.record.head, '
        '"epoch": turn.record.head_epoch}) for d in turn.record.decisions))\n'
        '    if turn.record.phase == "blocked":\n        _go_on(turn, signal.phase)\n',
        f"{CORE}test_i13_a_resume_brings_nothing_back_that_was_taken_back",
        "a resume approves what nobody approved",
    ),
    Mutant(
        "a revocation that comes first is forgotten",
        EARLY,
        "    if not later or max(later) < written_at:\n",
        "    if later is not None:\n",
        f"{ANY_ORDER}[approved and revoked]",
        "what a person took back counts because GitHub delivered it late",
    ),
    Mutant(
        "a dismissal that comes first is forgotten",
        EARLY,
        "    known = any(one.review_id == signal.review_id for one in turn.record.taken_back)\n",
        "    known = False\n",
        f"{ANY_ORDER}[a review, dismissed]",
        "a dismissed review counts because GitHub delivered it late",
    ),
    Mutant(
        "the author of a pull request judges it",
        "bot/domain/gates/separation.py",
        '            bar(pull.author, "opened the pull request")\n',
        "            pass\n",
        f"{CORE}test_i15_who_made_it_or_sits_already_opens_no_gate",
        "who wrote it approves it",
    ),
    Mutant(
        "at the merge a login is as good as an account",
        "bot/domain/lifecycle/roles.py",
        "    if permission.user_id != who.id:\n",
        "    if permission.user_id == 0:\n",
        f"{CORE}test_i16_permission_is_proven_again_when_it_is_merged",
        "whoever takes a freed login keeps the rights of its owner",
    ),
    Mutant(
        "what an edited comment says now is done",
        "bot/app/comments.py",
        "            if edited:\n",
        "            if edited is None:\n",
        "sweep/test_lost.py::test_i17_a_comment_that_was_edited_before_the_sweep_saw_it_decides_nothing",
        "a harmless comment becomes an approval later",
    ),
    Mutant(
        "files that cannot be listed are no workflows",
        PREREQUISITES,
        "workflows = turn.need(WorkflowFilesIn(record.pull_request or 0))",
        'workflows = "touched" if turn.ask(WorkflowFilesIn(record.pull_request or 0)) == "touched" else "none"',
        f"{CORE}test_i18_what_cannot_be_read_is_not_a_yes",
        "what GitHub does not show is taken for granted",
    ),
    Mutant(
        "a word from before the gate counts for it",
        "bot/domain/lifecycle/binding.py",
        "if opened_at is None or written_at <= opened_at:",
        "if opened_at is None and written_at is None:",
        f"{CORE}test_i31_nothing_written_before_a_gate_opened_counts_for_it",
        "a gate is opened by what was said about another one",
    ),
)
OF_WHAT_IS_KEPT = (
    Mutant(
        "a history row says more than changed",
        "bot/store/history.py",
        "patch.diff(before, after), previous)",
        "patch.diff(before, before), previous)",
        "app/test_transacting.py::test_i11_every_version_has_its_history_row",
        "replaying the history gives another record",
    ),
    Mutant(
        "a lost race is won all the same",
        "bot/store/committer.py",
        "            job.error = for_caller(error, outage=is_outage(error))\n",
        "            job.error = None\n",
        "store/test_writer.py::test_i12_twenty_writers_race_and_one_wins_each_version",
        "a write is acknowledged that is not in the history",
    ),
    Mutant(
        "an effect that was carried out never ends",
        "bot/app/effects.py",
        '        else:\n            await self._set(row, "ok", None)\n',
        '        else:\n            await self._set(row, "planned", None)\n',
        f"{SEEN}test_i23_every_effect_ends_ok_refused_or_unknown_and_in_order",
        "people are answered again and again",
    ),
    Mutant(
        "what takes success away waits its turn",
        "bot/domain/projections/plan.py",
        "(0 if loses and want.conclusion else 1, step)",
        "(4 if loses and want.conclusion else 1, step)",
        f"{SEEN}test_i24_the_first_write_after_a_loss_takes_success_away",
        "a merge by hand slips through while comments are written",
    ),
    Mutant(
        "all installations wait in one lane",
        "bot/app/pacing.py",
        "self._lanes.setdefault(repo.installation_id, ",
        "self._lanes.setdefault(0, ",
        "app/test_pacing.py::test_i25_installations_do_not_wait_for_each_other",
        "one customer's work slows the others",
    ),
    Mutant(
        "a failure is told with its credentials",
        "bot/github/failures.py",
        '    detail = f"{what}: {status}"\n',
        "    detail = f\"{what}: {status} {answer.request.headers.get('authorization')}\"\n",
        f"{SEEN}test_i26_no_secret_in_logs_comments_or_answers",
        "a token stands in a log line",
    ),
    Mutant(
        "a merge leaves although github asked for a pause",
        "bot/app/pacing.py",
        "        if until is not None:\n            return MergeReply(",
        "        if until is not None and not permit:\n            return MergeReply(",
        "app/test_pacing.py::test_i29_a_merge_is_not_sent_during_a_pause",
        "GitHub blocks the App",
    ),
    Mutant(
        "a row does not continue the chain",
        "bot/store/history.py",
        "        previous = canonical.hashed(text)\n",
        '        previous = canonical.hashed(f"{text} ")\n',
        f"{SEEN}test_i30_the_hash_chain_verifies_after_every_step",
        "a changed row of the history is not noticed",
    ),
)

OF_WORDS = (
    Mutant(
        "what was unlinked links itself again",
        "bot/domain/lifecycle/pulls.py",
        "    if any(former.number == pull.number for former in record.former_pulls):\n",
        "    if any(former.number == -1 for former in record.former_pulls):\n",
        "sweep/test_unlinked.py::test_a_pull_request_that_was_unlinked_is_not_linked_again_by_the_next_sweep_or_push",
        "a person's word is undone by the next look",
    ),
)

INVARIANTS = (*OF_WORDS, *OF_THE_MERGE, *OF_PHASES, *OF_PEOPLE, *OF_WHAT_IS_KEPT)
