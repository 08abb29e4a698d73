"""One story that touches everything GitHub has a shape for."""

from dataclasses import dataclass
from typing import Any

from bot.simulator.model.checks import CheckRun
from bot.simulator.model.repositories import Repository, Required
from bot.simulator.model.threads import Comment, Pull, Review, Thread
from bot.simulator.world import World


@dataclass
class Story:
    world: World
    repo: Repository
    issue: Thread
    pull: Pull
    fork_pull: Pull
    comment: Comment
    review: Review
    line: Comment
    run: CheckRun
    uuid: str = ""
    spare: Pull | None = None

    @property
    def at(self) -> dict[str, Any]:
        return {"owner": self.repo.owner.login, "repo": self.repo.name}


def told(world: World, repo: Repository) -> Story:
    """Ada and Grace work; CI and our App report; a fork takes part."""
    issue = world.opens_issue("ada", repo, "Greet people", "please", labels=["signalbox"])
    comment = world.comments("grace", issue, "/plan say hello")
    world.comments(world.bot, issue, "Noted.")
    world.reacts("ada", comment, "+1")
    pull = world.opens_pull("grace", repo, "Say hello", head="signalbox/1-hello", body="Closes #1")
    world.pushes("grace", pull, files={".github/signalbox.yml": "version: 1\n", "README.md": None})
    world.forks("omar", repo)
    fork_pull = world.opens_pull("omar", repo, "From a fork", head="omar:topic", draft=True)
    line = world.comments_on_line("ada", pull, "why?")
    review = world.reviews("ada", pull, "APPROVED", "fine")
    world.requests_review("grace", pull, ["lin"])
    run = world.check_run(world.app, pull, "signalbox", "completed", "action_required", title="t", summary="s")
    world.check_run("actions", pull, "build")
    world.status("grace", pull, "lint", "success", "https://ci.example.com")
    world.requires(repo, "build", app=world.another_app("actions"))
    world.ruleset(repo, reviews=1, methods=("squash",), bypass="never")
    world.ruleset(repo, branch="queued", merge_queue=True)
    world.protects(repo, required=(Required("lint"),), reviews=1, strict=True)
    world.stacks(fork_pull)
    return Story(world, repo, issue, pull, fork_pull, comment, review, line, run)
