"""The App's access to the repository: suspended, gone, back, renamed."""

from bot.domain.lifecycle.looking import look_at_everything
from bot.domain.lifecycle.results import Ignore
from bot.domain.lifecycle.stops import give_back
from bot.domain.lifecycle.turn import Turn
from bot.domain.model.signals import InstallationChanged, RepositoryRenamed


def installation_changed(turn: Turn, signal: InstallationChanged) -> Ignore | None:
    record = turn.record
    if signal.installation_id != record.installation_id:
        return Ignore("another installation's news")
    if record.phase == "done":
        return Ignore("done already")
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


def repository_renamed(turn: Turn, signal: RepositoryRenamed) -> Ignore | None:
    """Names are labels: the record keeps its number and shows the new one."""
    if signal.full_name == turn.record.repository:
        return Ignore("the name is the same")
    turn.set(repository=signal.full_name)
    turn.say(f"renamed to {signal.full_name}")
    return None
