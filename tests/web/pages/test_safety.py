"""Hostile words stay words, headers are strict, static files may be kept for ever, and strangers see nothing."""

import re

import httpx
import pytest

from bot.settings import AppCredentials, Settings
from bot.store import engine
from bot.web.pages import inline
from bot.web.pages.assets import ASSETS, address
from tests.web.kit import House, SetClock, house, record
from tests.web.pages.conftest import Site
from tests.web.pages.reading import read
from tests.web.pages.stories import HOSTILE

pytestmark = pytest.mark.anyio
PATHS = ("/", "/merges", "/lifecycles/octo/app/8", "/?q=%3Cscript%3Ealert(1)%3C/script%3E&repository=%22%3E%3Cb%3E")
FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via")


@pytest.mark.parametrize("path", PATHS)
async def test_words_of_others_never_become_markup(site: Site, path: str) -> None:
    answer = await site.get(path)

    page = read(answer.text)
    assert [node for node in page.all("script") if "src" not in node.attributes] == []
    assert page.all("img") == page.all("iframe") == page.all("b", id="x") == []
    assert not any(name.startswith("on") or name == "style" for node in page.all() for name in node.attributes)
    assert all(re.match(r"(https?://|/|#)", link.attributes["href"]) for link in page.all("a"))
    assert "\u202e" not in answer.text
    assert "\u200b" not in answer.text
    assert ">49<" not in answer.text


async def test_a_hostile_title_is_shown_as_it_was_written(site: Site) -> None:
    page = await site.lifecycle("hostile")

    assert "@org/team fixes #1 <img src=x onerror=alert(1)> </a><script>alert(2)</script>" in page.one("h1").text
    assert "{{ 7 * 7 }}" in page.one("h1").text


async def test_a_plan_is_rendered_without_images_and_its_links_are_marked(site: Site) -> None:
    plan = (await site.lifecycle("testing")).id("plan-r2")

    assert [node.text for node in plan.all("h3")] == ["Retry uploads"]
    assert plan.all("img") == plan.all("script") == []
    for link in plan.all("a", class_="away"):
        assert link.attributes["rel"] == "noopener noreferrer nofollow ugc"
    assert {link.attributes["href"] for link in plan.all("a", class_="away")} >= {"https://example.org/rfc"}
    assert "<script>alert(3)</script>" in plan.text


@pytest.mark.parametrize(
    "text",
    [
        HOSTILE,
        "[x](javascript:alert(1)) [y](data:text/html,x) [z](//evil.example) <a href='javascript:x'>k</a>",
        "<style>*{display:none}</style><form action=//evil.example><input>",
        "![i](https://evil.example/i.png)\n\n<img src=https://evil.example/i.png>",
        '[q](https://e.example/"onmouseover=alert(1)) ``` <b> ```',
        "| a |\n|:-:|\n| <b>x</b> |\n\n<!-- hidden -->",
    ],
)
def test_rendered_markdown_holds_nothing_but_text_and_links(text: str) -> None:
    for html in (str(inline.plan(text)), str(inline.sentence(text))):
        page = read(html)
        allowed = {
            "a",
            "p",
            "code",
            "pre",
            "strong",
            "em",
            "s",
            "table",
            "thead",
            "tbody",
            "tr",
            "th",
            "td",
            "h3",
            "h5",
        }
        assert {node.tag for node in page.all()} <= allowed
        assert {name for node in page.all() for name in node.attributes} <= {"href", "rel", "class"}
        assert not re.search(r'href="(?!https?://|#|//)', html)


def test_what_cannot_be_seen_in_a_plan_is_shown() -> None:
    assert "a\ufffdb" in str(inline.plan("a\u202eb"))
    assert "\ufffd" in str(inline.plan("tag\U000e0041"))
    assert "👩\u200d🚀" in str(inline.plan("👩\u200d🚀"))


@pytest.mark.parametrize("path", [*PATHS, "/lifecycles/octo/app/999"])
async def test_pages_are_never_stored_framed_or_sniffed_and_run_only_our_script(site: Site, path: str) -> None:
    headers = (await site.get(path)).headers

    policy = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
    assert policy == {
        "default-src": "'none'",
        "style-src": "'self'",
        "script-src": "'self'",
        "connect-src": "'self'",
        "img-src": "'self' data:",
        "form-action": "'self'",
        "base-uri": "'none'",
        "frame-ancestors": "'none'",
    }
    assert headers["cache-control"] == "no-store"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["content-type"] == "text/html; charset=utf-8"


async def test_static_files_may_be_kept_for_ever_under_their_hash(site: Site) -> None:
    page = await site.page("/")

    addresses = [page.one("link", rel="stylesheet").attributes["href"], page.one("script").attributes["src"]]
    assert addresses == [address("signalbox.css"), address("signalbox.js")]
    for path in addresses:
        answer = await site.get(path)
        assert (answer.status_code, answer.headers["cache-control"]) == (200, "public, max-age=31536000, immutable")
        assert answer.headers["x-content-type-options"] == "nosniff"
        stale = await site.get(f"{path}0")
        assert (stale.content, stale.headers["cache-control"]) == (answer.content, "no-cache")


@pytest.mark.parametrize("name", ["signalbox.html", "..%2fassets.py", "%2e%2e/app.py", "", "signalbox.css/"])
async def test_nothing_else_is_static(site: Site, name: str) -> None:
    assert (await site.get(f"/static/{name}")).status_code == 404


def test_script_and_style_stay_small() -> None:
    assert len(ASSETS["signalbox.js"].content.splitlines()) <= 200
    assert len(ASSETS["signalbox.css"].content) <= 32 * 1024


async def test_a_page_fits_into_60_kilobytes(site: Site) -> None:
    for path in ("/", *(site.stories.path(story) for story in ("testing", "done", "ambiguous", "blocked"))):
        assert len((await site.get(path)).content) < 60 * 1024


async def test_a_chosen_theme_is_in_the_page_itself_so_that_nothing_flashes(site: Site) -> None:
    dark = read((await site.get("/", cookie="theme=dark")).text).one("html")
    junk = read((await site.get("/", cookie='theme="><b>')).text).one("html")

    assert dark.attributes["data-theme"] == "dark"
    assert "data-theme" not in junk.attributes


@pytest.mark.parametrize("header", FORWARDED)
async def test_whoever_comes_past_a_proxy_needs_a_token(site: Site, header: str) -> None:
    answer = await site.http.get("/", headers={"host": "localhost:3000", header: "for=127.0.0.1"})

    assert answer.status_code == 401
    assert answer.json()["error"]["code"] == "not_authenticated"


@pytest.mark.parametrize(
    "host", ["signalbox.example", "evil.example:3000", "localhost.evil.example", "127.0.0.1.nip.io", "[bad", "10.0.0.1"]
)
async def test_a_name_of_somebody_else_that_resolves_to_here_shows_nothing(site: Site, host: str) -> None:
    assert (await site.get("/", host=host)).status_code == 401


#: What a lenient reader takes for this machine.
TWISTED = (
    *("x@localhost", "evil.example@localhost:3000", "x:y@127.0.0.1", "@localhost", "localhost@evil.example"),
    *("localhost.", "127.0.0.1.", "localhost..", ".localhost", "127.0.0.1.:3000"),
    *(
        "localhost:",
        "localhost:0",
        "localhost:65536",
        "localhost:3000:3000",
        "localhost:+80",
        "localhost:8 0",
        "localhost:80x",
    ),
    *(
        "localhost/",
        "localhost?x",
        "localhost#x",
        "localhost\\x",
        "//localhost",
        "http://localhost",
        "evil.example/@localhost",
    ),
    *(
        "::1",
        "[::1",
        "::1]",
        "[::1]x",
        "[::1%25lo]",
        "[::1%lo]",
        "[localhost]",
        "[127.0.0.1]",
        "[::ffff:10.0.0.1]",
        "x[::1]",
    ),
    *(
        "127.1",
        "2130706433",
        "0x7f000001",
        "127.0.0.01",
        "0177.0.0.1",
        "127.0.0.1, evil.example",
        "localhost,evil.example",
    ),
    *("", " ", " localhost evil.example", "localhost\t@x", "loc\u00e4lhost", "localhost%00", "%6cocalhost"),
)


@pytest.mark.parametrize("host", TWISTED)
async def test_a_name_that_can_be_read_in_two_ways_is_not_this_machine(site: Site, host: str) -> None:
    assert (await site.http.get("/", headers=[(b"host", host.encode("latin-1"))])).status_code == 401


@pytest.mark.parametrize(
    "hosts", [("localhost", "evil.example"), ("evil.example", "localhost"), ("localhost", "localhost")]
)
async def test_two_names_are_not_this_machine(site: Site, hosts: tuple[str, str]) -> None:
    assert (await site.http.get("/", headers=[("host", host) for host in hosts])).status_code == 401


@pytest.mark.parametrize(
    "host",
    [
        *("localhost", "localhost:3000", "127.0.0.1:3000", "127.9.9.9", "LOCALHOST:1", "LocalHost:65535"),
        *("[::1]:3000", "[::1]", "[0:0:0:0:0:0:0:1]", "[::0001]:80"),
    ],
)
async def test_this_machine_sees_pages_without_a_token(site: Site, host: str) -> None:
    assert (await site.get("/", host=host)).status_code == 200


async def test_another_machine_is_told_how_to_look_and_nothing_else(site: Site) -> None:
    transport = httpx.ASGITransport(site.home.bot.asgi, client=("203.0.113.9", 4000))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost:3000") as http:
        page = await http.get(site.stories.path("testing"), headers={"accept": "text/html"})
        api = await http.get("/api/v1/lifecycles", headers={"accept": "text/html"})

    assert (page.status_code, page.headers["www-authenticate"]) == (401, "Bearer")
    assert read(page.text).one("h1").text == "You are not signed in"
    assert "octo" not in page.text.replace(site.stories.path("testing"), "")
    assert "Retry" not in page.text
    assert api.status_code == 401
    assert api.json()["error"]["code"] == "not_authenticated"


async def test_being_at_this_machine_opens_pages_only(site: Site) -> None:
    answer = await site.get("/api/v1/lifecycles")

    assert answer.status_code == 401


async def test_a_database_that_does_not_answer_is_said_on_the_page(
    settings: Settings, credentials: AppCredentials
) -> None:
    broken = house(settings, engine.open(settings.database, SetClock()), credentials)
    for file in settings.data_dir.glob("signalbox.db*"):
        file.unlink()

    answer = await broken.http.get("/", headers={"host": "localhost", "accept": "text/html"})
    await broken.store.close()

    assert (answer.status_code, answer.headers["retry-after"]) == (503, "30")
    assert read(answer.text).one("h1").text == "The database does not answer"


async def test_our_own_fault_keeps_the_frame_and_shows_no_trace(home: House) -> None:
    await home.has(record())
    await home.store.close()

    answer = await home.http.get("/", headers={"host": "localhost", "accept": "text/html"})

    assert answer.status_code == 500
    page = read(answer.text)
    assert page.one("h1").text == "This page could not be made"
    assert page.one("a", class_="brand").text == "Signalbox"
    assert "Traceback" not in answer.text


async def test_the_tunnel_it_names_leads_to_the_page_that_was_asked_for(site: Site) -> None:
    """It said port 3000 and HOST whatever the settings, and lost the address that a comment had linked."""
    transport = httpx.ASGITransport(site.home.bot.asgi, client=("203.0.113.9", 4000))
    async with httpx.AsyncClient(transport=transport, base_url="http://signalbox.example:3055") as http:
        page = await http.get("/lifecycles/octo/app/12?show=all", headers={"accept": "text/html"})
        odd = await http.get("/", headers={"accept": "text/html", "host": "-oProxyCommand=evil"})

    assert (
        "(ssh -L 3055:127.0.0.1:3055 signalbox.example) and visit http://localhost:3055/lifecycles/octo/app/12?show=all"
        in read(page.text).text
    )
    assert "127.0.0.1:3055 HOST)" in read(odd.text).text
