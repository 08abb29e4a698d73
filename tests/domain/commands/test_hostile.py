"""Comments written to hurt: at most 64 KiB of anything takes less than 100 ms and leaves no memory behind."""

import gc
import time
from itertools import product
from pathlib import Path
from random import Random
from string import ascii_lowercase

import pytest

from bot.domain.commands.commonmark import contexts
from tests.domain.commands.kit import hear, issue
from tests.kit.absent import absent

SIZE = 65_536
BUILDING_BLOCKS = [
    *[">", "> ", "- ", ">- ", "* a\n", "1. ", "`", "`a", "[", "[a](", "![[]()", "[a](<b", "*a_ ", "_", "**x*", "~~a"],
    *[
        "<",
        "<a ",
        "<b>",
        "</b>",
        "<a>",
        "<!--",
        "<!-- -->",
        "<?",
        "<![CDATA[",
        "<div>\n",
        "> <div>\n\n",
        "<p>\n\n</p>\n",
    ],
    *[
        "<details>\n\n",
        "`a` /approve ",
        "/approve\n",
        "/approve\n\n",
        "/a\n",
        "/po\n",
        "> q\n\n/po\n",
        "/aprove\n",
        "/plan\n",
    ],
    *[
        "/reject a\n",
        "/signalbox ",
        "/signalbox x\n",
        "/po\u200b\n",
        "/po\U0001f44d\n",
        "/po!!!!",
        "/po....\n",
        "/po-",
        "/ ",
    ],
    *["On \n", "On a\nwrote:\n", "From:\n", "From: a\nTo: b\n", "Original Message\n", "why and history ", "\u200b"],
    *[
        "\u00a0",
        "/\u200b",
        "\x00",
        "\r",
        "\n",
        " ",
        "\t",
        "|",
        "a|b\n-|-\n",
        "[a]: b\n",
        "```\n",
        "/po\n-\n",
        "&a",
        "\\",
    ],
]
SHAPES = {
    **{repr(block): block * (SIZE // len(block.encode())) for block in BUILDING_BLOCKS},
    "deeper and deeper quotes": "\n".join(">" * depth for depth in range(350)),
    "longer and longer backticks": " ".join("`" * length for length in range(350)),
    "nested brackets": "[" * 30_000 + "](b)" * 8_000,
    "deep, then empty lines": "> " * 3_000 + "a\n" + ">\n" * 25_000,
    "a wide table": "|a" * 8_000 + "\n" + "|-" * 8_000 + "\n" + "/po\n" * 8_000,
    "words of three letters, none twice": "\n".join("/" + "".join(word) for word in product(ascii_lowercase, repeat=3))[
        :SIZE
    ],
    "slips of a verb, none twice": "\n".join(f"/re{a}{b}{c}t" for a, b, c in product(ascii_lowercase, repeat=3))[:SIZE],
    "an answer of question marks": "/answer q1" + ":?! " * 16_000,
    "a number without end": "/priority " + "9" * 65_000,
    "a reason of nothing": "/cancel " + "- " * 32_000,
    "one long word": "/" + "a" * 65_000,
    "a plan, then commands": "/plan\n" + "/approve\n" * 7_000,
}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
def test_a_hostile_comment_takes_less_than_a_tenth_of_a_second(shape: str) -> None:
    """threats.md, T17."""
    for body in (shape, "/status\n\n" + shape, shape + "\n\n/status"):
        assert any(_seconds(body) < 0.1 for _ in range(5))


@pytest.mark.parametrize("seed", range(60))
def test_no_mixture_of_them_takes_longer(seed: int) -> None:
    chance = Random(seed)
    blocks = chance.sample([*BUILDING_BLOCKS, "/approve\n", "text ", "\n\n"], chance.randint(2, 12))
    body = "".join(chance.choices(blocks, k=SIZE)).encode()[:SIZE].decode(errors="ignore")
    assert any(_seconds(body) < 0.1 for _ in range(5))


def _seconds(body: str) -> float:
    began = time.thread_time()
    hear(body, issue())
    return time.thread_time() - began


def test_ten_thousand_commands_are_answered_once_and_none_is_run() -> None:
    """threats.md, T17."""
    (item,) = hear("/approve\n" * 10_000, issue())
    assert "10000 commands in one comment; at most 10 are read, so none was run." in repr(item)


def test_reading_many_large_comments_keeps_no_memory() -> None:
    statm = Path("/proc/self/statm")
    if not statm.exists():
        absent("no /proc/self/statm: how much memory a process has is looked at on Linux")
    lines = ["hello *world* `a` <b>x</b>"] * 2_400
    sizes = []
    for _ in range(3):
        for _ in range(20):
            contexts(lines, {0: 0})
        gc.collect()
        sizes.append(int(statm.read_text("ascii").split()[1]))
    pages_of_20_mib = 5_120
    assert sizes[-1] - sizes[0] < pages_of_20_mib
