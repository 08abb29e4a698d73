"""Rounds in turned order, and ratios within each of them: a machine's noise hits both sides of a ratio."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

#: What one contender did in one round, by the name of the figure.
Figures = Mapping[str, float]
Runs = dict[str, list[Figures]]


def alternate(contenders: Mapping[str, Callable[[], Figures]], rounds: int, tell: Callable[[str], None]) -> Runs:
    """Each contender once in each round; every other round goes backwards."""
    runs: Runs = {name: [] for name in contenders}
    for number in range(rounds):
        names = list(contenders) if number % 2 == 0 else list(contenders)[::-1]
        for name in names:
            figures = contenders[name]()
            runs[name].append(figures)
            tell(f"round {number + 1}/{rounds}  {name:28} " + "  ".join(f"{k} {v:,.4g}" for k, v in figures.items()))
    return runs


@dataclass(frozen=True, slots=True)
class Ratio:
    """Of per-round ratios, or of a number that each round has."""

    middle: float
    least: float
    greatest: float

    @classmethod
    def of(cls, each: Sequence[float]) -> "Ratio":
        return cls(median(each), min(each), max(each))

    def __str__(self) -> str:
        if self.least == self.greatest:
            return f"{self.middle:.3g}"
        return f"{self.middle:.2f} ({self.least:.2f} to {self.greatest:.2f})"


def ratio(runs: Runs, ours: str, theirs: str, figure: str) -> Ratio:
    """Ours ÷ theirs."""
    return Ratio.of([one[figure] / other[figure] for one, other in zip(runs[ours], runs[theirs], strict=True)])


def middle(runs: Runs, name: str, figure: str) -> float:
    return median(one[figure] for one in runs[name])


@dataclass(frozen=True, slots=True)
class Goal:
    """`ratio` at least or at most `bound`; what it is of."""

    what: str
    ratio: Ratio
    bound: float
    at_least: bool = True

    @property
    def met(self) -> bool:
        return self.ratio.middle >= self.bound if self.at_least else self.ratio.middle <= self.bound


@dataclass(frozen=True, slots=True)
class Report:
    """What one part of the bench found: rows for a table, and the goals that it concerns. `judged`: it can be told
    which are met."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    goals: Sequence[Goal] = ()
    notes: Sequence[str] = ()
    judged: bool = True
