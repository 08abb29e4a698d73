"""Where settings come from, which of them are refused, and that none of it shows a secret."""

import base64
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
)

from bot.settings import Settings, SettingsRefused, load, misspelt, reference, sources

RSA = rsa.generate_private_key(public_exponent=65537, key_size=2048)


def pem(
    key: rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey = RSA,
    encryption: KeySerializationEncryption = NoEncryption(),  # noqa: B008 - immutable
) -> str:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption).decode()


PEM = pem()
ENCRYPTED = pem(encryption=BestAvailableEncryption(b"passphrase"))
CURVE = pem(ec.generate_private_key(ec.SECP256R1()))
ALL = {"APP_ID": "7", "PRIVATE_KEY": PEM, "WEBHOOK_SECRET": "hush"}


@pytest.fixture(autouse=True)
def nothing_is_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    for row in reference():
        monkeypatch.delenv(row.name, raising=False)


def settings(monkeypatch: pytest.MonkeyPatch, **values: str) -> Settings:
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    return load(None, Path("no-secrets"))


def problems(monkeypatch: pytest.MonkeyPatch, **values: str) -> list[tuple[str, str]]:
    with pytest.raises(SettingsRefused) as refused:
        settings(monkeypatch, **values).app()
    return [(problem.setting, problem.what) for problem in refused.value.problems]


def test_nothing_set_is_set_up_mode(monkeypatch: pytest.MonkeyPatch) -> None:
    assert settings(monkeypatch).app() is None


def test_settings_beside_the_app_do_not_leave_set_up_mode(monkeypatch: pytest.MonkeyPatch) -> None:
    assert settings(monkeypatch, PORT="8080", LOG_LEVEL="debug", MERGE_API="sync").app() is None


def test_everything_set_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    app = settings(monkeypatch, **ALL).app()

    assert app is not None
    assert (app.app_id, app.private_key.strip(), app.webhook_secrets) == (7, PEM.strip(), ("hush",))


@pytest.mark.parametrize(
    ("given", "missing"),
    [
        (["APP_ID"], ["PRIVATE_KEY", "WEBHOOK_SECRET"]),
        (["PRIVATE_KEY"], ["APP_ID", "WEBHOOK_SECRET"]),
        (["WEBHOOK_SECRET"], ["APP_ID", "PRIVATE_KEY"]),
        (["APP_ID", "PRIVATE_KEY"], ["WEBHOOK_SECRET"]),
        (["APP_ID", "WEBHOOK_SECRET"], ["PRIVATE_KEY"]),
        (["PRIVATE_KEY", "WEBHOOK_SECRET"], ["APP_ID"]),
    ],
)
def test_a_part_of_the_app_refuses_to_start_and_lists_the_rest(
    monkeypatch: pytest.MonkeyPatch, given: list[str], missing: list[str]
) -> None:
    found = problems(monkeypatch, **{name: ALL[name] for name in given})

    assert [name for name, what in found if what.startswith("is missing")] == missing


@pytest.mark.parametrize(
    ("name", "value", "what"),
    [
        ("WEBHOOK_SECRET", "", "is empty"),
        ("WEBHOOK_SECRET", "  ", "is empty"),
        ("WEBHOOK_SECRET", "hush,,other", "is empty, or has an empty part"),
        ("WEBHOOK_SECRET", "hush,", "is empty, or has an empty part"),
        ("PRIVATE_KEY", "", "is empty"),
        ("PRIVATE_KEY", "not a key", "is not a private key in PEM form"),
        ("PRIVATE_KEY", PEM[:200], "is not a private key in PEM form"),
        ("PRIVATE_KEY", ENCRYPTED, "is encrypted"),
        ("PRIVATE_KEY", CURVE, "is not an RSA key"),
        ("PRIVATE_KEY", base64.b64encode(b"something else").decode(), "is not a private key in PEM form"),
        ("APP_ID", "", "must be a whole number"),
        ("APP_ID", "my-app", "must be a whole number"),
        ("APP_ID", "1.5", "must be a whole number"),
        ("APP_ID", "9" * 5000, "must be a whole number with fewer digits"),
        ("APP_ID", "0", "must be above 0"),
        ("PORT", "70000", "must be 65535 or less"),
        ("WORKERS", "0", "must be 1 or more"),
        ("SETTLE_WINDOW_SECONDS", "0", "must be above 0"),
        ("SETTLE_WINDOW_SECONDS", "soon", "must be a number"),
        ("MERGE_TIMEOUT_SECONDS", "inf", "must be a finite number"),
        ("WRITE_INTERVAL_SECONDS", "-1", "must be 0 or more"),
        ("MERGE_API", "graphql", "must be 'auto', 'async' or 'sync'"),
        ("LOG_FORMAT", "xml", "must be 'pretty' or 'json'"),
        ("GITHUB_API_URL", "http://github.example/api/v3", "must use https"),
        ("GITHUB_API_URL", "github.example", "must be an address"),
        ("PUBLIC_URL", "ftp://signalbox.example", "must be an address"),
        ("METRICS_TOKEN", "", "is empty"),
        ("METRICS_TOKEN", "   ", "is empty"),
        ("FORWARDED_ALLOW_IPS", "", "must be addresses"),
        ("FORWARDED_ALLOW_IPS", "proxy.example", "must be addresses"),
        ("FORWARDED_ALLOW_IPS", "10.0.0.1,,10.0.0.2", "must be addresses"),
        ("RETENTION_DAYS", "0", "must be above 0"),
        ("RETENTION_DAYS", "inf", "must be a finite number"),
        ("WEBHOOK_PATH", "hooks", "must be a path"),
        ("WEBHOOK_PATH", "/api/v1/hooks", "must not lie under /api/v1"),
    ],
)
def test_an_unusable_value_is_named_and_never_repeated(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, what: str
) -> None:
    """threats.md, T3."""
    [(setting, said)] = problems(monkeypatch, **(ALL | {name: value}))

    assert setting == name
    assert said.startswith(what)
    assert len(value) < 6 or value not in said


def test_several_unusable_values_are_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    found = problems(monkeypatch, PORT="x", WORKERS="x", LOG_LEVEL="x")

    assert [name for name, _ in found] == ["PORT", "LOG_LEVEL", "WORKERS"]


@pytest.mark.parametrize(
    "form",
    [PEM, PEM.replace("\n", "\\n"), base64.b64encode(PEM.encode()).decode(), base64.encodebytes(PEM.encode()).decode()],
    ids=["PEM", "escaped line ends", "base64", "base64 in lines"],
)
def test_a_private_key_may_come_in_three_forms(monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    app = settings(monkeypatch, **(ALL | {"PRIVATE_KEY": form})).app()

    assert app is not None
    assert app.private_key == PEM.strip() + "\n"


def test_a_private_key_may_come_from_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "key.pem"
    path.write_text(PEM)
    path.chmod(0o600)

    read = settings(monkeypatch, APP_ID="7", PRIVATE_KEY_PATH=str(path), WEBHOOK_SECRET="hush")

    assert read.app() is not None
    assert read.warnings() == ()


@pytest.mark.parametrize(("content", "what"), [(None, "names a file that cannot be read"), (b"\xff\xfe", "not text")])
def test_an_unreadable_key_file_refuses_to_start(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: bytes | None, what: str
) -> None:
    path = tmp_path / "key.pem"
    if content is not None:
        path.write_bytes(content)

    [(setting, said)] = problems(monkeypatch, APP_ID="7", PRIVATE_KEY_PATH=str(path), WEBHOOK_SECRET="hush")

    assert setting == "PRIVATE_KEY_PATH"
    assert what in said
    assert str(path) in said


def test_a_key_file_without_a_key_is_named_but_not_a_key_set_as_its_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "key.pem"
    path.write_text("no key")

    said = problems(monkeypatch, APP_ID="7", PRIVATE_KEY_PATH=str(path), WEBHOOK_SECRET="hush")
    pasted = problems(monkeypatch, APP_ID="7", PRIVATE_KEY_PATH="-----BEGIN HUSH", WEBHOOK_SECRET="hush")

    assert said == [("PRIVATE_KEY_PATH", f"names {path}, which is not a private key in PEM form")]
    assert "HUSH" not in str(pasted)


def test_a_tilde_is_the_home_directory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))

    read = settings(monkeypatch, PRIVATE_KEY_PATH="~/key.pem", DATA_DIR="~/data")

    assert (read.private_key_path, read.data_dir) == (tmp_path / "key.pem", tmp_path / "data")
    assert problems(monkeypatch, DATA_DIR="~nobody-here/data")[0][1].startswith("begins with ~")


@pytest.mark.parametrize("path", ["/healthz", "/setup/callback", "/merges", "/static/hook", "/api/v1", "/mcp"])
def test_a_webhook_path_that_would_hide_one_of_our_routes_is_refused(
    monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    ((setting, said),) = problems(monkeypatch, WEBHOOK_PATH=path)

    assert (setting, said.partition(",")[2]) == ("WEBHOOK_PATH", " where Signalbox answers itself")
    assert settings(monkeypatch, WEBHOOK_PATH="/merges-hook").webhook_path == "/merges-hook"


def test_a_key_file_open_to_others_and_a_short_settle_window_are_warned_of(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "key.pem"
    path.write_text(PEM)
    path.chmod(0o644)

    read = settings(monkeypatch, PRIVATE_KEY_PATH=str(path), SETTLE_WINDOW_SECONDS="59.5")

    assert [problem.setting for problem in read.warnings()] == ["SETTLE_WINDOW_SECONDS", "PRIVATE_KEY_PATH"]


def test_intervals_accept_fractions(monkeypatch: pytest.MonkeyPatch) -> None:
    read = settings(monkeypatch, SETTLE_WINDOW_SECONDS="0.25", MERGE_RETRY_SECONDS="0.01", CHECKS_SETTLE_SECONDS="0")

    assert (read.settle_window_seconds, read.merge_retry_seconds, read.checks_settle_seconds) == (0.25, 0.01, 0)


def test_the_environment_wins_over_the_file_and_the_file_over_the_secrets_directory(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    secrets = tmp_path / "secrets"
    secrets.mkdir()
    for name in ("HOST", "PORT", "WEBHOOK_SECRET"):
        (secrets / name.lower()).write_text("1\n")
    (tmp_path / ".env").write_text("HOST=2\nPORT=2\nUNKNOWN=x\n")
    monkeypatch.setenv("HOST", "3")

    read = load(tmp_path / ".env", secrets)

    assert (read.host, read.port) == ("3", 2)
    assert read.webhook_secret is not None
    assert read.webhook_secret.get_secret_value() == "1"


def test_enterprise_server_and_a_local_stand_in_are_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert settings(monkeypatch, GITHUB_API_URL="https://ghe.example/api/v3/").github_api_url.endswith("/api/v3")
    assert settings(monkeypatch, GITHUB_API_URL="http://127.0.0.1:9/").github_api_url == "http://127.0.0.1:9"


def test_the_database_and_the_public_address_have_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    read = settings(monkeypatch, DATA_DIR="/var/lib/signalbox", HOST="::1", PORT="80")

    assert read.database == "sqlite:////var/lib/signalbox/signalbox.db"
    assert read.public_address == "http://[::1]:80"


def test_printing_settings_shows_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    read = settings(monkeypatch, **ALL, DATABASE_URL="postgresql://u:pass-word@db/x")

    said = f"{read!r} {read} {read.app()!r} {read.model_dump()}"
    assert not any(secret in said for secret in ("hush", "PRIVATE KEY", "pass-word"))
    assert {"hush", "pass-word"} <= set(read.known_secrets())


@pytest.mark.parametrize(
    "url", ["postgresql://bot:a%40b-c@db/signalbox", "postgresql://bot@db/signalbox?password=a%40b-c"]
)
def test_the_database_s_password_is_known_as_it_is_however_the_url_has_it(
    monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    assert "a@b-c" in settings(monkeypatch, DATABASE_URL=url).known_secrets()


def test_every_setting_is_in_the_table_with_its_default_and_a_sentence() -> None:
    rows = {row.name: row for row in reference()}

    assert rows["SETTLE_WINDOW_SECONDS"].default == "900"
    assert rows["APP_ID"].default == "none"
    assert rows["WEBHOOK_PATH"].default == "/api/github/webhooks"
    assert all(row.meaning.rstrip().endswith(".") for row in rows.values())


@pytest.mark.parametrize("value", ["127.0.0.1", "10.0.0.0/8, ::1", "*"])
def test_proxies_are_addresses_networks_or_everybody(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    assert settings(monkeypatch, FORWARDED_ALLOW_IPS=value).forwarded_allow_ips == value.replace(" ", "")


def test_a_missing_key_file_and_a_bad_line_are_told_beside_a_wrong_value(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / ".env").write_text("APP_ID=7\nthe secret is not here\nWEBHOOK_SECRET=hush\n")

    monkeypatch.setenv("PORT", "many")
    monkeypatch.setenv("PRIVATE_KEY_PATH", "gone.pem")

    with pytest.raises(SettingsRefused) as refused:
        load()

    assert list(refused.value.problems) == [
        ("PORT", "must be a whole number"),
        (".env", "line 2 cannot be read: write NAME=value"),
        (
            "PRIVATE_KEY_PATH",
            f"names a file that cannot be read, gone.pem (from {Path.cwd()}): No such file or directory",
        ),
    ]
    assert caplog.messages == []


def test_a_name_that_is_nearly_a_setting_is_told_with_the_setting(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("APPID", "7")
    monkeypatch.setenv("XDG_DATA_DIRS", "/usr/share")
    (tmp_path / ".env").write_text("COLOUR=green\nport=3000\nLOGLEVEL=debug\n")

    assert misspelt() == (
        ("APPID", "is no setting: did you mean APP_ID?"),
        ("COLOUR", "is no setting"),
        ("LOGLEVEL", "is no setting: did you mean LOG_LEVEL?"),
    )


def test_fractions_of_days_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    assert settings(monkeypatch, RETENTION_DAYS="0.5").retention_days == 0.5


def test_the_token_for_metrics_is_a_known_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "scrape-me" in settings(monkeypatch, METRICS_TOKEN="scrape-me").known_secrets()


def test_where_a_setting_comes_from_is_told_without_what_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    secrets, env = tmp_path / "secrets", tmp_path / ".env"
    secrets.mkdir()
    (secrets / "webhook_secret").write_text("hush")
    (secrets / "app_id").write_text("7")
    env.write_text("APP_ID=8\nPORT=4000\n")
    monkeypatch.setenv("PORT", "5000")

    found = sources(env, secrets)

    assert found == {"webhook_secret": str(secrets), "app_id": str(env), "port": "the environment"}
