"""The policy's parts about machines at work: budgets, agents' contracts and verification, the workflow, documents."""

from typing import Annotated, Literal

from pydantic import Field

from bot.domain.model.policy_types import Argument, Kebab, RelativePath, Rules, Seconds


class VerificationRule(Rules):
    name: Kebab
    """What it is called in checks and in the record."""
    argv: Annotated[tuple[Argument, ...], Field(min_length=1, max_length=50)]
    """The program and its arguments; no shell reads them."""
    timeout: Annotated[int, Field(ge=1, le=3600)] = 1800
    """Seconds after which it has failed."""
    exit_code: Annotated[int, Field(ge=0, le=255)] = 0
    """The exit code that means passed."""
    artifacts: tuple[RelativePath, ...] = ()
    """Files that are kept with the result."""


class BudgetRule(Rules):
    check_retries: Annotated[int, Field(ge=0, le=100)] = 20
    """How often red checks may turn green again before the record is blocked and an operator grants as many anew."""
    review_cycles: Annotated[int, Field(ge=1, le=100)] = 3
    """How often a reviewer may send an agent's work back before the record is blocked. People's work is counted too, and goes
    on."""
    dispatches: Annotated[int, Field(ge=0, le=100)] = 6
    """How many sessions an agent may begin on one record; 0 switches this budget off."""
    parallel_tasks: Annotated[int, Field(ge=1, le=20)] = 1
    """How many tasks of the repository agents may work on at the same time."""


class ExecTtl(Rules):
    review: Seconds = 1800
    """Seconds for a review."""
    audit: Seconds = 1800
    """Seconds for an audit."""
    implementation: Seconds = 300
    """Seconds for an implementation."""
    test: Seconds = 300
    """Seconds for writing tests."""
    verification: Annotated[int, Field(ge=1, le=3600)] = 3600
    """Seconds for a verification."""


class ContractRule(Rules):
    queue_ttl: Seconds = 1800
    """Seconds that a contract waits for an agent to take it."""
    exec_ttl: ExecTtl = ExecTtl()
    """Seconds that an agent has for it, by its type."""


class WorkflowRule(Rules):
    plan: Annotated[tuple[Kebab, ...], Field(min_length=1, max_length=20)] = (
        "requirements",
        "implementation",
        "code-review",
        "testing",
    )
    """The phases inside `building`, in their order."""
    max_reworks: Annotated[int, Field(ge=1, le=20)] = 3
    """How often a phase may be done again before a person is asked."""
    enabled: bool = False
    """Whether `building` has these phases at all."""


class MachinesRule(Rules):
    mode: Literal["builtin", "json", "json_strict"] = "json"
    """Which state machines run: the built-in ones, or the document at `path`. With `json` a bad document changes nothing;
    with `json_strict` nothing moves forward until it is good."""
    path: RelativePath = ".github/state-machines.v1.json"
    """Where the document lies."""
