"""One lifecycle: the track, why it is not merging, and every address that a comment links to."""

import re

import pytest

from bot.domain.explain.tree import explain
from bot.domain.model.policy import STRICT
from bot.domain.projections.headline import second_line
from bot.domain.projections.show import Show, WebAddress
from tests.web.kit import House, record
from tests.web.pages.conftest import Site
from tests.web.pages.reading import Node, read
from tests.web.pages.stories import Stories
from tests.web.test_api import many_versions

pytestmark = pytest.mark.anyio
STORIES = (
    *("testing", "plan_rejected", "done", "ambiguous", "blocked", "red", "hostile", "plan_ready", "planning"),
    "withdrawn",
)


def stations(page: Node) -> list[tuple[str, str]]:
    return [(item.attributes["class"].split()[0], item.text) for item in page.one("ol", class_="track").all("li")]


def commands(page: Node) -> list[str]:
    return [command.one("code").text for command in page.all("span", class_="cmd")]


def markdown(text: str) -> str:
    """As a reader sees it."""
    return re.sub(r"\[(.*?)\]\(.*?\)", r"\1", text).replace("**", "").replace("`", "").replace("*", "")


async def test_the_track_tells_where_it_is_and_how_long_it_was_anywhere(site: Site) -> None:
    page = await site.lifecycle("testing")

    assert stations(page) == [
        ("past", "planning 1 min, twice"),
        ("past", "plan_ready 2 min, twice"),
        ("past", "building 18 h, twice"),
        ("here", "testing 1 h so far"),
        ("next", "submit review, gate, merge"),
        ("next", "done"),
    ]
    here = page.one("li", class_="here")
    assert here.attributes["aria-current"] == "step"


@pytest.mark.parametrize(
    ("story", "station", "branch"),
    [
        ("blocked", "testing", "blocked"),
        ("plan_rejected", "plan_ready", "plan_rejected"),
        ("withdrawn", "planning", "withdrawn"),
    ],
)
async def test_what_left_the_track_hangs_at_the_station_it_left(
    site: Site, story: str, station: str, branch: str
) -> None:
    here = (await site.lifecycle(story)).one("li", class_="here")

    assert here.one("b").text == station
    assert here.one("span", class_="branch").text == branch


@pytest.mark.parametrize("story", STORIES)
async def test_the_page_answers_why_with_the_words_of_comment_and_check(
    site: Site, stories: Stories, story: str
) -> None:
    page = await site.lifecycle(story)

    repository, number = site.stories.path(story).removeprefix("/lifecycles/").rsplit("/", 1)
    loaded = stories.stage.loaded(repository, int(number))
    explanation = explain(loaded.record, STRICT, loaded.updated_at)
    line = second_line(Show(loaded.record, STRICT, loaded.updated_at, WebAddress("https://x.example")), explanation)
    why = page.id("why")
    assert why.one("p", class_="verdict").text == markdown(line)
    assert markdown(explanation.verdict) in why.text


async def test_each_need_shows_who_can_act_and_the_command_to_copy(site: Site, stories: Stories) -> None:
    head = stories.stage.record("octo/app", stories.numbers.testing).head or ""
    why = (await site.lifecycle("testing")).id("why")

    assert commands(why) == [f"/approve testing {head[:12]}", f"/gate testing {head[:12]}"]
    needs = [need.text for need in why.all("div", class_="need")]
    assert needs[0] == "Plan r2: approved grace"
    assert "Review: 0 of 1" in " ".join(needs)
    assert "A reviewer other than ada" in " ".join(needs)
    assert "Then submit: one review, one human gate, then the merge (squash into main)" in needs
    lamps = [lamp.attributes["aria-label"] for lamp in why.all("span", role="img")]
    assert set(lamps) == {"done", "waiting", "failed", "later"}
    assert [button.attributes["data-copy"] for button in why.all("button")] == commands(why)


async def test_a_blocked_one_shows_the_question_first_and_how_to_go_on(site: Site) -> None:
    why = (await site.lifecycle("blocked")).id("why")

    assert why.one("h2").text == "Why it is blocked"
    assert why.one("blockquote").all("p")[0].text == "Which key store holds the old signing key?"
    assert commands(why) == ["/answer", "/resume testing"]
    assert why.one("a").attributes["href"].startswith("#v")


async def test_an_unknown_outcome_shows_every_fact_and_how_to_settle_it(site: Site) -> None:
    page = await site.lifecycle("ambiguous")

    merge = page.id("merge")
    assert "Can be settled" in merge.text
    assert merge.one("tbody").all("tr")[0].text.endswith("open no")
    assert "/settle merged" in commands(page.id("why"))
    assert "It is not known whether GitHub merged it" in page.id("history").text


async def test_history_shows_decisions_and_folds_machinery_between_them(site: Site) -> None:
    history = (await site.lifecycle("testing")).id("history")

    folds = history.all("details")
    folded = [item.attributes["id"] for fold in folds for item in fold.all("li")]
    rows = {item.attributes["id"]: item.text for item in history.all("li") if "id" in item.attributes}
    assert list(rows) == [f"v{version}" for version in range(len(rows), 0, -1)]
    assert folded
    assert all("open" not in fold.attributes for fold in folds)
    told = " ".join(text for name, text in rows.items() if name not in folded)
    for words in (
        "ada started it: planning",
        "ada submitted plan r1: plan_ready",
        "grace rejected plan r1: plan_rejected",
        "The retry never gives up. Please bound it.",
        "ada revises the plan: planning",
        "grace approved plan r2: building",
        "Checks passed for",
        "back to building",
    ):
        assert words in told
    assert [heading.text for heading in history.all("h3")] == ["Today, 30 November", "Yesterday, 29 November"]


async def test_a_refusal_stands_in_the_history_without_a_version(site: Site) -> None:
    history = (await site.lifecycle("testing")).id("history")

    [refused] = [row for row in history.all("li") if "was refused" in row.text]
    assert "id" not in refused.attributes
    assert refused.one("span", class_="v").text == "no change"


async def test_everything_can_be_shown_unfolded(site: Site) -> None:
    assert (await site.lifecycle("testing", "?show=all")).id("history").all("details") == []


async def test_a_long_history_comes_in_pages_whose_addresses_name_versions(home: House) -> None:
    await home.has(record(phase="planning"))
    await home.store.run(many_versions)

    async def versions(query: str) -> list[int]:
        headers = {"host": "localhost", "accept": "text/html"}
        answer = await home.http.get(f"/lifecycles/octo/app/12{query}", headers=headers)
        rows = read(answer.text).id("history").all("li")
        return [int(row.attributes["id"][1:]) for row in rows]

    first = await versions("")
    assert first == list(range(251, 101, -1))
    assert await versions(f"?before={first[-1]}") == list(range(101, 0, -1))
    assert await versions("?before=junk") == first


async def test_every_revision_and_difference_has_an_address(site: Site) -> None:
    plan = (await site.lifecycle("testing")).id("plan")

    assert plan.id("plan-r2").one("strong").text == "5 times"
    assert plan.id("plan-r1").text.endswith("Keep the upload id, so that no part is sent twice.")
    difference = plan.id("plan-r1..r2")
    assert "- Retry until it works." in [line.text[1:].strip() for line in difference.all("del")]
    assert [link.attributes["href"] for link in plan.one("nav").all("a")] == ["#plan-r1", "#plan-r2", "#plan-r1..r2"]


async def test_decisions_say_whether_they_count_and_why_not(site: Site) -> None:
    rows = (await site.lifecycle("testing")).id("decisions").one("tbody").all("tr")

    shown = [[cell.text for cell in row.all("td")] for row in rows]
    assert [(row[0], row[1].split(" The")[0], row[3]) for row in shown] == [
        ("grace", "rejected in testing", "no: the head was sent back"),
        ("grace", "approved the plan", "yes"),
        ("grace", "rejected the plan", "no: the plan was rejected"),
    ]
    assert [row.attributes.get("class") for row in rows] == ["void", None, "void"]


async def test_what_judgement_is_bound_to_stands_beside_it(site: Site, stories: Stories) -> None:
    record = stories.stage.record("octo/app", stories.numbers.testing)
    side = (await site.lifecycle("testing")).one("aside")
    facts = side.text

    assert (record.head or "")[:20] in facts
    assert f"Epoch {record.head_epoch} " in facts
    assert f"Version {record.version} " in facts
    assert "Review cycles 1 of 3" in facts
    assert {each.text for each in side.all("abbr")} >= {"Epoch", "Round"}, "words of ours are explained"


async def test_effects_and_what_stands_on_github_are_listed(site: Site) -> None:
    page = await site.lifecycle("done")

    assert page.id("effects").one("tbody").all("tr")
    assert "Status comment issue up to date" in page.one("aside").text
    assert [link.text for link in page.one("nav", aria_label="On GitHub").all("a")] == ["Issue #4", "Pull request #5"]


async def test_merges_under_way_have_the_address_that_comments_name(site: Site, stories: Stories) -> None:
    reservation = stories.stage.record("octo/lib", stories.numbers.ambiguous).merge.id
    assert reservation is not None

    section = (await site.page("/merges")).id(reservation)

    assert section.one("h2").text.startswith("It is not known whether GitHub merged")
    assert commands(section) == ["/settle merged", "/settle unmerged"]
    assert [each.text for each in section.all("span", class_="then")] == ["SHA", "WHY"]


async def test_no_merge_under_way_is_said(home: House) -> None:
    answer = await home.http.get("/merges", headers={"host": "127.0.0.1:1", "accept": "text/html"})

    assert "No merge is under way." in read(answer.text).one("main").text


@pytest.mark.parametrize("story", STORIES)
async def test_links_within_a_page_lead_somewhere_on_it(site: Site, story: str) -> None:
    page = await site.lifecycle(story)

    names = {node.attributes["id"] for node in page.all() if "id" in node.attributes}
    within = {link.attributes["href"][1:] for link in page.all("a") if link.attributes["href"].startswith("#")}
    assert within - names == set()
    assert {"why", "history", "plan", "decisions", "effects"} <= names


@pytest.mark.parametrize("story", STORIES)
async def test_a_page_has_one_heading_landmarks_and_a_skip_link(site: Site, story: str) -> None:
    page = await site.lifecycle(story)

    assert page.one("html").attributes["lang"] == "en"
    assert len(page.all("h1")) == len(page.all("main")) == len(page.all("footer")) == 1
    assert page.all("a")[0].attributes == {"class": "skip", "href": "#main"}
    assert all(head.attributes["scope"] == "col" for head in page.all("th") if "scope" in head.attributes)
    names = [node.attributes["id"] for node in page.all() if "id" in node.attributes]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("name", ["octo/app/999", "octo/none/1", "octo/app/99999999999999999999"])
async def test_what_is_not_there_and_what_may_not_be_seen_look_the_same(site: Site, name: str) -> None:
    token = await site.home.token(f"narrow-{abs(hash(name))}", "octo/other")

    missing = await site.get(f"/lifecycles/{name}")
    hidden = await site.get(site.stories.path("testing"), authorization=f"Bearer {token}")
    nowhere = await site.get("/no/such/page")

    assert {answer.status_code for answer in (missing, hidden, nowhere)} == {404}
    assert missing.text == hidden.text == nowhere.text
    assert "No lifecycle has this address, or you may not see it." in missing.text
