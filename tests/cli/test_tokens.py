"""`signalbox token`: shown once, listed without secrets, refused with a sentence."""

import json

import pytest

from tests.cli.conftest import Run


def test_a_new_token_is_printed_once_and_alone_on_stdout(run: Run) -> None:
    made = run("token", "create", "--name", "forge-1", "--role", "builder")

    assert made.exit_code == 0
    assert made.stdout.startswith("sbx_")
    assert len(made.stdout.strip()) == 47
    assert made.stderr == "Keep this token: it is not shown again.\n"
    assert made.stdout.strip() not in run("token", "list").stdout


def test_json_has_exactly_the_published_fields(run: Run) -> None:
    made = run("token create --name forge-1 --role reviewer --repository octo/app --expires 30d --json")

    shown = json.loads(made.stdout)
    assert list(shown) == ["id", "name", "role", "token", "expires_at"]
    assert (shown["name"], shown["role"]) == ("forge-1", "reviewer")
    assert shown["expires_at"].endswith("Z")


def test_a_token_for_a_repository_nobody_has_heard_of_is_made_with_a_warning(run: Run) -> None:
    made = run("token create --name forge-1 --role builder --repository octo/ap")

    assert made.stdout.startswith("sbx_")
    assert "octo/ap" in made.stderr.splitlines()[0]


def test_a_list_shows_role_state_and_repositories(run: Run) -> None:
    run("token create --name forge-1 --role builder --repository octo/app --repository octo/lib --expires 1w")
    run("token create --name sentinel-1 --role reviewer")
    run("token revoke sentinel-1")

    lines = [line.split("\t") for line in run("token", "list").stdout.splitlines()]
    rows = json.loads(run("token", "list", "--json").stdout)

    assert [(line[0], line[1], line[2], line[5]) for line in lines] == [
        ("forge-1", "builder", "works", "octo/app, octo/lib"),
        ("sentinel-1", "reviewer", "revoked", "all"),
    ]
    assert [row["repositories"] for row in rows] == [["octo/app", "octo/lib"], []]
    assert "digest" not in str(rows)


def test_an_empty_list_is_a_sentence_for_people_and_an_empty_array_for_programs(run: Run) -> None:
    run("migrate")

    people, programs = run("token", "list"), run("token", "list", "--json")

    assert (people.stdout, people.exit_code) == ("", 0)
    assert people.stderr.startswith("No tokens yet.")
    assert json.loads(programs.stdout) == []


def test_a_name_that_is_taken_is_refused(run: Run) -> None:
    words = "token create --name forge-1 --role builder"
    run(words)

    again = run(words)

    assert (again.exit_code, again.stdout) == (1, "")
    assert again.stderr.startswith("A token with this name exists.")


def test_revoking_what_does_not_work_is_refused(run: Run) -> None:
    run("migrate")
    gone = run("token", "revoke", "nobody")

    assert gone.exit_code == 1
    assert "No token that works has this name." in gone.stderr


@pytest.mark.parametrize(
    "words",
    [
        "token create --name forge-1",
        "token create --name forge-1 --role operator",
        "token create --name bad/name --role builder",
        "token create --name forge-1 --role builder --repository app",
        "token create --name forge-1 --role builder --expires soon",
        "token create --name forge-1 --role builder --expires 0d",
        "token revoke",
        "token destroy forge-1",
    ],
)
def test_wrong_usage_is_said_and_changes_nothing(run: Run, words: str) -> None:
    wrong = run(words)

    assert wrong.exit_code == 2
    assert wrong.stdout == ""
    assert "Error" in wrong.stderr
    assert run("token", "list", "--json").stdout.strip() in {"[]", ""}


@pytest.mark.parametrize(
    ("words", "option"),
    [
        ("token create --name bad/name --role builder", "--name"),
        ("token create --name forge-1 --role builder --repository app", "--repository"),
        ("token create --name forge-1 --role builder --expires 0d", "--expires"),
    ],
)
def test_a_wrong_value_is_blamed_on_the_option_as_it_was_typed(run: Run, words: str, option: str) -> None:
    assert f"Invalid value for {option}:" in run(words).stderr
