"""What the log is told: each version, each refusal and each write to GitHub, by numbers and names of things only."""

import pytest

from bot.app.telling import ToldForge
from bot.domain.model.effects import CreateComment
from bot.domain.model.ids import Repo
from bot.ports.failures import Forbidden
from bot.simulator.forge import SimulatedForge
from tests.kit.stage import Stage, run


def lines(stage: Stage, event: str) -> list[dict[str, object]]:
    return [fields for level, said, fields in stage.log.lines if said == event and level == "info"]


def started() -> Stage:
    stage = Stage()
    repo = stage.world.repository("octo/app", members={"ada": "write", "lin": "triage"})
    issue = stage.world.opens_issue("ada", repo, "Retry uploads")
    stage.world.labels("ada", issue, "signalbox")
    stage.settles()
    stage.world.comments("ada", issue, "/plan\nSecret words of the plan.")
    stage.settles()
    stage.world.comments("lin", issue, "/approve r1")
    stage.settles()
    return stage


def test_each_version_is_told_with_its_delivery_and_who_caused_it() -> None:
    stage = started()
    ada = stage.world.person("ada")

    told = lines(stage, "record_changed")

    assert [(one["repository"], one["issue"], one["version"], one["phase"]) for one in told][-1] == (
        "octo/app",
        1,
        len(told),
        "plan_ready",
    )
    assert {one["actor"] for one in told} == {f"person:{ada.id}"}
    assert all(one["delivery"] for one in told)


def test_a_refusal_is_told_with_its_code() -> None:
    stage = started()

    (told,) = lines(stage, "signal_refused")

    assert (told["repository"], told["issue"], told["code"]) == ("octo/app", 1, "not_allowed")
    assert told["actor"] == f"person:{stage.world.person('lin').id}"


def test_a_write_is_told_with_what_it_took_and_without_what_it_says() -> None:
    stage = started()
    repository = next(iter(stage.world.repositories.values()))
    repo = Repo(installation_id=stage.world.installation.id, id=repository.id, owner="octo", name="app")

    async def slow(where: str) -> None:
        stage.world.clock.advance(0.21 if where.startswith("before") else 0)

    forge = ToldForge(SimulatedForge(stage.world, slow), stage.log, stage.world.clock)
    run(forge.perform(repo, CreateComment(number=1, body="Secret words.", marker="<!-- m -->")))
    stage.world.fails("create_comment", 403)
    with pytest.raises(Forbidden):
        run(forge.perform(repo, CreateComment(number=1, body="Secret words.", marker="<!-- m -->")))

    (written,), (failed,) = lines(stage, "github_written"), lines(stage, "github_write_failed")
    assert (written["repository"], written["write"], written["took_ms"]) == ("octo/app", "create_comment", 210)
    assert str(failed["why"]).startswith("Forbidden: POST")
    assert "words" not in str(stage.log.lines)
