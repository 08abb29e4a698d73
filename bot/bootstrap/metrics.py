"""The numbers of this process and of its store, as Prometheus reads them.

What the log says is counted, so nobody counts beside it. Labels take few values: states, phases, events, codes and
installations; never a record, a repository or a person.
"""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from importlib.metadata import version

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.registry import Collector

from bot.app.numbers import Snapshot, snapshot
from bot.ports.runtime import Log
from bot.ports.store import Store, StoreUnavailable

CONTENT_TYPE = CONTENT_TYPE_PLAIN_0_0_4
COMMIT = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
WAIT = (0.01, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 300)
#: States that a number is shown for also when nothing is in them: a series that comes and goes is hard to watch.
DELIVERIES = ("received", "working", "applied", "no_op", "ignored", "failed")
PHASES = ("planning", "plan_ready", "plan_rejected", "building", "testing", "submit", "done", "blocked")
MERGES = ("none", "reserved", "requested", "ambiguous", "confirming", "merged", "refused")
EFFECTS = ("planned", "sent", "ok", "refused", "unknown")
PARTS = ("publisher", "effector", "merger", "timers", "sweep", "policies", "seen")
INSTALLATIONS = ("present", "suspended", "gone")


class Numbers:
    """One for the life of a process. Its methods may be called from any thread."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self._stored = _Stored()
        self._registry.register(self._stored)
        self._events = self._counter("log_events", "Events of the log", "level", "event")
        self._refused = self._counter("deliveries_refused", "Deliveries that were not taken", "code")
        self._answers = self._counter("merge_answers", "Answers to merge requests, by HTTP status", "status")
        self._requests = self._counter("github_requests", "Answers of GitHub", "installation", "status")
        self._limit = self._gauge("github_limit", "Requests that GitHub allows in an hour", "installation")
        self._remaining = self._gauge("github_remaining", "Requests that are left of it", "installation")
        self._waits = self._histogram("github_write_wait", "Waiting for the turn of a change on GitHub", WAIT)
        self._commits = self._histogram("store_commit", "One group of transactions, with its commit", COMMIT)
        self._gauge("build_info", "Always 1", "version").labels(version("signalbox")).set(1)

    def counted(self, log: Log) -> Log:
        """The same log, and what it says is counted, whatever its level lets through."""

        def said(level: str, event: str, **fields: object) -> None:
            self._events.labels(level, event).inc()
            if event == "delivery_refused":
                self._refused.labels(str(fields.get("code"))).inc()
            elif event == "merge_answered":
                self._answers.labels(str(fields.get("status") or ("none" if fields.get("sent") else "not_sent"))).inc()
            log(level, event, **fields)

        return said

    def heard(self, installation: int, status: int, limit: int | None, remaining: int | None) -> None:
        """GitHub answered; installation 0 is the App itself."""
        name = str(installation) if installation else "app"
        self._requests.labels(name, str(status)).inc()
        if limit is not None:
            self._limit.labels(name).set(limit)
        if remaining is not None:
            self._remaining.labels(name).set(remaining)

    def waited(self, seconds: float) -> None:
        self._waits.observe(seconds)

    def committed(self, seconds: float) -> None:
        self._commits.observe(seconds)

    def scraper(self, store: Store) -> Callable[[], Awaitable[bytes]]:
        """The whole text. While the database does not answer, what this process counted is shown all the same."""

        async def scrape() -> bytes:
            try:
                self._stored.shown = await store.read(snapshot)
            except StoreUnavailable:
                self._stored.shown = None
            return generate_latest(self._registry)

        return scrape

    def _counter(self, name: str, what: str, *labels: str) -> Counter:
        return Counter(f"signalbox_{name}", what, labels, registry=self._registry)

    def _gauge(self, name: str, what: str, *labels: str) -> Gauge:
        return Gauge(f"signalbox_{name}", what, labels, registry=self._registry)

    def _histogram(self, name: str, what: str, buckets: tuple[float, ...]) -> Histogram:
        return Histogram(f"signalbox_{name}_seconds", what, registry=self._registry, buckets=buckets)


class _Stored(Collector):
    """Numbers over the store, as they were when it was last read."""

    def __init__(self) -> None:
        self.shown: Snapshot | None = None

    def collect(self) -> Iterable[GaugeMetricFamily]:
        yield GaugeMetricFamily("signalbox_database_up", "Whether the database answers", int(self.shown is not None))
        if self.shown is not None:
            yield from _families(self.shown)


def _families(now: Snapshot) -> Iterator[GaugeMetricFamily]:
    tally = now.tally
    yield _by("deliveries", "Deliveries that are kept", "state", DELIVERIES, tally.deliveries)
    yield _one("delivery_lag_seconds", "Age of the delivery that waits longest", now.age(tally.waits_since))
    yield _by("records", "Records", "phase", PHASES, tally.records)
    yield _one("records_unshown", "Records that GitHub does not show as they are", tally.unshown)
    yield _one("publishing_lag_seconds", "How long the longest of them waits", now.age(tally.unshown_since))
    yield _by("merges", "Records by the state of their merge", "state", MERGES, tally.merges)
    yield _one("merge_ambiguous_seconds", "How long the oldest unproven merge is so", now.age(now.ambiguous_since))
    yield _one("merges_overdue", "Unproven merges that an operator may settle", now.overdue)
    yield _by("effects", "One-shot effects", "state", EFFECTS, tally.effects)
    yield _by("installations", "Installations", "state", INSTALLATIONS, now.installations)
    yield _one("sweep_lag_seconds", "Since the sweep of the repository that waits longest", now.age(now.swept_since))
    yield _one("sweep_unswept", "Repositories that were never swept", now.unswept)
    yield _one("sweep_slowed", "Installations whose sweep has used up its share", now.slowed)
    yield _by("set_aside", "What met a bug of this program and rests", "part", PARTS, now.aside)


def _one(name: str, what: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"signalbox_{name}", what, value)


def _by(name: str, what: str, label: str, known: Iterable[str], found: Mapping[str, int]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(f"signalbox_{name}", what, labels=[label])
    for value in dict.fromkeys((*known, *sorted(found))):
        family.add_metric([value], found.get(value, 0))
    return family
