"""`signalbox demo`: both servers up, the story played, the end checked; then it stays up for whoever wants to look."""

import asyncio
import signal
import sys
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx

from bot.bootstrap.demo.screen import Narrator
from bot.bootstrap.demo.stage import LOG, Stage, up
from bot.bootstrap.demo.story import REPOSITORY, Story
from bot.bootstrap.demo.watch import Disappointed

LAST_LINES = 20
UNKNOWN = "it is not known whether GitHub merged it"


class Interrupted(Exception):
    """Somebody pressed Ctrl-C before the end of the story."""


async def run(*, once: bool) -> int:
    """0 after a confirmed merge, else 1."""
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    narrator = Narrator(hurried=once)
    with TemporaryDirectory(prefix="signalbox-demo-") as directory:
        try:
            async with AsyncExitStack() as stack:
                stage = await up(stack, Path(directory))
                record = await _unless(stopped, _play(stage, narrator))
                if not once:
                    _invite(stage, narrator, record)
                    await stopped.wait()
        except Interrupted:
            narrator.say("\nStopped before the merge was confirmed.")
            return 1
        except Disappointed as why:
            narrator.say(f"\nThe demo went wrong: {why}", "bold red")
            log = (Path(directory) / LOG).read_text(encoding="utf-8")
            sys.stderr.write("".join(log.splitlines(keepends=True)[-LAST_LINES:]))
            return 1
    return 0


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
    path = f"/api/v1/lifecycles/{REPOSITORY}/{story.issue.number}"
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


def _invite(stage: Stage, narrator: Narrator, path: str) -> None:
    narrator.say("\nBoth stay up. Ctrl-C ends them and removes their data.")
    for name, what in (
        ("Page", f"{stage.bot_url}{path.removeprefix('/api/v1')}"),
        ("API", f"{stage.bot_url}/api/v1/openapi.json"),
        ("Health", f"{stage.bot_url}/readyz"),
        ("GitHub", f"{stage.github_url} (simulated)"),
        ("Token", f"{stage.token} (role admin)"),
    ):
        narrator.say(f"    {name:<8} {what}")
    narrator.say(f"\n    curl -H 'Authorization: Bearer {stage.token}' {stage.bot_url}{path}")
