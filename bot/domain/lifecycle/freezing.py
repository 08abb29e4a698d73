"""What freezes a record: the App has no access, or we cannot trust ourselves with it. And what thaws it.

Frozen, facts are booked and stops of people count; no judgement does, and nothing merges.
"""

from bot.domain.lifecycle.looking import look_at_everything
from bot.domain.lifecycle.results import Ignore
from bot.domain.lifecycle.stops import give_back
from bot.domain.lifecycle.turn import Turn
from bot.domain.model.own_signals import DoubtFound, DoubtOver
from bot.domain.model.record import Record
from bot.domain.model.sightings import InstallationChanged, RepositoryRenamed
from bot.domain.model.traces import LIVE, Doubt

_BEHIND = {
    False: "GitHub shows a newer version than the database",
    True: "GitHub shows a version of another database",
}


def installation_changed(turn: Turn, signal: InstallationChanged) -> Ignore | None:
    record = turn.record
    if record.phase == "done":
        return Ignore("done already")
    if signal.installation_id != record.installation_id:
        if not signal.listed:
            return Ignore("another installation's news")
        _move(turn, signal)
    if signal.state == "present":
        if record.frozen != "suspended":
            return Ignore("not frozen by a suspension")
        turn.set(frozen=None)
        turn.say("the App is back")
        if record.in_flight:
            turn.set_merge(look_at=turn.now)
            return None
        return look_at_everything(turn)
    if record.frozen is not None:
        return Ignore("frozen already")
    give_back(turn, "the App lost access")
    turn.set(frozen="suspended")
    turn.say("the App lost access to the repository")
    return None


def _move(turn: Turn, signal: InstallationChanged) -> None:
    """The App was installed again, or the repository went to another account: the same repository, reached by another number.
    Only GitHub's own list says so, and that is a version of its own before anything is read by it."""
    turn.set(installation_id=signal.installation_id)
    turn.say(f"reached through installation {signal.installation_id} from now on")
    turn.book("installation_moved")


def doubt_found(turn: Turn, signal: DoubtFound) -> Ignore | None:
    """Nothing is voided and nothing is written by it. That versions are lost weighs more than that somebody else writes."""
    record, doubt = turn.record, signal.doubt
    if record.phase == "done":
        return Ignore("done already")
    behind = doubt.about == "database_behind"
    if behind and _is_known(record, doubt):
        return Ignore("that version is known")
    if record.frozen == "suspended" or (record.frozen == "database_behind" and not behind):
        return Ignore("frozen already")
    if record.doubt is not None and record.frozen == doubt.about and not _says_more(record.doubt, doubt):
        return Ignore("known already")
    why = _BEHIND[doubt.forked] if behind else "another instance writes here"
    give_back(turn, why)
    turn.set(frozen=doubt.about, doubt=doubt)
    turn.say(why)
    return None


def _is_known(record: Record, doubt: Doubt) -> bool:
    version = doubt.version or 0
    return version <= record.lost_to or (version <= record.version and not doubt.forked)


def _says_more(known: Doubt, found: Doubt) -> bool:
    if found.about == "database_behind":
        return (found.version or 0) > (known.version or 0)
    return found.seen_at > known.seen_at


def doubt_over(turn: Turn, signal: DoubtOver) -> Ignore | None:
    """Only the other instance's silence for an hour ends it. Lost versions do not come back by themselves."""
    record = turn.record
    if record.frozen != "instance_conflict" or record.doubt is None:
        return Ignore("not frozen by another instance")
    if signal.seen_at - record.doubt.seen_at < LIVE:
        return Ignore("the other instance wrote within the hour")
    turn.set(frozen=None, doubt=None)
    turn.say("no other instance writes here any more")
    if record.in_flight or record.withdrawn:
        return None
    return look_at_everything(turn)


def accept_loss(turn: Turn) -> None:
    """An operator sent it back to planning: nothing of what the old database says about authority stands any more, so that
    what was lost cannot be missed."""
    record = turn.record
    if record.frozen != "database_behind" or record.phase != "planning":
        return
    lost = record.doubt.version if record.doubt is not None else None
    turn.set(frozen=None, doubt=None, lost_to=max(record.lost_to, lost or 0))
    turn.say("begun anew: the versions that are lost are known to be")
    look_at_everything(turn)


def repository_renamed(turn: Turn, signal: RepositoryRenamed) -> Ignore | None:
    """Names are labels: the record keeps its number and shows the new one."""
    if signal.full_name == turn.record.repository:
        return Ignore("the name is the same")
    turn.set(repository=signal.full_name)
    turn.say(f"renamed to {signal.full_name}")
    return None
