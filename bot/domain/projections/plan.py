"""The difference between what is wanted and what was last written, as writes in their order."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256

from bot.domain.model.effects import (
    AddLabels,
    CreateCheckRun,
    CreateComment,
    EnsureLabel,
    RemoveLabel,
    UpdateCheckRun,
    UpdateComment,
    Write,
)
from bot.domain.model.slot_name import SlotName
from bot.domain.projections.show import Desired, DesiredCheck, DesiredComment, DesiredLabels


@dataclass(frozen=True, slots=True)
class LastWritten:
    """A slot as last written. `digest` None = not known to be right: write again. `extra` as Planned.extra."""

    remote_id: int | None = None
    digest: str | None = None
    extra: str | None = None


@dataclass(frozen=True, slots=True)
class Planned:
    """One write, and what to store in the slot once GitHub has answered. `extra` is the conclusion (or status) of a
    check run, our labels on a thread, separated by commas, and for a comment one of REFUSED, OVER and GONE. `label` must be
    defined in the repository before."""

    slot: SlotName
    digest: str
    write: Write
    extra: str | None = None
    label: EnsureLabel | None = None


NOTHING = LastWritten()
#: GitHub refused to write this comment; the check run carries its text.
REFUSED = "refused"
#: A notice that was edited to its last text, or that somebody deleted. Either is over for ever.
#: What is stored reads "settled", as the comment does.
OVER = "settled"
GONE = "gone"


def plan(
    wants: Iterable[Desired], last: Mapping[str, LastWritten], observed: Mapping[int, tuple[str, ...]] | None = None
) -> tuple[Planned, ...]:
    """Empty when everything is right already. First the check that must lose success, then other checks, comments and
    labels; the merge has its own step. `observed`: labels read on a thread; a thread that is not in it wears what was
    last written."""
    planned: list[tuple[int, Planned]] = []
    for want in wants:
        written = last.get(want.slot, NOTHING)
        match want:
            case DesiredCheck():
                loses = written.extra == "success" and want.conclusion != "success"
                planned += [(0, step) for step in _concluded(want, written)] if loses else []
                planned += [(0 if loses and want.conclusion else 1, step) for step in _check(want, written)]
            case DesiredComment():
                planned += [(2, step) for step in _comment(want, written)]
            case DesiredLabels():
                planned += [(3, step) for step in _labels(want, written, (observed or {}).get(want.number))]
    return tuple(step for _, step in sorted(planned, key=lambda each: each[0]))


def watched(slots: Iterable[str]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Heads and pull requests that carry a check or a comment of ours, from the names of the slots."""
    names = [SlotName(slot) for slot in sorted(slots)]
    heads = tuple(name.head for name in names if name.head is not None)
    pulls = tuple(name.pull for name in names if name.pull is not None)
    return heads, pulls


def told(extras: Mapping[str, str | None]) -> dict[str, bool]:
    """Causes of notices that were ever posted, True while the notice still stands, from names and extras of the slots."""
    causes = {slot: SlotName(slot).cause for slot in extras}
    return {cause: extras[slot] not in {OVER, GONE} for slot, cause in causes.items() if cause is not None}


def digest_of(value: object) -> str:
    canonical = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return sha256(canonical.encode()).hexdigest()


def _concluded(want: DesiredCheck, written: LastWritten) -> Iterator[Planned]:
    """A check that is open again is concluded first: whether GitHub forgets a conclusion where none is given is its own
    affair, and success must not be the last one that anybody can find (LIFECYCLE.md 4.1)."""
    if want.conclusion is None and written.remote_id is not None:
        yield from _check(replace(want, status="completed", conclusion="action_required"), written)


def _check(want: DesiredCheck, written: LastWritten) -> Iterator[Planned]:
    """`external_id` names the version, so it is not part of the digest: a version that shows nothing new writes nothing."""
    if want.final and written.digest is not None and written.extra == "cancelled":
        return
    shown = [want.status, want.conclusion, want.title, want.summary, want.text, want.details_url]
    digest = digest_of(shown)
    if digest == written.digest:
        return
    content = {
        "status": want.status,
        "conclusion": want.conclusion,
        "title": want.title,
        "summary": want.summary,
        "text": want.text,
        "details_url": want.details_url,
        "external_id": want.external_id,
    }
    write: Write
    if written.remote_id is None:
        write = CreateCheckRun.model_validate({"head": want.head, **content})
    else:
        write = UpdateCheckRun.model_validate({"id": written.remote_id, **content})
    yield Planned(slot=want.slot, digest=digest, write=write, extra=want.conclusion or want.status)


def _comment(want: DesiredComment, written: LastWritten) -> Iterator[Planned]:
    """A slot that was read again holds the digest of the very body that GitHub shows."""
    if want.life != "status" and written.extra in {OVER, GONE}:
        return
    digest = digest_of(want.sense)
    if want.life == "over":
        if written.remote_id is not None:
            write = UpdateComment(comment_id=written.remote_id, body=want.body)
            yield Planned(slot=want.slot, digest=digest, write=write, extra=OVER)
        return
    tried = written.remote_id is not None or written.extra == REFUSED
    if tried and written.digest in {digest, digest_of(want.body)}:
        return
    yield Planned(slot=want.slot, digest=digest, write=_comment_write(want, written))


def _comment_write(want: DesiredComment, written: LastWritten) -> CreateComment | UpdateComment:
    if written.remote_id is None:
        return CreateComment(number=want.number, body=want.body, marker=want.marker)
    return UpdateComment(comment_id=written.remote_id, body=want.body)


def _labels(want: DesiredLabels, written: LastWritten, observed: tuple[str, ...] | None) -> Iterator[Planned]:
    """The new label first, so that a thread is never without; after each write the slot says what is on the thread, so
    that a crash between two of them is seen."""
    known = observed if observed is not None else tuple((written.extra or "").split(","))
    present = want.ours(known)
    goal = set() if want.want is None else {want.want}
    unknown = observed is None and written.digest is None
    for name in sorted(goal - present) or (sorted(goal) if unknown else []):
        present.add(name)
        defined = next((label for label in want.among if label.name == name), None)
        yield replace(_labelled(want, present, AddLabels(number=want.number, names=(name,))), label=defined)
    for name in sorted(present - goal):
        present.discard(name)
        yield _labelled(want, present, RemoveLabel(number=want.number, name=name))


def _labelled(want: DesiredLabels, present: set[str], write: Write) -> Planned:
    worn = ",".join(sorted(present))
    return Planned(slot=want.slot, digest=digest_of(worn), write=write, extra=worn)
