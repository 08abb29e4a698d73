"""How many deliveries a second are acknowledged, and how long each waits. Ours is stored when it is acknowledged."""

from collections.abc import Callable

from bench.contenders import FASTAPI, GIDGETHUB, NO_STORE, OCTOKIT, OURS, PROBOT, UNGROUPED, contenders
from bench.install import install
from bench.load import drive
from bench.payloads import deliveries
from bench.rounds import Figures, Goal, Report, Runs, alternate, middle, ratio
from bench.servers import Contender, Delivery, post, running

AT = (1, 16, 64)
AGAIN = "signalbox, once more"
WRONG = "sha256=" + "0" * 64


def run(rounds: int, seconds: float, tell: Callable[[str], None]) -> Report:
    install()
    given = deliveries()
    everyone = contenders()
    everyone[AGAIN] = everyone[OURS]
    runs = alternate({name: _measured(one, given, seconds) for name, one in everyone.items()}, rounds, tell)
    heads = ("server", *(f"{each} at once: per s, p50, p99 ms" for each in AT), "µs of a processor each", "MiB after")
    return Report("Intake", heads, [_row(runs, name) for name in everyone], goals(runs), _notes(runs))


def goals(runs: Runs) -> list[Goal]:
    return [
        Goal("÷ probot, 16 at once", ratio(runs, OURS, PROBOT, "rate16"), 1.2),
        Goal("÷ probot, 64 at once", ratio(runs, OURS, PROBOT, "rate64"), 1.5),
        Goal("p99 ÷ probot, 16 at once", ratio(runs, OURS, PROBOT, "p99_16"), 1.0, at_least=False),
        Goal("p99 ÷ probot, 64 at once", ratio(runs, OURS, PROBOT, "p99_64"), 1.0, at_least=False),
        Goal("÷ gidgethub + uvloop, 16 at once", ratio(runs, OURS, GIDGETHUB, "rate16"), 1.0),
        Goal("÷ gidgethub + uvloop, 64 at once", ratio(runs, OURS, GIDGETHUB, "rate64"), 1.0),
        Goal("memory after the load ÷ probot", ratio(runs, OURS, PROBOT, "resident"), 0.9, at_least=False),
    ]


def _notes(runs: Runs) -> list[str]:
    others = ((OCTOKIT, "@octokit/webhooks"), (FASTAPI, "FastAPI + githubkit"), (NO_STORE, "itself without a store"))
    told = [f"÷ {name}: {', '.join(str(ratio(runs, OURS, one, f'rate{at}')) for at in AT)}" for one, name in others]
    grouped = ", ".join(str(ratio(runs, OURS, UNGROUPED, f"rate{at}")) for at in AT)
    work = ", ".join(f"{name} {ratio(runs, OURS, name, 'work')}" for name in (PROBOT, OCTOKIT, GIDGETHUB, FASTAPI))
    noise = ", ".join(str(ratio(runs, OURS, AGAIN, f"rate{at}")) for at in AT)
    return [
        *told,
        f"processor for each ÷ {work}",
        f"group commit ÷ a commit each: {grouped}",
        f"the same server twice (noise): {noise}",
    ]


def _measured(one: Contender, given: tuple[Delivery, ...], seconds: float) -> Callable[[], Figures]:
    def measure() -> Figures:
        figures: dict[str, float] = {}
        answered = 1
        with running(one, given[0]) as server:
            if post(server.port, one.path, given[0], "unsigned", WRONG) < 400:
                raise RuntimeError(f"{one.name} took a wrong signature")
            before = server.worked
            for at in AT:
                load = drive(server, given, at, seconds)
                answered += load.answered
                figures |= {f"rate{at}": load.rate, f"p50_{at}": load.p50, f"p99_{at}": load.p99}
            figures |= {"resident": server.resident, "work": (server.worked - before) / answered * 1e6}
            if one.stored is not None:
                # wrk hangs up on requests that are under way: those may be stored and not counted.
                stored = one.stored(server.folder)
                if not answered <= stored <= answered + sum(AT):
                    raise RuntimeError(f"{one.name}: {answered} were acknowledged, {stored} are stored")
        return figures

    return measure


def _row(runs: Runs, name: str) -> list[str]:
    cells = [
        f"{middle(runs, name, f'rate{at}'):,.0f}, {middle(runs, name, f'p50_{at}'):.2f}, "
        f"{middle(runs, name, f'p99_{at}'):.1f}"
        for at in AT
    ]
    return [name, *cells, f"{middle(runs, name, 'work'):.0f}", f"{middle(runs, name, 'resident'):.0f}"]
