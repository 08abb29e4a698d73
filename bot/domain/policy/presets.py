"""The three sets of rules to begin with. What a file writes overrides its preset, key by key."""

from collections.abc import Mapping

from bot.domain.model.policy import STRICT, GateRule, GateRules, Policy, Separation

#: The plan, one review and one operator at submit; `testing` passes on verification alone.
LEAN = Policy(
    preset="lean",
    gates=GateRules(testing=GateRule(reviews=0, operators=0), submit=GateRule(reviews=1, operators=1)),
)
#: One person can do all of it, in three deliberate steps.
SOLO = Policy(
    preset="solo",
    separation=Separation(author_may_review=True, author_may_gate=True, pusher_may_gate=True),
    gates=GateRules(testing=GateRule(reviews=0, operators=0), submit=GateRule(reviews=0, operators=1)),
)
PRESETS: Mapping[str, Policy] = {"strict": STRICT, "lean": LEAN, "solo": SOLO}
