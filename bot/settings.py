"""Every setting of the process, and nothing else reads the environment.

Values come from the environment, then `.env`, then the secrets directory. `load` refuses values that cannot be
read; `Settings.app` refuses an incomplete or unusable GitHub App. Both name every problem and never show a secret.
"""

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, Self
from urllib.parse import parse_qs, unquote, urlsplit

from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import (
    BaseSettings,
    DotEnvSettingsSource,
    EnvSettingsSource,
    SecretsSettingsSource,
    SettingsConfigDict,
)

from bot.private_key import KeyRefused, read_key
from bot.setting_files import called, looked_for, open_to_others, unread_lines
from bot.setting_forms import (
    AnyCase,
    ApiUrl,
    Days,
    FilePath,
    HookUrl,
    Networks,
    PublicUrl,
    Seconds,
    SecondsOrNone,
    Secret,
    UrlPath,
    parted,
    sentence,
)

SECRETS_DIRECTORY = Path("/run/secrets")
#: Shorter settle windows give GitHub too little time to show what it did.
SHORT_SETTLE_WINDOW = 60
#: Names of the environment that are this much like a setting are taken for one.
NEARLY = 0.85


class Problem(NamedTuple):
    """One thing that keeps the process from starting. `what` never repeats the value."""

    setting: str
    what: str


class SettingsRefused(Exception):
    """The settings cannot be used. `problems` in the order of the settings."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(f"{problem.setting}: {problem.what}" for problem in self.problems))


class AppCredentials:
    """The GitHub App as whom we act. `private_key` is PEM; several webhook secrets are valid during a rotation."""

    __slots__ = ("app_id", "private_key", "webhook_secrets")

    def __init__(self, app_id: int, private_key: str, webhook_secrets: tuple[str, ...]) -> None:
        self.app_id = app_id
        self.private_key = private_key
        self.webhook_secrets = webhook_secrets

    def __repr__(self) -> str:
        return f"AppCredentials(app_id={self.app_id})"


class Settings(BaseSettings):
    model_config = SettingsConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True, env_file_encoding="utf-8")

    app_id: Annotated[int, Field(gt=0)] | None = None
    """Number of the GitHub App. With `PRIVATE_KEY` or `PRIVATE_KEY_PATH` and `WEBHOOK_SECRET`: none of them set is
    set-up mode (the webhook answers 503), some of them refuse to start, all of them serve."""
    private_key: SecretStr | None = None
    """The App's private key: PEM, PEM with `\\n` for line ends, or base64 of PEM. Wins over `PRIVATE_KEY_PATH`."""
    private_key_path: FilePath | None = None
    """File with the App's private key. `~` is the home directory."""
    webhook_secret: SecretStr | None = None
    """Secret of the App's webhook. Several, comma-separated, during a rotation. An empty one refuses to start."""
    github_api_url: ApiUrl = "https://api.github.com"
    """GitHub's API. Enterprise Server: `https://HOST/api/v3`."""
    data_dir: FilePath = Path()
    """Directory of the SQLite file, generated secrets (mode 0600), the lock and the admin socket. Each process has its own."""
    database_url: SecretStr | None = None
    """An SQLite file in SQLAlchemy form (`sqlite:////absolute/path`), which one process has, or PostgreSQL
    (`postgresql://user@host:5432/database`), which any number of them share. Without it: `DATA_DIR/signalbox.db`."""
    host: str = "127.0.0.1"
    """Address to listen on."""
    port: Annotated[int, Field(ge=0, le=65535)] = 3000
    """Port to listen on."""
    public_url: PublicUrl | None = None
    """Address under which people and GitHub reach this server, for links. Without it: from `HOST` and `PORT`."""
    forwarded_allow_ips: Networks | None = None
    """Proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed: addresses or networks, comma-separated, or
    `*`. Without it those headers are believed of nobody."""
    webhook_path: UrlPath = "/api/github/webhooks"
    """Path that receives GitHub's deliveries."""
    metrics_token: Secret | None = None
    """Bearer token for `/metrics`. Without it only this machine may read them, and not through a proxy."""
    log_level: Annotated[Literal["debug", "info", "warning", "error"], AnyCase] = "info"
    """Least important level that is logged: `debug`, `info`, `warning` or `error`."""
    log_format: Annotated[Literal["pretty", "json"], AnyCase] | None = None
    """`pretty` or `json`. Without it: `pretty` on a terminal, else `json`."""
    notify_url: HookUrl | None = None
    """An address that is told when a record is blocked or frozen, and when nobody knows for too long how a merge ended or may
    begin: one POST of a small JSON document, repeated until it is taken. It may hold a secret and is never printed."""
    sweep_interval_seconds: Seconds = 300
    """How often each repository is read for what no delivery told."""
    settle_window_seconds: Seconds = 900
    """How long an unproven merge is re-read before an operator may settle it."""
    merge_timeout_seconds: Seconds = 30
    """Total time of one merge request."""
    merge_api: Annotated[Literal["auto", "async", "sync"], AnyCase] = "auto"
    """`async` (merge-async), `sync`, or `auto`: async, and sync where GitHub does not have it."""
    write_interval_seconds: SecondsOrNone = 1
    """Average distance of changes on GitHub per installation."""
    merge_retry_seconds: Seconds = 5
    """First delay after a passing refusal of a merge; doubled, five tries."""
    checks_settle_seconds: SecondsOrNone = 60
    """How long `checks.none: observed` waits after the newest check appeared."""
    retention_days: Days = 30
    """How long raw deliveries are kept once they are done with. Failed ones are kept until they are replayed; history
    and applied keys for ever."""
    workers: Annotated[int, Field(ge=1, le=64)] = 4
    """Repositories that are worked on at the same time in one process; those of one installation are half of them at most."""

    @property
    def database(self) -> str:
        """The database's URL. May hold a password: never print it."""
        if self.database_url is not None:
            return self.database_url.get_secret_value()
        return f"sqlite:///{self.data_dir / 'signalbox.db'}"

    @property
    def public_address(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return self.public_url or f"http://{host}:{self.port}"

    def app(self) -> AppCredentials | None:
        """The GitHub App; None = set-up mode. Raises SettingsRefused when it is incomplete or unusable."""
        has_key = self.private_key is not None or self.private_key_path is not None
        given = {
            "APP_ID": self.app_id is not None,
            "PRIVATE_KEY": has_key,
            "WEBHOOK_SECRET": self.webhook_secret is not None,
        }
        if not any(given.values()):
            return None
        problems: list[Problem] = []
        if self.app_id is None:
            problems.append(Problem("APP_ID", "is missing: the number on the App's settings page"))
        key = self._key(problems)
        secrets = self._secrets(problems)
        if problems or self.app_id is None:
            raise SettingsRefused(problems)
        return AppCredentials(self.app_id, key, secrets)

    def _key(self, problems: list[Problem]) -> str:
        name = "PRIVATE_KEY"
        try:
            if self.private_key is not None:
                return read_key(self.private_key.get_secret_value())
            if self.private_key_path is not None:
                name = "PRIVATE_KEY_PATH"
                return read_key(self.private_key_path.read_text(encoding="utf-8"))
            problems.append(Problem(name, "is missing: set it or PRIVATE_KEY_PATH to the App's private key"))
        except KeyRefused as refused:
            file = called(self.private_key_path) if name == "PRIVATE_KEY_PATH" and self.private_key_path else ""
            problems.append(Problem(name, f"names {file}, which {refused}" if file else str(refused)))
        except (OSError, UnicodeDecodeError) as failed:
            why = failed.strerror if isinstance(failed, OSError) else "it is not text"
            file = looked_for(self.private_key_path) if self.private_key_path else ""
            problems.append(Problem(name, f"names a file that cannot be read, {file}: {why}"))
        return ""

    def _secrets(self, problems: list[Problem]) -> tuple[str, ...]:
        if self.webhook_secret is None:
            problems.append(Problem("WEBHOOK_SECRET", "is missing: the secret on the App's settings page"))
            return ()
        secrets = parted(self.webhook_secret)
        if not all(secrets):
            problems.append(Problem("WEBHOOK_SECRET", "is empty, or has an empty part: anybody could sign with it"))
        return secrets

    def warnings(self) -> tuple[Problem, ...]:
        """What works but should be looked at."""
        found: list[Problem] = []
        if self.settle_window_seconds < SHORT_SETTLE_WINDOW:
            what = f"is below {SHORT_SETTLE_WINDOW} s: a merge that GitHub carries out late may be settled too early"
            found.append(Problem("SETTLE_WINDOW_SECONDS", what))
        path = None if self.private_key is not None else self.private_key_path
        if path is not None and open_to_others(path):
            found.append(Problem("PRIVATE_KEY_PATH", "names a file that others on this machine may open: chmod 600"))
        return tuple(found)

    def known_secrets(self) -> tuple[str, ...]:
        """Values that must never be printed, for the redaction of logs."""
        url = urlsplit(self.database)
        passwords = [url.password or "", unquote(url.password or ""), *parse_qs(url.query).get("password", [])]
        webhook = parted(self.webhook_secret)
        others = [
            one.get_secret_value() for one in (self.private_key, self.metrics_token, self.notify_url) if one is not None
        ]
        return tuple(value.strip() for value in (*passwords, *webhook, *others) if value.strip())

    @classmethod
    def read(cls, env_file: Path | None, secrets: Path, **instead: Any) -> Self:
        """`instead` are values that win over what is set."""
        return cls(_env_file=env_file, _secrets_dir=secrets if secrets.is_dir() else None, **instead)


def load(env_file: Path | None = Path(".env"), secrets: Path = SECRETS_DIRECTORY) -> Settings:
    """Raises SettingsRefused with everything that cannot be read: lines, values, and what the App lacks beside them."""
    with unread_lines() as lines:
        wrong: dict[str, Any] = {}
        found: list[Problem] = []
        try:
            settings = Settings.read(env_file, secrets)
        except ValidationError as invalid:
            for error in invalid.errors():
                name = str(error["loc"][0])
                wrong[name] = Settings.model_fields[name].default
                found.append(Problem(name.upper(), sentence(error)))
            settings = Settings.read(env_file, secrets, **wrong)
    found += [Problem(str(env_file), f"line {line} cannot be read: write NAME=value") for line in sorted(lines)]
    if not found:
        return settings
    raise SettingsRefused((*found, *_beside(settings, {name.upper() for name in wrong})))


def _beside(settings: Settings, said: set[str]) -> Iterable[Problem]:
    """What the App lacks, where other values are wrong already: nobody shall have to start again for each fault."""
    try:
        settings.app()
    except SettingsRefused as refused:
        return [problem for problem in refused.problems if problem.setting not in said]
    return []


def misspelt(env_file: Path | None = Path(".env")) -> tuple[Problem, ...]:
    """Names that are no setting: whatever stands in `.env`, and in the environment what is nearly one."""
    known = [name.upper() for name in Settings.model_fields]
    with unread_lines():
        written = dict(DotEnvSettingsSource(Settings, env_file=env_file).env_vars) if env_file is not None else {}
    found: list[Problem] = []
    for name in sorted({*written, *EnvSettingsSource(Settings).env_vars}):
        near = get_close_matches(name.upper(), known, n=1, cutoff=NEARLY)
        if name.upper() in known or (not near and name not in written):
            continue
        found.append(Problem(name.upper(), f"is no setting{f': did you mean {near[0]}?' if near else ''}"))
    return tuple(found)


def sources(env_file: Path | None = Path(".env"), secrets: Path = SECRETS_DIRECTORY) -> dict[str, str]:
    """Where each setting that is given comes from, by its field's name. Never what it is."""
    found: dict[str, str] = {}
    if secrets.is_dir():
        found |= dict.fromkeys(SecretsSettingsSource(Settings, secrets_dir=secrets)(), str(secrets))
    if env_file is not None:
        found |= dict.fromkeys(DotEnvSettingsSource(Settings, env_file=env_file)(), str(env_file))
    return found | dict.fromkeys(EnvSettingsSource(Settings)(), "the environment")


class Row(NamedTuple):
    """One line of the table of settings."""

    name: str
    default: str
    meaning: str


def reference() -> list[Row]:
    """The table of settings, in the order in which they are declared."""
    # Pydantic's own way would read this file at every start of every command.
    from bot.setting_texts import texts  # noqa: PLC0415 - see above

    meanings = texts(Settings)
    return [
        Row(name.upper(), _shown(field.default), " ".join(meanings.get(name, "").split()))
        for name, field in Settings.model_fields.items()
    ]


def _shown(default: object) -> str:
    match default:
        case None:
            return "none"
        case float() if default.is_integer():
            return str(int(default))
        case _:
            return str(default)
