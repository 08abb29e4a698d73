"""What people do on the shortest way from a labelled issue to a confirmed merge, under each preset.

`tests/scenarios/test_golden_paths.py` does exactly this, and nothing else, on a simulated GitHub.
"""

from collections.abc import Iterator, Sequence

HEAD = ("preset", "human actions", "people", "what they do")
#: Who does it, what it is called in the table, and for a comment its text; `{head}` is the commit that is judged.
Step = tuple[str, str, str]
LABEL: Step = ("ada", "the label on the issue", "")
PLAN: Step = ("ada", "`/plan`", "/plan\nRetry three times.")
PULL: Step = ("ada", "the pull request", "")
PATHS: dict[str, tuple[Step, ...]] = {
    "strict": (
        LABEL,
        PLAN,
        ("grace", "`/approve r1`", "/approve r1"),
        PULL,
        ("grace", "`/approve testing SHA`", "/approve testing {head}"),
        ("omar", "`/gate testing SHA`", "/gate testing {head}"),
        ("grace", "`/approve submit SHA`", "/approve submit {head}"),
        ("omar", "`/gate submit SHA`", "/gate submit {head}"),
    ),
    "lean": (
        LABEL,
        PLAN,
        ("grace", "`/approve r1`", "/approve r1"),
        PULL,
        ("grace", "`/approve submit SHA`", "/approve submit {head}"),
        ("omar", "`/gate submit SHA`", "/gate submit {head}"),
    ),
    "solo": (
        ("omar", LABEL[1], ""),
        ("omar", PLAN[1], PLAN[2]),
        ("omar", "`/approve r1`", "/approve r1"),
        ("omar", PULL[1], ""),
        ("omar", "`/gate submit SHA`", "/gate submit {head}"),
    ),
}


def rows() -> Iterator[Sequence[str]]:
    for preset, steps in PATHS.items():
        done = ", ".join(what for _, what, _ in steps)
        yield f"`{preset}`", str(len(steps)), str(len({who for who, _, _ in steps})), done
