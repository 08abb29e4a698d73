"""Log lines: their two forms, and that no secret gets through either."""

import io
import json
import logging

import pytest
from pydantic import BaseModel, ValidationError

from bot.bootstrap.logs import Bridge, Logger
from bot.bootstrap.redaction import HIDDEN, Redactor

#: What somebody wrote; its middle is how pydantic ends a quotation.
WRITTEN = "words of ada, input_type=str"
PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nIBAAK\n-----END RSA PRIVATE KEY-----"


def line(form: str, level: str, event: str, **fields: object) -> str:
    out = io.StringIO()
    Logger("info", form, Redactor(["hush-hush"]), out)(level, event, **fields)  # type: ignore[arg-type]  # parametrised
    return out.getvalue()


def test_pretty_says_when_what_where_and_the_rest() -> None:
    said = line(
        "pretty",
        "info",
        "merge_requested",
        repository="octo/app",
        issue=12,
        head="3f2a91c84e07",
        reservation="r-39",
        took_ms=212,
    )

    assert said[8:] == " merge_requested  octo/app#12 3f2a91c  reservation=r-39 took=212ms\n"


def test_pretty_names_a_level_that_needs_a_look() -> None:
    assert "warning: setting_questionable  setting=HOST" in line(
        "pretty", "warning", "setting_questionable", setting="HOST"
    )


def test_json_has_the_named_fields_first() -> None:
    said = json.loads(line("json", "info", "signal_applied", code="x", actor="ada", repository="octo/app", version=3))

    assert list(said) == ["ts", "level", "event", "repository", "version", "actor", "code"]
    assert said["ts"].endswith("Z")


def test_what_is_below_the_level_is_not_said() -> None:
    assert line("json", "debug", "facts_read") == ""


@pytest.mark.parametrize("form", ["pretty", "json"])
def test_an_error_comes_with_its_trace(form: str) -> None:
    try:
        raise ValueError("hush-hush is wrong")
    except ValueError as error:
        said = line(form, "error", "lane_crashed", error=error)

    assert "ValueError" in said
    assert "Traceback" in said
    assert "hush-hush" not in said


@pytest.mark.parametrize(
    "secret",
    [
        *(f"gh{kind}_" + "a1B2" * 9 for kind in "pousr"),
        "ghs_" + "a.b-c_d" * 6,
        "github_pat_11AAAAAAA0" + "b" * 40,
        "sbx_" + "Ab-_" * 10 + "abc",
        "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiIxIn0.c2lnbmF0dXJl",
        PEM,
        PEM[:60],
        "hush-hush",
    ],
)
@pytest.mark.parametrize("form", ["pretty", "json"])
def test_no_secret_gets_into_a_line(form: str, secret: str) -> None:
    said = line(
        form,
        "info",
        "x_happened",
        note=f"it was {secret}!",
        deep={"list": [secret, {"k": secret}]},
        why=Exception(secret),
    )

    assert secret not in said
    assert secret.replace("\n", "\\n") not in said
    assert secret[4:] not in said
    assert HIDDEN in said


@pytest.mark.parametrize("form", ["pretty", "json"])
def test_what_could_not_be_read_is_not_quoted(form: str) -> None:
    class Number(BaseModel):
        number: int

    try:
        Number.model_validate({"number": WRITTEN})
    except ValidationError as error:
        said = line(form, "error", "delivery_failed", error=error)

    assert "ValidationError" in said
    assert "ada" not in said


def test_a_password_in_a_database_address_is_hidden_and_the_rest_is_not() -> None:
    said = Redactor().text("postgresql://bot:pass-word@db:5432/x refused")

    assert said == f"postgresql://{HIDDEN}@db:5432/x refused"


def test_ordinary_words_stay_as_they_are() -> None:
    words = "ghost_writer sbx_1 octo/app#12 https://example.test/a:b ghp_short 3f2a91c84e07"

    assert Redactor().text(words) == words


def test_a_known_value_that_is_part_of_every_word_does_not_spoil_the_lines() -> None:
    assert Redactor(["s", "", "hush-hush"]).text("server_started hush-hush") == f"server_started {HIDDEN}"


def test_lines_of_libraries_take_the_same_way() -> None:
    out = io.StringIO()
    bridge = Bridge(Logger("info", "json", Redactor(["hush-hush"]), out))

    bridge.handle(
        logging.makeLogRecord({"name": "lib", "levelno": logging.ERROR, "msg": "bad %s", "args": ("hush-hush",)})
    )

    said = json.loads(out.getvalue())
    assert (said["event"], said["level"], said["logger"], said["msg"]) == (
        "library_logged",
        "error",
        "lib",
        f"bad {HIDDEN}",
    )
