"""The processes of a soak: started, stopped and killed by their numbers, with what they log and how much memory they take."""

import asyncio
import json
import os
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.kit.processes import PATIENCE, ROOT

KIBIBYTES = 1024
#: Lines of one log line at most; a process that logs more in one is broken.
LONGEST_LINE = 1 << 20


@dataclass
class Member:
    """One process. `lines` counts events of its log by level; `errors` are its error lines, whole."""

    number: int
    process: asyncio.subprocess.Process
    reader: asyncio.Task[None] | None = None
    url: str = ""
    started: asyncio.Event = field(default_factory=asyncio.Event)
    events: Counter[str] = field(default_factory=Counter)
    errors: list[dict[str, Any]] = field(default_factory=list)

    @property
    def memory(self) -> int:
        """Resident bytes now."""
        pages = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    async def reads(self) -> None:
        assert self.process.stderr is not None
        async for raw in self.process.stderr:
            text = raw.decode()
            line = json.loads(text) if text.startswith("{") else {"level": "error", "event": "no log line", "msg": text}
            self.events[line["event"]] += 1
            if line["level"] == "error":
                self.errors.append(line)
            if line["event"] == "server_started":
                self.url = f"http://127.0.0.1:{line['port']}"
                self.started.set()


class Fleet:
    """`members` by number: who is there now. `gone`: who was."""

    def __init__(self, folder: Path, settings: Mapping[str, str]) -> None:
        self._folder = folder
        self._settings = settings
        self.members: dict[int, Member] = {}
        self.gone: list[Member] = []
        self.exits: list[tuple[int, int]] = []

    async def starts(self, number: int) -> Member:
        folder = self._folder / f"bot-{number}"
        folder.mkdir(exist_ok=True)
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "PORT": "0", "LOG_FORMAT": "json", **self._settings}
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot", "serve"),
            cwd=folder,
            env=environment | {"DATA_DIR": str(folder)},
            stderr=asyncio.subprocess.PIPE,
            limit=LONGEST_LINE,
        )
        member = Member(number, process)
        member.reader = asyncio.create_task(member.reads())
        self.members[number] = member
        await asyncio.wait_for(member.started.wait(), PATIENCE)
        return member

    async def stops(self, number: int, *, kill: bool) -> None:
        """SIGTERM and its clean end, or SIGKILL."""
        member = self.members.pop(number)
        (member.process.kill if kill else member.process.terminate)()
        code = await asyncio.wait_for(member.process.wait(), PATIENCE)
        if not kill:
            self.exits.append((number, code))
        assert member.reader is not None
        await member.reader
        self.gone.append(member)

    async def ends(self) -> None:
        for number in list(self.members):
            await self.stops(number, kill=False)

    @property
    def everybody(self) -> list[Member]:
        return [*self.gone, *self.members.values()]
