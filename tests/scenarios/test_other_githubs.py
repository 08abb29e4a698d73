"""The same whole path on an Enterprise server, and with each version of GitHub's REST API that is supported."""

import re
from pathlib import Path

import pytest

from tests.kit.change import begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("version", ["2022-11-28", "2026-03-10"])
async def test_an_issue_goes_to_a_confirmed_merge_whichever_version_github_speaks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    monkeypatch.chdir(tmp_path)
    town = Town(tmp_path, api_version=version)
    change = await begun(town, "almost")

    await change.merges()

    assert (change.phase, town.merges()) == ("done", ["c1 by signalbox[bot]"])
    await town.closes()


async def test_on_an_enterprise_server_everything_is_asked_below_its_address_and_links_lead_to_its_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    town = Town(tmp_path, api_url="https://git.example.com/api/v3")
    change = await begun(town, "almost")

    await change.merges()

    assert (change.phase, town.merges()) == ("done", ["c1 by signalbox[bot]"])
    assert town.road.bases == {"https://git.example.com/api/v3", "https://git.example.com/api/graphql"}
    said = [one.body for thread in (change.issue, change.pull) for one in thread.comments if one.app is town.world.app]
    made = {link for text in said for link in re.findall(r"\]\((https://[^)]*)\)", text) if "#issuecomment" not in link}
    assert {link.split("/")[2] for link in made} == {
        "git.example.com",
        "signalbox.example",
    }  # comments say where they are
    await town.closes()
