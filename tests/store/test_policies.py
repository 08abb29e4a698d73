"""What is kept of the policy files, alike on all stores."""

from bot.domain.model.policy import STRICT
from bot.domain.model.written import Finding
from bot.domain.policy.presets import LEAN
from bot.ports.policies import PolicyVersion, Report, Watch
from bot.ports.store import Tx
from tests.store.kit import NOON, REPO, HandClock, Kept, after
from tests.store.test_sweeps import ELSEWHERE

C1, C2 = "1" * 40, "2" * 40
WRONG = Finding(
    level="error", line=3, column=5, path="gates.plan", message="this is `true`", instead="`1` by preset strict"
)


def version(repository_id: int = REPO.id, **fields: object) -> PolicyVersion:
    plain = {
        "repository_id": repository_id,
        "commit": C1,
        "blob": "b1",
        "accepted": True,
        "policy": LEAN,
        "since": NOON,
    }
    return PolicyVersion.model_validate(plain | fields)


def known(kept: Kept) -> None:
    kept(lambda tx: tx.repositories.seen(REPO))
    kept(lambda tx: tx.repositories.seen(ELSEWHERE))


def test_the_newest_version_of_a_repository_comes_back_as_it_was_stored(kept: Kept) -> None:
    assert kept.read(lambda tx: tx.policies.newest(REPO.id)) is None
    kept(lambda tx: tx.policies.add(version()))
    refused = version(commit=C2, blob="b2", accepted=False, findings=(WRONG,), since=after(60))
    number = kept(lambda tx: tx.policies.add(refused))
    kept(lambda tx: tx.policies.add(version(ELSEWHERE.id, blob="b3", policy=STRICT)))

    newest = kept.read(lambda tx: tx.policies.newest(REPO.id))

    assert newest == refused.model_copy(update={"number": number})
    assert [one.blob for one in kept.read(lambda tx: tx.policies.versions(REPO.id))] == ["b2", "b1"]


def test_a_version_is_told_until_it_was_and_rests_meanwhile(kept: Kept, clock: HandClock) -> None:
    first = kept(lambda tx: tx.policies.add(version()))
    clock.turn(1)
    second = kept(lambda tx: tx.policies.add(version(blob="b2")))
    assert _untold(kept) == first

    kept(lambda tx: tx.policies.rest(first, after(60)))
    assert _untold(kept) == second
    kept(lambda tx: tx.policies.told(second))
    assert _untold(kept) is None
    clock.turn(60)
    assert _untold(kept) == first


def _untold(kept: Kept) -> int | None:
    found = kept.read(lambda tx: tx.policies.untold())
    return found.number if found else None


def test_a_look_is_due_until_it_was_made_and_not_where_the_app_is_suspended(kept: Kept, clock: HandClock) -> None:
    known(kept)
    assert kept.read(lambda tx: tx.policies.watch(REPO.id)) == Watch()
    kept(lambda tx: tx.policies.set_watch(REPO.id, Watch(problem="503"), after(30)))
    assert kept.read(lambda tx: tx.policies.due()) is None
    clock.turn(30)
    assert kept.read(lambda tx: tx.policies.due()) == REPO

    kept(lambda tx: tx.repositories.set_installation(REPO.installation_id, "suspended"))
    assert kept.read(lambda tx: tx.policies.due()) is None
    kept(lambda tx: tx.repositories.set_installation(REPO.installation_id, "present"))
    kept(lambda tx: tx.set_not_before(REPO.installation_id, after(40)))
    assert kept.read(lambda tx: tx.policies.due()) is None
    clock.turn(20)
    assert kept.read(lambda tx: tx.policies.due()) == REPO

    kept(lambda tx: tx.policies.set_watch(REPO.id, Watch(etag='W/"a"', looked_at=NOON), None))
    assert kept.read(lambda tx: tx.policies.due()) is None
    assert kept.read(lambda tx: tx.policies.watch(REPO.id)).etag == 'W/"a"'


def test_what_is_said_on_a_commit_is_kept_and_comes_again_when_it_is_expected(kept: Kept) -> None:
    known(kept)
    kept(lambda tx: tx.policies.expect(REPO.id, C1, 34))
    assert kept.read(lambda tx: tx.policies.next_report()) == (REPO, Report(place=C1, pull=34, asked=1))
    said = Report(place=C1, pull=34, remote_id=7, digest="d", asked=1)
    kept(lambda tx: tx.policies.put_report(REPO.id, said, None))
    assert kept.read(lambda tx: tx.policies.next_report()) is None

    def again(tx: Tx) -> None:
        tx.policies.expect(REPO.id, C1, None)
        tx.policies.expect(ELSEWHERE.id, C1, None)

    kept(again)
    assert kept.read(lambda tx: tx.policies.next_report()) == (REPO, said.model_copy(update={"pull": None, "asked": 2}))
    assert kept.read(lambda tx: tx.policies.report(ELSEWHERE.id, C1)) == Report(place=C1, asked=1)
    assert kept.read(lambda tx: tx.policies.report(ELSEWHERE.id, C2)) is None
