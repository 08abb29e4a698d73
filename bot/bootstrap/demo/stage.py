"""Both servers of the demo, up on free loopback ports, and what is needed to reach them."""

import secrets
import shlex
import sys
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from bot.bootstrap import serving
from bot.bootstrap.demo.bot import App, admin_token, as_environment, demo_bot, demo_settings
from bot.bootstrap.demo.github import SimulatedGitHub
from bot.bootstrap.demo.site import Site
from bot.bootstrap.demo.watch import Watch
from bot.bootstrap.demo.wire import address, free_port, served
from bot.settings import Settings
from bot.simulator.keys import private_key_for

LOG = "signalbox.log"
ENVIRONMENT = "env"
KEY = "private-key.pem"


@dataclass(frozen=True, slots=True)
class Stage:
    """`token` has the role admin. Addresses have no slash at the end."""

    github: SimulatedGitHub
    watch: Watch
    github_url: str
    bot_url: str
    token: str
    data: Path
    settings: Settings

    def environment(self) -> str:
        """Lines of a shell that make it reach this demo, with the `signalbox` that runs it and with its settings, so that
        every command says there what is true of this demo."""
        named = {
            **as_environment(self.settings, self.data / KEY),
            "SIGNALBOX": self.bot_url,
            "GITHUB": self.github_url,
            "TOKEN": self.token,
        }
        lines = [f"export {name}={shlex.quote(str(value))}\n" for name, value in named.items()]
        return "".join([*lines, f'export PATH={shlex.quote(str(Path(sys.executable).parent))}:"$PATH"\n'])


async def up(stack: AsyncExitStack, data: Path) -> Stage:
    """Started in `stack`, which ends it. The simulated GitHub starts first and ends last. `data` gets database, log, and
    the environment for other shells."""
    github_socket, bot_socket = free_port(), free_port()
    github_url, bot_url = address(github_socket), address(bot_socket)
    github = SimulatedGitHub(secrets.token_hex(20), behind=timedelta(0))
    github.world.hooks.web = github_url
    app = App(github.world.app.id, private_key_for(github.world), github.secret, github_url)
    settings = demo_settings(app, data, bot_socket.getsockname()[1])
    crashes: list[str] = []
    log = stack.enter_context((data / LOG).open("w", encoding="utf-8", buffering=1))
    bot = demo_bot(settings, log, lambda name, error: crashes.append(f"{name} crashed: {error!r}"), github.world.clock)
    watch = Watch(github, bot.parts.store, crashes)
    site = Site(github.world, watch, github.face)
    await stack.enter_async_context(github.running(github_socket, site))
    await stack.enter_async_context(served(serving.config(bot.asgi), bot_socket))
    github.webhook_url = f"{bot_url}{settings.webhook_path}"
    stage = Stage(github, watch, github_url, bot_url, await admin_token(bot), data, settings)
    _keep(data / KEY, app.key)
    _keep(data / ENVIRONMENT, stage.environment())
    return stage


def _keep(path: Path, secret: str) -> None:
    path.touch(mode=0o600)
    path.write_text(secret, encoding="utf-8")
