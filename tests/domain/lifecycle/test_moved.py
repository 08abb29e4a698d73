"""The same repository, reached through another installation."""

from bot.domain.lifecycle.results import Ignore
from bot.domain.model.sightings import InstallationChanged
from tests.kit.cases import actor, advanced, events, judge
from tests.kit.records import in_testing


def news(*, listed: bool) -> InstallationChanged:
    who = actor("ada")
    return InstallationChanged(
        key="i", actor=who, installation_id=78, state="present", repositories=(1,), listed=listed
    )


def test_only_github_s_own_list_moves_a_record_to_another_installation() -> None:
    assert isinstance(judge(in_testing(frozen="suspended"), news(listed=False)), Ignore)


def test_a_record_is_moved_by_a_version_of_its_own_and_then_thaws() -> None:
    result = judge(in_testing(frozen="suspended"), news(listed=True))
    assert events(result)[0] == "installation_moved"
    assert (advanced(result).installation_id, advanced(result).frozen) == (78, None)


def test_one_that_was_not_frozen_is_moved_as_well() -> None:
    result = judge(in_testing(), news(listed=True))
    assert (events(result), advanced(result).installation_id) == (["installation_moved"], 78)
