"""Policy files in a town: written to the default branch or proposed, and what is said of them."""

from bot.domain.model.policy_file import PATH
from bot.simulator.model.checks import CheckRun
from bot.simulator.model.repositories import Repository
from tests.kit.town import Town

TWO_REVIEWS = "version: 1\ngates:\n  submit: {reviews: 2, operators: 1}\n"
LEAN = "version: 1\npreset: lean\n"
SOLO = "version: 1\npreset: solo\n"
BROKEN = "version: 1\npreset: lean\ngates:\n  submit: {reviews: none}\n"


async def lays_down(town: Town, text: str | None, *, repo: Repository | None = None, heard: bool = True) -> str:
    """omar pushes the file to the default branch, or takes it away (None); the commit."""
    commit = town.world.pushes("omar", repo or town.repo, "main", files={PATH: text})
    if heard:
        await town.settles()
    return commit


def policy_runs(town: Town, commit: str) -> list[CheckRun]:
    return [one for one in town.repo.runs if one.head == commit and one.name == "signalbox policy"]


def policy_check(town: Town, commit: str) -> str:
    """The one check run about the file on a commit: "failure · not used: 1 error"."""
    (run,) = policy_runs(town, commit)
    return f"{run.conclusion} · {run.title}"


def annotations(town: Town, commit: str) -> list[str]:
    (run,) = policy_runs(town, commit)
    return [f"{one['annotation_level']} line {one['start_line']}: {one['message']}" for one in run.annotations]
