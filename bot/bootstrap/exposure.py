"""`.env` and who may open it. Files of a secrets directory are left out: what made it gives them their modes."""

from pathlib import Path

from pydantic_settings import DotEnvSettingsSource

from bot.setting_files import open_to_others, unread_lines
from bot.settings import Problem, Settings

_SECRET = ("private_key", "webhook_secret", "metrics_token", "notify_url")


def exposed(env_file: Path = Path(".env")) -> tuple[Problem, ...]:
    """The file, where it holds a secret and other accounts may open it."""
    if not open_to_others(env_file):
        return ()
    with unread_lines():
        written = DotEnvSettingsSource(Settings, env_file=env_file)()
    held = ", ".join(name.upper() for name in _SECRET if written.get(name))
    what = f"holds {held}, and others on this machine may open it: chmod 600"
    return (Problem(str(env_file), what),) if held else ()
