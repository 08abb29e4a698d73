"""Random policies and files: what is allowed, what nearly is, and what is not."""

from typing import Any

from hypothesis import strategies as st

from bot.domain.model.policy import Policy
from bot.domain.policy.presets import PRESETS

LISTS = st.sampled_from(([], ["ada"], ["ada", "omar"], ["core"]))
REVIEWS = st.integers(0, 2) | st.fixed_dictionaries({"people": st.integers(0, 2), "agents": st.integers(0, 1)})
ROLE = {
    "permission": st.sampled_from(("triage", "write", "maintain", "admin")),
    **dict.fromkeys(("custom_roles", "users", "teams"), LISTS),
}
CHECKS = st.just("auto") | st.lists(
    st.sampled_from(({"name": "build"}, {"name": "build", "app": 1}, {"name": "lint", "app": 1})), max_size=2
)


def _some(**parts: Any) -> Any:
    return st.fixed_dictionaries({}, optional=parts)


_bools = st.booleans()
_verification = st.sampled_from(("checks", "contract", "both"))
#: Files whose types and ranges are right, key by key; their combinations may still be surprising.
FILES = _some(
    preset=st.sampled_from(tuple(PRESETS)),
    roles=_some(builders=_some(**ROLE), reviewers=_some(**ROLE), operators=_some(**ROLE)),
    agents=st.dictionaries(
        st.sampled_from(("forge-1", "check-1")), st.sampled_from((["builder"], ["reviewer"], ["verifier"]))
    ),
    verification=st.sampled_from(([], [{"name": "unit", "argv": ["make"]}])),
    separation=_some(
        author_may_review=_bools,
        author_may_gate=_bools,
        pusher_may_gate=_bools,
        unknown_pusher=st.sampled_from(("author", "refuse")),
        distinct_people=_bools,
        distinct_gates=_bools,
        requester_may_gate=st.sampled_from((True, False, "people")),
    ),
    gates=_some(
        plan=_some(reviews=st.integers(0, 2)),
        testing=_some(reviews=REVIEWS, operators=st.integers(0, 2), verification=_verification),
        submit=_some(reviews=REVIEWS, operators=st.integers(0, 2), verification=_verification),
    ),
    reviews=_some(native=_bools),
    checks=_some(
        required=CHECKS,
        none=st.sampled_from(("observed", "refuse", "allow")),
        accept=st.sampled_from((["success"], ["success", "neutral"], ["skipped"])),
        timeout_minutes=st.integers(1, 90),
    ),
    merge=_some(trigger=st.sampled_from(("auto", "command")), method=st.sampled_from(("merge", "squash", "rebase"))),
    recheck_at_merge=_bools,
    blocked_recovery=st.sampled_from(("human", "builder")),
    external_merge=st.sampled_from(("record", "block")),
    ungoverned=st.sampled_from(("ignore", "neutral", "require")),
    commands=_some(bots=LISTS, bare=_bools),
    machines=_some(mode=st.sampled_from(("builtin", "json", "json_strict"))),
)
#: What stands where something else belongs.
WRONG: st.SearchStrategy[Any] = st.sampled_from(
    (None, True, False, -1, 0, 2, 1.5, "", "auto", "read", "yes", "all", "1.0", [], {})
)


@st.composite
def files(draw: st.DrawFn) -> dict[str, Any]:
    """Now and then something is wrong somewhere, unknown, or missing."""
    data: dict[str, Any] = {"version": 1} | draw(FILES)
    while draw(st.integers(0, 2)) == 2:
        part = data
        key = draw(st.sampled_from((*data, "unknown")))
        while isinstance(part.get(key), dict) and part[key] and draw(st.booleans()):
            part = part[key]
            key = draw(st.sampled_from((*part, "unknown")))
        part[key] = draw(WRONG)
    return data


def changed(policy: Policy, change: dict[str, Any]) -> Policy:
    """The policy with some parts said anew, as data."""
    return Policy.model_validate(_over(policy.model_dump(mode="json"), change))


def _over(data: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    merged = {
        key: _over(data[key], value) if isinstance(value, dict) and isinstance(data.get(key), dict) else value
        for key, value in change.items()
    }
    return data | merged


@st.composite
def some_policies(draw: st.DrawFn) -> Policy:
    change = draw(FILES)
    return changed(PRESETS[change.get("preset", "strict")], change)
