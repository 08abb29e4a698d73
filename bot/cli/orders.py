"""`signalbox settle`, `resume` and `retry`: what an operator says on GitHub, said at this machine."""

import re
from typing import Annotated, Any, Literal

import typer

from bot.app.browse import Name
from bot.cli.asking import DryRunOption, YesOption, agreed, ask
from bot.cli.names import NameArgument
from bot.cli.operations import Refused
from bot.cli.screen import words as bare
from bot.domain.model.command_signals import ResumePhase

_SHA = re.compile(r"[0-9a-fA-F]{40}")


def settle(
    ctx: typer.Context,
    name: NameArgument,
    how: Annotated[
        Literal["merged", "unmerged"], typer.Argument(metavar="HOW", show_default=False, help="How the merge ended.")
    ],
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="SHA|WHY", show_default=False, help="The merge commit on the base, 40 hex digits; or why not."
        ),
    ],
    dry_run: DryRunOption = False,
    yes: YesOption = False,
) -> None:
    """Say how a merge ended that could not be proven. It is checked against GitHub before it counts."""
    if how == "merged" and (len(words) > 1 or not _SHA.fullmatch(words[0])):
        raise typer.BadParameter(
            "merged is followed by the merge commit on the base, with all 40 hex digits and nothing behind it. "
            f"Nearest: signalbox settle {name.repository}#{name.issue} merged SHA",
            param_hint="SHA",
        )
    _order(ctx, name, ("settle", how, *words), dry_run=dry_run, yes=yes)


def resume(
    ctx: typer.Context,
    name: NameArgument,
    phase: Annotated[
        ResumePhase | None,
        typer.Argument(metavar="PHASE", show_default=False, help="Without it the possible ones are listed."),
    ] = None,
    dry_run: DryRunOption = False,
    yes: YesOption = False,
) -> None:
    """Let blocked work go on in a phase."""
    _order(ctx, name, ("resume", *([phase] if phase else [])), dry_run=dry_run, yes=yes)


def retry(ctx: typer.Context, name: NameArgument, dry_run: DryRunOption = False, yes: YesOption = False) -> None:
    """Grant fresh budgets to exhausted work. It approves nothing."""
    _order(ctx, name, ("retry",), dry_run=dry_run, yes=yes)


def _order(ctx: typer.Context, name: Name, said: tuple[str, ...], *, dry_run: bool, yes: bool) -> None:
    """First what it would do and on which evidence, then, to that very version, the same for good."""
    order: dict[str, Any] = {
        "repository": name.repository,
        "issue": name.issue,
        "verb": said[0],
        "words": list(said[1:]),
    }
    found = ask(ctx, "order.look", order)
    _print(found)
    if found["refusal"] is not None:
        raise Refused(_sentences(found["refusal"]["message"]))
    if found["nothing"] is not None:
        typer.echo(f"Nothing to do: {found['nothing']}.", err=True)
        return
    if not agreed(dry_run=dry_run, yes=yes):
        return
    done = ask(ctx, "order.give", order | {"version": found["version"]})
    typer.echo(f"Done. {found['record']} is in {done['phase']}, version {done['version']}.", err=True)


def _print(found: dict[str, Any]) -> None:
    typer.echo(f"{found['record']} is in {found['phase']}, version {found['version']}.")
    for line in found["evidence"]:
        typer.echo(f"  · {bare(line)}")
    if found["steps"]:
        typer.echo(f"What will be written, as {bare(found['actor'])}:")
    for step in found["steps"]:
        moves = step["to"] if step["from"] == step["to"] else f"{step['from']} → {step['to']}"
        detail = f"  {bare(step['detail'])}" if step["detail"] else ""
        typer.echo(f"  v{step['version']} {moves}  {step['signal']}{detail}")


def _sentences(message: str) -> str:
    """The refusal as on GitHub, line by line."""
    return "\n".join(bare(line) for line in message.split("\n"))
