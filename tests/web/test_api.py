"""The reading API: shapes, filters, cursors, and that nobody sees more than their token allows."""

import re
from datetime import timedelta
from typing import Any

import httpx
import jsonpatch
import pytest

from bot.domain.model.record import Blocked, Question
from bot.ports.store import Tx
from bot.store.inline import InlineStore
from tests.web.kit import ADA, GRACE, NOON, House, record, save
from tests.web.pages.reading import read

pytestmark = pytest.mark.anyio
ONE = "/api/v1/lifecycles/octo/app/12"


def names(text: str) -> list[str]:
    return text.split()


RECORD_FIELDS = names("""
    repository repository_id issue version phase withdrawn frozen held priority requester feedback plan review_round
    head head_epoch base pull_request rejected_heads gates decisions verification merge blocked questions work
    budgets policy_sha machine last_refusal updated_at
""")
MERGE_FIELDS = names("""
    state id api uuid requested_at window_ends head sha attempts remembered external merged_by missing
""")
HISTORY_FIELDS = names("""
    version from to signal actor at detail delivery patch policy_sha machine_hash digest previous_digest
""")


def approval(**more: Any) -> dict[str, Any]:
    given = {"id": 1, "gate": "plan", "kind": "plan", "verdict": "approve", "by": GRACE, "at": NOON, "revision": 1}
    return given | {"digest": "sha256:" + "a" * 64, "round": 1, "source": "comment:1"} | more


def many_versions(tx: Tx) -> None:
    for version in range(2, 252):
        save(tx, version - 1, record(version=version, priority=version), before="planning")


async def json_of(home: House, path: str, token: str) -> Any:
    answer = await home.get(path, token)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_a_record_has_the_published_fields_and_what_is_derived_from_it(home: House) -> None:
    gates = {"plan": {"round": 1}}
    await home.has(record(decisions=[approval(), approval(id=2, round=9)], gates_opened=gates))

    shown = await json_of(home, ONE, await home.token())

    assert [name for name in RECORD_FIELDS if name not in shown] == []
    assert [name for name in MERGE_FIELDS if name not in shown["merge"]] == []
    assert shown["requester"] == {"id": ADA.id, "login": "ada"}
    assert [(d["counts"], d["void_because"]) for d in shown["decisions"]] == [
        (True, None),
        (False, "a new round began"),
    ]
    assert [gate["name"] for gate in shown["gates"]] == ["plan", "testing", "submit"]
    assert shown["gates"][0] == {"name": "plan", "open": True, "needs": [{"what": "review", "have": 1, "need": 1}]}
    assert shown["gates"][1]["needs"][1:] == [
        {"what": "operator", "have": 0, "need": 1, "waiting_on": "operators"},
        {"what": "checks", "state": "none", "missing": [], "waiting_on": "checks"},
    ]
    assert shown["budgets"]["check_retries"] == [0, 20]
    assert shown["last_refusal"] is None


async def test_a_blocked_record_says_from_where(home: House) -> None:
    blocked = {"reason": "Which parser?", "from": "building", "since": NOON}
    await home.has(
        record(phase="blocked", blocked=blocked, questions=[{"id": "q1", "text": "Which?", "asked_by": ADA}])
    )

    shown = await json_of(home, ONE, await home.token())

    assert (shown["blocked"]["from"], shown["blocked"]["state"]) == ("building", "awaiting")
    assert shown["questions"][0]["asked_by"] == {"id": 11, "login": "ada"}


async def test_a_refusal_stands_beside_the_record(home: House) -> None:
    refusal = {
        "code": "wrong_phase",
        "message": "Not now.",
        "command": "/gate",
        "by": "grace",
        "at": "2026-11-30T12:00:00Z",
    }
    await home.has(record())
    await home.store.run(lambda tx: tx.records.refuse(record().key, refusal))

    assert (await json_of(home, ONE, await home.token()))["last_refusal"] == refusal


async def test_the_history_is_a_chain_whose_patches_give_the_stored_record(home: House) -> None:
    first = record(phase="planning", plan=None)
    second = record(version=2)
    await home.has(first)
    await home.store.run(lambda tx: save(tx, 1, second, before="planning"))
    token = await home.token()

    page = await json_of(home, f"{ONE}/history", token)

    assert page["next"] is None
    assert [list(item) == HISTORY_FIELDS or sorted(item) == sorted(HISTORY_FIELDS) for item in page["items"]] == [
        True
    ] * 2
    assert [(item["version"], item["from"], item["to"]) for item in page["items"]] == [
        (1, None, "planning"),
        (2, "planning", "plan_ready"),
    ]
    assert page["items"][1]["previous_digest"] == page["items"][0]["digest"]
    assert page["items"][0]["actor"] == {"kind": "person", "id": 11, "login": "ada"}
    replayed: Any = {}
    for item in page["items"]:
        replayed = jsonpatch.apply_patch(replayed, item["patch"])
    shown = await json_of(home, ONE, token)
    derived = {"gates", "last_refusal", "updated_at"}
    assert replayed == {name: value for name, value in shown.items() if name not in derived}


async def test_a_long_history_comes_in_pages(home: House) -> None:
    await home.has(record(phase="planning"))
    await home.store.run(many_versions)
    token = await home.token()

    first = await json_of(home, f"{ONE}/history", token)
    second = await json_of(home, f"{ONE}/history?cursor={first['next']}", token)

    versions = [item["version"] for item in first["items"] + second["items"]]
    assert versions == list(range(1, 252))
    assert second["next"] is None


async def test_explain_says_why_it_is_not_merging(home: House) -> None:
    await home.has(record())

    tree = await json_of(home, f"{ONE}/explain", await home.token())

    assert (tree["phase"], tree["version"]) == ("plan_ready", 1)
    assert tree["verdict"]
    [now, *later] = tree["reasons"]
    assert {"what", "state", "text", "waiting_on", "who_could", "children"} <= now.keys()
    assert (now["state"], {row["state"] for row in later}) == ("waiting", {"later"})
    [plan] = now["children"]
    assert (plan["waiting_on"], plan["command"]) == ("reviewers", "/approve r1")


async def test_the_list_filters_by_repository_phase_and_whom_it_waits_for(home: House) -> None:
    await home.has(record(1), record(2, phase="planning", plan=None), record(3, "octo/lib"))
    token = await home.token()

    async def issues(query: str) -> list[int]:
        return [item["issue"] for item in (await json_of(home, f"/api/v1/lifecycles?{query}", token))["items"]]

    assert sorted(await issues("")) == [1, 2, 3]
    assert sorted(await issues("repository=Octo/App")) == [1, 2]
    assert await issues("phase=planning") == [2]
    assert sorted(await issues("waiting_on=reviewers")) == [1, 3]
    assert await issues("waiting_on=builders&repository=octo/app") == [2]
    assert await issues("waiting_on=checks") == []


async def test_a_list_row_says_the_least_one_must_know(home: House) -> None:
    await home.has(record())

    page = await json_of(home, "/api/v1/lifecycles", await home.token())

    assert page["next"] is None
    row = page["items"][0]
    assert (row["repository"], row["issue"], row["phase"], row["waiting_on"]) == (
        "octo/app",
        12,
        "plan_ready",
        ["reviewers"],
    )


async def test_a_long_list_comes_in_pages_that_repeat_and_skip_nothing(home: House) -> None:
    await home.has(*(record(issue) for issue in range(1, 121)))
    token = await home.token()

    seen: list[int] = []
    cursor = ""
    while True:
        page = await json_of(home, f"/api/v1/lifecycles?cursor={cursor}", token)
        seen += [item["issue"] for item in page["items"]]
        if page["next"] is None:
            break
        cursor = page["next"]

    assert sorted(seen) == list(range(1, 121))


@pytest.mark.parametrize(
    "query",
    [
        "lifecycles?phase=merging",
        "lifecycles?waiting_on=nobody",
        "lifecycles?cursor=%21",
        "lifecycles?cursor=MQ",
        "lifecycles?cursor=YS5i",
        "lifecycles/octo/app/12/history?cursor=MS4y",
    ],
)
async def test_an_argument_that_cannot_be_read_is_named(home: House, query: str) -> None:
    await home.has(record())

    answer = await home.get(f"/api/v1/{query}", await home.token())

    assert answer.status_code == 422
    error = answer.json()["error"]
    assert error["code"] == "bad_argument"
    assert error["details"]["argument"] in query


@pytest.mark.parametrize("tail", ["", "/history", "/explain", "/policy"])
@pytest.mark.parametrize("name", ["octo/app/13", "octo/other/12", "octo/app/99999999999999999999"])
async def test_what_is_not_there_is_not_found(home: House, name: str, tail: str) -> None:
    await home.has(record())

    answer = await home.get(f"/api/v1/lifecycles/{name}{tail}", await home.token())

    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "no_record")


@pytest.mark.parametrize("tail", ["", "/history", "/explain", "/policy"])
async def test_a_foreign_repository_looks_exactly_like_none(home: House, tail: str) -> None:
    """threats.md, T28."""
    await home.has(record(), record(5, "octo/lib"))
    token = await home.token("forge-1", "octo/lib")

    foreign = await home.get(f"{ONE}{tail}", token)
    missing = await home.get(f"/api/v1/lifecycles/octo/app/13{tail}", token)
    own = await home.get(f"/api/v1/lifecycles/octo/lib/5{tail}", token)

    assert (foreign.status_code, foreign.text) == (404, missing.text)
    assert own.status_code == 200


async def test_a_list_holds_only_what_the_token_may_see(home: House) -> None:
    """threats.md, T28."""
    await home.has(record(), record(5, "octo/lib"))
    token = await home.token("forge-1", "Octo/Lib")

    everything = await json_of(home, "/api/v1/lifecycles", token)
    foreign = await json_of(home, "/api/v1/lifecycles?repository=octo/app", token)

    assert [item["repository"] for item in everything["items"]] == ["octo/lib"]
    assert foreign == {"items": [], "next": None}


async def test_the_description_names_every_route_of_the_api(home: House) -> None:
    description = await json_of(home, "/api/v1/openapi.json", await home.token())

    assert sorted(description["paths"]) == [
        "/api/v1/lifecycles",
        "/api/v1/lifecycles/{owner}/{repo}/{number}",
        "/api/v1/lifecycles/{owner}/{repo}/{number}/explain",
        "/api/v1/lifecycles/{owner}/{repo}/{number}/history",
        "/api/v1/lifecycles/{owner}/{repo}/{number}/policy",
        "/api/v1/openapi.json",
    ]
    listing = description["paths"]["/api/v1/lifecycles"]["get"]["parameters"]
    assert [parameter["name"] for parameter in listing] == ["repository", "phase", "waiting_on", "cursor"]


async def test_a_token_ends_at_its_time_and_at_its_revocation(home: House) -> None:
    token = await home.token("short", lifetime=timedelta(minutes=1))
    other = await home.token("other")
    assert (await home.get("/api/v1/lifecycles", token)).status_code == 200

    home.clock.passes(minutes=1)
    await home.tokens.revoke("other")

    ended = [await home.get("/api/v1/lifecycles", each) for each in (token, other)]
    assert [answer.status_code for answer in ended] == [401, 401]
    assert re.match(r"The token short expired, \d+ \w+ \d+, \d\d:\d\d UTC\. An operator makes", said(ended[0]))
    assert said(ended[1]).startswith("The token other was revoked, ")


async def test_a_token_that_never_was_one_hears_nothing_of_those_that_are(home: House) -> None:
    await home.token("forge-1")

    none, unknown, malformed = [await home.get("/api/v1/lifecycles", each) for each in (None, "sbx_" + "a" * 43, "?")]

    assert said(none).startswith("A bearer token is needed.")
    assert said(unknown) == said(malformed)
    assert said(unknown).startswith("This token is not known here.")
    assert "forge-1" not in said(unknown)


def said(answer: httpx.Response) -> str:
    return str(answer.json()["error"]["message"])


@pytest.mark.parametrize(
    "damage", ["UPDATE history SET document = '{\"version'", "DELETE FROM history WHERE version = 1"]
)
async def test_a_history_that_was_changed_is_not_shown_and_says_how_to_look(home: House, damage: str) -> None:
    await home.has(record())
    assert isinstance(home.store, InlineStore)
    home.store._connection.execute(damage)
    said = "Its stored history is not what was written, and nothing of it merges; {} says what differs."

    answer = await home.get(f"{ONE}/history", await home.token())
    page = await home.http.get("/lifecycles/octo/app/12", headers={"host": "localhost:3000", "accept": "text/html"})

    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (503, "frozen")
    assert error["message"] == said.format("`signalbox verify-history octo/app#12`")
    assert page.status_code == 200
    assert said.format("signalbox verify-history octo/app#12") in read(page.text).one("section", id="history").text


async def test_why_a_record_whose_history_lacks_a_version_does_not_merge_is_that_and_no_gate_is_offered(
    home: House,
) -> None:
    """It was shown as one that waits for an approval, with the command to copy."""
    asked = Question(id="q1", text="Which key?", asked_by=ADA, answer=None)
    blocked = Blocked(reason="question q1 needs an answer", from_="building", since=NOON, cause="question")
    await home.has(record(), record(13, phase="blocked", blocked=blocked, questions=(asked,)))
    assert isinstance(home.store, InlineStore)
    home.store._connection.execute("DELETE FROM history")
    token = await home.token()
    headers = {"host": "localhost:3000", "accept": "text/html"}

    explained = await json_of(home, f"{ONE}/explain", token)
    pages = [(await home.http.get(f"/lifecycles/octo/app/{issue}", headers=headers)).text for issue in (12, 13)]

    assert explained["ways"] == []
    assert [(row["what"], row["text"], row["command"], row["how"]) for row in explained["reasons"]] == [
        (
            "history",
            "what is stored is not what was written",
            None,
            "run `signalbox verify-history octo/app#12`, find out who changed the database, and restore a backup",
        )
    ]
    assert "is not what was written" in explained["verdict"]
    for text, issue in zip(pages, (12, 13), strict=True):
        why = read(text).one("section", id="why").text
        look = f"signalbox verify-history octo/app#{issue}"
        assert f"Waiting for an operator to run {look}: what is stored is not what was written." in why
        assert not {"Copy", "/approve", "/answer", "/resume"} & set(re.findall(r"Copy|/\w+", why))
        assert "No plan yet" not in text
