"""What planted defects are tried in is forked before any test has run."""

from typing import Any

import pytest

from tests.rules.mutants.forking import Standing

STANDING = pytest.StashKey[Standing]()


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> None:
    planting = [item for item in session.items if isinstance(item, pytest.Function) and "bench" in item.fixturenames]
    mutants: list[Any] = [item.callspec.params["mutant"] for item in planting]
    if mutants and not session.config.option.collectonly:
        session.config.stash[STANDING] = Standing(session, [mutant.node for mutant in mutants])


def pytest_sessionfinish(session: pytest.Session) -> None:
    if STANDING in session.config.stash:
        session.config.stash[STANDING].ends()
