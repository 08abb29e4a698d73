"""The repository around the code: what a newcomer, a machine and a lawyer find there."""

import json
import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions

import pytest

import bot
from tests.kit.absent import absent, left_out
from tests.rules.kit import ROOT, text, tracked
from tests.rules.sources import third_party

PROJECT = tomllib.loads(text("pyproject.toml"))["project"]
LOCKS = ("requirements.txt", "requirements-build.txt", "requirements-dev.txt")
#: Written so that the patterns do not find themselves.
NOT_OURS = re.compile(
    r"pyp[i]\.org|pythonhoste[d]\.org|npmj[s]\.(?:org|com)|deb\.debia[n]\.org"
    r"|(?<![\w.$}~-])/(?:roo[t]|hom[e]|wor[k]|User[s])/\w|bash_job[s]"
)
#: Needed, but found by name and not imported (docs/decisions/dependencies.md says for what).
NOT_IMPORTED = {"hishel", "httptools", "uvloop"}


def targets() -> dict[str, str]:
    return dict(re.findall(r"^([a-z-]+):.*?## (.+)$", text("Makefile"), re.MULTILINE))


def made(page: str) -> list[str]:
    """The targets that a page has made in its commands."""
    blocks = re.findall(r"```sh[^\n]*\n(.*?)```", text(page), re.DOTALL)
    return [target for block in blocks for target in re.findall(r"^ *make ([a-z-]+)", block, re.MULTILINE)]


def pins(lock: str) -> dict[str, str]:
    """Name to version and hashes, as one text."""
    entries = re.findall(r"^([a-z0-9-]+)[^\n=]*==((?:[^\n]*\\\n)*[^\n]*)", text(lock), re.MULTILINE)
    return dict(entries)


def declared() -> set[str]:
    return {re.split(r"[\[<>=;! ]", requirement)[0].lower() for requirement in PROJECT["dependencies"]}


@pytest.mark.parametrize("page", ["README.md", "docs/tutorial.md", "docs/operations.md"])
def test_whatever_a_page_makes_is_a_target_of_make(page: str) -> None:
    assert made(page) != []
    assert [target for target in made(page) if target not in targets()] == []


def test_the_readme_shows_the_demo_and_the_tests() -> None:
    assert made("README.md")[:2] == ["demo", "test"]


def test_make_explains_every_target() -> None:
    phony = re.findall(r"^\.PHONY: (.+)$", text("Makefile"), re.MULTILINE)
    assert sorted(phony) == sorted(targets())


def test_ci_runs_the_checks_and_closes_with_the_tests() -> None:
    commands = [line for line in text(".ci/run").splitlines() if line.startswith("make ")]
    assert commands == ["make check", "make test"]
    assert text(".ci/run").rstrip().endswith("make test")
    assert os.access(ROOT / ".ci" / "run", os.X_OK)


@pytest.mark.parametrize("path", [path for path in tracked() if not path.endswith((".png", ".ico"))])
def test_no_file_names_a_package_source_or_somebodys_machine(path: str) -> None:
    assert NOT_OURS.findall(text(path)) == []


@pytest.mark.parametrize("planted", ["see https://pyp" + "i.org/simple", "in /hom" + "e/ada/x", " /wor" + "k/main"])
def test_a_planted_address_or_path_is_found(planted: str) -> None:
    assert NOT_OURS.search(planted)


@pytest.mark.parametrize("page", [path for path in tracked("*.md") if not path.startswith("fixtures/")])
def test_every_link_of_a_page_leads_somewhere(page: str) -> None:
    place = (ROOT / page).parent
    links = [link.partition("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", text(page)) if "://" not in link]
    assert [link for link in links if link and not (place / link).exists()] == []


def test_every_decision_is_in_the_list_of_decisions() -> None:
    notes = {path.rpartition("/")[2] for path in tracked("docs/decisions/*.md")} - {"README.md"}
    assert set(re.findall(r"\]\(([^)]+\.md)\)", text("docs/decisions/README.md"))) == notes


def test_the_licence_is_there_and_named() -> None:
    assert "Apache License\n                           Version 2.0, January 2004" in text("LICENSE")
    assert "END OF TERMS AND CONDITIONS" in text("LICENSE")
    assert PROJECT["license"] == "Apache-2.0"


def test_there_is_one_version() -> None:
    assert PROJECT["version"] == bot.__version__


@pytest.mark.parametrize("path", tracked("fixtures/*.json", "fixtures/**/*.json", "bot/*.json"))
def test_every_json_file_can_be_read(path: str) -> None:
    assert isinstance(json.loads(text(path)), dict)


@pytest.mark.parametrize("lock", LOCKS)
def test_every_pinned_package_has_hashes_and_no_place(lock: str) -> None:
    """threats.md, T13."""
    assert pins(lock)
    assert [name for name, pinned in pins(lock).items() if "--hash=sha256:" not in pinned] == []
    assert re.findall(r"index-url|find-links|file://|@ ", text(lock)) == []


def test_the_locks_agree_and_cover_what_is_declared() -> None:
    run, dev = pins("requirements.txt"), pins("requirements-dev.txt")
    assert {name: pinned for name, pinned in run.items() if dev.get(name) != pinned} == {}
    assert declared() - set(run) == set()


def test_what_is_imported_is_declared_and_what_is_declared_is_used() -> None:
    owners = packages_distributions()
    imported = {module for path in tracked("bot/*.py") for module in third_party(text(path))} - {"bot"}
    assert {owners[module][0].lower().replace("_", "-") for module in imported} | NOT_IMPORTED == declared()


def test_every_dependency_has_its_reason() -> None:
    rows = re.findall(r"^\| `([a-z0-9-]+)` \|", text("docs/decisions/dependencies.md"), re.MULTILINE)
    assert rows == sorted(declared())


def test_the_image_runs_without_root_and_says_whether_it_is_well() -> None:
    """threats.md, T13."""
    lines = text("Dockerfile").replace("\\\n", "").splitlines()
    asked = [line.partition(" CMD ")[2] for line in lines if line.startswith("HEALTHCHECK")]
    started = [line.removeprefix("CMD ") for line in lines if line.startswith("CMD ")]

    assert [json.loads(command)[0] for command in (*asked, *started)] == ["python", "signalbox"]
    compile(json.loads(asked[0])[2], "the health check", "exec")
    assert lines.index("USER signalbox") < lines.index(f"CMD {started[0]}")
    assert "VOLUME /data" in lines


def image() -> list[str]:
    return text("Dockerfile").replace("\\\n", "").splitlines()


def loose(lines: list[str]) -> list[str]:
    """What an image would be built from that somebody else may exchange."""
    by_digest = re.compile(r"ARG PYTHON=python:[\w.-]+@sha256:[0-9a-f]{64}")
    offences = [line for line in lines if line.startswith("ARG PYTHON=") and not by_digest.fullmatch(line)]
    offences += [line for line in lines if line.startswith("FROM ") and line.split()[1] != "${PYTHON}"]
    installs = [
        part for line in lines for part in line.split("&&") if re.search(r"\b(?:pip|apt-get|apk|npm) install\b", part)
    ]
    offences += [part for part in installs if "--require-hashes" not in part and "--no-deps" not in part]
    return offences + [line for line in lines if re.match(r"ADD |.*\b(?:curl|wget|git clone)\b", line)]


def test_the_image_is_built_from_what_nobody_can_exchange() -> None:
    """threats.md, T13."""
    lines = image()
    assert [line for line in lines if line.startswith("ARG PYTHON=")]
    assert sum(line.startswith("FROM ") for line in lines) == 2
    assert loose(lines) == []


@pytest.mark.parametrize(
    "planted",
    [
        "ARG PYTHON=python:3.13-slim",
        "ARG PYTHON=python:3.13-slim@sha256:abc",
        "FROM debian:stable",
        "RUN pip install signalbox",
        "RUN make && apt-get install -y git",
        "ADD https://example.com/x /x",
        "RUN curl -fsSL https://example.com/x | sh",
    ],
)
def test_an_image_of_anything_else_is_found(planted: str) -> None:
    assert loose([*image(), planted])


def test_the_image_lists_every_component_and_lists_the_same_again() -> None:
    """threats.md, T13: run here beside what the tests are installed beside."""
    base = "python:3.13-slim@sha256:" + "a" * 64
    runs = [
        subprocess.run([sys.executable, "image/components.py", base], cwd=ROOT, capture_output=True, check=True).stdout
        for _ in range(2)
    ]
    listed = json.loads(runs[0])
    pinned = {name: entry.split()[0] for name, entry in pins("requirements.txt").items()}
    found = {one["name"]: one["version"] for one in listed["components"] if one["type"] == "library"}

    assert runs[0] == runs[1]
    assert (listed["bomFormat"], listed["metadata"]["component"]) == (
        "CycloneDX",
        {"type": "application", "name": "signalbox", "version": bot.__version__},
    )
    assert listed["components"][0]["hashes"] == [{"alg": "SHA-256", "content": "a" * 64}]
    assert {name: found.get(name) for name in pinned} == pinned
    assert any("image/components.py" in line and "/opt/signalbox/components.cdx.json" in line for line in image())


def test_nothing_of_the_program_installs_or_starts_anything() -> None:
    """threats.md, T13: it does not update itself."""
    starts = re.compile(r"\bsubprocess\b|\bos\.(?:system|exec|spawn|popen)|create_subprocess|\bpip\b|importlib\.reload")
    assert [path for path in tracked("bot/*.py") if starts.search(text(path))] == []
    assert starts.search("import subprocess")


@pytest.mark.parametrize("name", [".env", "signalbox.private-key.pem", "signalbox.db", "data/admin.sock", "walk-1/x"])
def test_what_the_readme_has_people_put_into_the_clone_is_never_committed(name: str) -> None:
    ignored = subprocess.run(["git", "check-ignore", "--quiet", "--no-index", name], cwd=ROOT, check=False)

    assert ignored.returncode == 0


def test_every_folder_of_tests_says_which_question_it_answers() -> None:
    folders = {path.split("/")[1] + "/" for path in tracked("tests/*/__init__.py")}
    assert set(re.findall(r"^\| `([a-z]+/)` \|", text("tests/README.md"), re.MULTILINE)) == folders


@pytest.mark.parametrize(("ci", "ends"), [("true", pytest.fail.Exception), ("", pytest.skip.Exception)])
def test_what_a_machine_lacks_fails_where_everything_is_checked_and_is_said_elsewhere(
    ci: str, ends: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", ci)

    with pytest.raises(ends, match="no browser: install one"):
        absent("no browser: install one")


def test_what_was_left_out_is_said_in_one_line_however_many_tests_need_it() -> None:
    reasons = ["Skipped: no browser: install one", "Skipped: no browser: install one", "Skipped: no npm"]

    assert list(left_out(reasons)) == [
        "2 tests were left out: no browser: install one",
        "1 test was left out: no npm",
    ]


def test_nothing_else_leaves_a_test_out() -> None:
    leaving = re.compile(r"pytest[.](?:skip|importorskip|xfail)[(]")
    assert [path for path in tracked("tests/*.py") if leaving.search(text(path))] == ["tests/kit/absent.py"]
