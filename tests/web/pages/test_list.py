"""The list of lifecycles: who is awaited, views, filters, pages of it, and what an empty one says."""

import pytest

from bot.domain.model.merge import Merge
from bot.settings import Settings
from tests.kit.records import in_testing
from tests.web.kit import House, house, record
from tests.web.pages.conftest import Site
from tests.web.pages.reading import Node, read

pytestmark = pytest.mark.anyio
LOCAL = {"host": "localhost:3000", "accept": "text/html"}


async def shown(home: House, path: str = "/") -> Node:
    answer = await home.http.get(path, headers=LOCAL)
    assert answer.status_code == 200
    return read(answer.text)


def titles(page: Node) -> list[str]:
    return [cell.one("a").text for cell in page.all("td", class_="what")]


@pytest.fixture
def empty(settings: Settings) -> House:
    return house(settings)


async def test_what_has_stopped_comes_first_then_what_waits_longest(site: Site) -> None:
    page = await site.page("/")

    assert titles(page)[:3] == [
        "Drop support for Python 3.10",
        "Rotate the upload signing key",
        "Retry uploads after a network drop",
    ]
    assert "Cap request bodies at 25 MiB" not in titles(page)
    assert "Sort the menu" in titles(await site.page("/?view=done"))


async def test_a_row_says_who_is_awaited_with_the_words_of_the_comment(site: Site) -> None:
    page = await site.page("/")

    row = next(row for row in page.all("tr") if "Retry uploads" in row.text)
    assert row.one("td", class_="why").text == "A reviewer and an operator Checks are green."
    assert row.one("td", class_="c-phase").text == "testing"
    lamps = row.one("span", class_="lamps").attributes["aria-label"]
    assert lamps == "plan done, checks done, review waiting, operator waiting"
    assert row.one("td", class_="what").one("a").attributes["href"] == site.stories.path("testing")
    assert row.one("time").attributes["title"].endswith("UTC")


def row_of(page: Node, title: str) -> Node:
    return next(row for row in page.all("tr") if title in row.text)


@pytest.mark.parametrize(
    ("title", "why"),
    [
        (
            "Rotate the upload",
            "An operator to answer one question Which key store holds the old signing key?, asked by lin",
        ),
        ("Cache permission", "A builder to submit plan r2 Plan r1 was rejected by grace (reason)"),
        ("Sign release", "A reviewer Plan r1 by lin"),
        ("Faster list", "A builder to submit a plan"),
    ],
)
async def test_a_row_says_what_it_is_about(site: Site, title: str, why: str) -> None:
    assert row_of(await site.page("/"), title).one("td", class_="why").text == why


async def test_what_is_done_shows_what_it_was_merged_with(site: Site) -> None:
    """All four lamps of everything that was done were grey."""
    page = await site.page("/?view=done")

    merged, withdrawn = row_of(page, "Cap request bodies"), row_of(page, "Sort the menu")
    lamps = [row.one("span", class_="lamps").attributes["aria-label"] for row in (merged, withdrawn)]
    assert lamps == [
        "plan done, checks done, review done, operator done",
        "plan later, checks later, review later, operator later",
    ]
    assert merged.one("td", class_="why").text.startswith("Nothing is awaited Merged as ")


async def test_what_a_merge_outside_had_not_is_shown_as_missing(empty: House) -> None:
    outside = Merge(state="merged", external=True, missing=("human gate (testing)",))
    await empty.has(in_testing(version=1, phase="done", merge=outside))

    lamps = (await shown(empty, "/?view=done")).one("span", class_="lamps").attributes["aria-label"]

    assert lamps == "plan done, checks done, review failed, operator failed"


async def test_views_show_what_is_blocked_and_what_is_over(site: Site) -> None:
    blocked, done = await site.page("/?view=blocked"), await site.page("/?view=done")

    assert titles(blocked) == ["Rotate the upload signing key"]
    assert sorted(titles(done)) == ["Cap request bodies at 25 MiB", "Sort the menu"]
    tabs = blocked.one("nav", class_="tabs").all("a")
    assert [tab.text for tab in tabs] == ["Open 8", "Blocked 1", "Done 2"]
    assert [tab.attributes.get("aria-current") for tab in tabs] == [None, "true", None]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("q=signing+KEY", ["Rotate the upload signing key"]),
        ("q=%231&repository=octo/lib", ["Drop support for Python 3.10"]),
        ("q=lin&phase=plan_ready", ["Sign release archives"]),
        ("phase=testing", ["Retry uploads after a network drop"]),
        ("waiting_on=reviewers&repository=Octo/App", ["Retry uploads after a network drop"]),
        ("phase=nonsense&waiting_on=nobody&cursor=%21&view=all&colour=red&q=archives", ["Sign release archives"]),
    ],
)
async def test_filters_are_the_address_and_unknown_ones_are_ignored(
    site: Site, query: str, expected: list[str]
) -> None:
    assert titles(await site.page(f"/?{query}")) == expected


async def test_a_commit_finds_its_lifecycle(site: Site) -> None:
    head = site.stories.stage.record("octo/app", site.stories.numbers.testing).head
    assert head is not None

    assert titles(await site.page(f"/?q={head[:7].upper()}")) == ["Retry uploads after a network drop"]
    assert titles(await site.page(f"/?q={head}")) == ["Retry uploads after a network drop"]


async def test_the_form_keeps_what_was_asked_for(site: Site) -> None:
    page = await site.page("/?view=blocked&q=key&repository=octo/app&phase=blocked&waiting_on=operators")

    form = page.one("form", role="search")
    assert form.attributes["method"] == "get"
    assert form.one("input", type="hidden").attributes["value"] == "blocked"
    assert form.id("q").attributes["value"] == "key"
    chosen = [
        option.text
        for select in form.all("select")
        for option in select.all("option")
        if "selected" in option.attributes
    ]
    assert chosen == ["octo/app", "blocked", "operators"]
    assert [label.attributes["for"] for label in form.all("label")] == ["q", "repository", "phase", "waiting_on"]


async def test_when_nothing_matches_each_filter_can_be_taken_away(site: Site) -> None:
    page = await site.page("/?q=nothing+like+it&phase=testing")

    empty = page.one("div", class_="empty")
    assert [part.text.split(" \N{MULTIPLICATION SIGN}")[0] for part in empty.all("a")] == [
        "“nothing like it”",
        "testing",
        "Clear",
    ]
    assert empty.all("p")[0].text == "Nothing matches"
    assert [link.attributes["href"] for link in empty.all("a")] == [
        "/?phase=testing",
        "/?q=nothing+like+it",
        "/",
    ]


async def test_an_empty_bot_says_how_to_begin(empty: House) -> None:
    page = await shown(empty)

    assert page.one("div", class_="empty").text == "No lifecycles yet. Add the label signalbox to an issue."


async def test_a_view_without_anything_leads_to_the_others(empty: House) -> None:
    await empty.has(record(phase="done"))

    assert (await shown(empty)).one("div", class_="empty").text == "Nothing is open. Done"
    assert (await shown(empty, "/?view=blocked")).one("div", class_="empty").text == "Nothing is blocked. Open"


async def test_a_long_list_comes_in_pages_that_repeat_and_skip_nothing(empty: House) -> None:
    await empty.has(*(record(issue) for issue in range(1, 121)))

    seen: list[str] = []
    path = "/?repository=octo%2Fapp"
    while path:
        page = await shown(empty, path)
        seen += titles(page)
        path = next((link.attributes["href"] for link in page.all("a", rel="next")), "")
        assert path == "" or "repository=octo%2Fapp" in path

    assert sorted(seen) == sorted(f"Work {issue}" for issue in range(1, 121))
    assert "50 of 120 open" in (await shown(empty)).one("p", class_="foot").text


async def test_a_token_sees_only_its_repositories_and_hears_of_no_others(empty: House) -> None:
    await empty.has(record(), record(5, "octo/lib"))
    token = await empty.token("forge-1", "octo/lib")

    answer = await empty.http.get("/", headers={"authorization": f"Bearer {token}"})

    assert answer.status_code == 200
    page = read(answer.text)
    assert titles(page) == ["Work 5"]
    assert page.one("span", class_="name").text == "forge-1"
    assert "octo/app" not in answer.text
    assert page.one("nav", class_="tabs").all("a")[0].text == "Open 1"


async def test_the_phase_done_is_looked_for_where_it_is(site: Site) -> None:
    """/?phase=done said "Nothing matches" beside a chosen tab Open, while one was done."""
    page = await site.page("/?phase=done")

    assert titles(page) == ["Cap request bodies at 25 MiB"]
    tabs = page.one("nav", class_="tabs").all("a")
    assert [tab.attributes.get("aria-current") for tab in tabs] == [None, None, "true"]
    assert titles(await site.page(tabs[0].attributes["href"])) == []
    assert page.one("form", role="search").all("input", type="hidden") == []
