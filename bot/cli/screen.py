"""How listings look: a table for people at a terminal, tab-separated lines for programs, JSON on request (UX.md section 9).

Results go to stdout, everything else to stderr.
"""

import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, NamedTuple

import typer

from bot.domain.model.text import visible

JsonOption = Annotated[bool, typer.Option("--json", help="JSON with the same fields as the API.")]
PlainOption = Annotated[
    bool,
    typer.Option("--plain", help="Tab-separated lines without colours and with absolute times, also at a terminal."),
]
UtcOption = Annotated[bool, typer.Option("--utc", help="Times as UTC instead of relative to now.")]

#: The hues of the labels and pills (UX.md section 7).
PHASE_COLOURS = {
    "planning": "#c9d1d9",
    "plan_ready": "#54a3ff",
    "plan_rejected": "#f0883e",
    "building": "#39b5b0",
    "testing": "#a371f7",
    "submit": "#e27ab5",
    "done": "#2da44e",
    "blocked": "#cf222e",
}
GAP = 2
#: A column of text is shown where it has at least this much room.
READABLE = 16
_BOLD = re.compile(r"\*\*(.+?)\*\*")
_EMPHASIS = re.compile(r"(?<![\w*])\*([^*\s](?:[^*]*[^*\s])?)\*(?![\w*])")
_CODE = re.compile(r"(`+) ?(.+?) ?\1")
_LINK = re.compile(r"\[([^\[\]]+)\]\((?:https?://|#)[^()\s]*\)")
_DAY = 86400


class Cell(NamedTuple):
    text: str
    style: str = ""


def print_json(content: Any) -> None:
    typer.echo(json.dumps(content, ensure_ascii=False, indent=2))


def is_plain(*, plain: bool) -> bool:
    """Whether a listing is for programs: asked for, or where there is no terminal or no colour. Its times are absolute then."""
    from rich.console import Console  # noqa: PLC0415 - 40 ms that `--help` does not need

    console = Console(highlight=False)
    return plain or console.no_color or not console.is_terminal


def table(headers: Sequence[str], rows: Sequence[Sequence[Cell]], *, plain: bool, least: Sequence[str] = ()) -> None:
    """Columns drop when the terminal is too narrow for them: those of `least` in their order, then from the right. What
    is hidden is named on stderr. The last one may be text: it keeps what room is left, if that is enough to read it, and
    goes on below itself between two words."""
    if is_plain(plain=plain):
        for row in rows:
            typer.echo("\t".join(cell.text for cell in row))
        return
    from rich.console import Console  # noqa: PLC0415 - see above
    from rich.table import Table  # noqa: PLC0415 - see above
    from rich.text import Text  # noqa: PLC0415 - see above

    console = Console(highlight=False)
    fitting = _fitting(headers, rows, console.width, least)
    shown = Table(box=None, header_style="dim", pad_edge=False, padding=(0, GAP, 0, 0))
    for index in fitting:
        shown.add_column(headers[index], no_wrap=index < len(headers) - 1, overflow="ellipsis")
    for row in rows:
        shown.add_row(*(Text(row[index].text, style=row[index].style) for index in fitting))
    console.print(shown)
    hidden = [header for index, header in enumerate(headers) if index not in fitting]
    if hidden:
        typer.echo(f"Hidden in {console.width} columns: {', '.join(hidden)}. --plain shows everything.", err=True)


def _fitting(headers: Sequence[str], rows: Sequence[Sequence[Cell]], width: int, least: Sequence[str]) -> Sequence[int]:
    """Which columns fit; the first always stays."""
    last = len(headers) - 1
    needed = [max([len(header), *(len(row[index].text) for row in rows)]) for index, header in enumerate(headers)]
    needed[last] = min(needed[last], READABLE)
    left = list(range(len(headers)))
    going = [headers.index(name) for name in least]
    while len(left) > 1 and sum(needed[index] + GAP for index in left) - GAP > width:
        left.remove(going.pop(0) if going else left[-1])
    return left


def phase(name: str) -> Cell:
    return Cell(name, PHASE_COLOURS.get(name, ""))


def absolute(moment: str) -> str:
    """The one form of a time that is not relative. `moment` is RFC 3339."""
    return f"{datetime.fromisoformat(moment).astimezone(UTC):%Y-%m-%d %H:%M:%S}Z"


def when(moment: str | None, now: datetime, *, utc: bool) -> str:
    """`4 min`, `2 h`, `3 d`, then the date; what is to come, and with `utc` all, as the absolute time. `moment` is RFC 3339."""
    if moment is None:
        return "-"
    at = datetime.fromisoformat(moment).astimezone(UTC)
    seconds = (now - at).total_seconds()
    if utc or seconds < 0:
        return absolute(moment)
    if seconds >= 7 * _DAY:
        return f"{at:%Y-%m-%d}"
    if seconds < 60:
        return "now"
    if seconds < 3600:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.0f} h" if seconds < 2 * _DAY else f"{seconds / _DAY:.0f} d"


def words(markdown: str) -> str:
    """GitHub Markdown without its marks, safe for a terminal."""
    bare = _EMPHASIS.sub(r"\1", _BOLD.sub(r"\1", _LINK.sub(r"\1", markdown)))
    return visible(_CODE.sub(r"\2", bare))
