"""The commands of the README, as they stand there."""

from pathlib import Path

import pytest

from tests.cli.test_serve import KEY
from tests.docs.clone import Server, Terminal
from tests.docs.pages import blocks


def first_installation() -> tuple[str, str, str]:
    """Settings, server, and what is typed beside it."""
    settings, server, beside = (
        block.text
        for block in blocks("README.md")
        if block.language == "sh" and "make demo" not in block.text and "make test" not in block.text
    )
    return settings, server, beside


@pytest.mark.timeout(90)
def test_the_first_installation_goes_as_the_readme_says(clone: Path) -> None:
    settings, serve, beside = first_installation()
    (clone / "signalbox.private-key.pem").write_text(KEY)
    terminal = Terminal(clone)
    assert terminal.types(settings)[0] == 0
    server = Server(clone, serve, '{"ts"', PORT="0", GITHUB_API_URL="http://127.0.0.1:9")
    try:
        assert '"event":"server_started"' in server.printed
        assert '"mode":"serving"' in server.printed
        code, printed = terminal.types(beside)
    finally:
        server.ctrl_c()
        terminal.leaves()
    assert code == 0, printed
    assert printed.splitlines()[-1].startswith("sbx_")
    assert (clone / "signalbox.db").exists()
    assert (clone / ".env").stat().st_mode & 0o777 == 0o600
