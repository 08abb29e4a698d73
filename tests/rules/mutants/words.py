"""Defects of how a comment is read: whose words, which lines, and what they become."""

from tests.rules.mutants.mutant import Mutant

COMMONMARK = "bot/domain/commands/commonmark.py"
NOT_HEARD = "domain/commands/test_grammar.py::test_what_github_does_not_show_as_a_line_of_plain_text_is_no_command"

WORDS = (
    Mutant(
        "an entity writes a mark of ours",
        COMMONMARK,
        "        document = _ENTITY.sub(_OTHER, document)\n",
        "        pass\n",
        NOT_HEARD,
        "a quoted command counts, or a comment that cannot be read stops its delivery",
    ),
    Mutant(
        "what is struck out is text",
        COMMONMARK,
        'before.count("<a ") + before.count("<del>")',
        'before.count("<a ") + before.count("</del>")',
        NOT_HEARD,
        "a command that its writer struck out counts",
    ),
    Mutant(
        "a place inside a tag is text",
        COMMONMARK,
        "        if not in_a_tag:\n",
        "        if True:\n",
        NOT_HEARD,
        "words that are the title of a link or of an image are a command",
    ),
    Mutant(
        "an edit of an approval is not told",
        "bot/domain/lifecycle/rewritten.py",
        '    if record.phase == "done" or not said:\n',
        "    if True:\n",
        "scenarios/test_plans.py::test_an_approval_that_is_edited_away_stands_and_says_so_once",
        "what the thread shows is not what was decided, and nobody knows",
    ),
    Mutant(
        "comments that are written once offer bare commands everywhere",
        "bot/domain/lifecycle/spelling.py",
        "    if not isinstance(result, Advance | Ignore):\n",
        "    if True:\n",
        "scenarios/test_bare_commands_off.py::test_comments_that_are_written_once_offer_commands_as_they_are_heard",
        "people write what they were told to, and nothing happens",
    ),
    Mutant(
        "who has to say which issue is told a bare command everywhere",
        "bot/app/bring.py",
        "respelled_effect(hint, ruled.policy if ruled else STRICT)",
        "hint",
        "scenarios/test_bare_commands_off.py::test_comments_that_are_written_once_offer_commands_as_they_are_heard",
        "a builder links nothing, and nothing answers",
    ),
    Mutant(
        "the end of a long answer is dropped",
        "bot/domain/commands/answer.py",
        'if refusal := too_long(said, rest, "nothing was answered"):',
        "if refusal := None:",
        "domain/commands/test_texts.py::test_an_answer_that_is_too_long_answers_nothing_and_its_writer_is_told",
        "an operator believes that the whole answer was read",
    ),
    Mutant(
        "a refusal in the wrong phase says nothing of what leads on",
        "bot/domain/lifecycle/refusing.py",
        'f"{why}\\n{leads_on(record, policy)}"',
        "why",
        "domain/lifecycle/test_who_may.py::test_who_may_what_and_when[/resume planning on the issue]",
        "people are left with a no and do not know whose turn it is",
    ),
)
