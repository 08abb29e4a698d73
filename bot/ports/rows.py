"""What the store takes and gives: rows as values, apart from how they are kept."""

from datetime import datetime
from typing import Any, Literal

from bot.domain.model.effects import Effect, EffectState, MergeReply
from bot.domain.model.ids import Actor, RecordKey, Repo, Value
from bot.domain.model.merge import MergeMethod
from bot.domain.model.record import Phase, Record
from bot.domain.model.refusals import Refusal


class HistoryRow(Value):
    """One version of a record. `patch` (RFC 6902) turns the document of version-1 into this one; version 1 patches {}.
    `digest` covers the row's canonical JSON and `previous_digest` (sha256, hex)."""

    version: int
    from_: str | None
    to: str
    signal: str
    actor: Actor
    at: datetime
    detail: str | None
    delivery: str | None
    patch: list[dict[str, Any]]
    policy_sha: str
    machine_hash: str
    digest: str
    previous_digest: str


class NewRow(Value):
    """A history row before the store chains it: the record as it is after the row."""

    record: Record
    from_: str | None
    signal: str
    actor: Actor
    at: datetime
    detail: str | None
    delivery: str | None


class Loaded(Value):
    """A record with what stands beside it."""

    record: Record
    last_refusal: dict[str, Any] | None
    updated_at: datetime
    dirty: bool


class Applied(Value):
    """What a signal with this content key led to. `outcome`: advanced, ignored or refused."""

    key: str
    outcome: Literal["advanced", "ignored", "refused"]
    refusal: Refusal | None = None
    note: str | None = None


class Slot(Value):
    """One projection as last written. `state` sending = a write left and its answer is not stored yet: look before
    writing again. `digest` is of what was written. `extra` e.g. the conclusion of a check run."""

    name: str
    remote_id: int | None = None
    digest: str | None = None
    state: Literal["clean", "sending", "unsure"] = "clean"
    extra: str | None = None


class EffectRow(Value):
    id: int
    key: RecordKey | None
    repo: Repo
    effect: Effect
    state: EffectState
    attempts: int
    not_before: datetime | None
    note: str | None


AttemptState = Literal["stored", "not_sent", "answered"]


class AttemptRow(Value):
    """One merge request, with what was asked for: exactly this was sent, if it was. `state`: stored, not_sent or answered; a
    request whose owner is gone stays stored, for nobody knows. Rows of older versions lack the method and the texts."""

    id: str
    key: RecordKey
    reservation: str
    pull: int
    head: str
    base: str
    api: str
    method: MergeMethod | None = None
    title: str | None = None
    body: str | None = None
    state: AttemptState
    owner: str
    lease_ends: datetime
    uuid: str | None = None
    replies: tuple[MergeReply, ...] = ()
    created_at: datetime


class TokenRow(Value):
    """An API token; only its SHA-256 is stored. `repositories` empty = all."""

    id: str
    name: str
    role: Literal["builder", "reviewer", "verifier", "admin"]
    repositories: tuple[str, ...] = ()
    created_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None


class RecordFilter(Value):
    repository: str | None = None
    phase: Phase | None = None
    open_only: bool = False
    cursor: tuple[int, int] | None = None
    limit: int = 50
