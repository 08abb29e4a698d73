"""Writes what the code says about itself between the markers of the documentation.

python docs/generate.py           write
python docs/generate.py --check   write nothing; name what is not fresh, and exit with 1
"""

import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import golden_paths
import policy_keys
import typer

from bot.app.browse import Browser
from bot.bootstrap.runtime import SystemClock
from bot.cli.main import app as command_line
from bot.domain.commands.catalogue import COMMANDS, CommandSpec
from bot.domain.lifecycle.actions import ACTIONS
from bot.domain.lifecycle.builtin import DELIVERY
from bot.domain.lifecycle.guards import GUARDS
from bot.domain.model.policy import STRICT
from bot.domain.model.refusals import MEANINGS, REFUSAL_CODES
from bot.settings import reference
from bot.store.inline import InlineStore
from bot.web.access import Entry
from bot.web.api import Api
from bot.web.codes import CODES
from bot.web.health import Health
from bot.web.metrics import Metrics
from bot.web.pages.routes import Pages

OPEN, CLOSE = "<!-- made by `make docs`: {name} -->\n", "<!-- end: {name} -->"
PLACES = {"issue": "on the issue", "pull": "on the pull request", "both": "on the issue and the pull request"}
AUDIENCES = {
    "public": "everybody",
    "token": "bearer token",
    "reader": "bearer token, or whoever sits at this machine",
    "metrics": "`METRICS_TOKEN` as bearer token, or whoever sits at this machine",
}
#: Edges that lead from almost every phase would hide the others in a picture.
FROM_EVERYWHERE = frozenset({"merged_externally", "landed_late", "revived", "issue_gone"})


def commands() -> str:
    rows = ((_usage(spec), _who(spec), spec.summary) for spec in COMMANDS)
    return table(("command", "who", "what it does"), rows)


def examples() -> str:
    return "\n\n".join(_command(spec) for spec in COMMANDS)


def _usage(spec: CommandSpec) -> str:
    usages = [spec.usage("issue")] if spec.where != "pull" else []
    usages += [spec.usage("pull")] if spec.where != "issue" else []
    return " or ".join(dict.fromkeys(f"`{usage}`" for usage in usages))


def _who(spec: CommandSpec) -> str:
    return spec.who_in_words or ", ".join(spec.who).replace("_", " ") or "anyone who can read"


def _command(spec: CommandSpec) -> str:
    bound = f", because it {spec.bound}" if spec.bound else ""
    typed = "\n\n".join(f"{PLACES[place].capitalize()}:\n\n```text\n{text}\n```" for place, text in spec.examples)
    return f"## `/{spec.name}`\n\nThis command {spec.summary}. It works {PLACES[spec.where]}{bound}.\n\n{typed}"


def settings() -> str:
    return table(
        ("setting", "default", "meaning"),
        ((f"`{r.name}`", "not set" if r.default == "none" else f"`{r.default}`", r.meaning) for r in reference()),
    )


def refusals() -> str:
    return table(("code", "meaning"), ((f"`{code}`", MEANINGS[code]) for code in REFUSAL_CODES))


def errors() -> str:
    return table(("code", "status", "meaning"), ((f"`{one.name}`", str(one.status), one.meaning) for one in CODES))


def policy() -> str:
    return table(policy_keys.HEAD, policy_keys.rows())


def golden() -> str:
    return table(golden_paths.HEAD, golden_paths.rows())


def routes() -> str:
    webhook = ("`POST {WEBHOOK_PATH}`", "GitHub, by signature", "", "Receives one delivery")
    read = InlineStore(":memory:", SystemClock()).read
    pages = Pages(read, lambda _tx, _record: STRICT, "https://github.com")
    entries = (
        *Health(()).entries(),
        *Metrics(_nothing, "").entries(),
        *Api(Browser(read, lambda _tx, _record: STRICT)).entries(),
        *pages.entries(),
    )
    return table(("route", "who", "query", "what it answers"), (webhook, *map(_route, entries)))


async def _nothing() -> bytes:
    return b""


def _route(entry: Entry) -> tuple[str, ...]:
    query = " ".join(f"`{name}`" for name in entry.parameters)
    return f"`GET {entry.path.replace(':int', '')}`", AUDIENCES[entry.audience], query, entry.summary


def command_words() -> str:
    return table(("command", "what it does"), _subcommands("signalbox", typer.main.get_command(command_line)))


def _subcommands(words: str, command: object) -> Iterator[tuple[str, ...]]:
    children = getattr(command, "commands", None)
    if children is None:
        yield f"`{words}`", (getattr(command, "help", None) or "").partition("\n")[0]
        return
    for name, child in children.items():
        yield from _subcommands(f"{words} {name}", child)


def edges() -> str:
    transitions = DELIVERY.document.transitions
    rows = ((e.from_, e.event, e.to, _names(e.guard), _names(e.action)) for e in transitions)
    return table(("from", "event", "to", "only if", "and then"), rows)


def diagram() -> str:
    events: dict[tuple[str, str], list[str]] = defaultdict(list)
    for edge in DELIVERY.document.transitions:
        if edge.event not in FROM_EVERYWHERE:
            events[edge.from_, edge.to].append(edge.event)
    arrows = [f"    {start} --> {end}: {_few(names)}" for (start, end), names in events.items()]
    ends = [f"    {state} --> [*]" for state in DELIVERY.document.terminal_states]
    begin = f"    [*] --> {DELIVERY.document.initial_state}"
    return "\n".join(("```mermaid", "stateDiagram-v2", begin, *arrows, *ends, "```"))


def _few(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def functions() -> str:
    registered: Iterable[tuple[str, str, object]] = (
        *(("guard", name, guard) for name, guard in GUARDS.items()),
        *(("action", name, action) for name, action in ACTIONS.items()),
    )
    rows = ((f"`{name}`", kind, _says(name, what)) for kind, name, what in registered)
    return table(("name", "kind", "what it says"), rows)


def _says(name: str, what: object) -> str:
    """Its docstring; where a name says it all there is none, and the name is the sentence."""
    return " ".join((what.__doc__ or "").split()) or f"{name.replace('_', ' ').capitalize()}."


def _names(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = (head, ["---"] * len(head), *rows)
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


BLOCKS: dict[str, dict[str, Callable[[], str]]] = {
    "README.md": {"settings": settings},
    "docs/api.md": {"routes": routes, "errors": errors},
    "docs/command-line.md": {"commands": command_words},
    "docs/commands.md": {"commands": commands, "examples": examples},
    "docs/lifecycle.md": {"diagram": diagram, "edges": edges, "functions": functions},
    "docs/policy.md": {"golden": golden, "keys": policy},
    "docs/refusals.md": {"refusals": refusals},
    "docs/settings.md": {"settings": settings},
}


def filled(name: str, text: str) -> str:
    """The page as it should be. Raises ValueError when it lost a marker."""
    for block, content in BLOCKS[name].items():
        opening, closing = OPEN.format(name=block), CLOSE.format(name=block)
        before, found, rest = text.partition(opening)
        _, closed, after = rest.partition(closing)
        if not found or not closed:
            raise ValueError(f"{name} has no place for {block}: {opening.strip()} … {closing}")
        text = f"{before}{opening}\n{content()}\n\n{closing}{after}"
    return text


def main(check: bool, root: Path) -> int:
    stale = 0
    for name in BLOCKS:
        old = (root / name).read_text(encoding="utf-8")
        new = filled(name, old)
        if new == old:
            continue
        stale += 1
        print(f"{name} is not fresh: run make docs" if check else f"{name} is written")
        if not check:
            (root / name).write_text(new, encoding="utf-8")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv, Path.cwd()))
