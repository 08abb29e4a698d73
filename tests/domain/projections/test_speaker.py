"""Which of the records that have one commit says what the check run on it says."""

from itertools import permutations

from bot.domain.model.record import Record
from bot.domain.projections.check_run import check_runs
from bot.domain.projections.speaker import is_contested, is_silent, judges
from tests.kit.records import HEAD, NEW_HEAD, authorised, merged
from tests.kit.shows import show


def at(issue: int, record: Record) -> Record:
    return record.model_copy(update={"issue": issue})


def closed(record: Record) -> Record:
    assert record.pull is not None
    return record.model_copy(update={"pull": record.pull.model_copy(update={"open": False})})


#: In the order in which they would speak for HEAD.
ORDER = (
    at(20, authorised()),
    at(21, authorised()),
    at(11, merged()),
    at(10, closed(authorised())),
    at(9, authorised(head=NEW_HEAD)),
)


def test_exactly_one_speaks_whoever_asks() -> None:
    for some in permutations(ORDER, 3):
        speaking = [one for one in some if not is_silent(one, HEAD, [other for other in some if other is not one])]
        assert speaking == [min(some, key=ORDER.index)]


def test_who_is_closed_withdrawn_or_done_or_has_another_head_judges_nothing() -> None:
    assert judges(authorised(), HEAD)
    others = (closed(authorised()), authorised(withdrawn=True), merged(), authorised(head=NEW_HEAD))
    assert not any(judges(other, HEAD) for other in others)
    assert not is_contested(HEAD, others)
    assert is_contested(HEAD, (*others, at(21, authorised())))


def test_success_is_never_shown_on_a_head_that_another_record_judges() -> None:
    (alone,) = check_runs(show(authorised()))
    assert alone.conclusion == "success"
    (run,) = check_runs(show(authorised(), contested=frozenset({HEAD})))
    assert (run.conclusion, run.title) == ("action_required", "submit: another record judges this head too")
