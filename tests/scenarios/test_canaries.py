"""Distinctive secrets and words go through a whole change, with everything failing on the way, and turn up nowhere."""

import io
from base64 import b64encode
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from pydantic import SecretStr

from bot.app.tokens import Issued, TokenOrder
from bot.bootstrap.bot import build
from bot.bootstrap.doctor.run import Around, of
from bot.bootstrap.logs import Logger
from bot.bootstrap.metrics import Numbers
from bot.bootstrap.parts import Parts, token_desk
from bot.bootstrap.redaction import Redactor
from bot.settings import AppCredentials, Settings
from bot.store.connections import writing
from tests.kit import town as kit
from tests.kit.change import Change, begun
from tests.kit.stage import Silence
from tests.kit.town import SECRET, Town

pytestmark = pytest.mark.anyio
#: What people write, and nobody reads in a log.
WORDS = "Zanzibar-canary-words"
METRICS = "metrics-canary-0123456789"
NOTIFY = "https://calls.example.com/canary-of-the-calls"
PASSWORD = "database-canary-0123456789"
#: The other form in which an App's key may be given, which nobody would know for one.
KEY = b64encode(b"canary of the private key, once more").decode()
SETTINGS = Settings(
    private_key=SecretStr(KEY),
    webhook_secret=SecretStr(f"older-{SECRET}-canary, {SECRET}"),
    metrics_token=SecretStr(METRICS),
    notify_url=SecretStr(NOTIFY),
    database_url=SecretStr(f"sqlite://bot:{PASSWORD}@nowhere/x"),
)
#: What the settings hold, one by one: whatever the product forgets to hide is found.
HELD = (SECRET, f"older-{SECRET}-canary", METRICS, NOTIFY, PASSWORD, KEY)


class Told(Silence):
    """The real log at its most talkative, in both forms, beside what a town remembers of it."""

    def __init__(self) -> None:
        super().__init__()
        self.out = io.StringIO()
        self.numbers = Numbers()
        redactor = Redactor(SETTINGS.known_secrets())
        logs = [Logger("debug", "pretty", redactor, self.out), Logger("debug", "json", redactor, self.out)]
        self._say = [self.numbers.counted(logs[0]), logs[1]]

    def __call__(self, level: str, event: str, **fields: object) -> None:
        super().__call__(level, event, **fields)
        for say in self._say:
            say(level, event, **fields)


def columns(town: Town) -> str:
    """Every text of the database. Raw deliveries are kept on purpose: they hold what people wrote, compressed."""
    found: list[str] = []
    connection = town.store._connection
    for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        for row in connection.execute(f"SELECT * FROM {table}"):
            found += [value for value in row if isinstance(value, str)]
    return "\n".join(found)


def notes(town: Town) -> str:
    """Texts that operators are shown as they are: why a delivery or effect failed, how a sweep went."""
    queries = ("SELECT detail FROM deliveries", "SELECT note FROM effects", "SELECT document FROM sweeps")
    return "\n".join(str(row) for query in queries for row in town.store._connection.execute(query))


async def a_whole_change(town: Town) -> Change:
    """From the label to the merge, while GitHub fails in every manner and people write what they write."""
    change = await begun(town, "planning", f"Title {WORDS}")
    await change.on_issue("ada", f"/plan\nPlan {WORDS}")
    await change.on_issue("lin", f"/reject {WORDS}")
    await change.on_issue("ada", f"/signalbox {WORDS}")
    await change.on_issue("grace", "/approve r1")
    await change.opens_pull()
    for operation, status in (("pull", 500), ("permission", 401), ("comments", 403), ("check_runs", 502)):
        town.world.fails(operation, status, times=None)
        await change.on_pull("grace", f"/approve testing c1 {WORDS}")
        await town.later(minutes=2, stride=30)
        town.world.heals(operation)
    for who, text in (("grace", "/approve testing c1"), ("omar", "/gate testing c1"), ("grace", "/approve submit c1")):
        await change.on_pull(who, text)
        await town.later(seconds=70)
    town.world.loses_answer_to("merge_async", landed=True)
    town.world.loses_answer_to("create_comment", landed=False)
    await change.on_pull("omar", "/gate submit c1")
    await town.later(minutes=5, stride=15)
    return change


async def what_doctor_says(town: Town, folder: Path) -> str:
    settings = Settings(
        app_id=town.world.app.id,
        private_key=SecretStr(town.private_key),
        webhook_secret=SecretStr(SECRET),
        metrics_token=SecretStr(METRICS),
        notify_url=SecretStr(NOTIFY),
        data_dir=folder,
    )
    with closing(writing(str(folder / "signalbox.db"))) as kept:
        town.store._connection.backup(kept)
    return str(await of(settings, {}, Around(town.road, town.world.clock)))


async def test_canary_secrets_appear_nowhere_and_words_of_people_in_no_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """threats.md, T12."""
    monkeypatch.setattr(kit, "Silence", Told)
    town = Town(tmp_path)
    log = town.log
    assert isinstance(log, Told)
    issued = await token_desk(town.store).create(TokenOrder(name="canary", role="admin"))
    assert isinstance(issued, Issued)

    change = await a_whole_change(town)
    # Bugs of ours that hold a secret and somebody's words in their hands, in each lane.
    tokens = {token for token in town.road.shown if token}
    newest = max(token for token in tokens if token.startswith("ghs_"))

    def fault() -> None:
        raise ValueError(f"{newest} {' '.join(HELD)} {town.private_key}")

    for path in ("/permission", "/comments", "/check-runs", "/labels", "/reactions"):
        town.road.before[path] = fault
        other = await begun(town, "planning", f"Other {WORDS}")
        await other.on_issue("ada", f"/plan\nOther {WORDS}")
        await town.later(minutes=12, stride=60)
        town.road.before.pop(path, None)

    # Forged and refused requests, and every answer that tells of a fault.
    assert await town.post(WORDS.encode(), {"x-hub-signature-256": "sha256=" + "a" * 64}) == 401
    asked = [
        await town.http.get(path, headers=headers)
        for path in ("/healthz", "/readyz", "/", "/nothing", "/api/v1/lifecycles", change.repo_path, "/metrics")
        for headers in ({}, {"authorization": f"Bearer {issued.token}x"}, {"accept": "text/html"})
    ]
    shown = [str(await town.api(f"{change.repo_path}{part}")) for part in ("", "/history", "/explain")]
    metrics = (await log.numbers.scraper(town.store)()).decode()

    doctor = await what_doctor_says(town, tmp_path)

    said = log.out.getvalue()
    comments = [
        one.body for repo in town.world.repositories.values() for t in repo.threads.values() for one in t.comments
    ]
    checks = [f"{one.title}{one.summary}{one.text}{one.external_id}" for one in town.repo.runs]
    places = {
        "the log": said,
        "comments": "".join(comments),
        "checks": "".join(checks),
        "answers": "".join([one.text + str(one.headers) for one in asked] + shown),
        "the database": columns(town),
        "metrics": metrics,
        "doctor": doctor,
    }
    secrets = [*HELD, issued.token, *town.private_key.splitlines()[1:-1], *tokens]
    found = [(place, secret) for place, text in places.items() for secret in secrets if secret in text]
    assert found == []
    quiet = {"the log": said, "metrics": metrics, "doctor": doctor, "notes": notes(town)}
    assert [place for place, text in quiet.items() if WORDS in text] == []

    # What was to be provoked has happened: the silence is not that of a town in which nothing goes on.
    events = {event for _, event, _ in log.lines}
    assert {"record_changed", "signal_refused", "delivery_refused", "merge_requested", "merge_answered"} <= events
    assert {"publishing_failed", "delivery_failed", "effect_failed"} & events
    assert change.phase == "done"
    assert len([token for token in tokens if token.startswith("ghs_")]) >= 2
    await town.http.aclose()
    await town.store.close()


def test_every_setting_that_is_a_secret_is_among_the_canaries() -> None:
    hidden = {name for name, value in SETTINGS if isinstance(value, SecretStr)}
    secret = {name for name, field in Settings.model_fields.items() if "SecretStr" in repr(field)}
    assert hidden == secret


async def test_a_fault_of_the_server_is_told_to_nobody_but_the_log(tmp_path: Path) -> None:
    town = Town(tmp_path)
    said = io.StringIO()
    log = Logger("debug", "json", Redactor(SETTINGS.known_secrets()), said)

    class Broken:
        """A store whose reader meets a bug with a secret in its hands."""

        def __getattr__(self, name: str) -> object:
            return getattr(town.store, name)

        async def read(self, _work: object) -> None:
            raise ValueError(f"{' '.join(HELD)} and {town.private_key}")

    parts = Parts(
        Settings(data_dir=tmp_path),
        AppCredentials(1, town.private_key, (SECRET,)),
        Broken(),  # type: ignore[arg-type]  # it breaks
        log,
        clock=town.world.clock,
    )
    bot = build(parts, (), lambda _name, _error: None)
    transport = httpx.ASGITransport(bot.asgi, client=("127.0.0.1", 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost:3000") as client:
        pages = [await client.get("/", headers={"accept": accept}) for accept in ("text/html", "application/json")]

    assert [page.status_code for page in pages] == [500, 500]
    lines = [*HELD, *town.private_key.splitlines()[1:-1]]
    assert [line for line in lines if any(line in page.text for page in pages) or line in said.getvalue()] == []
    assert "request_failed" in said.getvalue()
    await town.http.aclose()
    await town.store.close()
