"""`python -m bot`, and the console script `signalbox`."""

from bot.bootstrap.operations import LocalOperations
from bot.cli.main import run


def main() -> None:
    run(LocalOperations())


if __name__ == "__main__":
    main()
