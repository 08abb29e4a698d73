"""The pages in a real browser: both themes, phone and desk, with and without the script, and nobody kept out."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.kit import fetch_axe
from tests.kit.absent import absent
from tests.web.pages import browser
from tests.web.pages.stories import Stories

STORIES = ("testing", "plan_rejected", "done", "ambiguous", "blocked", "red", "hostile", "withdrawn")
LISTS = ("/", "/?view=done", "/?q=nothing", "/merges")
WIDTHS = (320, 390, 1280)
AT_LEAST = """selector => [...document.querySelectorAll(selector)].filter(each => each.offsetParent)
    .map(each => ({ what: each.textContent.trim() || each.id, height: each.getBoundingClientRect().height }))"""
Open = Callable[..., browser.Visitor]


@pytest.fixture(scope="session")
def address(stories: Stories, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with browser.serving(stories, tmp_path_factory.mktemp("site")) as place:
        yield place


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    if not browser.CHROMIUM.exists():
        absent(
            f"no {browser.CHROMIUM}: sudo apt-get install chromium fonts-dejavu-core, and the pages are looked at too"
        )
    with browser.chromium() as started:
        yield started


@pytest.fixture
def opens(chromium: Browser, address: str, stories: Stories) -> Iterator[Open]:
    """Opens windows. Keywords are those of a browser context: color_scheme, viewport, java_script_enabled."""
    contexts = []

    def opened(**options: Any) -> browser.Visitor:
        contexts.append(chromium.new_context(**{"viewport": {"width": 1280, "height": 900}} | options))
        return browser.Visitor(contexts[-1], address, stories.now)

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def axe() -> str:
    problem = fetch_axe.fetch()
    if problem:
        absent(f"axe-core was not fetched ({problem}): sudo apt-get install npm, and the pages are looked at with it")
    return fetch_axe.TARGET.read_text()


def paths(stories: Stories) -> list[str]:
    return [*LISTS, *(stories.path(story) for story in STORIES)]


def findings(page: Page, axe: str) -> list[str]:
    page.evaluate(axe)
    found = page.evaluate("axe.run({ resultTypes: ['violations'] })")["violations"]  # and no list of what is right
    return [f"{each['id']} ({each['impact']}): {[node['html'][:120] for node in each['nodes']]}" for each in found]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_scrolls_sideways_and_the_console_stays_silent(opens: Open, stories: Stories, scheme: str) -> None:
    visitor = opens(color_scheme=scheme)
    browser.SCREENS.mkdir(parents=True, exist_ok=True)

    for path in paths(stories):
        page = visitor.visits(path)
        for width in WIDTHS:
            assert visitor.overhang(width) == 0, f"{path} at {width} px"
            name = path.strip("/").replace("/", "-").replace("?", "") or "list"
            page.screenshot(path=browser.SCREENS / f"{name}-{scheme}-{width}.png", full_page=True)

    assert visitor.said == []


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 1280), ("light", 390), ("dark", 390)])
def test_axe_finds_nothing(opens: Open, stories: Stories, axe: str, scheme: str, width: int) -> None:
    visitor = opens(color_scheme=scheme, viewport={"width": width, "height": 900})

    for path in [*paths(stories), f"{stories.path('done')}?show=all"]:
        page = visitor.visits(path)
        page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
        assert findings(page, axe) == [], path


def test_everything_is_there_without_the_script(opens: Open, stories: Stories) -> None:
    visitor = opens(java_script_enabled=False)
    page = visitor.visits("/")

    page.get_by_label("Filter by title").fill("signing")
    page.get_by_role("button", name="Filter").click()
    assert page.url.startswith(f"{visitor.address}/?q=signing")
    page.get_by_role("link", name="Rotate the upload signing key").click()
    assert page.url == f"{visitor.address}{stories.path('blocked')}"
    assert page.get_by_text("Which key store holds the old signing key?").is_visible()
    assert page.locator(".cmd code").first.inner_text() == "/answer"
    assert page.get_by_role("button").count() == 0


def test_an_address_of_a_folded_fact_opens_the_fold_without_the_script(opens: Open, stories: Stories) -> None:
    page = opens(java_script_enabled=False).visits(f"{stories.path('testing')}#plan-r1")
    folded = page.locator("#history details li").first
    name = folded.get_attribute("id")

    assert page.locator("#plan-r1").is_visible()
    assert not folded.is_visible()
    page.goto(f"{page.url.split('#')[0]}#{name}")
    assert folded.is_visible()


def test_an_address_of_a_fact_moves_focus_to_it(opens: Open, stories: Stories) -> None:
    visitor = opens()

    for fact in ("v2", "plan-r1..r2", "plan-r2", "why", "effects"):
        page = visitor.visits(f"{stories.path('testing')}#{fact}")
        assert page.evaluate("document.activeElement.id") == fact
        assert page.locator(f"[id='{fact}']").is_visible()
        page.goto("about:blank")


def test_a_command_is_copied_and_that_is_announced(opens: Open, stories: Stories) -> None:
    visitor = opens(permissions=["clipboard-read", "clipboard-write"])
    page = visitor.visits(stories.path("testing"))
    command = page.locator("#why .cmd").first

    command.get_by_role("button").click()

    page.get_by_role("status").filter(has_text="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == command.locator("code").inner_text()
    assert visitor.said == []


def test_keys_filter_move_open_and_can_be_turned_off(opens: Open) -> None:
    page = opens().visits("/")

    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "q"
    page.keyboard.type("jk/?")
    assert page.locator("#q").input_value() == "jk/?"
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.keyboard.press("j")
    second = page.locator("[data-row] .what a").nth(1).inner_text()
    assert page.evaluate("document.activeElement.textContent") == second
    page.keyboard.press("?")
    assert page.get_by_role("dialog", name="Shortcuts").is_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    page.wait_for_url("**/lifecycles/**")
    page.get_by_role("button", name="Shortcuts: on").click()
    page.reload()
    page.keyboard.press("g")
    page.keyboard.press("l")
    assert "/lifecycles/" in page.url
    page.get_by_role("button", name="Shortcuts: off").click()
    page.get_by_role("heading", level=1).click()
    page.keyboard.press("g")
    page.keyboard.press("l")
    page.wait_for_url("**/")


def test_a_chosen_theme_stays_and_is_there_before_the_script(opens: Open) -> None:
    page = opens(color_scheme="light").visits("/")
    colour = "getComputedStyle(document.documentElement).backgroundColor"
    light = page.evaluate(colour)

    page.get_by_role("button", name="Theme: system").click()
    dark = page.evaluate(colour)
    page.reload()

    assert dark != light
    assert page.evaluate(colour) == dark
    assert page.locator("html").get_attribute("data-theme") == "dark"
    page.get_by_role("button", name="Theme: dark").click()
    page.get_by_role("button", name="Theme: light").click()
    page.reload()
    assert page.locator("html").get_attribute("data-theme") is None


def test_a_time_tells_all_of_itself_to_whoever_cannot_hover(opens: Open) -> None:
    page = opens(has_touch=True).visits("/")
    time = page.locator("td time").first
    before, whole = time.inner_text(), time.get_attribute("title")

    time.tap()
    assert time.inner_text() == whole
    time.tap()
    assert time.inner_text() == before


def test_nothing_moves_while_a_page_loads(opens: Open, stories: Stories) -> None:
    visitor = opens()
    shifts = """new Promise(done => new PerformanceObserver(list =>
        done(list.getEntries().reduce((sum, each) => sum + each.value, 0))).observe({ type: "layout-shift", buffered: true })
        || setTimeout(() => done(0), 300))"""

    for path in paths(stories):
        assert visitor.visits(path).evaluate(shifts) < 0.01, path


def test_targets_are_large_enough_for_a_thumb(opens: Open, stories: Stories) -> None:
    visitor = opens(viewport={"width": 390, "height": 844}, has_touch=True)
    controls = ".btn, .cmd button, select, input[type=search], .tabs a, .top nav a, .switches button"

    for path in ("/", stories.path("testing")):
        page = visitor.visits(path)
        assert [each for each in page.evaluate(AT_LEAST, controls) if each["height"] < 44] == []
        assert [each for each in page.evaluate(AT_LEAST, "summary, .jump a, .chip") if each["height"] < 24] == []


def test_twice_the_text_size_still_fits(opens: Open, stories: Stories) -> None:
    visitor = opens(viewport={"width": 640, "height": 900})

    for path in ("/", stories.path("testing"), stories.path("blocked")):
        visitor.visits(path).evaluate("document.documentElement.style.setProperty('font-size', '200%')")
        assert visitor.overhang(640) == 0, path
