"""All planted defects."""

from tests.rules.mutants.absent import ABSENT
from tests.rules.mutants.afterwards import AFTERWARDS
from tests.rules.mutants.authority import AUTHORITY
from tests.rules.mutants.batched import BATCHED
from tests.rules.mutants.breaking import BREAKING
from tests.rules.mutants.budgets import BUDGETS
from tests.rules.mutants.bursts import BURSTS
from tests.rules.mutants.called import CALLED
from tests.rules.mutants.candidacy import CANDIDACY
from tests.rules.mutants.crashes import CRASHES
from tests.rules.mutants.damaged import DAMAGED
from tests.rules.mutants.doubts import DOUBTS
from tests.rules.mutants.effects import DONE_ONCE
from tests.rules.mutants.found import FOUND
from tests.rules.mutants.heard_words import HEARD_WORDS
from tests.rules.mutants.invariants import INVARIANTS
from tests.rules.mutants.kernel import KERNEL_RULES
from tests.rules.mutants.lost import LOST
from tests.rules.mutants.merges import MERGES
from tests.rules.mutants.mutant import Mutant
from tests.rules.mutants.named import NAMED
from tests.rules.mutants.not_said import NOT_SAID
from tests.rules.mutants.offered import OFFERED
from tests.rules.mutants.operations import OPERATIONS
from tests.rules.mutants.overtaken import OVERTAKEN
from tests.rules.mutants.patience import PATIENCE
from tests.rules.mutants.people import PEOPLE
from tests.rules.mutants.policies import POLICIES
from tests.rules.mutants.policy_files import POLICY_FILES
from tests.rules.mutants.prerequisites import BESIDE
from tests.rules.mutants.reasked import REASKED
from tests.rules.mutants.replicas import REPLICAS
from tests.rules.mutants.savings import SAVINGS
from tests.rules.mutants.settlements import SETTLEMENTS
from tests.rules.mutants.settling import SETTLING
from tests.rules.mutants.shared_heads import SHARED_HEADS
from tests.rules.mutants.shell import SHELL
from tests.rules.mutants.stops import STOPS
from tests.rules.mutants.terminal import TERMINAL
from tests.rules.mutants.torn import TORN
from tests.rules.mutants.ungoverned import BY_NOBODY
from tests.rules.mutants.waiting import WAITING
from tests.rules.mutants.who_may import WHO_MAY
from tests.rules.mutants.words import WORDS

ALL: tuple[Mutant, ...] = (
    *MERGES,
    *REASKED,
    *SETTLEMENTS,
    *SETTLING,
    *AUTHORITY,
    *CANDIDACY,
    *BESIDE,
    *KERNEL_RULES,
    *SHELL,
    *TERMINAL,
    *OPERATIONS,
    *INVARIANTS,
    *NAMED,
    *NOT_SAID,
    *AFTERWARDS,
    *POLICIES,
    *POLICY_FILES,
    *SHARED_HEADS,
    *BATCHED,
    *BREAKING,
    *BURSTS,
    *DOUBTS,
    *DAMAGED,
    *PEOPLE,
    *STOPS,
    *WAITING,
    *WHO_MAY,
    *CALLED,
    *BUDGETS,
    *BY_NOBODY,
    *WORDS,
    *HEARD_WORDS,
    *LOST,
    *DONE_ONCE,
    *OVERTAKEN,
    *FOUND,
    *PATIENCE,
    *CRASHES,
    *REPLICAS,
    *OFFERED,
    *TORN,
    *ABSENT,
    *SAVINGS,
)
