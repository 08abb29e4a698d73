"""Records that people are told about, and how such a cause ends."""

from typing import Any

from bot.domain.model.ids import Actor
from bot.domain.model.merge import Merge, MergeRead
from bot.domain.model.policy import Policy
from bot.domain.model.record import Blocked, Budgets, Question, Record
from bot.domain.projections.notices import notices
from bot.domain.projections.show import Happened
from tests.kit.records import HEAD, PEOPLE, POLICY, approved, at, authorised, decided, in_submit, in_testing, linked
from tests.kit.shows import plain, show

RELEASE = POLICY.model_copy(update={"notify": ("octo/release",)})
OMAR = Actor(kind="person", id=13, login="omar")
TURN = f"turn:34:testing:{HEAD}:3"
AMBIGUOUS = "ambiguous:34:r-39.1"


def text(record: Record, policy: Policy = POLICY, **more: Any) -> str:
    """The one notice of this record, as people read it."""
    (notice,) = notices(show(record, at("14:41"), policy, **more))
    return plain(notice.text)


def asked(*questions: str) -> tuple[Question, ...]:
    return tuple(
        Question(id=f"q{n}", text=text, asked_by=PEOPLE["forge-1"]) for n, text in enumerate(questions, start=1)
    )


def stopped(record: Record, cause: str, reason: str, *questions: str, **more: Any) -> Record:
    fields = {"reason": reason, "from": record.phase, "since": at("10:05"), "cause": cause, "version": 7}
    blocked = Blocked.model_validate(fields)
    return record.model_copy(update={"phase": "blocked", "blocked": blocked, "questions": asked(*questions)} | more)


def unknown(**changes: Any) -> Record:
    fields: dict[str, Any] = {
        "state": "ambiguous",
        "id": "r-39",
        "attempt": "r-39.1",
        "attempts": 1,
        "method": "squash",
        "head": "b20c7d1e90a4" + "0" * 28,
        "base": "main",
        "requested_at": at("13:47:03"),
        "answer": "HTTP 502",
        "reads": (
            MergeRead(at=at("13:47:35"), merged=False, on_base=False, open=True),
            MergeRead(at=at("13:50:35"), merged=False, on_base=False, open=True),
            MergeRead(at=at("13:55:41"), merged=None, on_base=None, why="503"),
            MergeRead(at=at("14:02:35"), merged=False, on_base=False, open=True),
        ),
    }
    return authorised(merge=Merge.model_validate(fields | changes))


def outside(**more: Any) -> Record:
    merge = Merge(
        state="merged",
        external=True,
        merged_by=PEOPLE["lin"],
        merged_at=at("14:40"),
        sha="c0ffee1" + "0" * 33,
        missing=("human gate (submit)", "check build"),
    )
    return in_submit(**{"phase": "done", "merge": merge} | more)


def ready() -> Record:
    return decided(in_testing(), ("testing", "review", "grace", at("13:40")))


KEY_STORE = "Which key store holds the old signing key?"
QUESTION = stopped(approved(), "question", "the task cannot read the old key", KEY_STORE)
TWO_QUESTIONS = stopped(
    in_testing(), "question", "question q1 needs an answer", KEY_STORE, "May the key be rotated?\nToday?"
)
USED_UP = stopped(
    linked(
        head="77be01d" + "0" * 33,
        rejected_heads=("77be01d" + "0" * 33,),
        feedback_by=PEOPLE["grace"],
        feedback_url="https://github.com/octo/app/pull/44#issuecomment-1044",
        budgets=Budgets(review_cycles=(3, 3)),
    ),
    "budget",
    "the review cycles of this task are used up (3 of 3)",
)
OVERDUE = stopped(in_testing(), "checks", "check `build` did not report on `3f2a91c` since 30 Nov 2026, 13:02 UTC")
REFUSED_LONG = stopped(
    authorised(), "merge_refused", "GitHub has refused the merge since 29 Nov 2026, 14:31 UTC: Changes must be verified"
)
MERGED_OUTSIDE = stopped(outside(phase="submit"), "external_merge", "`lin` merged it outside Signalbox")
ISSUE_GONE = stopped(in_testing(), "issue_gone", "the issue was transferred", issue_gone="transferred")


def change(version: int, path: str, value: Any, by: Actor = OMAR, **more: Any) -> Happened:
    fields: dict[str, Any] = {"from_": "testing", "to": "testing", "event": "x", "detail": None}
    return Happened(version=version, by=by, sets={path: value}, **fields | more)


def left(to: str, event: str, detail: str | None = None, by: Actor = OMAR, from_: str = "blocked") -> Happened:
    return change(9, "/phase", to, by, from_=from_, to=to, event=event, detail=detail)
