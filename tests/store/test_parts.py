from collections.abc import Callable
from typing import get_args

import pytest

from bot.domain.model.effects import AddLabels, Effect, EffectKind, EffectState, MergeReply, React
from bot.domain.model.ids import RecordKey
from bot.domain.model.refusals import Refusal
from bot.domain.model.shown import ShownRow
from bot.ports.rows import Applied, AttemptRow, TokenRow
from bot.ports.store import Tx, VersionConflict
from bot.store import outbox
from tests.store.kit import KEY, NOON, REPO, Kept, after


def reaction(once: str, target: str = "12") -> Effect:
    return Effect(kind="reaction", target=target, once=once, write=React(comment_id=2**62, content="+1"))


def plan(kept: Kept, *effects: Effect) -> list[bool]:
    return kept(lambda tx: [tx.effects.plan(KEY, REPO, effect) for effect in effects])


def next_once(kept: Kept, seconds: float = 0) -> str | None:
    found = kept.read(lambda tx: tx.effects.next(after(seconds)))
    return found.effect.once if found else None


def ids(kept: Kept) -> dict[str, int]:
    return {found.effect.once: found.id for found in kept.read(lambda tx: tx.effects.of(KEY))}


def test_an_effect_is_planned_once(kept: Kept) -> None:
    assert plan(kept, reaction("e1")) == [True]
    assert plan(kept, reaction("e1"), reaction("e2")) == [False, True]

    first, second = kept.read(lambda tx: tx.effects.of(KEY))
    assert (first.key, first.repo, first.effect, first.state) == (KEY, REPO, reaction("e1"), "planned")
    assert (first.attempts, first.not_before, first.note) == (0, None, None)
    assert second.effect == reaction("e2")


def test_an_effect_without_a_record_runs_too(kept: Kept) -> None:
    notice = Effect(kind="notice", target="0", once="n1", write=AddLabels(number=3, names=("a", "b")))

    kept(lambda tx: tx.effects.plan(None, REPO, notice))

    found = kept.read(lambda tx: tx.effects.next(NOON))
    assert found is not None
    assert (found.key, found.effect) == (None, notice)


def test_i23_effects_of_one_target_run_in_order_and_others_beside_them(kept: Kept) -> None:
    plan(kept, reaction("a1", "12"), reaction("a2", "12"), reaction("b1", "34"))

    put(kept, "a1", "planned", seconds=60)
    assert next_once(kept) == "b1"
    assert next_once(kept, 60) == "a1"

    put(kept, "b1", "ok")
    put(kept, "a1", "unknown")
    assert next_once(kept) == "a2"


def said(once: str, kind: EffectKind = "reply") -> Effect:
    return Effect(kind=kind, target=once, once=once, write=AddLabels(number=3, names=("a",)))


def test_a_reply_goes_before_older_reactions_and_each_kind_in_its_order(kept: Kept) -> None:
    plan(kept, reaction("r1", "1"), reaction("r2", "2"), said("first"), said("second", "notice"), said("put", "ready"))
    order = []
    while (once := next_once(kept)) is not None:
        order.append(once)
        put(kept, once, "ok")
    assert order == ["first", "second", "put", "r1", "r2"]
    assert {*outbox.PATIENCE, "call"} == set(get_args(EffectKind))


def test_a_reaction_does_not_wait_for_ever_behind_replies(kept: Kept) -> None:
    plan(kept, reaction("patient"), *(said(f"s{number}") for number in range(1202)))
    assert next_once(kept) == "s0"

    def ends(tx: Tx) -> None:
        for found in tx.effects.of(KEY)[1:-1]:
            tx.effects.set(found.id, "ok", None)

    kept(ends)
    assert next_once(kept) == "patient"


def test_replies_of_one_installation_hold_up_no_reaction_of_another(kept: Kept) -> None:
    elsewhere = REPO.model_copy(update={"id": 2, "installation_id": 6})
    kept(lambda tx: tx.effects.plan(RecordKey(2, 1), elsewhere, reaction("theirs")))
    plan(kept, reaction("ours", "13"), said("reply"))
    assert next_once(kept) == "theirs"
    here = kept.read(lambda tx: [tx.effects.next(NOON, {6}), tx.effects.next(NOON, (), {RecordKey(2, 1)})])
    assert [one and one.effect.once for one in here] == ["reply", "reply"]


def put(kept: Kept, once: str, state: EffectState, note: str | None = None, seconds: float | None = None) -> None:
    found, later = ids(kept)[once], None if seconds is None else after(seconds)
    kept(lambda tx: tx.effects.set(found, state, note, later))


def test_a_sent_effect_comes_again_until_its_outcome_is_known(kept: Kept) -> None:
    plan(kept, reaction("a1"))

    put(kept, "a1", "sent", seconds=10)
    put(kept, "a1", "sent", "twice", seconds=20)

    (found,) = kept.read(lambda tx: tx.effects.of(KEY))
    assert (found.state, found.attempts, found.not_before, found.note) == ("sent", 2, after(20), "twice")
    assert (next_once(kept, 19), next_once(kept, 20)) == (None, "a1")
    put(kept, "a1", "refused", "locked")
    assert next_once(kept, 99) is None


def test_a_paused_installation_holds_nobody_else_up(kept: Kept) -> None:
    plan(kept, reaction("a1"))
    elsewhere = REPO.model_copy(update={"id": 2, "installation_id": 6})
    kept(lambda tx: tx.effects.plan(RecordKey(2, 1), elsewhere, reaction("z1")))

    kept(lambda tx: tx.set_not_before(5, after(30)))

    assert kept.read(lambda tx: tx.not_before(5)) == after(30)
    assert kept.read(lambda tx: tx.not_before(6)) is None
    assert (next_once(kept, 29), next_once(kept, 30)) == ("z1", "a1")


def test_what_waits_goes_through_the_installation_that_the_repository_has_now(kept: Kept) -> None:
    kept(lambda tx: tx.repositories.seen(REPO))
    plan(kept, reaction("a1"))
    kept(lambda tx: tx.repositories.set_installation(5, "gone"))
    assert next_once(kept, 1) is None, "it is not refused for that nobody was there"

    again = REPO.model_copy(update={"installation_id": 6})
    kept(lambda tx: tx.repositories.seen(again))
    kept(lambda tx: tx.repositories.seen(REPO))  # late news of the one that is gone

    found = kept.read(lambda tx: tx.effects.next(tx.now(), {5}))
    assert (found and found.repo, kept.read(lambda tx: tx.repositories.get(1))) == (again, again)


def test_an_effect_that_was_never_planned_cannot_be_set(kept: Kept) -> None:
    with pytest.raises(LookupError):
        kept(lambda tx: tx.effects.set(7, "ok", None))


def attempt(id: str = "a1") -> AttemptRow:
    return AttemptRow(
        id=id,
        key=KEY,
        reservation="r1",
        pull=34,
        head="c1",
        base="main",
        api="async",
        state="stored",
        owner="w1",
        lease_ends=after(40),
        created_at=NOON,
    )


def test_every_answer_is_kept_whatever_the_state(kept: Kept) -> None:
    early = MergeReply(api="async", sent=True, status=None)
    late = MergeReply(api="async", sent=True, status=202, uuid="u1", not_before=after(3))
    kept(lambda tx: tx.attempts.add(attempt()))

    kept(lambda tx: tx.attempts.set("a1", "not_sent", "u1"))
    kept(lambda tx: tx.attempts.reply("a1", early))
    kept(lambda tx: tx.attempts.set("a1", "answered"))
    kept(lambda tx: tx.attempts.reply("a1", late))

    expected = attempt().model_copy(update={"state": "answered", "uuid": "u1", "replies": (early, late)})
    assert kept.read(lambda tx: tx.attempts.get("a1")) == expected
    assert kept.read(lambda tx: tx.attempts.of(KEY)) == [expected]


def test_an_attempt_that_was_never_added_cannot_be_answered(kept: Kept) -> None:
    assert kept.read(lambda tx: tx.attempts.get("a9")) is None
    with pytest.raises(LookupError):
        kept(lambda tx: tx.attempts.set("a9", "answered"))


def test_an_attempt_knows_no_other_states(kept: Kept) -> None:
    kept(lambda tx: tx.attempts.add(attempt()))

    with pytest.raises(ValueError, match="state"):
        kept(lambda tx: tx.attempts.set("a1", "landed"))  # type: ignore[arg-type]  # the store says so too


def test_i19_a_lease_has_one_holder_until_it_ends(kept: Kept) -> None:
    def take(holder: str, seconds: float) -> bool:
        return kept(lambda tx: tx.leases.take("base", holder, after(seconds)))

    assert take("w1", 10)
    assert not take("w2", 99)
    assert take("w1", 20)
    kept.clock.turn(19)
    assert kept.read(lambda tx: tx.leases.holder("base")) == "w1"
    kept.clock.turn(1)
    assert kept.read(lambda tx: tx.leases.holder("base")) is None
    assert take("w2", 30)


def test_only_its_holder_drops_a_lease(kept: Kept) -> None:
    kept(lambda tx: tx.leases.take("base", "w1", None))

    kept(lambda tx: tx.leases.drop("base", "w2"))
    assert kept.read(lambda tx: tx.leases.holder("base")) == "w1"

    kept(lambda tx: tx.leases.drop("base", "w1"))
    assert kept.read(lambda tx: tx.leases.holder("base")) is None


def test_a_content_key_is_applied_once_per_repository(kept: Kept) -> None:
    refused = Applied(key="k1", outcome="refused", refusal=Refusal(code="held", message="Ada holds it."), note="a\0b")

    kept(lambda tx: tx.applied.put(1, refused))
    kept(lambda tx: tx.applied.put(2, Applied(key="k1", outcome="advanced")))

    with pytest.raises(VersionConflict):
        kept(lambda tx: tx.applied.put(1, Applied(key="k1", outcome="advanced")))
    assert kept.read(lambda tx: tx.applied.get(1, "k1")) == refused
    assert kept.read(lambda tx: tx.applied.get(1, "k2")) is None


def test_what_a_comment_showed_is_kept_in_order(kept: Kept) -> None:
    rows = [
        ShownRow(
            thread="pull", version=version, gate="submit", round=1, head="c1", epoch=2, revision=3, updated_at=NOON
        )
        for version in (3, 1, 2)
    ]

    for shown in rows:
        kept(showing(shown))

    assert kept.read(lambda tx: tx.shown.rows(KEY)) == rows


def showing(shown: ShownRow) -> Callable[[Tx], None]:
    return lambda tx: tx.shown.add(KEY, shown)


def token(id: str, name: str = "builder") -> TokenRow:
    return TokenRow(id=id, name=name, role="builder", repositories=("octo/app",), created_at=NOON, expires_at=after(9))


def test_a_token_is_found_by_its_digest_only(kept: Kept) -> None:
    kept(lambda tx: tx.tokens.add(token("t1"), "d1"))

    assert kept.read(lambda tx: tx.tokens.by_digest("d1")) == token("t1")
    assert kept.read(lambda tx: tx.tokens.by_digest("t1")) is None


def test_a_name_is_free_again_once_its_token_is_revoked(kept: Kept) -> None:
    kept(lambda tx: tx.tokens.add(token("t1"), "d1"))
    with pytest.raises(ValueError, match="named builder"):
        kept(lambda tx: tx.tokens.add(token("t2"), "d2"))

    assert kept(lambda tx: tx.tokens.revoke("builder", after(1)))
    assert not kept(lambda tx: tx.tokens.revoke("builder", after(2)))
    kept(lambda tx: tx.tokens.add(token("t2"), "d2"))

    found = kept.read(lambda tx: tx.tokens.list())
    assert [(row.id, row.revoked_at) for row in found] == [("t1", after(1)), ("t2", None)]


def test_a_repository_is_found_by_its_newest_name(kept: Kept) -> None:
    kept(lambda tx: tx.repositories.seen(REPO))
    kept(lambda tx: tx.repositories.seen(REPO.model_copy(update={"name": "Engine"})))

    assert kept.read(lambda tx: tx.repositories.by_name("octo/app")) is None
    found = kept.read(lambda tx: tx.repositories.by_name("OCTO/engine"))
    assert found == kept.read(lambda tx: tx.repositories.get(1)) == REPO.model_copy(update={"name": "Engine"})


def test_a_name_belongs_to_whoever_was_seen_with_it_last(kept: Kept) -> None:
    newer = REPO.model_copy(update={"id": 2})
    kept(lambda tx: tx.repositories.seen(REPO))

    kept(lambda tx: tx.repositories.seen(newer))

    assert kept.read(lambda tx: tx.repositories.by_name("octo/app")) == newer
    assert kept.read(lambda tx: tx.repositories.get(1)) == REPO
    assert kept.read(lambda tx: tx.repositories.of_installation(5)) == [REPO, newer]


def test_an_installation_is_unknown_until_it_spoke(kept: Kept) -> None:
    assert kept.read(lambda tx: tx.repositories.installation_state(5)) == "unknown"

    kept(lambda tx: tx.repositories.seen(REPO))
    assert kept.read(lambda tx: tx.repositories.installation_state(5)) == "present"

    kept(lambda tx: tx.repositories.set_installation(5, "suspended"))
    kept(lambda tx: tx.repositories.seen(REPO))
    assert kept.read(lambda tx: tx.repositories.installation_state(5)) == "suspended"


def test_the_time_of_a_transaction_stands_still(kept: Kept) -> None:
    assert kept(lambda tx: (tx.now(), kept.clock.turn(5), tx.now())[::2]) == (after(5), after(5))
