"""`signalbox demo` as a real process: what people see of it, and how it ends."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from html import unescape
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urljoin

import httpx
import pytest

from bot.bootstrap.demo.github import SimulatedGitHub
from bot.bootstrap.demo.watch import Disappointed, Watch
from bot.bootstrap.doctor.run import Around, examine
from bot.store.inline import InlineStore

ROOT = Path(__file__).parents[2]
#: Settings of another bot on the same machine: the demo must not touch what they name.
FOREIGN = {"DATABASE_URL": "postgresql://db.example/bot", "PUBLIC_URL": "https://bot.example", "WEBHOOK_PATH": "/hooks"}


@contextmanager
def demo(folder: Path, *options: str, **more: str) -> Iterator["subprocess.Popen[str]"]:
    """A running demo whose temporary files go to `folder`; whatever is left of it at the end is killed."""
    environment: Mapping[str, str] = {**os.environ, "TMPDIR": str(folder), "PYTHONPATH": str(ROOT), **more}
    process = subprocess.Popen(
        [sys.executable, "-m", "bot", "demo", *options],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("once")


@pytest.fixture(scope="module")
def once(folder: Path) -> "subprocess.CompletedProcess[str]":
    with demo(folder, "--once", DATA_DIR=str(folder / "data"), **FOREIGN) as process:
        out, err = process.communicate(timeout=100)
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


def test_it_ends_by_itself_with_a_confirmed_merge(once: "subprocess.CompletedProcess[str]") -> None:
    assert (once.returncode, once.stderr) == (0, "")
    assert re.search(r"Confirmed: [0-9a-f]{7} is merged into main as [0-9a-f]{7}, once\.", once.stdout)
    assert re.search(r"status +done · merged as", once.stdout)


def test_it_shows_a_blocked_prompt_that_a_maintainer_answers(once: "subprocess.CompletedProcess[str]") -> None:
    story = once.stdout.partition("/block Is it safe to send an upload twice?")[2].partition("opens a pull request")[0]

    blocked, _, answered = story.partition("/answer Yes: the server drops what it has already.")
    assert "Waiting for an operator to answer one question." in blocked
    assert re.search(r"label +signalbox/blocked", blocked)
    assert "signalbox/building" not in answered.partition("/resume building")[0]
    assert re.search(r"label +signalbox/building", answered.partition("/resume building")[2])


def test_it_shows_a_stale_approval_refused(once: "subprocess.CompletedProcess[str]") -> None:
    assert "The head moved before it arrived." in once.stdout
    assert "The approval was for a head that is gone: refused, nothing was stored." in once.stdout


def test_it_shows_a_merge_that_nobody_knows_of_and_that_settles_itself(
    once: "subprocess.CompletedProcess[str]",
) -> None:
    history = once.stdout.partition("The merge, as the history has it:")[2]

    assert re.search(r"merge_answered +it is not known whether GitHub merged it", history)
    assert re.search(r"merge_confirmed +merged and confirmed from both sides", history)


def test_without_a_terminal_nothing_is_coloured_or_wrapped(once: "subprocess.CompletedProcess[str]") -> None:
    assert "\x1b" not in once.stdout
    assert max(len(line) for line in once.stdout.splitlines()) > 100


def test_it_leaves_nothing_behind(once: "subprocess.CompletedProcess[str]", folder: Path) -> None:
    assert once.returncode == 0
    assert list(folder.iterdir()) == []


def up(process: "subprocess.Popen[str]") -> list[str]:
    """What it has printed once both servers are up, and stay up."""
    assert process.stdout is not None
    lines: list[str] = []
    while not lines or "curl" not in lines[-1]:
        lines.append(process.stdout.readline())
        assert lines[-1], f"it ended: {lines[-5:]}"
    return lines


def named(lines: list[str], name: str) -> str:
    """The address or path behind a name."""
    (found,) = [line.split()[1] for line in lines if line.startswith(f"    {name} ")]
    return found


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    """What a demo has printed that stays up after its story, and ends in order by Ctrl-C."""
    folder = tmp_path_factory.mktemp("standing")
    with demo(folder) as process:
        yield up(process)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (0, "")
    assert list(folder.iterdir()) == []


def test_it_stays_up_with_lines_for_another_terminal_that_work(standing: list[str]) -> None:
    typed = subprocess.run(["bash", "-c", "".join(standing[-2:])], capture_output=True, text=True, check=True)
    told = subprocess.run(
        ["bash", "-c", f"{standing[-2]}{sys.executable} -m bot lifecycles explain octo/app#1"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    ready = httpx.get(named(standing, "Health"), timeout=30)
    mode = (Path(named(standing, "Data")) / "env").stat().st_mode & 0o777

    record = json.loads(typed.stdout)
    assert typed.stdout.count("\n") > 10, "people read it"
    assert (record["phase"], record["merge"]["state"], ready.status_code) == ("done", "merged", 200)
    assert told.stdout.startswith("Merged as ")
    assert mode == 0o600, "it holds a token"


def test_doctor_says_in_that_shell_what_is_true_of_the_demo(
    standing: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It found no App there, a port that nobody listens on, and the windows of another installation."""
    monkeypatch.chdir(tmp_path)
    for line in (Path(named(standing, "Data")) / "env").read_text().splitlines():
        name, _, value = line.removeprefix("export ").partition("=")
        if name != "PATH":
            monkeypatch.setenv(name, value)
    found = asyncio.run(examine(Around()))

    said = {one.area: one.what for one in found}
    assert [one for one in found if one.mark == "problem"] == []
    assert {one.area for one in found if one.mark == "warning"} <= {"rules", "clock"}, "its check is not required there"
    assert said["settings"].startswith("APP_ID ")
    assert said["network"].startswith("the server listens on 127.0.0.1, port ")
    assert said["intervals"].endswith("a merge can be settled as unmerged 80 s after it was asked for")
    assert said["github"].startswith("takes the key")


def test_every_link_of_the_comments_and_the_page_leads_to_something_that_is_there(standing: list[str]) -> None:
    github, page = named(standing, "GitHub"), named(standing, "Page")
    links = {f"{github}/octo/app/pull/2/files", f"{github}/octo/app/compare/main...signalbox/1-retry"}
    with httpx.Client(headers={"accept": "text/html"}, timeout=30) as client:
        for address in (github, page, f"{github}/octo/app/pull/2", f"{github}/octo/app/issues/1"):
            found = re.findall(r'href="([^"]+)', client.get(address).raise_for_status().text)
            links |= {urljoin(address, unescape(link)) for link in found if not link.startswith("data:")}
        answers = {link: client.get(link) for link in links}

    assert [link for link in links if not link.startswith((github, page.partition("/lifecycles")[0]))] == []
    assert [part for part in ("/commit/", "#issuecomment-") if not any(part in link for link in links)] == []
    assert {link: answer.status_code for link, answer in answers.items() if answer.status_code != 200} == {}
    facts = {link: link.partition("#")[2] for link in links if "#" in link}
    assert [link for link, fact in facts.items() if f'id="{fact}"' not in answers[link].text] == []


def test_both_sides_name_one_time(standing: list[str]) -> None:
    """GitHub's times and ours stood half a minute apart."""
    with httpx.Client(headers={"accept": "text/html"}, timeout=30) as client:
        thread = client.get(f"{named(standing, 'GitHub')}/octo/app/pull/2").text
        page = client.get(f"{named(standing, 'Page')}?show=all").text
    stamps = [re.findall(r'<time datetime="([^"]+)"', html) for html in (thread, page)]
    over_there, here = ([datetime.fromisoformat(stamp) for stamp in each] for each in stamps)
    merged = max(over_there)
    assert min(abs(merged - each) for each in here) < timedelta(seconds=5)
    assert timedelta(seconds=-25) < datetime.now(UTC) - max(here) < timedelta(minutes=2)


class Sitting(NamedTuple):
    """What somebody was answered who sat at one demo, first with a browser and then at a terminal."""

    browser: dict[str, httpx.Response]
    terminal: dict[str, str]


@pytest.fixture(scope="module")
def sitting(tmp_path_factory: pytest.TempPathFactory) -> Sitting:
    folder = tmp_path_factory.mktemp("sitting")
    with demo(folder, "--hands-on", "--data", "mine") as process:
        github = named(up(process), "GitHub")
        with httpx.Client(base_url=github, headers={"accept": "text/html"}, timeout=30) as client:
            browsed = browses(client)
        with httpx.Client(base_url=github, timeout=30) as client:
            typed = types(client)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
    assert (folder / "mine" / "signalbox.db").exists(), "the data stays"
    return Sitting(browsed, typed)


def browses(client: httpx.Client) -> dict[str, httpx.Response]:
    seen = {"empty": client.get("/")}
    seen["opened"] = client.post("/octo/app/issues", data={"as": "ada", "title": "<b>Retry</b>"})
    labelled = client.post(seen["opened"].headers["location"], data={"as": "ada", "label": "signalbox"})
    seen["thread"] = client.get(labelled.headers["location"])
    seen["nobody"] = client.post("/octo/app/issues/1", data={"as": "mallory", "comment": "/cancel mine"})
    seen["nothing"] = client.post("/octo/app/issues/1", data={"as": "ada"})
    seen["missing"] = client.get("/octo/app/issues/9")
    return seen


def types(client: httpx.Client) -> dict[str, str]:
    def posts(path: str, who: str, **fields: str) -> str:
        return client.post(f"/octo/app/{path}", data={"as": who, **fields}).text

    posts("pulls", "ada", title="R", branch="signalbox/1-r", closes="1")
    posts("pull/2", "grace", comment="/block Which key?")
    seen = {"help": posts("pull/2", "omar", comment="/help")}
    seen["passed"] = client.post("/", data={"minutes": "1"}).text
    posts("issues", "ada", title="Later")
    seen["without a record"] = posts("issues/3", "ada", comment="/signalbox gate")
    seen["cancelled"] = posts("issues/1", "ada", comment="/cancel not now")
    posts("issues/1", "ada", unlabel="signalbox")
    seen["labelled"] = posts("issues/1", "ada", label="signalbox")
    seen["closed"] = posts("issues/1", "ada", state="closed")
    seen["reopened"] = posts("issues/1", "ada", state="open")
    seen["policy"] = client.post("/octo/app", data={"as": "omar", "policy": "version: 1\npreset: solo\n"}).text
    seen["twice"] = client.post("/octo/app", content="as=omar&policy=1&policy=2").text
    return seen


def test_hands_on_nothing_has_happened_and_forms_of_a_browser_lead_back_to_the_thread(sitting: Sitting) -> None:
    seen = sitting.browser

    assert "Nobody has opened an issue yet." in seen["empty"].text
    assert (seen["opened"].status_code, seen["opened"].headers["location"]) == (303, "/octo/app/issues/1")
    assert "signalbox/planning" in seen["thread"].text
    assert "Waiting for <strong>a builder</strong> to submit a plan." in seen["thread"].text
    assert "&lt;b&gt;Retry&lt;/b&gt;" in seen["thread"].text
    assert (seen["nobody"].status_code, seen["nobody"].text) == (
        422,
        "as says who you are here: ada (write), grace (write), omar (maintain), lin (read).\n",
    )
    assert seen["nothing"].status_code == 422
    assert seen["missing"].status_code == 404


def test_what_happens_to_github_itself_tells_of_each_line_which_thread_it_is_about(sitting: Sitting) -> None:
    """With two issues nobody knew whose status it was."""
    passed = sitting.terminal["passed"].splitlines()

    assert passed[0] == ("github    1 minute has passed, so doctor finds the clock of this machine behind for a while.")
    assert any(line.startswith("status    #1 blocked in planning") for line in passed)


def test_an_answer_is_printed_as_a_whole_and_a_notice_says_how_much_more_it_has(sitting: Sitting) -> None:
    """Three lines of a reply and two of a notice were printed, and nothing said that there were more."""
    assert sitting.terminal["help"].count("reply ") > 3
    assert re.search(r"^notice +#1 … \(\d+ more lines in the thread\)$", sitting.terminal["passed"], re.MULTILINE)


def test_an_answer_is_printed_with_what_it_answers_also_where_there_is_no_record(sitting: Sitting) -> None:
    """It came with the next act: nothing waited for it."""
    assert "This issue has no record." in sitting.terminal["without a record"]


def test_what_was_withdrawn_is_revived_by_the_label_and_by_reopening(sitting: Sitting) -> None:
    acts = ("cancelled", "labelled", "closed", "reopened")
    status = [re.search(r"^status +(withdrawn|blocked)", sitting.terminal[act], re.MULTILINE) for act in acts]

    assert [found and found[1] for found in status] == ["withdrawn", "blocked", "withdrawn", "blocked"]


def test_a_policy_file_can_be_written_and_is_read(sitting: Sitting) -> None:
    assert sitting.terminal["policy"].startswith("policy    .github/signalbox.yml is written on main by ")
    assert sitting.terminal["twice"] == "Each field can be sent once.\n"


def test_a_directory_that_holds_something_is_not_begun_in(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    with demo(tmp_path, "--data", "mine") as process:
        _, err = process.communicate(timeout=60)

    assert process.returncode == 1
    assert "mine is not empty" in err
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["thesis.txt"]


def test_a_story_and_none_cannot_be_had_together(tmp_path: Path) -> None:
    with demo(tmp_path, "--once", "--hands-on") as process:
        _, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert "--once ends after a story" in err


def test_ctrl_c_in_the_middle_says_that_nothing_was_confirmed(tmp_path: Path) -> None:
    with demo(tmp_path) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)

    assert (process.returncode, err) == (1, "")
    assert out.splitlines()[-1] == "Stopped before the merge was confirmed."
    assert list(tmp_path.iterdir()) == []


@pytest.mark.anyio
async def test_a_worker_that_crashes_ends_the_story() -> None:
    github = SimulatedGitHub("secret")
    watch = Watch(github, InlineStore(":memory:", github.world.clock), ["publisher-0 crashed: a bug"])

    with pytest.raises(Disappointed, match="publisher-0 crashed: a bug"):
        await watch.until("anything", lambda _record: True)
