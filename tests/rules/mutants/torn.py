"""Lists of GitHub that are torn or cut, taken for whole; and what is not looked at because something else comes first."""

from tests.rules.mutants.mutant import Mutant

LISTS = "bot/github/lists.py"
POLLED = "bot/github/facts/polled.py"
CLIENT = "github/test_client.py::"
TWINS = "scenarios/test_twins.py::test_a_twin_"

_LISTS = (
    Mutant(
        "one reading of several pages is whole",
        LISTS,
        "if len(pages) == 1:\n            break",
        "if pages:\n            break",
        f"{TWINS}that_slips_onto_a_page_that_was_read_stops_the_merge",
        "a twin that slips between two pages is merged with the head",
    ),
    Mutant(
        "both readings have pages of one size",
        LISTS,
        "PER_PAGE - number % 2",
        "PER_PAGE",
        f"{TWINS}that_slips_onto_a_page_that_was_read_stops_the_merge",
        "what closes and opens again each time hides the same row each time",
    ),
    Mutant(
        "a full page without a next one is the last",
        LISTS,
        "return page.following is None and len(rows) < size",
        "return page.following is None",
        f"{TWINS}behind_a_full_page_that_names_no_next_one_stops_the_merge",
        "a proxy that drops a header hides every row but the first hundred",
    ),
    Mutant(
        "who pushed is read one page long",
        LISTS,
        "        if page.following is None:\n            return tuple(found), page, True\n",
        "        if page.following != where:\n            return tuple(found), page, True\n",
        f"{CLIENT}test_moves_that_are_older_than_was_read_are_not_taken_for_none",
        "whoever pushed before a hundred others judges what they pushed",
    ),
    Mutant(
        "a full page of moves is the last",
        LISTS,
        "if page.following is not None or len(part) < size:",
        "if page.following is not None or len(part) <= size:",
        f"{CLIENT}test_a_full_page_of_moves_that_names_no_next_one_is_not_taken_for_the_last",
        "a proxy that drops a header hides who pushed",
    ),
    Mutant(
        "a branch was made where nothing older is told",
        "bot/domain/lifecycle/pushers.py",
        "(older[0] == UNTOLD or (older[0].after == NOWHERE and older[0].before == made.after))",
        "(older[0].after == NOWHERE and older[0].before == made.after)",
        "domain/lifecycle/test_pushers.py::test_a_broken_line_leaves_it_unknown_and_whoever_is_named_in_commits_out"
        "[nothing is told of before the branch was made]",
        "whoever pushed before a branch was restored judges what they pushed",
    ),
    Mutant(
        "the second reading is believed, whatever the first told",
        LISTS,
        "        if _tell_the_same(before, found):\n",
        "        if found is not before:\n",
        f"{CLIENT}test_a_list_that_never_stands_still_is_no_answer_and_is_not_read_for_ever",
        "a list that changes while it is read is an answer",
    ),
    Mutant(
        "comments are read page by page",
        POLLED,
        'asked = {"since": since, "sort": "updated", "direction": "asc"}\n'
        '        pages.append(await api.get("/issues/comments", etag if not pages else None, per_page=PER_PAGE, page=1,',
        'asked = {"since": text(question.since), "sort": "updated", "direction": "asc"}\n'
        '        pages.append(await api.get("/issues/comments", None, per_page=PER_PAGE, page=len(pages) + 1,',
        "scenarios/test_lost_stops.py::test_a_hold_is_heard_though_older_comments_are_edited_while_the_list_is_read",
        "an edit of an older comment hides a /hold until the next full sweep",
    ),
)

OUTBOX = "bot/store/outbox.py"

_TURNS = (
    Mutant(
        "effects are carried out as they were planned",
        OUTBOX,
        '"reaction": 1600,',
        '"reaction": 400,',
        "scenarios/test_many.py::test_an_answer_does_not_wait_behind_the_reactions_to_a_strangers_comments",
        "whoever writes forty comments a minute keeps everybody else from an answer",
    ),
    Mutant(
        "a reaction waits for every reply",
        OUTBOX,
        '"reaction": 1600,',
        '"reaction": 10**9,',
        "store/test_parts.py::test_a_reaction_does_not_wait_for_ever_behind_replies",
        "in a busy repository nobody ever sees a reaction",
    ),
    Mutant(
        "what is urgent in one installation goes before all of another",
        OUTBOX,
        "                yield lane, first[0]\n",
        "                yield lane, -first[0]\n",
        "store/test_parts.py::test_replies_of_one_installation_hold_up_no_reaction_of_another",
        "one busy installation holds up all others",
    ),
)

_LONG = (
    Mutant(
        "a number of any length is read before anybody is asked who calls",
        "bot/web/access.py",
        'regex = "[0-9]{1,40}"',
        'regex = "[0-9]+"',
        "web/test_access.py::test_no_number_that_a_stranger_sends_makes_a_fault_of_the_server",
        "whoever can reach the server fills its log of errors",
    ),
    Mutant(
        "a cursor is any number",
        "bot/app/views.py",
        'r"-?[0-9]{1,18}"',
        'r"-?[0-9]+"',
        "web/test_access.py::test_no_number_that_a_caller_sends_makes_a_fault_of_the_server",
        "an agent's wrong cursor looks like a fault of ours",
    ),
    Mutant(
        "the length of a body is any number",
        "bot/web/webhook.py",
        "len(length) > _LONGEST or int(length)",
        "int(length)",
        "web/test_access.py::test_no_number_that_a_stranger_sends_makes_a_fault_of_the_server",
        "a header ends in a fault of ours",
    ),
)

_NO_COMMIT = (
    Mutant(
        "requested changes on no commit are about none",
        "bot/domain/lifecycle/judging.py",
        "if signal.commit not in {None, record.head}:",
        "if signal.commit != record.head:",
        "scenarios/test_reviews.py::test_requested_changes_that_name_no_commit_send_the_present_head_back",
        "what GitHub shows as requested changes is merged",
    ),
    Mutant(
        "a sweep takes requested changes on no commit for nothing",
        "bot/app/sweep/found.py",
        'named = found.commit is not None or found.state == "changes_requested"',
        "named = found.commit is not None",
        "scenarios/test_lost_stops.py::test_a_stop_whose_webhook_was_lost_is_found_before_the_merge",
        "requested changes whose webhook was lost are merged over",
    ),
)

BEHIND = "scenarios/test_lost_stops.py::test_a_hold_behind_more_comments_than_one_sweep_reads_is_heard_by_the_next_ones"

_BEHIND = (
    Mutant(
        "a merge asks for what was said and reads some of it",
        "bot/app/reheard.py",
        "if comments.until is not None:",
        "if comments.unchanged:",
        BEHIND,
        "a /hold behind many comments is merged over",
    ),
    Mutant(
        "a sweep that is behind starts over",
        "bot/app/sweep/comments.py",
        "        return min(answer.value.until, answer.date - OVERLAP)",
        "        return since",
        BEHIND,
        "where there are many comments no word is heard any more",
    ),
)

TORN = (*_LISTS, *_TURNS, *_LONG, *_NO_COMMIT, *_BEHIND)
