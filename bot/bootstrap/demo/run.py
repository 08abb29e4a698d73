"""`signalbox demo`: both servers up, the story played, the end checked; then it stays up for whoever wants to look. With
`hands_on` there is no story: whoever sits there acts."""

import asyncio
import shlex
import signal
import sys
from collections.abc import Coroutine, Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx

from bot.bootstrap.demo.screen import Narrator
from bot.bootstrap.demo.stage import ENVIRONMENT, LOG, Stage, up
from bot.bootstrap.demo.story import MEMBERS, REPOSITORY, Story
from bot.bootstrap.demo.watch import Disappointed
from bot.cli.operations import Refused

LAST_LINES = 20
LIST = "/api/v1/lifecycles"
UNKNOWN = "it is not known whether GitHub merged it"


class Interrupted(Exception):
    """Somebody pressed Ctrl-C before the end of the story."""


async def run(*, once: bool, hands_on: bool, data: Path | None) -> int:
    """0 after a confirmed merge, or when nobody wanted one; else 1. `data` None = gone at the end. Raises Refused."""
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    narrator = Narrator(hurried=once)
    with _directory(data) as directory:
        try:
            async with AsyncExitStack() as stack:
                stage = await up(stack, directory)
                path = await _begun(stage, narrator) if hands_on else await _unless(stopped, _play(stage, narrator))
                if not once:
                    _invite(stage, narrator, path, kept=data is not None)
                    await stopped.wait()
        except Interrupted:
            narrator.say("\nStopped before the merge was confirmed.")
            return 1
        except Disappointed as why:
            narrator.say(f"\nThe demo went wrong: {why}", "bold red")
            log = (directory / LOG).read_text(encoding="utf-8")
            sys.stderr.write("".join(log.splitlines(keepends=True)[-LAST_LINES:]))
            return 1
    return 0


@contextmanager
def _directory(data: Path | None) -> Iterator[Path]:
    if data is None:
        with TemporaryDirectory(prefix="signalbox-demo-") as made:
            yield Path(made)
        return
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        filled = any(data.iterdir())
    except OSError as failed:
        raise Refused(f"{data} is no directory and cannot be made: {failed.strerror}.") from None
    if filled:
        raise Refused(f"{data} is not empty. A demo begins from nothing: name another directory, or remove this one.")
    yield data.resolve()


async def _begun(stage: Stage, narrator: Narrator) -> str:
    """A repository and its people, and nothing else. Returns the path of the list in the API."""
    stage.github.world.repository(REPOSITORY, members=MEMBERS)
    narrator.say(
        "Signalbox and a simulated GitHub are up on this machine, and nothing has happened yet. You are everybody:"
    )
    narrator.say(
        "ada builds, grace reviews, omar opens the human gates, lin may only read. docs/tutorial.md is a walk through it."
    )
    return LIST


async def _unless(stopped: asyncio.Event, work: Coroutine[Any, Any, str]) -> str:
    """What `work` returns. Raises Interrupted when told to stop first."""
    working, stopping = asyncio.create_task(work), asyncio.create_task(stopped.wait())
    await asyncio.wait((working, stopping), return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    if not working.done():
        working.cancel()
        await asyncio.wait((working,))
        raise Interrupted
    return working.result()


async def _play(stage: Stage, narrator: Narrator) -> str:
    """The story, and then its end as the API tells it. Returns the record's path in the API."""
    narrator.say("Signalbox and a simulated GitHub talk HTTP on this machine. People here: ada builds, grace reviews,")
    narrator.say("omar opens the human gates. Nothing leaves this machine.")
    story = Story(stage.github.world, stage.watch, narrator)
    await story.play()
    path = f"{LIST}/{REPOSITORY}/{story.issue.number}"
    headers = {"Authorization": f"Bearer {stage.token}"}
    async with httpx.AsyncClient(base_url=stage.bot_url, headers=headers, trust_env=False) as client:
        record = (await client.get(path)).raise_for_status().json()
        history = (await client.get(f"{path}/history")).raise_for_status().json()["items"]
    _check(stage, record, history)
    asked = next(number for number, row in enumerate(history) if row["signal"] == "merge_requested")
    narrator.say("\nThe merge, as the history has it:")
    for row in history[asked:]:
        narrator.say(f"    version {row['version']:<3} {row['signal']:<17} {row['detail'] or ''}")
    sha, head = record["merge"]["sha"][:7], record["merge"]["head"][:7]
    narrator.say(f"\nConfirmed: {head} is merged into {record['base']} as {sha}, once.", "bold green")
    return path


def _check(stage: Stage, record: dict[str, Any], history: list[dict[str, Any]]) -> None:
    """Both sides agree on what happened. Raises Disappointed."""
    world = stage.github.world
    landed = [(landing.head, landing.sha) for landing in world.landed]
    asked = [request for request in world.requests if request.operation in {"merge", "merge_async"}]
    if record["phase"] != "done" or landed != [(record["merge"]["head"], record["merge"]["sha"])]:
        raise Disappointed(f"GitHub merged {landed}, the record says {record['merge']}")
    if len(asked) != 1 or not any(UNKNOWN in (row["detail"] or "") for row in history):
        raise Disappointed(f"GitHub was asked {len(asked)} times to merge, and its answer should have been lost once")
    if world.findings:
        raise Disappointed(f"the simulated GitHub did not understand: {world.findings}")


def _invite(stage: Stage, narrator: Narrator, path: str, *, kept: bool) -> None:
    page = "/" if path == LIST else path.removeprefix("/api/v1")
    narrator.say("\nBoth stay up. Ctrl-C ends them" + ("; their data stays." if kept else " and removes their data."))
    for name, what in (
        ("Page", f"{stage.bot_url}{page}"),
        ("GitHub", f"{stage.github_url} (simulated)"),
        ("API", f"{stage.bot_url}/api/v1/openapi.json"),
        ("Health", f"{stage.bot_url}/readyz"),
        ("Token", f"{stage.token} (role admin)"),
        ("Data", f"{stage.data} (DATA_DIR; {LOG} is the log)"),
    ):
        narrator.say(f"    {name:<8} {what}")
    narrator.say("\nAnother terminal knows all this, and `signalbox` itself, after")
    narrator.say(f"    . {shlex.quote(str(stage.data / ENVIRONMENT))}")
    narrator.say(f'    curl -s -H "Authorization: Bearer $TOKEN" {stage.bot_url}{path} | python3 -m json.tool')
