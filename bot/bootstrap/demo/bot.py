"""The real bot for the demo: settings from nowhere but here, a fresh App key, a database that lives as long as the demo."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from pydantic_settings import BaseSettings, PydanticBaseSettingsSource

from bot.app.tokens import Issued, TokenOrder
from bot.bootstrap.bot import Bot, build
from bot.bootstrap.github import at_work
from bot.bootstrap.lanes import lanes
from bot.bootstrap.logs import configure
from bot.bootstrap.parts import Parts, token_desk
from bot.bootstrap.redaction import Redactor
from bot.ports.runtime import Clock
from bot.settings import Settings
from bot.store import engine

#: Intervals that are minutes for people elsewhere. Everything else is as it is by default.
SHORT: dict[str, Any] = {
    "checks_settle_seconds": 0.2,
    "merge_retry_seconds": 0.5,
    "merge_timeout_seconds": 10,
    "settle_window_seconds": 60,
    "write_interval_seconds": 0,
}


class DemoSettings(Settings):
    """Whatever the environment says is meant for another bot."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],  # noqa: ARG003 - pydantic's signature
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - see above
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - see above
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - see above
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return (init_settings,)


@dataclass(frozen=True, slots=True)
class App:
    """The GitHub App of the simulated world. `key` is PEM."""

    id: int
    key: str
    secret: str
    api_url: str


def as_environment(settings: Settings, key_file: Path) -> dict[str, object]:
    """What another process reads as the settings of this demo. The key is named, and kept in that file."""
    return {
        "APP_ID": settings.app_id,
        "PRIVATE_KEY_PATH": key_file,
        "WEBHOOK_SECRET": settings.webhook_secret.get_secret_value() if settings.webhook_secret else "",
        "GITHUB_API_URL": settings.github_api_url,
        "DATA_DIR": settings.data_dir,
        "PORT": settings.port,
        **{name.upper(): value for name, value in SHORT.items()},
    }


def demo_settings(app: App, data: Path, port: int) -> Settings:
    return DemoSettings(
        app_id=app.id,
        private_key=app.key,
        webhook_secret=app.secret,
        github_api_url=app.api_url,
        data_dir=data,
        port=port,
        **SHORT,
    )


def demo_bot(settings: Settings, log: TextIO, on_crash: Callable[[str, BaseException], None], clock: Clock) -> Bot:
    """Built exactly as `serve` builds it; its log lines go to `log`. `clock`: the world's, so that both sides of the demo
    name one time."""
    said = configure(settings.log_level, "pretty", Redactor(settings.known_secrets()), log)
    store = engine.open(settings.database, clock)
    parts = Parts(settings, settings.app(), store, said, writer_works=lambda: store.healthy, clock=clock)
    working = at_work(parts)
    return build(parts, lanes(parts, working), on_crash, working)


async def admin_token(bot: Bot) -> str:
    """For whoever wants to look around."""
    issued = await token_desk(bot.parts.store).create(TokenOrder(name="demo", role="admin"))
    assert isinstance(issued, Issued), "a fresh database has no tokens"
    return issued.token
