"""Every pair of colours that the style sheet puts on each other can be read, in both themes (WCAG 2.2: 4.5:1, 3:1)."""

import re

import pytest

from bot.web.pages.assets import ASSETS

TOKENS = {
    name: (light, dark)
    for name, light, dark in re.findall(
        r"--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", ASSETS["signalbox.css"].content.decode()
    )
}
ON_SURFACES = ("ink", "soft", "link", "go", "wait", "stop")
WASHED = ("go", "wait", "stop", "blue", "violet", "teal", "rust", "pink", "grey")
TEXT = [(colour, ground) for colour in ON_SURFACES for ground in ("bg", "surface", "sunken")]
TEXT += [(colour, f"{colour}-wash") for colour in WASHED]
TEXT += [("ink", f"{colour}-wash") for colour in ("go", "stop", "blue")]
EDGES = [("edge", "surface"), ("edge", "bg"), ("focus", "bg"), ("focus", "surface")]


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_contrast_is_measured_as_the_standard_says() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("colour", "ground", "least"), [(*pair, 4.5) for pair in TEXT] + [(*pair, 3) for pair in EDGES]
)
def test_colours_can_be_told_from_their_ground(colour: str, ground: str, least: float, theme: int) -> None:
    assert contrast(TOKENS[colour][theme], TOKENS[ground][theme]) >= least
