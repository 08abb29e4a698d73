"""What the sweep remembers, alike on all stores."""

from datetime import timedelta

from bot.domain.model.ids import RecordKey, Repo
from bot.ports.store import Tx
from bot.ports.sweeps import Allowance, Look, SweepState
from tests.store.kit import KEY, NOON, HandClock, Kept, after

HERE = Repo(installation_id=5, id=1, owner="octo", name="app")
BESIDE = Repo(installation_id=5, id=2, owner="octo", name="engine")
ELSEWHERE = Repo(installation_id=6, id=3, owner="acme", name="site")


def known(kept: Kept, *repos: Repo) -> None:
    def see(tx: Tx) -> None:
        for repo in repos:
            tx.repositories.seen(repo)
            tx.sweeps.begin(repo.id)

    kept(see)


def claimed(kept: Kept) -> int | None:
    found = kept(lambda tx: tx.sweeps.claim(tx.now() + timedelta(seconds=60)))
    return found[0].id if found else None


def test_a_repository_that_is_new_to_the_sweep_is_due_and_one_of_an_installation_at_a_time(kept: Kept) -> None:
    kept(lambda tx: tx.repositories.seen(HERE))
    assert claimed(kept) is None
    known(kept, HERE, BESIDE, ELSEWHERE)

    assert [claimed(kept) for _ in range(3)] == [HERE.id, ELSEWHERE.id, None]
    assert not kept.read(lambda tx: tx.sweeps.is_due())


def test_a_swept_repository_is_due_again_later_and_the_longest_due_comes_first(kept: Kept, clock: HandClock) -> None:
    known(kept, HERE, ELSEWHERE)
    state = SweepState(comments_since=NOON, etags={"comments": 'W/"a"'}, problem="half")
    kept(lambda tx: tx.sweeps.done(HERE.id, state, after(300)))
    kept(lambda tx: tx.sweeps.done(ELSEWHERE.id, SweepState(), after(200)))

    assert claimed(kept) is None
    clock.turn(300)
    assert [claimed(kept), claimed(kept)] == [ELSEWHERE.id, HERE.id]
    assert kept.read(lambda tx: tx.sweeps.state(HERE.id)) == state


def test_what_a_dead_sweeper_had_claimed_comes_to_another(kept: Kept, clock: HandClock) -> None:
    known(kept, HERE)
    assert claimed(kept) == HERE.id
    clock.turn(59)
    assert claimed(kept) is None
    clock.turn(1)
    assert claimed(kept) == HERE.id


def test_at_a_start_what_was_being_swept_is_due_at_once(kept: Kept, clock: HandClock) -> None:
    known(kept, HERE, ELSEWHERE)
    kept(lambda tx: tx.sweeps.done(ELSEWHERE.id, SweepState(), after(300)))
    assert claimed(kept) == HERE.id
    assert [claim.name for claim in kept.read(lambda tx: tx.leftovers.sweeps())] == ["octo/app"]

    assert kept(lambda tx: tx.sweeps.free_abandoned()) == 1

    assert [claimed(kept), claimed(kept)] == [HERE.id, None]


def test_suspended_resting_and_paused_installations_are_left_alone(kept: Kept, clock: HandClock) -> None:
    known(kept, HERE, ELSEWHERE, Repo(installation_id=7, id=4, owner="lin", name="notes"))
    kept(lambda tx: tx.repositories.set_installation(5, "suspended"))
    kept(lambda tx: tx.sweeps.set_allowance(6, Allowance(failures=1), after(60)))
    kept(lambda tx: tx.set_not_before(7, after(30)))

    assert claimed(kept) is None
    clock.turn(30)
    assert claimed(kept) == 4
    clock.turn(30)
    assert claimed(kept) == ELSEWHERE.id
    assert kept.read(lambda tx: tx.repositories.installations()) == {5: "suspended", 6: "present", 7: "present"}


def test_an_allowance_is_kept_with_its_rest(kept: Kept) -> None:
    assert kept.read(lambda tx: tx.sweeps.allowance(5)) == Allowance()
    assert kept.read(lambda tx: tx.sweeps.rests_until(5)) is None
    spent = Allowance(hour_began=NOON, spent=7, limit=12_500, slowed_since=after(1), problem="slow")

    kept(lambda tx: tx.sweeps.set_allowance(5, spent, after(60)))
    kept(lambda tx: tx.sweeps.set_allowance(5, spent, None))

    assert kept.read(lambda tx: tx.sweeps.allowance(5)) == spent
    assert kept.read(lambda tx: tx.sweeps.rests_until(5)) is None


def test_looks_and_requests_for_redelivery_are_remembered(kept: Kept) -> None:
    kept(lambda tx: tx.sweeps.set_look(KEY, Look(read_at=NOON)))
    kept(lambda tx: tx.sweeps.set_look(KEY, Look(read_at=after(5), compared_at=NOON)))
    for _ in range(2):
        kept(lambda tx: tx.sweeps.ask_again("g1"))

    assert kept.read(lambda tx: tx.sweeps.look(KEY)) == Look(read_at=after(5), compared_at=NOON)
    assert kept.read(lambda tx: tx.sweeps.look(RecordKey(1, 13))) == Look()
    assert kept.read(lambda tx: [tx.sweeps.asked_again(guid) for guid in ("g1", "g2")]) == [2, 0]


def test_a_claim_is_held_on_to_by_whoever_has_it_and_by_nobody_else(kept: Kept, clock: HandClock) -> None:
    known(kept, HERE)
    assert claimed(kept) == HERE.id

    assert kept(lambda tx: tx.sweeps.move_claim(HERE.id, after(60), after(90)))
    clock.turn(60)
    assert claimed(kept) is None

    assert not kept(lambda tx: tx.sweeps.move_claim(HERE.id, after(60), after(300)))
    clock.turn(30)
    assert claimed(kept) == HERE.id


def test_what_is_given_back_is_due_at_once_unless_another_has_it_now(kept: Kept, clock: HandClock) -> None:
    known(kept, HERE)
    assert claimed(kept) == HERE.id
    assert kept(lambda tx: tx.sweeps.move_claim(HERE.id, after(60), None))
    assert claimed(kept) == HERE.id

    assert not kept(lambda tx: tx.sweeps.move_claim(HERE.id, after(59), None))
    assert claimed(kept) is None
