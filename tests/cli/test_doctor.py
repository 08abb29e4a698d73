"""`signalbox doctor` on set-ups that are broken in one way each: it names that, says why it matters and what to do."""

import asyncio
import json
import os
import re
import socket
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from typer.testing import CliRunner, Result

from bot.app.aside import Unit, set_aside
from bot.app.doctor.finding import Finding
from bot.app.outside import Outside
from bot.bootstrap.doctor.run import Around, examine
from bot.bootstrap.operations import LocalOperations
from bot.cli.main import app
from bot.domain.model.delivery import Delivery
from bot.domain.model.effects import CreateComment, Effect, React
from bot.domain.model.ids import RecordKey, Repo
from bot.domain.model.text import until
from bot.ports.policies import Watch
from bot.ports.runtime import Clock
from bot.ports.store import Tx
from bot.settings import reference
from bot.simulator import webhooks
from bot.store.connections import writing
from bot.store.schema import VERSIONS
from tests.kit.change import begun
from tests.kit.stage import NoNudge
from tests.kit.town import Town
from tests.rules.kit import text

pytestmark = pytest.mark.anyio
SECRET = "0f6d2c8b41e97a3554c0de7719ab2e86"
Break = Callable[["Site"], Awaitable[None]]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@dataclass
class Ahead:
    """Somebody set this machine's clock."""

    clock: Clock
    by: timedelta

    def now(self) -> datetime:
        return self.clock.now() + self.by

    def monotonic(self) -> float:
        return self.clock.monotonic()


@dataclass
class Site:
    """A set-up in which all is well, until something is changed. `given` are settings beside those."""

    town: Town
    folder: Path
    patch: pytest.MonkeyPatch
    given: dict[str, str | None] = field(default_factory=dict)
    ahead: timedelta = timedelta(0)
    leaves: ExitStack = field(default_factory=ExitStack)

    @property
    def database(self) -> Path:
        return self.folder / "signalbox.db"

    def keeps(self) -> None:
        """What the bot has stored so far, as the file that doctor reads."""
        with closing(writing(str(self.database))) as kept:
            self.town.store._connection.backup(kept)
            kept.execute("PRAGMA journal_mode = WAL")

    async def examined(self) -> list[Finding]:
        self._sets()
        clock = Ahead(self.town.world.clock, self.ahead)
        return await examine(Around(transport=self.town.road, clock=clock))

    async def prints(self, found: list[Finding], *words: str) -> Result:
        class Found(LocalOperations):
            async def doctor(self) -> list[Finding]:
                return found

        return await asyncio.to_thread(CliRunner().invoke, app, ["doctor", *words], obj=Found())

    def _sets(self) -> None:
        well: dict[str, str | None] = {
            "APP_ID": str(self.town.world.app.id),
            "PRIVATE_KEY": self.town.private_key,
            "WEBHOOK_SECRET": SECRET,
            "DATA_DIR": str(self.folder),
            "PUBLIC_URL": "https://signalbox.example",
            "FORWARDED_ALLOW_IPS": "10.0.0.1",
            "METRICS_TOKEN": "metrics-canary",
            "PORT": "0",
        }
        for name, value in (well | self.given).items():
            if value is None:
                self.patch.delenv(name, raising=False)
            else:
                self.patch.setenv(name, value)


@pytest.fixture
async def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Site]:
    monkeypatch.chdir(tmp_path)
    for row in reference():
        monkeypatch.delenv(row.name, raising=False)
    town = Town(tmp_path)
    town.repo.rulesets.clear()
    town.world.requires(town.repo, "signalbox", app=town.world.app)
    town.world.requires(town.repo, "build", app=town.world.another_app("actions"))
    await begun(town, "plan_ready")
    made = Site(town, tmp_path, monkeypatch)
    made.keeps()
    with made.leaves:
        yield made


def troubles(found: list[Finding]) -> list[tuple[str, str]]:
    return [(one.mark, one.area) for one in found if one.mark != "ok"]


async def test_where_all_is_well_every_line_says_so_and_the_exit_is_0(site: Site) -> None:
    found = await site.examined()
    said = await site.prints(found)

    assert troubles(found) == []
    assert said.exit_code == 0
    assert said.stdout.splitlines()[-1] == "0 problems, 0 warnings."
    areas = "settings network intervals data database webhook github clock installations permissions events"
    rest = "optional rules policy sweep deliveries merges frozen history publishing effects faults"
    assert list(dict.fromkeys(one.area for one in found)) == [*areas.split(), *rest.split()]


async def only_a_part(site: Site) -> None:
    site.given = {"PRIVATE_KEY": None, "WEBHOOK_SECRET": None}


async def empty_secret(site: Site) -> None:
    site.given = {"WEBHOOK_SECRET": ""}


async def weak_secret(site: Site) -> None:
    site.given = {"WEBHOOK_SECRET": "hush-hush"}


async def placeholder_secret(site: Site) -> None:
    (written,) = re.findall(r"WEBHOOK_SECRET=(\S+)", text("README.md"))
    site.given = {"WEBHOOK_SECRET": written}


async def open_env(site: Site) -> None:
    (site.folder / ".env").write_text(f"PORT=0\nWEBHOOK_SECRET={SECRET}\n")
    (site.folder / ".env").chmod(0o644)


async def misspelt_name(site: Site) -> None:
    site.patch.setenv("WEBHOOK_SECRETS", "another")


async def unread_line(site: Site) -> None:
    (site.folder / ".env").write_text("# mine\nPORT 3000\n")


async def no_key(site: Site) -> None:
    site.given = {"PRIVATE_KEY": "hush-hush-not-a-key"}


async def another_key(site: Site) -> None:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    site.given = {"PRIVATE_KEY": key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()}


async def unreadable_interval(site: Site) -> None:
    site.given = {"SETTLE_WINDOW_SECONDS": "soon"}


async def rotation(site: Site) -> None:
    site.given = {"WEBHOOK_SECRET": f"{SECRET},older-secret"}


async def wrong_clock(site: Site) -> None:
    site.ahead = timedelta(minutes=7)


async def slow_clock(site: Site) -> None:
    site.ahead = -timedelta(seconds=30)


async def old_clock(site: Site) -> None:
    """It said that GitHub refuses the App's tokens, and GitHub had just taken one."""
    site.ahead = -timedelta(minutes=2)


async def local_address(site: Site) -> None:
    site.given = {"PUBLIC_URL": "http://localhost:3000", "FORWARDED_ALLOW_IPS": None}


async def no_address(site: Site) -> None:
    site.given = {"PUBLIC_URL": None, "FORWARDED_ALLOW_IPS": None, "PORT": "3007"}


async def placeholder_address(site: Site) -> None:
    """Beside a GitHub that may be anywhere."""
    site.given = {"PUBLIC_URL": "https://YOUR-ADDRESS", "GITHUB_API_URL": "http://127.0.0.1:9/api/v3"}


async def nothing_arrives(site: Site) -> None:
    with closing(writing(str(site.database))) as kept:
        kept.execute("DELETE FROM deliveries")


async def private_address(site: Site) -> None:
    site.given = {"PUBLIC_URL": "https://192.168.1.20"}


async def plain_http(site: Site) -> None:
    site.given = {"PUBLIC_URL": "http://signalbox.example"}


async def listens_everywhere(site: Site) -> None:
    site.given = {"HOST": "0.0.0.0", "PUBLIC_URL": "http://signalbox.example"}


async def silent_proxy(site: Site) -> None:
    site.given = {"FORWARDED_ALLOW_IPS": None}


async def believes_everybody(site: Site) -> None:
    site.given = {"FORWARDED_ALLOW_IPS": "*", "HOST": "10.1.2.3"}


async def one_worker(site: Site) -> None:
    site.given = {"WORKERS": "1"}


async def short_window(site: Site) -> None:
    site.given = {"SETTLE_WINDOW_SECONDS": "20"}


async def other_secret_at_github(site: Site) -> None:
    site.town.world.comments("ada", next(iter(site.town.repo.threads.values())), "/status")
    await webhooks.deliver(site.town.world, "what-github-has", site.town.post)


async def lost_webhooks(site: Site) -> None:
    site.town.world.drops_webhooks()
    site.town.world.comments("ada", next(iter(site.town.repo.threads.values())), "/status")
    await site.town.settles()


async def suspended(site: Site) -> None:
    site.town.world.suspends()


async def deleted(site: Site) -> None:
    site.town.world.installation.deleted = True


async def missing_permission(site: Site) -> None:
    site.town.world.app.permissions["checks"] = "read"


async def missing_event(site: Site) -> None:
    site.town.world.app.events = tuple(name for name in site.town.world.app.events if name != "issue_comment")


async def merge_queue(site: Site) -> None:
    site.town.world.ruleset(site.town.repo, merge_queue=True)


async def may_bypass(site: Site) -> None:
    next(iter(site.town.repo.rulesets.values())).bypass = "always"


async def not_required(site: Site) -> None:
    site.town.repo.rulesets.clear()
    site.town.world.requires(site.town.repo, "build", app=site.town.world.another_app("actions"))


async def forgeable_check(site: Site) -> None:
    site.town.world.requires(site.town.repo, "lint")


async def classic_protection(site: Site) -> None:
    site.town.world.protects(site.town.repo)


async def on_the_list(site: Site) -> None:
    """Of classic protection, which is read with the permission for it."""
    site.town.world.app.permissions["administration"] = "read"
    site.town.world.protects(site.town.repo, reviews=1, bypassing=(site.town.world.app,))


async def administration_not_accepted(site: Site) -> None:
    """The App asks for it, and GitHub does not answer that question all the same."""
    site.town.world.app.permissions["administration"] = "read"
    site.town.world.protects(site.town.repo)
    site.town.world.fails("protection", 403)


async def github_is_away(site: Site) -> None:
    site.town.world.unreachable(times=None)


async def github_pauses(site: Site) -> None:
    site.town.world.fails("app", 403, headers={"retry-after": "60"})


async def damaged(site: Site) -> None:
    for name in ("-wal", "-shm"):
        site.database.with_name(site.database.name + name).unlink(missing_ok=True)
    raw = bytearray(site.database.read_bytes())
    raw[5000:60000] = b"\x5a" * 55000
    site.database.write_bytes(raw)


async def newer(site: Site) -> None:
    with closing(sqlite3.connect(site.database)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()


async def another_database(site: Site) -> None:
    site.given = {"DATABASE_URL": "mysql://bot:pass-canary@db.example/signalbox"}


async def open_file(site: Site) -> None:
    site.database.chmod(0o644)


async def no_directory(site: Site) -> None:
    (site.folder / "taken").write_text("a file")
    site.given = {"DATA_DIR": str(site.folder / "taken")}


async def kernel_s_directory(site: Site) -> None:
    site.given = {"DATA_DIR": "/proc/signalbox"}


async def taken_port(site: Site) -> None:
    other = socket.socket()
    other.bind(("127.0.0.1", 0))  # nobody answers on it
    site.leaves.callback(other.close)
    site.given = {"PORT": str(other.getsockname()[1])}


async def failed_delivery(site: Site) -> None:
    def fail(tx: Tx) -> None:
        tx.deliveries.add(Delivery(guid="g-1", event="issues", body=b"{}", received_at=tx.now()))
        tx.deliveries.finish("g-1", "failed", "ValueError: x")

    await site.town.store.run(fail)
    site.keeps()


async def stuck_delivery(site: Site) -> None:
    def wait(tx: Tx) -> None:
        at = tx.now() - timedelta(hours=1)
        tx.deliveries.add(Delivery(guid="g-1", event="issues", body=b"{}", received_at=at))

    await site.town.store.run(wait)
    site.keeps()


async def overdue_merge(site: Site) -> None:
    change = await begun(site.town, "almost", "Merge me")
    site.town.world.loses_answer_to("merge_async", landed=False, how="timeout")
    await change.on_pull("omar", "/gate submit c1")
    await site.town.later(minutes=40, stride=60)
    site.keeps()


async def lost_effect(site: Site) -> None:
    repo = Repo(installation_id=site.town.world.installation.id, id=site.town.repo.id, owner="octo", name="app")

    def give_up(tx: Tx) -> None:
        effect = Effect(kind="reaction", target="1", once="lost", write=React(comment_id=1, content="+1"))
        tx.effects.plan(None, repo, effect)
        row = tx.effects.next(tx.now())
        assert row is not None
        tx.effects.set(row.id, "unknown", "no answer")

    await site.town.store.run(give_up)
    site.keeps()


async def refused_effects(site: Site) -> None:
    repo = Repo(installation_id=site.town.world.installation.id, id=site.town.repo.id, owner="octo", name="app")
    key = RecordKey(repo.id, 1)

    def refuse(tx: Tx) -> None:
        for number in range(5):
            write = CreateComment(number=1, body="x", marker=f"m{number}")
            tx.effects.plan(key, repo, Effect(kind="reply", target=f"thread:{number}", once=str(number), write=write))
        for row in tx.effects.of(key):
            if row.state == "planned":
                tx.effects.set(row.id, "refused", "Forbidden: 403")

    await site.town.store.run(refuse)
    site.keeps()


async def unread_file(site: Site) -> None:
    """Of a repository in which nobody has begun anything."""
    lib = Repo(installation_id=site.town.world.installation.id, id=77, owner="octo", name="lib")

    def fail(tx: Tx) -> None:
        tx.repositories.seen(lib)
        tx.policies.set_watch(lib.id, Watch(problem="answer 500"), None)

    await site.town.store.run(fail)
    site.keeps()


async def bug(site: Site) -> None:
    town = site.town
    outside = Outside(town.store, None, town.world.clock, town.log, NoNudge())  # type: ignore[arg-type]  # nothing is asked
    unit = Unit("publisher", f"{town.repo.id}#1", "publishing_failed", timedelta(minutes=1), {})
    await set_aside(outside, unit, ValueError("a bug"))
    town.expected_errors.add("publishing_failed")
    site.keeps()


async def shut_out(site: Site) -> None:
    site.town.world.suspends()
    await site.town.settles()
    site.keeps()


async def edited_line(site: Site) -> None:
    """grace may edit comments there, ours too."""
    town = site.town
    (issue,) = town.repo.threads.values()
    status = next(one for one in issue.comments if "signalbox:status" in one.body)
    town.world.edits_comment("grace", status, re.sub(r"(written:\S+):v\d+", r"\1:v999", status.body))
    await town.later(minutes=12, stride=120)
    site.keeps()


async def repository_is_gone(site: Site) -> None:
    """Its threads answer 404, as everything of what was deleted does."""
    town = site.town
    town.world.fails("create_comment", 404, times=None)
    town.world.fails("update_comment", 404, times=None)
    town.world.comments("grace", next(iter(town.repo.threads.values())), "/hold it loses data")
    await town.later(minutes=20, stride=60)
    site.keeps()


async def changed_history(site: Site) -> None:
    with closing(writing(str(site.database))) as kept:
        kept.execute("UPDATE history SET digest = 'x' || digest WHERE version = 2")


async def late_sweep(site: Site) -> None:
    town = site.town
    await town.later(minutes=6, stride=60)
    site.keeps()
    town.world.clock.advance(7200)


BROKEN: dict[Break, tuple[str, str, str]] = {
    only_a_part: ("problem", "settings", "WEBHOOK_SECRET is missing"),
    empty_secret: ("problem", "settings", "WEBHOOK_SECRET is empty"),
    no_key: ("problem", "settings", "PRIVATE_KEY is not a private key"),
    unreadable_interval: ("problem", "settings", "SETTLE_WINDOW_SECONDS must be"),
    weak_secret: ("warning", "settings", "a webhook secret is short"),
    placeholder_secret: ("warning", "settings", "a webhook secret is the placeholder"),
    open_env: ("warning", "settings", ".env holds WEBHOOK_SECRET, and others on this machine may open it"),
    misspelt_name: ("warning", "settings", "WEBHOOK_SECRETS is no setting: did you mean WEBHOOK_SECRET?"),
    unread_line: ("problem", "settings", ".env line 2 cannot be read: write NAME=value"),
    rotation: ("warning", "settings", "2 webhook secrets are valid"),
    another_key: ("problem", "github", "does not take the App's key (answer 401)"),
    github_is_away: ("problem", "github", "does not answer"),
    github_pauses: ("warning", "github", "asks for a pause until"),
    wrong_clock: ("problem", "clock", "7 min ahead of GitHub's"),
    slow_clock: ("warning", "clock", "30 s behind GitHub's"),
    old_clock: ("warning", "clock", "2 min behind GitHub's"),
    local_address: ("problem", "webhook", "GitHub cannot reach PUBLIC_URL http://localhost:3000"),
    no_address: ("problem", "webhook", "PUBLIC_URL is not set, and GitHub cannot reach http://127.0.0.1:3007"),
    placeholder_address: ("problem", "webhook", "PUBLIC_URL https://YOUR-ADDRESS is the placeholder of the README"),
    nothing_arrives: ("warning", "deliveries", "none has arrived here within RETENTION_DAYS"),
    private_address: ("problem", "webhook", "GitHub cannot reach PUBLIC_URL https://192.168.1.20"),
    plain_http: ("warning", "webhook", "PUBLIC_URL http://signalbox.example is not https"),
    other_secret_at_github: ("warning", "webhook", "answered with 401: the signature did not fit"),
    lost_webhooks: ("warning", "webhook", "without an answer"),
    listens_everywhere: ("warning", "network", "HOST 0.0.0.0 listens on every address"),
    silent_proxy: ("warning", "network", "its word about callers is not believed"),
    believes_everybody: ("warning", "network", "FORWARDED_ALLOW_IPS * believes everybody"),
    one_worker: ("warning", "intervals", "WORKERS is 1"),
    short_window: ("warning", "intervals", "SETTLE_WINDOW_SECONDS is 20"),
    suspended: ("problem", "installations", "octo has suspended the App"),
    deleted: ("problem", "installations", "the App is installed nowhere"),
    missing_permission: ("problem", "permissions", '"Checks: write" is missing on octo'),
    missing_event: ("warning", "events", "the App is not told of issue_comment"),
    merge_queue: ("problem", "rules", "main of octo/app requires a merge queue"),
    may_bypass: ("problem", "rules", "this App may pass the rules of main of octo/app"),
    not_required: ("warning", "rules", "main of octo/app does not require the check signalbox"),
    forgeable_check: ("warning", "rules", "takes the required checks lint from anybody"),
    classic_protection: ("warning", "rules", "who may pass the classic protection of main of octo/app cannot be read"),
    on_the_list: ("problem", "rules", "this App may pass the rules of main of octo/app"),
    administration_not_accepted: ("warning", "rules", "the rules of octo/app cannot be read"),
    damaged: ("problem", "database", "signalbox.db"),
    newer: ("problem", "database", "written by a newer Signalbox"),
    another_database: ("problem", "database", "DATABASE_URL must name an SQLite file"),
    open_file: ("warning", "database", "others may open signalbox.db"),
    no_directory: ("problem", "data", "is no directory"),
    kernel_s_directory: ("problem", "data", "DATA_DIR /proc/signalbox is no directory and cannot be made"),
    taken_port: ("problem", "network", "cannot listen there: Address already in use"),
    failed_delivery: ("problem", "deliveries", "1 failed, the newest g-1"),
    stuck_delivery: ("warning", "deliveries", "1 waits, the oldest for 60 min"),
    overdue_merge: ("problem", "merges", "octo/app#2: GitHub never said whether it merged"),
    lost_effect: (
        "warning",
        "effects",
        "1 given up, because GitHub never said whether it was done: a reaction at octo/app (no answer)",
    ),
    refused_effects: (
        "warning",
        "effects",
        f"5 refused by GitHub: {'; '.join(['a reply at octo/app#1 (Forbidden: 403)'] * 3)} and 2 more",
    ),
    unread_file: (
        "warning",
        "policy",
        "octo/lib: .github/signalbox.yml could not be read: answer 500. Which rules are in force is not known.",
    ),
    bug: ("problem", "faults", "the publisher met a fault of this program at octo/app#1"),
    shut_out: ("warning", "frozen", "octo/app#1: the installation of Signalbox is suspended here"),
    changed_history: ("problem", "history", "octo/app#1: what is stored is not what was written"),
    edited_line: ("warning", "publishing", "octo/app#1: somebody edited the hidden line of a comment of ours"),
    repository_is_gone: ("warning", "publishing", "octo/app#1: not shown on GitHub as it is, the longest for 19 min"),
    late_sweep: ("warning", "sweep", "octo/app: last swept more than 20 min ago"),
}
SECRETS = (SECRET, "older-secret", "what-github-has", "pass-canary", "metrics-canary", "hush-hush", "PRIVATE KEY-----")


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.__name__)
async def test_what_is_broken_is_named_with_why_it_matters_and_what_to_do(site: Site, broken: Break) -> None:
    mark, area, what = BROKEN[broken]
    await broken(site)

    found = await site.examined()
    said = await site.prints(found)

    these = [one for one in found if (one.mark, one.area) == (mark, area) and what in one.what]
    assert len(these) == 1, found
    named = these[0]
    assert named.why
    assert named.do
    if broken is overdue_merge:  # LIFECYCLE.md 3.1: its base is free
        assert named.why == "its record waits until somebody has looked; other merges into that base go on."
    shown = {"problem": "✘", "warning": "!"}[mark]
    assert (
        f"{shown} {area:<14}{named.what}\n{' ' * 16}Why it matters: {named.why}\n{' ' * 16}Do: {named.do}\n"
        in said.stdout
    )
    assert said.exit_code == (1 if any(one.mark == "problem" for one in found) else 0)
    assert mark == "warning" or said.exit_code == 1
    assert not any(secret in said.stdout for secret in SECRETS)


async def test_what_stands_still_is_named_with_what_ends_it_and_who_can(site: Site) -> None:
    """GitHub shows a version that the database does not know."""
    town = site.town
    (issue,) = town.repo.threads.values()
    status = next(one for one in issue.comments if "signalbox:status" in one.body)
    version = (await town.api(f"/lifecycles/octo/app/{issue.number}"))["version"]
    status.body = status.body.replace(f":v{version}:", f":v{version + 9}:")
    await town.later(minutes=12, stride=120)
    site.keeps()

    found = [one for one in await site.examined() if one.area == "frozen"]

    assert [(one.mark, one.what) for one in found] == [
        ("problem", "octo/app#1: the database is older than what GitHub shows")
    ]
    assert found[0].do.startswith(
        "an operator puts the newest database back; or, if that is lost, comments /signalbox replan"
    )


async def test_what_a_bug_stopped_is_told_with_when_it_is_tried_again(site: Site) -> None:
    await bug(site)

    (named,) = [one for one in await site.examined() if one.area == "faults"]

    again = site.town.world.clock.now() + timedelta(minutes=1)
    assert named.why == f"that is left alone until {until(again)}, then it is tried again; everything else goes on."


async def test_rules_of_a_repository_whose_file_nobody_has_read_are_not_called_built_in(site: Site) -> None:
    lib = Repo(installation_id=site.town.world.installation.id, id=77, owner="octo", name="lib")
    await site.town.store.run(lambda tx: tx.repositories.seen(lib))
    site.keeps()

    assert [one.what for one in await site.examined() if one.area == "policy"] == [
        "octo/app strict (built in)",
        "not read yet, for nothing was decided there: octo/lib",
    ]


async def test_from_when_a_merge_can_be_settled_counts_the_time_in_which_its_request_may_still_leave(
    site: Site,
) -> None:
    site.given = {"SETTLE_WINDOW_SECONDS": "300", "MERGE_TIMEOUT_SECONDS": "110"}

    (line,) = [one.what for one in await site.examined() if one.area == "intervals"]

    assert line == "4 workers, sweep every 5 min, a merge can be settled as unmerged 7 min after it was asked for"


async def test_for_programs_there_is_json_with_the_same_exit(site: Site) -> None:
    await suspended(site)
    found = await site.examined()

    said = await site.prints(found, "--json")

    assert said.exit_code == 1
    rows = json.loads(said.stdout)
    assert [set(row) for row in rows] == [{"mark", "area", "what", "why", "do"}] * len(found)
    assert [row["area"] for row in rows if row["mark"] == "problem"] == ["installations"]


async def test_doctor_changes_nothing_and_takes_no_lock(site: Site) -> None:
    before = site.database.read_bytes()

    await site.examined()

    assert site.database.read_bytes() == before
    assert not site.database.with_name("signalbox.db.lock").exists()


async def test_a_directory_that_the_first_start_makes_is_no_problem_on_any_line(site: Site) -> None:
    site.given = {"DATA_DIR": str(site.folder / "new" / "data")}

    found = [one for one in await site.examined() if one.area in {"data", "database"}]

    assert [(one.mark, one.area) for one in found] == [("ok", "data"), ("ok", "database")]
    assert all(one.what.endswith("is made at the first start") for one in found)


async def test_before_anything_was_told_doctor_does_not_say_that_webhooks_arrive(site: Site) -> None:
    with closing(writing(str(site.database))) as kept:
        kept.execute("DELETE FROM deliveries")
        kept.execute("DELETE FROM records")

    said = [(one.mark, one.what) for one in await site.examined() if one.area == "deliveries"]

    assert said == [("ok", "none has arrived here yet; the first one shows that GitHub reaches this server")]


async def test_who_has_the_address_is_told_as_it_is(site: Site) -> None:
    await taken_port(site)
    site.database.with_name("signalbox.db.lock").write_text(f"{os.getpid()}\n")
    beside = [one.what for one in await site.examined() if one.area == "network"]
    site.given = {}
    site.database.with_name("signalbox.db.lock").unlink()
    alone = [one.what for one in await site.examined() if one.area == "network"]

    assert beside[0].startswith("the server listens on 127.0.0.1, port ")
    assert alone == ["signalbox serve will listen on 127.0.0.1, port any that is free"]


async def test_a_process_that_has_the_database_and_does_not_serve_here_is_named(site: Site) -> None:
    """serve with these settings is refused, and doctor found all well."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        site.given = {"PORT": str(free.getsockname()[1])}
    site.database.with_name("signalbox.db.lock").write_text(f"{os.getpid()}\n")

    (line,) = [one for one in await site.examined() if one.area == "network"]

    assert (line.mark, line.why) == ("warning", "while it runs, signalbox serve refuses to start with these settings.")
    assert f"process {os.getpid()} has the database open" in line.what


async def test_who_writes_the_database_is_named(site: Site) -> None:
    lock = site.database.with_name("signalbox.db.lock")
    lock.write_text(f"{os.getpid()}\n")

    (line,) = [one.what for one in await site.examined() if one.area == "database" and "integrity" in one.what]

    assert (
        line
        == f"sqlite, schema {(newest := len(VERSIONS))} of {newest}, WAL, written by process {os.getpid()}, integrity ok"
    )


async def test_where_the_secrets_come_from_is_told(site: Site) -> None:
    key = site.folder / "key.pem"
    key.write_text(site.town.private_key)
    key.chmod(0o600)
    (site.folder / ".env").write_text(f"WEBHOOK_SECRET={SECRET}\n")
    (site.folder / ".env").chmod(0o600)
    site.given = {"PRIVATE_KEY": None, "PRIVATE_KEY_PATH": str(key), "WEBHOOK_SECRET": None}

    (line,) = [one.what for one in await site.examined() if one.area == "settings"]

    assert line == f"APP_ID {site.town.world.app.id}, key read from {key}, webhook secret from .env"
