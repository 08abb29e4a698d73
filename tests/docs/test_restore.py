"""Backup and restore as operations describes them, word for word, on a database that GitHub knows more than."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.docs.clone import Terminal
from tests.docs.pages import Block, blocks
from tests.kit.change import begun
from tests.kit.town import Town
from tests.rules.kit import ROOT

pytestmark = pytest.mark.anyio
PAGE = "docs/operations.md"


@pytest.fixture
def town(tmp_path: Path) -> Town:
    return Town(tmp_path)


def typed(folder: Path, *texts: str) -> str:
    """In DATA_DIR, where `signalbox` is the one of this clone."""
    terminal = Terminal(folder)
    terminal.types(f"export PYTHONPATH={ROOT} DATA_DIR={folder} PATH={Path(sys.executable).parent}{os.pathsep}$PATH")
    try:
        said = [terminal.types(text) for text in texts]
    finally:
        terminal.leaves()
    assert [code for code, _ in said] == [0] * len(said), said
    return "".join(printed for _, printed in said)


def noted(note: str) -> list[Block]:
    return [block for block in blocks(PAGE) if block.note == note]


def is_shown(line: str, printed: str) -> bool:
    return any(line in each for each in printed.splitlines())


async def test_a_backup_is_taken_and_restored_as_written_and_what_it_does_not_know_is_decided_anew(
    town: Town, tmp_path: Path
) -> None:
    here = str(tmp_path / "signalbox.db")
    town.opens(here)
    change = await begun(town, "building")
    (backup,), restore, (frozen,) = noted("backup"), noted("restore"), noted("frozen")

    typed(tmp_path, backup.text)  # while it runs
    await change.on_issue("grace", "/revoke")
    await town.later(seconds=10)
    await town.store.close()
    printed = typed(tmp_path, *(block.text for block in restore))

    (promised,) = [block for block in blocks(PAGE) if "Nothing was left behind" in block.text]
    assert [line for line in promised.text.splitlines() if not is_shown(line, printed)] == []
    assert (tmp_path / "signalbox-backup.db").stat().st_mode & 0o077 == 0

    town.opens(here)
    await town.later(minutes=11, stride=60)  # two sweeps
    explained = typed(tmp_path, f"signalbox lifecycles explain octo/app#{change.issue.number}")
    assert [line for line in frozen.text.splitlines() if not is_shown(line, explained)] == []
    assert any("`/replan` and why" in notice for notice in change.notices())

    await change.on_issue("omar", "/replan The copy is old.")
    await town.later(minutes=11, stride=60)
    record = await change.record()
    assert (record["frozen"], record["phase"]) == (None, "planning")
    assert [decision for decision in record["decisions"] if decision["counts"]] == []
    change.notices()


async def test_the_newest_database_put_back_goes_on_by_itself_though_its_process_had_crashed(
    town: Town, tmp_path: Path
) -> None:
    living, here = tmp_path / "living", tmp_path / "here"
    living.mkdir()
    town.opens(str(living / "signalbox.db"))
    change = await begun(town, "building")
    typed(living, noted("backup")[0].text)
    await change.on_issue("grace", "/revoke")
    await town.later(seconds=10)
    shutil.copytree(living, here)  # as a crash leaves it: what was acknowledged last is in the log beside the file
    assert (here / "signalbox.db-wal").stat().st_size > 0
    await town.store.close()
    typed(here, *(block.text for block in noted("restore")))
    town.opens(str(here / "signalbox.db"))
    await town.later(minutes=11, stride=60)
    assert (await change.record())["frozen"] == "database_behind"
    change.notices()
    await town.store.close()

    typed(here, noted("putback")[0].text)
    town.opens(str(here / "signalbox.db"))
    await town.later(minutes=11, stride=60)

    assert ((await change.record())["frozen"], change.phase) == (None, "plan_ready")
    change.notices()
