"""`python -m bot`, and the console script `signalbox`."""

import gc
import os

#: What shells say of a program that Ctrl-C ended.
INTERRUPTED = 130


def main() -> None:
    # What is imported stays: to look through it for garbage again and again is an eighth of the time of a start.
    gc.set_threshold(50_000, 20, 20)
    try:
        # Imported here, because it takes a while, and Ctrl-C in it is no fault of the program.
        from bot.bootstrap.operations import LocalOperations  # noqa: PLC0415 - see above
        from bot.cli.main import run  # noqa: PLC0415 - see above

        run(LocalOperations())
    except KeyboardInterrupt:
        os.write(2, b"Stopped before it did anything.\n")
        os._exit(INTERRUPTED)


if __name__ == "__main__":
    main()
