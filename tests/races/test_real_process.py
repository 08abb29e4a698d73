"""kill -9 on the real process, over real sockets, all along the golden path: started again, it ends in the same place."""

import asyncio
import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import jsonpatch
import pytest

from bot.bootstrap.reading import reading
from tests.kit.github_process import SECRET
from tests.kit.processes import PATIENCE, ROOT, BotProcess, GitHubProcess

ISSUE, PULL = 1, 2
#: Windows that are minutes elsewhere. A killed request for the merge belongs to its sender for MERGE_TIMEOUT and 10 s.
SHORT = {
    "CHECKS_SETTLE_SECONDS": "0.2",
    "MERGE_RETRY_SECONDS": "0.5",
    "MERGE_TIMEOUT_SECONDS": "1",
    "WRITE_INTERVAL_SECONDS": "0",
}
DERIVED = {"gates", "last_refusal", "updated_at"}


class Moment(NamedTuple):
    """When to die: `arm` before something is begun, `come` returns when it is time."""

    arm: Callable[["Play"], object]
    come: Callable[["Play"], object]


def while_asking(method: str, path: str) -> Moment:
    """The request has arrived at GitHub and is never carried out."""
    return _held(method, path, carried_out=False)


def before_the_answer_to(method: str, path: str) -> Moment:
    """GitHub has carried the request out, and its answer finds nobody."""
    return _held(method, path, carried_out=True)


def _held(method: str, path: str, *, carried_out: bool) -> Moment:
    return Moment(
        lambda play: play.github.tells("holds", method=method, path=path, carried_out=carried_out),
        lambda play: play.github.tells("waits_for_the_held_request"),
    )


def after_the_write(**fields: str) -> Moment:
    """A version of the record is stored; the log line says which."""
    return Moment(lambda _play: None, lambda play: play.bot.until(event="record_changed", **fields))


#: The webhooks are acknowledged, and the bot had no time for them.
ACKNOWLEDGED = Moment(lambda _play: None, lambda play: play.github.tells("waits_for_webhooks"))
#: The bot is not there when the webhooks come.
AWAY = Moment(lambda play: play.bot.kill(), lambda play: play.github.tells("waits_for_webhooks"))


class Play:
    """One issue, driven by people on GitHub, while the bot dies and is started again."""

    github: GitHubProcess
    bot: BotProcess

    def __init__(self, github: GitHubProcess, folder: Path, **settings: str) -> None:
        self.github = github
        self.folder = folder
        self.deaths = 0
        app = {"APP_ID": str(github.app_id), "PRIVATE_KEY": github.key, "WEBHOOK_SECRET": SECRET}
        self.settings = {**app, **SHORT, "GITHUB_API_URL": github.url, **settings}
        self.starts()

    def starts(self) -> None:
        """And an operator has GitHub deliver again what nobody took."""
        self.bot = BotProcess(self.folder, self.settings)
        self.github.tells("points_webhooks_to", url=f"{self.bot.url}/api/github/webhooks")
        self.github.tells("redelivers")

    def dies(self) -> None:
        self.bot.kill()
        self.deaths += 1
        self.github.tells("lets_go")

    def does(self, act: Callable[[], object], moments: Sequence[Moment]) -> None:
        """Begin something, and die at each of these moments on the way."""
        steps = [act, *[self.starts] * (len(moments) - 1)]
        for moment, step in zip(moments, steps, strict=False):
            moment.arm(self)
            step()
            moment.come(self)
            self.dies()
        if moments:
            self.starts()
        else:
            act()

    def plays(self, moments: Mapping[str, Sequence[Moment]]) -> None:
        for name, (act, number, shown) in zip(ACTS, self.acts(), strict=True):
            self.does(act, moments.get(name, ()))
            self.github.tells("waits_for_status", number=number, texts=shown)

    def acts(self) -> Iterator[tuple[Callable[[], object], int, list[str]]]:
        """Each act, and what people then see on which thread."""
        tells = self.github.tells
        yield lambda: tells("labels"), ISSUE, ["**planning**"]
        yield lambda: self.says("ada", ISSUE, "/plan\nTry three times."), ISSUE, ["**plan_ready**"]
        yield lambda: self.says("grace", ISSUE, "/approve r1"), ISSUE, ["**building**"]
        yield lambda: tells("opens_pull"), PULL, ["**testing**"]
        yield lambda: tells("reports_green", number=PULL), PULL, ["Checks are green"]
        yield lambda: self.says("grace", PULL, "/approve testing {head}"), PULL, ["✅ Review"]
        yield lambda: self.says("omar", PULL, "/gate testing {head}"), PULL, ["**submit**"]
        yield lambda: self.says("grace", PULL, "/approve submit {head}"), PULL, ["**submit**", "✅ Review"]
        yield lambda: self.says("omar", PULL, "/gate submit {head}"), PULL, ["**done**"]

    def says(self, who: str, number: int, text: str) -> None:
        self.github.tells("says", who=who, number=number, text=text)

    def asks(self, path: str) -> Any:
        url = f"{self.bot.url}/api/v1/lifecycles/octo/app/{ISSUE}{path}"
        return httpx.get(url, headers=self.headers, timeout=PATIENCE, trust_env=False).raise_for_status().json()

    def signs_in(self) -> None:
        words = ["token", "create", "--name", "reader", "--role", "admin"]
        made = subprocess.run(
            [sys.executable, "-m", "bot", *words],
            cwd=self.folder,
            env={"PYTHONPATH": str(ROOT), "DATA_DIR": str(self.folder)},
            capture_output=True,
            text=True,
            check=True,
            timeout=PATIENCE,
        )
        self.headers = {"Authorization": f"Bearer {made.stdout.strip()}"}


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Play]:
    github = GitHubProcess()
    try:
        play = Play(github, tmp_path)
        yield play
        play.bot.kill()
    finally:
        github.ends()


#: What people do on the golden path, in order.
ACTS = ("label", "plan", "plan approved", "pull request", "checks", "review", "gate", "review 2", "gate 2")
#: The request for the merge dies with its sender: nobody knows of it, and reading settles it.
UNKNOWN: Mapping[str, Sequence[Moment]] = {
    "label": [ACKNOWLEDGED],
    "plan": [while_asking("GET", "/collaborators/ada/permission")],
    "checks": [AWAY],
    "gate": [after_the_write(phase="submit")],
    "gate 2": [after_the_write(merge="reserved"), before_the_answer_to("PUT", "/merge-async")],
}
#: The request for the merge is answered, and the process dies while GitHub works on it and before the end is confirmed.
ANSWERED: Mapping[str, Sequence[Moment]] = {
    "label": [before_the_answer_to("POST", f"/issues/{ISSUE}/comments")],
    "plan approved": [after_the_write(phase="building")],
    "pull request": [before_the_answer_to("POST", "/check-runs")],
    "review": [ACKNOWLEDGED],
    "review 2": [while_asking("GET", "/collaborators/grace/permission")],
    "gate 2": [
        before_the_answer_to("PATCH", r"/check-runs/\d+"),
        after_the_write(signal="merge_answered"),
        after_the_write(merge="confirming"),
    ],
}


@pytest.mark.timeout(240)  # a dozen starts of a process, on a machine that does other things as well
@pytest.mark.parametrize("moments", [UNKNOWN, ANSWERED], ids=["unknown", "answered"])
def test_a_bot_killed_on_the_way_merges_once_and_loses_nothing(
    play: Play, moments: Mapping[str, Sequence[Moment]]
) -> None:
    play.plays(moments)
    assert play.deaths == sum(len(each) for each in moments.values())

    play.signs_in()
    record = play.asks("")
    replayed = sound_history(play.asks("/history")["items"])
    seen = everything_delivered(play)

    assert (record["phase"], record["merge"]["state"], record["merge"]["external"]) == ("done", "merged", False)
    assert replayed == stored_part(record)
    assert seen["landed"] == [record["merge"]["head"]]
    assert [body["sha"] for body in seen["merge requests"]] == seen["landed"]
    for number in (ISSUE, PULL):
        assert no_doubles(seen["comments"][str(number)])
        assert seen["labels"][str(number)][-1:] == ["signalbox/done"]
    assert seen["findings"] == []
    assert play.bot.stop() == 0
    assert kept_deliveries(play.folder) == seen["webhooks"]


def test_between_them_the_plays_die_at_each_step_of_the_golden_path() -> None:
    assert UNKNOWN.keys() | ANSWERED.keys() == set(ACTS)
    assert sum(len(each) for play in (UNKNOWN, ANSWERED) for each in play.values()) >= len(ACTS) + 5


def sound_history(items: list[dict[str, Any]]) -> dict[str, Any]:
    """Checked as anybody could with the API's answer alone. Returns what replaying the patches gives."""
    previous = "0" * 64
    document: dict[str, Any] = {}
    for version, item in enumerate(items, start=1):
        covered = {name: value for name, value in item.items() if name != "digest"}
        canonical = json.dumps(covered, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        assert (item["version"], item["previous_digest"]) == (version, previous)
        assert hashlib.sha256(canonical.encode()).hexdigest() == item["digest"]
        previous, document = item["digest"], jsonpatch.apply_patch(document, item["patch"])
    return document


def stored_part(record: dict[str, Any]) -> dict[str, Any]:
    """Without what the API derives."""
    stored = {name: value for name, value in record.items() if name not in DERIVED}
    derived = {"counts", "void_because"}
    plain = [{name: value for name, value in each.items() if name not in derived} for each in record["decisions"]]
    return stored | {"decisions": plain}


def everything_delivered(play: Play) -> dict[str, Any]:
    """What GitHub shows, once it has no failed delivery left."""
    while play.github.tells("redelivers"):
        play.github.tells("waits_for_webhooks")
    seen: dict[str, Any] = play.github.tells("sees")
    return seen


def no_doubles(bodies: list[str]) -> bool:
    """Each of our comments has a marker of its own."""
    markers = [re.findall(r"<!-- signalbox:.* -->", body) for body in bodies]
    return len(markers) == len({tuple(each) for each in markers}) and all(markers)


def kept_deliveries(folder: Path) -> list[str]:
    """The GUIDs in the database, none of them failed."""

    async def look() -> list[str]:
        async with reading(f"sqlite:///{folder / 'signalbox.db'}") as read:
            rows = await read(lambda tx: tx.deliveries.list(None, 1000, None))
        assert [row.detail for row in rows if row.state == "failed"] == []
        return sorted(row.guid for row in rows)

    return asyncio.run(look())
