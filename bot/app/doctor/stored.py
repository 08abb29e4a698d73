"""What the store knows that an operator may want to look at: the sweep, and everything that waits for somebody."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

from bot.app.audit import broken, newest
from bot.app.doctor.finding import Finding, ok, problem, some, span, warning
from bot.app.doctor.given_up import of_effects, of_faults, readable, thread
from bot.app.doctor.unheard import of_marks
from bot.app.frozen import WAYS, frozen
from bot.app.policy.standing import NOT_READ, standing
from bot.app.sweep.report import InstallationReport, RepositoryReport, SweepReport, report
from bot.domain.explain.ended_rows import FROZEN
from bot.domain.model.text import counted
from bot.domain.model.text import until as ends
from bot.ports.store import EDITED, Tx

#: A sweep this many intervals old is late.
LATE = 4
#: A delivery that waits longer than this is not being worked on as it should.
SLOW = timedelta(minutes=5)


def of_the_store(interval: float) -> Callable[[Tx], list[Finding]]:
    """`interval` is that of the sweep, in seconds."""
    return lambda tx: [
        *_policies(tx),
        *_sweep(tx, report(tx), interval),
        *of_marks(tx),
        *_deliveries(tx, interval),
        *_merges(tx),
        *_frozen(tx),
        *_histories(tx),
        *_edited(tx),
        *_unshown(tx),
        *of_effects(tx),
        *of_faults(tx),
    ]


def _policies(tx: Tx) -> Iterator[Finding]:
    known = [number for number, state in tx.repositories.installations().items() if state == "present"]
    repos = [repo for number in known for repo in tx.repositories.of_installation(number)]
    found = [(repo.full_name, standing(tx, repo.id)) for repo in repos]
    concerns = [(name, one) for name, one in found if one.concern is not None]
    unread = [name for name, one in found if one.concern is None and one.named == NOT_READ]
    for name, one in concerns:
        yield warning("policy", f"{name}: {one.concern}", one.why, one.do)
    if found and not concerns and len(unread) < len(found):
        yield ok("policy", some([f"{name} {one.named}" for name, one in found if name not in unread]))
    if unread:
        yield ok("policy", f"not read yet, for nothing was decided there: {some(unread)}")


def _sweep(tx: Tx, found: SweepReport, interval: float) -> Iterator[Finding]:
    here = [one for one in found.installations if one.state == "present"]
    troubles = [*(_resting(one, one.rests_until) for one in here if one.rests_until is not None and one.problem)]
    troubles += [_slowed(one) for one in here if one.slowed_since is not None]
    troubles += [_incomplete(one) for one in found.repositories if one.problem is not None]
    late = [one.full_name for one in found.repositories if _lag(tx, one) > LATE * interval]
    if late:
        what = f"{some(late)}: last swept more than {span(LATE * interval)} ago"
        why = "what no webhook told is noticed late there, commands too."
        troubles.append(warning("sweep", what, why, "see that the server runs; its log says what holds the sweep up."))
    yield from troubles
    if not troubles:
        yield ok("sweep", _pass(tx, found))


def _lag(tx: Tx, one: RepositoryReport) -> float:
    return (tx.now() - one.swept_at).total_seconds() if one.swept_at is not None else 0.0


def _pass(tx: Tx, found: SweepReport) -> str:
    swept = [one.swept_at for one in found.repositories if one.swept_at is not None]
    full = [one.full_at for one in found.repositories if one.full_at is not None]
    if not swept:
        return "nothing swept yet"
    passed = (
        f", full pass {span((tx.now() - min(full)).total_seconds())} ago at the latest"
        if full
        else ", no full pass yet"
    )
    return f"{len(swept)} of {len(found.repositories)} repositories, longest ago {span(_oldest(tx, found))}{passed}"


def _oldest(tx: Tx, found: SweepReport) -> float:
    return max(_lag(tx, one) for one in found.repositories)


def _name(one: InstallationReport) -> str:
    return f"installation {one.id}" if one.id else "the App"


def _resting(one: InstallationReport, until: datetime) -> Finding:
    what = f"{_name(one)} rests until {ends(until)} after {counted(one.failures, 'failure')}: {one.problem}"
    why = "until then nothing that a webhook did not tell is noticed there."
    return warning("sweep", what, why, "it goes on by itself; look at GitHub's status and at the App's permissions.")


def _slowed(one: InstallationReport) -> Finding:
    what = f"{_name(one)} is read less: {one.spent} of its {one.share} requests of this hour are spent"
    why = "what no webhook told is noticed late there."
    return warning("sweep", what, why, "raise SWEEP_INTERVAL_SECONDS, or find out who else uses up the App's limit.")


def _incomplete(one: RepositoryReport) -> Finding:
    what = f"the last sweep of {one.full_name} is incomplete: {one.problem}"
    why = "what it did not reach is noticed at the next one."
    return warning("sweep", what, why, "it is repeated by itself; if this stays, the log says more.")


def _deliveries(tx: Tx, interval: float) -> Iterator[Finding]:
    tally = tx.operating.tally()
    failed, waiting = tally.deliveries.get("failed", 0), tally.deliveries.get("received", 0)
    if failed:
        newest = [row.guid for row in tx.deliveries.list("failed", 3, None)]
        what = f"{failed} failed, the newest {some(newest)}"
        why = (
            "what they told is not applied; where it may be a stop, no record that it may concern merges until a whole sweep "
            "has found it."
        )
        yield problem("deliveries", what, why, "read the log, then: signalbox replay GUID")
    if tally.waits_since is not None and tx.now() - tally.waits_since > SLOW:
        since = span((tx.now() - tally.waits_since).total_seconds())
        what = f"{waiting} {'waits' if waiting == 1 else 'wait'}, the oldest for {since}"
        why = "commands are answered that late."
        yield warning("deliveries", what, why, "see that the server runs; its log says what it waits for.")
    if not failed and (tally.waits_since is None or tx.now() - tally.waits_since <= SLOW):
        kept = sum(tally.deliveries.values())
        yield ok("deliveries", f"none failed, {waiting} waiting, {kept} kept") if kept else _none_came(tx, interval)


def _none_came(tx: Tx, interval: float) -> Finding:
    """Nothing to worry about before anything happened on GitHub. What made a record did."""
    if not tx.records.newest(1):
        return ok("deliveries", "none has arrived here yet; the first one shows that GitHub reaches this server")
    what = "none has arrived here within RETENTION_DAYS: what is known of GitHub the sweep has read"
    why = f"commands arrive only with the sweep, up to {interval:g} s late."
    do = (
        "see that the App's webhook is active and leads to PUBLIC_URL and WEBHOOK_PATH; Advanced on the App's settings page "
        "shows what GitHub sent, and what answered."
    )
    return warning("deliveries", what, why, do)


def _merges(tx: Tx) -> Iterator[Finding]:
    keys = tx.records.merging(("ambiguous",))
    overdue, waiting = list[str](), list[str]()
    for key in keys:
        loaded = tx.records.load(key)
        ends = loaded.record.merge.window_ends if loaded else None
        (overdue if ends is not None and ends <= tx.now() else waiting).append(thread(tx, key))
    if overdue:
        what = f"{some(overdue)}: GitHub never said whether it merged, and the window to find out is over"
        why = "its record waits until somebody has looked; other merges into that base go on."
        do = (
            "look at the pull request, then comment /signalbox settle merged SHA or /signalbox settle unmerged WHY there, "
            "or run signalbox settle OWNER/REPO#N merged SHA or unmerged WHY here."
        )
        yield problem("merges", what, why, do)
    if waiting:
        what = f"{some(waiting)}: it is not known yet whether GitHub merged"
        why = "its record waits meanwhile; other merges into that base go on."
        yield warning(
            "merges", what, why, "wait: it is read again until its window ends, then an operator may settle it."
        )
    if not keys:
        yield ok("merges", "none unproven")


def _frozen(tx: Tx) -> Iterator[Finding]:
    found = frozen(tx)
    for why, names in found.items():
        what = f"{some(list(names))}: {FROZEN[why]}"
        matters = "nothing that people approve there counts, and nothing merges, until that is over."
        say = warning if why == "suspended" else problem
        yield say("frozen", what, matters, WAYS[why])
    if not found:
        yield ok("frozen", "no record is frozen")


def _histories(tx: Tx) -> Iterator[Finding]:
    keys = newest(tx)
    found = [f"{repository}#{issue}" for repository, issue in broken(tx, keys)]
    if found:
        what = f"{some(found)}: what is stored is not what was written"
        why = "nothing of it merges: whoever changed the database could make approvals that nobody gave."
        do = f"read signalbox verify-history {found[0]}, find out who changed the database, and restore a backup."
        yield problem("history", what, why, do)
    else:
        yield ok("history", f"{counted(len(keys), 'record')} under way looked at, none was changed in the database")


def _edited(tx: Tx) -> Iterator[Finding]:
    names = [readable(tx, held.name.removeprefix(EDITED)) for held in tx.leases.held(EDITED)]
    if names:
        what = f"{some(names)}: somebody edited the hidden line of a comment of ours, so that it told of a version that never was"
        do = "ask who did it: GitHub shows that behind the word edited on the comment. This is told for a week."
        yield warning("publishing", what, "nothing followed from it, and it is written anew.", do)


def _unshown(tx: Tx) -> Iterator[Finding]:
    late = [one for one in tx.leftovers.unshown() if tx.now() - one.since > SLOW]
    if late:
        since = span((tx.now() - late[0].since).total_seconds())
        what = f"{some([thread(tx, one.key) for one in late])}: not shown on GitHub as it is, the longest for {since}"
        do = "read in the log what GitHub answers (publishing_paused); it is tried again by itself, after an hour at the latest."
        yield warning("publishing", what, "people see an older state there; nothing merges by it.", do)
    else:
        yield ok("publishing", "GitHub shows every record as it is")
