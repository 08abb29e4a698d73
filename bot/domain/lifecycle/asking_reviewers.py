"""Reviewers are called by GitHub's own review request, where the policy names people or teams: once for each head and gate
(UX.md 5).

Whoever is a reviewer by permission alone cannot be asked by name; the status comment says that a review is awaited.
"""

from collections.abc import Iterator
from itertools import chain, islice

from bot.domain.gates.gate import seats
from bot.domain.gates.separation import excluded
from bot.domain.model.effects import Effect, RequestReview
from bot.domain.model.policy import Policy
from bot.domain.model.record import GateName, Record

#: More people and teams are not asked at once: who is asked with everybody else feels asked by nobody.
MOST_ASKED = 5


def review_requests(before: Record, after: Record, policy: Policy) -> tuple[Effect, ...]:
    """For the gate that this change opened. One request each: GitHub refuses one whole for any name in it."""
    gate = _opened(before, after)
    if gate is None or after.pull_request is None or not policy.reviews.native:
        return ()
    about = f"{after.repository_id}:{after.pull_request}:{gate}:{after.head}:{after.head_epoch}"
    if len(seats(after, policy, gate, "review")) >= policy.gates.of(gate).judges:
        return ()
    people = ((login, {"logins": (login,)}) for login in _people(after, policy, gate))
    teams = ((f"team/{slug}", {"teams": (slug,)}) for slug in _teams(after, policy))
    return tuple(
        Effect(
            kind="review_request",
            target=f"pull:{after.pull_request}",
            once=f"review_request:{about}:{name}",
            write=RequestReview(pull=after.pull_request, **asked),
        )
        for name, asked in islice(chain(people, teams), MOST_ASKED)
    )


def _opened(before: Record, after: Record) -> GateName | None:
    """The gate of the head that is open now and was not open, or of another round, before."""
    if after.phase not in {"testing", "submit"} or after.withdrawn or after.frozen is not None:
        return None
    gate: GateName = "testing" if after.phase == "testing" else "submit"
    return gate if after.gates_opened.of(gate).round != before.gates_opened.of(gate).round else None


def _people(record: Record, policy: Policy, gate: GateName) -> Iterator[str]:
    """Those whom the file names, but for whom separation keeps out and who has judged already."""
    barred = excluded(record, policy, gate, "review")
    for login in policy.roles.reviewers.users:
        number = policy.accounts.get(login.lower(), 0)
        if number and number not in barred:
            yield login


def _teams(record: Record, policy: Policy) -> Iterator[str]:
    """Teams that the file names, by the slug: GitHub asks only those of the repository's owner."""
    here = record.repository.partition("/")[0].lower()
    for team in policy.roles.reviewers.teams:
        owner, _, slug = team.lower().rpartition("/")
        if owner in {"", here}:
            yield slug
